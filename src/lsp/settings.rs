//! The settings that an editor sends: keys of `urlint.toml`, as JSON.

use std::path::Path;

use serde_json::Value;
use urlint_config::{Keys, Options, Source};

/// The settings of an editor.
#[derive(Debug, Default)]
pub(super) struct Settings {
    pub(super) options: Options,
    /// Messages about settings that are wrong, and were left out.
    pub(super) wrong: Vec<String>,
}

/// The name under which editors keep the settings of a server.
const SECTION: &str = "urlint";

/// Keys for the editor itself, which it may send along.
const OF_THE_EDITOR: [&str; 3] = ["enable", "path", "trace"];

/// Keys about the input and the output of the command.
const OF_THE_COMMAND: [&str; 2] = ["baseline", "output-format"];

/// Reads settings, which may be in a section; `None` if there are none, as some editors send when they
/// start. Patterns of paths are relative to `folder`. Settings that are wrong are left out.
pub(super) fn read(settings: &Value, folder: &Path) -> Option<Settings> {
    let section = settings.get(SECTION).filter(|section| section.is_object());
    let settings = section.unwrap_or(settings).as_object()?;
    if settings.is_empty() {
        return None;
    }
    let source = Source::new("the editor", folder);
    let mut read = Settings::default();
    let mut keys = Keys::default();
    for (key, value) in settings {
        if value.is_null() || OF_THE_EDITOR.contains(&key.as_str()) {
            continue;
        }
        // A wrong setting does not affect the others.
        let mut with_key = keys.clone();
        let options = set(&mut with_key, key, value)
            .and_then(|()| Options::new(with_key.clone(), &source).map_err(|bad| bad.to_string()));
        match options {
            Ok(options) => (keys, read.options) = (with_key, options),
            Err(wrong) => read.wrong.push(wrong),
        }
    }
    Some(read)
}

/// Sets a key, or fails with a message.
fn set(keys: &mut Keys, key: &str, value: &Value) -> Result<(), String> {
    if OF_THE_COMMAND.contains(&key) {
        return Err(format!("`{key}` is a setting of the command only"));
    }
    let mut value = value.clone();
    if let Value::Array(items) = &mut value {
        items.retain(|item| !item.is_null());
    }
    match keys.set(key, value) {
        Some(set) => set.map_err(|error| format!("`{key}`: {error}")),
        None => Err(Keys::unknown(key)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use serde_json::json;
    use urlint_lint::Rule;
    use urlint_standard::Standard;

    #[test]
    fn valid_settings_are_kept() {
        let folder = Path::new("/folder");
        let settings = json!({
            "standard": "whatwg",
            "select": ["ALL"],
            "ignore": ["bad-port", null],
            "severity": { "syntax": "hint" },
            "rejoin": "nevr",
            "schemelss": true,
            "deep": null,
            "extend": "x.toml",
            "output-format": "json",
            "trace": { "server": "off" },
        });
        for settings in [settings.clone(), json!({ "urlint": settings })] {
            let read = read(&settings, folder);
            assert!(read.is_some());
            let Some(Settings { options, wrong }) = read else {
                return;
            };
            let resolved = options.resolve();
            assert_eq!(resolved.lint().standard, Standard::Whatwg);
            assert!(resolved.lint().selection.least(Rule::BadPort).is_none());
            assert_eq!(
                wrong,
                [
                    "only a file can extend another",
                    "`output-format` is a setting of the command only",
                    "`rejoin`: unknown value `nevr`; did you mean `never`?",
                    "unknown key `schemelss`; did you mean `schemeless`?",
                ]
            );
        }
        for nothing in [json!(null), json!([]), json!({}), json!("x")] {
            assert!(read(&nothing, folder).is_none());
        }
    }
}
