//! The command line: what can be asked for, and what comes back as an exit code.

mod baseline;
mod check;
mod configured;
mod counts;
mod diff;
mod extract;
mod fix;
mod generate;
mod help;
mod interrupt;
mod jobs;
mod marks;
mod output;
mod parse;
mod pick;
mod read;
mod replace;
mod reports;
mod rule;
mod secrets;
mod select;

use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Parser, Subcommand};

use output::Output;
pub(crate) use reports::Asked;
pub(crate) use select::{selectors, suggest};

/// Finds URLs in free text, puts broken ones back together, and says what is wrong with them by
/// RFC 1738
#[derive(Debug, Parser)]
#[command(version, propagate_version = true, disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,

    #[command(flatten)]
    color: colorchoice_clap::Color,

    /// Print results and errors, but no summary
    #[arg(long, short, global = true)]
    quiet: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Say what is wrong with the URLs in files
    ///
    /// Exits with 0 if there is nothing to report but hints, with 1 if there are errors or
    /// warnings, with 2 if a file could not be read.
    #[command(after_long_help = select::all_rules())]
    Check(check::Check),
    /// List the URLs in files
    Extract(extract::Extract),
    /// Judge URLs and show their components
    Parse(parse::Parse),
    /// Say what a rule means
    Rule(rule::Explain),
    /// Print a page of the manual, or the help of a command
    Help(help::Help),
    /// Write completions for a shell
    Completions(generate::Completions),
    /// Write a manual page, in roff
    Man(generate::Man),
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exit {
    /// Nothing found, or done.
    Done = 0,
    /// Something found.
    Found = 1,
    /// Not all that was asked for could be done.
    Failed = 2,
    /// Asked to end by Ctrl-C, as shells have it: 128 and the number of the signal.
    Interrupted = 130,
    /// Asked to end otherwise.
    Terminated = 143,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// What can go wrong, beyond wrong usage.
#[derive(Debug)]
pub(crate) enum Error {
    /// A source could not be read to its end.
    Read(io::Error),
    /// A result could not be written.
    Write(io::Error),
    /// The configuration is wrong: what is, drawn.
    Configuration(Arc<str>),
    /// A pattern of `--exclude` is none.
    Exclude(String, ignore::Error),
    /// A file could not be written.
    File(PathBuf, io::Error),
    /// What did not fit into memory could not be written to a temporary file in that folder.
    Spill(PathBuf, io::Error),
    /// Flags that do not go together.
    Usage(String),
    /// `--null` with a format whose rows do not end with NUL.
    Null,
}

impl From<Arc<str>> for Error {
    /// What comes drawn is what is wrong with the configuration.
    fn from(drawn: Arc<str>) -> Self {
        Error::Configuration(drawn)
    }
}

impl From<io::Error> for Error {
    /// What fails unnamed is the source that is being read.
    fn from(error: io::Error) -> Self {
        Error::Read(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Read(error) => write!(f, "-: {error}"),
            Error::Configuration(drawn) => f.write_str(drawn),
            Error::Write(error) => write!(f, "cannot write the results: {error}"),
            // The error's own text has the pattern as it was handed on, negated.
            Error::Exclude(glob, ignore::Error::Glob { err, .. }) => {
                write!(f, "--exclude {glob}: {err}")
            }
            Error::Exclude(glob, error) => write!(f, "--exclude {glob}: {error}"),
            Error::File(path, error) => write!(f, "{}: {error}", path.display()),
            Error::Spill(folder, error) => write!(
                f,
                "{}: cannot put there what does not fit into memory: {error}; --temp-dir names \
                 another folder",
                folder.display()
            ),
            Error::Usage(message) => f.write_str(message),
            Error::Null => f.write_str("--null goes with `--output-format text` only"),
        }
    }
}

/// Runs the command that the process was started with.
pub(crate) fn main() -> ExitCode {
    let cli: &'static Cli = match Cli::try_parse() {
        // It lasts as long as the process, whose threads need it: they may be left where they wait.
        Ok(cli) => Box::leak(Box::new(cli)),
        Err(error) => {
            // Nobody is left to be told if this cannot be printed.
            let _ = error.print();
            return ExitCode::from(error.exit_code() as u8);
        }
    };
    cli.color.write_global();
    let mut output = Output::new(cli.color.as_choice());
    let ran = match &cli.command {
        Command::Check(check) => check.run(&mut output, cli.quiet),
        Command::Extract(extract) => extract.run(&mut output, cli.quiet),
        Command::Parse(parse) => parse.run(&mut output),
        Command::Rule(explain) => explain.run(&mut output),
        Command::Help(help) => help.run(&mut output),
        Command::Completions(completions) => completions.run(&mut output),
        Command::Man(man) => man.run(&mut output),
    };
    let ran = ran.and_then(|exit| output.finish().map(|()| exit).map_err(Error::Write));
    match ran {
        Ok(exit) => exit.into(),
        // Whoever read the results has read enough.
        Err(Error::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Done.into(),
        Err(Error::Configuration(drawn)) => {
            complain_drawn(&drawn);
            Exit::Failed.into()
        }
        Err(error) => {
            complain(&error.to_string());
            Exit::Failed.into()
        }
    }
}

/// Tells people that something went wrong, on a line of standard error.
pub(crate) fn complain(message: &str) {
    say(&format!("urlint: {message}"));
}

/// Tells what has been drawn, in colours if standard error takes them.
pub(crate) fn complain_drawn(drawn: &str) {
    let _ = anstream::stderr().lock().write_all(drawn.as_bytes());
}

/// Writes a line to standard error; if that cannot be done, nobody can be told.
fn say(message: &str) {
    let message = crate::terminal::line(message.as_bytes());
    let _ = writeln!(io::stderr().lock(), "{message}");
}

/// `1 file`, `2 files`.
fn count(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        super::Cli::command().debug_assert();
    }
}
