//! The output of a run: text, files that are written or replaced whole, and the summary.

use std::io::Write;
use std::path::Path;

use crate::error::{Error, Exit};
use crate::stdout::Output;

pub(crate) mod closed;
pub(crate) mod replace;
pub(crate) mod summary;

/// Prints `text`, which is all that a command does.
pub(crate) fn print(output: &mut Output, text: impl AsRef<[u8]>) -> Result<Exit, Error> {
    let written = output.stream.write_all(text.as_ref());
    written.map(|()| Exit::Done).map_err(Error::Write)
}

/// Returns the format that the extension of `file` stands for, of those that are `known`; `None` if it has no
/// extension, or that of plain text. Fails with the known ones if it is another.
pub(crate) fn format_of<F: Copy>(file: &Path, known: &[(&str, F)]) -> Result<Option<F>, Error> {
    let Some(extension) = file.extension() else {
        return Ok(None);
    };
    let extension = extension.to_string_lossy().to_ascii_lowercase();
    match known.iter().find(|(name, _)| *name == extension) {
        Some(&(_, format)) => Ok(Some(format)),
        None if extension == "txt" => Ok(None),
        None => {
            let known: Vec<_> = known.iter().map(|(name, _)| format!(".{name}")).collect();
            let (name, known) = (file.display(), known.join(", "));
            Err(Error::Usage(format!(
                "{name}: unknown extension, so name a format with --output-format; known are {known}, .txt"
            )))
        }
    }
}
