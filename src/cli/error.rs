//! Why a command fails, and the exit codes.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use urlint_engine as engine;

/// How a command ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// There is nothing to report, or the work is done.
    Done = 0,
    /// There are errors or warnings to report.
    Found = 1,
    /// Something could not be done.
    Failed = 2,
    /// Ended by Ctrl-C; 128 and the number of the signal, as in shells.
    Interrupted = 130,
    /// Ended by the signal SIGTERM.
    Terminated = 143,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// Why a command fails.
#[derive(Debug)]
pub(crate) enum Error {
    /// A source could not be read to its end.
    Read(io::Error),
    /// A result could not be written.
    Write(io::Error),
    /// There is a configuration error; the message is rendered.
    Configuration(String),
    /// A pattern of `--exclude` is invalid.
    Exclude(String, ignore::Error),
    /// A file could not be read or written.
    File(PathBuf, io::Error),
    /// A temporary file could not be written in this folder.
    Spill(PathBuf, io::Error),
    /// Not even one thread could be started.
    NoThread(io::Error),
    /// The command line is wrong.
    Usage(String),
}

impl Error {
    /// Returns the error of a wrong command line.
    pub(crate) fn usage(message: impl Into<String>) -> Error {
        Error::Usage(message.into())
    }
}

impl From<engine::Error> for Error {
    fn from(error: engine::Error) -> Self {
        match error {
            engine::Error::Read(error) => Error::Read(error),
            engine::Error::NoThread(error) => Error::NoThread(error),
            engine::Error::Stopped => Error::Write(io::ErrorKind::BrokenPipe.into()),
            engine::Error::Panicked => Error::usage("a thread failed, so some input was not read"),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Read(error) => write!(f, "-: {error}"),
            Error::Configuration(rendered) => f.write_str(rendered),
            Error::Write(error) => write!(f, "cannot write the results: {error}"),
            // The error's own text has the pattern in another form.
            Error::Exclude(glob, ignore::Error::Glob { err, .. }) => {
                write!(f, "--exclude {glob}: {err}")
            }
            Error::Exclude(glob, error) => write!(f, "--exclude {glob}: {error}"),
            Error::File(path, error) => write!(f, "{}: {error}", path.display()),
            Error::Spill(folder, error) => write!(
                f,
                "{}: cannot write a temporary file: {error}; set TMPDIR to another folder",
                folder.display()
            ),
            Error::NoThread(error) => write!(f, "no thread could be started: {error}"),
            Error::Usage(message) => f.write_str(message),
        }
    }
}
