//! Signals that end the process: Ctrl-C (SIGINT) and SIGTERM.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use urlint_engine::Stop;

use crate::error::Exit;

/// Lets the first signal end a run properly. A second one ends the process at once.
pub(crate) fn ends(stop: &Stop) {
    let again = Arc::new(AtomicBool::new(false));
    for number in [SIGINT, SIGTERM] {
        // If this fails, the signal ends the process, as it does by default.
        let _ = flag::register_conditional_shutdown(number, 128 + number, again.clone())
            .and_then(|_| flag::register(number, again.clone()))
            .and_then(|_| flag::register_usize(number, stop.number().clone(), number as usize));
    }
}

/// Returns the exit code if a signal has ended the run.
pub(crate) fn exit(stop: &Stop) -> Option<Exit> {
    match stop.number().load(Ordering::Relaxed) as i32 {
        SIGINT => Some(Exit::Interrupted),
        SIGTERM => Some(Exit::Terminated),
        _ => None,
    }
}
