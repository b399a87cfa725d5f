//! Ctrl-C, and other signals whose handlers raise an exception.

use std::time::{Duration, Instant};

use pyo3::prelude::*;

/// How long to work or to wait between checks for signals.
pub(crate) const PAUSE: Duration = Duration::from_millis(100);

/// How many bytes are searched between looks at the clock, which take time too.
const STEP: usize = 64 << 10;

/// A URL takes about as long as this many bytes without one.
pub(crate) const URL_COSTS: usize = 1024;

/// Fails if the user has pressed Ctrl-C, or if another signal handler raises an exception. Must be
/// called without the GIL.
pub(crate) fn interrupted() -> PyResult<()> {
    Python::try_attach(|py| py.check_signals()).unwrap_or(Ok(()))
}

/// Checks for signals now and then, since other threads may have the GIL.
pub(crate) struct InterruptCheck {
    /// About how many bytes have been searched since the last look at the clock.
    bytes: usize,
    checked: Instant,
}

impl InterruptCheck {
    pub(crate) fn new() -> Self {
        let checked = Instant::now();
        InterruptCheck { bytes: 0, checked }
    }

    #[inline]
    pub(crate) fn spend(&mut self, bytes: usize) -> PyResult<()> {
        self.bytes += bytes;
        if self.bytes < STEP {
            return Ok(());
        }
        self.bytes = 0;
        if self.checked.elapsed() < PAUSE {
            return Ok(());
        }
        self.checked = Instant::now();
        interrupted()
    }
}
