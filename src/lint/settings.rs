//! The settings by which URLs are found, judged and reported.

use std::sync::Arc;

use super::ignore_urls::IgnoredUrls;
use super::restricted::UrlRule;
use super::selection::Selection;
use urlint_find::Finder;
use urlint_standard::standard::Standard;

/// How URLs are found and judged, and which diagnostics about them are reported.
///
/// ```
/// use urlint::{Rule, Settings};
/// use urlint::lint::{Selection, Selector};
///
/// let mut selection = Selection::none();
/// selection.add(Selector::Rule(Rule::UnsafeCharacter));
/// let settings = Settings::default().with_selection(selection);
/// assert_eq!(urlint::check(b"see http://a.example/~x", &settings).len(), 1);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
#[must_use]
pub struct Settings {
    /// How URLs are found, by default with [mistakes](Finder::mistakes) in `http://`.
    pub finder: Finder,
    /// The standard by which URLs are judged.
    pub standard: Standard,
    /// The rules that report.
    pub selection: Selection,
    /// The URLs that are never reported.
    pub ignored: IgnoredUrls,
    /// The user's own rules.
    pub url_rules: Arc<[UrlRule]>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            finder: Finder::default().with_mistakes(true),
            standard: Standard::default(),
            selection: Selection::default(),
            ignored: IgnoredUrls::default(),
            url_rules: Arc::default(),
        }
    }
}

impl Settings {
    /// Sets how URLs are found.
    pub fn with_finder(self, finder: Finder) -> Settings {
        Settings { finder, ..self }
    }

    /// Sets the standard, by which broken URLs are also rejoined, and the default
    /// [selection](Selection::of) of rules under it.
    pub fn with_standard(self, standard: Standard) -> Settings {
        Settings {
            finder: self.finder.with_standard(standard),
            standard,
            selection: Selection::of(standard),
            ..self
        }
    }

    /// Sets the selection of rules.
    pub fn with_selection(self, selection: Selection) -> Settings {
        Settings { selection, ..self }
    }

    /// Sets the URLs that are never reported.
    pub fn with_ignored(self, ignored: IgnoredUrls) -> Settings {
        Settings { ignored, ..self }
    }

    /// Sets the user's own rules, which [`Rule::RestrictedUrl`](crate::Rule::RestrictedUrl) reports.
    pub fn with_url_rules(self, rules: impl IntoIterator<Item = UrlRule>) -> Settings {
        let url_rules = rules.into_iter().collect();
        Settings { url_rules, ..self }
    }
}
