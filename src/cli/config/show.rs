//! Resolved settings, written as a configuration file with the origin of each value.

use std::fmt::Write;

use serde::Serialize;
use serde_json::Value;
use urlint_config::{Keys, Layer, Resolved, quoted};
use urlint_lint::{Rule, Selection, Severity};

use urlint_report::terminal;

use crate::commands::schema::SCHEMA;

/// The origin of values that are not set anywhere.
const DEFAULT: &str = "default";

/// The keys that select rules.
const RULES: [&str; 3] = ["select", "extend-select", "ignore"];

/// Returns the text of the file for `settings`, with the rules of `selection`.
pub(crate) fn shown(settings: &Resolved, selection: &Selection) -> String {
    let options = settings.options();
    let layers = options.layers();
    let layers: Vec<_> = layers
        .map(|layer| (value_of(&layer.keys), &*layer.origin))
        .collect();
    let mut shown = Shown::default();
    shown.rules(&layers, selection);
    shown.values(&layers);
    shown.table("severity", options.entries(|keys| &keys.severity));
    shown.table("types", options.entries(|keys| &keys.types));
    let ignores = options.entries(|keys| &keys.per_file_ignores);
    shown.table("per-file-ignores", ignores);
    shown.text
}

/// Returns keys or a value of them in JSON. This does not fail.
fn value_of(written: &impl Serialize) -> Value {
    serde_json::to_value(written).unwrap_or_default()
}

#[derive(Default)]
struct Shown {
    text: String,
}

impl Shown {
    fn line(&mut self, line: &str, comment: &str) {
        let comment = terminal::line(comment.as_bytes());
        // Writing to a `String` never fails.
        let _ = writeln!(self.text, "{line:<40} # {comment}");
    }

    /// Shows the rules that are selected, by whichever keys.
    fn rules(&mut self, layers: &[(Value, &str)], selection: &Selection) {
        let layers = layers.iter().filter(|(keys, _)| {
            let mut all = RULES.iter().chain(&["severity"]);
            all.any(|key| !keys[key].is_null())
        });
        let origins: Vec<_> = layers.map(|(_, origin)| *origin).collect();
        if origins.is_empty() {
            self.text.push_str("select = [\n");
        } else {
            self.line("select = [", &origins.join(", "));
        }
        for &rule in Rule::ALL {
            let Some(least) = selection.least(rule) else {
                continue;
            };
            let name = format!("    {},", quoted(rule.name()));
            if selection.severity(rule, Severity::Hint) >= least {
                self.text.push_str(&format!("{name}\n"));
            } else {
                self.line(&name, &format!("only with severity {least} or higher"));
            }
        }
        self.text.push_str("]\n");
    }

    /// Shows the keys that neither select rules nor are tables.
    fn values(&mut self, layers: &[(Value, &str)]) {
        let schema: Value = serde_json::from_str(SCHEMA).unwrap_or_default();
        for key in Keys::names() {
            let default = &schema["properties"][key]["default"];
            if default.is_object() || RULES.contains(key) {
                continue;
            }
            let mut set = layers.iter().map(|(keys, origin)| (&keys[key], *origin));
            let set = set.find(|(value, _)| !value.is_null());
            let (value, origin) = set.unwrap_or((default, DEFAULT));
            match value {
                Value::Null => {}
                Value::Array(items) if items.len() > 1 => {
                    self.line(&format!("{key} = ["), origin);
                    for item in items {
                        let _ = writeln!(self.text, "    {},", toml(item));
                    }
                    self.text.push_str("]\n");
                }
                value => self.line(&format!("{key} = {}", toml(value)), origin),
            }
        }
    }

    fn table<K: Serialize, V: Serialize>(&mut self, name: &str, entries: Vec<(&K, &V, &Layer)>) {
        if !entries.is_empty() {
            let _ = writeln!(self.text, "\n[{name}]");
        }
        for (key, value, layer) in entries {
            let line = format!("{} = {}", toml(&value_of(key)), toml(&value_of(value)));
            self.line(&line, &layer.origin);
        }
    }
}

/// Returns a value as TOML, which has no null: an entry without a value is left out.
fn toml(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(toml).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(table) => {
            let pairs = table.iter().filter(|(_, value)| !value.is_null());
            let pairs = pairs.map(|(key, value)| format!("{} = {}", quoted(key), toml(value)));
            format!("{{ {} }}", pairs.collect::<Vec<_>>().join(", "))
        }
        value => value.to_string(),
    }
}

#[cfg(test)]
pub(super) mod tests {
    #![expect(clippy::panic, reason = "a test may fail")]

    use std::path::Path;
    use std::sync::Arc;

    use urlint_config::{Options, Source};

    use super::*;

    pub(in crate::config) fn source() -> Source<'static> {
        Source::new("urlint.toml", Path::new("/folder"))
    }

    /// Returns an example with every key except `extend`, which is only allowed in a file.
    pub(in crate::config) fn every_key() -> String {
        let all = include_str!("../../config/parse/every-key.toml");
        all.replace("extend = \"base.toml\"\n", "")
    }

    fn settings(text: &str) -> Arc<Resolved> {
        let read = Options::from_toml(text, &source());
        read.unwrap_or_else(|error| panic!("{text}: {error}"))
            .resolve()
    }

    #[test]
    fn settings_survive_a_round_trip() {
        for text in ["", &every_key()] {
            let before = settings(&text.replace("!kept", "!k\\tept\\u001B\\\\"));
            let text = shown(&before, &before.lint().selection);
            let after = settings(&text);
            for &rule in Rule::ALL {
                let (before, after) = (&before.lint().selection, &after.lint().selection);
                assert_eq!(
                    before.least(rule).is_some(),
                    after.least(rule).is_some(),
                    "{rule}"
                );
                let own = rule.severity();
                assert_eq!(
                    before.severity(rule, own),
                    after.severity(rule, own),
                    "{rule}"
                );
            }
            // Except for the origins, and for the selection, which becomes a list.
            let rest = |shown: &str| {
                let from = shown.find("ignore-urls").unwrap_or_default();
                let rest = shown[from..].to_owned();
                rest.replace("# default", "# urlint.toml")
            };
            assert_eq!(rest(&shown(&after, &after.lint().selection)), rest(&text));
        }
    }
}
