//! The structure of a document, compared to ensure that a fix or an added comment changes nothing
//! else.

use std::borrow::Cow;

use pulldown_cmark::{Event, Tag};

use super::changes::Changes;
use urlint_documents::document::{Kind, is_simple_border, markdown};
use urlint_standard::text::lines;

/// One element of the structure of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Item {
    /// Everything except its text; a fix leaves it the same.
    shape: Cow<'static, str>,
    /// The text in it, in which a URL may have been changed.
    text: Vec<u8>,
}

/// The shapes of text, and of markup that may be a comment.
const TEXT: &str = "text";
const COMMENT: &str = "comment";
const HTML: &str = "html";
const INLINE_HTML: &str = "inline html";

/// The items of a document, in the order of the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Structure(Vec<Item>);

impl Structure {
    /// Returns the structure of `source`, a document of `kind`; `None` if there is no parser for
    /// it, or it is not in UTF-8.
    pub(super) fn of(kind: Kind, source: &[u8]) -> Option<Structure> {
        let text = std::str::from_utf8(source).ok()?;
        let items = match kind {
            Kind::Markdown => of_markdown(text),
            Kind::Html => html(text),
            Kind::Xml => xml(text),
            Kind::Json => json(source),
            Kind::Rst | Kind::Asciidoc | Kind::Mediawiki | Kind::Roff => {
                by_line(source, kind == Kind::Rst)
            }
            _ => return None,
        };
        Some(Structure(items))
    }

    /// Returns whether `now` is the same, except for `changes` in its texts.
    pub(super) fn is_kept_in(&self, now: &Structure, changes: &Changes<'_>) -> bool {
        self.0.len() == now.0.len()
            && self.0.iter().zip(&now.0).all(|(old, new)| {
                old.shape == new.shape
                    && (old.text == new.text || changes.explain(&old.text, &new.text))
            })
    }
}

/// Returns whether `after` is `before`, a document of `kind`, with nothing but suppression comments
/// added. Returns `false` if there is no parser for the kind.
#[must_use]
pub fn adds_only_comments(kind: Kind, before: &[u8], after: &[u8]) -> bool {
    let [before, after] = [before, after].map(|source| Structure::of(kind, source));
    let without_comments =
        |structure: Option<Structure>| structure.map(Structure::without_comments);
    before.is_some() && without_comments(before) == without_comments(after)
}

impl Structure {
    /// Returns the items without suppression comments and, in Markdown, without the space before
    /// one.
    fn without_comments(self) -> Vec<Item> {
        let mut items: Vec<Item> = Vec::new();
        let mut all = self.0.into_iter().peekable();
        while let Some(item) = all.next() {
            let last = items.last_mut().filter(|last| last.shape == item.shape);
            if item.is_suppression() {
                if item.shape == INLINE_HTML
                    && let Some(before) = items.last_mut().filter(|last| last.shape == TEXT)
                {
                    before.text.pop_if(|byte| *byte == b' ');
                }
                items.pop_if(|last| last.shape == TEXT && last.text.is_empty());
                // In Markdown, it may be a block.
                if items
                    .pop_if(|last| last.shape == "Start(HtmlBlock)")
                    .is_some()
                {
                    all.next();
                }
            } else if let Some(last) = last.filter(|last| last.shape == TEXT) {
                last.text.extend(item.text);
            } else {
                items.push(item);
            }
        }
        items
    }
}

impl Item {
    /// Returns whether it is a comment that suppresses diagnostics, and nothing else.
    fn is_suppression(&self) -> bool {
        let text = self.text.trim_ascii();
        let content = match &*self.shape {
            COMMENT => Some(text),
            HTML | INLINE_HTML => text
                .strip_prefix(b"<!--")
                .and_then(|text| text.strip_suffix(b"-->")),
            _ => None,
        };
        content.is_some_and(|content| {
            let is_one = memchr::memmem::find(content, b"-->").is_none();
            is_one && content.trim_ascii_start().starts_with(b"urlint: ")
        })
    }
}

/// Adds text, to the last item if that is text of the same shape.
fn push_text(items: &mut Vec<Item>, shape: &'static str, text: &str) {
    match items.last_mut() {
        Some(last) if last.shape == shape => last.text.extend_from_slice(text.as_bytes()),
        _ => push(items, shape, text),
    }
}

fn push(items: &mut Vec<Item>, shape: impl Into<Cow<'static, str>>, text: &str) {
    items.push(Item {
        shape: shape.into(),
        text: text.as_bytes().to_vec(),
    });
}

/// Returns the events of a Markdown parser, and the reference definitions, which have no events.
fn of_markdown(source: &str) -> Vec<Item> {
    let (matter, parser) = markdown::parsed(source);
    let mut items = Vec::new();
    push(&mut items, "front matter", matter);
    let mut definitions: Vec<_> = parser.reference_definitions().iter().collect();
    definitions.sort_by_key(|(_, definition)| definition.span.start);
    for (label, definition) in definitions {
        push(&mut items, "definition", label);
        push(&mut items, "target", &definition.dest);
        push(
            &mut items,
            "title",
            definition.title.as_deref().unwrap_or_default(),
        );
    }
    for event in parser {
        match event {
            Event::Text(text) => push_text(&mut items, TEXT, &text),
            Event::Html(text) => push_text(&mut items, HTML, &text),
            Event::InlineHtml(text) => push(&mut items, INLINE_HTML, &text),
            Event::Code(text) => push(&mut items, "code", &text),
            Event::Start(
                Tag::Link {
                    link_type,
                    dest_url,
                    title,
                    id,
                }
                | Tag::Image {
                    link_type,
                    dest_url,
                    title,
                    id,
                },
            ) => {
                push(&mut items, format!("link {link_type:?}"), &dest_url);
                push(&mut items, "title", &title);
                push(&mut items, "label", &id);
            }
            other => push(&mut items, format!("{other:?}"), ""),
        }
    }
    items
}

/// The tokens of HTML.
fn html(source: &str) -> Vec<Item> {
    use html5gum::{DefaultEmitter, Token, Tokenizer};

    let mut items = Vec::new();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut emitter = DefaultEmitter::default();
    // The text of scripts and the like has no comments.
    emitter.naively_switch_states(true);
    for token in Tokenizer::new_with_emitter(source, emitter).flatten() {
        match token {
            Token::StartTag(tag) => {
                let name = text(&tag.name);
                push(&mut items, format!("<{name} {}>", tag.self_closing), "");
                for (name, value) in &tag.attributes {
                    let value = text(&value.value);
                    push(&mut items, format!("attribute {}", text(name)), &value);
                }
            }
            Token::EndTag(tag) => push(&mut items, format!("</{}>", text(&tag.name)), ""),
            Token::String(string) => push_text(&mut items, TEXT, &text(&string.value)),
            Token::Comment(comment) => push(&mut items, COMMENT, &text(&comment.value)),
            other => push(&mut items, format!("{other:?}"), ""),
        }
    }
    items
}

/// Returns the events of an XML reader, up to the first error.
fn xml(source: &str) -> Vec<Item> {
    use quick_xml::Reader;
    use quick_xml::events::Event;

    let mut reader = Reader::from_str(source);
    let mut items = Vec::new();
    let decoded = |text: &str| match quick_xml::escape::unescape(text) {
        Ok(decoded) => decoded.into_owned(),
        Err(_) => text.to_owned(),
    };
    loop {
        match reader.read_event() {
            Ok(Event::Eof) => return items,
            Ok(Event::Start(tag) | Event::Empty(tag)) => {
                push(&mut items, format!("<{}>", tag.name().as_ref()), "");
                for attribute in tag.attributes().with_checks(false) {
                    match attribute {
                        Ok(one) => {
                            let name = format!("attribute {}", one.key.as_ref());
                            push(&mut items, name, &decoded(&one.value));
                        }
                        Err(error) => push(&mut items, format!("{error:?}"), ""),
                    }
                }
            }
            Ok(Event::End(tag)) => push(&mut items, format!("</{}>", tag.name().as_ref()), ""),
            Ok(Event::Text(text)) => push_text(&mut items, TEXT, &text),
            Ok(Event::GeneralRef(name)) => {
                push_text(&mut items, TEXT, &decoded(&format!("&{};", &*name)));
            }
            Ok(Event::CData(text)) => push(&mut items, "cdata", &text),
            Ok(Event::Comment(text)) => push(&mut items, COMMENT, &text),
            Ok(Event::PI(text)) => push(&mut items, "instruction", &text),
            Ok(Event::DocType(text)) => push(&mut items, "doctype", &text),
            Ok(Event::Decl(text)) => push(&mut items, "declaration", &text),
            Err(error) => {
                push(&mut items, format!("{error:?}"), "");
                return items;
            }
        }
    }
}

/// Returns the strings of JSON, as they are written, and the text between them.
fn json(source: &[u8]) -> Vec<Item> {
    let mut items = Vec::new();
    let mut rest = source;
    loop {
        let quote = memchr::memchr(b'"', rest).unwrap_or(rest.len());
        let (between, string) = rest.split_at(quote);
        push(
            &mut items,
            String::from_utf8_lossy(between).into_owned(),
            "",
        );
        let Some(string) = string.get(1..) else {
            return items;
        };
        let mut end = 0;
        while let Some(&byte) = string.get(end).filter(|byte| **byte != b'"') {
            end += if byte == b'\\' { 2 } else { 1 };
        }
        let (text, after) = string.split_at(end.min(string.len()));
        rest = after.get(1..).unwrap_or_default();
        // A slash may be written with a backslash before it.
        let text = String::from_utf8_lossy(text).replace("\\/", "/");
        // Names are part of the structure, since programs look values up by them.
        if rest.trim_ascii_start().starts_with(b":") {
            push(&mut items, format!("name {text}"), "");
        } else {
            push(&mut items, "string", &text);
        }
    }
}

/// Returns each line with the marks that it begins with. In a table or above an underline its
/// length counts too, since columns have to stay aligned.
fn by_line(source: &[u8], has_columns: bool) -> Vec<Item> {
    let lines: Vec<&[u8]> = lines(source).map(|line| &source[line.range()]).collect();
    let mut in_table = false;
    let item = |(index, line): (usize, &&[u8])| {
        let is_mark = |byte: &&u8| !byte.is_ascii_alphanumeric() && byte.is_ascii();
        let marks = line.iter().take_while(is_mark).count();
        let (marks, text) = line.split_at(marks);
        let next = lines.get(index + 1).copied().unwrap_or_default();
        if is_simple_border(line) {
            in_table = !is_blank(next);
        }
        let is_cell = marks.trim_ascii_start().starts_with(b"|");
        let has_length = has_columns && (in_table || is_cell || is_underline(next));
        let length = if has_length { line.len() } else { 0 };
        Item {
            shape: format!("{length} {}", String::from_utf8_lossy(marks)).into(),
            text: text.to_vec(),
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

    fn is_kept(kind: Kind, old: &str, new: &str, before: &str, after: &str) -> bool {
        let of = |text: &str| Structure::of(kind, text.as_bytes());
        let changes = Changes::new(vec![(before.as_bytes(), after.into())]);
        let (old, new) = (of(old).unwrap(), of(new).unwrap());
        old.is_kept_in(&new, &changes)
    }

    #[test]
    fn only_the_url_may_differ() {
        let kinds = [
            (
                Kind::Markdown,
                "| a | [b](URL) |\n|---|---|\n| c | `URL` URL |\n\n[r]: URL 't'\n",
            ),
            (
                Kind::Html,
                "<p class=x>URL <a href=\"URL\">x</a><!-- URL -->",
            ),
            (Kind::Xml, "<a><b c=\"URL\">URL</b><![CDATA[URL]]></a>"),
            (Kind::Json, "{\"a\": [\"URL\", 1], \"b\": \"x\\\"URL\"}"),
            (Kind::Rst, ".. _a: URL\n\n__ URL\n\nx `y <URL>`_\n"),
            (Kind::Asciidoc, "* URL[x]\n"),
            (Kind::Mediawiki, "* [URL x]\n"),
            (Kind::Roff, ".UR URL\nx\n.UE\n"),
        ];
        let (before, after) = ("http://a.example:", "http://a.example");
        for (kind, text) in kinds {
            let old = text.replace("URL", before);
            let new = text.replace("URL", after);
            assert!(is_kept(kind, &old, &old, before, after), "{kind:?}");
            assert!(is_kept(kind, &old, &new, before, after), "{kind:?}");
            assert!(
                !is_kept(kind, &old, &new, "http://b", "http://c"),
                "{kind:?}"
            );
            let less = new.replacen('a', "", 1);
            assert!(!is_kept(kind, &old, &less, before, after), "{kind:?}");
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
            (Kind::Markdown, "a\n", "a <!-- b -->\n", false),
            (Kind::Markdown, "```\na\n```\n", "```\na +\n```\n", false),
            (Kind::Html, "<p>a\nb</p>", "<p>a\n+b</p>", true),
            (Kind::Html, "<p>a\nb</p>", "<p>a\n+\nb</p>", false),
            (Kind::Html, "<p\na='b'>", "<p\n+a='b'>", false),
            (Kind::Html, "<script>\na", "<script>\n+a", false),
            (Kind::Xml, "<p>a\nb</p>", "<p>a\n+b</p>", true),
            (Kind::Xml, "<p>a\nb</p>", "<p>a\n+c</p>", false),
            (Kind::Xml, "<![CDATA[\na]]>", "<![CDATA[\n+a]]>", false),
            (Kind::Plain, "a\n", "a\n", false),
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
            let old = text.replace("URL", before);
            let new = text.replace("URL", after);
            assert!(!is_kept(Kind::Rst, &old, &new, before, after), "{text}");
        }
    }
}
