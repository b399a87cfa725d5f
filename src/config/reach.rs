//! How far a configuration file that was found reaches: which other files it may name.
//!
//! Such a file may come with a stranger's checkout. Files that it names are read and written by whoever runs
//! urlint there, so that it must lie where the file itself does. A file that a person names reaches
//! everywhere.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The names of configuration files; in a folder, the first that exists is used.
pub(super) const NAMES: [&str; 3] = [".urlint.toml", "urlint.toml", PYPROJECT];

pub(super) const PYPROJECT: &str = "pyproject.toml";

/// How far a configuration file reaches.
#[derive(Clone, Debug)]
pub(super) enum Reach {
    /// A person has named it, or a file that extends it.
    Everywhere,
    /// It was found, or extended by one that was found.
    Around {
        /// Its folder, without symbolic links.
        folder: PathBuf,
        /// The repository that it is in, or its folder if it is in none.
        repository: PathBuf,
    },
}

/// Returns why a configuration file that was found must not name a file: it is not in `place`.
fn outside(place: &str) -> io::Error {
    io::Error::other(format!(
        "it is outside of {place} of this file; to trust this file, name it with `--config`"
    ))
}

/// Folders whose contents a checkout does not bring along.
const OF_VERSION_CONTROL: [&str; 5] = [".git", ".hg", ".jj", ".svn", ".bzr"];

impl Reach {
    /// Returns how far a file that was found in `folder` reaches.
    pub(super) fn of_found(folder: &Path) -> Reach {
        let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        let is_repository = |folder: &&Path| {
            let mut names = OF_VERSION_CONTROL.iter();
            names.any(|name| fs::symlink_metadata(folder.join(name)).is_ok())
        };
        let repository = folder.ancestors().find(is_repository).unwrap_or(&folder);
        Reach::Around {
            repository: repository.to_owned(),
            folder,
        }
    }

    /// Returns the same for a file of `folder` that is extended by one that reaches so far.
    pub(super) fn of_extended(&self, folder: &Path) -> Reach {
        match self {
            Reach::Everywhere => Reach::Everywhere,
            Reach::Around { .. } => Reach::of_found(folder),
        }
    }

    /// Returns where the configuration file `path` is, which is to be read: in the folder, in the
    /// repository, or in a folder above where it would be found as well.
    pub(super) fn readable(&self, path: &Path) -> io::Result<PathBuf> {
        let Reach::Around { folder, repository } = self else {
            let real = fs::canonicalize(path)?;
            return regular(&real).map(|()| real);
        };
        let real = real(path)?;
        let is_found_above = || {
            let above = real.parent().is_some_and(|above| folder.starts_with(above));
            let name = real.file_name();
            above && NAMES.iter().any(|known| name == Some(known.as_ref()))
        };
        if is_within(&real, folder) || is_within(&real, repository) || is_found_above() {
            fs::metadata(&real)?;
            regular(&real).map(|()| real)
        } else {
            Err(outside("the folder and the repository"))
        }
    }

    /// Returns whether the file `path`, which need not exist, may be written: it is in the folder.
    pub(super) fn writable(&self, path: &Path) -> io::Result<()> {
        let Reach::Around { folder, .. } = self else {
            return Ok(());
        };
        let real = real(path)?;
        if is_within(&real, folder) {
            regular(&real)
        } else {
            Err(outside("the folder"))
        }
    }

    /// Returns whether a mistake in the file `path` may be shown with the text of the file: a person has
    /// named the file, or its own name says that it is a configuration file. Any other might have been
    /// chosen for its contents.
    pub(super) fn shows(&self, path: &Path) -> bool {
        let is_configuration = || {
            let real = fs::canonicalize(path).ok()?;
            let name = real.file_name()?.to_str()?;
            Some(name.ends_with("urlint.toml") || name == PYPROJECT)
        };
        matches!(self, Reach::Everywhere) || is_configuration() == Some(true)
    }
}

/// Returns whether the path `real` is in `folder`, and not in a folder of version control there.
fn is_within(real: &Path, folder: &Path) -> bool {
    let inside = real.strip_prefix(folder);
    inside.is_ok_and(|inside| {
        let mut names = inside.iter();
        !names.any(|name| {
            let mut known = OF_VERSION_CONTROL.iter();
            known.any(|known| name.eq_ignore_ascii_case(known))
        })
    })
}

/// Fails if there is something at `path` that is not a regular file.
fn regular(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(data) if !data.is_file() => Err(io::Error::other("not a regular file")),
        _ => Ok(()),
    }
}

/// Returns `path` without symbolic links. There may be nothing at its end, but no symbolic link that
/// leads to nothing: it may lead anywhere later.
fn real(path: &Path) -> io::Result<PathBuf> {
    let mut missing = Vec::new();
    let mut at = path;
    loop {
        let error = match fs::canonicalize(at) {
            Ok(mut real) => {
                real.extend(missing.iter().rev());
                return Ok(real);
            }
            Err(error) => error,
        };
        let (Some(name), Some(above)) = (at.file_name(), at.parent()) else {
            return Err(error);
        };
        if fs::symlink_metadata(at).is_ok() {
            return Err(error);
        }
        missing.push(name);
        at = above;
    }
}
