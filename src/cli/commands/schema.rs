//! `urlint schema`: the keys of configuration files as a JSON Schema, for editors and other programs
//! that read TOML.

use std::io::Write;

use serde_json::{Value, json};
use urlint_config as config;
use urlint_core::find::{Hyphen, Rejoin};
use urlint_core::standard::Standard;
use urlint_core::text::named::Named;

use super::help::with_commands;
use crate::error::{Error, Exit};
use urlint_report::terminal::Output;

#[derive(Debug, clap::Args)]
pub(crate) struct Schema {}

impl Schema {
    pub(crate) fn run(&self, output: &mut Output) -> Result<Exit, Error> {
        let written = output.stream.write_all(text().as_bytes());
        written.map_err(Error::Write)?;
        Ok(Exit::Done)
    }
}

/// Returns the schema as a text in JSON.
pub(super) fn text() -> String {
    format!("{:#}\n", schema())
}

fn schema() -> Value {
    let mut schema = config::schema();
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

/// Returns what the values mean, for Taplo, on which editors' extensions for TOML are built.
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
    with_commands(&paragraphs.collect::<Vec<_>>().join("\n\n"))
}
