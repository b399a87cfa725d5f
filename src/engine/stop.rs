//! Ending a run early.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Asks a run to end early, with the results so far. A handler of signals may set its number.
#[derive(Debug, Default)]
pub struct Stop {
    /// Zero until the run is to end.
    requested: Arc<AtomicUsize>,
    /// Whether a thread waits for standard input, or did when the run was to end, and stopped reading.
    waits_for_stdin: AtomicBool,
}

impl Stop {
    /// Returns the number to set to end the run: anything but zero.
    pub fn number(&self) -> &Arc<AtomicUsize> {
        &self.requested
    }

    /// Returns whether the run is to end.
    pub fn is_requested(&self) -> bool {
        self.requested.load(Ordering::Relaxed) != 0
    }

    /// Waits until standard input can be read or has ended. Returns false if the run is to end first.
    pub(super) fn wait_for_stdin(&self) -> bool {
        self.waits_for_stdin.store(true, Ordering::Release);
        while !can_read_stdin() {
            if self.is_requested() {
                return false;
            }
        }
        self.waits_for_stdin.store(false, Ordering::Release);
        true
    }

    /// Returns whether a thread waits for standard input, or did when the run was to end: then its results end
    /// soon by themselves.
    pub(super) fn ends_soon(&self) -> bool {
        self.waits_for_stdin.load(Ordering::Acquire)
    }
}

/// Returns whether standard input can be read without blocking, after waiting a little.
#[cfg(unix)]
fn can_read_stdin() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    const TICK: Timespec = Timespec {
        tv_sec: 0,
        tv_nsec: 50_000_000,
    };
    let stdin = std::io::stdin();
    let mut fds = [PollFd::new(&stdin, PollFlags::IN)];
    // If polling fails, reading is tried.
    !matches!(
        poll(&mut fds, Some(&TICK)),
        Ok(0) | Err(rustix::io::Errno::INTR)
    )
}

#[cfg(not(unix))]
fn can_read_stdin() -> bool {
    true
}
