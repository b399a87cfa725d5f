//! `urlint schema`: the keys of configuration files as a JSON Schema, for editors and other programs
//! that read TOML.

use std::io::Write;

use serde_json::{Map, Value, json};
use urlint::Rule;
use urlint::config::{Key, Shape, all_keys};
use urlint::find::{Hyphen, Rejoin};
use urlint::lint::Group;
use urlint::standard::Standard;

use super::help::with_commands;
use crate::config::Explained;
use crate::error::{Error, Exit};
use crate::terminal::Output;

#[derive(Debug, clap::Args)]
pub(crate) struct Schema {}

impl Schema {
    pub(crate) fn run(&self, output: &mut Output) -> Result<Exit, Error> {
        let text = format!("{:#}\n", schema());
        let written = output.stream.write_all(text.as_bytes());
        written.map_err(Error::Write)?;
        Ok(Exit::Done)
    }
}

/// Returns the schema. Editors for TOML know draft 7.
fn schema() -> Value {
    let properties = all_keys().into_iter().map(|key| {
        let mut property = of_shape(&key.shape, &key);
        property.insert("description".to_owned(), description(&key).into());
        let default = key.default.as_deref();
        // The defaults are the same in JSON.
        let default = default.and_then(|default| serde_json::from_str(default).ok());
        if let Some(default) = default {
            property.insert("default".to_owned(), default);
        }
        (key.name.to_owned(), Value::Object(property))
    });
    let properties: Map<_, _> = properties.collect();
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Configuration of urlint",
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
        "definitions": { "rule": rule() },
    })
}

/// Returns what is said of a key: sentences in Markdown.
pub(super) fn description(key: &Key) -> String {
    let mut text = sentence(&with_commands(key.meaning));
    if !key.more.is_empty() {
        text.push(' ');
        text.push_str(&sentence(key.more));
    }
    text
}

/// Returns `text` with a capital letter at its beginning and a full stop at its end.
fn sentence(text: &str) -> String {
    let mut rest = text.chars();
    let first = rest.next().into_iter().flat_map(char::to_uppercase);
    let stop = if text.ends_with('.') { "" } else { "." };
    format!("{}{}{stop}", first.collect::<String>(), rest.as_str())
}

fn of_shape(shape: &Shape, key: &Key) -> Map<String, Value> {
    let value = match shape {
        Shape::Boolean => json!({ "type": "boolean" }),
        Shape::Choice(names) => {
            let docs = names.iter().map(|name| about(key.name, name));
            with_docs(names, docs.collect())
        }
        Shape::Kind => json!({ "enum": shape.names() }),
        Shape::Rule => json!({ "$ref": "#/definitions/rule" }),
        Shape::Path => json!({ "type": "string", "minLength": 1 }),
        Shape::Pattern(true) => json!({ "type": "string", "minLength": 1 }),
        Shape::Pattern(false) => json!({ "type": "string", "pattern": "^[^!]" }),
        Shape::Scheme => json!({ "type": "string", "pattern": "^[A-Za-z0-9+.-]{1,63}$" }),
        Shape::Url => json!({ "anyOf": [
            { "type": "string" },
            {
                "type": "object",
                "properties": { "regex": { "type": "string", "description": "A regular expression." } },
                "required": ["regex"],
                "additionalProperties": false,
            },
        ] }),
        Shape::Format => {
            let names = shape.names();
            let pattern = format!("^({})=.", names.join("|"));
            json!({ "anyOf": [
                { "enum": names },
                { "type": "string", "pattern": pattern },
            ] })
        }
        Shape::Array(item) => json!({ "type": "array", "items": of_shape(item, key) }),
        Shape::OneOrMore(item) => json!({ "anyOf": [
            { "type": "array", "items": of_shape(item, key) },
            of_shape(item, key),
        ] }),
        Shape::Table(names, value) => json!({
            "type": "object",
            "propertyNames": of_shape(names, key),
            "additionalProperties": of_shape(value, key),
        }),
        // The shapes are all here; another would allow anything.
        _ => json!({}),
    };
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

/// Returns the names of rules and groups, and the further names of rules, which are not proposed.
fn rule() -> Value {
    let (names, docs): (Vec<_>, Vec<_>) = rule_names().into_iter().unzip();
    json!({ "anyOf": [
        with_docs(&names, docs),
        { "type": "string", "pattern": format!("^({})$", further_names().join("|")) },
    ] })
}

fn further_names() -> Vec<&'static str> {
    Rule::further_names().collect()
}

/// Returns each name of a rule or group that may be configured, and what it stands for.
pub(super) fn rule_names() -> Vec<(&'static str, String)> {
    let rules = Rule::ALL.iter();
    let rules = rules.map(|rule| (rule.name(), rule.summary().to_owned()));
    let groups = Group::ALL.iter();
    let groups = groups.map(|group| (group.name(), format!("all rules of the group {group}")));
    let all = ("ALL", "all rules".to_owned());
    groups.chain([all]).chain(rules).collect()
}

/// Returns what is known of a value of the option `key`; may be empty.
pub(super) fn about(key: &str, value: &str) -> String {
    let help = match key {
        "standard" => Standard::from_name(value).map(Explained::help),
        "rejoin" => Rejoin::from_name(value).map(Explained::help),
        "hyphen" => Hyphen::from_name(value).map(Explained::help),
        _ => None,
    };
    help.unwrap_or_default().to_owned()
}

/// Returns a schema for one of `names`. What they mean is told to Taplo, which the editors' extensions
/// for TOML are made with.
fn with_docs(names: &[&str], docs: Vec<String>) -> Value {
    let mut schema = json!({ "enum": names });
    if docs.iter().any(|text| !text.is_empty()) {
        schema["x-taplo"] = json!({ "docs": { "enumValues": docs } });
    }
    schema
}
