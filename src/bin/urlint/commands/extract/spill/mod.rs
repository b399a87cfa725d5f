//! Lists that do not fit into memory.
//!
//! Rows are sorted as far as they fit into memory, and then written to a temporary file as a *run*. At the
//! end the runs are merged. Rows are grouped in the same way: they are sorted by the hashes of their keys,
//! so that those with equal keys meet.

pub(super) mod groups;
mod records;
mod runs;
pub(super) mod sorter;

use std::io;
use std::path::PathBuf;

use crate::error::Error;
use crate::walk::bytes;

/// The most bytes of memory that can be used: offsets in it are numbers of 32 bits.
const MOST_MEMORY: usize = 3 << 30;

/// Takes a key and a row.
pub(super) type Emit<'e> = dyn FnMut(&[u8], &[u8]) -> Result<(), Error> + 'e;

/// The flags about memory, and where to put what does not fit into it.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Advanced")]
pub(super) struct SpillArgs {
    /// How much memory each of `--unique`, `--count` and `--sort` may use before it writes to temporary
    /// files
    #[arg(
        long,
        value_name = "BYTES",
        default_value = "256M",
        value_parser = bytes,
        hide_short_help = true
    )]
    memory: u64,

    /// The folder for temporary files instead of the system's
    #[arg(long, value_name = "FOLDER", hide_short_help = true)]
    temp_dir: Option<PathBuf>,
}

impl SpillArgs {
    /// Returns how much memory to use, and where to put what does not fit into it.
    pub(super) fn spill(&self) -> Result<Spill, Error> {
        let folder = match &self.temp_dir {
            // Fail now rather than hours later.
            Some(folder) if !folder.is_dir() => {
                let folder = folder.display();
                return Err(Error::Usage(format!("--temp-dir {folder}: not a folder")));
            }
            Some(folder) => folder.clone(),
            None => std::env::temp_dir(),
        };
        let memory = usize::try_from(self.memory).unwrap_or(MOST_MEMORY);
        let memory = memory.min(MOST_MEMORY);
        Ok(Spill { memory, folder })
    }
}

/// How many bytes of memory records may use, and the folder of the temporary files for the others.
#[derive(Clone, Debug)]
pub(super) struct Spill {
    memory: usize,
    folder: PathBuf,
}

impl Spill {
    fn error(&self, error: io::Error) -> Error {
        Error::Spill(self.folder.clone(), error)
    }
}

#[cfg(test)]
mod tests;
