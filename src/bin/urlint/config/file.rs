//! From the text of a configuration file to keys, or to everything that is wrong with it.

use std::ops::Range;
use std::path::PathBuf;
use std::str::FromStr;

use toml::de::{DeTable, DeValue};
use urlint::find::Schemes;
use urlint::{Hyphen, Kind, Rejoin, Severity, UrlPattern};

use super::globs::Globs;
use super::keys::{IgnoredUrl, Keys, NAMES, Rules};
use super::mistakes::{Mistake, nearest};
use super::values::{Reader, Source, Value, in_order};
use crate::commands::Asked;

/// What a file says.
#[derive(Debug, Default)]
pub(crate) struct File {
    pub(crate) keys: Keys,
    /// The file that it extends, and where it says so.
    pub(crate) extend: Option<(PathBuf, Range<usize>)>,
    pub(crate) mistakes: Vec<Mistake>,
}

/// The severities, by name.
pub(crate) const SEVERITIES: [(&str, Severity); 3] = [
    ("error", Severity::Error),
    ("warning", Severity::Warning),
    ("hint", Severity::Hint),
];

pub(crate) const REJOIN: [(&str, Rejoin); 3] = [
    ("never", Rejoin::Never),
    ("judged", Rejoin::Judged),
    ("likely", Rejoin::Likely),
];

pub(crate) const HYPHEN: [(&str, Hyphen); 2] = [("keep", Hyphen::Keep), ("drop", Hyphen::Drop)];

/// What `rule = "off"` is written as.
pub(crate) const OFF: &str = "off";

/// Reads a file of its own.
pub(crate) fn read(text: &str, source: &Source<'_>) -> File {
    let (table, errors) = DeTable::parse_recoverable(text);
    let mut reader = Reader::new(source);
    reader.syntax(text, &errors);
    // Of what is left of a broken file the rest may be nonsense.
    if errors.is_empty() {
        reader.table(table.get_ref());
    }
    reader.file
}

/// Reads `[tool.urlint]` of a pyproject.toml; `None` if it is not there.
pub(crate) fn read_pyproject(text: &str, source: &Source<'_>) -> Option<File> {
    let (table, errors) = DeTable::parse_recoverable(text);
    let tool = table.get_ref().get("tool")?.get_ref();
    let own = tool.as_table()?.get("urlint")?;
    let mut reader = Reader::new(source);
    reader.syntax(text, &errors);
    if errors.is_empty() {
        match own.get_ref() {
            DeValue::Table(own) => reader.table(own),
            other => reader.mistype(own.span(), "`tool.urlint`", "a table", other),
        }
    }
    Some(reader.file)
}

impl Reader<'_> {
    fn table(&mut self, table: &DeTable<'_>) {
        for (key, value) in in_order(table) {
            self.key(key.get_ref(), key.span(), value);
        }
        let value = std::mem::take(&mut self.rules);
        let Rules {
            select,
            extend_select,
            severity,
            ignore,
        } = &value;
        let is_set = select.is_some()
            || !(extend_select.is_empty() && severity.is_empty() && ignore.is_empty());
        if is_set {
            self.file.keys.rules = vec![self.set(value)];
        }
    }

    fn key(&mut self, key: &str, at: Range<usize>, value: &Value<'_>) {
        match key {
            "select" => self.rules.select = self.rules_of(key, value),
            "extend-select" => {
                self.rules.extend_select = self.rules_of(key, value).unwrap_or_default();
            }
            "ignore" => self.rules.ignore = self.rules_of(key, value).unwrap_or_default(),
            "severity" => self.severity(value),
            "per-file-ignores" => self.per_file_ignores(value),
            "ignore-urls" => self.ignore_urls(value),
            "schemes" => self.schemes(value),
            "exclude" => self.exclude(value),
            "types" => self.types(value),
            "rejoin" => self.file.keys.rejoin = self.one_of(key, value, &REJOIN),
            "hyphen" => self.file.keys.hyphen = self.one_of(key, value, &HYPHEN),
            "schemeless" => self.file.keys.schemeless = self.boolean(key, value),
            "deep" => self.file.keys.deep = self.boolean(key, value),
            "skip-code" => self.file.keys.skip_code = self.boolean(key, value),
            "min-severity" => self.file.keys.min_severity = self.one_of(key, value, &SEVERITIES),
            "output-format" => self.output_format(value),
            "baseline" => {
                let path = self.path(key, value);
                self.file.keys.baseline = path.map(|path| self.set(path));
            }
            "unsafe-fixes" => self.file.keys.unsafe_fixes = self.boolean(key, value),
            "extend" => {
                let path = self.path(key, value);
                self.file.extend = path.map(|path| (path, value.span()));
            }
            _ => self.unknown(at, &format!("key `{key}`"), nearest(key, NAMES.into_iter())),
        }
    }

    fn severity(&mut self, value: &Value<'_>) {
        const LEVELS: [(&str, Option<Severity>); 4] = {
            let [(error, a), (warning, b), (hint, c)] = SEVERITIES;
            [
                (error, Some(a)),
                (warning, Some(b)),
                (hint, Some(c)),
                (OFF, None),
            ]
        };
        for (key, value) in self.entries("severity", value) {
            let named = self.named(key.get_ref(), key.span());
            let level = self.one_of(key.get_ref(), value, &LEVELS);
            if let (Some(named), Some(level)) = (named, level) {
                self.rules.severity.push((named, level.value));
            }
        }
    }

    fn per_file_ignores(&mut self, value: &Value<'_>) {
        for (key, value) in self.entries("per-file-ignores", value) {
            let glob = self.glob(key.get_ref(), key.span(), false);
            let rules = self.rules_of(key.get_ref(), value);
            if let (Some(glob), Some(rules)) = (glob, rules) {
                let entry = self.set((Globs::new(vec![glob], self.source.folder), rules));
                self.file.keys.per_file_ignores.push(entry);
            }
        }
    }

    fn types(&mut self, value: &Value<'_>) {
        let kinds: Vec<_> = Kind::ALL.iter().map(|&kind| (kind.name(), kind)).collect();
        for (key, value) in self.entries("types", value) {
            let glob = self.glob(key.get_ref(), key.span(), false);
            let kind = self.one_of(key.get_ref(), value, &kinds);
            if let (Some(glob), Some(kind)) = (glob, kind) {
                let entry = self.set((Globs::new(vec![glob], self.source.folder), kind.value));
                self.file.keys.types.push(entry);
            }
        }
    }

    fn ignore_urls(&mut self, value: &Value<'_>) {
        let mut patterns = Vec::new();
        for item in self.items("ignore-urls", value) {
            patterns.extend(match item.get_ref() {
                DeValue::String(text) => Some(IgnoredUrl {
                    text: text.to_string(),
                    is_regex: false,
                    pattern: UrlPattern::of_url(text),
                }),
                DeValue::Table(table) => self.regex(item.span(), table),
                other => {
                    self.mistype(
                        item.span(),
                        "a URL",
                        "a string or `{ regex = \"…\" }`",
                        other,
                    );
                    None
                }
            });
        }
        let all: Vec<_> = patterns.iter().map(|url| url.pattern.clone()).collect();
        if let Err(error) = urlint::IgnoredUrls::new(&all) {
            let message = format!("the patterns are too many or too big: {error}");
            self.mistake(Mistake::new(value.span(), message));
        }
        self.file.keys.ignore_urls = Some(self.set(patterns));
    }

    fn regex(&mut self, at: Range<usize>, table: &DeTable<'_>) -> Option<IgnoredUrl> {
        let mut read = None;
        for (key, value) in in_order(table) {
            if key.get_ref() != "regex" {
                let message = format!("there is no key `{}` here", key.get_ref());
                self.mistake(Mistake::new(key.span(), message).label("only `regex`"));
                return None;
            }
            let text = self.string("regex", value)?;
            match UrlPattern::of_regex(&text) {
                Ok(pattern) => {
                    read = Some(IgnoredUrl {
                        text,
                        is_regex: true,
                        pattern,
                    });
                }
                Err(error) => {
                    let mistake = Mistake::new(value.span(), "this is no regular expression");
                    self.mistake(mistake.label(error.to_string()));
                    return None;
                }
            }
        }
        if read.is_none() {
            self.mistake(Mistake::new(at, "there is no `regex` in this table"));
        }
        read
    }

    fn schemes(&mut self, value: &Value<'_>) {
        const MOST: usize = 64;
        let mut schemes = Vec::new();
        for (name, at) in self.strings("schemes", value) {
            let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
            if name.is_empty() || name.len() >= MOST || !name.bytes().all(fits) {
                let message = format!("`{name}` is no scheme");
                let label = "letters, digits, `+`, `-` and `.`, without a colon";
                self.mistake(Mistake::new(at, message).label(label));
            } else {
                schemes.push(name);
            }
        }
        self.file.keys.schemes = Some(self.set(Schemes::new(schemes)));
    }

    fn exclude(&mut self, value: &Value<'_>) {
        let mut globs = Vec::new();
        for (glob, at) in self.strings("exclude", value) {
            globs.extend(self.glob(&glob, at, true));
        }
        self.file.keys.exclude = Some(self.set(Globs::new(globs, self.source.folder)));
    }

    fn output_format(&mut self, value: &Value<'_>) {
        let asked = match value.get_ref() {
            DeValue::String(text) => vec![(text.to_string(), value.span())],
            _ => self.strings("output-format", value),
        };
        let mut formats = Vec::new();
        for (text, at) in asked {
            match Asked::from_str(&text) {
                Ok(format) => formats.push(format.relative_to(self.source.base)),
                Err(error) => {
                    let message = format!("`{text}` is no output format");
                    self.mistake(Mistake::new(at, message).label(error));
                }
            }
        }
        self.file.keys.output_format = Some(self.set(formats));
    }
}

#[cfg(test)]
pub(super) mod tests;
