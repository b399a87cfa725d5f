//! From the paths of the command line to sources: files, folders and standard input.

mod folders;
mod open;

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::overrides::{Override, OverrideBuilder};
use urlint::Kind;

use crate::commands::{Error, complain, complain_drawn};
use crate::config::{Configs, Holding};
use crate::report::excerpt::Part;
use folders::Walk;
pub(crate) use open::Opening;

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
    /// members together, but 16 MiB at least
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = 1000,
        value_parser = clap::value_parser!(u64).range(1..),
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

/// Is called before standard input is read; says whether it is to be read on.
type Waits<'w> = dyn Fn() -> io::Result<bool> + 'w;

/// Takes what is read, and what there is to say about that.
pub(crate) trait Visitor {
    /// Takes a source. Fails with [`Error::Read`] if its bytes cannot be read to their end.
    fn source(&mut self, input: &Input<'_>, reader: &mut dyn Read) -> Result<(), Error>;

    /// Takes a message for standard error.
    fn message(&mut self, message: Message) -> Result<(), Error>;

    /// Takes how many more sources were read or failed.
    fn totals(&mut self, totals: Totals) -> Result<(), Error>;

    /// Takes a file that another thread will open later. Returns whether it was taken; if not, it is
    /// opened here.
    fn defer(&mut self, _: &Found<'_>) -> Result<bool, Error> {
        Ok(false)
    }
}

/// A file that was named or came up in a folder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found<'p> {
    pub(crate) path: &'p Path,
    /// What it goes by.
    pub(crate) name: &'p Path,
    /// Whether it is passed over if it is binary.
    pub(crate) only_text: bool,
    /// Whether it is a regular file; others may take any time to open and to read.
    pub(crate) is_regular: bool,
}

/// A message for standard error.
#[derive(Clone, Debug)]
pub(crate) enum Message {
    /// A line.
    Line(String),
    /// The mistakes in a configuration file, with their source lines: to be printed once.
    Drawn(Arc<str>),
}

impl Message {
    /// Prints it. `drawn` holds the mistakes that have been printed.
    pub(crate) fn print(self, drawn: &mut Vec<Arc<str>>) {
        match self {
            Message::Line(message) => complain(&message),
            Message::Drawn(text) if drawn.iter().any(|printed| Arc::ptr_eq(printed, &text)) => {}
            Message::Drawn(text) => {
                complain_drawn(&text);
                drawn.push(text);
            }
        }
    }
}

/// A source that is to be read.
#[derive(Clone, Copy, Debug)]
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
    /// The file, if the source is all of it.
    pub(crate) whole: Option<&'i File>,
    /// All its bytes, if they are in memory. The reader gives them too.
    pub(crate) bytes: Option<&'i [u8]>,
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Totals {
    /// How many sources were read.
    pub(crate) read: u64,
    /// How many paths could not be read.
    pub(crate) failed: u64,
}

impl Totals {
    /// One source was read.
    pub(crate) const READ: Totals = Totals { read: 1, failed: 0 };
    /// One path could not be read.
    pub(crate) const FAILED: Totals = Totals { read: 0, failed: 1 };

    /// Adds what was counted elsewhere.
    pub(crate) fn add(&mut self, other: Totals) {
        self.read += other.read;
        self.failed += other.failed;
    }
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
    ) -> Result<Totals, Error> {
        let opening = Opening::new(self, configs, show_skipped);
        let mut seen = Seen {
            visit,
            totals: Totals::default(),
            drawn: Vec::new(),
        };
        self.walk(&opening, &|| Ok(true), &mut seen)?;
        Ok(seen.totals)
    }

    /// Hands each source to `visitor`, in the same order. `waits` is called before standard input
    /// is read, which may take any time; if it says no, that is taken for the end of all.
    ///
    /// Fails when the visitor fails with anything but [`Error::Read`], and where a pattern is wrong.
    pub(crate) fn walk(
        &self,
        opening: &Opening<'_>,
        waits: &Waits<'_>,
        visitor: &mut dyn Visitor,
    ) -> Result<(), Error> {
        let mut walk = Walk::new(opening, self.excluded()?, waits, visitor);
        self.paths.iter().try_for_each(|path| walk.path(path))
    }

    /// How many bytes there are to read, if they are all in files that were named.
    pub(crate) fn size(&self) -> Option<u64> {
        let size = |path: &PathBuf| fs::metadata(path).ok().filter(Metadata::is_file);
        let sizes = self.paths.iter().map(|path| Some(size(path)?.len()));
        sizes.sum()
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

/// What visits sources by a closure.
struct Seen<'v> {
    visit: &'v mut Visit<'v>,
    totals: Totals,
    drawn: Vec<Arc<str>>,
}

impl Visitor for Seen<'_> {
    fn source(&mut self, input: &Input<'_>, reader: &mut dyn Read) -> Result<(), Error> {
        (self.visit)(input, reader)
    }

    fn message(&mut self, message: Message) -> Result<(), Error> {
        message.print(&mut self.drawn);
        Ok(())
    }

    fn totals(&mut self, totals: Totals) -> Result<(), Error> {
        self.totals.add(totals);
        Ok(())
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
