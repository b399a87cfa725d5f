//! The flags of the input: paths, limits, threads.

use std::io::Read;
use std::path::PathBuf;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use ignore::overrides::{Override, OverrideBuilder};
use urlint_archive::Limits;
use urlint_config::Configs;
use urlint_engine::{Inputs, OutputFiles, Stdin};

use super::read::ReadArgs;
use crate::error::Error;
use crate::progress::When;
use urlint_report::terminal::{Verbosity, complain};

/// How much of standard input is read to learn whether there is something, in bytes.
const BEGINNING: usize = 64 << 10;

/// The flags that name the files to read.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct PathArgs {
    /// Files or folders to read; `-` is standard input. By default, the piped input or else the current
    /// folder
    ///
    /// These are read even if they are hidden or ignored. In folders, hidden, ignored and excluded files
    /// and files that are not text are skipped. Without a path, standard input is read if it is a pipe or a
    /// file and not empty, otherwise the current folder.
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Whether no path is given, and standard input is read.
    #[arg(skip)]
    pub(crate) is_stdin_chosen: bool,

    /// Whether no path is given, and there is nothing in standard input, so that the current folder is read.
    #[arg(skip)]
    is_stdin_empty: bool,

    /// The bytes of standard input that were read to [choose](Self::choose).
    #[arg(skip)]
    beginning: Vec<u8>,

    /// The file name to use for standard input
    #[arg(
        long,
        value_name = "PATH",
        hide_short_help = true,
        help_heading = "Files"
    )]
    stdin_filename: Option<PathBuf>,

    /// Skip files and folders that match, as in .gitignore; may be repeated
    #[arg(long, value_name = "GLOB", help_heading = "Files")]
    exclude: Vec<String>,

    /// Also skip named files that are hidden, ignored or excluded, and print no summary if nothing is
    /// found; for hooks, which name every file
    #[arg(long, hide_short_help = true, help_heading = "Files")]
    pub(crate) force_exclude: bool,

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

/// The flags for threads and progress.
#[derive(Debug, clap::Args)]
pub(crate) struct WorkArgs {
    /// When to show the progress on standard error
    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        hide_short_help = true,
        help_heading = "Output"
    )]
    pub(crate) progress: When,

    /// The number of threads; it does not change the results [default: number of processors]
    #[arg(
        long,
        short = 'j',
        value_name = "NUMBER",
        value_parser = clap::value_parser!(u16).range(1..),
        hide_short_help = true,
        help_heading = "Advanced"
    )]
    threads: Option<u16>,
}

impl PathArgs {
    /// Chooses the input if no path is given: standard input if it is a pipe, a socket or a file with
    /// something in it, otherwise the current folder. `may_wait`: standard input may be read.
    pub(crate) fn choose(&mut self, may_wait: bool) {
        if !self.paths.is_empty() {
            return;
        }
        self.is_stdin_chosen =
            may_wait && (self.stdin_filename.is_some() || is_readable() && self.begin_stdin());
        let path = if self.is_stdin_chosen { "-" } else { "." };
        self.paths.push(PathBuf::from(path));
    }

    /// Says that the current folder is read since standard input is empty, if that is so. Fails if files would
    /// be written to, since nobody named the folder.
    pub(crate) fn explain_choice(&self, writes: bool) -> Result<(), Error> {
        if !self.is_stdin_empty {
            return Ok(());
        }
        if writes {
            let message =
                "standard input is empty: to change files of the current folder, name it: `.`";
            return Err(Error::Usage(message.to_owned()));
        }
        complain(
            "standard input is empty: reading the current folder; `-` reads only standard input",
        );
        Ok(())
    }

    /// Reads the beginning of standard input, and says so if it keeps a person waiting; returns whether there is something.
    fn begin_stdin(&mut self) -> bool {
        const PATIENCE: Duration = Duration::from_secs(2);
        let (sender, ended) = mpsc::channel::<()>();
        // Without a thread, nobody says so.
        let _ = thread::Builder::new().spawn(move || {
            if ended.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                complain("waiting for standard input; `.` names the current folder");
            }
        });
        let mut buffer = vec![0; BEGINNING];
        let read = urlint_engine::stdin().and_then(|mut stdin| stdin.read(&mut buffer));
        drop(sender);
        // A read that fails here fails again, where it is reported.
        let Ok(read) = read else { return true };
        buffer.truncate(read);
        self.is_stdin_empty = read == 0;
        self.beginning = buffer;
        read > 0
    }

    /// Returns the inputs for these flags. Fails if a pattern of `--exclude` is invalid, or if standard input has
    /// a name and is not read.
    pub(crate) fn inputs(
        &self,
        configs: Configs,
        reader: &ReadArgs,
        limits: LimitArgs,
        work: &WorkArgs,
        outputs: OutputFiles,
        verbosity: Verbosity,
    ) -> Result<Inputs, Error> {
        if self.stdin_filename.is_some() && !self.paths.iter().any(|path| path.as_os_str() == "-") {
            let message =
                "--stdin-filename names standard input, which is not read: add `-` to the paths";
            return Err(Error::usage(message));
        }
        let mut inputs = Inputs::new(self.paths.clone(), configs);
        reader.set_inputs(&mut inputs);
        inputs.stdin = Stdin {
            name: self.stdin_filename.clone(),
            beginning: self.beginning.clone(),
        };
        inputs.excluded = self.excluded()?;
        inputs.force_exclude = self.force_exclude;
        inputs.hidden = self.hidden;
        inputs.no_ignore = self.no_ignore;
        inputs.is_verbose = verbosity.is_verbose();
        inputs.outputs = outputs;
        inputs.limits = limits.into();
        let available = || thread::available_parallelism().map_or(1, usize::from);
        inputs.threads = work.threads.map_or_else(available, usize::from);
        Ok(inputs)
    }

    /// Fails if one of the `outputs` is named to be read. Hooks name every file, so for them outputs of
    /// the configuration are skipped instead.
    pub(crate) fn reject_inputs_among(&self, outputs: &OutputFiles) -> Result<(), Error> {
        let Some(path) = outputs.input_among(&self.paths, self.force_exclude) else {
            return Ok(());
        };
        let path = path.display();
        let message = "this file is both read and written; write to another one";
        Err(Error::Usage(format!("{path}: {message}")))
    }

    fn excluded(&self) -> Result<Override, Error> {
        let mut globs = OverrideBuilder::new(".");
        globs.allow_unclosed_class(false);
        for glob in &self.exclude {
            // The `ignore` crate excludes the paths that a pattern with `!` matches.
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

/// Returns whether standard input is a pipe, a socket or a file.
#[cfg(unix)]
fn is_readable() -> bool {
    use std::os::unix::fs::FileTypeExt;
    let data = urlint_engine::stdin().and_then(|stdin| stdin.metadata());
    data.is_ok_and(|data| {
        let kind = data.file_type();
        kind.is_file() || kind.is_fifo() || kind.is_socket()
    })
}

#[cfg(not(unix))]
fn is_readable() -> bool {
    !std::io::IsTerminal::is_terminal(&std::io::stdin())
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
