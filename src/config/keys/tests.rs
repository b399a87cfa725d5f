//! The JSON Schema of configuration files, which the command prints: it is made of the keys here, and
//! compared with the file that the command has.

use std::borrow::Cow;
use std::{fs, io};

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::{Value, json};

use urlint_find::{Hyphen, Rejoin};
use urlint_lint::{Group, Rule};
use urlint_manual::PAGES;
use urlint_standard::standard::Standard;
use urlint_standard::text::named::Named;

use crate::format::{OutputFormat, Outputs};
use crate::names::RuleName;
use crate::values::{Entries, Exclusion, Glob, Name, Scheme, UrlRuleName};

use super::{Keys, Setting};

/// Returns the schema of a configuration file. Editors for TOML know draft 7.
fn of_keys() -> Value {
    let generator = SchemaSettings::draft07().into_generator();
    let mut schema = generator.into_root_schema_for::<Keys>();
    // No key has to be set.
    schema.remove("required");
    let mut schema = schema.to_value();
    // The manual and editors call the many kinds by one word.
    schema["properties"]["types"]["additionalProperties"]["title"] = "kind".into();
    for property in schema["properties"].as_object_mut().into_iter().flatten() {
        // A key without a default is an `Option`, but TOML has no null.
        if let Some(kinds) = property.1["type"].as_array() {
            property.1["type"] = kinds[0].clone();
        }
    }
    schema
}

fn names<T: Named>() -> Vec<&'static str> {
    T::ALL.iter().map(|value| value.name()).collect()
}

/// Gives types a schema that stands wherever they are used.
macro_rules! schemas {
    ($([$($generics:tt)*] $type:ty = |$generator:tt| $schema:expr;)+) => {
        $(impl<$($generics)*> JsonSchema for $type {
            fn schema_name() -> Cow<'static, str> {
                stringify!($type).into()
            }

            fn inline_schema() -> bool {
                true
            }

            fn json_schema($generator: &mut SchemaGenerator) -> Schema {
                $schema
            }
        })+
    };
}

schemas! {
    [T: Named] Name<T> = |_| json_schema!({ "enum": names::<T>() });
    [] Exclusion = |_| json_schema!({ "title": "pattern", "type": "string", "minLength": 1 });
    [] Glob = |_| json_schema!({ "title": "pattern", "type": "string", "pattern": "^[^!]" });
    [] Scheme = |_| json_schema!({
        "title": "scheme",
        "type": "string",
        "pattern": "^[A-Za-z0-9+.-]{1,63}$",
    });
    [] UrlRuleName = |_| json_schema!({ "type": "string", "pattern": "^[A-Za-z0-9_-]{1,63}$" });
    [] Outputs = |_| {
        let names = names::<OutputFormat>();
        let format = json_schema!({ "title": "format, with `=FILE` or without", "anyOf": [
            { "enum": names },
            { "type": "string", "pattern": format!("^({})=.", names.join("|")) },
        ] });
        json_schema!({ "anyOf": [{ "type": "array", "items": format }, format] })
    };
    [K: JsonSchema, V: JsonSchema] Entries<K, V> = |generator| json_schema!({
        "type": "object",
        "propertyNames": generator.subschema_for::<K>(),
        "additionalProperties": generator.subschema_for::<V>(),
    });
    [T: JsonSchema + Serialize + Default] Setting<T> = |generator| {
        let mut schema = generator.subschema_for::<T>();
        if let Ok(default) = serde_json::to_value(T::default()) {
            schema.insert("default".to_owned(), default);
        }
        schema
    };
}

impl JsonSchema for RuleName {
    fn schema_name() -> Cow<'static, str> {
        "rule".into()
    }

    /// Editors propose the names, each with its text in `x-taplo`.
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let groups = Group::ALL.iter();
        let groups = groups.map(|group| (group.name(), format!("all rules of the group {group}")));
        let rules = Rule::ALL.iter();
        let rules = rules.map(|rule| (rule.name(), rule.summary().to_owned()));
        let all = ("ALL", "all rules".to_owned());
        let (names, docs): (Vec<_>, Vec<_>) = groups.chain([all]).chain(rules).unzip();
        json_schema!({
            "title": "rule, group or `\"ALL\"`",
            "enum": names, "x-taplo": { "docs": { "enumValues": docs } },
        })
    }
}

fn schema() -> Value {
    let mut schema = of_keys();
    // The schema has examples of URLs that rules report, and may be in a folder that is checked.
    schema["$comment"] = json!("urlint: file-ignore[ALL]");
    schema["title"] = json!("Configuration of urlint");
    schema["description"] = json!("Keys of urlint.toml; `urlint help configuration` has examples.");
    for property in schema["properties"].as_object_mut().into_iter().flatten() {
        let (key, property) = property;
        let description = property["description"].as_str().unwrap_or_default();
        property["description"] = description_of(description).into();
        let docs = match key.as_str() {
            "standard" => docs::<Standard>(),
            "rejoin" => docs::<Rejoin>(),
            "hyphen" => docs::<Hyphen>(),
            _ => continue,
        };
        property["x-taplo"] = json!({ "docs": { "enumValues": docs } });
    }
    schema
}

/// Returns the meanings of the values, for Taplo, on which editors' extensions for TOML are built.
fn docs<T: Named>() -> Vec<&'static str> {
    T::ALL.iter().map(|value| value.meaning()).collect()
}

/// Returns the comment on a key without line breaks in its paragraphs, in which a reference to a page
/// names the command that prints it.
fn description_of(comment: &str) -> String {
    let mut text = String::new();
    for (index, part) in comment.split("](urlint_").enumerate() {
        match part.split_once(')') {
            Some((_, rest)) if index > 0 => text.push_str(&format!("]{rest}")),
            _ => text.push_str(part),
        }
    }
    let paragraphs = text.split("\n\n").map(|text| text.replace('\n', " "));
    let text = paragraphs.collect::<Vec<_>>().join("\n\n");
    PAGES.iter().fold(text, |text, page| {
        let command = format!("`urlint help {}`", page.name);
        text.replace(&format!("[{}]", page.name), &command)
    })
}

#[test]
fn the_schema_is_that_of_the_keys() -> io::Result<()> {
    let expected = format!("{:#}\n", schema());
    if std::env::var("SNAPSHOTS").is_ok_and(|value| value == "overwrite") {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../cli/urlint.schema.json");
        fs::write(path, &expected)?;
    } else {
        assert!(
            include_str!("../../cli/urlint.schema.json") == expected,
            "SNAPSHOTS=overwrite cargo test -p urlint-config schema brings src/cli/urlint.schema.json up to date"
        );
    }
    Ok(())
}
