//! The values of keys: how each type is read and written, and the messages for invalid ones.

use std::fmt;
use std::hash::Hash;

use indexmap::IndexMap;
use serde::de::{Deserializer, Error, Visitor};
use serde::{Deserialize, Serialize, Serializer};

use urlint_lint::{BadPattern, Severity, UrlPattern};
use urlint_standard::text::named::{Named, named};
use urlint_standard::text::shown;
use urlint_standard::url::schemes::is_scheme_name;

use super::globs;
use super::names::{RuleName, unknown};

/// A value of an enum, which is written as its name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Name<T>(pub T);

impl<'de, T: Named> Deserialize<'de> for Name<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let parse = |text: &str| {
            let value = T::ALL.iter().find(|value| value.name() == text);
            value.copied().map(Name).ok_or_else(|| {
                let names: Vec<_> = T::ALL.iter().map(|value| value.name()).collect();
                unknown("value", text, &names)
            })
        };
        deserializer.deserialize_str(Text(parse))
    }
}

impl<T: Named> Serialize for Name<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.name())
    }
}

impl<'de> Deserialize<'de> for RuleName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Text(str::parse))
    }
}

impl Serialize for RuleName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.name)
    }
}

/// Parses a string, by a function that returns the mistake in it. An error in here gets the place of
/// the string; one outside, that of the whole list.
struct Text<F>(F);

impl<T, F: FnOnce(&str) -> Result<T, String>> Visitor<'_> for Text<F> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        (self.0)(text).map_err(E::custom)
    }
}

/// Defines strings that a function checks.
macro_rules! strings {
    ($($(#[$doc:meta])* $type:ident, $check:path;)+) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
            pub struct $type(pub(super) String);

            impl<'de> Deserialize<'de> for $type {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    let parse = |text: &str| $check(text).map(|()| $type(text.to_owned()));
                    deserializer.deserialize_str(Text(parse))
                }
            }
        )+
    };
}

strings! {
    /// A pattern of paths, in the syntax of `.gitignore`, without `!`.
    Glob, check_glob;
    /// A pattern of paths, in the syntax of `.gitignore`. After `!`, it takes paths out again.
    Exclusion, globs::check;
    /// A scheme without its colon.
    Scheme, check_scheme;
    /// The name of a rule of one's own.
    UrlRuleName, check_rule_name;
}

fn check_glob(text: &str) -> Result<(), String> {
    if text.starts_with('!') {
        return Err(format!("`!` has no meaning before the pattern `{text}`"));
    }
    globs::check(text)
}

fn check_scheme(text: &str) -> Result<(), String> {
    /// The most bytes of a scheme.
    const MOST: usize = 63;
    if text.len() > MOST || !is_scheme_name(text.as_bytes()) {
        let expected = "expected letters, digits, `+`, `-` and `.`, without a colon";
        return Err(format!("`{text}` is not a scheme; {expected}"));
    }
    Ok(())
}

fn check_rule_name(text: &str) -> Result<(), String> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    if text.is_empty() || text.len() > 63 || !text.bytes().all(is_part) {
        return Err(format!(
            "`{text}` is not a rule name; expected letters, digits, `-` and `_`"
        ));
    }
    Ok(())
}

named! {
    /// The severity that a configuration gives a rule.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Level {
        /// [`Severity::Error`]
        Error = "error",
        /// [`Severity::Warning`]
        Warning = "warning",
        /// [`Severity::Hint`]
        Hint = "hint",
        /// The rule does not report.
        Off = "off",
    }
}

impl Level {
    /// Returns the severity, or `None` if the rule is off.
    pub(super) fn severity(self) -> Option<Severity> {
        Severity::from_name(self.name())
    }
}

named! {
    /// Which diagnostics people are shown. They all count, and formats for programs have them all.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Show {
        /// All of them.
        All = "all": "All of them",
        /// The first hint of each rule, and the first error or warning about the same URL; the others are
        /// counted.
        #[default]
        First = "first": "The first of several alike, with a count of the others",
        /// As `first`, without hints, which are counted.
        NoHints = "no-hints": "As `first`, without hints",
    }
}

named! {
    /// A preset: keys that hold below all other layers.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Profile {
        /// Errors and warnings are faults that a maintainer would change; other departures from RFC 1738 are
        /// hints.
        #[default]
        Default = "default": "Errors and warnings are problems that a maintainer would fix",
        /// Every departure from the standard is an error.
        Strict = "strict": "Every departure from the standard is an error",
        /// For Internet-Drafts and RFCs: RFC 3986, and https instead of http.
        Ietf = "ietf": "For Internet-Drafts and RFCs: RFC 3986, and https instead of http",
    }
}

impl Profile {
    /// Returns the keys that the profile sets, in TOML.
    pub(super) fn keys(self) -> &'static str {
        match self {
            Profile::Default => "",
            Profile::Strict => include_str!("profiles/strict.toml"),
            Profile::Ietf => include_str!("profiles/ietf.toml"),
        }
    }
}

/// A table whose entries are in the order in which they are written: the last one that matches may
/// decide.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(bound(deserialize = "K: Deserialize<'de> + Hash + Eq, V: Deserialize<'de>"))]
#[serde(bound(serialize = "K: Serialize, V: Serialize"))]
#[serde(transparent)]
pub struct Entries<K, V>(pub IndexMap<K, V>);

impl<K, V> Default for Entries<K, V> {
    fn default() -> Self {
        Entries(IndexMap::new())
    }
}

/// Implements reading of a type that derives it with `remote = "Self"`: a value that is read must pass the check, which
/// returns its mistake.
macro_rules! checked {
    ($type:ident, $check:expr) => {
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Checked;
                impl<'de> serde::de::Visitor<'de> for Checked {
                    type Value = $type;

                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str(stringify!($type))
                    }

                    fn visit_newtype_struct<D: serde::Deserializer<'de>>(
                        self,
                        deserializer: D,
                    ) -> Result<$type, D::Error> {
                        let value = $type::deserialize(deserializer)?;
                        let check: fn(&$type) -> Result<(), String> = $check;
                        check(&value).map_err(serde::de::Error::custom)?;
                        Ok(value)
                    }
                }
                // TOML adds the place of the value to an error of its visitor, and of no other.
                deserializer.deserialize_newtype_struct(stringify!($type), Checked)
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $type::serialize(self, serializer)
            }
        }
    };
}
pub(super) use checked;

checked!(IgnoredUrl, |url| {
    let wrong = |error| format!("invalid regular expression: {error}");
    url.pattern().map(drop).map_err(wrong)
});

/// A pattern of URLs.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(inline, title = "URL or `{ regex = \"...\" }`"))]
#[serde(untagged, deny_unknown_fields, remote = "Self")]
#[serde(expecting = "expected a URL or `{ regex = \"...\" }`")]
#[non_exhaustive]
pub enum IgnoredUrl {
    /// A URL, which may have wildcards.
    Url(String),
    /// A table with a regular expression.
    Regex {
        /// A regular expression.
        regex: String,
    },
}

impl IgnoredUrl {
    /// Compiles the pattern; fails if it is not a regular expression.
    pub(super) fn pattern(&self) -> Result<UrlPattern, BadPattern> {
        match self {
            IgnoredUrl::Url(url) => Ok(UrlPattern::of_url(url)),
            IgnoredUrl::Regex { regex } => UrlPattern::of_regex(regex),
        }
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
/// [`Options::from_toml`]: crate::Options::from_toml
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
