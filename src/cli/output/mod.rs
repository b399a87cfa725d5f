//! The output of a run: text, files that are written or replaced whole, and the summary.

use std::io::Write;

use crate::error::{Error, Exit};
use urlint_report::terminal::Output;

pub(crate) mod replace;
pub(crate) mod summary;

/// Prints `text`, which is all that a command does.
pub(crate) fn print(output: &mut Output, text: impl AsRef<[u8]>) -> Result<Exit, Error> {
    let written = output.stream.write_all(text.as_ref());
    written.map(|()| Exit::Done).map_err(Error::Write)
}
