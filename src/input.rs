//! From the paths of the command line to sources: files, folders and standard input.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use ignore::overrides::{Override, OverrideBuilder};
use ignore::{DirEntry, WalkBuilder};

use crate::cli::{Error, complain};

/// How much is read at once.
const READ: usize = 256 * 1024;

/// A file found in a folder is taken for binary if a NUL stands among so many first bytes.
const BINARY: usize = 8 * 1024;

/// What to read.
#[derive(Debug, clap::Args)]
pub(crate) struct Inputs {
    /// Files and folders; `-` is standard input
    #[arg(value_name = "PATH", default_value = ".")]
    paths: Vec<PathBuf>,

    /// The name that standard input goes by
    #[arg(long, value_name = "PATH", help_heading = "Files")]
    stdin_filename: Option<PathBuf>,

    /// Pass over what matches in folders, by the syntax of .gitignore; may be given several times
    #[arg(long, value_name = "GLOB", help_heading = "Files")]
    exclude: Vec<String>,

    /// Do not pass over hidden files and folders
    #[arg(long, help_heading = "Files")]
    hidden: bool,

    /// Do not heed .gitignore and .ignore
    #[arg(long, help_heading = "Files")]
    no_ignore: bool,
}

/// Takes a source: its name, where it comes from, and its bytes.
type Visit<'v> = dyn FnMut(&[u8], Origin<'_>, &mut dyn Read) -> Result<(), Error> + 'v;

/// Where a source comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Origin<'p> {
    Stdin,
    File(&'p Path),
}

/// How the reading went.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    /// How many sources were read.
    pub(crate) read: u64,
    /// How many paths could not be read.
    pub(crate) failed: u64,
}

impl Inputs {
    /// Hands each source, by name, to `visit`: in the order of the command line, folders in the
    /// order of their paths. What cannot be read is told to standard error, and the others go on.
    /// `show_skipped`: tell also which files are passed over, since they are no text.
    pub(crate) fn each(&self, show_skipped: bool, visit: &mut Visit<'_>) -> Result<Tally, Error> {
        let mut reading = Reading {
            excluded: self.excluded()?,
            inputs: self,
            show_skipped,
            visit,
            tally: Tally::default(),
        };
        for path in &self.paths {
            reading.path(path)?;
        }
        Ok(reading.tally)
    }

    /// Whether standard input is among them.
    pub(crate) fn has_stdin(&self) -> bool {
        self.paths.iter().any(|path| path.as_os_str() == "-")
    }

    fn excluded(&self) -> Result<Override, Error> {
        let mut globs = OverrideBuilder::new(".");
        for glob in &self.exclude {
            // An override names what to take; with a `!`, what to pass over.
            let negated = match glob.strip_prefix('!') {
                Some(kept) => kept.to_owned(),
                None => format!("!{glob}"),
            };
            globs
                .add(&negated)
                .map_err(|error| Error::Exclude(glob.clone(), error))?;
        }
        globs
            .build()
            .map_err(|error| Error::Exclude(self.exclude.join(" "), error))
    }
}

struct Reading<'i, 'v> {
    inputs: &'i Inputs,
    excluded: Override,
    show_skipped: bool,
    visit: &'v mut Visit<'v>,
    tally: Tally,
}

impl Reading<'_, '_> {
    fn path(&mut self, path: &Path) -> Result<(), Error> {
        if path.as_os_str() == "-" {
            let name = self.inputs.stdin_filename.as_deref().unwrap_or(path);
            return self.visit(name, Origin::Stdin, &mut io::stdin().lock());
        }
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => self.folder(path),
            Ok(_) => self.file(path, path, false),
            Err(error) => {
                self.fail(path, &error);
                Ok(())
            }
        }
    }

    fn folder(&mut self, folder: &Path) -> Result<(), Error> {
        let heed = !self.inputs.no_ignore;
        let walk = WalkBuilder::new(folder)
            .hidden(!self.inputs.hidden)
            .parents(heed)
            .ignore(heed)
            .git_ignore(heed)
            .git_global(heed)
            .git_exclude(heed)
            .require_git(false)
            .overrides(self.excluded.clone())
            .filter_entry(|entry| entry.depth() == 0 || entry.file_name() != ".git")
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
                    complain(&error.to_string());
                    self.tally.failed += 1;
                }
            }
        }
        Ok(())
    }

    fn file(&mut self, path: &Path, name: &Path, pass_over_binary: bool) -> Result<(), Error> {
        let opened = File::open(path).map(|file| BufReader::with_capacity(READ, file));
        let checked = opened.and_then(|mut reader| {
            let binary = pass_over_binary && is_binary(&mut reader)?;
            Ok((!binary).then_some(reader))
        });
        match checked {
            Ok(Some(mut reader)) => self.visit(name, Origin::File(path), &mut reader),
            Ok(None) => {
                if self.show_skipped {
                    complain(&format!("{}: skipped, a binary file", name.display()));
                }
                Ok(())
            }
            Err(error) => {
                self.fail(name, &error);
                Ok(())
            }
        }
    }

    fn visit(
        &mut self,
        name: &Path,
        origin: Origin<'_>,
        reader: &mut dyn Read,
    ) -> Result<(), Error> {
        self.tally.read += 1;
        match (self.visit)(name.as_os_str().as_encoded_bytes(), origin, reader) {
            Err(Error::Read(error)) => {
                self.fail(name, &error);
                self.tally.read -= 1;
                Ok(())
            }
            other => other,
        }
    }

    fn fail(&mut self, path: &Path, error: &io::Error) {
        complain(&format!("{}: {error}", path.display()));
        self.tally.failed += 1;
    }
}

fn is_file(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_file())
}

fn is_binary(reader: &mut impl BufRead) -> io::Result<bool> {
    let head = reader.fill_buf()?;
    // Every other byte of UTF-16 is a NUL.
    if head.starts_with(b"\xFF\xFE") || head.starts_with(b"\xFE\xFF") {
        return Ok(false);
    }
    Ok(memchr::memchr(0, &head[..head.len().min(BINARY)]).is_some())
}
