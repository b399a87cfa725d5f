//! Files for ignoring files, looked at before the walk reads them: opening a pipe takes until somebody
//! writes to it, a device has no end, and what is nested too deeply overflows the stack.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The most bytes of such a file.
const MOST_BYTES: u64 = 1 << 20;

/// The most braces in a line of it.
const MOST_BRACES: usize = 250;

/// The files that cannot be used so far, and why. Clones share them.
#[derive(Clone, Debug, Default)]
pub(super) struct Unusable(Arc<Mutex<Vec<(PathBuf, &'static str)>>>);

impl Unusable {
    /// Returns whether the files of `folder` can be read.
    pub(super) fn are_none_in(&self, folder: &Path) -> bool {
        let Some(wrong) = unusable(folder) else {
            return true;
        };
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !all.contains(&wrong) {
            all.push(wrong);
        }
        false
    }

    /// Returns whether the files of `folder` and of the folders above it can be read.
    pub(super) fn are_none_above(&self, folder: &Path) -> bool {
        let real = fs::canonicalize(folder);
        let real = real.as_deref().unwrap_or(folder);
        self.are_none_in(folder)
            && real
                .ancestors()
                .skip(1)
                .all(|above| self.are_none_in(above))
    }

    /// Returns the files that have not been returned before.
    pub(super) fn take(&self) -> Vec<(PathBuf, &'static str)> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Returns a file of `folder` that cannot be used, and why.
fn unusable(folder: &Path) -> Option<(PathBuf, &'static str)> {
    let git = folder.join(".git");
    let common = fs::metadata(&git).ok().and_then(|data| {
        if data.is_file() {
            common_folder(&git)
        } else {
            Some(Ok(git))
        }
    });
    let exclude = match common {
        Some(Err(wrong)) => return Some(wrong),
        Some(Ok(common)) => Some(common.join("info/exclude")),
        None => None,
    };
    let own = [".ignore", ".gitignore"].map(|name| folder.join(name));
    let mut files = own.into_iter().chain(exclude);
    files.find_map(|file| {
        let reason = reason(&file)?;
        Some((file, reason))
    })
}

/// Returns why the file at `path`, if there is one, cannot be used.
fn reason(path: &Path) -> Option<&'static str> {
    let data = fs::metadata(path).ok()?;
    if data.is_dir() {
        return None;
    }
    if !data.is_file() {
        return Some("no regular file");
    }
    if data.len() > MOST_BYTES {
        return Some("longer than 1 MiB");
    }
    let text = fs::read(path).ok()?;
    let is_nested = |line: &[u8]| memchr::memchr_iter(b'{', line).count() > MOST_BRACES;
    let has_nested = text.split(|&byte| byte == b'\n').any(is_nested);
    has_nested.then_some("more than 250 braces in a line")
}

/// Returns the folder that the file `.git` of a working tree leads to, as Git finds it.
fn common_folder(git: &Path) -> Option<Result<PathBuf, (PathBuf, &'static str)>> {
    let line = first_line(git)?;
    let own = PathBuf::from(line.strip_prefix("gitdir: ")?);
    let common = own.join("commondir");
    if let Some(reason) = reason(&common) {
        return Some(Err((common, reason)));
    }
    Some(Ok(own.join(first_line(&common)?)))
}

fn first_line(path: &Path) -> Option<String> {
    let mut line = String::new();
    let start = File::open(path).ok()?.take(4096);
    BufReader::new(start).read_line(&mut line).ok()?;
    Some(line.trim_end_matches(['\r', '\n']).to_owned())
}
