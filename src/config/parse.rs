//! From the text of a configuration file to its keys, or to the first mistake in it.

use std::ops::Range;
use std::path::PathBuf;

use toml::Spanned;
use toml::de::{DeTable, DeValue, ValueDeserializer};

use urlint_standard::text::named::nearest;

use super::keys::Keys;
use super::layer::{Layer, NO_FILE, Wrong};
use super::mistake::{BadConfig, Mistake};
use super::options::Options;
use super::source::Source;

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
    let (mut keys, entries) = keys(value, text)?;
    let place = |key: &str| value.get_ref().get(key).unwrap_or(value).span();
    let wrong = |(key, message): Wrong| Mistake::new(place(key), message);
    let extend = keys.extend.take().map(|path| source.path("extend", &path));
    let extend = extend.transpose().map_err(wrong)?;
    let mut layer = Layer::new(keys, source).map_err(wrong)?;
    layer.entries = entries;
    Ok(Some(Parsed {
        layer,
        extend: extend.map(|path| (path, place("extend"))),
    }))
}

/// Returns the keys of the table `file`, and how many entries the lists and tables in it have. Fails at the first
/// key or value that is wrong by itself, or if there are too many entries.
fn keys(file: &Spanned<DeValue<'_>>, text: &str) -> Result<(Keys, usize), Mistake> {
    let DeValue::Table(table) = file.get_ref() else {
        return Err(Mistake::new(file.span(), "expected a table"));
    };
    let mut keys = Keys::default();
    let mut entries = 0;
    for (name, value) in table {
        entries += match value.get_ref() {
            DeValue::Array(items) => items.len(),
            DeValue::Table(table) => table.len(),
            _ => 0,
        };
        if entries > MOST_ENTRIES {
            let message = format!("more than {MOST_ENTRIES} entries in lists and tables");
            return Err(Mistake::new(value.span(), message));
        }
        let deserializer = ValueDeserializer::from(value.clone());
        match keys.set(name.get_ref(), deserializer) {
            Some(Ok(())) => {}
            Some(Err(error)) => return Err(of_value(name.get_ref(), value, &error, text)),
            None if name.get_ref() == "tool" => {
                let message = "`[tool.urlint]` is for pyproject.toml; here, its keys stand alone";
                return Err(Mistake::new(name.span(), message));
            }
            None => return Err(Mistake::new(name.span(), Keys::unknown(name.get_ref()))),
        }
    }
    Ok((keys, entries))
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
            return Err(wrong(Mistake::new(at, NO_FILE)));
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

/// Returns the mistake in the syntax of `text`.
fn of_toml(error: &toml::de::Error, text: &str) -> Mistake {
    let at = error.span().unwrap_or(text.len()..text.len());
    let word = text.get(at.clone()).unwrap_or_default();
    let before = text.get(..at.start).unwrap_or_default();
    // TOML takes `never` for a misspelled `nan`.
    let is_word = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase());
    let message = if is_word && before.trim_end_matches(' ').ends_with('=') {
        format!("strings must be quoted: `\"{word}\"`")
    } else {
        error.message().to_owned()
    };
    Mistake::new(at, message)
}

/// Returns the mistake in `value`, the value of `key`.
fn of_value(
    key: &str,
    value: &Spanned<DeValue<'_>>,
    error: &toml::de::Error,
    text: &str,
) -> Mistake {
    let mut message = format!("`{key}`: {}", error.message());
    let at = value.span();
    if let DeValue::String(_) = value.get_ref() {
        let list = DeValue::Array([value.clone()].into_iter().collect());
        let list = ValueDeserializer::from(Spanned::new(at.clone(), list));
        if let Some(Ok(())) = Keys::default().set(key, list) {
            let string = text.get(at.clone()).unwrap_or_default();
            message.push_str(&format!(": `[{string}]`"));
        }
    }
    Mistake::new(error.span().unwrap_or(at), message)
}

#[cfg(test)]
pub(super) mod tests;
