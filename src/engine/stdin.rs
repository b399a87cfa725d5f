//! Standard input.

use std::fs::{File, Metadata};
use std::io::{self, Seek, SeekFrom};
use std::path::PathBuf;

/// The name and the beginning of standard input.
#[derive(Debug, Default)]
pub struct Stdin {
    /// Its name; without one it is called `-`.
    pub name: Option<PathBuf>,
    /// The bytes that have been read of it.
    pub beginning: Vec<u8>,
}

/// Returns standard input without a buffer, which could hold input back while waiting for more.
#[cfg(unix)]
pub fn stdin() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(File::from(io::stdin().as_fd().try_clone_to_owned()?))
}

#[cfg(not(unix))]
pub fn stdin() -> io::Result<io::StdinLock<'static>> {
    Ok(io::stdin().lock())
}

/// Returns where standard input continues if it is a file, of which this much has been read.
#[cfg(unix)]
pub(super) fn position() -> Option<u64> {
    let mut file = stdin().ok()?;
    file.metadata().ok().filter(Metadata::is_file)?;
    file.stream_position().ok()
}

/// Makes standard input continue at `position`.
///
/// Fails if it is not a file.
#[cfg(unix)]
pub(super) fn go_back(position: u64) -> io::Result<()> {
    stdin()?.seek(SeekFrom::Start(position)).map(drop)
}

#[cfg(not(unix))]
pub(super) fn position() -> Option<u64> {
    None
}

#[cfg(not(unix))]
pub(super) fn go_back(_: u64) -> io::Result<()> {
    Ok(())
}
