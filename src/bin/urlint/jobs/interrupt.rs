//! Signals that end the process: Ctrl-C (SIGINT) and SIGTERM.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::error::Exit;

/// Remembers the first signal, so that the work can end properly. A second one ends the process at once.
#[derive(Debug)]
pub(crate) struct Interrupt {
    /// The number of the signal, or 0.
    signal: Arc<AtomicUsize>,
    stdin: AtomicU8,
}

/// No thread waits for standard input.
const BUSY: u8 = 0;
/// A thread waits for standard input, until a signal comes.
const WAITING: u8 = 1;
/// A thread waited for standard input when a signal came, and stopped reading.
const ENDED: u8 = 2;

impl Interrupt {
    pub(crate) fn new() -> Self {
        let signal = Arc::new(AtomicUsize::new(0));
        let again = Arc::new(AtomicBool::new(false));
        for number in [SIGINT, SIGTERM] {
            // If this fails, the signal ends the process, as it does by default.
            let _ = flag::register_conditional_shutdown(number, 128 + number, again.clone())
                .and_then(|_| flag::register(number, again.clone()))
                .and_then(|_| flag::register_usize(number, signal.clone(), number as usize));
        }
        Interrupt {
            signal,
            stdin: AtomicU8::new(BUSY),
        }
    }

    /// Returns the exit code if a signal has come.
    pub(crate) fn exit_requested(&self) -> Option<Exit> {
        match self.signal.load(Ordering::Relaxed) as i32 {
            SIGINT => Some(Exit::Interrupted),
            SIGTERM => Some(Exit::Terminated),
            _ => None,
        }
    }

    /// Waits until standard input can be read or has ended. Returns false if a signal comes first.
    pub(crate) fn wait_for_stdin(&self) -> bool {
        self.stdin.store(WAITING, Ordering::Release);
        while !can_read_stdin() {
            if self.exit_requested().is_some() {
                self.stdin.store(ENDED, Ordering::Release);
                return false;
            }
        }
        self.stdin.store(BUSY, Ordering::Release);
        true
    }

    /// Returns whether a thread waits for standard input, or did when a signal came: then its results end
    /// soon by themselves.
    pub(crate) fn ends_soon(&self) -> bool {
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
