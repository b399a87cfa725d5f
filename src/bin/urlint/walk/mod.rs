//! From the paths on the command line to sources: files, folders, standard input, and members of
//! archives.

mod folders;
mod ignore_files;
mod listing;
mod open;
mod output_files;
mod skipped;
mod stdin;

use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::overrides::{Override, OverrideBuilder};
use urlint::archive::Limits;
use urlint::config::{BadConfig, FileSettings};
use urlint::document::{Kind, WebRecord};
use urlint::read::Content;

use crate::config::rendered;
use crate::error::Error;
use crate::terminal::{complain, complain_rendered};
use folders::Walk;
use listing::Listing;
pub(crate) use open::Opener;
pub(crate) use output_files::{OutputFiles, TEMPORARY, Use};
use skipped::Reason;
pub(crate) use skipped::Skipped;

/// The flags that name the files to read.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct PathArgs {
    /// Files or folders to read, even if they are hidden or ignored; `-` is standard input. In
    /// folders, what is hidden, ignored, excluded or not text is skipped. Without a path, standard input
    /// is read if it is a pipe or a file and not empty, otherwise the current folder
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Whether no path is given, and standard input is read.
    #[arg(skip)]
    pub(crate) is_stdin_chosen: bool,

    /// Whether no path is given, and there is nothing in standard input, so that the current folder is read.
    #[arg(skip)]
    pub(crate) is_stdin_empty: bool,

    /// What has been read of standard input to [choose](Self::choose).
    #[arg(skip)]
    beginning: Vec<u8>,

    /// The file name to use for standard input
    #[arg(long, value_name = "PATH", help_heading = "Files")]
    stdin_filename: Option<PathBuf>,

    /// Skip files and folders that match, in the syntax of .gitignore; may be repeated
    #[arg(long, value_name = "GLOB", help_heading = "Files")]
    exclude: Vec<String>,

    /// Skip named files too if they are hidden, ignored or excluded, and print no summary if nothing is
    /// found; for hooks, which name every file
    #[arg(long, help_heading = "Files")]
    force_exclude: bool,

    /// Read hidden files and folders too
    #[arg(long, help_heading = "Files")]
    hidden: bool,

    /// Ignore .gitignore and .ignore
    #[arg(long, help_heading = "Files")]
    no_ignore: bool,
}

/// The flags that limit how much is read of compressed files and archives.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Advanced")]
pub(crate) struct LimitArgs {
    /// Stop reading a compressed file or an archive once its contents exceed this many times its own
    /// length and 16 MiB
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = Limits::default().ratio,
        value_parser = clap::value_parser!(u64).range(1..),
        hide_short_help = true
    )]
    max_ratio: u64,

    /// Stop reading a compressed file or an archive once its contents exceed this many bytes; the
    /// suffixes `K`, `M`, `G` and `T` are powers of 1024
    #[arg(
        long,
        value_name = "BYTES",
        default_value = "64G",
        value_parser = bytes,
        hide_short_help = true
    )]
    max_size: u64,
}

impl From<LimitArgs> for Limits {
    fn from(flags: LimitArgs) -> Self {
        let mut limits = Limits::default();
        limits.ratio = flags.max_ratio;
        limits.size = flags.max_size;
        limits
    }
}

/// What the walk from the paths to their sources yields.
pub(crate) enum Walked<'s> {
    /// A file, for [`Opener::file`] to open.
    File(Entry<'s>),
    /// A source. Visiting it fails with [`Error::Read`] if it cannot be read to its end.
    Source(&'s Input<'s>, Content<'s>),
    /// A message for standard error.
    Message(Message),
    /// Further sources that were read, skipped, or could not be read.
    Count(Totals),
}

/// Called with what the walk yields; an error may end the walk.
pub(crate) type Visit<'v> = dyn FnMut(Walked<'_>) -> Result<(), Error> + 'v;

/// Called before each read of standard input; returns whether to read on.
type BeforeRead<'w> = dyn Fn() -> io::Result<bool> + 'w;

/// A file that was named on the command line or found in a folder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<'p> {
    pub(crate) path: &'p Path,
    /// The name to show.
    pub(crate) name: &'p Path,
    /// Whether it was named rather than found in a folder.
    pub(crate) is_named: bool,
    /// Whether it is a regular file. Others may take any time to open and to read.
    pub(crate) is_regular: bool,
}

/// A message for standard error.
#[derive(Clone, Debug)]
pub(crate) enum Message {
    Line(String),
    /// A configuration error, which is printed only once.
    BadConfig(BadConfig),
}

impl Message {
    /// Prints the message. `printed` has the configuration errors that were printed before.
    pub(crate) fn print(self, printed: &mut Vec<BadConfig>) {
        match self {
            Message::Line(message) => complain(&message),
            Message::BadConfig(wrong) => {
                let text = wrong.to_string();
                if printed.iter().all(|other| other.to_string() != text) {
                    complain_rendered(&rendered(&wrong));
                    printed.push(wrong);
                }
            }
        }
    }
}

/// A source to read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input<'i> {
    /// Its name: the file, and the member if it is in an archive.
    pub(crate) name: &'i [u8],
    /// The file that it is or is in.
    pub(crate) file: &'i [u8],
    /// Its name in the archive that it is in.
    pub(crate) member: Option<&'i [u8]>,
    /// The name whose extension decides its kind.
    pub(crate) path: &'i [u8],
    /// Its kind, if the archive declares it.
    pub(crate) kind: Option<Kind>,
    pub(crate) origin: Origin<'i>,
    /// The file, if the source is all of it.
    pub(crate) whole: Option<&'i File>,
    /// What a web archive says about it, if requested.
    pub(crate) record: Option<&'i Arc<WebRecord>>,
    /// The settings that apply to it.
    pub(crate) settings: &'i FileSettings,
}

impl Input<'_> {
    /// Returns whether fixes can be written back: not to compressed files and archives.
    pub(crate) fn is_fixable(&self) -> bool {
        !matches!(self.origin, Origin::Archive)
    }
}

/// Where a source comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Origin<'p> {
    Stdin,
    File(&'p Path),
    /// A compressed file or an archive.
    Archive,
}

/// How many sources were read, and what was in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Totals {
    pub(crate) read: u64,
    /// How many URLs were checked.
    pub(crate) urls: u64,
    /// How many diagnostics a comment suppresses.
    pub(crate) suppressed: u64,
    /// How many diagnostics are less severe than what is reported.
    pub(crate) minor: u64,
    /// How many paths could not be read.
    pub(crate) failed: u64,
    /// How many warnings about documents were not printed.
    pub(crate) notices: u64,
    pub(crate) skipped: Skipped,
}

impl Totals {
    const NONE: Totals = Totals {
        read: 0,
        urls: 0,
        suppressed: 0,
        minor: 0,
        failed: 0,
        notices: 0,
        skipped: Skipped::NONE,
    };
    /// A source was read.
    pub(crate) const READ: Totals = Totals {
        read: 1,
        ..Totals::NONE
    };
    /// A path could not be read.
    pub(crate) const FAILED: Totals = Totals {
        failed: 1,
        ..Totals::NONE
    };
    /// A warning about a document was not printed.
    pub(crate) const NOTICE: Totals = Totals {
        notices: 1,
        ..Totals::NONE
    };

    /// Files or folders were skipped.
    pub(crate) fn skipped(skipped: Skipped) -> Totals {
        Totals {
            skipped,
            ..Totals::NONE
        }
    }

    pub(crate) fn add(&mut self, other: Totals) {
        self.read += other.read;
        self.urls += other.urls;
        self.suppressed += other.suppressed;
        self.minor += other.minor;
        self.failed += other.failed;
        self.notices += other.notices;
        self.skipped.add(other.skipped);
    }
}

impl PathArgs {
    /// Returns the paths that are read by default.
    pub(crate) fn current_folder() -> Self {
        PathArgs {
            paths: vec![PathBuf::from(".")],
            ..PathArgs::default()
        }
    }

    /// Passes each source to `read`, in the order of the command line, and files in folders in the order
    /// of their names. A source that cannot be read is reported on standard error, and the others follow.
    pub(crate) fn each(
        &self,
        opener: &Opener<'_>,
        read: &mut dyn FnMut(&Input<'_>, Content<'_>) -> Result<(), Error>,
    ) -> Result<Totals, Error> {
        let mut totals = Totals::default();
        let mut printed = Vec::new();
        let mut take = |walked: Walked<'_>| match walked {
            Walked::Source(input, content) => read(input, content),
            Walked::Message(message) => {
                message.print(&mut printed);
                Ok(())
            }
            Walked::Count(more) => {
                totals.add(more);
                Ok(())
            }
            Walked::File(_) => Ok(()),
        };
        self.walk(opener, &|| Ok(true), &mut |walked| match walked {
            Walked::File(entry) => opener.file(&entry, 1, &mut take),
            walked => take(walked),
        })?;
        Ok(totals)
    }

    /// Passes each file, and standard input as a source, to `visit`, in the order of the command line.
    /// `before_read` is called before each read of standard input, which may block; once it returns false,
    /// the walk ends.
    ///
    /// # Errors
    ///
    /// Fails if `visit` fails with anything but [`Error::Read`], or if a pattern of `--exclude` is
    /// invalid.
    pub(crate) fn walk(
        &self,
        opener: &Opener<'_>,
        before_read: &BeforeRead<'_>,
        visit: &mut Visit<'_>,
    ) -> Result<(), Error> {
        let listing = Listing::new(opener, self.excluded()?);
        let mut walk = Walk::new(opener, listing, before_read, visit);
        self.paths.iter().try_for_each(|path| walk.path(path))
    }

    /// Returns how many bytes there are to read, or `None` unless all paths are files.
    pub(crate) fn size(&self) -> Option<u64> {
        let size = |path: &PathBuf| fs::metadata(path).ok().filter(Metadata::is_file);
        let sizes = self.paths.iter().map(|path| Some(size(path)?.len()));
        sizes.sum()
    }

    /// Returns whether standard input is read.
    pub(crate) fn has_stdin(&self) -> bool {
        self.paths.iter().any(|path| path.as_os_str() == "-")
    }

    /// Returns whether named files are skipped as those in folders are.
    pub(crate) fn force_exclude(&self) -> bool {
        self.force_exclude
    }

    fn excluded(&self) -> Result<Override, Error> {
        let mut globs = OverrideBuilder::new(".");
        for glob in &self.exclude {
            // The `ignore` crate excludes what a pattern with `!` matches.
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

/// Parses a number of bytes, such as `64G`.
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
        .ok_or_else(|| "expected a number of bytes, such as 500M".to_owned())
}
