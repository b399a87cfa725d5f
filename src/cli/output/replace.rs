//! Replaces regular files atomically: the new file is written next to the old one, synced to the disk,
//! and renamed. Whatever happens, either the old file or the new one is there, complete. Pipes and
//! devices are written in place, and symbolic links are followed.

use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use urlint_config::real_path;
use urlint_engine::TEMPORARY;

use crate::error::Error;
use urlint_report::terminal::{Verbosity, complain};

/// A file for results. A regular file appears only once it is complete; anything else, such as a pipe or
/// a device, is written as the results come and is never replaced.
pub(crate) struct Pending {
    pub(crate) path: PathBuf,
    file: BufWriter<File>,
    /// The temporary file; `None` if the file at `path` is written in place.
    temporary: Option<Temporary>,
}

/// A temporary file, the path that it is renamed to, and the metadata of the file there, if any.
type Temporary = (NamedTempFile, PathBuf, Option<Box<Metadata>>);

impl Pending {
    /// Begins a file for `path`, whose folder is created if it does not exist.
    pub(crate) fn new(path: &Path, verbosity: Verbosity) -> Result<Self, Error> {
        let path = path.to_owned();
        match begin(&path, verbosity) {
            Ok((file, temporary)) => Ok(Pending {
                path,
                file: BufWriter::new(file),
                temporary,
            }),
            Err(error) => Err(Error::File(path, error)),
        }
    }

    /// Returns where to write the results.
    pub(crate) fn file(&mut self) -> &mut dyn Write {
        &mut self.file
    }

    /// Writes the rest of the buffer, and moves the file into place.
    pub(crate) fn persist(mut self) -> Result<(), Error> {
        let written = self.file.flush();
        let persisted = written.and_then(|()| self.temporary.map_or(Ok(()), put_into_place));
        persisted.map_err(|error| failed(&self.path, error))
    }

    /// Returns an error about the file.
    pub(crate) fn error(&self, error: io::Error) -> Error {
        failed(&self.path, error)
    }
}

/// Returns the error for a file that cannot be written. A broken pipe, whose reader has read enough, gives
/// the error that ends the command quietly.
fn failed(path: &Path, error: io::Error) -> Error {
    if error.kind() == io::ErrorKind::BrokenPipe {
        Error::Write(error)
    } else {
        Error::File(path.to_owned(), error)
    }
}

/// Opens the file to write for `path`: a temporary one, or the file itself.
fn begin(path: &Path, verbosity: Verbosity) -> io::Result<(File, Option<Temporary>)> {
    let (place, old) = match fs::metadata(path) {
        Ok(data) => {
            // The shell continues such a file where urlint ends, so it must not be replaced.
            if let Some(number) = descriptor(path) {
                return Ok((open_descriptor(path, number)?, None));
            }
            if !data.is_file() {
                return Ok((File::options().write(true).open(path)?, None));
            }
            let place = fs::canonicalize(path)?;
            // Renaming does not require that the file itself is writable.
            File::options().append(true).open(&place)?;
            (place, Some(Box::new(data)))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let place = end_of_links(path)?;
            let folder = folder_of(&place);
            let is_new = !folder.exists();
            fs::create_dir_all(folder)?;
            if is_new && !verbosity.is_quiet() {
                complain(&format!("created the folder {}", folder.display()));
            }
            (place, None)
        }
        Err(error) => return Err(error),
    };
    let file = temporary_beside(&place)?;
    Ok((file.as_file().try_clone()?, Some((file, place, old))))
}

fn put_into_place((file, place, old): Temporary) -> io::Result<()> {
    match old {
        // Only the superuser can change the owner; others may still replace the file.
        Some(old) if keep_owner_and_mode(file.as_file(), &old).is_err() => {
            file.as_file().set_permissions(old.permissions())?;
        }
        Some(_) => {}
        None => set_default_mode(file.as_file())?,
    }
    rename_into_place(file, &place)
}

/// The most symbolic links that are followed one after another, as on Linux.
const MAX_LINKS: usize = 40;

/// Returns where the symbolic link at `path` leads, or `path` itself if it is not one.
fn end_of_links(path: &Path) -> io::Result<PathBuf> {
    let mut place = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&place) {
            Ok(next) => place = folder_of(&place).join(next),
            Err(_) => return Ok(place),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Returns whether `one` and `other` are the same file, so that the second text would replace the first.
/// Pipes, devices and files that the shell has opened take both.
pub(crate) fn collide(one: &Path, other: &Path) -> bool {
    (is_replaced(one) || is_replaced(other)) && real(one) == real(other)
}

/// Returns whether writing to `path` would replace or create a file.
pub(crate) fn is_replaced(path: &Path) -> bool {
    match fs::metadata(path) {
        Ok(data) => data.is_file() && descriptor(path).is_none(),
        Err(_) => true,
    }
}

/// Returns the path without symbolic links that a file at `path` would be written to. Its folder need not
/// exist yet.
fn real(path: &Path) -> PathBuf {
    let place = end_of_links(path).unwrap_or_else(|_| path.to_owned());
    let place = std::path::absolute(&place).unwrap_or(place);
    real_path(&place)
}

/// Returns the number of the file descriptor that `path` stands for, such as 1 for `/dev/stdout`.
fn descriptor(path: &Path) -> Option<u32> {
    let mut place = path.to_owned();
    for _ in 0..MAX_LINKS {
        let folder = fs::canonicalize(folder_of(&place)).ok()?;
        if folder == Path::new("/dev/fd") || folder.starts_with("/proc") && folder.ends_with("fd") {
            return place.file_name()?.to_str()?.parse().ok();
        }
        place = folder_of(&place).join(fs::read_link(&place).ok()?);
    }
    None
}

/// Opens a file descriptor of this process, to continue where it is.
fn open_descriptor(path: &Path, number: u32) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        match number {
            1 => return Ok(File::from(io::stdout().as_fd().try_clone_to_owned()?)),
            2 => return Ok(File::from(io::stderr().as_fd().try_clone_to_owned()?)),
            _ => {}
        }
    }
    let _ = number;
    File::options().append(true).open(path)
}

/// Replaces the contents of the file at `path`, or of the file that a symbolic link there leads to, with
/// `text`. Mode and owner stay the same.
///
/// # Errors
///
/// Fails and leaves the file alone if it is not writable, not a regular file, if mode and owner cannot be
/// kept, or if the contents are no longer `was`.
pub(crate) fn replace(path: &Path, was: &[u8], text: &[u8]) -> io::Result<()> {
    let path = fs::canonicalize(path)?;
    let metadata = fs::metadata(&path)?;
    if !metadata.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    // Renaming does not require that the file itself is writable.
    File::options().append(true).open(&path)?;
    let file = temporary_beside(&path)?;
    file.as_file().write_all(text)?;
    keep_owner_and_mode(file.as_file(), &metadata)?;
    file.as_file().sync_all()?;
    if fs::read(&path)? != was {
        return Err(io::Error::other("changed by another program"));
    }
    rename_into_place(file, &path)
}

/// Creates a temporary file in the folder of `path`, so that it can be renamed.
fn temporary_beside(path: &Path) -> io::Result<NamedTempFile> {
    let mut options = File::options();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    // The errors of `tempfile_in` have the temporary name, which says nothing to anybody.
    let mut builder = tempfile::Builder::new();
    let builder = builder.prefix(TEMPORARY);
    builder.make_in(folder_of(path), |path| options.open(path))
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

fn rename_into_place(file: NamedTempFile, path: &Path) -> io::Result<()> {
    file.as_file().sync_all()?;
    file.persist(path).map(drop).map_err(|error| error.error)
}

/// Makes the file readable for everyone. Temporary files are readable only for their owner.
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
    // Last, since a change of owner clears bits of the mode.
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
        let error = replace(&path, b"old", b"new").unwrap_err();
        assert_eq!(error.to_string(), "changed by another program");
        assert_eq!(fs::read(&path).unwrap(), b"theirs");
        replace(&path, b"theirs", b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert!(replace(folder.path(), b"", b"new").is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        let error = temporary_beside(&folder.path().join("none/note.txt")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert!(!error.to_string().contains(TEMPORARY), "{error}");
    }
}
