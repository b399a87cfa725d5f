//! Progress, on standard error.

use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use clap::ValueEnum;
use console::Term;
use indicatif::{HumanBytes, ProgressBar, ProgressDrawTarget, ProgressStyle};

use urlint_engine::Inputs;

use crate::stdout::Output;
use urlint_report::terminal::{complain, count};

/// How long the work must take before a bar is shown.
const SHORT: Duration = Duration::from_millis(500);

/// The most times that the bar is drawn in a second.
const RATE: u8 = 10;

const BAR: &str = "{bytes} of {total_bytes}, {bytes_per_sec}, {eta} left, {msg} [{wide_bar}]";
const NO_BAR: &str = "{bytes}, {bytes_per_sec}, {elapsed}, {msg}";

/// When to show the progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// If it takes long, and standard error is a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Shows the progress, if requested. By default there is none, for runs that are usually short.
#[derive(Default)]
pub(crate) struct Progress {
    /// Whether an interruption is reported.
    is_told: bool,
    /// How many bytes there are to read, if known.
    size: Option<u64>,
    /// Hidden at first, but updated from the start, so that it knows the speed of the work.
    bar: Option<ProgressBar>,
    /// When to show it; `None` once it is shown.
    shown_after: Option<Duration>,
    /// How many results there are so far.
    pub(crate) found: u64,
    /// The word for a result.
    noun: &'static str,
}

impl Progress {
    /// `noun`: the word for a result. Results that are written to `output` appear above the bar.
    pub(crate) fn new(when: When, inputs: &Inputs, noun: &'static str, output: &Output) -> Self {
        let is_typed = || inputs.has_stdin() && io::stdin().is_terminal();
        let is_shown = match when {
            When::Auto => io::stderr().is_terminal() && !is_typed(),
            When::Always => true,
            When::Never => false,
        };
        let quiet = output.verbosity.is_quiet();
        let size = if quiet { None } else { inputs.size() };
        let bar = (is_shown && !quiet).then(|| bar(size));
        if output.terminal {
            output.bar.replace(bar.clone());
        }
        Progress {
            is_told: !quiet,
            size,
            bar,
            shown_after: Some(match when {
                When::Always => Duration::ZERO,
                When::Auto | When::Never => SHORT,
            }),
            found: 0,
            noun,
        }
    }

    /// Updates the bar; `read` bytes have been read.
    pub(crate) fn tick(&mut self, read: &AtomicU64) {
        let Some(bar) = &self.bar else {
            return;
        };
        bar.set_message(count(self.found, self.noun));
        bar.set_position(read.load(Ordering::Relaxed));
        if (self.shown_after).is_some_and(|after| bar.elapsed() >= after) {
            self.shown_after = None;
            // Whether it is a terminal or not.
            let errors = Box::new(Term::stderr());
            let target = ProgressDrawTarget::term_like_with_hz(errors, RATE);
            bar.set_draw_target(target);
            bar.tick();
        }
    }

    /// Runs `write`, which writes to standard error.
    pub(crate) fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }

    /// Removes the bar.
    pub(crate) fn end(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }

    /// Reports that the work was interrupted, and how far it was.
    pub(crate) fn report_interrupted(&self, read: &AtomicU64) {
        if !self.is_told {
            return;
        }
        let read = HumanBytes(read.load(Ordering::Relaxed));
        let size = self.size.map(|size| format!(" of {}", HumanBytes(size)));
        let (size, found) = (size.unwrap_or_default(), count(self.found, self.noun));
        complain(&format!("interrupted: {read}{size} read, {found} found"));
    }
}

fn bar(size: Option<u64>) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(size, ProgressDrawTarget::hidden());
    let style = ProgressStyle::with_template(if size.is_some() { BAR } else { NO_BAR });
    // A test makes sure that the templates are valid.
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may fail")]
mod tests {
    use super::*;

    #[test]
    fn the_templates_are_valid() {
        for template in [BAR, NO_BAR] {
            ProgressStyle::with_template(template).unwrap();
        }
    }
}
