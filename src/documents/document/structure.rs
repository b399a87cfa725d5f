//! The texts of a document and their markup: everything that a change of a URL or a comment must leave as it is.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memchr_iter;

use super::{Content, Kind, Parts, Scope, json, markdown};
use urlint_standard::text::Span;

/// A text of a document: running text, a target of a link, or a string.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocumentText {
    /// Its sort, such as `target`, which does not depend on its URLs.
    pub shape: Cow<'static, str>,
    /// The text, decoded.
    pub text: Vec<u8>,
}

/// Returns all texts of `source`, a document of `kind`, as they are read, comments and scripts included, without the
/// bytes that come from `edited`, spans in order. The first has no text: its shape is the markup of Markdown, the
/// number of tags, or the names of JSON.
#[must_use]
pub fn structure(kind: Kind, source: &[u8], edited: &[Span]) -> Vec<DocumentText> {
    let markup = match kind.family() {
        Kind::Markdown => markdown::markup(kind, source),
        Kind::Html | Kind::Xml => tags(source).to_string(),
        Kind::Json => json::names(source),
        _ => String::new(),
    };
    let mut texts = vec![DocumentText {
        shape: markup.into(),
        text: Vec::new(),
    }];
    let scope = Scope {
        deep: true,
        unknown_schemes: true,
        mistakes: true,
        resolve: true,
        ..Scope::default()
    };
    for part in Parts::of(source, kind, scope).parts {
        let text = part.view.text();
        let shape: Cow<'static, str> = match &part.content {
            _ if part.in_html => "html".into(),
            Content::Lines => "lines".into(),
            Content::Flow => format!("flow with {}", part.examples.len()).into(),
            Content::Strings(_) => "string".into(),
            Content::Targets(_) => "target".into(),
        };
        let is_kept = |at: &usize| !is_edited(edited, part.view.source_of(*at));
        let mut add = |range: Range<usize>| {
            let text = match edited {
                [] => text[range].to_vec(),
                _ => range.filter(is_kept).map(|at| text[at]).collect(),
            };
            let shape = shape.clone();
            texts.push(DocumentText { shape, text });
        };
        match part.content {
            Content::Lines | Content::Flow => add(0..text.len()),
            Content::Strings(ranges) | Content::Targets(ranges) => ranges.into_iter().for_each(add),
        }
    }
    texts
}

/// Returns whether one of `edited`, spans in order, covers the bytes of `span`.
#[must_use]
pub fn is_edited(edited: &[Span], span: Span) -> bool {
    let next = edited.partition_point(|edit| edit.end <= span.start);
    let covers = |edit: &Span| edit.start <= span.start && span.end <= edit.end;
    !span.is_empty() && edited.get(next).is_some_and(covers)
}

/// Returns how many tags there are at most, comments aside.
fn tags(source: &[u8]) -> usize {
    let is_tag = |at: &usize| source.get(at + 1) != Some(&b'!');
    memchr_iter(b'<', source).filter(is_tag).count()
}
