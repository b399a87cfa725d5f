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
use crate::flags::paths::bytes;

/// The most bytes of memory that can be used: offsets in it are numbers of 32 bits.
const MOST_MEMORY: usize = 3 << 30;

/// The least, so that a temporary file is worth its creation.
const LEAST_MEMORY: usize = 16 << 10;

/// Takes a key and a row.
pub(super) type Emit<'e> = dyn FnMut(&[u8], &[u8]) -> Result<(), Error> + 'e;

/// The flag about memory.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Advanced")]
pub(super) struct SpillArgs {
    /// How much memory each of `--unique`, `--count` and `--sort` may use before it writes to temporary
    /// files in the folder `TMPDIR`
    #[arg(
        long,
        value_name = "BYTES",
        default_value = "256M",
        value_parser = bytes,
        hide_short_help = true
    )]
    memory: u64,
}

impl SpillArgs {
    /// Returns how much memory to use, and the folder for the records that do not fit into it.
    pub(super) fn spill(&self) -> Spill {
        let memory = usize::try_from(self.memory).unwrap_or(MOST_MEMORY);
        Spill {
            memory: memory.clamp(LEAST_MEMORY, MOST_MEMORY),
            folder: tempfile::env::temp_dir(),
        }
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
