//! Messages on standard error.

use std::io::{self, Write};

/// Writes an error message, one line, to standard error.
pub fn complain(message: &str) {
    say(&format!("urlint: {message}"));
}

/// Writes a rendered configuration error to standard error, in colour if that is supported.
pub fn complain_rendered(rendered: &str) {
    let rendered = super::without_commands(rendered);
    let _ = anstream::stderr().lock().write_all(rendered.as_bytes());
}

/// Writes a line to standard error. A failure to write is ignored, since there is nowhere left to report
/// it.
pub fn say(message: &str) {
    let message = super::line(message.as_bytes());
    let message = super::without_commands(&message);
    let _ = writeln!(io::stderr().lock(), "{message}");
}

/// How much is printed to standard error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verbosity {
    /// Only errors.
    Quiet,
    /// Errors and a summary.
    #[default]
    Normal,
    /// Every warning about a document, and every file that is skipped.
    Verbose,
}

impl Verbosity {
    /// Returns whether only errors are printed.
    pub fn is_quiet(self) -> bool {
        self == Verbosity::Quiet
    }

    /// Returns whether every warning is printed.
    pub fn is_verbose(self) -> bool {
        self == Verbosity::Verbose
    }
}

/// `1 file`, `2 files`.
pub fn count(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}
