//! The settings that an editor sends: keys of `urlint.toml`, as JSON.

use std::path::Path;

use serde_json::Value;
use urlint_config::{Options, Source, quoted};

use urlint_report::toml;

/// The settings of an editor.
#[derive(Debug)]
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
    let source = Source::new("the editor", folder).with_extend_hint("name the files in its folder");
    let mut text = String::new();
    let mut wrong = Vec::new();
    for (key, value) in settings {
        if value.is_null() || OF_THE_EDITOR.contains(&key.as_str()) {
            continue;
        }
        if OF_THE_COMMAND.contains(&key.as_str()) {
            wrong.push(format!("`{key}` is a setting of the command only"));
            continue;
        }
        // One by one, so that a wrong setting does not affect the others.
        let line = format!("{} = {}\n", quoted(key), toml(value));
        match Options::from_toml(&line, &source) {
            Ok(_) => text.push_str(&line),
            Err(bad) => wrong.push(bad.to_string()),
        }
    }
    // All together, since several keys decide which rules report.
    let options = Options::from_toml(&text, &source).unwrap_or_else(|bad| {
        wrong.push(bad.to_string());
        Options::default()
    });
    Some(Settings { options, wrong })
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
                    "only a file can extend another; name the files in its folder",
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
