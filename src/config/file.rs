//! From the text of a configuration file to its options, or to everything that is wrong with it.

use std::ops::Range;
use std::path::PathBuf;

use toml::de::{DeTable, DeValue};

use crate::lint::rule::Severity;

use super::globs::Globs;
use super::mistakes::Mistake;
use super::names::nearest;
use super::options::{Options, keys};
use super::source::Source;
use super::values::{OptionReader, Setting, Value, choices, in_order};

/// What a configuration file says.
#[derive(Debug, Default)]
pub(super) struct File {
    pub(super) options: Options,
    /// The file that it extends, and where it says so.
    pub(super) extend: Option<(PathBuf, Range<usize>)>,
    pub(super) mistakes: Vec<Mistake>,
    /// Whether it is TOML and has nothing but keys of urlint's, misspelled perhaps.
    pub(super) is_own: bool,
}

/// The value of `severity` that turns a rule off.
pub const OFF: &str = "off";

/// Reads a file of urlint's own.
pub(super) fn read(text: &str, source: &Source<'_>) -> File {
    let (table, errors) = DeTable::parse_recoverable(text);
    let mut reader = OptionReader::new(source);
    reader.syntax(text, &errors);
    // What was recovered from a broken file may be nonsense.
    if errors.is_empty() {
        reader.table(table.get_ref());
    }
    reader.file
}

/// Reads `[tool.urlint]` of a pyproject.toml; returns `None` if there is no such table.
pub(super) fn read_pyproject(text: &str, source: &Source<'_>) -> Option<File> {
    let (table, errors) = DeTable::parse_recoverable(text);
    let tool = table.get_ref().get("tool")?.get_ref();
    let own = tool.as_table()?.get("urlint")?;
    let mut reader = OptionReader::new(source);
    reader.syntax(text, &errors);
    if errors.is_empty() {
        match own.get_ref() {
            DeValue::Table(own) => reader.table(own),
            other => reader.mistype(own.span(), "`tool.urlint`", "a table", other),
        }
    }
    Some(reader.file)
}

impl OptionReader<'_> {
    fn table(&mut self, table: &DeTable<'_>) {
        self.file.is_own = true;
        for (key, value) in in_order(table) {
            self.key(key.get_ref(), key.span(), value);
        }
        let rules = std::mem::take(&mut self.rules);
        if !rules.is_empty() {
            self.file.options.rules = vec![self.set(rules)];
        }
    }

    fn key(&mut self, key: &str, at: Range<usize>, value: &Value<'_>) {
        match key {
            "select" => self.rules.select = self.rule_names(key, value),
            "extend-select" => {
                self.rules.extend_select = self.rule_names(key, value).unwrap_or_default();
            }
            "ignore" => self.rules.ignore = self.rule_names(key, value).unwrap_or_default(),
            "severity" => self.severity(value),
            "per-file-ignores" => self.per_file_ignores(value),
            "types" => self.types(value),
            "extend" => {
                let path = self.path(key, value);
                self.file.extend = path.map(|path| (path, value.span()));
            }
            _ => {
                if !self.option(key, value) {
                    let near = nearest(key, keys().into_iter());
                    self.file.is_own &= near.is_some();
                    self.unknown(at, &format!("key `{key}`"), near);
                }
            }
        }
    }

    fn severity(&mut self, value: &Value<'_>) {
        let levels = choices::<Severity>().into_iter();
        let mut levels: Vec<_> = levels.map(|(name, level)| (name, Some(level))).collect();
        levels.push((OFF, None));
        for (key, value) in self.entries("severity", value) {
            let rule = self.rule_name(key.get_ref(), key.span());
            let level = self.one_of(key.get_ref(), value, &levels);
            if let (Some(rule), Some(level)) = (rule, level) {
                self.rules.severity.push((rule, level));
            }
        }
    }

    fn per_file_ignores(&mut self, value: &Value<'_>) {
        for (key, value) in self.entries("per-file-ignores", value) {
            let glob = self.glob(key.get_ref(), key.span(), false);
            let rules = self.rule_names(key.get_ref(), value);
            if let (Some(glob), Some(rules)) = (glob, rules) {
                let entry = self.set((Globs::new(vec![glob], self.source.folder), rules));
                self.file.options.per_file_ignores.push(entry);
            }
        }
    }

    fn types(&mut self, value: &Value<'_>) {
        for (key, value) in self.entries("types", value) {
            let glob = self.glob(key.get_ref(), key.span(), false);
            let kind = Setting::read(self, key.get_ref(), value);
            if let (Some(glob), Some(kind)) = (glob, kind) {
                let entry = self.set((Globs::new(vec![glob], self.source.folder), kind));
                self.file.options.types.push(entry);
            }
        }
    }
}

#[cfg(test)]
pub(super) mod tests;
