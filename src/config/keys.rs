//! The keys of a configuration file: a field for each. The manual, the JSON Schema and editors show
//! its comment.

use std::path::PathBuf;
use std::sync::LazyLock;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use urlint_documents::document::Kind;
use urlint_find::{Hyphen, Rejoin};
use urlint_lint::Severity;
use urlint_standard::standard::Standard;

use super::format::Outputs;
use super::names::{RuleName, unknown};
use super::url_rules::{UrlList, UrlRuleKeys};
use super::values::{
    Entries, Exclusion, Glob, IgnoredUrl, Level, Name, Profile, Scheme, Show, UrlRuleName,
};

/// Defines the keys: a field for each, and the list of their names.
macro_rules! keys {
    ($(#[$on_type:meta])* pub struct Keys { $($(#[$on_key:meta])* pub $key:ident: $value:ty,)+ }) => {
        $(#[$on_type])*
        pub struct Keys { $($(#[$on_key])* pub $key: $value,)+ }

        /// The names of the fields, as they are written in a file.
        static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| {
            let names = [$(stringify!($key)),+];
            names.map(|name| &*name.replace('_', "-").leak()).to_vec()
        });

        impl Keys {
            /// Sets the key called `name` to the value that `deserializer` has. Returns `None` if there is no such key.
            ///
            /// # Errors
            ///
            /// Fails with the error of the deserializer if the key takes no such value.
            ///
            /// ```
            /// use serde_json::json;
            /// use urlint::config::Keys;
            ///
            /// let mut keys = Keys::default();
            /// assert!(keys.set("deep", json!(true)).is_some_and(|set| set.is_ok()));
            /// assert_eq!(keys.deep.0, Some(true));
            /// assert!(keys.set("rejoin", json!(true)).is_some_and(|set| set.is_err()));
            /// assert!(keys.set("deeep", json!(true)).is_none());
            /// ```
            pub fn set<'de, D: Deserializer<'de>>(&mut self, name: &str, deserializer: D) -> Option<Result<(), D::Error>> {
                // In a file there is `-` where a field has `_`.
                let field = if name.contains('_') { return None } else { name.replace('-', "_") };
                Some(match &*field {
                    $(stringify!($key) => Deserialize::deserialize(deserializer).map(|value| self.$key = value),)+
                    _ => return None,
                })
            }
        }
    };
}

keys! {
    /// The keys that one configuration file sets, or one call. For the others, the [layers](super::Options)
    /// below decide, and then the default.
    #[derive(Clone, Debug, Default, Serialize)]
    #[cfg_attr(test, derive(schemars::JsonSchema))]
    #[serde(deny_unknown_fields, rename_all = "kebab-case")]
    #[non_exhaustive]
    pub struct Keys {
        /// A preset of rules, standard and severities, see [rules](urlint_manual::rules).
        pub profile: Setting<Name<Profile>>,
        /// The rules that report.
        pub select: Option<Vec<RuleName>>,
        /// Rules to add to `select`.
        pub extend_select: Setting<Vec<RuleName>>,
        /// Rules that do not report, whatever selects them.
        pub ignore: Setting<Vec<RuleName>>,
        /// The severity of diagnostics.
        ///
        /// Setting it also selects a rule, unless the same file has a `select` without that rule.
        /// `"off"` ignores the rule.
        pub severity: Setting<Entries<RuleName, Name<Level>>>,
        /// Rules that do not report in some files.
        pub per_file_ignores: Setting<Entries<Glob, Vec<RuleName>>>,
        /// The standard by which URLs are judged, see [standards](urlint_manual::standards).
        pub standard: Setting<Name<Standard>>,
        /// URLs that `check` and `extract` ignore.
        ///
        /// A URL stands for itself and for everything below it. `http://a.example/x` includes URLs that
        /// continue with `/`, `?`, `#`, `&` or `;`, but not `http://a.example/xy` or
        /// `http://a.example:80/x`. `*` stands for any characters except `/`, `**` for any characters,
        /// and `?` for one character other than `/`. Fragments are not considered. Regular expressions
        /// have the syntax of [regex](https://docs.rs/regex) and match anywhere in the URL.
        pub ignore_urls: Setting<Vec<IgnoredUrl>>,
        /// Your own rules about URLs, by name; see [rules](urlint_manual::rules).
        pub url_rules: Setting<Entries<UrlRuleName, UrlRuleKeys>>,
        /// Lists of URLs to avoid that come with urlint, see [rules](urlint_manual::rules).
        pub url_lists: Setting<Vec<Name<UrlList>>>,
        /// Files and folders to skip in folders.
        pub exclude: Setting<Vec<Exclusion>>,
        /// The kinds of files, see [documents](urlint_manual::documents); the last match wins.
        pub types: Setting<Entries<Glob, Name<Kind>>>,
        /// When to join lines, see [rejoining](urlint_manual::rejoining).
        pub rejoin: Setting<Name<Rejoin>>,
        /// Whether to keep a hyphen at a line break.
        pub hyphen: Setting<Name<Hyphen>>,
        /// Also find `www.example.com` and `ftp.example.com`.
        pub schemeless: Setting<bool>,
        /// Schemes to find without slashes, like `mailto:`.
        pub schemes: Setting<Vec<Scheme>>,
        /// Also read comments, scripts and styles of HTML and XML.
        pub deep: Setting<bool>,
        /// Skip code in Markdown.
        pub skip_code: Setting<bool>,
        /// The formats in which `check` prints diagnostics, see [formats](urlint_manual::formats).
        pub output_format: Setting<Outputs>,
        /// The lowest severity that is reported.
        pub min_severity: Setting<Name<Severity>>,
        /// The diagnostics to show to people; the hidden ones count too.
        pub show: Setting<Name<Show>>,
        /// Include unsafe fixes, see [fixing](urlint_manual::fixing).
        pub unsafe_fixes: Setting<bool>,
        /// Known diagnostics, see [checking](urlint_manual::checking).
        #[serde(serialize_with = "as_text")]
        #[cfg_attr(test, schemars(title = "path", length(min = 1)))]
        pub baseline: Option<PathBuf>,
        /// A file to inherit from.
        ///
        /// Each key of this file takes precedence over the file that it extends; in tables, each entry
        /// does. Rules are selected in layers: `select` discards the selection of the extended file, while
        /// `extend-select` and `ignore` change it.
        #[cfg_attr(test, schemars(title = "path", length(min = 1)))]
        pub extend: Option<PathBuf>,
    }
}

impl Keys {
    /// Returns the names of all keys, in the order of the manual.
    #[doc(hidden)]
    #[must_use]
    pub fn names() -> &'static [&'static str] {
        &NAMES
    }

    /// Returns the message for `name`, which is no key.
    #[doc(hidden)]
    #[must_use]
    pub fn unknown(name: &str) -> String {
        unknown("key", name, &NAMES)
    }
}

/// Serializes a path, which need not be UTF-8: the folder of the file is part of it.
fn as_text<S: Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
    let text = path.as_ref().map(|path| path.to_string_lossy());
    text.serialize(serializer)
}

/// The value of a key, or `None` if it is not set. The default of the key is that of the type.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(transparent)]
pub struct Setting<T>(pub Option<T>);

impl<T> From<Option<T>> for Setting<T> {
    fn from(value: Option<T>) -> Self {
        Setting(value)
    }
}

impl<T> From<Option<T>> for Setting<Name<T>> {
    fn from(value: Option<T>) -> Self {
        Setting(value.map(Name))
    }
}

#[cfg(test)]
mod tests;
