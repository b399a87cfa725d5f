//! The work of the threads: from sources to rendered diagnostics.

use std::sync::{Arc, Mutex, MutexGuard};

use urlint_documents::Found;
use urlint_engine::{Error, Inputs, Opened, Out, Reading, Source, Text, Work, lock};
use urlint_lint::{Checker, Diagnostic, Fate, Settings, Suppressions};
use urlint_standard::text::{Locator, Position, Window};

use super::batch::{DiagnosticBatch, Reported};
use super::fix::{Fixing, least_made};
use crate::commands::init::is_of_ietf;

/// The state that all threads share for checking.
pub(super) struct Checking {
    pub(super) inputs: Arc<Inputs>,
    /// How fixes are made, if they are.
    pub(super) fixing: Option<Fixing>,
    /// Whether diagnostics are reported.
    pub(super) reports: bool,
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
    /// How many fixes are not made, since the source is in an archive.
    unfixed: u64,
}

impl State {
    fn lazy(&self) -> MutexGuard<'_, Lazy> {
        lock(&self.lazy)
    }
}

impl Checking {
    /// Sends a diagnostic about `found`, if it is about a URL, which begins at `position`.
    fn report(
        &self,
        source: &Source,
        (window, position): (Window<'_>, Position),
        diagnostic: Diagnostic,
        found: Option<&Found<'_>>,
        out: &Out<'_, DiagnosticBatch>,
    ) -> Result<(), Error> {
        let selection = &source.settings.lint().selection;
        let is_fixed = source.is_fixable() && selection.fixes(diagnostic.rule, diagnostic.severity);
        let outer = found.map_or(diagnostic.outer, |found| found.candidate.outer);
        let mut batch = out.batch();
        let (text, text_start) = batch.add_text(window, outer);
        batch.diagnostics.push(Reported {
            name: source.name().clone(),
            least: is_fixed.then(|| least_made(&source.settings)),
            diagnostic,
            outer,
            position,
            message: found.and_then(|found| found.member),
            text,
            text_start,
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
        let checker = self.inputs.checker(source);
        checker.begin(start);
        let is_held = start.len() <= self.whole_up_to();
        let reader = source.reader().with_positions(!is_held);
        let lazy = Mutex::default();
        Ok(Reading::Urls(reader, State { checker, lazy }))
    }

    fn read(&self, text: Text<'_, Self>, out: &Out<'_, DiagnosticBatch>) -> Result<(), Error> {
        let Opened { source, state, .. } = text.opened;
        let fixing = self.fixing.as_ref().filter(|_| source.is_fixable());
        if let (Some(fixing), Some(bytes)) = (fixing, text.whole()) {
            let fixed = fixing.fix(source, &state.checker, bytes, !self.reports, out)?;
            if !self.reports {
                return Ok(());
            }
            let bytes = fixed.as_deref().unwrap_or(bytes);
            state.checker.begin(bytes);
            return self.report_all(text.with(bytes), out);
        }
        self.report_all(text, out)
    }
}

impl Checking {
    /// Reports the diagnostics of a text.
    fn report_all(
        &self,
        text: Text<'_, Self>,
        out: &Out<'_, DiagnosticBatch>,
    ) -> Result<(), Error> {
        let (opened, whole) = (text.opened, text.whole());
        text.each_url(self, out, &mut |found| {
            self.found(opened, whole, found, out)
        })?;
        let Some(whole) = whole else { return Ok(()) };
        let source = &opened.source;
        let is_draft = !source.settings.resolved.has_profile && is_of_ietf(source.name().file());
        out.totals().drafts += u64::from(is_draft);
        self.end(opened, whole, out)
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
        for (diagnostic, fate) in state.checker.judge(found).diagnostics {
            out.totals().fates.add(fate);
            if fate != Fate::Reported {
                continue;
            }
            if !self.reports {
                let (least, selection) = (
                    least_made(&source.settings),
                    &source.settings.lint().selection,
                );
                let is_makeable = selection.fixes(diagnostic.rule, diagnostic.severity)
                    && diagnostic.fix.is_some_and(|fix| fix.applicability >= least);
                state.lazy().unfixed += u64::from(is_makeable);
                out.batch().fixes.add_unmade(is_makeable);
                continue;
            }
            let position = match whole {
                Some(bytes) => {
                    let window = Window { start: 0, bytes };
                    state.lazy().locator.advance(window, outer.start)
                }
                None => found.position.unwrap_or_default(),
            };
            let place = (found.window, position);
            self.report(source, place, diagnostic, Some(found), out)?;
        }
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
        for (diagnostic, fate) in state.checker.end(whole) {
            out.totals().fates.add(fate);
            if fate == Fate::Reported {
                let position = locator.advance(window, diagnostic.outer.start);
                self.report(source, (window, position), diagnostic, None, out)?;
            }
        }
        out.totals().mended += state.checker.mended();
        Ok(())
    }
}
