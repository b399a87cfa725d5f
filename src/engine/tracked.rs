//! Files that Git tracks although `.gitignore` matches them: the walk skips them, which a user may not expect.
//!
//! The index of the repository has the names of tracked files. To ask Git for them would start a program, in
//! a repository that may be a stranger's. If the index cannot be read, nothing is reported.

use std::collections::HashSet;
use std::fs::{self, File};
use std::hash::{BuildHasher, RandomState};
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use urlint_archive::Source;

use super::Inputs;
use super::listing::Listing;
use super::walk::{MAX_DEPTH, depth, inside};

/// The longest index that is read, and how long the names in it may be together, in bytes.
const MAX_INDEX: u64 = 64 << 20;

/// The longest name of a folder that is read from a file `.git`, in bytes.
const MAX_NAME: u64 = 4 << 10;

/// The files that a walk through a folder has found, by the hashes of their paths.
#[derive(Default)]
pub(super) struct WalkedFiles(HashSet<u64>, RandomState);

impl WalkedFiles {
    /// Adds a file; returns whether it was not there.
    pub(super) fn add(&mut self, path: &Path) -> bool {
        self.0.insert(self.1.hash_one(path))
    }
}

/// Returns the texts that Git tracks in `folder`, and that the walk through it, which has `found` files, would
/// find if it did not use `.gitignore`, and the other files that say which files Git ignores. Their names are
/// those in the results.
pub(super) fn skipped(
    inputs: &Inputs,
    folder: &Path,
    mut found: WalkedFiles,
) -> Option<Vec<PathBuf>> {
    let real = fs::canonicalize(folder).ok()?;
    let has_git = |folder: &&Path| folder.join(".git").exists();
    let top = real.ancestors().find(has_git)?;
    let mut git = top.join(".git");
    if git.is_file() {
        // Another working tree, or a submodule.
        let text = String::from_utf8(read(&git, MAX_NAME)?).ok()?;
        git = top.join(text.strip_prefix("gitdir: ")?.trim_end());
    }
    let index = read(&git.join("index"), MAX_INDEX)?;
    let below = real.strip_prefix(top).ok()?;
    let mut own = Listing::new(inputs, true);
    let mut without = Listing::new(inputs, false);
    let mut skipped = Vec::new();
    each_file(&index, &mut |name| {
        let name = str::from_utf8(name).map(Path::new).ok();
        let Some(name) = name.and_then(|name| name.strip_prefix(below).ok()) else {
            return;
        };
        let path = folder.join(name);
        // An index may have any names, each any number of times.
        let mut parts = name.components();
        if parts.all(|part| matches!(part, Component::Normal(_)))
            && depth(folder, &path) <= MAX_DEPTH + 1
            && found.add(&path)
            && is_file(&path)
            && !own.finds(folder, name, false)
            && without.finds(folder, name, false)
            && is_text(&path)
        {
            skipped.push(inside(&path).to_owned());
        }
    })?;
    Some(skipped)
}

/// Calls `take` with the name of each file in an index, in their order, by `gitformat-index` of Git. Returns
/// nothing after the first entry that is not as it says.
fn each_file(index: &[u8], take: &mut impl FnMut(&[u8])) -> Option<()> {
    let word = |at: usize| Some(u32::from_be_bytes(*index.get(at..)?.first_chunk()?));
    let version =
        word(4).filter(|version| index.starts_with(b"DIRC") && (2..=4).contains(version))?;
    let (mut at, mut name, mut names) = (12, Vec::new(), 0);
    for _ in 0..word(8)? {
        // Times and numbers, the mode, numbers and the size, the hash of the text, and flags.
        let mode = word(at + 24)?;
        let is_extended = index.get(at + 60)? & 0x40 != 0;
        let mut start = at + if is_extended { 64 } else { 62 };
        let mut kept = 0;
        if version == 4 {
            // How many bytes of the name before are not at the beginning of this one.
            let mut byte = *index.get(start)?;
            let mut other = usize::from(byte & 0x7f);
            while byte & 0x80 != 0 {
                start += 1;
                byte = *index.get(start)?;
                other = (other.checked_add(1)?.checked_mul(128)?) | usize::from(byte & 0x7f);
            }
            start += 1;
            kept = name.len().checked_sub(other)?;
        }
        let rest = index.get(start..)?;
        let len = memchr::memchr(0, rest)?;
        name.truncate(kept);
        name.extend_from_slice(&rest[..len]);
        // In version 4, a few bytes may stand for a long name.
        names += name.len() as u64;
        if names > MAX_INDEX {
            return None;
        }
        at = match version {
            4 => start + len + 1,
            // One to eight NULs follow.
            _ => at + (start + len + 8 - at) / 8 * 8,
        };
        let is_file = mode >> 12 == 0o10;
        if is_file {
            take(&name);
        }
    }
    Some(())
}

/// Returns the bytes of a file that has at most `most`. Opens nothing else: a pipe would wait for somebody to
/// write to it.
fn read(path: &Path, most: u64) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let data = fs::metadata(path).ok()?;
    let is_short = data.is_file() && data.len() <= most;
    let file = is_short.then(|| File::open(path).ok()).flatten()?;
    file.take(most).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

fn is_file(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|data| data.is_file())
}

/// Returns whether the file at `path` is text, as when files are read.
fn is_text(path: &Path) -> bool {
    let mut head = Vec::new();
    let file = File::open(path).ok();
    let head_len = Source::HEAD as u64;
    let read = file.and_then(|file| file.take(head_len).read_to_end(&mut head).ok());
    read.is_some() && Source::file(path.as_os_str().as_encoded_bytes(), true).is_text(&head)
}
