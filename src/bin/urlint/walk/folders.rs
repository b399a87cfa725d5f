//! Finds the files: those that are named, those in folders, and standard input.

use std::cell::Cell;
use std::collections::HashSet;
use std::ffi::OsString;
use std::fs::{self, DirEntry, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::listing::Listing;
use super::open::fail;
use super::{Entry, Message, Opener, PassedOver, Reason, Shows, Totals, Visitor, Waits};
use crate::error::Error;

/// Visits everything that is named on the command line.
pub(super) struct Walk<'w> {
    opener: &'w Opener<'w>,
    listing: Listing<'w>,
    waits: &'w Waits<'w>,
    /// Whether reading of standard input was broken off, and with it everything.
    has_ended: Cell<bool>,
    /// The absolute paths of the folders so far that are not read since a file for ignoring files
    /// cannot be used.
    unread: HashSet<PathBuf>,
    visitor: &'w mut dyn Visitor,
}

impl<'w> Walk<'w> {
    pub(super) fn new(
        opener: &'w Opener<'w>,
        listing: Listing<'w>,
        waits: &'w Waits<'w>,
        visitor: &'w mut dyn Visitor,
    ) -> Self {
        Walk {
            opener,
            listing,
            waits,
            has_ended: Cell::new(false),
            unread: HashSet::new(),
            visitor,
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
                return self.pass_over(name, false, Reason::Excluded);
            }
            if self.opener.own.is_printed_to_stdin() {
                return self.refuse(name);
            }
            let mut reader = Waiting {
                reader: stdin()?,
                waits: self.waits,
                has_ended: &self.has_ended,
            };
            return self.opener.stdin(name, &mut reader, self.visitor);
        }
        match fs::metadata(path) {
            Ok(metadata) => {
                let is_folder = metadata.is_dir();
                let is_for_hooks = self.opener.inputs.force_exclude;
                if let Some(reason) = is_for_hooks
                    .then(|| self.listing.passes_over(path, is_folder))
                    .flatten()
                {
                    self.tell_unusable(&|path| inside(path).to_owned())?;
                    if self.is_unread(path) {
                        return Ok(());
                    }
                    self.pass_over(path, is_folder, reason)
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
            Err(error) => fail(self.visitor, path, &error),
        }
    }

    /// Visits the files in a folder, and counts what is passed over there.
    fn folder(&mut self, folder: &Path) -> Result<(), Error> {
        self.folder_in(folder, folder)
    }

    /// Visits the files in `folder`, which is in the folder `root` that is named, or is that.
    fn folder_in(&mut self, root: &Path, folder: &Path) -> Result<(), Error> {
        let shown = |path: &Path| {
            let inside = Some(inside(path)).filter(|_| root == Path::new("."));
            inside.unwrap_or(path).to_owned()
        };
        // The folder and those in it that the current entry is in, with the entries so far.
        let mut around: Vec<(PathBuf, HashSet<OsString>)> = Vec::new();
        let walk = self.listing.walk(folder);
        self.tell_unusable(&shown)?;
        if self.is_unread(folder) {
            return Ok(());
        }
        for entry in walk.build() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    self.visitor.message(Message::Line(error.to_string()))?;
                    self.visitor.count(Totals::FAILED)?;
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
                    // To find what the walk does not, the folder is read again.
                    if self.opener.shows != Shows::Nothing {
                        around.push((path.to_owned(), mailboxes.into_iter().collect()));
                    }
                }
                Some(kind) if kind.is_symlink() => {
                    self.pass_over(&shown(path), false, Reason::Link)?;
                }
                _ => self.pass_over(&shown(path), false, Reason::Special)?,
            }
        }
        while let Some((folder, entries)) = around.pop() {
            self.leave(&folder, &entries, &shown)?;
        }
        self.tell_unusable(&shown)
    }

    /// Reports the folders that are not read since a file for ignoring files cannot be used, unless they
    /// were reported before.
    fn tell_unusable(&mut self, shown: &dyn Fn(&Path) -> PathBuf) -> Result<(), Error> {
        for (file, reason) in self.listing.unusable.take() {
            self.unread.insert(absolute(folder_of(&file)));
            let file = shown(&file);
            let file = file.display();
            let line = format!("{file}: {reason}, so that its folder is not read; see --no-ignore");
            self.visitor.message(Message::Line(line))?;
            self.visitor.count(Totals::FAILED)?;
        }
        Ok(())
    }

    /// Returns whether `path`, or a folder that it is in, is reported as not read.
    fn is_unread(&self, path: &Path) -> bool {
        let is_unread = |folder: &Path| self.unread.contains(folder);
        !self.unread.is_empty() && absolute(path).ancestors().any(is_unread)
    }

    /// The folders of mail in `folder` that the walk does not find, if that is a maildir: by their names,
    /// as `.Sent.2003`, they are hidden.
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

    /// Counts what a folder has beside `entries`, which the walk through it has found.
    fn leave(
        &mut self,
        folder: &Path,
        entries: &HashSet<OsString>,
        shown: &dyn Fn(&Path) -> PathBuf,
    ) -> Result<(), Error> {
        self.tell_unusable(shown)?;
        for (path, is_folder) in others(folder, entries) {
            if self.is_unread(&path) {
                continue;
            }
            let reason = self.listing.reason(&path, is_folder);
            self.pass_over(&shown(&path), is_folder, reason)?;
        }
        Ok(())
    }

    fn pass_over(&mut self, name: &Path, is_folder: bool, reason: Reason) -> Result<(), Error> {
        if self.opener.shows == Shows::Each {
            let (name, slash) = (name.display(), if is_folder { "/" } else { "" });
            let line = format!("{name}{slash}: skipped, {}", reason.name());
            self.visitor.message(Message::Line(line))?;
        }
        let passed_over = PassedOver::one(reason);
        self.visitor.count(Totals::passed_over(passed_over))
    }

    /// Reports that a file is not read since results go there.
    fn refuse(&mut self, name: &Path) -> Result<(), Error> {
        let line = format!("{}: input file is also the output", name.display());
        self.visitor.message(Message::Line(line))?;
        self.visitor.count(Totals::FAILED)
    }

    fn file(&mut self, entry: &Entry<'_>) -> Result<(), Error> {
        let is_found = !entry.is_named || self.opener.inputs.force_exclude;
        let own = &self.opener.own;
        if is_found && own.has(entry.path) {
            return self.pass_over(entry.name, false, Reason::Own);
        }
        // With every line of the results there would be more to read.
        if !is_found && own.is_printed_to(entry.path) {
            return self.refuse(entry.name);
        }
        if !self.visitor.begins(entry)? {
            return Ok(());
        }
        if !self.visitor.defer(entry)? {
            self.opener.file(entry, self.visitor)?;
        }
        self.visitor.ends()
    }
}

/// Returns `path` as it is seen from the current folder.
fn inside(path: &Path) -> &Path {
    path.strip_prefix("./").unwrap_or(path)
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// Returns the folder of a file for ignoring files, which Git may have in a folder of its own.
fn folder_of(file: &Path) -> &Path {
    let folder = file.parent().unwrap_or(file);
    let above = file.ancestors().nth(3);
    above
        .filter(|_| file.ends_with(".git/info/exclude"))
        .unwrap_or(folder)
}

/// Returns what is in `folder` beside `entries`, in the order of the names, with whether it is a
/// folder. Git's own folder does not count.
fn others(folder: &Path, entries: &HashSet<OsString>) -> Vec<(PathBuf, bool)> {
    // Who walks through the folder reports that it cannot be read.
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

/// Standard input without a buffer, which could hold input back while more is awaited.
#[cfg(unix)]
fn stdin() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(File::from(io::stdin().as_fd().try_clone_to_owned()?))
}

#[cfg(not(unix))]
fn stdin() -> io::Result<io::StdinLock<'static>> {
    Ok(io::stdin().lock())
}

/// A reader that asks before each read whether to go on.
struct Waiting<'w, R> {
    reader: R,
    waits: &'w Waits<'w>,
    has_ended: &'w Cell<bool>,
}

impl<R: Read> Read for Waiting<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.has_ended.get() || !(self.waits)()? {
            self.has_ended.set(true);
            return Ok(0);
        }
        self.reader.read(out)
    }
}
