//! What a document is made of but for its text, to see that a fix leaves it as it was.

use pulldown_cmark::{Event, Options, Parser, Tag};

use super::changes::Changes;
use crate::document::{Kind, is_simple_border};
use crate::text::lines;

/// One thing that a document is made of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Item {
    /// What it is; a fix leaves it the same.
    shape: String,
    /// The text in it, in which a URL may have been changed.
    text: Vec<u8>,
}

/// What a document is made of, in the order of the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Structure(Vec<Item>);

impl Structure {
    /// What `source`, a document of `kind`, is made of; `None` if there is no parser for it, or it is
    /// not in UTF-8.
    pub(super) fn of(kind: Kind, source: &[u8]) -> Option<Structure> {
        let text = std::str::from_utf8(source).ok()?;
        let items = match kind {
            Kind::Markdown => markdown(text),
            Kind::Html => html(text),
            Kind::Xml => xml(text),
            Kind::Json => json(source),
            Kind::Rst | Kind::Asciidoc | Kind::Roff => by_line(source, kind == Kind::Rst),
            _ => return None,
        };
        Some(Structure(items))
    }

    /// Returns whether `now` is the same, but for `changes` of URLs in its texts.
    pub(super) fn is_kept_in(&self, now: &Structure, changes: &Changes<'_>) -> bool {
        self.0.len() == now.0.len()
            && self.0.iter().zip(&now.0).all(|(old, new)| {
                old.shape == new.shape
                    && (old.text == new.text || changes.explain(&old.text, &new.text))
            })
    }
}

/// Adds text, to the last item if that is text of the same shape.
fn push_text(items: &mut Vec<Item>, shape: &str, text: &str) {
    match items.last_mut() {
        Some(last) if last.shape == shape => last.text.extend_from_slice(text.as_bytes()),
        _ => push(items, shape, text),
    }
}

fn push(items: &mut Vec<Item>, shape: impl Into<String>, text: &str) {
    items.push(Item {
        shape: shape.into(),
        text: text.as_bytes().to_vec(),
    });
}

/// The events of a Markdown parser, and the definitions of references, of which it keeps silent.
fn markdown(source: &str) -> Vec<Item> {
    let options = Options::all() - Options::ENABLE_SMART_PUNCTUATION;
    let parser = Parser::new_ext(source, options);
    let mut items = Vec::new();
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
            Event::Text(text) => push_text(&mut items, "text", &text),
            Event::Html(text) => push_text(&mut items, "html", &text),
            Event::InlineHtml(text) => push(&mut items, "inline html", &text),
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
    use html5gum::{Token, Tokenizer};

    let mut items = Vec::new();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    for token in Tokenizer::new(source).flatten() {
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
            Token::String(string) => push_text(&mut items, "text", &text(&string.value)),
            Token::Comment(comment) => push(&mut items, "comment", &text(&comment.value)),
            other => push(&mut items, format!("{other:?}"), ""),
        }
    }
    items
}

/// The events of an XML reader, up to the first mistake.
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
            Ok(Event::Text(text)) => push_text(&mut items, "text", &text),
            Ok(Event::GeneralRef(name)) => {
                push_text(&mut items, "text", &decoded(&format!("&{};", &*name)));
            }
            Ok(Event::CData(text)) => push(&mut items, "cdata", &text),
            Ok(Event::Comment(text)) => push(&mut items, "comment", &text),
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

/// The strings of JSON, as they are written, and what is between them.
fn json(source: &[u8]) -> Vec<Item> {
    let mut items = Vec::new();
    let mut rest = source;
    loop {
        let quote = memchr::memchr(b'"', rest).unwrap_or(rest.len());
        let (between, string) = rest.split_at(quote);
        push(&mut items, String::from_utf8_lossy(between), "");
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
        // Programs look values up by their names.
        if rest.trim_ascii_start().starts_with(b":") {
            push(&mut items, format!("name {text}"), "");
        } else {
            push(&mut items, "string", &text);
        }
    }
}

/// Each line: the marks that it begins with, and in a table or over an underline how long it is, for
/// there columns have to be under one another.
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
            shape: format!("{length} {}", String::from_utf8_lossy(marks)),
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
