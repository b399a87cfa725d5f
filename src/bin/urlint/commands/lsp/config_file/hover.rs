//! What a key or a value of a configuration file means.

use gen_lsp_types as lsp;
use urlint::config::{Key, RuleName, Shape};
use urlint::lint::Group;
use urlint::{Rule, Span};

use super::At;
use super::place::Role;
use crate::commands::lsp::capabilities::Client;
use crate::commands::lsp::document::Document;
use crate::commands::{rule, schema};

/// Returns what is known of the key or the value at `position`; `None` if that is neither.
pub(in super::super) fn at(
    position: lsp::Position,
    document: &Document,
    client: &Client,
) -> Option<lsp::Hover> {
    let at = At::of(position, document)?;
    let place = &at.place;
    let written = document.text.as_str().get(place.written.clone())?;
    let is_own = place.path.is_empty() && place.role != Role::Value;
    let value = if is_own {
        about_key(&super::key(written)?)
    } else {
        let (key, shape) = at.value()?;
        match (place.role, &shape) {
            (Role::Value, Shape::Rule) => about_rules(written)?,
            (Role::Key, Shape::Table(names, _)) if **names == Shape::Rule => about_rules(written)?,
            (Role::Value, shape) => {
                let about = schema::about(key.name, written);
                if about.is_empty() || !shape.names().contains(&written) {
                    return None;
                }
                format!("{about}.")
            }
            _ => return None,
        }
    };
    let kind = if client.has_markdown {
        lsp::MarkupKind::Markdown
    } else {
        lsp::MarkupKind::PlainText
    };
    let range = Span::new(place.written.start as u64, place.written.end as u64);
    Some(lsp::Hover {
        contents: lsp::Contents::MarkupContent(lsp::MarkupContent { kind, value }),
        range: Some(document.text.range(range)),
    })
}

fn about_key(key: &Key) -> String {
    let mut text = format!("`{}`: {}", key.name, key.shape.described());
    if let Some(default) = &key.default {
        text.push_str(&format!("; the default is `{default}`"));
    }
    format!("{text}\n\n{}\n", schema::description(key))
}

/// Returns what is known of the rule or group that is called `name`, or of what that stands for.
fn about_rules(name: &str) -> Option<String> {
    RuleName::find(name)?;
    if name == "ALL" {
        return Some("All rules.\n".to_owned());
    }
    if let Some(group) = Group::from_name(name) {
        let rules = Rule::ALL.iter().filter(|rule| rule.group() == group);
        let names: Vec<_> = rules.map(|rule| format!("`{rule}`")).collect();
        return Some(format!("The group `{group}`: {}\n", names.join(", ")));
    }
    let rules = urlint::config::rules(name)?;
    let texts: Vec<_> = rules.into_iter().map(rule::text).collect();
    Some(texts.join("\n"))
}
