//! Reads a source, lints its URLs, and decides which diagnostics are reported.

use std::collections::HashMap;
use std::io::{self, Read};
use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::diagnostic::Diagnostic;
use super::fate::{Fate, Fates};
use super::found::lint_found;
use super::judged::Judged;
use super::rule::Rule;
use super::rule::Severity;
use super::settings::Settings;
use super::suppress::Suppressions;
use urlint_documents::document::Notice;
use urlint_documents::read::{Content, Event, Found, Reader};

/// Checks a source: lints its URLs, and decides the [`Fate`] of each diagnostic by all that is known: the other
/// diagnostics about the URL, the [suppression comments](Suppressions) in the source, the lowest severity that is
/// wanted, and the diagnostics that are [known](Known).
///
/// [`check`](Self::check) does all of it. Threads that read parts of one source share a `Checker`, which
/// [judges](Self::judge) each URL once.
///
/// ```
/// use urlint::lint::{Checked, Checker, Fate};
/// use urlint::{Reader, Settings, Severity};
///
/// let text: &[u8] = b"http://a.example:/ <!-- urlint: ignore[empty-port] -->
/// http://b.example/~joe
/// http://c.example:/";
/// let settings = Settings::default();
/// let checker = Checker::new(&settings).with_min_severity(Severity::Warning);
/// let mut messages = Vec::new();
/// let fates = checker.check(&Reader::default(), b"note.txt", text, &mut |checked| {
///     if let Checked::Diagnostic(diagnostic, _) = checked {
///         messages.push(diagnostic.message);
///     }
///     Ok::<(), std::io::Error>(())
/// })?;
/// assert_eq!(messages, ["there is a colon without a port"]);
/// assert_eq!((fates.of(Fate::Suppressed), fates.of(Fate::Minor)), (1, 1));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
#[must_use]
pub struct Checker<S> {
    settings: S,
    min_severity: Severity,
    known: Option<Arc<Known>>,
    state: Mutex<State>,
}

/// The suppressions and known diagnostics, which are used up as they decide fates.
#[derive(Debug, Default)]
struct State {
    suppressions: Suppressions,
    /// How often each known diagnostic is still left out.
    known: Known,
}

/// A report of a [`Checker`] about a source.
#[derive(Debug)]
#[non_exhaustive]
#[expect(clippy::large_enum_variant, reason = "it is passed on and not kept")]
pub enum Checked<'c> {
    /// A URL, before its diagnostics.
    Url(&'c Found<'c>),
    /// A diagnostic that is reported, about a URL or about a suppression comment.
    Diagnostic(Diagnostic, Option<&'c Found<'c>>),
    /// A notice about the source itself.
    Notice(Notice),
}

/// Diagnostics of a source that are known, so that they are not reported again: a count for each rule, URL
/// and message. Lines do not matter, since they move.
///
/// ```
/// use urlint::Settings;
/// use urlint::lint::Known;
///
/// let diagnostics = urlint::check(b"http://a.example:/", &Settings::default());
/// let mut known = Known::default();
/// known.add("empty-port", "http://a.example:/", "there is a colon without a port", 1);
/// assert!(known.takes(&diagnostics[0]));
/// assert!(!known.takes(&diagnostics[0]), "it occurs once more");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known(HashMap<(String, String, String), u64>);

impl Known {
    /// Adds `count` diagnostics of the rule named `rule`.
    pub fn add(&mut self, rule: &str, url: &str, message: &str, count: u64) {
        let key = (rule.to_owned(), url.to_owned(), message.to_owned());
        *self.0.entry(key).or_default() += count;
    }

    /// Returns whether `diagnostic` is known. It is then known once less.
    pub fn takes(&mut self, diagnostic: &Diagnostic) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let url = diagnostic.url.clone().unwrap_or_default();
        let key = (
            diagnostic.rule.name().to_owned(),
            url,
            diagnostic.message.clone(),
        );
        match self.0.get_mut(&key) {
            Some(left) if *left > 0 => *left -= 1,
            _ => return false,
        }
        true
    }
}

impl<S: Deref<Target = Settings>> Checker<S> {
    /// A checker that reports diagnostics of every severity. `settings` is a reference or an `Arc`.
    pub fn new(settings: S) -> Self {
        Checker {
            settings,
            min_severity: Severity::Hint,
            known: None,
            state: Mutex::default(),
        }
    }

    /// Sets the lowest severity that is reported.
    pub fn with_min_severity(mut self, severity: Severity) -> Self {
        self.min_severity = severity;
        self
    }

    /// Sets the diagnostics that are known.
    pub fn with_known(mut self, known: impl Into<Option<Arc<Known>>>) -> Self {
        self.known = known.into();
        self
    }

    /// Returns the settings by which URLs are linted.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Begins a source, or the same source again. `start` is the source, or its first
    /// [`Suppressions::MAX_SOURCE`] bytes.
    pub fn begin(&self, start: &[u8]) {
        let marked = &start[..start.len().min(Suppressions::MAX_SOURCE)];
        *self.state() = State {
            suppressions: Suppressions::of(marked),
            known: self.known.as_deref().cloned().unwrap_or_default(),
        };
    }

    /// Lints a URL of the source, and decides the fates of the diagnostics. That uses up suppressions and known
    /// diagnostics, so each URL is judged once, in the order of the source if diagnostics are known.
    ///
    /// ```
    /// use urlint::lint::{Checker, Fate};
    /// use urlint::{Event, Reader, Rule, Settings};
    ///
    /// let settings = Settings::default();
    /// let checker = Checker::new(&settings);
    /// Reader::default().read(b"note.txt", &b"<URL:http:///a\"b>"[..], &mut |event| {
    ///     if let Event::Found(found) = event {
    ///         let judged = checker.judge(&found);
    ///         let fates: Vec<_> = judged.diagnostics.iter().map(|(one, fate)| (one.rule, *fate)).collect();
    ///         assert!(fates.contains(&(Rule::EmptyHost, Fate::Reported)));
    ///         assert!(fates.contains(&(Rule::UnsafeCharacter, Fate::Uncertain)));
    ///         assert_eq!(judged.reported().count(), 1);
    ///     }
    ///     Ok::<(), std::io::Error>(())
    /// })?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn judge<'j, 'f>(&'j self, found: &'j Found<'f>) -> Judged<'j, 'f> {
        let mut diagnostics = lint_found(found, &self.settings);
        if !diagnostics.is_empty() {
            let mut state = self.state();
            for (diagnostic, fate) in &mut diagnostics {
                if *fate == Fate::Reported {
                    let is_suppressed = state.suppressions.suppresses(diagnostic);
                    *fate = self.fate(diagnostic, is_suppressed, &mut state.known);
                }
            }
        }
        Judged {
            found,
            settings: &self.settings,
            diagnostics,
        }
    }

    /// Returns the diagnostics about the suppression comments of the source with their fates, once all of its
    /// URLs were [judged](Self::judge). There are none if `whole`, the source, has more than
    /// [`Suppressions::MAX_SOURCE`] bytes.
    pub fn end(&self, whole: &[u8]) -> Vec<(Diagnostic, Fate)> {
        if whole.len() > Suppressions::MAX_SOURCE {
            return Vec::new();
        }
        let mut state = self.state();
        let suppressions = std::mem::take(&mut state.suppressions);
        let unused = suppressions.unused(whole, &self.settings.selection);
        let with_fate = unused.map(|diagnostic| {
            // A comment suppresses only diagnostics about a URL.
            let fate = self.fate(&diagnostic, false, &mut state.known);
            (diagnostic, fate)
        });
        with_fate.collect()
    }

    /// Returns how many known diagnostics of selected rules were not met by the end of the source.
    #[doc(hidden)]
    pub fn mended(&self) -> u64 {
        let reports = |rule: &str| {
            let rule = Rule::from_name(rule);
            rule.is_some_and(|rule| self.settings.selection.reports(rule, rule.severity()))
        };
        let state = self.state();
        let left = state.known.0.iter();
        left.filter(|((rule, ..), _)| self.min_severity == Severity::Hint && reports(rule))
            .map(|(_, left)| left)
            .sum()
    }

    /// Reads a source to its end, as [`Reader::read`] does, and passes its URLs and the diagnostics that are
    /// reported to `report`, in the order of the URLs. Diagnostics about suppression comments come last. Returns
    /// how many diagnostics have each fate.
    ///
    /// Fails when the content or `report` fails, or when there is no memory for a document.
    pub fn check<'c, E: From<io::Error>>(
        &self,
        reader: &Reader,
        path: &[u8],
        content: impl Into<Content<'c>>,
        report: &mut dyn FnMut(Checked<'_>) -> Result<(), E>,
    ) -> Result<Fates, E> {
        let mut content = content.into();
        let mut start = Vec::new();
        let whole = content.in_memory();
        if whole.is_none() {
            let most = Suppressions::MAX_SOURCE as u64 + 1;
            content.by_ref().take(most).read_to_end(&mut start)?;
        }
        let start = whole.unwrap_or(&start);
        self.begin(start);
        let mut fates = Fates::default();
        let mut pass_on =
            |diagnostics: Vec<(Diagnostic, Fate)>,
             found: Option<&Found<'_>>,
             report: &mut dyn FnMut(Checked<'_>) -> Result<(), E>| {
                for (diagnostic, fate) in diagnostics {
                    fates.add(fate);
                    if fate == Fate::Reported {
                        report(Checked::Diagnostic(diagnostic, found))?;
                    }
                }
                Ok::<(), E>(())
            };
        let visit = &mut |event: Event<'_>| match event {
            Event::Found(found) => {
                report(Checked::Url(&found))?;
                pass_on(self.judge(&found).diagnostics, Some(&found), report)
            }
            Event::Notice(notice) => report(Checked::Notice(notice)),
            _ => Ok(()),
        };
        match whole {
            Some(bytes) => reader.read(path, bytes, visit)?,
            None => reader.read(path, &mut start.chain(content), visit)?,
        }
        pass_on(self.end(start), None, report)?;
        Ok(fates)
    }

    /// Returns the fate of a diagnostic that none about the same URL makes needless.
    fn fate(&self, diagnostic: &Diagnostic, is_suppressed: bool, known: &mut Known) -> Fate {
        if is_suppressed {
            Fate::Suppressed
        } else if diagnostic.severity < self.min_severity {
            Fate::Minor
        } else if known.takes(diagnostic) {
            Fate::Known
        } else {
            Fate::Reported
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
