//! What may be written in a configuration file: keys, and the names among their values.

use gen_lsp_types as lsp;
use lsp::CompletionItemKind as ItemKind;
use urlint::Span;
use urlint::config::{Shape, all_keys};

use super::At;
use super::place::{Quotes, Role, Step};
use crate::commands::lsp::document::Document;
use crate::commands::schema;

/// Something that may be written.
struct Proposal {
    name: String,
    /// What is written for it outside of quotation marks.
    bare: String,
    detail: String,
    documentation: String,
    kind: ItemKind,
}

impl Proposal {
    fn new(name: &str, detail: impl Into<String>, kind: ItemKind) -> Proposal {
        Proposal {
            name: name.to_owned(),
            bare: name.to_owned(),
            detail: detail.into(),
            documentation: String::new(),
            kind,
        }
    }

    fn quoted(self) -> Proposal {
        Proposal {
            bare: format!("\"{}\"", self.name),
            ..self
        }
    }
}

/// Returns what may be written at `position`; `None` if the document is no configuration file.
pub(in super::super) fn at(
    position: lsp::Position,
    document: &Document,
) -> Option<Vec<lsp::CompletionItem>> {
    let text = document.text.as_str();
    let at = At::of(position, document)?;
    let place = &at.place;
    let range = Span::new(place.written.start as u64, place.written.end as u64);
    let range = document.text.range(range);
    let after = text[place.written.end..].trim_start_matches([' ', '\t', '"', '\'']);
    let is_valued = after.starts_with(['=', '.']);
    let items = proposals(&at, is_valued).into_iter().map(|proposal| {
        let new_text = match place.quotes {
            Quotes::None => proposal.bare,
            Quotes::Closed => proposal.name.clone(),
            Quotes::Open(quote) => format!("{}{quote}", proposal.name),
        };
        let documentation = Some(proposal.documentation).filter(|text| !text.is_empty());
        lsp::CompletionItem {
            // What has been written may be matched with either.
            filter_text: Some(proposal.name.clone()).filter(|name| *name != new_text),
            label: proposal.name,
            kind: Some(proposal.kind),
            detail: Some(proposal.detail).filter(|text| !text.is_empty()),
            documentation: documentation.map(lsp::Documentation::String),
            text_edit: Some(lsp::CompletionItemTextEdit::TextEdit(lsp::TextEdit {
                range,
                new_text,
            })),
            ..lsp::CompletionItem::default()
        }
    });
    Some(items.collect())
}

fn proposals(at: &At, is_valued: bool) -> Vec<Proposal> {
    let place = &at.place;
    match place.role {
        Role::Header if place.path.is_empty() => {
            let tables = keys(at).into_iter();
            tables
                .filter(|proposal| proposal.kind == ItemKind::Module)
                .collect()
        }
        Role::Header => Vec::new(),
        Role::Key if place.path.is_empty() => {
            let mut keys = keys(at);
            if !is_valued {
                keys.iter_mut().for_each(|key| key.bare.push_str(" = "));
            }
            keys
        }
        Role::Key => match at.value() {
            Some((_, Shape::Table(names, _))) => {
                let mut names = names_of(&names, "");
                for name in &mut names {
                    name.bare = if is_valued {
                        name.name.clone()
                    } else {
                        format!("{} = ", name.name)
                    };
                }
                names
            }
            Some((_, Shape::Url)) => {
                let mut regex = Proposal::new("regex", "a regular expression", ItemKind::Property);
                if !is_valued {
                    regex.bare.push_str(" = ");
                }
                vec![regex]
            }
            _ => Vec::new(),
        },
        Role::Value => match at.value() {
            Some((key, Shape::Array(item))) if place.quotes == Quotes::None => {
                let mut items = names_of(&item, key.name);
                for proposal in &mut items {
                    proposal.bare = format!("[{}]", proposal.bare);
                }
                items
            }
            Some((key, Shape::OneOrMore(item))) => names_of(&item, key.name),
            Some((key, shape)) => names_of(&shape, key.name),
            None => Vec::new(),
        },
    }
}

/// Returns the keys of the configuration that are not there.
fn keys(at: &At) -> Vec<Proposal> {
    let is_there = |name: &str| {
        let is_it = |path: &Vec<Step>| matches!(&path[..], [Step::Key(key)] if key == name);
        at.keys.iter().any(is_it)
    };
    let keys = all_keys().into_iter();
    let keys = keys.filter(|key| !is_there(key.name));
    keys.map(|key| {
        let kind = match key.shape {
            Shape::Table(..) => ItemKind::Module,
            _ => ItemKind::Property,
        };
        Proposal {
            documentation: schema::description(&key),
            ..Proposal::new(key.name, key.shape.described().replace('`', ""), kind)
        }
    })
    .collect()
}

/// Returns the names among which a value of the key `key` is chosen.
fn names_of(shape: &Shape, key: &str) -> Vec<Proposal> {
    match shape {
        Shape::Boolean => {
            let values = ["true", "false"].into_iter();
            values
                .map(|value| Proposal::new(value, "", ItemKind::Value))
                .collect()
        }
        Shape::Rule => {
            let names = schema::rule_names().into_iter();
            let names = names.map(|(name, what)| Proposal::new(name, what, ItemKind::EnumMember));
            names.map(Proposal::quoted).collect()
        }
        Shape::Scheme => {
            let names = urlint::url::schemes::names();
            let names = names.map(|name| Proposal::new(name, "", ItemKind::Value));
            names.map(Proposal::quoted).collect()
        }
        _ => {
            let names = shape.names().into_iter();
            let names = names.map(|name| {
                let about = schema::about(key, name);
                Proposal::new(name, about, ItemKind::EnumMember)
            });
            names.map(Proposal::quoted).collect()
        }
    }
}
