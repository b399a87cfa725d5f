//! Runs of the command.

use std::fs;
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// The command that is tested.
pub(crate) const URLINT: &str = env!("CARGO_BIN_EXE_urlint");

/// The formats of `check`.
pub(crate) const FORMATS: [&str; 8] = [
    "full",
    "concise",
    "json",
    "json-lines",
    "sarif",
    "github",
    "gitlab",
    "junit",
];

/// Returns urlint with these arguments, and without the environment's variables about colours.
pub(crate) fn urlint<S: AsRef<std::ffi::OsStr>>(arguments: &[S]) -> Command {
    let mut command = Command::new(URLINT);
    command.args(arguments);
    for variable in ["FORCE_COLOR", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(variable);
    }
    command
}

/// The outcome of a run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    /// `None` if a signal ended it.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Ran {
            code: output.status.code(),
            stdout: output.stdout,
            stderr: String::from_utf8(output.stderr).expect("messages are UTF-8"),
        }
    }
}

impl Ran {
    /// Returns standard output as text.
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    /// Returns the lines of standard output, each a JSON value.
    pub(crate) fn json(&self) -> Vec<Value> {
        let lines = self.text();
        let lines = lines
            .lines()
            .map(|line| serde_json::from_str(line).unwrap());
        lines.collect()
    }
}

/// Runs `command` with `stdin` on its standard input, a pipe.
pub(crate) fn feed(command: &mut Command, stdin: &[u8]) -> Ran {
    let mut child = piped(command.stdin(Stdio::piped()));
    let mut pipe = child.stdin.take().unwrap();
    thread::scope(|scope| {
        scope.spawn(move || {
            // A command that ends before it has read all of it closes the pipe.
            let _ = pipe.write_all(stdin);
        });
        child.wait_with_output().unwrap().into()
    })
}

/// Starts `command` with its output and its messages in pipes.
pub(crate) fn piped(command: &mut Command) -> Child {
    let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Runs `command` with `input` on its standard input, a pipe that stays open, and sends it `signal` once its
/// progress shows `drawn`.
#[cfg(unix)]
pub(crate) fn interrupted(mut command: Command, input: &[u8], drawn: &str, signal: &str) -> Ran {
    let command = command.args(["--progress", "always"]);
    let mut child = piped(command.stdin(Stdio::piped()));
    let mut pipe = child.stdin.take().unwrap();
    pipe.write_all(input).unwrap();
    let mut messages = child.stderr.take().unwrap();
    let mut progress = Vec::new();
    while !String::from_utf8_lossy(&progress).contains(drawn) {
        let mut more = [0; 100];
        let count = messages.read(&mut more).unwrap();
        assert!(count > 0, "{}", String::from_utf8_lossy(&progress));
        progress.extend_from_slice(&more[..count]);
    }
    let kill = ["-s", signal, &child.id().to_string()].map(str::to_owned);
    assert!(Command::new("kill").args(kill).status().unwrap().success());
    // It ends before the pipe is closed.
    let mut rest = Vec::new();
    messages.read_to_end(&mut rest).unwrap();
    let mut output = child.wait_with_output().unwrap();
    output.stderr = rest;
    drop(pipe);
    output.into()
}

/// How long a run may take before it counts as one that never ends.
const PATIENCE: Duration = Duration::from_secs(60);

/// Runs `command` with nothing on its standard input. Fails if it does not end by itself.
pub(crate) fn ended(command: &mut Command) -> Ran {
    let mut child = piped(command.stdin(Stdio::null()));
    let (sender, closed) = mpsc::channel();
    // Both pipes are emptied while it runs, so that a long output does not stop it.
    let stdout = read_whole(child.stdout.take().unwrap(), sender.clone());
    let stderr = read_whole(child.stderr.take().unwrap(), sender);
    let start = Instant::now();
    let has_ended = (0..2).all(|_| {
        let left = PATIENCE.saturating_sub(start.elapsed());
        closed.recv_timeout(left).is_ok()
    });
    if !has_ended {
        child.kill().unwrap();
    }
    let ran = Ran::from(Output {
        status: child.wait().unwrap(),
        stdout: stdout.join().unwrap(),
        stderr: stderr.join().unwrap(),
    });
    assert!(has_ended, "it hangs: {}", ran.stderr);
    assert!(ran.code.is_some(), "it crashes: {}", ran.stderr);
    ran
}

/// Reads a pipe on a thread; says so when it is closed.
fn read_whole(
    mut pipe: impl Read + Send + 'static,
    closed: mpsc::Sender<()>,
) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        pipe.read_to_end(&mut bytes).unwrap();
        // Nobody listens any more if it took too long.
        let _ = closed.send(());
        bytes
    })
}

/// Runs urlint in `folder`, kills it after a while, and returns whether it was still at work. If it was
/// not, it must have ended with `code`.
pub(crate) fn is_killed(folder: &Path, args: &[&str], after: Duration, code: i32) -> bool {
    let mut command = urlint(args);
    let command = command.current_dir(folder).stdin(Stdio::null());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let start = Instant::now();
    while start.elapsed() < after {
        if let Some(status) = child.try_wait().unwrap() {
            assert_eq!(status.code(), Some(code));
            return false;
        }
        thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    let killed = child.wait_with_output().unwrap().status.code();
    // It may have ended at the last moment.
    killed != Some(code)
}

/// Makes a named pipe.
#[cfg(unix)]
pub(crate) fn make_pipe(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status();
    assert!(made.unwrap().success());
}

/// Runs urlint in `folder` with `stdin` on its standard input: a pipe, or nothing if it is empty.
pub(crate) fn run(folder: &Path, arguments: &[&str], stdin: &[u8]) -> Ran {
    let mut command = urlint(arguments);
    match command.current_dir(folder) {
        command if stdin.is_empty() => command.output().unwrap().into(),
        command => feed(command, stdin),
    }
}

/// A folder that is removed after the test.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Folder(TempDir::new().unwrap())
    }

    /// Returns a folder with these files.
    pub(crate) fn of<T: AsRef<[u8]>>(files: &[(&str, T)]) -> Self {
        let folder = Folder::new();
        for (name, bytes) in files {
            folder.write(name, bytes);
        }
        folder
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file, and makes the folders that it is in; returns its path.
    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    /// Returns the contents of a file, which must be UTF-8.
    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap()
    }

    /// Runs urlint in it with `stdin` as its standard input: a file, or nothing if it is empty.
    pub(crate) fn run(&self, arguments: &[&str], stdin: &[u8]) -> Ran {
        if stdin.is_empty() {
            return run(self.path(), arguments, stdin);
        }
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(stdin).unwrap();
        file.rewind().unwrap();
        let mut command = urlint(arguments);
        let command = command.current_dir(self.path()).stdin(file);
        command.output().unwrap().into()
    }
}
