//! The work of the threads: from sources to rendered diagnostics.

use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard};

use urlint_core::text::{Locator, Place as At, Window};
use urlint_core::{Span, Standard};
use urlint_documents::Found;
use urlint_engine::{Error, Hosts, Inputs, Opened, Out, Reading, Source, Work, lock, read_whole};
use urlint_lint::{Checker, Diagnostic, Settings, Severity, Suppressions};

use super::baseline::Baseline;
use super::batch::{DiagnosticBatch, PlaceCopy, Reported};
use super::fix::{Fixing, least_made};
use super::reports::SharedFolded;
use urlint_report::excerpt::{FilePart, Place};
use urlint_report::{PlacedDiagnostic, Render};

/// The state that all threads share for checking.
pub(super) struct Checking {
    pub(super) inputs: Arc<Inputs>,
    pub(super) hosts: Hosts,
    pub(super) baseline: Baseline,
    /// How fixes are made, if they are.
    pub(super) fixing: Option<Fixing>,
    /// Whether diagnostics are reported.
    pub(super) reports: bool,
    /// The renderer of each report; `None` if it renders on the main thread.
    pub(super) renderers: Vec<Option<Box<dyn Render>>>,
    /// The diagnostics that the first report leaves out.
    pub(super) folded: Option<SharedFolded>,
}

/// The state of a source while it is checked.
pub(super) struct State {
    pub(super) checker: Checker<Arc<Settings>>,
    lazy: Mutex<Lazy>,
}

/// State that most sources do not need.
#[derive(Default)]
struct Lazy {
    /// Counts the lines of a source that is in memory, only as far as its last diagnostic.
    locator: Locator,
    /// The settings for RFC 3986.
    later: Option<Settings>,
    /// How many fixes are not made, since the source is in an archive.
    unfixed: u64,
}

impl State {
    fn lazy(&self) -> MutexGuard<'_, Lazy> {
        lock(&self.lazy)
    }

    /// Returns whether RFC 1738 applies, and `found` has no errors by RFC 3986.
    fn is_without_errors_later(&self, source: &Source, found: &Found<'_>) -> bool {
        if self.checker.settings().standard != Standard::Rfc1738 {
            return false;
        }
        let mut lazy = self.lazy();
        let later = || source.settings.lint_by(Standard::Rfc3986);
        let later = lazy.later.get_or_insert_with(later);
        let mut diagnostics = urlint_lint::lint_found(found, later).into_iter();
        diagnostics.all(|diagnostic| diagnostic.severity != Severity::Error)
    }
}

impl Checking {
    /// Returns the checker for `source`.
    pub(super) fn checker(&self, source: &Source) -> Result<Checker<Arc<Settings>>, Error> {
        let checker = self.hosts.checker(source, &self.inputs)?;
        Ok(checker.with_known(self.baseline.of(source.name())))
    }

    /// Renders a diagnostic for each report; returns where in `out`.
    fn render(&self, out: &mut Vec<u8>, placed: &PlacedDiagnostic<'_>) -> Vec<Range<usize>> {
        let is_folded = |folded: &SharedFolded| lock(folded).would_take(placed.diagnostic);
        let mut is_left_out = self.folded.as_ref().is_some_and(is_folded);
        let render = |renderer: &Option<Box<dyn Render>>| {
            let start = out.len();
            // Only of the first report.
            if !std::mem::take(&mut is_left_out)
                && let Some(renderer) = renderer
            {
                // Writing to memory does not fail.
                let _ = renderer.render(out, placed);
            }
            start..out.len()
        };
        self.renderers.iter().map(render).collect()
    }

    /// Sends a diagnostic. `is_outdated`: it is an error, and the URL has none by RFC 3986.
    fn report(
        &self,
        source: &Source,
        place: &Place<'_>,
        diagnostic: Diagnostic,
        is_outdated: bool,
        out: &Out<'_, DiagnosticBatch>,
    ) -> Result<(), Error> {
        let selection = &source.settings.lint().selection;
        let is_fixed = source.is_fixable() && selection.fixes(diagnostic.rule, diagnostic.severity);
        let least = is_fixed.then(|| least_made(&source.settings));
        let mut batch = out.batch();
        let placed = PlacedDiagnostic {
            path: source.name().file(),
            place,
            diagnostic: &diagnostic,
            least,
        };
        let rendered = self.render(&mut batch.bytes, &placed);
        let shown_place = match diagnostic.severity {
            Severity::Hint => String::new(),
            _ => placed.shown_place(),
        };
        let is_placed = self.renderers.iter().any(Option::is_none);
        let place = is_placed.then(|| PlaceCopy::new(place, &mut batch.bytes));
        batch.diagnostics.push(Reported {
            name: source.name().clone(),
            diagnostic,
            rendered,
            least,
            is_outdated,
            shown_place,
            place,
        });
        drop(batch);
        out.flush_full()
    }
}

impl Work for Checking {
    type Batch = DiagnosticBatch;
    type State = State;

    fn whole_up_to(&self) -> usize {
        match &self.fixing {
            Some(_) => Fixing::MAX_SOURCE,
            None => Suppressions::MAX_SOURCE,
        }
    }

    fn begin(&self, source: &Source, start: &[u8]) -> Result<Reading<Self>, Error> {
        if let Some(fixing) = &self.fixing
            && start.len() > Fixing::MAX_SOURCE
            && source.is_fixable()
        {
            return Ok(Reading::Done(fixing.too_long(source)));
        }
        let checker = self.checker(source)?;
        checker.begin(start);
        let is_held = start.len() <= self.whole_up_to();
        let reader = source.reader().with_positions(!is_held);
        let is_ordered = self.baseline.of(source.name()).is_some();
        let state = State {
            checker,
            lazy: Mutex::default(),
        };
        Ok(match is_ordered {
            // Which of several equal diagnostics is known depends on their order.
            true => Reading::InOrder(reader, state),
            false => Reading::Urls(reader, state),
        })
    }

    fn whole(
        &self,
        source: Source,
        bytes: &[u8],
        out: &Out<'_, DiagnosticBatch>,
    ) -> Result<(), Error> {
        let Some(fixing) = self.fixing.as_ref().filter(|_| source.is_fixable()) else {
            return read_whole(self, source, bytes, out);
        };
        let checker = self.checker(&source)?;
        let fixed = fixing.fix(&source, &checker, bytes, !self.reports, out)?;
        match self.reports {
            true => read_whole(self, source, fixed.as_deref().unwrap_or(bytes), out),
            false => Ok(()),
        }
    }

    fn found(
        &self,
        opened: &Opened<Self>,
        whole: Option<&[u8]>,
        found: &Found<'_>,
        out: &Out<'_, DiagnosticBatch>,
    ) -> Result<(), Error> {
        let Opened { source, state, .. } = opened;
        let outer = found.candidate.outer;
        out.totals().urls += 1;
        // Lazy, since most URLs have no errors and need not be judged twice.
        let mut is_right_later = None;
        let dropped = state.checker.found(found, &mut |diagnostic| {
            if !self.reports {
                let least = least_made(&source.settings);
                let is_made = diagnostic.fix.is_some_and(|fix| fix.applicability >= least);
                state.lazy().unfixed += u64::from(is_made);
                out.batch().fixes.in_archives += u64::from(is_made);
                return Ok(());
            }
            let at = match whole {
                Some(bytes) => {
                    let window = Window { start: 0, bytes };
                    state.lazy().locator.advance(window, outer.start)
                }
                None => found.place.unwrap_or_default(),
            };
            let is_outdated = diagnostic.severity == Severity::Error
                && *is_right_later
                    .get_or_insert_with(|| state.is_without_errors_later(source, found));
            let place = place(source, at, found.window, outer, found.member);
            self.report(source, &place, diagnostic, is_outdated, out)
        })?;
        out.totals().dropped.add(dropped);
        Ok(())
    }

    /// Reports the suppression comments that suppress nothing.
    fn end(
        &self,
        opened: &Opened<Self>,
        whole: &[u8],
        out: &Out<'_, DiagnosticBatch>,
    ) -> Result<(), Error> {
        let Opened { source, state, .. } = opened;
        if !self.reports {
            return super::fix::report_unfixed(source, state.lazy().unfixed, out);
        }
        let mut locator = Locator::default();
        let window = Window {
            start: 0,
            bytes: whole,
        };
        let dropped = state.checker.end(whole, &mut |diagnostic| {
            let at = locator.advance(window, diagnostic.outer.start);
            let place = place(source, at, window, diagnostic.outer, None);
            self.report(source, &place, diagnostic, false, out)
        })?;
        out.totals().dropped.add(dropped);
        Ok(())
    }
}

/// Returns the place of `outer`, which begins at `at`.
fn place<'p>(
    source: &'p Source,
    at: At,
    window: Window<'p>,
    outer: Span,
    message: Option<u64>,
) -> Place<'p> {
    let member = source.name().member();
    Place {
        outer,
        position: at.position,
        line_start: at.line_start,
        window,
        part: FilePart { member, message },
    }
}
