//! Finds the files: those that are named, those in folders, and standard input.

use std::cell::Cell;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use ignore::overrides::Override;
use ignore::{DirEntry, WalkBuilder};

use super::open::fail;
use super::{Entry, Message, Opener, Totals, Visitor, Waits};
use crate::error::Error;

/// Visits everything that is named on the command line.
pub(super) struct Walk<'w> {
    opener: &'w Opener<'w>,
    excluded: Override,
    waits: &'w Waits<'w>,
    /// Whether reading of standard input was broken off, and with it everything.
    has_ended: Cell<bool>,
    visitor: &'w mut dyn Visitor,
}

impl<'w> Walk<'w> {
    pub(super) fn new(
        opener: &'w Opener<'w>,
        excluded: Override,
        waits: &'w Waits<'w>,
        visitor: &'w mut dyn Visitor,
    ) -> Self {
        Walk {
            opener,
            excluded,
            waits,
            has_ended: Cell::new(false),
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
            if self.excludes(name) {
                return Ok(());
            }
            let mut reader = Waiting {
                reader: stdin()?,
                waits: self.waits,
                has_ended: &self.has_ended,
            };
            return self.opener.stdin(name, &mut reader, self.visitor);
        }
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => self.folder(path),
            Ok(_) if self.excludes(path) => Ok(()),
            Ok(_) => self.file(path, path, false),
            Err(error) => fail(self.visitor, path, &error),
        }
    }

    /// Returns whether the file `path` is skipped even though it was named.
    fn excludes(&self, path: &Path) -> bool {
        let mut whole = path.ancestors();
        self.opener.inputs.force_exclude
            && (self.opener.configs.excludes(path, false)
                || whole.any(|part| self.excluded.matched(part, part != path).is_ignore()))
    }

    fn folder(&mut self, folder: &Path) -> Result<(), Error> {
        let inputs = self.opener.inputs;
        let use_ignore_files = !inputs.no_ignore;
        let configs = self.opener.configs.clone();
        let walk = WalkBuilder::new(folder)
            .hidden(!inputs.hidden)
            .parents(use_ignore_files)
            .ignore(use_ignore_files)
            .git_ignore(use_ignore_files)
            .git_global(use_ignore_files)
            .git_exclude(use_ignore_files)
            .require_git(false)
            .overrides(self.excluded.clone())
            .filter_entry(move |entry| {
                let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
                entry.depth() == 0
                    || !(entry.file_name() == ".git" || configs.excludes(entry.path(), is_folder))
            })
            .sort_by_file_name(Ord::cmp)
            .build();
        for entry in walk {
            match entry {
                Ok(entry) if is_file(&entry) => {
                    let path = entry.path();
                    let name = path
                        .strip_prefix("./")
                        .ok()
                        .filter(|_| folder == Path::new("."));
                    self.file(path, name.unwrap_or(path), true)?;
                }
                Ok(_) => {}
                Err(error) => {
                    self.visitor.message(Message::Line(error.to_string()))?;
                    self.visitor.count(Totals::FAILED)?;
                }
            }
        }
        Ok(())
    }

    fn file(&mut self, path: &Path, name: &Path, only_text: bool) -> Result<(), Error> {
        let entry = Entry {
            path,
            name,
            only_text,
        };
        if self.visitor.defer(&entry)? {
            return Ok(());
        }
        self.opener.file(&entry, self.visitor)
    }
}

fn is_file(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_file())
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
