//! Configuration files in the editor: what is wrong with them, what may be written, and what it means.
//! What counts is the text of the editor, saved or not.

mod completion;
mod hover;
mod place;

use std::path::Path;

use gen_lsp_types as lsp;
use urlint::Span;
use urlint::config::{self, BadConfig, BadFile, Key, Shape};

use super::config::is_config;
use super::document::Document;
use crate::terminal;
use place::{Outline, Place, Step};

pub(super) use completion::at as completion;
pub(super) use hover::at as hover;

/// The longest text that counts as a configuration file, in bytes.
const LONGEST: usize = 1 << 20;

/// Returns the path of `document` if it is a configuration file.
fn path_of(document: &Document) -> Option<&Path> {
    let path = document.path.as_deref().filter(|path| is_config(path))?;
    (document.text.bytes().len() <= LONGEST).then_some(path)
}

/// Returns what is wrong with `document` as a configuration file, and with those that it extends.
pub(super) fn diagnostics(document: &Document) -> Vec<lsp::Diagnostic> {
    let Some(path) = path_of(document) else {
        return Vec::new();
    };
    let folder = path.parent().unwrap_or(path);
    let review = config::review(path, document.text.as_str(), folder);
    let mistakes = review.mistakes.into_iter();
    let mistakes = mistakes.map(|mistake| (mistake.span.clone(), mistake.to_string()));
    let extended = review.extended.into_iter().map(|(span, wrong)| {
        let lines = wrong.to_string();
        let lines: Vec<_> = lines
            .lines()
            .map(|line| terminal::line(line.as_bytes()))
            .collect();
        (span, format!("this file is wrong:\n{}", lines.join("\n")))
    });
    let all = mistakes.chain(extended);
    all.map(|(span, message)| lsp::Diagnostic {
        range: document
            .text
            .range(Span::new(span.start as u64, span.end as u64)),
        severity: Some(lsp::DiagnosticSeverity::Error),
        code: Some(lsp::Code::String("configuration".to_owned())),
        source: Some("urlint".to_owned()),
        message: lsp::Message::String(message),
        ..lsp::Diagnostic::default()
    })
    .collect()
}

/// Returns whether all that is `wrong` is among the diagnostics of open documents.
pub(super) fn shows<'d>(
    documents: impl Iterator<Item = &'d Document> + Clone,
    wrong: &BadConfig,
) -> bool {
    wrong.files().iter().all(|file| match file {
        BadFile::Mistaken {
            name: Some(name), ..
        } => documents
            .clone()
            .any(|document| path_of(document).is_some_and(|path| path.ends_with(name))),
        _ => false,
    })
}

/// Where the cursor is in a configuration file.
struct At {
    place: Place,
    /// The keys and the tables that are there, without what leads to urlint's own.
    keys: Vec<Vec<Step>>,
}

impl At {
    /// Returns nothing outside of configuration files, and where a pyproject.toml is not about urlint.
    fn of(position: lsp::Position, document: &Document) -> Option<At> {
        let path = path_of(document)?;
        let text = document.text.as_str();
        let Outline { place, keys } = place::outline(text, document.text.offset(position));
        let place = place?;
        let is_pyproject = path
            .file_name()
            .is_some_and(|name| name == "pyproject.toml");
        if !is_pyproject {
            return Some(At { place, keys });
        }
        let own = |path: &[Step]| {
            let names = ["tool", "urlint"].map(|name| Step::Key(name.to_owned()));
            path.strip_prefix(&names).map(<[Step]>::to_vec)
        };
        let path = own(&place.path)?;
        Some(At {
            keys: keys.iter().filter_map(|path| own(path)).collect(),
            place: Place { path, ..place },
        })
    }

    /// Returns the key of the configuration that leads here, and what stands here: `None` if that is a
    /// key of the configuration itself.
    fn value(&self) -> Option<(Key, Shape)> {
        let (first, rest) = self.place.path.split_first()?;
        let Step::Key(name) = first else {
            return None;
        };
        let key = key(name)?;
        let mut shape = &key.shape;
        for step in rest {
            shape = match (step, shape) {
                (Step::Item, Shape::Array(item) | Shape::OneOrMore(item)) => item,
                (Step::Key(_), Shape::Table(_, value)) => value,
                _ => return None,
            };
        }
        let shape = shape.clone();
        Some((key, shape))
    }
}

fn key(name: &str) -> Option<Key> {
    config::all_keys().into_iter().find(|key| key.name == name)
}
