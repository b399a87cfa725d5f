//! The JSON Schema of configuration files, and the other files that are made of the same keys.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};
use urlint::config::{Keys, Options, Source};

use crate::support::command::Folder;

const EXTENSION: &str = ".github/editors/vscode/package.json";

fn path_of(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn printed() -> String {
    Folder::new().run(&["schema"], b"").text()
}

fn properties() -> Map<String, Value> {
    let schema: Value = serde_json::from_str(&printed()).unwrap();
    schema["properties"].as_object().unwrap().clone()
}

/// Keys are those that are read, and their defaults are values that are taken.
#[test]
fn its_keys_are_those_of_the_configuration() {
    let properties = properties();
    let mut names = Keys::names().to_vec();
    names.sort_unstable();
    assert_eq!(properties.keys().collect::<Vec<_>>(), names);
    let source = Source::new("here", Path::new("/folder"));
    let mut without = Vec::new();
    for (key, property) in properties {
        let Some(default) = property.get("default") else {
            without.push(key);
            continue;
        };
        // The defaults are the same in JSON.
        let text = format!("{key} = {default}");
        assert!(Options::from_toml(&text, &source).is_ok(), "{text}");
    }
    assert_eq!(without, ["baseline", "extend", "select"]);
}

/// A flag with the name of a key sets that key.
#[test]
fn flags_set_the_keys_of_their_names() {
    let folder = Folder::new();
    for command in ["check", "extract"] {
        let help = folder.run(&[command, "--help"], b"").text();
        let mut flags = 0;
        for (key, property) in properties() {
            let flag = format!("--{key}");
            // `--exclude` excludes more than the key does, and the key has the formats of `check`.
            let is_other = match &*key {
                "exclude" => true,
                "output-format" => command == "extract",
                _ => false,
            };
            if is_other || !help.split_whitespace().any(|word| word == flag) {
                continue;
            }
            flags += 1;
            let value = match (&property["enum"], &property["type"]) {
                (Value::Array(names), _) => names[1].as_str().unwrap(),
                (_, kind) if kind == "boolean" => "",
                // A path, and the lists of rules and formats.
                _ if key == "baseline" => "known.json",
                _ if key == "output-format" => "json",
                _ => "ALL",
            };
            let isolated = [command, "--isolated", "--show-settings", ".", &flag, value];
            let given = isolated.iter().filter(|argument| !argument.is_empty());
            let shown = folder.run(&given.copied().collect::<Vec<_>>(), b"").text();
            let is_of_rules = ["select", "extend-select", "ignore"].contains(&&*key);
            let shown_as = if is_of_rules { "select" } else { &key };
            let start = format!("{shown_as} = ");
            let line = shown.lines().find(|line| line.starts_with(&start));
            let is_set = line.is_some_and(|line| line.ends_with("# the command line"));
            assert!(is_set, "{command} {flag} {value}: {line:?}");
        }
        assert!(flags > 5, "{command}");
    }
}

/// The extension for Visual Studio Code has settings of these names, with their descriptions in the schema.
#[test]
fn the_settings_of_the_extension_are_keys() {
    // It is not in the package.
    let Ok(text) = fs::read_to_string(path_of(EXTENSION)) else {
        return;
    };
    let package: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(package["version"], env!("CARGO_PKG_VERSION"));
    let properties = properties();
    let settings = &package["contributes"]["configuration"]["properties"];
    for (name, setting) in settings.as_object().unwrap() {
        let name = name.strip_prefix("urlint.").unwrap();
        // This is of the editor.
        if name == "path" {
            continue;
        }
        let key = &properties[name];
        assert_eq!(setting["markdownDescription"], key["description"], "{name}");
        assert_eq!(setting.get("enum"), key.get("enum"), "{name}");
        let kind = key.get("type").and_then(Value::as_str);
        assert_eq!(setting["type"], kind.unwrap_or("string"), "{name}");
    }
}
