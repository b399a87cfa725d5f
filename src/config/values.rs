//! The values of keys: how each type is read and written, and what is wrong with it if not.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserializer, Error, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use toml::Spanned;

use crate::document::Kind;
use crate::find::{Hyphen, Rejoin};
use crate::lint::rule::Severity;
use crate::lint::{BadPattern, UrlComponent, UrlPattern};
use crate::standard::Standard;
use crate::text::named::named;
use crate::text::shown;
use crate::url::schemes::is_scheme_name;

use super::globs;
use super::names::{RuleName, unknown};
use super::url_rules::UrlList;

/// A value that is written as a string.
trait Text: Sized {
    /// Parses it, or says what is wrong with it.
    fn parse(text: &str) -> Result<Self, String>;

    fn text(&self) -> &str;
}

macro_rules! enums {
    ($($type:ident)+) => {
        $(impl Text for $type {
            fn parse(text: &str) -> Result<Self, String> {
                $type::from_name(text).ok_or_else(|| {
                    let names: Vec<_> = $type::ALL.iter().map(|value| value.name()).collect();
                    unknown("value", text, &names)
                })
            }

            fn text(&self) -> &str {
                self.name()
            }
        })+
    };
}

enums! { Hints Hyphen Kind Level Profile Rejoin Severity Standard UrlComponent UrlList }

impl Text for RuleName {
    fn parse(text: &str) -> Result<Self, String> {
        RuleName::find(text).ok_or_else(|| match RuleName::suggest(text) {
            Some(near) => format!("unknown rule or group `{text}`; did you mean `{near}`?"),
            None => format!("unknown rule or group `{text}`; `urlint rule --all` lists them"),
        })
    }

    fn text(&self) -> &str {
        &self.name
    }
}

/// A pattern of paths, in the syntax of `.gitignore`, without `!`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Glob(pub(super) String);

/// A pattern of paths, in the syntax of `.gitignore`. After `!`, it takes paths out again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exclusion(pub(super) String);

/// A scheme without its colon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scheme(pub(super) String);

/// The name of a rule of one's own.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UrlRuleName(pub(super) String);

macro_rules! checked {
    ($($type:ident: $check:path;)+) => {
        $(impl Text for $type {
            fn parse(text: &str) -> Result<Self, String> {
                $check(text).map(|()| $type(text.to_owned()))
            }

            fn text(&self) -> &str {
                &self.0
            }
        })+
    };
}

checked! {
    Glob: check_glob;
    Exclusion: globs::check;
    Scheme: check_scheme;
    UrlRuleName: check_rule_name;
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
            "`{text}` is no name of a rule; expected letters, digits, `-` and `_`"
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
    /// Which hints people are shown. They all count, and formats for programs have them all.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Hints {
        /// All of them.
        All = "all": "All of them",
        /// The first of each rule; the others are counted.
        #[default]
        First = "first": "The first of each rule, and how many more there are",
        /// None; they are counted.
        None = "none": "How many there are",
    }
}

named! {
    /// What is asked of a URL: a layer of keys below all others.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Profile {
        /// What a maintainer would change is an error or a warning, and the rest of RFC 1738's letter a hint.
        #[default]
        Default = "default": "Errors and warnings are what a maintainer would change",
        /// Every departure from the standard is an error.
        Strict = "strict": "Every departure from the standard is an error",
        /// What Internet-Drafts and RFCs are asked for: RFC 3986, and https where there is http.
        Ietf = "ietf": "For Internet-Drafts and RFCs: RFC 3986, and https where there is http",
    }
}

impl Profile {
    /// Returns the keys that the profile sets, in TOML.
    pub(super) fn keys(self) -> &'static str {
        match self {
            Profile::Default => "",
            Profile::Strict => "hints = 'all'\nseverity = { encoding = 'error', syntax = 'error' }",
            Profile::Ietf => {
                "standard = 'rfc3986'\nextend-select = ['scheme-cleartext', 'scheme-deprecated', 'real-host-in-example', 'reference-mismatch', \
                 'reference-brackets', 'url-in-abstract']\n\
                 url-lists = ['retired-hosts']"
            }
        }
    }
}

macro_rules! texts {
    ($($type:ident)+) => {
        $(
            impl<'de> Deserialize<'de> for $type {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    deserializer.deserialize_str(TextVisitor(PhantomData))
                }
            }

            impl Serialize for $type {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.serialize_str(self.text())
                }
            }
        )+
    };
}

texts! {
    Exclusion Glob Hints Hyphen Kind Level Profile Rejoin RuleName Scheme Severity Standard UrlComponent
    UrlList UrlRuleName
}

/// Parses a string. An error in here gets the place of the string; one outside, that of the whole list.
struct TextVisitor<T>(PhantomData<T>);

impl<T: Text> Visitor<'_> for TextVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        T::parse(text).map_err(E::custom)
    }
}

/// A table whose entries are in the order in which they are written: the last one that matches may
/// decide.
#[derive(Clone, Debug, Deserialize)]
#[serde(from = "BTreeMap<Spanned<K>, V>")]
#[serde(bound(deserialize = "K: Deserialize<'de> + Ord, V: Deserialize<'de>"))]
pub struct Entries<K, V>(pub Vec<(K, V)>);

impl<K, V> From<BTreeMap<Spanned<K>, V>> for Entries<K, V> {
    fn from(table: BTreeMap<Spanned<K>, V>) -> Self {
        let mut entries: Vec<_> = table.into_iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        let entries = entries.into_iter();
        Entries(
            entries
                .map(|(key, value)| (key.into_inner(), value))
                .collect(),
        )
    }
}

impl<K, V> Default for Entries<K, V> {
    fn default() -> Self {
        Entries(Vec::new())
    }
}

impl<K: Serialize, V: Serialize> Serialize for Entries<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

/// A pattern of URLs.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[cfg_attr(
    feature = "cli",
    schemars(inline, title = "URL or `{ regex = \"...\" }`")
)]
#[serde(untagged, deny_unknown_fields)]
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
    /// Compiles the pattern; fails if it is no regular expression.
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
