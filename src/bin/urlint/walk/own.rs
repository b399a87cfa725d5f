//! The files that a run writes, and its baseline, which are no documents to read.

use std::fs;
use std::path::{Path, PathBuf};

use super::PathArgs;
use crate::error::Error;

/// How the names of temporary files begin that become other files. Those of a run that was killed may
/// be left.
pub(crate) const TEMPORARY: &str = ".urlint-";

/// The regular files that a run writes, and its baseline.
#[derive(Debug, Default)]
pub(crate) struct Own {
    /// Without symbolic links.
    files: Vec<PathBuf>,
}

impl Own {
    /// The files at `paths`, of which those that are not there, or are not regular, do not count.
    pub(crate) fn of<'p>(paths: impl IntoIterator<Item = &'p Path>) -> Self {
        let real = |path: &Path| fs::canonicalize(path).ok().filter(|real| real.is_file());
        Own {
            files: paths.into_iter().filter_map(real).collect(),
        }
    }

    /// Fails if one of the files is named to be read: it would be lost.
    pub(crate) fn are_not_read<'p>(
        &self,
        paths: impl IntoIterator<Item = &'p Path>,
    ) -> Result<(), Error> {
        if self.files.is_empty() {
            return Ok(());
        }
        let is_own =
            |path: &&Path| fs::canonicalize(path).is_ok_and(|real| self.files.contains(&real));
        match paths.into_iter().find(is_own) {
            None => Ok(()),
            Some(path) => Err(Error::Usage(format!(
                "{}: this file is both read and written; write to another one",
                path.display()
            ))),
        }
    }

    /// Returns whether the file `path`, which was found in a folder, is one of them, or a temporary file
    /// of some run.
    pub(super) fn has(&self, path: &Path) -> bool {
        let Some(name) = path.file_name() else {
            return false;
        };
        let may_be = |file: &PathBuf| {
            let other = file.file_name();
            other.is_some_and(|other| other.eq_ignore_ascii_case(name))
        };
        name.as_encoded_bytes().starts_with(TEMPORARY.as_bytes())
            || self.files.iter().any(may_be)
                && fs::canonicalize(path).is_ok_and(|real| self.files.contains(&real))
    }
}

impl PathArgs {
    /// Fails if one of the files `written` is named to be read. Hooks name every file, among which such
    /// files are passed over.
    pub(crate) fn have_none_of(&self, written: &Own) -> Result<(), Error> {
        if self.force_exclude {
            return Ok(());
        }
        let is_file = |path: &&Path| path.as_os_str() != "-";
        written.are_not_read(self.paths.iter().map(PathBuf::as_path).filter(is_file))
    }
}
