//! Resolved settings as a configuration file that says the same, with where each value was set.

use std::fmt::Write;

use urlint::config::{DEFAULT, OFF, Options, Resolved, Set, Toml, quoted};
use urlint::lint::{Group, Selection, Selector};
use urlint::{Rule, Severity};

use crate::terminal;

/// Returns the text of such a file for `settings`, with the rules of `selection`.
pub(crate) fn shown(settings: &Resolved, selection: &Selection) -> String {
    let mut shown = Shown::default();
    shown.rules(settings, selection);
    let options = settings.options();
    options.each(&mut |key, value, origin| {
        shown.option(key, value, origin.unwrap_or(DEFAULT));
    });
    shown.severity(options);
    shown.tables(options);
    shown.text
}

#[derive(Default)]
struct Shown {
    text: String,
}

impl Shown {
    fn line(&mut self, line: &str, origin: &str) {
        let origin = terminal::line(origin.as_bytes());
        // Writing to a `String` never fails.
        let _ = writeln!(self.text, "{line:<40} # {origin}");
    }

    fn option(&mut self, key: &str, value: Toml, origin: &str) {
        match value {
            Toml::Absent => {}
            Toml::Value(value) => self.line(&format!("{key} = {value}"), origin),
            Toml::Array(items) if items.len() > 1 => {
                self.line(&format!("{key} = ["), origin);
                for item in items {
                    let _ = writeln!(self.text, "    {item},");
                }
                self.text.push_str("]\n");
            }
            Toml::Array(items) => self.line(&format!("{key} = [{}]", items.concat()), origin),
        }
    }

    fn rules(&mut self, settings: &Resolved, selection: &Selection) {
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
        for group in Group::ALL {
            self.ignored(*group, settings, selection);
        }
    }

    fn selected(&mut self, settings: &Resolved, selection: &Selection) {
        for &rule in Rule::ALL {
            let Some(least) = selection.least(rule) else {
                continue;
            };
            let origin = &settings.decision(rule).origin;
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

    /// Lists the rules of `group` that are ignored, or the group if that is all of them for the
    /// same reason.
    fn ignored(&mut self, group: Group, settings: &Resolved, selection: &Selection) {
        let reason = |rule: Rule| {
            let decision = settings.decision(rule);
            if selection.least(rule).is_some() {
                None
            } else if settings.selection().least(rule).is_some() {
                Some("per-file-ignores")
            } else {
                decision.ignored.then_some(&*decision.origin)
            }
        };
        let rules: Vec<_> = Selector::Group(group).rules().collect();
        if let Some(first) = rules.first().and_then(|&rule| reason(rule))
            && rules.iter().all(|&rule| reason(rule) == Some(first))
        {
            self.line(&format!("# not {group}"), first);
            return;
        }
        for rule in rules {
            if let Some(reason) = reason(rule) {
                self.line(&format!("# not {rule}"), reason);
            }
        }
    }

    fn severity(&mut self, options: &Options) {
        let layers = options.rules.iter();
        let entries: Vec<_> = layers
            .flat_map(|set| set.value.severity.iter().map(|entry| (entry, &set.origin)))
            .collect();
        if entries.is_empty() {
            return;
        }
        self.text.push_str("\n[severity]\n");
        let names = entries.iter().map(|((rule, _), _)| rule.name.as_str());
        let names: Vec<_> = names.collect();
        for (i, ((rule, severity), origin)) in entries.iter().enumerate() {
            // The last layer that names it wins.
            if names[i + 1..].contains(&rule.name.as_str()) {
                continue;
            }
            let severity = severity.map_or(OFF, Severity::name);
            let line = format!("{} = {}", quoted(&rule.name), quoted(severity));
            self.line(&line, origin);
        }
    }

    fn tables(&mut self, options: &Options) {
        if !options.types.is_empty() {
            self.text.push_str("\n[types]\n");
        }
        for Set { value, origin, .. } in &options.types {
            let (globs, kind) = value;
            let line = format!(
                "{} = {}",
                quoted(globs.texts().concat()),
                quoted(kind.name())
            );
            self.line(&line, origin);
        }
        if !options.per_file_ignores.is_empty() {
            self.text.push_str("\n[per-file-ignores]\n");
        }
        for Set { value, origin, .. } in &options.per_file_ignores {
            let (globs, rules) = value;
            let rules: Vec<_> = rules.iter().map(|rule| quoted(&rule.name)).collect();
            let line = format!(
                "{} = [{}]",
                quoted(globs.texts().concat()),
                rules.join(", ")
            );
            self.line(&line, origin);
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    #![expect(clippy::panic, reason = "a test may fail")]

    use std::path::Path;
    use std::sync::Arc;

    use urlint::config::Source;

    use super::*;

    pub(in crate::config) fn source() -> Source<'static> {
        Source::new("urlint.toml", Path::new("/folder"))
    }

    /// Something of every key but `extend`, which only a file may have.
    pub(in crate::config) fn every_key() -> String {
        let all = include_str!("../../../config/file/every-key.toml");
        all.replace("extend = \"base.toml\"\n", "")
    }

    fn settings(text: &str) -> Arc<Resolved> {
        let read = Options::from_toml(text, &source());
        read.unwrap_or_else(|error| panic!("{text}: {error}"))
            .resolve()
    }

    #[test]
    fn what_is_shown_says_the_same() {
        for text in ["", &every_key()] {
            let before = settings(&text.replace("!kept", "!k\\tept\\u001B\\\\"));
            let text = shown(&before, before.selection());
            let after = settings(&text);
            for &rule in Rule::ALL {
                let (before, after) = (before.selection(), after.selection());
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
            // The origins, all the same here, and the selection, which becomes a list, apart.
            let rest = |shown: &str| {
                let from = shown.find("ignore-urls").unwrap_or_default();
                let rest = shown[from..].to_owned();
                rest.replace("# default", "# urlint.toml")
            };
            assert_eq!(rest(&shown(&after, after.selection())), rest(&text));
        }
    }
}
