//! Reading values of TOML: what they must be, and what is said if they are not.

use std::ops::Range;
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::file::File;
use super::globs;
use super::keys::{Named, Origin, Rules, Set};
use super::mistakes::{Mistake, nearest};
use crate::commands::{selectors, suggest};

pub(super) type Value<'t> = Spanned<DeValue<'t>>;

/// What is read.
pub(crate) struct Source<'s> {
    /// What it goes by.
    pub(crate) origin: Origin,
    /// What patterns of paths are relative to.
    pub(crate) folder: &'s Path,
    /// What paths are relative to.
    pub(crate) base: &'s Path,
}

/// Reads one key after the other, and goes on after a mistake.
pub(super) struct Reader<'r> {
    pub(super) source: &'r Source<'r>,
    pub(super) rules: Rules,
    pub(super) file: File,
}

impl<'r> Reader<'r> {
    pub(super) fn new(source: &'r Source<'r>) -> Self {
        Reader {
            source,
            rules: Rules::default(),
            file: File::default(),
        }
    }

    pub(super) fn syntax(&mut self, text: &str, errors: &[toml::de::Error]) {
        for error in errors {
            let at = error.span().unwrap_or(text.len()..text.len());
            let word = text.get(at.clone()).unwrap_or_default();
            let unquoted = ["string values must be quoted", "invalid float"]
                .iter()
                .any(|message| error.message().starts_with(message))
                && word
                    .bytes()
                    .all(|byte| byte.is_ascii_alphabetic() || byte == b'-');
            self.mistake(match unquoted {
                true if word.is_empty() => Mistake::new(at, "there is no value"),
                true => {
                    let label = format!("did you mean `\"{word}\"`?");
                    Mistake::new(at, "a string stands in quotes").label(label)
                }
                false => Mistake::new(at, error.message()),
            });
        }
    }

    pub(super) fn set<T>(&self, value: T) -> Set<T> {
        Set {
            value,
            origin: self.source.origin.clone(),
        }
    }

    pub(super) fn mistake(&mut self, mistake: Mistake) {
        self.file.mistakes.push(mistake);
    }

    pub(super) fn unknown(&mut self, at: Range<usize>, what: &str, near: Option<&str>) {
        let mistake = Mistake::new(at, format!("there is no {what}"));
        self.mistake(match near {
            Some(near) => mistake.label(format!("did you mean `{near}`?")),
            None => mistake,
        });
    }

    pub(super) fn mistype(
        &mut self,
        at: Range<usize>,
        key: &str,
        wanted: &str,
        found: &DeValue<'_>,
    ) {
        let found = match found {
            DeValue::String(_) => "a string",
            DeValue::Integer(_) | DeValue::Float(_) => "a number",
            DeValue::Boolean(_) => "a boolean",
            DeValue::Datetime(_) => "a date",
            DeValue::Array(_) => "an array",
            DeValue::Table(_) => "a table",
        };
        let message = format!("{key} must be {wanted}");
        self.mistake(Mistake::new(at, message).label(format!("this is {found}")));
    }

    pub(super) fn string(&mut self, key: &str, value: &Value<'_>) -> Option<String> {
        match value.get_ref() {
            DeValue::String(text) => Some(text.to_string()),
            other => {
                self.mistype(value.span(), &format!("`{key}`"), "a string", other);
                None
            }
        }
    }

    pub(super) fn boolean(&mut self, key: &str, value: &Value<'_>) -> Option<Set<bool>> {
        match value.get_ref() {
            DeValue::Boolean(set) => Some(self.set(*set)),
            other => {
                self.mistype(
                    value.span(),
                    &format!("`{key}`"),
                    "`true` or `false`",
                    other,
                );
                None
            }
        }
    }

    /// A path, relative to the file.
    pub(super) fn path(&mut self, key: &str, value: &Value<'_>) -> Option<PathBuf> {
        let path = self.string(key, value)?;
        if path.is_empty() {
            self.mistake(Mistake::new(value.span(), "there is no path here"));
            return None;
        }
        Some(self.source.base.join(path))
    }

    pub(super) fn one_of<T: Copy>(
        &mut self,
        key: &str,
        value: &Value<'_>,
        all: &[(&str, T)],
    ) -> Option<Set<T>> {
        let name = self.string(key, value)?;
        if let Some((_, found)) = all.iter().find(|(known, _)| *known == name) {
            return Some(self.set(*found));
        }
        let names: Vec<_> = all.iter().map(|(known, _)| format!("`{known}`")).collect();
        let label = match nearest(&name, all.iter().map(|(known, _)| *known)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("one of {}", names.join(", ")),
        };
        let message = format!("`{key}` cannot be `{name}`");
        self.mistake(Mistake::new(value.span(), message).label(label));
        None
    }

    pub(super) fn items<'v, 't>(&mut self, key: &str, value: &'v Value<'t>) -> &'v [Value<'t>] {
        match value.get_ref() {
            DeValue::Array(items) => items,
            other => {
                self.mistype(value.span(), &format!("`{key}`"), "an array", other);
                &[]
            }
        }
    }

    pub(super) fn strings(&mut self, key: &str, value: &Value<'_>) -> Vec<(String, Range<usize>)> {
        let mut strings = Vec::new();
        for item in self.items(key, value) {
            match item.get_ref() {
                DeValue::String(text) => strings.push((text.to_string(), item.span())),
                other => {
                    let key = format!("each of `{key}`");
                    self.mistype(item.span(), &key, "a string", other);
                }
            }
        }
        strings
    }

    pub(super) fn entries<'v, 't>(
        &mut self,
        key: &str,
        value: &'v Value<'t>,
    ) -> Vec<Entry<'v, 't>> {
        match value.get_ref() {
            DeValue::Table(table) => in_order(table),
            other => {
                self.mistype(value.span(), &format!("`{key}`"), "a table", other);
                Vec::new()
            }
        }
    }

    pub(super) fn rules_of(&mut self, key: &str, value: &Value<'_>) -> Option<Vec<Named>> {
        let is_array = matches!(value.get_ref(), DeValue::Array(_));
        let mut rules = Vec::new();
        for (name, at) in self.strings(key, value) {
            rules.extend(self.named(&name, at));
        }
        is_array.then_some(rules)
    }

    pub(super) fn named(&mut self, name: &str, at: Range<usize>) -> Option<Named> {
        let Some(selectors) = selectors(name) else {
            self.unknown(at, &format!("rule or group `{name}`"), suggest(name));
            return None;
        };
        Some(Named {
            name: name.to_owned(),
            selectors,
        })
    }

    pub(super) fn glob(
        &mut self,
        glob: &str,
        at: Range<usize>,
        may_negate: bool,
    ) -> Option<String> {
        let checked = match glob.starts_with('!') && !may_negate {
            true => Err("a `!` has no meaning here".to_owned()),
            false => globs::check(glob),
        };
        match checked {
            Ok(()) => Some(glob.to_owned()),
            Err(error) => {
                let mistake = Mistake::new(at, format!("`{glob}` is no pattern of paths"));
                self.mistake(mistake.label(error));
                None
            }
        }
    }
}

pub(super) type Entry<'v, 't> = (&'v Spanned<std::borrow::Cow<'t, str>>, &'v Value<'t>);

/// The entries of a table in the order in which they were written.
pub(super) fn in_order<'v, 't>(table: &'v DeTable<'t>) -> Vec<Entry<'v, 't>> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}
