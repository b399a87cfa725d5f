//! Standard input.

#[cfg(unix)]
use std::fs::File;
use std::io;
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
