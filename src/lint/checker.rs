//! Reads a source, lints its URLs, and drops the diagnostics that are not reported.

use std::collections::HashMap;
use std::io::{self, Read};
use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::covered::drop_doubted;
use super::diagnostic::Diagnostic;
use super::found::lint_found;
use super::rule::Severity;
use super::settings::Settings;
use super::suppress::Suppressions;
use urlint_documents::document::Notice;
use urlint_documents::read::{Content, Event, Found, Reader};

/// Checks a source: lints its URLs, and drops each diagnostic that a
/// [suppression comment](Suppressions) in the source suppresses, that is less severe than wanted, or that
/// is [known](Known). Dropped diagnostics are counted.
///
/// [`check`](Self::check) does all of it. Threads that read parts of one source share a `Checker`: they
/// pass the URLs to [`found`](Self::found).
///
/// ```
/// use urlint::lint::{Checked, Checker};
/// use urlint::{Reader, Settings, Severity};
///
/// let text: &[u8] = b"http://a.example:/ <!-- urlint: ignore[empty-port] -->
/// http://b.example/~joe
/// http://c.example:/";
/// let settings = Settings::default();
/// let checker = Checker::new(&settings).with_min_severity(Severity::Warning);
/// let mut messages = Vec::new();
/// let dropped = checker.check(&Reader::default(), b"note.txt", text, &mut |checked| {
///     if let Checked::Diagnostic(diagnostic, _) = checked {
///         messages.push(diagnostic.message);
///     }
///     Ok::<(), std::io::Error>(())
/// })?;
/// assert_eq!(messages, ["there is a colon without a port"]);
/// assert_eq!((dropped.suppressed, dropped.minor), (1, 1));
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

/// The suppressions and known diagnostics, which are used up as they drop diagnostics.
#[derive(Debug, Default)]
struct State {
    suppressions: Suppressions,
    /// How often each known diagnostic is still dropped.
    known: Known,
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

impl Dropped {
    /// Adds `other`.
    pub fn add(&mut self, other: Dropped) {
        self.suppressed += other.suppressed;
        self.minor += other.minor;
        self.known += other.known;
    }
}

/// A report of a [`Checker`] about a source.
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

    /// Passes the diagnostics about a URL of the source to `report`; returns how many were dropped.
    ///
    /// Fails when `report` fails.
    pub fn found<E>(
        &self,
        found: &Found<'_>,
        report: &mut dyn FnMut(Diagnostic) -> Result<(), E>,
    ) -> Result<Dropped, E> {
        let mut dropped = Dropped::default();
        let mut diagnostics = lint_found(found, &self.settings);
        drop_doubted(&mut diagnostics);
        for diagnostic in diagnostics {
            match self.why_dropped(&diagnostic, true) {
                Some(why) => dropped.add(why),
                None => report(diagnostic)?,
            }
        }
        Ok(dropped)
    }

    /// Returns whether `diagnostic`, which is about a URL of the source, is dropped.
    pub fn drops(&self, diagnostic: &Diagnostic) -> bool {
        self.why_dropped(diagnostic, true).is_some()
    }

    /// Passes the diagnostics about the suppression comments of the source to `report`, once all of its URLs
    /// were passed to [`found`](Self::found), and returns how many were dropped. There are none if `whole`, the
    /// source, has more than [`Suppressions::MAX_SOURCE`] bytes.
    ///
    /// Fails when `report` fails.
    pub fn end<E>(
        &self,
        whole: &[u8],
        report: &mut dyn FnMut(Diagnostic) -> Result<(), E>,
    ) -> Result<Dropped, E> {
        let mut dropped = Dropped::default();
        if whole.len() > Suppressions::MAX_SOURCE {
            return Ok(dropped);
        }
        let suppressions = std::mem::take(&mut self.state().suppressions);
        for diagnostic in suppressions.unused(whole, &self.settings.selection) {
            match self.why_dropped(&diagnostic, false) {
                Some(why) => dropped.add(why),
                None => report(diagnostic)?,
            }
        }
        Ok(dropped)
    }

    /// Reads a source to its end, as [`Reader::read`] does, and passes its URLs and their diagnostics to
    /// `report`, in the order of the URLs. Diagnostics about suppression comments come last. Returns how many
    /// were dropped.
    ///
    /// Fails when the content or `report` fails, or when there is no memory for a document.
    pub fn check<'c, E: From<io::Error>>(
        &self,
        reader: &Reader,
        path: &[u8],
        content: impl Into<Content<'c>>,
        report: &mut dyn FnMut(Checked<'_>) -> Result<(), E>,
    ) -> Result<Dropped, E> {
        let mut content = content.into();
        let mut start = Vec::new();
        let whole = content.in_memory();
        if whole.is_none() {
            let most = Suppressions::MAX_SOURCE as u64 + 1;
            content.by_ref().take(most).read_to_end(&mut start)?;
        }
        let start = whole.unwrap_or(&start);
        self.begin(start);
        let mut dropped = Dropped::default();
        let visit = &mut |event: Event<'_>| match event {
            Event::Found(found) => {
                report(Checked::Url(&found))?;
                let more = self.found(&found, &mut |diagnostic| {
                    report(Checked::Diagnostic(diagnostic, Some(&found)))
                });
                more.map(|more| dropped.add(more))
            }
            Event::Notice(notice) => report(Checked::Notice(notice)),
            _ => Ok(()),
        };
        match whole {
            Some(bytes) => reader.read(path, bytes, visit)?,
            None => reader.read(path, &mut start.chain(content), visit)?,
        }
        dropped.add(self.end(start, &mut |diagnostic| {
            report(Checked::Diagnostic(diagnostic, None))
        })?);
        Ok(dropped)
    }

    /// Returns why `diagnostic` is dropped, as a count of one; `None` if it is not. A comment suppresses only
    /// diagnostics about a URL.
    fn why_dropped(&self, diagnostic: &Diagnostic, is_about_url: bool) -> Option<Dropped> {
        let State {
            suppressions,
            known,
        } = &mut *self.state();
        let mut dropped = Dropped::default();
        if is_about_url && suppressions.suppresses(diagnostic) {
            dropped.suppressed = 1;
        } else if diagnostic.severity < self.min_severity {
            dropped.minor = 1;
        } else if known.takes(diagnostic) {
            dropped.known = 1;
        } else {
            return None;
        }
        Some(dropped)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
