//! Checks ignore files before the walk reads them: opening a pipe blocks until something is written to
//! it, a device has no end, and deeply nested braces overflow the stack.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::lock;

/// The most bytes of an ignore file.
const MOST_BYTES: u64 = 1 << 20;

/// The most braces in a line of an ignore file.
const MOST_BRACES: usize = 250;

/// The ignore files that cannot be used, as far as they are known. Clones share them.
#[derive(Clone, Debug, Default)]
pub(super) struct Unusable(Arc<Mutex<Noted>>);

#[derive(Debug, Default)]
struct Noted {
    /// Files that have not been reported yet, and why they cannot be used.
    new: Vec<(PathBuf, String)>,
    all: HashSet<PathBuf>,
    /// The absolute paths of the folders that they apply to.
    folders: HashSet<PathBuf>,
}

impl Unusable {
    /// Returns whether the ignore files of `folder` can be used.
    pub(super) fn are_usable_in(&self, folder: &Path) -> bool {
        let Some((file, reason)) = unusable(folder) else {
            return true;
        };
        let mut noted = lock(&self.0);
        noted.folders.insert(absolute(folder));
        if noted.all.insert(file.clone()) {
            noted.new.push((file, reason));
        }
        false
    }

    /// Returns whether the ignore files of `folder` and of the folders above it can be used.
    pub(super) fn are_usable_above(&self, folder: &Path) -> bool {
        let real = fs::canonicalize(folder);
        let real = real.as_deref().unwrap_or(folder);
        self.are_usable_in(folder)
            && real
                .ancestors()
                .skip(1)
                .all(|above| self.are_usable_in(above))
    }

    /// Returns whether the ignore files of `path`, or of a folder that it is in, were found to be
    /// unusable.
    pub(super) fn are_known_above(&self, path: &Path) -> bool {
        let noted = lock(&self.0);
        let is_known = |folder: &Path| noted.folders.contains(folder);
        !noted.folders.is_empty() && absolute(path).ancestors().any(is_known)
    }

    /// Returns the files that it has not returned before.
    pub(super) fn take(&self) -> Vec<(PathBuf, String)> {
        let mut noted = lock(&self.0);
        std::mem::take(&mut noted.new)
    }
}

/// Returns an ignore file of `folder` that cannot be used, and why.
fn unusable(folder: &Path) -> Option<(PathBuf, String)> {
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

/// Returns why the file at `path` cannot be used; `None` if it can, or does not exist.
fn reason(path: &Path) -> Option<String> {
    let data = fs::metadata(path).ok()?;
    if data.is_dir() {
        return None;
    }
    if !data.is_file() {
        return Some("not a regular file".to_owned());
    }
    if data.len() > MOST_BYTES {
        return Some(format!("longer than {} MiB", MOST_BYTES >> 20));
    }
    let text = fs::read(path).ok()?;
    let is_nested = |line: &[u8]| memchr::memchr_iter(b'{', line).count() > MOST_BRACES;
    let has_nested = text.split(|&byte| byte == b'\n').any(is_nested);
    has_nested.then(|| format!("more than {MOST_BRACES} braces in a line"))
}

/// Returns the folder that the file `.git` of a working tree leads to. This follows the walk and not Git:
/// a path that does not begin with a dot is not taken as relative to the file that it is in.
fn common_folder(git: &Path) -> Option<Result<PathBuf, (PathBuf, String)>> {
    if let Some(reason) = reason(git) {
        return Some(Err((git.to_owned(), reason)));
    }
    let line = first_line(git)?;
    let own = PathBuf::from(line.strip_prefix("gitdir: ")?);
    let common = own.join("commondir");
    if let Some(reason) = reason(&common) {
        return Some(Err((common, reason)));
    }
    let line = first_line(&common)?;
    let is_relative = line.starts_with('.');
    Some(Ok(if is_relative {
        own.join(line)
    } else {
        line.into()
    }))
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

fn first_line(path: &Path) -> Option<String> {
    BufReader::new(File::open(path).ok()?).lines().next()?.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn working_trees_lead_where_the_walk_goes() -> std::io::Result<()> {
        let folder = tempfile::tempdir()?;
        let own = folder.path().join("own");
        fs::create_dir(&own)?;
        let git = folder.path().join(".git");
        fs::write(&git, format!("gitdir: {}\r\nmore\n", own.display()))?;
        for (line, expected) in [
            ("../..\n", own.join("../..")),
            (".\r\n", own.join(".")),
            ("elsewhere", PathBuf::from("elsewhere")),
            ("/elsewhere\r\r\n", PathBuf::from("/elsewhere\r")),
        ] {
            fs::write(own.join("commondir"), line)?;
            assert_eq!(common_folder(&git), Some(Ok(expected)), "{line:?}");
        }
        File::create(&git)?.set_len(MOST_BYTES + 1)?;
        let reason = "longer than 1 MiB".to_owned();
        assert_eq!(common_folder(&git), Some(Err((git, reason))));
        Ok(())
    }
}
