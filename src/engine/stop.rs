//! Ending a run early.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};

/// Asks a run to end early, with the results so far. A handler of signals may set its number.
#[derive(Debug, Default)]
pub struct Stop {
    /// Zero until the run is to end.
    requested: Arc<AtomicUsize>,
    stdin: AtomicU8,
}

/// No thread waits for standard input.
const BUSY: u8 = 0;
/// A thread waits for standard input, until the run is to end.
const WAITING: u8 = 1;
/// A thread waited for standard input when the run was to end, and stopped reading.
const ENDED: u8 = 2;

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
        self.stdin.store(WAITING, Ordering::Release);
        while !can_read_stdin() {
            if self.is_requested() {
                self.stdin.store(ENDED, Ordering::Release);
                return false;
            }
        }
        self.stdin.store(BUSY, Ordering::Release);
        true
    }

    /// Returns whether a thread waits for standard input, or did when the run was to end: then its results end
    /// soon by themselves.
    pub(super) fn ends_soon(&self) -> bool {
        self.stdin.load(Ordering::Acquire) != BUSY
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
