//! The structure of a document without suppression comments, to compare it before and after some
//! were added.

use std::path::Path;

use html5gum::{Token, Tokenizer};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use urlint::document::Kind;

use super::places::Places;

/// What a suppression comment says first.
const COMMENT: &str = "urlint: ";

/// Returns the structure of a document without its suppression comments, as a list that is the same
/// for two documents that differ in nothing else. `None` if it cannot be told.
pub(super) fn of(kind: Kind, path: &Path, text: &[u8]) -> Option<Vec<String>> {
    match kind {
        Kind::Markdown => Some(of_markdown(std::str::from_utf8(text).ok()?)),
        Kind::Html => Some(of_html(&String::from_utf8_lossy(text))),
        Kind::Xml => Some(of_xml(text)),
        _ => of_lines(kind, path, text),
    }
}

/// Parses Markdown as the usual tools do.
pub(super) fn markdown(text: &str) -> Parser<'_> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
        | Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS;
    Parser::new_ext(text, options)
}

fn of_markdown(text: &str) -> Vec<String> {
    let mut structure = Vec::new();
    let mut run = String::new();
    let end_run = |structure: &mut Vec<String>, run: &mut String, is_trimmed: bool| {
        let text = if is_trimmed {
            run.trim_end()
        } else {
            run.as_str()
        };
        if !text.is_empty() {
            structure.push(format!("text {text}"));
        }
        run.clear();
    };
    let parser = markdown(text);
    let definitions = parser.reference_definitions().iter();
    let mut definitions: Vec<_> = definitions
        .map(|(name, definition)| {
            let title = definition.title.as_deref().unwrap_or_default();
            format!("{name} {} {title}", definition.dest)
        })
        .collect();
    definitions.sort();
    for event in parser {
        match event {
            Event::Text(text) => run.push_str(&text),
            Event::Html(html) | Event::InlineHtml(html) if is_comment(&html) => {}
            Event::Start(Tag::HtmlBlock) | Event::End(TagEnd::HtmlBlock) => {}
            event => {
                let is_trimmed = matches!(
                    event,
                    Event::SoftBreak | Event::HardBreak | Event::End(_) | Event::Start(_)
                );
                end_run(&mut structure, &mut run, is_trimmed);
                structure.push(format!("{event:?}"));
            }
        }
    }
    end_run(&mut structure, &mut run, true);
    structure.extend(definitions);
    structure
}

fn is_comment(html: &str) -> bool {
    let content = html.trim().strip_prefix("<!--");
    content.is_some_and(|content| content.trim_start().starts_with(COMMENT))
}

fn of_html(text: &str) -> Vec<String> {
    let mut structure = Vec::new();
    // The elements in which white space counts.
    let mut exact = 0_usize;
    let mut run = String::new();
    let end_run = |structure: &mut Vec<String>, run: &mut String, exact: usize| {
        if exact > 0 {
            structure.push(std::mem::take(run));
            return;
        }
        let words: Vec<_> = run.split_ascii_whitespace().collect();
        let ends = [
            run.starts_with(char::is_whitespace),
            run.ends_with(char::is_whitespace),
        ];
        if !words.is_empty() {
            structure.push(format!("{:?} {}", ends, words.join(" ")));
        }
        run.clear();
    };
    for Ok(token) in Tokenizer::new(text) {
        match token {
            Token::String(text) => run.push_str(&String::from_utf8_lossy(&text)),
            Token::Comment(text) if text.trim_ascii_start().starts_with(COMMENT.as_bytes()) => {}
            Token::Error(_) => {}
            token => {
                end_run(&mut structure, &mut run, exact);
                match &token {
                    Token::StartTag(tag) if &**tag.name == b"pre" => exact += 1,
                    Token::EndTag(tag) if &**tag.name == b"pre" => exact = exact.saturating_sub(1),
                    _ => {}
                }
                structure.push(format!("{token:?}"));
            }
        }
    }
    end_run(&mut structure, &mut run, exact);
    structure
}

fn of_xml(text: &[u8]) -> Vec<String> {
    use quick_xml::events::Event;

    let mut reader = quick_xml::Reader::from_reader(text);
    let mut structure = Vec::new();
    let mut run = String::new();
    loop {
        let event = reader.read_event();
        match event {
            Ok(Event::Text(text)) => run.push_str(&text),
            Ok(Event::Comment(text)) if text.trim_start().starts_with(COMMENT) => {}
            Ok(Event::Eof) => break,
            event => {
                structure.push(std::mem::take(&mut run));
                structure.push(format!("{event:?}"));
                if event.is_err() {
                    break;
                }
            }
        }
    }
    structure.push(run);
    structure
}

/// Lines, with whether comments may come before them: a comment that opened or closed something would
/// change that.
fn of_lines(kind: Kind, path: &Path, text: &[u8]) -> Option<Vec<String>> {
    let places = Places::of(kind, path, text)?;
    let is_block = kind == Kind::Rst;
    let mut structure = Vec::new();
    for (index, &start) in places.starts.iter().enumerate() {
        let end = places.starts.get(index + 1).copied().unwrap_or(text.len());
        let line = String::from_utf8_lossy(&text[start..end]);
        let (sign, _) = places.delimiters;
        let content = line.trim_start().strip_prefix(sign);
        let is_comment = content.is_some_and(|content| content.trim_start().starts_with(COMMENT));
        if is_comment || is_block && line.trim().is_empty() {
            continue;
        }
        let is_safe = !is_block && places.is_safe(index);
        structure.push(format!("{is_safe} {}", line.trim_end()));
    }
    Some(structure)
}
