//! Standard input, and whether it is read if no path is given.

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use super::PathArgs;
use crate::error::Error;
use crate::terminal::complain;

/// How much of standard input is read to learn whether there is something, in bytes.
const BEGINNING: u64 = 64 << 10;

/// How long standard input may keep a person waiting who does not know that it is read.
const PATIENCE: Duration = Duration::from_secs(2);

impl PathArgs {
    /// Chooses what to read if no path is given: standard input if it is a pipe, a socket or a file with
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

    /// Reads the beginning of standard input; returns whether there is something.
    fn begin_stdin(&mut self) -> bool {
        let (sender, ended) = mpsc::channel::<()>();
        // Without a thread, nobody says so.
        let _ = thread::Builder::new().spawn(move || {
            if ended.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                complain("waiting for standard input; `.` names the current folder");
            }
        });
        let mut buffer = vec![0; BEGINNING as usize];
        let read = stdin().and_then(|mut stdin| stdin.read(&mut buffer));
        drop(sender);
        // What fails here fails again, where it is reported.
        let Ok(read) = read else { return true };
        buffer.truncate(read);
        self.is_stdin_empty = read == 0;
        self.beginning = buffer;
        read > 0
    }
}

/// Returns whether standard input is a pipe, a socket or a file.
#[cfg(unix)]
fn is_readable() -> bool {
    use std::os::unix::fs::FileTypeExt;
    let data = stdin().and_then(|stdin| stdin.metadata());
    data.is_ok_and(|data| {
        let kind = data.file_type();
        kind.is_file() || kind.is_fifo() || kind.is_socket()
    })
}

#[cfg(not(unix))]
fn is_readable() -> bool {
    !io::IsTerminal::is_terminal(&io::stdin())
}

/// Returns standard input without a buffer, which could hold input back while waiting for more.
#[cfg(unix)]
pub(super) fn stdin() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(File::from(io::stdin().as_fd().try_clone_to_owned()?))
}

#[cfg(not(unix))]
pub(super) fn stdin() -> io::Result<io::StdinLock<'static>> {
    Ok(io::stdin().lock())
}
