//! The options that configuration files and flags set: one table of them, and how layers combine.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use urlint::Severity;
use urlint::document::Kind;
use urlint::find::Schemes;
use urlint::find::{Hyphen, Rejoin};
use urlint::lint::UrlPattern;
use urlint::standard::Standard;

use super::globs::Globs;
use super::names::RuleName;
use super::values::{OptionReader, Setting, Toml, Value};
use crate::report::OutputSpec;

/// Where an option was set, for people: a file, or the command line.
pub(crate) type Origin = Arc<str>;

/// A value with where it was set.
#[derive(Clone, Debug)]
pub(crate) struct Set<T> {
    pub(crate) value: T,
    pub(crate) origin: Origin,
}

impl<T> Set<T> {
    /// A value that a flag sets.
    pub(crate) fn by_flag(value: T) -> Self {
        Set {
            value,
            origin: "the command line".into(),
        }
    }
}

/// Defines [`Options`] from a table with a row for each option that is a single value: its field,
/// type, key and default.
macro_rules! options {
    ($($field:ident: $type:ty, $key:literal, $default:expr;)+) => {
        /// What one layer sets: a configuration file or the command line. What it does not set is
        /// left to the layers below, and to the defaults.
        #[derive(Clone, Debug, Default)]
        pub(crate) struct Options {
            /// Which rules report: each layer changes what the layers below have selected.
            pub(crate) rules: Vec<Set<RuleOptions>>,
            pub(crate) per_file_ignores: Vec<Set<(Globs, Vec<RuleName>)>>,
            pub(crate) types: Vec<Set<(Globs, Kind)>>,
            $(pub(crate) $field: Option<Set<$type>>,)+
        }

        impl Options {
            $(
                /// Returns the value that is set, or the default.
                pub(crate) fn $field(&self) -> $type {
                    let set = self.$field.as_ref();
                    set.map_or_else(|| $default, |set| set.value.clone())
                }
            )+

            /// Combines two layers, of which `self` wins: option by option, in tables entry by
            /// entry. Rules are selected layer by layer.
            pub(crate) fn over(self, base: &Options) -> Options {
                let base = base.clone();
                Options {
                    rules: [base.rules, self.rules].concat(),
                    per_file_ignores: entries(base.per_file_ignores, self.per_file_ignores),
                    types: entries(base.types, self.types),
                    $($field: self.$field.or(base.$field),)+
                }
            }

            /// Hands each option of the table to `show`, with its origin if it is set.
            pub(super) fn each(&self, show: &mut dyn FnMut(&str, Toml, Option<&Origin>)) {
                $(show(
                    $key,
                    self.$field().toml(),
                    self.$field.as_ref().map(|set| &set.origin),
                );)+
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
    standard: Standard, "standard", Standard::default();
    iri: bool, "iri", false;
    ignore_urls: Vec<IgnoredUrl>, "ignore-urls", Vec::new();
    schemes: Schemes, "schemes", Schemes::default();
    exclude: Globs, "exclude", Globs::new(Vec::new(), Path::new(""));
    rejoin: Rejoin, "rejoin", Rejoin::default();
    hyphen: Hyphen, "hyphen", Hyphen::default();
    schemeless: bool, "schemeless", false;
    deep: bool, "deep", false;
    skip_code: bool, "skip-code", false;
    unsafe_fixes: bool, "unsafe-fixes", false;
    min_severity: Severity, "min-severity", Severity::Hint;
    output_format: Vec<OutputSpec>, "output-format", vec![OutputSpec::default()];
    baseline: Option<PathBuf>, "baseline", None;
}

impl Options {
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
pub(crate) struct RuleOptions {
    /// Only these, whatever the layers below have selected.
    pub(crate) select: Option<Vec<RuleName>>,
    pub(crate) extend_select: Vec<RuleName>,
    /// `None` is `off`.
    pub(crate) severity: Vec<(RuleName, Option<Severity>)>,
    pub(crate) ignore: Vec<RuleName>,
}

impl RuleOptions {
    /// Returns whether nothing is said about any rule.
    pub(crate) fn is_empty(&self) -> bool {
        self.select.is_none()
            && self.extend_select.is_empty()
            && self.severity.is_empty()
            && self.ignore.is_empty()
    }
}

/// A pattern of URLs, with the text that it was made from.
#[derive(Clone, Debug)]
pub(crate) struct IgnoredUrl {
    pub(crate) text: String,
    pub(crate) is_regex: bool,
    pub(crate) pattern: UrlPattern,
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
