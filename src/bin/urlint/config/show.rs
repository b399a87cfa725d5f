//! What holds, as a configuration file that says the same, with where each value comes from.

use std::fmt::Write;

use urlint::{Group, Rule, Selection, Selector, Severity};

use super::file::{HYPHEN, REJOIN, SEVERITIES};
use super::keys::{Keys, Set};
use super::settings::{DEFAULT, Settings};
use crate::terminal;

impl Settings {
    /// All settings, rules as `selection` has them.
    pub(crate) fn show(&self, selection: &Selection) -> String {
        let mut shown = Shown::default();
        let keys = &self.keys;
        shown.rules(self, selection);
        let urls = keys.ignore_urls.as_ref().map(|set| {
            let urls = set.value.iter();
            let urls = urls.map(|url| match url.is_regex {
                true => format!("{{ regex = {} }}", quoted(&url.text)),
                false => quoted(&url.text),
            });
            as_set(set, urls.collect())
        });
        shown.list("ignore-urls", urls);
        let schemes = keys.schemes.as_ref();
        let schemes = schemes.map(|set| as_set(set, set.value.iter().map(quoted).collect()));
        shown.list("schemes", schemes);
        let exclude = keys.exclude.as_ref();
        let exclude = exclude.map(|set| as_set(set, set.value.texts.iter().map(quoted).collect()));
        shown.list("exclude", exclude);
        shown.name("rejoin", &keys.rejoin, &REJOIN, "likely");
        shown.name("hyphen", &keys.hyphen, &HYPHEN, "keep");
        for (key, set) in [
            ("schemeless", &keys.schemeless),
            ("deep", &keys.deep),
            ("skip-code", &keys.skip_code),
            ("unsafe-fixes", &keys.unsafe_fixes),
        ] {
            let set = set.as_ref();
            let value = set.map(|set| as_set(set, set.value.to_string()));
            shown.value(key, value, "false");
        }
        shown.name("min-severity", &keys.min_severity, &SEVERITIES, "hint");
        let formats = keys.output_format.as_ref();
        let formats = formats.map(|set| {
            let formats = set.value.iter().map(|format| quoted(format.to_string()));
            as_set(set, formats.collect::<Vec<_>>())
        });
        shown.list("output-format", formats);
        if let Some(set) = &keys.baseline {
            let path = quoted(set.value.to_string_lossy());
            shown.value("baseline", Some(as_set(set, path)), "");
        }
        shown.severity(keys);
        shown.tables(keys);
        shown.text
    }
}

#[derive(Default)]
struct Shown {
    text: String,
}

impl Shown {
    fn line(&mut self, line: &str, origin: &str) {
        let origin = terminal::line(origin.as_bytes());
        // Nothing that is written into memory fails.
        let _ = writeln!(self.text, "{line:<40} # {origin}");
    }

    fn value(&mut self, key: &str, value: Option<Set<String>>, default: &str) {
        match value {
            Some(set) => self.line(&format!("{key} = {}", set.value), &set.origin),
            None => self.line(&format!("{key} = {default}"), DEFAULT),
        }
    }

    fn name<T: Copy + PartialEq>(
        &mut self,
        key: &str,
        set: &Option<Set<T>>,
        names: &[(&str, T)],
        default: &str,
    ) {
        let named = set.as_ref().and_then(|set| {
            let (name, _) = names.iter().find(|(_, value)| *value == set.value)?;
            Some(as_set(set, quoted(name)))
        });
        self.value(key, named, &quoted(default));
    }

    fn list(&mut self, key: &str, list: Option<Set<Vec<String>>>) {
        match list {
            Some(set) if set.value.len() > 1 => {
                self.line(&format!("{key} = ["), &set.origin);
                for item in set.value {
                    let _ = writeln!(self.text, "    {item},");
                }
                self.text.push_str("]\n");
            }
            Some(set) => {
                let list = as_set(&set, format!("[{}]", set.value.concat()));
                self.value(key, Some(list), "");
            }
            None => {
                let default = if key == "output-format" {
                    "[\"full\"]"
                } else {
                    "[]"
                };
                self.value(key, None, default);
            }
        }
    }

    fn rules(&mut self, settings: &Settings, selection: &Selection) {
        if Rule::ALL
            .iter()
            .all(|&rule| selection.least(rule).is_none())
        {
            self.text.push_str("select = []\n");
        } else {
            self.text.push_str("select = [\n");
            self.selected(settings, selection);
            self.text.push_str("]\n");
        }
        for &group in Group::ALL {
            self.ignored(group, settings, selection);
        }
    }

    fn selected(&mut self, settings: &Settings, selection: &Selection) {
        for &rule in Rule::ALL {
            let Some(least) = selection.least(rule) else {
                continue;
            };
            let origin = &settings.decided[rule as usize].origin;
            let note = match least {
                Severity::Hint => String::new(),
                _ if selection.severity(rule, Severity::Hint) >= least => String::new(),
                least => format!(", no less than {least}"),
            };
            self.line(
                &format!("    {},", quoted(rule.name())),
                &format!("{origin}{note}"),
            );
        }
    }

    /// Which rules of `group` do not report since somebody ignores them, or the group if those are
    /// all of it.
    fn ignored(&mut self, group: Group, settings: &Settings, selection: &Selection) {
        let why = |rule: Rule| {
            let decision = &settings.decided[rule as usize];
            match () {
                () if selection.least(rule).is_some() => None,
                () if settings.selection().least(rule).is_some() => Some("per-file-ignores"),
                () => decision.ignored.then_some(&*decision.origin),
            }
        };
        let rules: Vec<_> = Selector::Group(group).rules().collect();
        if let Some(first) = rules.first().and_then(|&rule| why(rule))
            && rules.iter().all(|&rule| why(rule) == Some(first))
        {
            self.line(&format!("# not {group}"), first);
            return;
        }
        for rule in rules {
            if let Some(why) = why(rule) {
                self.line(&format!("# not {rule}"), why);
            }
        }
    }

    fn severity(&mut self, keys: &Keys) {
        let layers = keys.rules.iter();
        let entries: Vec<_> = layers
            .flat_map(|set| set.value.severity.iter().map(|entry| (entry, &set.origin)))
            .collect();
        if entries.is_empty() {
            return;
        }
        self.text.push_str("\n[severity]\n");
        let names = entries.iter().map(|((named, _), _)| named.name.as_str());
        let names: Vec<_> = names.collect();
        for (i, ((named, severity), origin)) in entries.iter().enumerate() {
            // The last layer that names it wins.
            if names[i + 1..].contains(&named.name.as_str()) {
                continue;
            }
            let severity = severity.map_or(super::file::OFF, Severity::name);
            let line = format!("{} = {}", quoted(&named.name), quoted(severity));
            self.line(&line, origin);
        }
    }

    fn tables(&mut self, keys: &Keys) {
        if !keys.types.is_empty() {
            self.text.push_str("\n[types]\n");
        }
        for Set { value, origin } in &keys.types {
            let (globs, kind) = value;
            let line = format!("{} = {}", quoted(globs.texts.concat()), quoted(kind.name()));
            self.line(&line, origin);
        }
        if !keys.per_file_ignores.is_empty() {
            self.text.push_str("\n[per-file-ignores]\n");
        }
        for Set { value, origin } in &keys.per_file_ignores {
            let (globs, rules) = value;
            let rules: Vec<_> = rules.iter().map(|named| quoted(&named.name)).collect();
            let line = format!("{} = [{}]", quoted(globs.texts.concat()), rules.join(", "));
            self.line(&line, origin);
        }
    }
}

fn as_set<T, U>(set: &Set<T>, value: U) -> Set<U> {
    Set {
        value,
        origin: set.origin.clone(),
    }
}

/// A string of TOML.
fn quoted(text: impl AsRef<str>) -> String {
    let mut quoted = String::from("\"");
    for c in text.as_ref().chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\t' => quoted.push_str("\\t"),
            c if terminal::is_harmful(c) => quoted.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
