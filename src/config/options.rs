//! The options that configuration files and flags set: one table of them, and how layers combine.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::document::Kind;
use crate::find::{Hyphen, Rejoin, Schemes};
use crate::lint::UrlPattern;
use crate::lint::rule::Severity;
use crate::standard::Standard;

use super::format::OutputSpec;
use super::globs::Globs;
use super::keys::Shape;
use super::mistakes::{BadConfig, Mistake};
use super::names::RuleName;
use super::resolved::Resolved;
use super::source::Source;
use super::values::{OptionReader, Setting, Toml, Value};
use super::{file, load};

/// A value with where it was set.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Set<T> {
    /// The value.
    pub value: T,
    /// Where it was set, for people: the path of a file, or what a [`Source`] says.
    pub origin: Arc<str>,
}

impl<T> Set<T> {
    /// Creates a value that was set at `origin`.
    #[must_use]
    pub fn new(value: T, origin: impl Into<Arc<str>>) -> Self {
        Set {
            value,
            origin: origin.into(),
        }
    }
}

/// Defines [`Options`] from a table with a row for each option that is a single value: its field,
/// type, key and default.
macro_rules! options {
    ($($(#[$doc:meta])* $field:ident: $type:ty, $key:literal, $default:expr;)+) => {
        /// What one layer sets: a configuration file, or what comes with a call. What it does not set
        /// is left to the layers below it, and then to the defaults.
        ///
        /// ```
        /// use std::path::Path;
        /// use urlint::Rule;
        /// use urlint::config::{Options, Source};
        ///
        /// let source = Source::new("the example", Path::new("/folder"));
        /// let base = Options::from_toml("deep = true\nselect = ['syntax']", &source)?;
        /// let over = Options::from_toml("deep = false\nignore = ['bad-port']", &source)?;
        /// let settings = over.over(&base).resolve();
        /// assert!(!settings.depth.deep);
        /// assert!(settings.selection().least(Rule::BadPort).is_none());
        /// assert!(settings.selection().least(Rule::EmptyHost).is_some());
        /// # Ok::<(), urlint::config::BadConfig>(())
        /// ```
        #[derive(Clone, Debug, Default)]
        #[non_exhaustive]
        pub struct Options {
            /// Which rules report: each layer changes what the layers below have selected.
            pub rules: Vec<Set<RuleOptions>>,
            /// Rules that do not report in files.
            pub per_file_ignores: Vec<Set<(Globs, Vec<RuleName>)>>,
            /// The kinds of files. If several patterns match, the last one decides.
            pub types: Vec<Set<(Globs, Kind)>>,
            $($(#[$doc])* pub $field: Option<Set<$type>>,)+
        }

        impl Options {
            $(
                /// Returns the value that is set, or the default.
                pub(super) fn $field(&self) -> $type {
                    let set = self.$field.as_ref();
                    set.map_or_else(|| $default, |set| set.value.clone())
                }
            )+

            /// Combines two layers, of which `self` wins: option by option, in tables entry by
            /// entry. Rules are selected layer by layer.
            #[must_use]
            pub fn over(self, base: &Options) -> Options {
                let base = base.clone();
                Options {
                    rules: [base.rules, self.rules].concat(),
                    per_file_ignores: entries(base.per_file_ignores, self.per_file_ignores),
                    types: entries(base.types, self.types),
                    $($field: self.$field.or(base.$field),)+
                }
            }

            /// Hands each option that is a single value to `show`: its key, its value, and its origin
            /// if it is set.
            #[doc(hidden)]
            pub fn each(&self, show: &mut dyn FnMut(&str, Toml, Option<&str>)) {
                $(show(
                    $key,
                    self.$field().toml(),
                    self.$field.as_ref().map(|set| &*set.origin),
                );)+
            }

            /// Returns what the option `key` takes, or `None` if the table has none of that name.
            pub(super) fn shape(key: &str) -> Option<Shape> {
                match key {
                    $($key => Some(<$type>::shape()),)+
                    _ => None,
                }
            }
        }

        impl OptionReader<'_> {
            /// Reads the option `key`; returns whether the table has it.
            pub(super) fn option(&mut self, key: &str, value: &Value<'_>) -> bool {
                match key {
                    $($key => {
                        let read = <$type>::read(self, key, value);
                        self.file.options.$field = read.map(|value| self.set(value));
                    })+
                    _ => return false,
                }
                true
            }
        }

        const TABLE: &[&str] = &[$($key),+];
    };
}

// In the order in which `--show-settings` prints them.
options! {
    /// The standard by which URLs are judged.
    standard: Standard, "standard", Standard::default();
    /// With RFC 3986, whether characters beyond US-ASCII are allowed too.
    iri: bool, "iri", false;
    /// URLs about which nothing is reported.
    ignore_urls: Vec<IgnoredUrl>, "ignore-urls", Vec::new();
    /// Schemes to find without slashes.
    schemes: Schemes, "schemes", Schemes::default();
    /// Files and folders to skip in folders.
    exclude: Globs, "exclude", Globs::new(Vec::new(), Path::new(""));
    /// When a URL is joined over a line break.
    rejoin: Rejoin, "rejoin", Rejoin::default();
    /// What happens to a hyphen at a line break.
    hyphen: Hyphen, "hyphen", Hyphen::default();
    /// Whether URLs without a scheme are found, such as `www.example.com`.
    schemeless: bool, "schemeless", false;
    /// Whether comments, scripts and styles of HTML and XML are read.
    deep: bool, "deep", false;
    /// Whether code in Markdown is skipped.
    skip_code: bool, "skip-code", false;
    /// Whether unsafe fixes are included.
    unsafe_fixes: bool, "unsafe-fixes", false;
    /// The lowest severity that is reported.
    min_severity: Severity, "min-severity", Severity::Hint;
    /// How `urlint check` prints diagnostics, and where to.
    output_format: Vec<OutputSpec>, "output-format", vec![OutputSpec::default()];
    /// The file of known diagnostics.
    baseline: Option<PathBuf>, "baseline", None;
}

impl Options {
    /// Reads options from a text in TOML with the keys of a configuration file, all but `extend`.
    ///
    /// # Errors
    ///
    /// Fails with everything that is wrong with the text.
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
    /// assert_eq!(settings.finder().rejoin, Rejoin::Never);
    ///
    /// let error = pair("rejoin", "x").unwrap_err().to_string();
    /// let expected = "expected one of `never`, `judged`, `likely`";
    /// assert_eq!(error, format!("`rejoin` cannot be `x`; {expected}"));
    /// # Ok::<(), urlint::config::BadConfig>(())
    /// ```
    pub fn from_toml(text: &str, source: &Source<'_>) -> Result<Options, BadConfig> {
        let mut read = file::read(text, source);
        if let Some((_, at)) = read.extend {
            let mistake = Mistake::new(at, "only a file can extend another");
            read.mistakes.push(mistake.label(source.extend_hint));
        }
        if read.mistakes.is_empty() {
            Ok(read.options)
        } else {
            let name = source.name.clone();
            Err(BadConfig::mistaken(name, text, read.mistakes))
        }
    }

    /// Reads the configuration file `path`, which may be a `pyproject.toml`, and the files that it
    /// extends. No other file is searched for. `current` is the current folder, an absolute path
    /// without symbolic links: patterns of paths in this file are relative to it, since the file may be
    /// anywhere, and paths in messages where they can be.
    ///
    /// Returns `None` if the file is a `pyproject.toml` without `[tool.urlint]`.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read, or with everything that is wrong with it and with the files
    /// that it extends.
    ///
    /// ```
    /// use urlint::config::Options;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let current = folder.path().canonicalize()?;
    /// let path = current.join("strict.toml");
    /// std::fs::write(&path, "schemeless = true\nselct = []\n")?;
    /// let error = Options::from_file(&path, &current).unwrap_err();
    /// assert_eq!(error.to_string(), "strict.toml:2:1: unknown key `selct`; did you mean `select`?");
    ///
    /// std::fs::write(&path, "schemeless = true\n")?;
    /// let options = Options::from_file(&path, &current)?.unwrap_or_default();
    /// assert!(options.resolve().finder().schemeless);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_file(path: &Path, current: &Path) -> Result<Option<Options>, BadConfig> {
        load::chosen(path, current)
    }

    /// Returns the settings that these options make, with the default of each that is not set. No file
    /// is read.
    #[must_use]
    pub fn resolve(self) -> Arc<Resolved> {
        Arc::new(Resolved::new(self))
    }

    /// Returns how many patterns of paths and URLs there are.
    pub(super) fn patterns(&self) -> usize {
        let excluded = (self.exclude.as_ref()).map_or(0, |set| set.value.texts.len());
        let urls = (self.ignore_urls.as_ref()).map_or(0, |set| set.value.len());
        excluded + urls + self.per_file_ignores.len() + self.types.len()
    }

    /// Returns the standard by which URLs are judged: `iri` is a way to judge by RFC 3986.
    pub(super) fn chosen_standard(&self) -> Standard {
        match self.standard() {
            Standard::Rfc3986 if self.iri() => Standard::Rfc3987,
            standard => standard,
        }
    }
}

/// The keys that are not in the table, since they are more than a value.
const OTHERS: [&str; 7] = [
    "extend",
    "extend-select",
    "ignore",
    "per-file-ignores",
    "select",
    "severity",
    "types",
];

/// Returns all keys, in alphabetical order.
pub(super) fn keys() -> Vec<&'static str> {
    let mut keys = [TABLE, &OTHERS].concat();
    keys.sort_unstable();
    keys
}

/// What a layer says about rules.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct RuleOptions {
    /// Only these report, whatever the layers below have selected.
    pub select: Option<Vec<RuleName>>,
    /// Rules that report too.
    pub extend_select: Vec<RuleName>,
    /// The severities of rules; `None` is `off`.
    pub severity: Vec<(RuleName, Option<Severity>)>,
    /// Rules that do not report, whatever selects them.
    pub ignore: Vec<RuleName>,
}

impl RuleOptions {
    /// Returns whether nothing is said about any rule.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.select.is_none()
            && self.extend_select.is_empty()
            && self.severity.is_empty()
            && self.ignore.is_empty()
    }
}

/// A pattern of URLs, with the text that it was made from.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct IgnoredUrl {
    /// The text: a URL that may have wildcards, or a regular expression.
    pub text: String,
    /// Whether it is a regular expression.
    pub is_regex: bool,
    /// The pattern.
    pub pattern: UrlPattern,
}

/// Returns the entries of `base` that `over` does not replace, followed by those of `over`.
fn entries<T>(mut base: Vec<Set<(Globs, T)>>, over: Vec<Set<(Globs, T)>>) -> Vec<Set<(Globs, T)>> {
    base.retain(|entry| {
        let texts = &entry.value.0.texts;
        over.iter().all(|other| other.value.0.texts != *texts)
    });
    base.extend(over);
    base
}
