//! What the threads do: from candidates to rendered diagnostics.

use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use urlint::lint::{Suppressions, Tree};
use urlint::text::{Locator, Window};
use urlint::{Diagnostic, Found, Reader, Settings, Severity, Standard};

use super::batch::DiagnosticBatch;
use super::tree::settings;
use crate::commands::check::fix::least_made;
use crate::error::Error;
use crate::flags::MAX_MARKED;
use crate::jobs::{Context, Emitter, SharedSource, Work};
use crate::report::excerpt::{Part, Place};
use crate::report::{PlacedDiagnostic, Render};
use crate::walk::Input;

/// What all threads share for checking.
pub(super) struct Checking {
    pub(super) context: Context,
    /// The hosts of all sources, if a rule asks for them.
    pub(super) tree: Option<Arc<Tree>>,
    /// The renderer of each report; `None` if it renders on the main thread.
    pub(super) renderers: Vec<Option<Box<dyn Render>>>,
}

impl Checking {
    /// Renders a diagnostic for each report; returns where in `out`.
    fn render(&self, out: &mut Vec<u8>, placed: &PlacedDiagnostic<'_>) -> Vec<Range<usize>> {
        let render = |renderer: &Option<Box<dyn Render>>| {
            let start = out.len();
            if let Some(renderer) = renderer {
                // Writing to memory does not fail.
                let _ = renderer.render(out, placed);
            }
            start..out.len()
        };
        self.renderers.iter().map(render).collect()
    }

    /// Returns whether a report is rendered on the main thread, and needs places.
    fn is_placed(&self) -> bool {
        self.renderers.iter().any(Option::is_none)
    }
}

/// What is kept about a source while it is checked.
#[derive(Default)]
pub(super) struct State(Mutex<StateInner>);

#[derive(Default)]
struct StateInner {
    suppressions: Suppressions,
    /// Counts the lines of a source that is in memory, only as far as its last diagnostic: most files
    /// have none.
    locator: Locator,
    /// The settings with the hosts of all sources.
    with_tree: Option<Arc<Settings>>,
    /// The settings for RFC 3986, once they are needed.
    later: Option<Settings>,
}

impl State {
    fn lock(&self) -> MutexGuard<'_, StateInner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Work for Checking {
    type Batch = DiagnosticBatch;
    type State = State;

    const START: usize = MAX_MARKED;

    fn context(&self) -> &Context {
        &self.context
    }

    fn reader(&self, input: &Input<'_>, is_held: bool) -> Reader {
        self.context.reader.reader(input, !is_held)
    }

    fn begin(&self, source: &SharedSource<Self>, start: &[u8]) {
        let marked = &start[..start.len().min(MAX_MARKED + 1)];
        source.state.lock().suppressions = Suppressions::of(marked);
    }

    fn found(
        &self,
        source: &SharedSource<Self>,
        whole: Option<&[u8]>,
        found: &Found<'_>,
        emitter: &mut Emitter<'_, Self>,
    ) -> Result<(), Error> {
        let outer = found.candidate.outer;
        emitter.totals().urls += 1;
        // Lazy, since most URLs have no errors and need not be judged twice.
        let mut is_right_later = None;
        let with_tree = self.with_tree(source);
        let settings = with_tree.as_deref().unwrap_or(source.settings.lint());
        for diagnostic in found.lint(settings) {
            let mut known = source.state.lock();
            if known.suppressions.suppresses(&diagnostic) {
                emitter.totals().suppressed += 1;
                continue;
            }
            let at = match whole {
                Some(bytes) => {
                    let window = Window { start: 0, bytes };
                    known.locator.advance(window, outer.start)
                }
                None => found.place.unwrap_or_default(),
            };
            let is_outdated = diagnostic.severity == Severity::Error
                && *is_right_later
                    .get_or_insert_with(|| known.is_without_errors_later(source, found));
            drop(known);
            let place = Place {
                outer,
                position: at.position,
                line_start: at.line_start,
                window: found.window,
                part: part(source, found.member),
            };
            self.report(source, &place, diagnostic, is_outdated, emitter)?;
        }
        Ok(())
    }

    /// Reports the suppression comments that suppress nothing.
    fn end(
        &self,
        source: &SharedSource<Self>,
        whole: &[u8],
        emitter: &mut Emitter<'_, Self>,
    ) -> Result<(), Error> {
        if whole.len() > MAX_MARKED {
            return Ok(());
        }
        let mut locator = Locator::default();
        let window = Window {
            start: 0,
            bytes: whole,
        };
        let selection = &source.settings.lint().selection;
        let suppressions = &source.state.lock().suppressions;
        for diagnostic in suppressions.unused(whole, selection) {
            let at = locator.advance(window, diagnostic.outer.start);
            let place = Place {
                outer: diagnostic.outer,
                position: at.position,
                line_start: at.line_start,
                window,
                part: part(source, None),
            };
            self.report(source, &place, diagnostic, false, emitter)?;
        }
        Ok(())
    }
}

impl StateInner {
    /// Returns whether RFC 1738 applies, and `found` has no errors by RFC 3986.
    fn is_without_errors_later(
        &mut self,
        source: &SharedSource<Checking>,
        found: &Found<'_>,
    ) -> bool {
        let settings = &source.settings;
        if settings.lint().standard != Standard::Rfc1738 {
            return false;
        }
        let later = || settings.lint_by(Standard::Rfc3986);
        let later = self.later.get_or_insert_with(later);
        let mut diagnostics = found.lint(later).into_iter();
        diagnostics.all(|diagnostic| diagnostic.severity != Severity::Error)
    }
}

impl Checking {
    /// Returns the settings of a source with the hosts of all sources, if a rule asks for them.
    fn with_tree(&self, source: &SharedSource<Self>) -> Option<Arc<Settings>> {
        let tree = self.tree.as_ref()?;
        let mut known = source.state.lock();
        let settings = || Arc::new(settings(&source.settings, Some(tree)).into_owned());
        Some(known.with_tree.get_or_insert_with(settings).clone())
    }

    /// Sends a diagnostic. `is_outdated`: it is an error, and the URL has none by RFC 3986.
    fn report(
        &self,
        source: &SharedSource<Self>,
        place: &Place<'_>,
        diagnostic: Diagnostic,
        is_outdated: bool,
        emitter: &mut Emitter<'_, Self>,
    ) -> Result<(), Error> {
        if diagnostic.severity < source.settings.resolved.min_severity {
            emitter.totals().minor += 1;
            return Ok(());
        }
        let least = source.is_fixable.then(|| least_made(&source.settings));
        let batch = emitter.batch();
        let placed = PlacedDiagnostic {
            path: &source.name.file,
            place,
            diagnostic: &diagnostic,
            least,
        };
        let rendered = self.render(batch.bytes(), &placed);
        let place = self.is_placed().then_some(place);
        let name = &source.name;
        batch.add(name, diagnostic, rendered, least, is_outdated, place);
        emitter.flush_full()
    }
}

/// Returns which part of the file a diagnostic is in.
fn part(source: &SharedSource<Checking>, message: Option<u64>) -> Part<'_> {
    Part {
        member: source.name.member.as_deref(),
        message,
    }
}
