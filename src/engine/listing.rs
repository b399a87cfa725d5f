//! Decides which files are read in folders, and says why the others are not.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use ignore::{IncrementalIgnore, WalkBuilder};

use super::Inputs;
use super::ignore_files::Unusable;
use super::skipped::Reason;

/// Knows which files are hidden, ignored and excluded.
pub(super) struct Listing<'l> {
    inputs: &'l Inputs,
    /// For each root of a named path, the matcher of its ignore files.
    ignored: HashMap<PathBuf, IncrementalIgnore>,
    /// Whether a walk enters a folder that a named path is in, unless it is ignored.
    entered: HashMap<PathBuf, bool>,
    /// Ignore files that cannot be used, and whose folders are not read.
    pub(super) unusable: Unusable,
}

impl<'l> Listing<'l> {
    pub(super) fn new(inputs: &'l Inputs) -> Self {
        Listing {
            inputs,
            ignored: HashMap::new(),
            entered: HashMap::new(),
            unusable: Unusable::default(),
        }
    }

    /// Returns the walk through a folder, in the order of the names.
    pub(super) fn walk(&self, folder: &Path) -> WalkBuilder {
        let inputs = self.inputs;
        let is_readable = inputs.no_ignore || self.unusable.are_usable_above(folder);
        let use_ignore_files = !inputs.no_ignore && is_readable;
        let unusable = self.unusable.clone();
        let configs = self.inputs.configs.clone();
        let mut walk = WalkBuilder::new(folder);
        walk.hidden(!inputs.hidden)
            .parents(use_ignore_files)
            .ignore(use_ignore_files)
            .git_ignore(use_ignore_files)
            .git_global(use_ignore_files)
            .git_exclude(use_ignore_files)
            .require_git(false)
            .overrides(self.inputs.excluded.clone())
            .filter_entry(move |entry| {
                let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
                let path = entry.path();
                entry.depth() == 0
                    || is_readable
                        && !(entry.file_name() == ".git" || configs.excludes(path, is_folder))
                        && !(is_folder && use_ignore_files && !unusable.are_usable_in(path))
            })
            // Of one folder, so that the names decide.
            .sort_by_file_path(|one, other| one.as_os_str().cmp(other.as_os_str()));
        walk
    }

    /// Returns why an entry of a folder is skipped, given that it is.
    pub(super) fn reason(&self, path: &Path, is_folder: bool) -> Reason {
        let is_hidden = path.file_name().is_some_and(is_hidden);
        if is_hidden && !self.inputs.hidden {
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
            self.inputs.excluded.matched(part, is_folder).is_ignore()
        };
        self.inputs.configs.excludes(path, is_folder) || whole.any(is_matched)
    }

    /// Returns why a run on the current folder would skip `path`, or `None` if it would not. A path outside
    /// of the current folder is judged as in a run on its own folder. `path` is not a symbolic link.
    pub(super) fn skip_reason(&mut self, path: &Path, is_folder: bool) -> Option<Reason> {
        let (root, inside) = split(path, &self.inputs.current);
        if self.finds(&root, &inside, is_folder) {
            return None;
        }
        let mut names = inside.iter();
        if !self.inputs.hidden && names.any(is_hidden) {
            return Some(Reason::Hidden);
        }
        Some(self.reason(path, is_folder))
    }

    /// Returns whether a walk through `root` finds the path `inside`. Only the folders that lead there are
    /// looked at: those beside them may be many.
    pub(super) fn finds(&mut self, root: &Path, inside: &Path, is_folder: bool) -> bool {
        let Some(name) = inside.file_name() else {
            return false;
        };
        let folder = inside.parent().unwrap_or(Path::new(""));
        if !self.enters(root, folder) || name == ".git" {
            return false;
        }
        let path = root.join(inside);
        if self.inputs.configs.excludes(&path, is_folder) {
            return false;
        }
        if !self.ignored.contains_key(root) {
            let matcher = self.walk(root).build_matchers().pop();
            self.ignored
                .extend(matcher.map(|one| (root.to_owned(), one)));
        }
        let ignored = self.ignored.get_mut(root);
        ignored.is_some_and(|ignored| !ignored.matched(inside, is_folder).is_ignore())
    }

    /// Returns whether a walk through `root` enters the folder `inside`, if no ignore file matches it.
    fn enters(&mut self, root: &Path, inside: &Path) -> bool {
        let path = root.join(inside);
        if let Some(&is_entered) = self.entered.get(&path) {
            return is_entered;
        }
        let is_entered = match (inside.parent(), inside.file_name()) {
            (Some(around), Some(name)) => {
                self.enters(root, around)
                    && name != ".git"
                    && !path.is_symlink()
                    && !self.inputs.configs.excludes(&path, true)
                    && (self.inputs.no_ignore || self.unusable.are_usable_in(&path))
            }
            _ => self.inputs.no_ignore || self.unusable.are_usable_above(&path),
        };
        self.entered.insert(path, is_entered);
        is_entered
    }
}

fn is_hidden(name: &std::ffi::OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".") && name != "." && name != ".."
}

/// Splits a path into the folder of a run that would find it, and the rest. That is the current folder if
/// the path is in it, or else the folder of the path.
fn split(path: &Path, current: &Path) -> (PathBuf, PathBuf) {
    let inside = path.strip_prefix(current).unwrap_or(path);
    let is_inside = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    if inside.components().all(is_inside) {
        let normal = |part: &Component<'_>| matches!(part, Component::Normal(_));
        return (".".into(), inside.components().filter(normal).collect());
    }
    let folder = path.parent().unwrap_or(path);
    let name = path.file_name().map(PathBuf::from);
    (folder.to_owned(), name.unwrap_or_default())
}
