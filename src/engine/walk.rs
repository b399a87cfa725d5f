//! Finds the files that are named, those in folders, and standard input.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};

use super::listing::Listing;
use super::message::Message;
use super::skipped::Reason;
use super::{Inputs, Totals};

/// How many folders a file may be in, below the one that was named: each file in them is compared with the
/// ignore files of all.
pub(super) const MAX_DEPTH: usize = 256;

/// A step of the walk from the paths to their files.
#[derive(Debug)]
pub(super) enum Step {
    /// A file to open.
    File(Entry),
    /// Standard input, under this name.
    Stdin(PathBuf),
    /// A path that was not read.
    Note(Option<Message>, Totals),
}

/// A file that was named or found in a folder.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) path: PathBuf,
    /// The name to show.
    pub(super) name: PathBuf,
    /// Whether it was named rather than found in a folder.
    pub(super) is_named: bool,
    /// Its length if it is a regular file. Others may take any time to open and to read.
    pub(super) length: Option<u64>,
}

impl Entry {
    /// Returns whether it is a PDF by its name.
    pub(super) fn is_pdf(&self) -> bool {
        let extension = self.path.extension();
        extension.is_some_and(|extension| extension.eq_ignore_ascii_case("pdf"))
    }
}

/// Walks to everything that is named, in the order of the paths, and to files in folders in the order of
/// their names.
pub(super) struct Walk<'i> {
    inputs: &'i Inputs,
    listing: Listing<'i>,
    paths: std::slice::Iter<'i, PathBuf>,
    /// The folders that are being walked through: the one that was named, and mail folders in it.
    folders: Vec<Folder>,
    /// Steps that have been found.
    steps: VecDeque<Step>,
    /// Whether a message has said that a named file is ignored.
    has_told: bool,
}

/// A folder that is being walked through.
struct Folder {
    walk: ignore::Walk,
    /// The folder that was named.
    root: PathBuf,
    /// The folder that the walk begins at.
    start: PathBuf,
}

impl Folder {
    /// Returns the name of `path` to show.
    fn shown(&self, path: &Path) -> PathBuf {
        let inside = Some(inside(path)).filter(|_| self.root == Path::new("."));
        inside.unwrap_or(path).to_owned()
    }
}

impl Iterator for Walk<'_> {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        loop {
            if let Some(step) = self.steps.pop_front() {
                return Some(step);
            }
            if let Some(folder) = self.folders.pop() {
                self.go_on(folder);
            } else {
                let path = self.paths.next()?;
                self.path(path);
            }
        }
    }
}

impl<'i> Walk<'i> {
    pub(super) fn new(inputs: &'i Inputs) -> Self {
        Walk {
            inputs,
            listing: Listing::new(inputs),
            paths: inputs.paths.iter(),
            folders: Vec::new(),
            steps: VecDeque::new(),
            has_told: false,
        }
    }

    /// Takes the first step to `path`.
    fn path(&mut self, path: &Path) {
        let inputs = self.inputs;
        if inputs.streams.contains_key(path) {
            return self.file(path.to_owned(), path.to_owned(), true, None);
        }
        if path.as_os_str() == "-" {
            let name = inputs.stdin.name.as_deref().unwrap_or(path);
            if inputs.force_exclude && self.listing.excludes(name, false) {
                self.skip(name, false, Reason::Excluded);
            } else if inputs.outputs.is_printed_to_stdin() {
                self.refuse(name);
            } else {
                self.steps.push_back(Step::Stdin(name.to_owned()));
            }
            return;
        }
        let own = fs::symlink_metadata(path);
        let is_link = own.as_ref().is_ok_and(fs::Metadata::is_symlink);
        let data = match if is_link { fs::metadata(path) } else { own } {
            Ok(data) => data,
            Err(error) => return self.fail(path, &error),
        };
        let is_folder = data.is_dir();
        let skipped = match inputs.force_exclude {
            true if is_link => Some(Reason::Link),
            true => self.listing.skip_reason(path, is_folder),
            false => None,
        };
        if let Some(reason) = skipped {
            self.report_unusable(&|path| inside(path).to_owned());
            if !self.listing.unusable.are_known_above(path) {
                // A hook names files that Git has, whatever an ignore file says.
                if reason == Reason::Ignored && !inputs.is_verbose && !self.has_told {
                    self.has_told = true;
                    let name = path.as_os_str().as_encoded_bytes().to_vec();
                    let text = "named, but skipped, since an ignore file matches it; \
                                --no-ignore reads such files";
                    let message = Message::Other(name, text.to_owned());
                    self.note(Some(message), Totals::default());
                }
                self.skip(path, is_folder, reason);
            }
        } else if is_folder && inputs.walks_folders {
            self.folder(path.to_owned(), path);
        } else {
            let length = data.is_file().then_some(data.len());
            self.file(path.to_owned(), path.to_owned(), true, length);
        }
    }

    /// Begins to walk through `folder`, which is the folder `root` that was named, or is inside it.
    fn folder(&mut self, root: PathBuf, folder: &Path) {
        let most = MAX_DEPTH.saturating_sub(depth(&root, folder)) + 1;
        let walk = self.listing.walk(folder).max_depth(Some(most)).build();
        let new = Folder {
            walk,
            root,
            start: folder.to_owned(),
        };
        self.report_unusable(&|path| new.shown(path));
        if !self.listing.unusable.are_known_above(folder) {
            self.folders.push(new);
        }
    }

    /// Takes the next step in `folder`.
    fn go_on(&mut self, mut folder: Folder) {
        let entry = match folder.walk.next() {
            Some(Ok(entry)) => entry,
            Some(Err(error)) => {
                // Both `Display`s repeat the path.
                let cause = error.io_error().and_then(|error| error.get_ref()?.source());
                let (name, reason) = match (&error, cause) {
                    (ignore::Error::WithPath { path, .. }, Some(cause)) => {
                        (folder.shown(path), cause.to_string())
                    }
                    _ => (PathBuf::new(), error.to_string()),
                };
                self.folders.push(folder);
                return self.fail_with(&name, reason);
            }
            None => {
                return self.report_unusable(&|path| folder.shown(path));
            }
        };
        let shown = folder.shown(entry.path());
        match entry.file_type() {
            Some(kind) if kind.is_file() => {
                let length = entry.metadata().map_or(0, |data| data.len());
                self.file(entry.into_path(), shown, false, Some(length));
            }
            Some(kind) if kind.is_dir() && depth(&folder.root, entry.path()) > MAX_DEPTH => {
                let reason = format!("more than {MAX_DEPTH} folders deep, so that it is not read");
                self.fail_with(&shown, reason);
            }
            Some(kind) if kind.is_dir() || entry.depth() == 0 => {
                let path = entry.into_path();
                let mailboxes = self.mailboxes(&path);
                if self.inputs.is_verbose {
                    self.list_skipped(&folder, &path, &mailboxes);
                }
                let root = folder.root.clone();
                self.folders.push(folder);
                // The one that is pushed last is walked through first.
                for name in mailboxes.iter().rev() {
                    self.folder(root.clone(), &path.join(name));
                }
                return;
            }
            Some(kind) if kind.is_symlink() => self.skip(&shown, false, Reason::Link),
            _ => self.skip(&shown, false, Reason::Special),
        }
        self.folders.push(folder);
    }

    /// Reports the folders that are not read because their ignore file cannot be used, each only once.
    fn report_unusable(&mut self, shown: &dyn Fn(&Path) -> PathBuf) {
        for (file, reason) in self.listing.unusable.take() {
            let reason = format!("{reason}, so that its folder is not read; see --no-ignore");
            self.fail_with(&shown(&file), reason);
        }
    }

    /// Returns the mail folders in `folder`, if that is a maildir. The walk does not find them, since they
    /// have names of hidden folders, such as `.Sent.2003`.
    fn mailboxes(&self, folder: &Path) -> Vec<OsString> {
        let is_maildir = |path: &Path| path.join("cur").is_dir();
        if self.inputs.hidden || !is_maildir(folder) {
            return Vec::new();
        }
        let is_mailbox = |name: &OsString| {
            let path = folder.join(name);
            name.as_encoded_bytes().starts_with(b".")
                && !path.is_symlink()
                && is_maildir(&path)
                && !self.listing.excludes(&path, true)
        };
        let all = fs::read_dir(folder).into_iter().flatten().flatten();
        let names = all.map(|entry| entry.file_name());
        let mut mailboxes: Vec<_> = names.filter(is_mailbox).collect();
        mailboxes.sort();
        mailboxes
    }

    /// Lists the entries of `path`, a folder that the walk enters, that it does not find.
    fn list_skipped(&mut self, folder: &Folder, path: &Path, mailboxes: &[OsString]) {
        // The walk reports a folder that cannot be read.
        let all = fs::read_dir(path).into_iter().flatten().flatten();
        let others = all.filter(|entry| {
            let name = entry.file_name();
            name != ".git" && !mailboxes.contains(&name)
        });
        let is_folder = |entry: &DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
        let mut others: Vec<_> = (others.map(|entry| (entry.path(), is_folder(&entry)))).collect();
        others.sort();
        for (path, is_folder) in others {
            let inside = path.strip_prefix(&folder.start).unwrap_or(&path);
            if !self.listing.finds(&folder.start, inside, is_folder)
                && !self.listing.unusable.are_known_above(&path)
            {
                let reason = self.listing.reason(&path, is_folder);
                self.skip(&folder.shown(&path), is_folder, reason);
            }
        }
    }

    fn skip(&mut self, name: &Path, is_folder: bool, reason: Reason) {
        let message = self.inputs.is_verbose.then(|| {
            let mut name = name.as_os_str().as_encoded_bytes().to_vec();
            name.extend_from_slice(if is_folder { b"/" } else { b"" });
            Message::Skipped {
                name,
                reason: reason.name().to_owned(),
                may_be_text: false,
            }
        });
        self.note(message, Totals::skipped(reason));
    }

    fn note(&mut self, message: Option<Message>, totals: Totals) {
        self.steps.push_back(Step::Note(message, totals));
    }

    /// Reports that `path` cannot be read.
    fn fail(&mut self, path: &Path, error: &std::io::Error) {
        let mut message = Message::failed(path, error);
        if let Message::Failed { reason, .. } = &mut message
            && let Some(path) = path.to_str()
        {
            reason.push_str(match path {
                url if url.contains("://") => "; `urlint parse URL` judges a URL",
                pattern if pattern.contains(['*', '?', '[']) => {
                    "; the shell has not expanded the pattern: it is quoted, or nothing matches it"
                }
                _ => "",
            });
        }
        self.note(Some(message), Totals::failed());
    }

    fn fail_with(&mut self, name: &Path, reason: String) {
        let name = name.as_os_str().as_encoded_bytes().to_vec();
        let kind = std::io::ErrorKind::Other;
        let message = Message::Failed { name, reason, kind };
        self.note(Some(message), Totals::failed());
    }

    /// Reports that a file is not read because results go there.
    fn refuse(&mut self, name: &Path) {
        self.fail_with(name, "input file is also the output".to_owned());
    }

    fn file(&mut self, path: PathBuf, name: PathBuf, is_named: bool, length: Option<u64>) {
        let is_found = !is_named || self.inputs.force_exclude;
        let outputs = &self.inputs.outputs;
        if is_found && outputs.contains(&path) {
            return self.skip(&name, false, Reason::Output);
        }
        // Every line of the results would be read again.
        if !is_found && outputs.is_printed_to(&path) {
            return self.refuse(&name);
        }
        self.steps.push_back(Step::File(Entry {
            path,
            name,
            is_named,
            length,
        }));
    }
}

/// Returns `path` without `./` at its start.
pub(super) fn inside(path: &Path) -> &Path {
    path.strip_prefix("./").unwrap_or(path)
}

/// Returns how many folders `path` is below `root`, which it begins with.
pub(super) fn depth(root: &Path, path: &Path) -> usize {
    let inside = path.strip_prefix(root).unwrap_or(path);
    inside.components().count()
}
