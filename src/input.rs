//! From the paths of the command line to sources: files, folders and standard input.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::overrides::{Override, OverrideBuilder};
use ignore::{DirEntry, WalkBuilder};
use urlint::Kind;

use crate::cli::{Error, complain, complain_drawn};
use crate::config::{Configs, Holding};
use crate::container::{self, Limits, Sink, Source};
use crate::source::Part;

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

    /// Read compressed files and archives no further than so many times their own length, all
    /// members together
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = 1000,
        hide_short_help = true,
        help_heading = "Files"
    )]
    max_ratio: u64,

    /// Read compressed files and archives no further than so many bytes, all members together;
    /// `K`, `M`, `G` and `T` stand for powers of 1024
    #[arg(
        long,
        value_name = "BYTES",
        default_value = "64G",
        value_parser = bytes,
        hide_short_help = true,
        help_heading = "Files"
    )]
    max_size: u64,
}

/// Takes a source: what it is, and its bytes.
type Visit<'v> = dyn FnMut(&Input<'_>, &mut dyn Read) -> Result<(), Error> + 'v;

/// A source that is to be read.
#[derive(Debug)]
pub(crate) struct Input<'i> {
    /// What it goes by: the file, and the member if it is in an archive.
    pub(crate) name: &'i [u8],
    /// The file that it is, or is in.
    pub(crate) file: &'i [u8],
    /// What it goes by in the archive that it is in.
    pub(crate) member: Option<&'i [u8]>,
    /// The name whose extension tells its kind.
    pub(crate) path: &'i [u8],
    /// Its kind, where the archive tells it.
    pub(crate) kind: Option<Kind>,
    pub(crate) origin: Origin<'i>,
    /// What holds for it.
    pub(crate) holding: &'i Holding,
}

impl Input<'_> {
    /// Whether the bytes are those of a file or standard input, and may be replaced.
    pub(crate) fn can_be_mended(&self) -> bool {
        !matches!(self.origin, Origin::Container)
    }

    /// The part of the file that it is, or its message of that number.
    pub(crate) fn part(&self, message: Option<u64>) -> Part<'_> {
        Part {
            member: self.member,
            message,
        }
    }
}

/// Where a source comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Origin<'p> {
    Stdin,
    File(&'p Path),
    /// A compressed file or an archive: nothing can be written back.
    Container,
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
            return self.sources(name, Origin::Stdin, &mut io::stdin().lock(), None, false);
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

    fn file(&mut self, path: &Path, name: &Path, only_text: bool) -> Result<(), Error> {
        match File::open(path) {
            Ok(file) => {
                let origin = Origin::File(path);
                self.sources(name, origin, &mut &file, Some(&file), only_text)
            }
            Err(error) => {
                self.fail(name, &error);
                Ok(())
            }
        }
    }

    /// Visits all sources that are in a file, or standard input.
    fn sources(
        &mut self,
        name: &Path,
        origin: Origin<'_>,
        reader: &mut dyn Read,
        file: Option<&File>,
        only_text: bool,
    ) -> Result<(), Error> {
        let path = match origin {
            Origin::File(path) => path,
            Origin::Stdin | Origin::Container => name,
        };
        let holding = match self.configs.holding(path) {
            Ok(holding) => holding,
            Err(drawn) => {
                self.misconfigured(drawn);
                return Ok(());
            }
        };
        let limits = Limits {
            ratio: self.inputs.max_ratio,
            size: self.inputs.max_size,
        };
        let file_name = name.as_os_str().as_encoded_bytes();
        let source = Source::file(file_name, only_text);
        let mut sources = Sources {
            file: file_name,
            origin,
            holding: &holding,
            reading: self,
        };
        match container::open(&source, reader, file, limits, &mut sources) {
            Err(Error::Read(error)) => {
                self.fail(name, &error);
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

/// The sources that are in a file.
struct Sources<'s, 'i, 'v> {
    file: &'s [u8],
    origin: Origin<'s>,
    holding: &'s Holding,
    reading: &'s mut Reading<'i, 'v>,
}

impl Sources<'_, '_, '_> {
    fn name(&self, source: &Source) -> Vec<u8> {
        match &source.member {
            Some(member) => [self.file, b"!", member].concat(),
            None => self.file.to_vec(),
        }
    }

    fn tell(&self, source: &Source, what: &str) {
        let name = self.name(source);
        complain(&format!("{}: {what}", String::from_utf8_lossy(&name)));
    }
}

impl Sink for Sources<'_, '_, '_> {
    fn source(&mut self, source: &Source, reader: &mut dyn Read) -> Result<(), Error> {
        let input = Input {
            name: &self.name(source),
            file: self.file,
            member: source.member.as_deref(),
            path: &source.path,
            kind: source.kind,
            origin: match source.is_decoded {
                true => Origin::Container,
                false => self.origin,
            },
            holding: self.holding,
        };
        self.reading.tally.read += 1;
        let visited = (self.reading.visit)(&input, reader);
        if let Err(Error::Read(_)) = visited {
            self.reading.tally.read -= 1;
        }
        visited
    }

    fn fault(&mut self, source: &Source, message: &str, at: u64) {
        self.tell(source, &format!("warning: {message} (at byte {at})"));
        self.reading.tally.failed += 1;
    }

    fn skipped(&mut self, source: &Source, what: &str) {
        if self.reading.show_skipped {
            self.tell(source, &format!("skipped, {what}"));
        }
    }
}

/// A number of bytes, `64G` for instance.
pub(crate) fn bytes(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "" => Some(0),
        "K" | "k" => Some(10),
        "M" | "m" => Some(20),
        "G" | "g" => Some(30),
        "T" | "t" => Some(40),
        _ => None,
    };
    let number: Option<u64> = digits.parse().ok();
    let size = number.zip(unit);
    size.and_then(|(number, shift)| number.checked_mul(1 << shift))
        .ok_or_else(|| "not a number of bytes, such as 500M".to_owned())
}
