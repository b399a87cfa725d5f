//! Blocks of HTML whose content is Markdown all the same: everywhere in MDX, in elements within a line in kramdown, and
//! where a tag has the attribute `markdown` for kramdown and MkDocs. A row of a table may begin with a tag, and a
//! fence behind a tag encloses code.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memchr_iter, memchr2_iter, memmem};

use crate::document::Kind;
use crate::document::html::edge;
use urlint_standard::text::Line;

/// Returns `text` for the parser, with every byte at its place. Tags that begin a block of HTML for CommonMark, but
/// not for the reader of the `dialect`, are overwritten, and those of Liquid.
pub(super) fn opened(dialect: Kind, text: Cow<'_, str>) -> Cow<'_, str> {
    let edits = edits(dialect, text.as_bytes());
    if edits.is_empty() {
        return text;
    }
    let mut changed = text.into_owned();
    for (range, stand_in) in edits {
        changed.replace_range(range.clone(), &stand_in.repeat(range.len()));
    }
    changed.into()
}

/// Returns whether the program that reads `text` reads Markdown in blocks of HTML: some have the attribute or an element
/// of that name, or the text is MDX, which imports components and has their tags.
pub(super) fn is_read(text: &[u8]) -> bool {
    let has = |sign: &[u8]| memmem::find(text, sign).is_some();
    let is_component =
        |at: usize| text.get(at + 1).is_some_and(u8::is_ascii_uppercase) && begins_line(text, at);
    let is_import = |at: usize| {
        let line = || &text[Line::at(text, at).range()];
        matches!(text[..at], [] | [.., b'\n' | b'\r']) && memmem::find(line(), b" from ").is_some()
    };
    has(b" markdown=\"1\"")
        || has(b" markdown=1")
        || has(b"<markdown>")
        || memchr_iter(b'<', text).any(is_component)
        || memmem::find_iter(text, b"import ").any(is_import)
}

/// Returns the ranges to overwrite, each with the character to write. After a tag with the attribute, those that end
/// an element end the block as well.
fn edits(dialect: Kind, text: &[u8]) -> Vec<(Range<usize>, &'static str)> {
    let mut edits = Vec::new();
    let mut is_in_element = false;
    for start in memchr2_iter(b'<', b'{', text).filter(|at| begins_line(text, *at)) {
        let line = Line::at(text, start);
        let row = &text[line.range()];
        let Some(end) = tag(row) else { continue };
        let (tag, rest) = row.split_at(end);
        let next = &text[Line::at(text, line.next).range()];
        let goes_on = next.starts_with(b"    ") || next.starts_with(b"\t");
        let next = next.trim_ascii();
        let has_attribute = is_for_markdown(tag);
        is_in_element |= has_attribute;
        let is_fence = next.starts_with(b"```") || next.starts_with(b"~~~");
        let is_read = has_attribute
            || is_in_element && tag.starts_with(b"</")
            || !has_target(tag) && (is_fence || is_markdown(dialect, tag));
        if is_read && rest.trim_ascii().is_empty() {
            // A blank line, after which anything may begin; or text, so that the next line is no code.
            let is_text = goes_on && !has_attribute && !is_fence && tag.starts_with(b"<");
            edits.push((start..start + end, if is_text { "x" } else { " " }));
        } else if is_read || row.contains(&b'|') && is_border(next) {
            edits.push((start..start + 1, "x"));
        }
    }
    edits
}

/// Returns whether nothing but blanks is before `at` in its line.
fn begins_line(text: &[u8], at: usize) -> bool {
    let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\x0C');
    let before = text[..at].iter().rev().find(|byte| !is_blank(byte));
    matches!(before, None | Some(b'\n' | b'\r'))
}

/// Returns where the tag ends that `row` begins with: one of HTML, but not of an element whose text has no blank line
/// as its end, or one of Liquid that has the line for itself.
fn tag(row: &[u8]) -> Option<usize> {
    if row.starts_with(b"{%") {
        return row.trim_ascii_end().ends_with(b"%}").then_some(row.len());
    }
    let raw: [&[u8]; 4] = [b"script", b"style", b"pre", b"textarea"];
    let name = name(row.strip_prefix(b"<")?);
    let is_tag = name.first().is_some_and(u8::is_ascii_alphabetic) && !raw.contains(&name);
    memchr(b'>', row).filter(|_| is_tag).map(|end| end + 1)
}

/// Returns the name of the element whose tag goes on with `text` after its `<`.
fn name(text: &[u8]) -> &[u8] {
    let text = text.strip_prefix(b"/").unwrap_or(text);
    let len = text.iter().take_while(|byte| byte.is_ascii_alphanumeric());
    &text[..len.count()]
}

/// Returns whether Markdown goes on behind a line with this `tag`.
fn is_markdown(dialect: Kind, tag: &[u8]) -> bool {
    match tag {
        [b'<', rest @ ..] => {
            let is_inline = || edge(&name(rest).to_ascii_lowercase()).is_none();
            dialect == Kind::Mdx || dialect == Kind::Kramdown && is_inline()
        }
        _ => true,
    }
}

/// Returns whether an attribute of `tag` may be the target of a link, so that it is to be read.
fn has_target(tag: &[u8]) -> bool {
    let signs: [&[u8]; 3] = [b"href", b"src", b"://"];
    signs.iter().any(|sign| memmem::find(tag, sign).is_some())
}

/// Returns whether `tag` has the attribute `markdown`, with any value but `0`.
fn is_for_markdown(tag: &[u8]) -> bool {
    let Some(at) = memmem::find(tag, b" markdown") else {
        return false;
    };
    let value = &tag[at + " markdown".len()..];
    matches!(value, [b'>' | b' ', ..]) || (value.starts_with(b"=") && !value.starts_with(b"=\"0\""))
}

/// Returns whether `line` separates the head of a table from its body.
fn is_border(line: &[u8]) -> bool {
    matches!(line.first(), Some(b'|' | b'-' | b':'))
        && line.contains(&b'|')
        && memmem::find(line, b"---").is_some()
}

#[cfg(test)]
mod tests {
    use super::{Kind, opened};

    #[test]
    fn elements_open_to_markdown() {
        for (text, expected) in [
            (
                "<p markdown=\"1\">\nx\n</p>\n",
                "                \nx\n    \n",
            ),
            ("<p markdown>x</p>\n", "xp markdown>x</p>\n"),
            (
                "<p markdown=\"0\">\nx\n</p>\n",
                "<p markdown=\"0\">\nx\n</p>\n",
            ),
            ("<p class=\"markdown\">\nx\n", "<p class=\"markdown\">\nx\n"),
            ("<b>x</b> | y\n--- | ---\n", "xb>x</b> | y\n--- | ---\n"),
            ("<b>x</b> | y\nz\n", "<b>x</b> | y\nz\n"),
            ("<p markdown=\"1\"\n", "<p markdown=\"1\"\n"),
            (
                "<p markdown=\"1\">\n\n<style>\nx\n</style>\n",
                "                \n\n<style>\nx\n</style>\n",
            ),
        ] {
            assert_eq!(opened(Kind::Markdown, text.into()), expected, "{text:?}");
        }
    }

    #[test]
    fn dialects() {
        for (dialect, text, expected) in [
            (Kind::Mdx, "<p>\n  x\n</p>\n", "   \n  x\n    \n"),
            (Kind::Mdx, "<p>\n    x\n</p>\n", "xxx\n    x\n    \n"),
            (Kind::Mdx, "<p>x</p>\n", "xp>x</p>\n"),
            (Kind::Mdx, "<p id=\"a\"\n", "<p id=\"a\"\n"),
            (Kind::Mdx, "<a href=\"x\">\ny\n", "<a href=\"x\">\ny\n"),
            (Kind::Mdx, "<pre>\nx\n</pre>\n", "<pre>\nx\n</pre>\n"),
            (Kind::Mdx, "<!-- x -->\ny\n", "<!-- x -->\ny\n"),
            (Kind::Kramdown, "<p>\nx\n</p>\n", "<p>\nx\n</p>\n"),
            (Kind::Kramdown, "<del>\nx\n", "     \nx\n"),
            (
                Kind::Kramdown,
                "{% tab 'x' %}\n    y\n",
                "             \n    y\n",
            ),
            (Kind::Kramdown, "{% tab %} x\n", "{% tab %} x\n"),
            (Kind::Markdown, "<Tab>\n```\nx\n", "     \n```\nx\n"),
            (Kind::Markdown, "<Tab>\n  ~~~\nx\n", "     \n  ~~~\nx\n"),
            (Kind::Markdown, "<Tab>\nx\n", "<Tab>\nx\n"),
        ] {
            assert_eq!(opened(dialect, text.into()), expected, "{text:?}");
        }
    }
}
