//! The files that a run writes, and its baseline, which are no documents to read.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

use super::PathArgs;
use crate::error::Error;

/// How the names of temporary files begin that become other files. Those of a run that was killed may
/// be left.
pub(crate) const TEMPORARY: &str = ".urlint-";

/// How many letters and digits follow in such a name, and nothing else.
const RANDOM: usize = 6;

/// What becomes of a file of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// It is written, since the command line names it.
    Asked,
    /// It is written, since a configuration file names it.
    Configured,
    /// It stays as it is.
    Kept,
}

/// The regular files that a run writes, and its baseline.
#[derive(Debug, Default)]
pub(crate) struct Own {
    files: Vec<File>,
    lists: Option<Lists>,
    /// Standard output and standard error, where they are regular files.
    streams: Vec<Identity>,
}

#[derive(Debug)]
struct File {
    /// As it is named.
    path: PathBuf,
    /// Without symbolic links.
    real: PathBuf,
    used: Use,
}

/// The folder of the lists of `--split-by`.
#[derive(Debug)]
pub(crate) struct Lists {
    /// Without symbolic links.
    pub(crate) folder: PathBuf,
    /// Whether other files may be in it.
    pub(crate) is_shared: bool,
    /// The lists of an earlier run.
    pub(crate) names: HashSet<OsString>,
    pub(crate) extension: &'static str,
}

/// Tells a file from others, whatever its names are: its device and its number there.
type Identity = (u64, u64);

impl Own {
    /// The files that a shell has opened for what the run prints.
    pub(crate) fn new() -> Self {
        Own {
            streams: streams(),
            ..Own::default()
        }
    }

    /// Adds the file at `path`, unless something is there that is not regular.
    pub(crate) fn add(&mut self, path: &Path, used: Use) {
        let real = fs::canonicalize(path).or_else(|_| {
            let folder = path.parent().unwrap_or(path);
            let folder = fs::canonicalize(Path::new(".").join(folder))?;
            Ok::<_, std::io::Error>(folder.join(path.file_name().unwrap_or_default()))
        });
        if let Ok(real) = real
            && !fs::metadata(&real).is_ok_and(|data| !data.is_file())
        {
            let path = path.to_owned();
            self.files.push(File { path, real, used });
        }
    }

    /// Sets the folder of the lists.
    pub(crate) fn set_lists(&mut self, lists: Lists) {
        self.lists = Some(lists);
    }

    /// Returns the files that are written and are there, each with its path without symbolic links.
    pub(crate) fn replaced(&self) -> impl Iterator<Item = (&Path, &Path)> {
        let files = self.files.iter();
        let replaced = files.filter(|file| file.used != Use::Kept && file.real.is_file());
        replaced.map(|file| (&*file.path, &*file.real))
    }

    /// Fails if one of the files at `paths`, which are named to be read, is written: it would be lost.
    /// With `is_for_hooks`, only if the command line also names what is written.
    pub(crate) fn are_not_read<'p>(
        &self,
        paths: impl IntoIterator<Item = &'p Path>,
        is_for_hooks: bool,
    ) -> Result<(), Error> {
        if self.files.is_empty() && self.lists.is_none() {
            return Ok(());
        }
        for path in paths {
            let Ok(real) = fs::canonicalize(path) else {
                continue;
            };
            let is_refused = |used: Use| match used {
                Use::Asked => true,
                Use::Configured => !is_for_hooks,
                Use::Kept => false,
            };
            let mut files = self.files.iter();
            let path = path.display();
            if files.any(|file| file.real == real && is_refused(file.used)) {
                let message = "this file is both read and written; write to another one";
                return Err(Error::Usage(format!("{path}: {message}")));
            }
            if self.lists.as_ref().is_some_and(|lists| lists.take(&real)) {
                let message =
                    "this is read, and lists of --split-by could replace it; choose another folder";
                return Err(Error::Usage(format!("{path}: {message}")));
            }
        }
        Ok(())
    }

    /// Returns whether the file `path`, which was found in a folder, is one of them, or a temporary file
    /// of some run.
    pub(super) fn has(&self, path: &Path) -> bool {
        let Some(name) = path.file_name() else {
            return false;
        };
        let may_be = |file: &File| {
            let other = file.real.file_name();
            other.is_some_and(|other| other.eq_ignore_ascii_case(name))
        };
        let is_file = || {
            let real = fs::canonicalize(path);
            real.is_ok_and(|real| self.files.iter().any(|file| file.real == real))
        };
        let folder = path.parent().and_then(Path::file_name);
        is_temporary(name)
            || folder.is_some_and(is_temporary)
            || self.files.iter().any(may_be) && is_file()
            || (self.lists.as_ref()).is_some_and(|lists| lists.has(path, name))
            || self.is_printed_to(path)
    }

    /// Returns whether what the run prints goes to the file `path`.
    pub(super) fn is_printed_to(&self, path: &Path) -> bool {
        !self.streams.is_empty()
            && fs::metadata(path).is_ok_and(|data| self.is_stream(identity(&data)))
    }

    /// Returns whether it goes to the file that standard input is.
    pub(super) fn is_printed_to_stdin(&self) -> bool {
        !self.streams.is_empty() && self.is_stream(stdin())
    }

    fn is_stream(&self, file: Option<Identity>) -> bool {
        file.is_some_and(|file| self.streams.contains(&file))
    }
}

impl Lists {
    /// Returns whether what is at the real path `real` could be replaced by a list, or removed.
    fn take(&self, real: &Path) -> bool {
        if real == self.folder {
            return !self.is_shared && !self.names.is_empty();
        }
        let is_listed = |name: &OsStr| self.names.contains(name);
        let extension = real.extension().unwrap_or_default();
        let may_be_listed = self.is_shared && extension.eq_ignore_ascii_case(self.extension);
        real.parent() == Some(&self.folder)
            && real.is_file()
            && (may_be_listed || real.file_name().is_some_and(is_listed))
    }

    /// Returns whether the file `path` with the name `name` is a list of an earlier run.
    fn has(&self, path: &Path, name: &OsStr) -> bool {
        let folder = || fs::canonicalize(Path::new(".").join(path.parent()?)).ok();
        self.names.contains(name) && folder().is_some_and(|folder| folder == self.folder)
    }
}

impl PathArgs {
    /// Fails if one of the files `written` is named to be read. Hooks name every file, among which those
    /// of the configuration are passed over.
    pub(crate) fn have_none_of(&self, written: &Own) -> Result<(), Error> {
        let is_file = |path: &&Path| path.as_os_str() != "-";
        let paths = self.paths.iter().map(PathBuf::as_path).filter(is_file);
        written.are_not_read(paths, self.force_exclude)
    }
}

/// Returns whether a file or a folder with this name is temporary.
fn is_temporary(name: &OsStr) -> bool {
    let random = name.as_encoded_bytes().strip_prefix(TEMPORARY.as_bytes());
    random.is_some_and(|random| {
        random.len() == RANDOM && random.iter().all(u8::is_ascii_alphanumeric)
    })
}

#[cfg(unix)]
fn identity(data: &Metadata) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    data.is_file().then(|| (data.dev(), data.ino()))
}

/// Elsewhere, a file that a program reads tells no number.
#[cfg(not(unix))]
fn identity(_: &Metadata) -> Option<Identity> {
    None
}

#[cfg(unix)]
fn of_stream(stream: &impl std::os::fd::AsFd) -> Option<Identity> {
    let file = stream.as_fd().try_clone_to_owned().ok()?;
    identity(&std::fs::File::from(file).metadata().ok()?)
}

#[cfg(unix)]
fn streams() -> Vec<Identity> {
    let streams = [of_stream(&std::io::stdout()), of_stream(&std::io::stderr())];
    streams.into_iter().flatten().collect()
}

#[cfg(not(unix))]
fn streams() -> Vec<Identity> {
    Vec::new()
}

#[cfg(unix)]
fn stdin() -> Option<Identity> {
    of_stream(&std::io::stdin())
}

#[cfg(not(unix))]
fn stdin() -> Option<Identity> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temporary_names_are_those_that_are_made() -> std::io::Result<()> {
        let file = tempfile::Builder::new().prefix(TEMPORARY).tempfile()?;
        assert!(file.path().file_name().is_some_and(is_temporary));
        for name in [
            ".urlint-",
            ".urlint-links",
            ".urlint-a.mdxx",
            "urlint-abcdef",
            ".urlint-abc-12",
        ] {
            assert!(!is_temporary(OsStr::new(name)), "{name}");
        }
        Ok(())
    }
}
