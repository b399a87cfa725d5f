//! `urlint schema`: the keys of configuration files as a JSON Schema, for editors and other programs
//! that read TOML.

use std::io::Write;

use crate::error::{Error, Exit};
use urlint_report::terminal::Output;

/// The schema, in JSON. A test makes it of the keys, so that the command needs no generator.
pub(crate) const SCHEMA: &str = include_str!("../urlint.schema.json");

#[derive(Debug, clap::Args)]
pub(crate) struct Schema {}

impl Schema {
    pub(crate) fn run(&self, output: &mut Output) -> Result<Exit, Error> {
        let written = output.stream.write_all(SCHEMA.as_bytes());
        written.map_err(Error::Write)?;
        Ok(Exit::Done)
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, io};

    use serde_json::{Value, json};
    use urlint_core::find::{Hyphen, Rejoin};
    use urlint_core::standard::Standard;
    use urlint_core::text::named::Named;

    use super::SCHEMA;
    use crate::commands::help::with_commands;

    fn schema() -> Value {
        let mut schema = urlint_config::schema();
        // The schema has examples of URLs that rules report, and may be in a folder that is checked.
        schema["$comment"] = json!("urlint: file-ignore[ALL]");
        schema["title"] = json!("Configuration of urlint");
        schema["description"] =
            json!("Keys of urlint.toml; `urlint help configuration` has examples.");
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
        with_commands(&paragraphs.collect::<Vec<_>>().join("\n\n"))
    }

    #[test]
    fn it_is_that_of_the_keys() -> io::Result<()> {
        let expected = format!("{:#}\n", schema());
        if std::env::var("SNAPSHOTS").is_ok_and(|value| value == "overwrite") {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/urlint.schema.json");
            fs::write(path, &expected)?;
        } else {
            assert!(
                SCHEMA == expected,
                "SNAPSHOTS=overwrite cargo test -p urlint-cli schema brings src/cli/urlint.schema.json up to date"
            );
        }
        Ok(())
    }
}
