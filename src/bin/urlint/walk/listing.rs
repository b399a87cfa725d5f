//! Decides what is read in folders, and says why the rest is not.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::fs;
use std::path::{Component, Path, PathBuf};

use ignore::WalkBuilder;
use ignore::overrides::Override;

use super::ignore_files::Unusable;
use super::{Opener, Reason};

/// How many folders are cached whose files are named one by one.
const REMEMBERED: usize = 1 << 10;

/// Knows what is hidden, ignored and excluded.
pub(super) struct Listing<'l> {
    opener: &'l Opener<'l>,
    /// What `--exclude` matches.
    excluded: Override,
    /// A cache: for a root and a folder inside it, the entries of the folder that a walk through the root
    /// finds.
    found: HashMap<(PathBuf, PathBuf), HashSet<OsString>>,
    /// Ignore files that cannot be used, and whose folders are not read.
    pub(super) unusable: Unusable,
}

impl<'l> Listing<'l> {
    pub(super) fn new(opener: &'l Opener<'l>, excluded: Override) -> Self {
        Listing {
            opener,
            excluded,
            found: HashMap::new(),
            unusable: Unusable::default(),
        }
    }

    /// Returns the walk through a folder, in the order of the names.
    pub(super) fn walk(&self, folder: &Path) -> WalkBuilder {
        self.walk_if(folder, |_| true)
    }

    /// Returns the walk through those entries of a folder for which `enters` returns true.
    fn walk_if(
        &self,
        folder: &Path,
        enters: impl Fn(&Path) -> bool + Send + Sync + 'static,
    ) -> WalkBuilder {
        let inputs = self.opener.inputs;
        let is_readable = inputs.no_ignore || self.unusable.are_usable_above(folder);
        let use_ignore_files = !inputs.no_ignore && is_readable;
        let unusable = self.unusable.clone();
        let configs = self.opener.configs.clone();
        let mut walk = WalkBuilder::new(folder);
        walk.hidden(!inputs.hidden)
            .parents(use_ignore_files)
            .ignore(use_ignore_files)
            .git_ignore(use_ignore_files)
            .git_global(use_ignore_files)
            .git_exclude(use_ignore_files)
            .require_git(false)
            .overrides(self.excluded.clone())
            .filter_entry(move |entry| {
                let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
                let path = entry.path();
                entry.depth() == 0
                    || is_readable
                        && !(entry.file_name() == ".git" || configs.excludes(path, is_folder))
                        && enters(path)
                        && !(is_folder && use_ignore_files && !unusable.are_usable_in(path))
            })
            .sort_by_file_name(Ord::cmp);
        walk
    }

    /// Returns why an entry of a folder is skipped, given that it is.
    pub(super) fn reason(&self, path: &Path, is_folder: bool) -> Reason {
        let is_hidden = path.file_name().is_some_and(is_hidden);
        if is_hidden && !self.opener.inputs.hidden {
            Reason::Hidden
        } else if self.excludes(path, is_folder) {
            Reason::Excluded
        } else {
            Reason::Ignored
        }
    }

    /// Returns whether `--exclude` or the configuration excludes `path`, or a folder that it is in.
    pub(super) fn excludes(&self, path: &Path, is_folder: bool) -> bool {
        let mut whole = path.ancestors();
        let is_matched = |part: &Path| {
            let is_folder = is_folder || part != path;
            self.excluded.matched(part, is_folder).is_ignore()
        };
        self.opener.configs.excludes(path, is_folder) || whole.any(is_matched)
    }

    /// Returns why a run on the current folder would skip `path`, or `None` if it would not. A path outside
    /// of the current folder is judged as in a run on its own folder.
    pub(super) fn skip_reason(&mut self, path: &Path, is_folder: bool) -> Option<Reason> {
        if fs::symlink_metadata(path).is_ok_and(|data| data.is_symlink()) {
            return Some(Reason::Link);
        }
        let (root, inside) = split(path);
        let name = inside.file_name()?;
        let folder = inside.parent().unwrap_or(Path::new(""));
        if self.entries(&root, folder).contains(name) {
            return None;
        }
        let mut names = inside.iter();
        if !self.opener.inputs.hidden && names.any(is_hidden) {
            return Some(Reason::Hidden);
        }
        Some(self.reason(path, is_folder))
    }

    /// Returns the entries of the folder `inside` that a walk through `root` finds.
    fn entries(&mut self, root: &Path, inside: &Path) -> &HashSet<OsString> {
        let key = (root.to_owned(), inside.to_owned());
        if !self.found.contains_key(&key) {
            let target = root.join(inside);
            let depth = inside.iter().count() + 1;
            let mut walk = self.walk_if(root, move |path| {
                target.starts_with(path) || path.parent() == Some(&target)
            });
            let entries = walk.max_depth(Some(depth)).build().flatten();
            let entries = entries.filter(|entry| entry.depth() == depth);
            let names = entries.map(|entry| entry.file_name().to_owned());
            let names = names.collect();
            if self.found.len() == REMEMBERED {
                self.found.clear();
            }
            self.found.insert(key.clone(), names);
        }
        self.found.entry(key).or_default()
    }
}

fn is_hidden(name: &std::ffi::OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".") && name != "." && name != ".."
}

/// Splits a path into the folder of a run that would find it, and the rest. That is the current folder if
/// the path is in it, or else the folder of the path.
fn split(path: &Path) -> (PathBuf, PathBuf) {
    let current = std::env::current_dir().unwrap_or_default();
    let inside = path.strip_prefix(&current).unwrap_or(path);
    let is_inside = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    if inside.components().all(is_inside) {
        let normal = |part: &Component<'_>| matches!(part, Component::Normal(_));
        return (".".into(), inside.components().filter(normal).collect());
    }
    let folder = path.parent().unwrap_or(path);
    let name = path.file_name().map(PathBuf::from);
    (folder.to_owned(), name.unwrap_or_default())
}
