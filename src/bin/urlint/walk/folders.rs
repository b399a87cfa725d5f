//! Finds the files that are named, those in folders, and standard input.

use std::cell::Cell;
use std::collections::HashSet;
use std::ffi::OsString;
use std::fs::{self, DirEntry};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::listing::Listing;
use super::open::{fail, fail_with};
use super::stdin::stdin;
use super::{BeforeRead, Entry, Message, Opener, Reason, Skipped, Totals, Visit, Walked};
use crate::error::Error;

/// Visits everything that is named on the command line.
pub(super) struct Walk<'w> {
    opener: &'w Opener<'w>,
    listing: Listing<'w>,
    before_read: &'w BeforeRead<'w>,
    /// Whether the walk was ended while it read standard input.
    has_ended: Cell<bool>,
    visit: &'w mut Visit<'w>,
}

impl<'w> Walk<'w> {
    pub(super) fn new(
        opener: &'w Opener<'w>,
        listing: Listing<'w>,
        before_read: &'w BeforeRead<'w>,
        visit: &'w mut Visit<'w>,
    ) -> Self {
        Walk {
            opener,
            listing,
            before_read,
            has_ended: Cell::new(false),
            visit,
        }
    }

    /// Visits what is at `path`.
    pub(super) fn path(&mut self, path: &Path) -> Result<(), Error> {
        if self.has_ended.get() {
            return Ok(());
        }
        if path.as_os_str() == "-" {
            let name = self.opener.inputs.stdin_filename.as_deref();
            let name = name.unwrap_or(path);
            if self.opener.inputs.force_exclude && self.listing.excludes(name, false) {
                return self.skip(name, false, Reason::Excluded);
            }
            if self.opener.outputs.is_printed_to_stdin() {
                return self.refuse(name);
            }
            let mut reader = GuardedStdin {
                reader: self.opener.inputs.beginning.chain(stdin()?),
                before_read: self.before_read,
                has_ended: &self.has_ended,
            };
            return self.opener.stdin(name, &mut reader, self.visit);
        }
        match fs::metadata(path) {
            Ok(metadata) => {
                let is_folder = metadata.is_dir();
                let force_exclude = self.opener.inputs.force_exclude;
                if let Some(reason) = force_exclude
                    .then(|| self.listing.skip_reason(path, is_folder))
                    .flatten()
                {
                    self.report_unusable(&|path| inside(path).to_owned())?;
                    if self.listing.unusable.are_known_above(path) {
                        return Ok(());
                    }
                    self.skip(path, is_folder, reason)
                } else if is_folder {
                    self.folder(path)
                } else {
                    self.file(&Entry {
                        path,
                        name: path,
                        is_named: true,
                        is_regular: metadata.is_file(),
                    })
                }
            }
            // A URL is no path.
            Err(error) if path.to_str().is_some_and(|path| path.contains("://")) => {
                let path = path.display();
                fail_with(
                    self.visit,
                    format!("{path}: {error}; `urlint parse URL` judges a URL"),
                )
            }
            Err(error) => fail(self.visit, path, &error),
        }
    }

    /// Visits the files in a folder, and counts what is skipped there.
    fn folder(&mut self, folder: &Path) -> Result<(), Error> {
        self.folder_in(folder, folder)
    }

    /// Visits the files in `folder`, which is the folder `root` that was named, or is inside it.
    fn folder_in(&mut self, root: &Path, folder: &Path) -> Result<(), Error> {
        let shown = |path: &Path| {
            let inside = Some(inside(path)).filter(|_| root == Path::new("."));
            inside.unwrap_or(path).to_owned()
        };
        // The folders around the current entry, outermost first, with their entries so far.
        let mut around: Vec<(PathBuf, HashSet<OsString>)> = Vec::new();
        let walk = self.listing.walk(folder);
        self.report_unusable(&shown)?;
        if self.listing.unusable.are_known_above(folder) {
            return Ok(());
        }
        for entry in walk.build() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    fail_with(self.visit, error.to_string())?;
                    continue;
                }
            };
            while around.len() > entry.depth()
                && let Some((folder, entries)) = around.pop()
            {
                self.leave(&folder, &entries, &shown)?;
            }
            if let Some((_, entries)) = around.last_mut() {
                entries.insert(entry.file_name().to_owned());
            }
            let path = entry.path();
            match entry.file_type() {
                Some(kind) if kind.is_file() => self.file(&Entry {
                    path,
                    name: &shown(path),
                    is_named: false,
                    is_regular: true,
                })?,
                Some(kind) if kind.is_dir() || entry.depth() == 0 => {
                    let mailboxes = self.mailboxes(path);
                    for name in &mailboxes {
                        self.folder_in(root, &path.join(name))?;
                    }
                    // The folder is read again on leaving it, to find what the walk has skipped.
                    if self.opener.lists_skipped {
                        around.push((path.to_owned(), mailboxes.into_iter().collect()));
                    }
                }
                Some(kind) if kind.is_symlink() => {
                    self.skip(&shown(path), false, Reason::Link)?;
                }
                _ => self.skip(&shown(path), false, Reason::Special)?,
            }
        }
        while let Some((folder, entries)) = around.pop() {
            self.leave(&folder, &entries, &shown)?;
        }
        self.report_unusable(&shown)
    }

    /// Reports the folders that are not read because their ignore file cannot be used, each only once.
    fn report_unusable(&mut self, shown: &dyn Fn(&Path) -> PathBuf) -> Result<(), Error> {
        for (file, reason) in self.listing.unusable.take() {
            let file = shown(&file);
            let file = file.display();
            let line = format!("{file}: {reason}, so that its folder is not read; see --no-ignore");
            fail_with(self.visit, line)?;
        }
        Ok(())
    }

    /// Returns the mail folders in `folder`, if that is a maildir. The walk does not find them, since they
    /// have names of hidden folders, such as `.Sent.2003`.
    fn mailboxes(&self, folder: &Path) -> Vec<OsString> {
        let is_maildir = |path: &Path| path.join("cur").is_dir();
        if self.opener.inputs.hidden || !is_maildir(folder) {
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

    /// Counts what a folder has in addition to `entries`, which the walk has found.
    fn leave(
        &mut self,
        folder: &Path,
        entries: &HashSet<OsString>,
        shown: &dyn Fn(&Path) -> PathBuf,
    ) -> Result<(), Error> {
        self.report_unusable(shown)?;
        for (path, is_folder) in others(folder, entries) {
            if self.listing.unusable.are_known_above(&path) {
                continue;
            }
            let reason = self.listing.reason(&path, is_folder);
            self.skip(&shown(&path), is_folder, reason)?;
        }
        Ok(())
    }

    fn skip(&mut self, name: &Path, is_folder: bool, reason: Reason) -> Result<(), Error> {
        if self.opener.lists_skipped {
            let (name, slash) = (name.display(), if is_folder { "/" } else { "" });
            let line = format!("{name}{slash}: skipped, {}", reason.name());
            (self.visit)(Walked::Message(Message::Line(line)))?;
        }
        let skipped = Skipped::one(reason);
        (self.visit)(Walked::Count(Totals::skipped(skipped)))
    }

    /// Reports that a file is not read because results go there.
    fn refuse(&mut self, name: &Path) -> Result<(), Error> {
        let line = format!("{}: input file is also the output", name.display());
        fail_with(self.visit, line)
    }

    fn file(&mut self, entry: &Entry<'_>) -> Result<(), Error> {
        let is_found = !entry.is_named || self.opener.inputs.force_exclude;
        let outputs = &self.opener.outputs;
        if is_found && outputs.contains(entry.path) {
            return self.skip(entry.name, false, Reason::Output);
        }
        // Every line of the results would be read again.
        if !is_found && outputs.is_printed_to(entry.path) {
            return self.refuse(entry.name);
        }
        (self.visit)(Walked::File(*entry))
    }
}

/// Returns `path` without `./` at its start.
fn inside(path: &Path) -> &Path {
    path.strip_prefix("./").unwrap_or(path)
}

/// Returns what is in `folder` in addition to `entries`, in the order of the names, each with whether it
/// is a folder. The folder `.git` does not count.
fn others(folder: &Path, entries: &HashSet<OsString>) -> Vec<(PathBuf, bool)> {
    // The walk reports a folder that cannot be read.
    let all = fs::read_dir(folder).into_iter().flatten().flatten();
    let others = all.filter(|entry| {
        let name = entry.file_name();
        name != ".git" && !entries.contains(&name)
    });
    let is_folder = |entry: &DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
    let mut others: Vec<_> = others
        .map(|entry| (entry.path(), is_folder(&entry)))
        .collect();
    others.sort();
    others
}

/// A reader that asks before each read whether to go on.
struct GuardedStdin<'w, R> {
    reader: R,
    before_read: &'w BeforeRead<'w>,
    has_ended: &'w Cell<bool>,
}

impl<R: Read> Read for GuardedStdin<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.has_ended.get() || !(self.before_read)()? {
            self.has_ended.set(true);
            return Ok(0);
        }
        self.reader.read(out)
    }
}
