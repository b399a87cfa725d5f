//! From the paths of the command line to sources: files, folders and standard input.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::overrides::{Override, OverrideBuilder};
use ignore::{DirEntry, WalkBuilder};

use crate::cli::{Error, complain, complain_drawn};
use crate::config::{Configs, Holding};

/// How much is read at once.
const READ: usize = 256 * 1024;

/// A file found in a folder is taken for binary if a NUL stands among so many first bytes.
const BINARY: usize = 8 * 1024;

/// What to read.
#[derive(Debug, clap::Args)]
pub(crate) struct Inputs {
    /// Files and folders; `-` is standard input
    #[arg(value_name = "PATH", default_value = ".")]
    pub(crate) paths: Vec<PathBuf>,

    /// The name that standard input goes by
    #[arg(long, value_name = "PATH", help_heading = "Files")]
    stdin_filename: Option<PathBuf>,

    /// Pass over what matches in folders, by the syntax of .gitignore; may be given several times
    #[arg(long, value_name = "GLOB", help_heading = "Files")]
    exclude: Vec<String>,

    /// Pass over what is excluded even if it is named: for hooks, which name each file
    #[arg(long, help_heading = "Files")]
    force_exclude: bool,

    /// Do not pass over hidden files and folders
    #[arg(long, help_heading = "Files")]
    hidden: bool,

    /// Do not heed .gitignore and .ignore
    #[arg(long, help_heading = "Files")]
    no_ignore: bool,
}

/// Takes a source: what it is, and its bytes.
type Visit<'v> = dyn FnMut(&Input<'_>, &mut dyn Read) -> Result<(), Error> + 'v;

/// A source that is to be read.
#[derive(Debug)]
pub(crate) struct Input<'i> {
    /// What it goes by.
    pub(crate) name: &'i [u8],
    pub(crate) origin: Origin<'i>,
    /// What holds for it.
    pub(crate) holding: &'i Holding,
}

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
    pub(crate) fn each(
        &self,
        configs: &Configs,
        show_skipped: bool,
        visit: &mut Visit<'_>,
    ) -> Result<Tally, Error> {
        let mut reading = Reading {
            configs,
            excluded: self.excluded()?,
            inputs: self,
            show_skipped,
            visit,
            tally: Tally::default(),
            told: Vec::new(),
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
    configs: &'i Configs,
    excluded: Override,
    show_skipped: bool,
    visit: &'v mut Visit<'v>,
    tally: Tally,
    /// What was wrong with configuration files and has been said.
    told: Vec<Arc<str>>,
}

impl Reading<'_, '_> {
    fn path(&mut self, path: &Path) -> Result<(), Error> {
        if path.as_os_str() == "-" {
            let name = self.inputs.stdin_filename.as_deref().unwrap_or(path);
            if self.excludes(name) {
                return Ok(());
            }
            return self.visit(name, Origin::Stdin, &mut io::stdin().lock());
        }
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => self.folder(path),
            Ok(_) if self.excludes(path) => Ok(()),
            Ok(_) => self.file(path, path, false),
            Err(error) => {
                self.fail(path, &error);
                Ok(())
            }
        }
    }

    /// Whether the file `path`, which was named, is passed over nevertheless.
    fn excludes(&self, path: &Path) -> bool {
        let mut whole = path.ancestors();
        self.inputs.force_exclude
            && (self.configs.excludes(path, false)
                || whole.any(|part| self.excluded.matched(part, part != path).is_ignore()))
    }

    fn folder(&mut self, folder: &Path) -> Result<(), Error> {
        let heed = !self.inputs.no_ignore;
        let configs = self.configs.clone();
        let walk = WalkBuilder::new(folder)
            .hidden(!self.inputs.hidden)
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
        let path = match origin {
            Origin::Stdin => name,
            Origin::File(path) => path,
        };
        let holding = match self.configs.holding(path) {
            Ok(holding) => holding,
            Err(drawn) => {
                self.misconfigured(drawn);
                return Ok(());
            }
        };
        self.tally.read += 1;
        let input = Input {
            name: name.as_os_str().as_encoded_bytes(),
            origin,
            holding: &holding,
        };
        match (self.visit)(&input, reader) {
            Err(Error::Read(error)) => {
                self.fail(name, &error);
                self.tally.read -= 1;
                Ok(())
            }
            other => other,
        }
    }

    /// What a file is to be read for is unknown; others may have a configuration that is right.
    fn misconfigured(&mut self, drawn: Arc<str>) {
        self.tally.failed += 1;
        if !self.told.iter().any(|told| Arc::ptr_eq(told, &drawn)) {
            complain_drawn(&drawn);
            self.told.push(drawn);
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
