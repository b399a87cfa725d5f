//! The way to the files: what was named, folders and all that is in them, standard input.

use std::cell::Cell;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use ignore::overrides::Override;
use ignore::{DirEntry, WalkBuilder};

use super::open::fail;
use super::{Found, Message, Opening, Totals, Visitor, Waits};
use crate::commands::Error;

/// The way through all that was named.
pub(super) struct Walk<'w> {
    opening: &'w Opening<'w>,
    excluded: Override,
    waits: &'w Waits<'w>,
    /// Whether standard input was not read on, nor is anything else.
    has_ended: Cell<bool>,
    visitor: &'w mut dyn Visitor,
}

impl<'w> Walk<'w> {
    pub(super) fn new(
        opening: &'w Opening<'w>,
        excluded: Override,
        waits: &'w Waits<'w>,
        visitor: &'w mut dyn Visitor,
    ) -> Self {
        Walk {
            opening,
            excluded,
            waits,
            has_ended: Cell::new(false),
            visitor,
        }
    }

    /// Hands on what is at `path`.
    pub(super) fn path(&mut self, path: &Path) -> Result<(), Error> {
        if self.has_ended.get() {
            return Ok(());
        }
        if path.as_os_str() == "-" {
            let name = self.opening.inputs.stdin_filename.as_deref();
            let name = name.unwrap_or(path);
            if self.excludes(name) {
                return Ok(());
            }
            let mut reader = Waiting {
                reader: stdin()?,
                waits: self.waits,
                has_ended: &self.has_ended,
            };
            return self.opening.stdin(name, &mut reader, self.visitor);
        }
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => self.folder(path),
            Ok(_) if self.excludes(path) => Ok(()),
            Ok(metadata) => self.file(&Found {
                path,
                name: path,
                only_text: false,
                is_regular: metadata.is_file(),
            }),
            Err(error) => fail(self.visitor, path, &error),
        }
    }

    /// Whether the file `path`, which was named, is passed over nevertheless.
    fn excludes(&self, path: &Path) -> bool {
        let mut whole = path.ancestors();
        self.opening.inputs.force_exclude
            && (self.opening.configs.excludes(path, false)
                || whole.any(|part| self.excluded.matched(part, part != path).is_ignore()))
    }

    fn folder(&mut self, folder: &Path) -> Result<(), Error> {
        let inputs = self.opening.inputs;
        let heed = !inputs.no_ignore;
        let configs = self.opening.configs.clone();
        let walk = WalkBuilder::new(folder)
            .hidden(!inputs.hidden)
            .parents(heed)
            .ignore(heed)
            .git_ignore(heed)
            .git_global(heed)
            .git_exclude(heed)
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
                    self.file(&Found {
                        path,
                        name: name.unwrap_or(path),
                        only_text: true,
                        is_regular: true,
                    })?;
                }
                Ok(_) => {}
                Err(error) => {
                    self.visitor.message(Message::Line(error.to_string()))?;
                    self.visitor.totals(Totals::FAILED)?;
                }
            }
        }
        Ok(())
    }

    fn file(&mut self, found: &Found<'_>) -> Result<(), Error> {
        if self.visitor.defer(found)? {
            return Ok(());
        }
        self.opening.file(found, self.visitor)
    }
}

fn is_file(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_file())
}

/// Standard input without a buffer, so that nothing waits in that when nothing more comes.
#[cfg(unix)]
fn stdin() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(File::from(io::stdin().as_fd().try_clone_to_owned()?))
}

#[cfg(not(unix))]
fn stdin() -> io::Result<io::StdinLock<'static>> {
    Ok(io::stdin().lock())
}

/// A reader that asks before it is read.
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
