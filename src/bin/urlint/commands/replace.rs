//! Replaces files atomically: the new file is written beside the old one, synced to the disk, and
//! renamed. Whatever happens, there is either the old file or the new one, whole.

use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::error::Error;

/// How the name of the temporary file begins. Hidden files in folders are not read.
const PREFIX: &str = ".urlint-";

/// A file that takes its place only once it is complete.
pub(super) struct Pending {
    pub(super) path: PathBuf,
    pub(super) file: BufWriter<NamedTempFile>,
}

impl Pending {
    /// Begins a file for `path`, whose folder is created if there is none.
    pub(super) fn new(path: &Path) -> Result<Self, Error> {
        let folder = folder_of(path);
        let made = fs::create_dir_all(folder).and_then(|()| beside(path));
        let file = made.map_err(|error| Error::File(path.to_owned(), error))?;
        Ok(Pending {
            path: path.to_owned(),
            file: BufWriter::new(file),
        })
    }

    /// Moves the file to its place.
    pub(super) fn persist(self) -> Result<(), Error> {
        let Pending { path, file } = self;
        let persisted = file
            .into_inner()
            .map_err(io::IntoInnerError::into_error)
            .and_then(|file| {
                set_default_mode(file.as_file())?;
                put(file, &path)
            });
        persisted.map_err(|error| Error::File(path, error))
    }

    /// Returns an error about the file.
    pub(super) fn error(&self, error: io::Error) -> Error {
        Error::File(self.path.clone(), error)
    }
}

/// The result of replacing a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Replaced {
    Yes,
    /// Another program has changed it in the meantime.
    No,
}

/// Replaces the file at `path`, or the file that a symbolic link there leads to, by `text`, unless it
/// no longer contains `was`. Mode and owner stay the same.
///
/// # Errors
///
/// Fails and leaves the file alone if it is not writable, not a regular file, or if mode and owner
/// cannot be kept.
pub(super) fn replace(path: &Path, was: &[u8], text: &[u8]) -> io::Result<Replaced> {
    let path = fs::canonicalize(path)?;
    let metadata = fs::metadata(&path)?;
    if !metadata.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    // Renaming does not require that the file itself is writable.
    File::options().append(true).open(&path)?;
    let mut file = beside(&path)?;
    file.write_all(text)?;
    keep_owner_and_mode(file.as_file(), &metadata)?;
    file.as_file().sync_all()?;
    if fs::read(&path)? != was {
        return Ok(Replaced::No);
    }
    put(file, &path)?;
    Ok(Replaced::Yes)
}

/// Creates a temporary file in the folder of `path`, so that it can be renamed.
fn beside(path: &Path) -> io::Result<NamedTempFile> {
    tempfile::Builder::new()
        .prefix(PREFIX)
        .tempfile_in(folder_of(path))
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

fn put(file: NamedTempFile, path: &Path) -> io::Result<()> {
    file.as_file().sync_all()?;
    file.persist(path).map(drop).map_err(|error| error.error)
}

/// Makes the file readable for all. Temporary files are readable only for their owner.
fn set_default_mode(file: &File) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.set_permissions(fs::Permissions::from_mode(0o644))?;
    }
    #[cfg(not(unix))]
    let _ = file;
    Ok(())
}

fn keep_owner_and_mode(file: &File, old: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        let new = file.metadata()?;
        if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
            fchown(file, Some(old.uid()), Some(old.gid()))?;
        }
    }
    // After the owner, since a change of owner clears bits of the mode.
    file.set_permissions(old.permissions())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail")]

    use super::*;

    #[test]
    fn a_file_is_replaced_only_if_no_other_program_has_changed_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("note.txt");
        fs::write(&path, "theirs").unwrap();
        assert_eq!(replace(&path, b"old", b"new").unwrap(), Replaced::No);
        assert_eq!(fs::read(&path).unwrap(), b"theirs");
        assert_eq!(replace(&path, b"theirs", b"new").unwrap(), Replaced::Yes);
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert!(replace(folder.path(), b"", b"new").is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
