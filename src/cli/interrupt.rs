//! Being asked to end: Ctrl-C, and what `kill` sends.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use super::Exit;

/// Knows whether the process has been asked to end. Who asks a second time gets it at once.
pub(super) struct Interrupt {
    /// The signal that came, or 0.
    signal: Arc<AtomicUsize>,
}

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
        Interrupt { signal }
    }

    /// How the command ends if it has been asked to.
    pub(super) fn asked(&self) -> Option<Exit> {
        match self.signal.load(Ordering::Relaxed) as i32 {
            SIGINT => Some(Exit::Interrupted),
            SIGTERM => Some(Exit::Terminated),
            _ => None,
        }
    }
}
