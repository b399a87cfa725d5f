//! Reads a source, lints its URLs, and drops the diagnostics that are not reported.

use std::collections::HashMap;
use std::io::{self, Read};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::diagnostic::Diagnostic;
use super::rule::Severity;
use super::settings::Settings;
use super::suppress::Suppressions;
use crate::document::Notice;
use crate::read::{Content, Event, Found, Reader};

/// Checks a source: lints its URLs, and drops each diagnostic that a
/// [suppression comment](Suppressions) in the source suppresses, that is less severe than wanted, or that
/// is [known](Known). What is dropped is counted.
///
/// [`check`](Self::check) does all of it. Threads that read parts of one source share a `Checker`: they
/// pass the URLs to [`found`](Self::found).
///
/// ```
/// use urlint::lint::{Checked, Checker};
/// use urlint::{Reader, Settings, Severity};
///
/// let text: &[u8] = b"http://a.example:/ <!-- urlint: ignore[empty-port] -->\nhttp://b.example/~joe\nhttp://c.example:/";
/// let settings = Settings::default();
/// let checker = Checker::new(&settings).with_min_severity(Severity::Warning);
/// let mut messages = Vec::new();
/// checker.check(&Reader::default(), b"note.txt", text, &mut |checked| {
///     if let Checked::Diagnostic(diagnostic, _) = checked {
///         messages.push(diagnostic.message);
///     }
///     Ok::<(), std::io::Error>(())
/// })?;
/// assert_eq!(messages, ["there is a colon without a port"]);
/// let dropped = checker.dropped();
/// assert_eq!((dropped.suppressed, dropped.minor), (1, 1));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Checker<'s> {
    settings: &'s Settings,
    min_severity: Severity,
    known: Option<Arc<Known>>,
    state: Mutex<State>,
}

/// What the diagnostics so far have done.
#[derive(Debug, Default)]
struct State {
    suppressions: Suppressions,
    /// How often each known diagnostic is still dropped.
    known: Known,
    dropped: Dropped,
}

/// How many diagnostics a [`Checker`] has dropped, by the reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Dropped {
    /// A suppression comment suppresses them.
    pub suppressed: u64,
    /// They are less severe than wanted.
    pub minor: u64,
    /// They are known.
    pub known: u64,
}

/// What a [`Checker`] reports about a source.
#[derive(Debug)]
#[non_exhaustive]
#[expect(clippy::large_enum_variant, reason = "it is passed on and not kept")]
pub enum Checked<'c> {
    /// A URL, before its diagnostics.
    Url(&'c Found<'c>),
    /// A diagnostic about a URL, or about a suppression comment.
    Diagnostic(Diagnostic, Option<&'c Found<'c>>),
    /// A notice about the source itself.
    Notice(Notice),
}

/// Diagnostics of a source that are known, so that they are not reported again: how often there is one of
/// a rule about a URL with a message. Lines do not matter, since they move.
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

impl<'s> Checker<'s> {
    /// A checker that reports diagnostics of every severity.
    #[must_use]
    pub fn new(settings: &'s Settings) -> Self {
        Checker {
            settings,
            min_severity: Severity::Hint,
            known: None,
            state: Mutex::default(),
        }
    }

    /// Sets the lowest severity that is reported.
    #[must_use]
    pub fn with_min_severity(mut self, severity: Severity) -> Self {
        self.min_severity = severity;
        self
    }

    /// Sets the diagnostics that are known.
    #[must_use]
    pub fn with_known(mut self, known: impl Into<Option<Arc<Known>>>) -> Self {
        self.known = known.into();
        self
    }

    /// Returns the settings by which URLs are linted.
    #[must_use]
    pub fn settings(&self) -> &'s Settings {
        self.settings
    }

    /// Begins a source, or the same source again. `start` is the source, or its beginning:
    /// [`Suppressions::MAX_SOURCE`] bytes and one more.
    pub fn begin(&self, start: &[u8]) {
        let marked = &start[..start.len().min(Suppressions::MAX_SOURCE)];
        *self.state() = State {
            suppressions: Suppressions::of(marked),
            known: self.known.as_deref().cloned().unwrap_or_default(),
            dropped: Dropped::default(),
        };
    }

    /// Passes the diagnostics about a URL of the source to `report`.
    ///
    /// Fails when `report` fails.
    pub fn found<E>(
        &self,
        found: &Found<'_>,
        report: &mut dyn FnMut(Diagnostic) -> Result<(), E>,
    ) -> Result<(), E> {
        let diagnostics = found.lint(self.settings).into_iter();
        diagnostics
            .filter(|diagnostic| !self.drops(diagnostic))
            .try_for_each(report)
    }

    /// Returns whether `diagnostic`, which is about a URL of the source, is dropped, and counts it if it is.
    pub fn drops(&self, diagnostic: &Diagnostic) -> bool {
        let mut state = self.state();
        if state.suppressions.suppresses(diagnostic) {
            state.dropped.suppressed += 1;
            return true;
        }
        self.drops_unsuppressed(diagnostic, &mut state)
    }

    fn drops_unsuppressed(&self, diagnostic: &Diagnostic, state: &mut State) -> bool {
        if diagnostic.severity < self.min_severity {
            state.dropped.minor += 1;
        } else if state.known.takes(diagnostic) {
            state.dropped.known += 1;
        } else {
            return false;
        }
        true
    }

    /// Passes the diagnostics about the suppression comments of the source to `report`, once all of its URLs
    /// were passed to [`found`](Self::found). There are none if `whole`, the source, has more than
    /// [`Suppressions::MAX_SOURCE`] bytes.
    ///
    /// Fails when `report` fails.
    pub fn end<E>(
        &self,
        whole: &[u8],
        report: &mut dyn FnMut(Diagnostic) -> Result<(), E>,
    ) -> Result<(), E> {
        if whole.len() > Suppressions::MAX_SOURCE {
            return Ok(());
        }
        let mut state = self.state();
        let unused = state.suppressions.unused(whole, &self.settings.selection);
        let mut unused: Vec<_> = unused.collect();
        unused.retain(|diagnostic| !self.drops_unsuppressed(diagnostic, &mut state));
        drop(state);
        unused.into_iter().try_for_each(report)
    }

    /// Reads a source to its end, as [`Reader::read`] does, and passes its URLs and their diagnostics to
    /// `report`, in the order of the URLs. Diagnostics about suppression comments come last.
    ///
    /// Fails when the content or `report` fails, or when there is no memory for a document.
    pub fn check<'c, E: From<io::Error>>(
        &self,
        reader: &Reader,
        path: &[u8],
        content: impl Into<Content<'c>>,
        report: &mut dyn FnMut(Checked<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut content = content.into();
        let mut start = Vec::new();
        let whole = content.in_memory();
        if whole.is_none() {
            let most = Suppressions::MAX_SOURCE as u64 + 1;
            content.by_ref().take(most).read_to_end(&mut start)?;
        }
        let start = whole.unwrap_or(&start);
        self.begin(start);
        let visit = &mut |event: Event<'_>| match event {
            Event::Found(found) => {
                report(Checked::Url(&found))?;
                self.found(&found, &mut |diagnostic| {
                    report(Checked::Diagnostic(diagnostic, Some(&found)))
                })
            }
            Event::Notice(notice) => report(Checked::Notice(notice)),
        };
        match whole {
            Some(bytes) => reader.read(path, bytes, visit)?,
            None => reader.read(path, &mut start.chain(content), visit)?,
        }
        self.end(start, &mut |diagnostic| {
            report(Checked::Diagnostic(diagnostic, None))
        })
    }

    /// Returns how many diagnostics of the source have been dropped.
    #[must_use]
    pub fn dropped(&self) -> Dropped {
        self.state().dropped
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
