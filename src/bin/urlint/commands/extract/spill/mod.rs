//! Lists that do not fit into memory.
//!
//! Each of these structures uses a given number of bytes of memory and writes the rest to a temporary
//! file: what is to be sorted in sorted runs, what is to be compared in parts by the hashes of the keys.

pub(super) mod counter;
mod keys;
mod parts;
pub(super) mod sorter;
pub(super) mod store;
pub(super) mod unique;

use std::path::PathBuf;

use crate::error::Error;
use crate::flags::paths::bytes;
use store::Store;

/// The most bytes of memory that one of them can use: offsets in it are numbers of 32 bits.
const MOST_MEMORY: usize = 3 << 30;

/// Takes a row.
pub(super) type Emit<'e> = dyn FnMut(&[u8]) -> Result<(), Error> + 'e;

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
    /// Returns how many bytes of memory to take.
    pub(super) fn memory(&self) -> usize {
        usize::try_from(self.memory).map_or(MOST_MEMORY, |memory| memory.min(MOST_MEMORY))
    }

    /// Returns where to put what does not fit into memory.
    pub(super) fn store(&self) -> Result<Store, Error> {
        match &self.temp_dir {
            // Fail now rather than hours later.
            Some(folder) if !folder.is_dir() => {
                let folder = folder.display();
                Err(Error::Usage(format!("--temp-dir {folder}: not a folder")))
            }
            Some(folder) => Ok(Store::new(folder.clone())),
            None => Ok(Store::new(std::env::temp_dir())),
        }
    }
}

#[cfg(test)]
mod tests;
