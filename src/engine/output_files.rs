//! The files that a run writes, and its baseline. They are not documents to read.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{fs, io};

use same_file::Handle;

/// The start of the names of temporary files, which are renamed once they are complete. A killed run may
/// leave some behind.
pub const TEMPORARY: &str = ".urlint-";

/// How many letters and digits follow in the name of a temporary file, up to its end.
const RANDOM: usize = 6;

/// The use of a file of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// It is written because the command line names it.
    Asked,
    /// It is written because a configuration file names it.
    Configured,
    /// It stays as it is.
    Kept,
}

/// The regular files that a run writes, and its baseline.
#[derive(Debug, Default)]
pub struct OutputFiles {
    files: Vec<OutputFile>,
    /// Standard output and standard error, where they are regular files.
    streams: Vec<Handle>,
}

#[derive(Debug)]
struct OutputFile {
    /// The path as the user gave it.
    path: PathBuf,
    /// The path without symbolic links.
    real: PathBuf,
    used: Use,
}

impl OutputFile {
    /// Returns whether `opened` is this file.
    fn is(&self, opened: &Handle) -> bool {
        self.real.is_file() && Handle::from_path(&self.real).is_ok_and(|own| own == *opened)
    }
}

impl OutputFiles {
    /// Starts with the files that a shell has opened for standard output and standard error.
    pub fn new() -> Self {
        let is_regular = |stream: &Handle| {
            let data = stream.as_file().metadata();
            data.is_ok_and(|data| data.is_file())
        };
        let streams = [Handle::stdout(), Handle::stderr()].into_iter().flatten();
        OutputFiles {
            files: Vec::new(),
            streams: streams.filter(is_regular).collect(),
        }
    }

    /// Adds the file at `path`, unless it exists and is not regular.
    pub fn add(&mut self, path: &Path, used: Use) {
        let real = fs::canonicalize(path).or_else(|_| {
            let folder = path.parent().unwrap_or(path);
            let folder = fs::canonicalize(Path::new(".").join(folder))?;
            Ok::<_, io::Error>(folder.join(path.file_name().unwrap_or_default()))
        });
        if let Ok(real) = real
            && !fs::metadata(&real).is_ok_and(|data| !data.is_file())
        {
            let path = path.to_owned();
            self.files.push(OutputFile { path, real, used });
        }
    }

    /// Returns the files that are written and already exist: their paths with and without symbolic links.
    pub fn replaced(&self) -> impl Iterator<Item = (&Path, &Path)> {
        let files = self.files.iter();
        let replaced = files.filter(|file| file.used != Use::Kept && file.real.is_file());
        replaced.map(|file| (&*file.path, &*file.real))
    }

    /// Returns the first of `paths`, which are named to be read, that would be overwritten. With
    /// `force_exclude`, that counts only for outputs that the command line names: a hook names every file.
    pub fn input_among<'p>(&self, paths: &'p [PathBuf], force_exclude: bool) -> Option<&'p Path> {
        let is_refused = |used: Use| match used {
            Use::Asked => true,
            Use::Configured => !force_exclude,
            Use::Kept => false,
        };
        let mut paths = paths.iter().map(PathBuf::as_path);
        paths.find(|path| {
            let mut files = self.files.iter().filter(|file| is_refused(file.used));
            if path.as_os_str() == "-" {
                let stdin = Handle::stdin();
                return stdin.is_ok_and(|stdin| files.any(|file| file.is(&stdin)));
            }
            let real = (!self.files.is_empty()).then(|| fs::canonicalize(path).ok());
            (real.flatten()).is_some_and(|real| files.any(|file| file.real == real))
        })
    }

    /// Returns whether the file `path`, which was found in a folder, is one of these, or a temporary file
    /// of any run.
    pub(super) fn contains(&self, path: &Path) -> bool {
        let Some(name) = path.file_name() else {
            return false;
        };
        let may_be = |file: &OutputFile| {
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
            || self.is_printed_to(path)
    }

    /// Returns whether standard output or standard error goes to the file `path`.
    pub(super) fn is_printed_to(&self, path: &Path) -> bool {
        // Opening a pipe would wait for somebody to write to it.
        !self.streams.is_empty() && path.is_file() && self.is_stream(Handle::from_path(path))
    }

    /// Returns whether standard output or standard error goes to the file that standard input reads.
    pub(super) fn is_printed_to_stdin(&self) -> bool {
        !self.streams.is_empty() && self.is_stream(Handle::stdin())
    }

    fn is_stream(&self, file: io::Result<Handle>) -> bool {
        file.is_ok_and(|file| self.streams.contains(&file))
    }
}

/// Returns whether this is the name of a temporary file or folder.
fn is_temporary(name: &OsStr) -> bool {
    let random = name.as_encoded_bytes().strip_prefix(TEMPORARY.as_bytes());
    random.is_some_and(|random| {
        random.len() == RANDOM && random.iter().all(u8::is_ascii_alphanumeric)
    })
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
