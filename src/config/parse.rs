//! From the text of a configuration file to its keys, or to the first mistake in it.

use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue, ValueDeserializer};

use urlint_standard::text::named::nearest;

use super::keys::Keys;
use super::mistake::{BadConfig, Mistake};
use super::names::unknown;
use super::options::{Layer, Options};
use super::reach::{INSTEAD, Refused};
use super::source::Source;
use super::url_rules;

/// The most entries of the lists and tables of a file, together with the files that it extends. Each
/// pattern of paths or URLs costs time with every file that is read.
pub(super) const MOST_ENTRIES: usize = 4096;

/// The content of a configuration file.
#[derive(Debug)]
pub(super) struct Parsed {
    pub(super) layer: Layer,
    /// The file that it extends, and where it says so.
    pub(super) extend: Option<(PathBuf, Range<usize>)>,
}

/// Parses a file of urlint's own, or `[tool.urlint]` of a pyproject.toml; returns `None` if there is no
/// such table.
pub(super) fn parse(
    text: &str,
    is_pyproject: bool,
    source: &Source<'_>,
) -> Result<Option<Parsed>, Mistake> {
    let (table, errors) = DeTable::parse_recoverable(text);
    let file = &Spanned::new(table.span(), DeValue::Table(table.into_inner()));
    let value = if is_pyproject {
        file.get_ref()
            .get("tool")
            .and_then(|tool| tool.get_ref().get("urlint"))
    } else {
        Some(file)
    };
    let Some(value) = value else {
        return Ok(None);
    };
    if let Some(error) = errors.first() {
        return Err(of_toml(error, text));
    }
    let settings = Settings {
        text,
        value,
        source,
    };
    settings.read().map(Some)
}

impl Options {
    /// Reads options from a text in TOML with the keys of a configuration file, all but `extend`.
    ///
    /// # Errors
    ///
    /// Fails with the first mistake in the text.
    ///
    /// ```
    /// use std::path::Path;
    /// use urlint::config::{Options, Source, quoted};
    /// use urlint::find::Rejoin;
    ///
    /// let pair = |key: &str, value: &str| {
    ///     let text = format!("{} = {}", quoted(key), quoted(value));
    ///     Options::from_toml(&text, &Source::new("a call", Path::new("/folder")))
    /// };
    /// let settings = pair("rejoin", "never")?.resolve();
    /// assert_eq!(settings.lint().finder.rejoin, Rejoin::Never);
    ///
    /// let error = pair("rejoin", "x").unwrap_err().to_string();
    /// let expected = "expected one of `never`, `judged`, `likely`";
    /// assert_eq!(error, format!("`rejoin`: unknown value `x`; {expected}"));
    /// # Ok::<(), urlint::config::BadConfig>(())
    /// ```
    pub fn from_toml(text: &str, source: &Source<'_>) -> Result<Options, BadConfig> {
        let wrong = |mistake| BadConfig::mistaken(source.name.clone(), text, mistake);
        let parsed = parse(text, false, source).map_err(wrong)?;
        if let Some((_, at)) = parsed.as_ref().and_then(|parsed| parsed.extend.clone()) {
            let message = format!("only a file can extend another; {}", source.extend_hint);
            return Err(wrong(Mistake::new(at, message.trim_end_matches("; "))));
        }
        Ok(parsed.map_or_else(Options::default, |parsed| Options::of(parsed.layer)))
    }
}

/// Returns whether `text` is TOML in which every key is one of urlint's, or a misspelled one.
pub(super) fn has_own_keys(text: &str) -> bool {
    DeTable::parse(text).is_ok_and(|table| {
        let mut keys = table.get_ref().keys();
        keys.all(|key| nearest(key.get_ref(), Keys::names().iter().copied()).is_some())
    })
}

fn of_toml(error: &toml::de::Error, text: &str) -> Mistake {
    let at = error.span().unwrap_or(text.len()..text.len());
    let word = text.get(at.clone()).unwrap_or_default();
    // The last line names the key, if the error is about a value.
    let message = match error.to_string().trim_end().rsplit_once("\nin ") {
        Some((message, key)) if message.ends_with("expected a sequence") && is_quoted(word) => {
            format!("{key}: {message}: `[{word}]`")
        }
        Some((message, key)) => format!("{key}: {message}"),
        // TOML takes `never` for a misspelled `nan`.
        None if error.message().starts_with("invalid float") && is_word(word) => {
            format!("strings must be quoted: `\"{word}\"`")
        }
        None => error.message().to_owned(),
    };
    Mistake::new(at, message)
}

fn is_quoted(text: &str) -> bool {
    text.len() > 2 && text.starts_with(['"', '\'']) && !text.contains('\n')
}

fn is_word(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// The settings in a file, as TOML has them.
struct Settings<'f> {
    text: &'f str,
    value: &'f Spanned<DeValue<'f>>,
    source: &'f Source<'f>,
}

impl Settings<'_> {
    fn read(self) -> Result<Parsed, Mistake> {
        let entries = self.check_keys()?;
        let keys = Keys::deserialize(ValueDeserializer::from(self.value.clone()));
        let mut keys = keys.map_err(|error| of_toml(&error, self.text))?;
        self.check_urls(&keys)?;
        self.check_rules(&keys)?;
        if let Some(path) = &mut keys.baseline {
            *path = self.written(path, self.at("baseline", None))?;
        }
        let specs = keys.output_format.0.iter_mut().flat_map(|list| &mut list.0);
        for (index, spec) in specs.enumerate() {
            if let Some(path) = &mut spec.file {
                *path = self.written(path, self.at("output-format", Some(index)))?;
            }
        }
        let extend = keys.extend.take().map(|path| {
            let at = self.at("extend", None);
            self.path(&path, &at).map(|path| (path, at))
        });
        Ok(Parsed {
            extend: extend.transpose()?,
            layer: Layer {
                keys,
                origin: self.source.origin.clone(),
                folder: self.source.folder.to_owned(),
                entries,
            },
        })
    }

    /// Returns where the value of `key` is, or the item `index` of it if it is a list.
    fn at(&self, key: &str, index: Option<usize>) -> Range<usize> {
        let value = self.value.get_ref().get(key).unwrap_or(self.value);
        let item = index.and_then(|index| value.get_ref().get(index));
        item.unwrap_or(value).span()
    }

    /// Returns how many entries the lists and tables have; fails at the first unknown key, or if there
    /// are too many entries.
    fn check_keys(&self) -> Result<usize, Mistake> {
        let table = self.value.get_ref().as_table();
        let mut entries = 0;
        for (key, value) in table.into_iter().flatten() {
            let name = key.get_ref();
            if !Keys::names().contains(&&**name) {
                let message = match &**name {
                    "tool" => "`[tool.urlint]` is for pyproject.toml; here, its keys stand alone"
                        .to_owned(),
                    _ => unknown("key", name, Keys::names()),
                };
                return Err(Mistake::new(key.span(), message));
            }
            entries += match value.get_ref() {
                DeValue::Array(items) => items.len(),
                DeValue::Table(table) => table.len(),
                _ => 0,
            };
            if entries > MOST_ENTRIES {
                let message = format!("more than {MOST_ENTRIES} entries in lists and tables");
                return Err(Mistake::new(value.span(), message));
            }
        }
        Ok(entries)
    }

    /// Fails if a pattern of URLs is wrong.
    fn check_urls(&self, keys: &Keys) -> Result<(), Mistake> {
        const KEY: &str = "ignore-urls";
        let mut patterns = Vec::new();
        for (index, url) in keys.ignore_urls.0.iter().flatten().enumerate() {
            patterns.push(url.pattern().map_err(|error| {
                let message = format!("invalid regular expression: {error}");
                Mistake::new(self.at(KEY, Some(index)), message)
            })?);
        }
        url_rules::fit(&patterns).map_err(|message| Mistake::new(self.at(KEY, None), message))
    }

    /// Fails if a rule of one's own is wrong.
    fn check_rules(&self, keys: &Keys) -> Result<(), Mistake> {
        const KEY: &str = "url-rules";
        let rules = keys.url_rules.0.iter().flat_map(|rules| &rules.0);
        for (name, rule) in rules.clone() {
            rule.rule(&name.0).map_err(|wrong| {
                let rules = self.value.get_ref().get(KEY).unwrap_or(self.value);
                let rule = rules.get_ref().get(&*name.0).unwrap_or(rules);
                // Most messages begin with the key that is at fault.
                let key = wrong.split('`').nth(1).unwrap_or_default();
                let at = rule.get_ref().get(key).unwrap_or(rule).span();
                Mistake::new(at, format!("{KEY}.{}: {wrong}", name.0))
            })?;
        }
        // Alone, the others were checked above.
        if rules.clone().next().is_none() {
            return Ok(());
        }
        let ignored = keys.ignore_urls.0.as_deref().unwrap_or_default();
        url_rules::fit_together(rules.map(|(_, rule)| rule), ignored)
            .map_err(|message| Mistake::new(self.at(KEY, None), message))
    }

    /// Returns the path of the file that the text calls `path` at `at`.
    fn path(&self, path: &Path, at: &Range<usize>) -> Result<PathBuf, Mistake> {
        if path.as_os_str().is_empty() {
            return Err(Mistake::new(at.clone(), "expected a path"));
        }
        Ok(self.source.base.join(path))
    }

    /// Returns the path of a file to write; fails if it must not be written.
    fn written(&self, name: &Path, at: Range<usize>) -> Result<PathBuf, Mistake> {
        let path = self.path(name, &at)?;
        let name = name.display();
        let message = match self.source.reach.writable(&path) {
            Ok(()) => return Ok(path),
            Err(Refused::Outside) => {
                format!("`{name}` is outside of the folder of this file; {INSTEAD}")
            }
            Err(other) => format!("`{name}` cannot be written from here: {}", other.reason()),
        };
        Err(Mistake::new(at, message))
    }
}

#[cfg(test)]
pub(super) mod tests;
