//! Standard output that was closed when the process began, as by `>&-`. Rust opens `/dev/null` in its place
//! before `main`, which hides that nothing can be written.

use std::sync::atomic::{AtomicBool, Ordering};

static CLOSED: AtomicBool = AtomicBool::new(false);

#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "only code that runs before `main` can know it")]
#[unsafe(link_section = ".init_array")]
#[used]
static BEFORE_MAIN: extern "C" fn() = {
    extern "C" fn ask() {
        let flags = rustix::io::fcntl_getfd(rustix::stdio::stdout());
        CLOSED.store(flags.is_err(), Ordering::Relaxed);
    }
    ask
};

/// Returns whether standard output was closed.
pub(crate) fn is_closed() -> bool {
    CLOSED.load(Ordering::Relaxed)
}
