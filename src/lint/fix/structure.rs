//! The structure of a document, compared to ensure that a fix or an added comment changes nothing
//! else.

use std::ops::Range;

use super::Replacement;
use urlint_documents::document::{DocumentText, Kind, is_edited, is_simple_border, structure};
use urlint_standard::text::{Line, Span, lines};

/// Returns whether `after`, which is `before` with the replacements `made`, is the same document of `kind` but for the
/// replaced bytes.
pub(super) fn is_kept(kind: Kind, before: &[u8], after: &[u8], made: &[Replacement]) -> bool {
    let old: Vec<Span> = made.iter().map(|made| made.old).collect();
    let new: Vec<Span> = made.iter().map(|made| made.new).collect();
    let texts = |source, edited: &[Span]| match kind.family() {
        Kind::Markdown | Kind::Html | Kind::Xml | Kind::Json => structure(kind, source, edited),
        Kind::Rst | Kind::Asciidoc | Kind::Mediawiki | Kind::Roff => by_line(kind, source, edited),
        _ => Vec::new(),
    };
    texts(before, &old) == texts(after, &new)
}

/// Returns whether `after` is `before`, a document of `kind`, with nothing but suppression comments
/// added, and their reader takes them for comments.
#[must_use]
pub fn adds_only_comments(kind: Kind, before: &[u8], after: &[u8]) -> bool {
    without_comments(kind, before) == without_comments(kind, after)
}

/// Returns the markup of a document, and the words of its texts without suppression comments, in alphabetical order:
/// a URL that has a comment beside it may be in another text than without. Texts in HTML of Markdown are kept whole.
fn without_comments(kind: Kind, source: &[u8]) -> (String, Vec<String>) {
    let mut texts = structure(kind, source, &[]).into_iter();
    let markup = texts.next().unwrap_or_default().shape.into_owned();
    let mut words = Vec::new();
    for DocumentText { shape, text } in texts {
        // Comments and scripts are divided by blank lines.
        for piece in String::from_utf8_lossy(&text).split("\n\n") {
            if piece.trim().is_empty() || is_suppression(piece) {
                continue;
            }
            if shape.starts_with("html") {
                words.push(piece.to_owned());
            } else {
                words.extend(piece.split_ascii_whitespace().map(str::to_owned));
            }
        }
    }
    words.sort_unstable();
    (markup, words)
}

/// Returns whether `text` is a comment that suppresses diagnostics, and nothing else.
fn is_suppression(text: &str) -> bool {
    let content = text
        .trim()
        .strip_prefix("<!--")
        .and_then(|text| text.strip_suffix("-->"));
    content.is_some_and(|content| {
        content.trim_start().starts_with("urlint: ") && !content.contains("-->")
    })
}

/// Returns each line with the marks that it begins with. In a table or above an underline its
/// length counts too, since columns have to stay aligned.
fn by_line(kind: Kind, source: &[u8], edited: &[Span]) -> Vec<DocumentText> {
    let lines: Vec<_> = lines(source).map(Line::range).collect();
    let mut in_table = false;
    let item = |(index, range): (usize, &Range<usize>)| {
        let line = &source[range.clone()];
        let is_mark = |byte: &&u8| !byte.is_ascii_alphanumeric() && byte.is_ascii();
        let marks = line.iter().take_while(is_mark).count();
        let next = lines
            .get(index + 1)
            .map_or(&[][..], |next| &source[next.clone()]);
        if is_simple_border(line) {
            in_table = !is_blank(next);
        }
        let is_cell = line[..marks].trim_ascii_start().starts_with(b"|");
        let has_columns = kind == Kind::Rst && (in_table || is_cell || is_underline(next));
        let length = if has_columns { line.len() } else { 0 };
        let is_kept = |at: &usize| !is_edited(edited, Span::new(*at as u64, *at as u64 + 1));
        let text = (range.start + marks..range.end).filter(is_kept);
        DocumentText {
            shape: format!("{length} {}", String::from_utf8_lossy(&line[..marks])).into(),
            text: text.map(|at| source[at]).collect(),
        }
    };
    lines.iter().enumerate().map(item).collect()
}

fn is_blank(line: &[u8]) -> bool {
    line.trim_ascii().is_empty()
}

/// Returns whether `line` underlines a title.
fn is_underline(line: &[u8]) -> bool {
    let line = line.trim_ascii_end();
    let is_same = |byte: &u8| Some(byte) == line.first() && byte.is_ascii_punctuation();
    line.len() > 2 && line.iter().all(is_same)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail")]

    use super::*;

    /// Returns whether `new` is the document `text` with `after` in place of each `URL`, if `before` was there.
    fn is_kept_with(kind: Kind, text: &str, new: &str, before: &str, after: &str) -> bool {
        let (mut made, mut moved) = (Vec::new(), 0_i64);
        for (index, (at, _)) in text.match_indices("URL").enumerate() {
            let old = at as u64 + index as u64 * (before.len() as u64 - 3);
            let start = old.saturating_add_signed(moved);
            made.push(Replacement {
                old: Span::new(old, old + before.len() as u64),
                new: Span::new(start, start + after.len() as u64),
            });
            moved += after.len() as i64 - before.len() as i64;
        }
        let old = text.replace("URL", before);
        is_kept(kind, old.as_bytes(), new.as_bytes(), &made)
    }

    #[test]
    fn only_the_url_may_differ() {
        let kinds = [
            (
                Kind::Markdown,
                "| a | [b](URL) |\n|---|---|\n| c | `URL` URL |\n\n[r]: URL 't'\n",
            ),
            (Kind::Html, "<p>a URL <a href=\"URL\">x</a><!-- URL --> a"),
            (Kind::Xml, "<t><b c=\"URL\">URL</b><![CDATA[URL]]> a</t>"),
            (Kind::Json, "{\"b\": [\"URL\", 1], \"a\": \"x\\\"URL\"}"),
            (Kind::Rst, ".. _r: URL\n\n__ URL\n\nx `a <URL>`_\n"),
            (Kind::Asciidoc, "* URL[a]\n"),
            (Kind::Mediawiki, "* [URL a]\n"),
            (Kind::Roff, ".UR URL\na\n.UE\n"),
        ];
        let (before, after) = ("http://b.test:/", "http://b.test/");
        for (kind, text) in kinds {
            let new = text.replace("URL", after);
            assert!(is_kept_with(kind, text, &new, before, after), "{kind:?}");
            let at = new.rfind('a').unwrap();
            let less = [&new[..at], &new[at + 1..]].concat();
            assert!(!is_kept_with(kind, text, &less, before, after), "{kind:?}");
        }
    }

    #[test]
    fn comments_are_told_from_all_else() {
        let ignore = "<!-- urlint: ignore[ALL] -->";
        for (kind, before, after, expected) in [
            (Kind::Markdown, "a URL\nb\n", "a URL +\nb\n", true),
            (Kind::Markdown, "a `b`\n", "a `b` +\n", true),
            (Kind::Markdown, "# a\n", "+\n# a\n", true),
            (Kind::Markdown, "a\n", "+\n+\na\n", true),
            (Kind::Markdown, "a + b\n", "a + b +\n", true),
            (Kind::Markdown, "a\n", "b +\n", false),
            (Kind::Markdown, "a\n", "a +-->\n", false),
            (Kind::Markdown, "a\n", "a <!-- b: -->\n", false),
            (Kind::Markdown, "```\na\n```\n", "```\na +\n```\n", false),
            (Kind::Html, "<p>a\nb</p>", "<p>a\n+b</p>", true),
            (Kind::Html, "<p\na='b'>", "<p\n+a='b'>", false),
            (Kind::Html, "<script>\na", "<script>\n+a", false),
            (Kind::Xml, "<p>a\nb</p>", "<p>a\n+b</p>", true),
            (Kind::Xml, "<p>a\nb</p>", "<p>a\n+c</p>", false),
            (Kind::Xml, "<![CDATA[\na]]>", "<![CDATA[\n+a]]>", false),
        ] {
            let [old, new] = [before, after].map(|text| text.replace('+', ignore));
            let is_kept = adds_only_comments(kind, old.as_bytes(), new.as_bytes());
            assert_eq!(is_kept, expected, "{kind:?}: {after}");
        }
    }

    #[test]
    fn columns_stay() {
        let (before, after) = ("http://a.example:", "http://a.example");
        let tables = [
            "| URL | x |\n",
            "====  ====\nURL   b\n====  ====\n\n",
            "x URL\n=======================\n",
        ];
        for text in tables {
            let new = text.replace("URL", after);
            assert!(
                !is_kept_with(Kind::Rst, text, &new, before, after),
                "{text}"
            );
        }
    }
}
