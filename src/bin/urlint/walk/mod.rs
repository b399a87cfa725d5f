//! From the paths on the command line to sources: files, folders, standard input, and what is in
//! archives.

mod folders;
mod ignore_files;
mod listing;
mod open;
mod own;
mod passed_over;

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::overrides::{Override, OverrideBuilder};
use urlint::config::{BadConfig, FileSettings};
use urlint::document::{Kind, WebRecord};

use crate::config::rendered;
use crate::error::Error;
use crate::report::excerpt::Part;
use crate::terminal::{complain, complain_rendered};
use folders::Walk;
use listing::Listing;
pub(crate) use open::Opener;
pub(crate) use own::{Lists, Own, TEMPORARY, Use};
use passed_over::Reason;
pub(crate) use passed_over::{PassedOver, Shows};

/// The flags that name the files to read.
#[derive(Debug, clap::Args)]
pub(crate) struct PathArgs {
    /// Files or folders to read, even if they are hidden or ignored; `-` is standard input. In
    /// folders, what is hidden, ignored, excluded or not text is passed over
    #[arg(value_name = "PATH", default_value = ".")]
    pub(crate) paths: Vec<PathBuf>,

    /// The file name to use for standard input
    #[arg(long, value_name = "PATH", help_heading = "Files")]
    stdin_filename: Option<PathBuf>,

    /// Skip files and folders that match, in the syntax of .gitignore; may be repeated
    #[arg(long, value_name = "GLOB", help_heading = "Files")]
    exclude: Vec<String>,

    /// Pass over what is named as if it had been found in a folder, if it is hidden, ignored or
    /// excluded, and print no summary if nothing is found; for hooks, which name every file
    #[arg(long, help_heading = "Files")]
    force_exclude: bool,

    /// Read hidden files and folders too
    #[arg(long, help_heading = "Files")]
    hidden: bool,

    /// Ignore .gitignore and .ignore
    #[arg(long, help_heading = "Files")]
    no_ignore: bool,

    /// Stop reading a compressed file or an archive once its contents exceed this many times its own
    /// length and 16 MiB
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = MAX_RATIO,
        value_parser = clap::value_parser!(u64).range(1..),
        hide_short_help = true,
        help_heading = "Files"
    )]
    max_ratio: u64,

    /// Stop reading a compressed file or an archive once its contents exceed this many bytes; the
    /// suffixes `K`, `M`, `G` and `T` are powers of 1024
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

/// Is called with each source and a reader of its bytes.
type Visit<'v> = dyn FnMut(&Input<'_>, &mut dyn Read) -> Result<(), Error> + 'v;

/// Is called before each read of standard input; returns whether to read on.
type Waits<'w> = dyn Fn() -> io::Result<bool> + 'w;

/// Takes the sources that are found, and the messages about them.
pub(crate) trait Visitor {
    /// Takes a source. Fails with [`Error::Read`] if it cannot be read to its end.
    fn source(&mut self, input: &Input<'_>, reader: &mut dyn Read) -> Result<(), Error>;

    /// Takes a message for standard error.
    fn message(&mut self, message: Message) -> Result<(), Error>;

    /// Takes how many more sources were read or could not be read.
    fn count(&mut self, totals: Totals) -> Result<(), Error>;

    /// Takes note that a file follows; returns whether it is to be read.
    fn begins(&mut self, _: &Entry<'_>) -> Result<bool, Error> {
        Ok(true)
    }

    /// Takes note that the file has been read, or taken to be read later.
    fn ends(&mut self) -> Result<(), Error> {
        Ok(())
    }

    /// With how many threads a file is decompressed.
    fn threads(&self) -> usize {
        1
    }

    /// Takes a file to open it later, on another thread; returns whether it does.
    fn defer(&mut self, _: &Entry<'_>) -> Result<bool, Error> {
        Ok(false)
    }
}

/// A file that was named on the command line or found in a folder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<'p> {
    pub(crate) path: &'p Path,
    /// The name to show.
    pub(crate) name: &'p Path,
    /// Whether it was named, and not found in a folder.
    pub(crate) is_named: bool,
    /// Whether it is a regular file. Others may take any time to open and to read.
    pub(crate) is_regular: bool,
}

/// A message for standard error.
#[derive(Clone, Debug)]
pub(crate) enum Message {
    Line(String),
    /// What is wrong with a configuration, which is printed only once.
    BadConfig(BadConfig),
}

impl Message {
    /// Prints the message. `printed` has the configurations that were printed before.
    pub(crate) fn print(self, printed: &mut Vec<BadConfig>) {
        match self {
            Message::Line(message) => complain(&message),
            Message::BadConfig(wrong) => {
                if !printed.iter().any(|other| other.is_clone_of(&wrong)) {
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
    /// The file that it is, or is in.
    pub(crate) file: &'i [u8],
    /// Its name in the archive that it is in.
    pub(crate) member: Option<&'i [u8]>,
    /// The name whose extension decides its kind.
    pub(crate) path: &'i [u8],
    /// Its kind, if the archive says it.
    pub(crate) kind: Option<Kind>,
    pub(crate) origin: Origin<'i>,
    /// The file, if the source is all of it.
    pub(crate) whole: Option<&'i File>,
    /// All its bytes, if they are in memory. The reader gives them too.
    pub(crate) bytes: Option<&'i [u8]>,
    /// What a web archive says about it, if that is asked for.
    pub(crate) record: Option<&'i Arc<WebRecord>>,
    /// The settings that apply to it.
    pub(crate) settings: &'i FileSettings,
}

impl Input<'_> {
    /// Returns whether fixes can be written back: not to compressed files and archives.
    pub(crate) fn is_fixable(&self) -> bool {
        !matches!(self.origin, Origin::Archive)
    }

    /// Returns which part of the file it is, or its message with this number.
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
    /// A compressed file or an archive.
    Archive,
}

/// How many sources were read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Totals {
    pub(crate) read: u64,
    /// How many paths could not be read.
    pub(crate) failed: u64,
    /// How many warnings about documents were not printed.
    pub(crate) notices: u64,
    pub(crate) passed_over: PassedOver,
}

impl Totals {
    const NONE: Totals = Totals {
        read: 0,
        failed: 0,
        notices: 0,
        passed_over: PassedOver::NONE,
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

    /// Files or folders were passed over.
    pub(crate) fn passed_over(passed_over: PassedOver) -> Totals {
        Totals {
            passed_over,
            ..Totals::NONE
        }
    }

    pub(crate) fn add(&mut self, other: Totals) {
        self.read += other.read;
        self.failed += other.failed;
        self.notices += other.notices;
        self.passed_over.add(other.passed_over);
    }
}

/// The default of `--max-ratio`.
const MAX_RATIO: u64 = 1000;

impl PathArgs {
    /// What is read if nothing is named.
    pub(crate) fn current_folder() -> Self {
        PathArgs::of(vec![PathBuf::from(".")])
    }

    /// What is read if these are named, without other flags.
    pub(crate) fn of(paths: Vec<PathBuf>) -> Self {
        PathArgs {
            paths,
            stdin_filename: None,
            exclude: Vec::new(),
            force_exclude: false,
            hidden: false,
            no_ignore: false,
            max_ratio: MAX_RATIO,
            max_size: 64 << 30,
        }
    }

    /// Hands each source to `visit`, in the order of the command line, files in folders in the order
    /// of their names. What cannot be read is reported on standard error, and the others follow.
    pub(crate) fn each(&self, opener: &Opener<'_>, visit: &mut Visit<'_>) -> Result<Totals, Error> {
        let mut each = ForEach {
            visit,
            totals: Totals::default(),
            printed: Vec::new(),
        };
        self.walk(opener, &|| Ok(true), &mut each)?;
        Ok(each.totals)
    }

    /// Hands each source to `visitor`, in the order of the command line. `waits` is called before
    /// each read of standard input, which may block; once it returns false, everything ends.
    ///
    /// # Errors
    ///
    /// Fails if the visitor fails with anything but [`Error::Read`], or if a pattern of `--exclude`
    /// is invalid.
    pub(crate) fn walk(
        &self,
        opener: &Opener<'_>,
        waits: &Waits<'_>,
        visitor: &mut dyn Visitor,
    ) -> Result<(), Error> {
        let listing = Listing::new(opener, self.excluded()?);
        let mut walk = Walk::new(opener, listing, waits, visitor);
        self.paths.iter().try_for_each(|path| walk.path(path))
    }

    /// Returns how many bytes there are to read, if all paths are files.
    pub(crate) fn size(&self) -> Option<u64> {
        let size = |path: &PathBuf| fs::metadata(path).ok().filter(Metadata::is_file);
        let sizes = self.paths.iter().map(|path| Some(size(path)?.len()));
        sizes.sum()
    }

    /// Returns whether standard input is read.
    pub(crate) fn has_stdin(&self) -> bool {
        self.paths.iter().any(|path| path.as_os_str() == "-")
    }

    /// Returns whether named files are passed over as those in folders are.
    pub(crate) fn is_for_hooks(&self) -> bool {
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

/// Visits sources with a closure.
struct ForEach<'v> {
    visit: &'v mut Visit<'v>,
    totals: Totals,
    printed: Vec<BadConfig>,
}

impl Visitor for ForEach<'_> {
    fn source(&mut self, input: &Input<'_>, reader: &mut dyn Read) -> Result<(), Error> {
        (self.visit)(input, reader)
    }

    fn message(&mut self, message: Message) -> Result<(), Error> {
        message.print(&mut self.printed);
        Ok(())
    }

    fn count(&mut self, totals: Totals) -> Result<(), Error> {
        self.totals.add(totals);
        Ok(())
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
