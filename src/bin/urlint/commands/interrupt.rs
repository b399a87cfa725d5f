//! Being asked to end: Ctrl-C, and what `kill` sends.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::error::Exit;

/// Knows whether the process has been asked to end. Who asks a second time gets it at once.
#[derive(Debug)]
pub(super) struct Interrupt {
    /// The signal that came, or 0.
    signal: Arc<AtomicUsize>,
    stdin: AtomicU8,
}

/// Standard input is not waited for.
const BUSY: u8 = 0;
/// It is, and that ends when the process is asked to end.
const WAITING: u8 = 1;
/// It was, and is taken to have ended.
const ENDED: u8 = 2;

impl Interrupt {
    pub(super) fn new() -> Self {
        let signal = Arc::new(AtomicUsize::new(0));
        let again = Arc::new(AtomicBool::new(false));
        for number in [SIGINT, SIGTERM] {
            // Where none of this can be had the signal ends the process, as it would otherwise.
            let _ = flag::register_conditional_shutdown(number, 128 + number, again.clone())
                .and_then(|_| flag::register(number, again.clone()))
                .and_then(|_| flag::register_usize(number, signal.clone(), number as usize));
        }
        Interrupt {
            signal,
            stdin: AtomicU8::new(BUSY),
        }
    }

    /// How the command ends if it has been asked to.
    pub(super) fn asked(&self) -> Option<Exit> {
        match self.signal.load(Ordering::Relaxed) as i32 {
            SIGINT => Some(Exit::Interrupted),
            SIGTERM => Some(Exit::Terminated),
            _ => None,
        }
    }

    /// Waits until there is something to read on standard input, or its end; says no if the process
    /// has been asked to end before.
    pub(super) fn wait_for_stdin(&self) -> bool {
        self.stdin.store(WAITING, Ordering::Release);
        while !can_read_stdin() {
            if self.asked().is_some() {
                self.stdin.store(ENDED, Ordering::Release);
                return false;
            }
        }
        self.stdin.store(BUSY, Ordering::Release);
        true
    }

    /// Whether standard input is waited for, or was when the process was asked to end: what was
    /// read of it will come to its end soon.
    pub(super) fn ends_soon(&self) -> bool {
        self.stdin.load(Ordering::Acquire) != BUSY
    }
}

/// Whether standard input can be read without waiting, waiting a little for that.
#[cfg(unix)]
fn can_read_stdin() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    const TICK: Timespec = Timespec {
        tv_sec: 0,
        tv_nsec: 50_000_000,
    };
    let stdin = std::io::stdin();
    let mut fds = [PollFd::new(&stdin, PollFlags::IN)];
    // What cannot be polled is read, whatever comes of it.
    !matches!(
        poll(&mut fds, Some(&TICK)),
        Ok(0) | Err(rustix::io::Errno::INTR)
    )
}

#[cfg(not(unix))]
fn can_read_stdin() -> bool {
    true
}
