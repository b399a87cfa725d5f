//! The values of options in TOML: how each type is read, what is wrong with it if not, and how it
//! is written.

use std::borrow::Cow;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::find::Schemes;
use crate::lint::{IgnoredUrls, UrlPattern};
use crate::text::shown;
use crate::url::schemes::is_scheme_name;

use super::file::File;
use super::format::{OutputFormat, OutputSpec};
use super::globs::{self, Globs};
use super::keys::Shape;
use super::load::MOST_PATTERNS;
use super::mistakes::Mistake;
use super::names::{Choice, RuleName, nearest};
use super::options::{IgnoredUrl, RuleOptions, Set};
use super::reach::{INSTEAD, Refused};
use super::source::Source;

pub(super) type Value<'t> = Spanned<DeValue<'t>>;

/// The type of an option.
pub(super) trait Setting: Sized {
    /// Reads the value of the option `key`, or notes what is wrong with it.
    fn read(reader: &mut OptionReader<'_>, key: &str, value: &Value<'_>) -> Option<Self>;

    /// Returns the value as it is written in TOML.
    fn toml(&self) -> Toml;

    /// Returns what `read` takes.
    fn shape() -> Shape;
}

/// The value of an option, written in TOML.
pub enum Toml {
    /// There is none.
    Absent,
    /// A value on a line.
    Value(String),
    /// The items of an array.
    Array(Vec<String>),
}

impl Setting for bool {
    fn read(reader: &mut OptionReader<'_>, key: &str, value: &Value<'_>) -> Option<Self> {
        match value.get_ref() {
            DeValue::Boolean(value) => Some(*value),
            other => {
                let key = format!("`{key}`");
                reader.mistype(value.span(), &key, "`true` or `false`", other);
                None
            }
        }
    }

    fn toml(&self) -> Toml {
        Toml::Value(self.to_string())
    }

    fn shape() -> Shape {
        Shape::Boolean
    }
}

impl<T: Choice> Setting for T {
    fn read(reader: &mut OptionReader<'_>, key: &str, value: &Value<'_>) -> Option<Self> {
        reader.one_of(key, value, &choices())
    }

    fn toml(&self) -> Toml {
        Toml::Value(quoted(self.name()))
    }

    fn shape() -> Shape {
        Shape::choice::<T>()
    }
}

/// Returns every value of `T` with its name.
pub(super) fn choices<T: Choice>() -> Vec<(&'static str, T)> {
    T::ALL.iter().map(|value| (value.name(), *value)).collect()
}

impl Setting for Option<PathBuf> {
    fn read(reader: &mut OptionReader<'_>, key: &str, value: &Value<'_>) -> Option<Self> {
        let path = reader.path(key, value)?;
        reader.written(&path, value.span());
        Some(Some(path))
    }

    fn toml(&self) -> Toml {
        match self {
            Some(path) => Toml::Value(quoted(path.to_string_lossy())),
            None => Toml::Absent,
        }
    }

    fn shape() -> Shape {
        Shape::Path
    }
}

impl Setting for Globs {
    fn read(reader: &mut OptionReader<'_>, key: &str, value: &Value<'_>) -> Option<Self> {
        let mut globs = Vec::new();
        for (glob, at) in reader.strings(key, value) {
            globs.extend(reader.glob(&glob, at, true));
        }
        Some(Globs::new(globs, reader.source.folder))
    }

    fn toml(&self) -> Toml {
        Toml::Array(self.texts.iter().map(quoted).collect())
    }

    fn shape() -> Shape {
        Shape::array(Shape::Pattern(true))
    }
}

impl Setting for Schemes {
    fn read(reader: &mut OptionReader<'_>, key: &str, value: &Value<'_>) -> Option<Self> {
        /// The most bytes of a scheme.
        const MOST: usize = 63;
        let mut schemes = Vec::new();
        for (name, at) in reader.strings(key, value) {
            if name.len() > MOST || !is_scheme_name(name.as_bytes()) {
                let message = format!("`{name}` is not a scheme");
                let label = "expected letters, digits, `+`, `-` and `.`, without a colon";
                reader.mistake(Mistake::new(at, message).label(label));
            } else {
                schemes.push(name);
            }
        }
        Some(Schemes::new(schemes))
    }

    fn toml(&self) -> Toml {
        Toml::Array(self.iter().map(quoted).collect())
    }

    fn shape() -> Shape {
        Shape::array(Shape::Scheme)
    }
}

impl Setting for Vec<IgnoredUrl> {
    fn read(reader: &mut OptionReader<'_>, key: &str, value: &Value<'_>) -> Option<Self> {
        let mut urls = Vec::new();
        for item in reader.items(key, value) {
            if !reader.may_have_pattern(item.span()) {
                break;
            }
            urls.extend(match item.get_ref() {
                DeValue::String(text) => Some(IgnoredUrl {
                    text: text.to_string(),
                    is_regex: false,
                    pattern: UrlPattern::of_url(text),
                }),
                DeValue::Table(table) => reader.regex(item.span(), table),
                other => {
                    let expected = "a string or `{ regex = \"…\" }`";
                    reader.mistype(item.span(), "a URL", expected, other);
                    None
                }
            });
        }
        let patterns: Vec<_> = urls.iter().map(|url| url.pattern.clone()).collect();
        if let Err(error) = IgnoredUrls::new(&patterns) {
            let message = format!("the patterns are too many or too large: {error}");
            reader.mistake(Mistake::new(value.span(), message));
        }
        Some(urls)
    }

    fn toml(&self) -> Toml {
        let urls = self.iter().map(|url| {
            if url.is_regex {
                format!("{{ regex = {} }}", quoted(&url.text))
            } else {
                quoted(&url.text)
            }
        });
        Toml::Array(urls.collect())
    }

    fn shape() -> Shape {
        Shape::array(Shape::Url)
    }
}

impl Setting for Vec<OutputSpec> {
    fn read(reader: &mut OptionReader<'_>, key: &str, value: &Value<'_>) -> Option<Self> {
        let texts = match value.get_ref() {
            DeValue::String(text) => vec![(text.to_string(), value.span())],
            _ => reader.strings(key, value),
        };
        let mut specs = Vec::new();
        if texts.len() > OutputFormat::ALL.len() {
            let most = OutputFormat::ALL.len();
            let message = format!("`{key}` has more than {most} formats");
            reader.mistake(Mistake::new(value.span(), message));
            return None;
        }
        for (text, at) in texts {
            match OutputSpec::from_str(&text) {
                Ok(spec) => {
                    let spec = spec.relative_to(reader.source.base);
                    if let Some(file) = &spec.file {
                        reader.written(file, at);
                    }
                    specs.push(spec);
                }
                Err(error) => {
                    let message = format!("`{text}` is not an output format");
                    reader.mistake(Mistake::new(at, message).label(error));
                }
            }
        }
        Some(specs)
    }

    fn toml(&self) -> Toml {
        Toml::Array(self.iter().map(|spec| quoted(spec.to_string())).collect())
    }

    fn shape() -> Shape {
        Shape::OneOrMore(Box::new(Shape::Format))
    }
}

/// Returns `text` as a string of TOML, in quotes: a value of [`Options::from_toml`], or a key with
/// characters other than letters, digits, `-` and `_`.
///
/// ```
/// use urlint::config::quoted;
///
/// assert_eq!(quoted("a \"b\"\n"), r#""a \"b\"\u000A""#);
/// ```
///
/// [`Options::from_toml`]: crate::config::Options::from_toml
pub fn quoted(text: impl AsRef<str>) -> String {
    let mut quoted = String::from("\"");
    for c in text.as_ref().chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\t' => quoted.push_str("\\t"),
            c if shown::is_harmful(c) => quoted.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Reads the options of a layer one after the other, and goes on after a mistake.
pub(super) struct OptionReader<'r> {
    pub(super) source: &'r Source<'r>,
    pub(super) rules: RuleOptions,
    pub(super) file: File,
    /// How many patterns of paths and URLs there are.
    patterns: usize,
}

/// The most mistakes of one file that are noted.
const MOST_MISTAKES: usize = 1000;

impl<'r> OptionReader<'r> {
    pub(super) fn new(source: &'r Source<'r>) -> Self {
        OptionReader {
            source,
            rules: RuleOptions::default(),
            file: File::default(),
            patterns: 0,
        }
    }

    /// Notes what the TOML parser found wrong.
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
            self.mistake(if !unquoted {
                Mistake::new(at, error.message())
            } else if word.is_empty() {
                Mistake::new(at, "expected a value")
            } else {
                let label = format!("did you mean `\"{word}\"`?");
                Mistake::new(at, "strings must be quoted").label(label)
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
        if self.has_room() {
            self.file.mistakes.push(mistake);
        }
    }

    /// Returns whether further mistakes are noted.
    fn has_room(&self) -> bool {
        self.file.mistakes.len() < MOST_MISTAKES
    }

    /// Notes a name that is not known, and the one that may have been meant.
    pub(super) fn unknown(&mut self, at: Range<usize>, what: &str, suggestion: Option<&str>) {
        let mistake = Mistake::new(at, format!("unknown {what}"));
        self.mistake(match suggestion {
            Some(name) => mistake.label(format!("did you mean `{name}`?")),
            None => mistake,
        });
    }

    /// Notes a value of the wrong type.
    pub(super) fn mistype(
        &mut self,
        at: Range<usize>,
        key: &str,
        expected: &str,
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
        let message = format!("{key} must be {expected}");
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

    /// Reads a path, relative to the file.
    pub(super) fn path(&mut self, key: &str, value: &Value<'_>) -> Option<PathBuf> {
        let path = self.string(key, value)?;
        if path.is_empty() {
            self.mistake(Mistake::new(value.span(), "expected a path"));
            return None;
        }
        Some(self.source.base.join(path))
    }

    /// Notes if the file `path`, which is named at `at`, must not be written.
    fn written(&mut self, path: &Path, at: Range<usize>) {
        let Err(refused) = self.source.reach.writable(path) else {
            return;
        };
        let name = path.strip_prefix(self.source.base).unwrap_or(path);
        let name = name.display();
        let mistake = match refused {
            Refused::Outside => {
                let message = format!("`{name}` is outside of the folder of this file");
                Mistake::new(at, message).label(INSTEAD)
            }
            other => {
                let message = format!("`{name}` cannot be written from here");
                Mistake::new(at, message).label(other.reason())
            }
        };
        self.mistake(mistake);
    }

    /// Counts a pattern; returns whether it is not one too many.
    fn may_have_pattern(&mut self, at: Range<usize>) -> bool {
        self.patterns += 1;
        if self.patterns == MOST_PATTERNS + 1 {
            let message = format!("more than {MOST_PATTERNS} patterns of paths and URLs");
            self.mistake(Mistake::new(at, message));
        }
        self.patterns <= MOST_PATTERNS
    }

    /// Reads one of several names.
    pub(super) fn one_of<T: Copy>(
        &mut self,
        key: &str,
        value: &Value<'_>,
        all: &[(&str, T)],
    ) -> Option<T> {
        let name = self.string(key, value)?;
        if let Some((_, found)) = all.iter().find(|(known, _)| *known == name) {
            return Some(*found);
        }
        let names: Vec<_> = all.iter().map(|(known, _)| format!("`{known}`")).collect();
        let label = match nearest(&name, all.iter().map(|(known, _)| *known)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("expected one of {}", names.join(", ")),
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
                    let key = format!("each item of `{key}`");
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

    /// Reads an array of names of rules.
    pub(super) fn rule_names(&mut self, key: &str, value: &Value<'_>) -> Option<Vec<RuleName>> {
        let is_array = matches!(value.get_ref(), DeValue::Array(_));
        let mut rules = Vec::new();
        for (name, at) in self.strings(key, value) {
            rules.extend(self.rule_name(&name, at));
        }
        is_array.then_some(rules)
    }

    pub(super) fn rule_name(&mut self, name: &str, at: Range<usize>) -> Option<RuleName> {
        let found = RuleName::find(name);
        if found.is_none() && self.has_room() {
            let what = format!("rule or group `{name}`");
            self.unknown(at, &what, RuleName::suggest(name));
        }
        found
    }

    pub(super) fn glob(
        &mut self,
        glob: &str,
        at: Range<usize>,
        may_negate: bool,
    ) -> Option<String> {
        if !self.may_have_pattern(at.clone()) {
            return None;
        }
        let checked = if glob.starts_with('!') && !may_negate {
            Err("`!` has no meaning here".to_owned())
        } else {
            globs::check(glob)
        };
        match checked {
            Ok(()) => Some(glob.to_owned()),
            Err(error) => {
                let mistake = Mistake::new(at, format!("`{glob}` is not a pattern of paths"));
                self.mistake(mistake.label(error));
                None
            }
        }
    }

    /// Reads `{ regex = "…" }`.
    fn regex(&mut self, at: Range<usize>, table: &DeTable<'_>) -> Option<IgnoredUrl> {
        let mut read = None;
        for (key, value) in in_order(table) {
            if key.get_ref() != "regex" {
                let message = format!("unknown key `{}`", key.get_ref());
                self.mistake(Mistake::new(key.span(), message).label("expected `regex`"));
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
                    let mistake = Mistake::new(value.span(), "invalid regular expression");
                    self.mistake(mistake.label(error.to_string()));
                    return None;
                }
            }
        }
        if read.is_none() {
            self.mistake(Mistake::new(at, "expected `regex` in this table"));
        }
        read
    }
}

pub(super) type Entry<'v, 't> = (&'v Spanned<Cow<'t, str>>, &'v Value<'t>);

/// Returns the entries of a table in the order in which they are written.
pub(super) fn in_order<'v, 't>(table: &'v DeTable<'t>) -> Vec<Entry<'v, 't>> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}
