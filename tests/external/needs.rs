//! The needs of the tests, and where they are.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

/// Something that a test needs.
pub(crate) enum Need {
    /// A file or a folder of `../shared`.
    Shared(&'static str),
    /// Python 3.
    Python,
    /// A crate with its tests, by its name.
    Crate(&'static str),
    /// A file of a package of npm, below `target/npm`.
    Npm(&'static str),
    /// A source distribution of PyPI, below `target/sdists`, by its name.
    Sdist(&'static str),
    /// A package of Python, by the name of its module.
    Package(&'static str),
    /// Another program, which says its version.
    Program(&'static str),
    /// A feature of this package.
    Feature(&'static str, bool),
}

impl Need {
    /// Returns a message if it is missing.
    pub(crate) fn missing(&self) -> Option<String> {
        match self {
            Need::Shared(path) if shared(path).exists() => None,
            Need::Shared(path) => Some(format!("there is no ../shared/{path}")),
            Need::Python => (!imports("sys")).then(|| "there is no python3".to_owned()),
            Need::Crate(name) => crate::suites::package(name)
                .is_none()
                .then(|| format!("Cargo has no package {name}")),
            Need::Npm(path) => {
                (!npm(path).exists()).then(|| format!("npm has not installed {path}"))
            }
            Need::Sdist(name) => (!sdist(name).exists())
                .then(|| format!("PyPI's source distribution of {name} was not fetched")),
            Need::Package(name) => {
                (!imports(name)).then(|| format!("python3 has no package {name}"))
            }
            Need::Program(name) => {
                (!runs(Command::new(name).arg("--version"))).then(|| format!("there is no {name}"))
            }
            Need::Feature(name, is_there) => {
                (!is_there).then(|| format!("it was built without the feature {name}"))
            }
        }
    }
}

/// Returns the folder of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the path of a file of a package of npm.
pub(crate) fn npm(path: &str) -> PathBuf {
    let modules = root().join("target/npm/node_modules");
    modules.join(path)
}

/// Returns the path of a source distribution of PyPI.
pub(crate) fn sdist(name: &str) -> PathBuf {
    let folder = root().join("target/sdists");
    folder.join(format!("{name}.tar.gz"))
}

/// Returns a path in `../shared`.
pub(crate) fn shared(path: &str) -> PathBuf {
    let shared = root().join("../shared");
    shared.join(path)
}

/// Returns all files below the folder `path` of `../shared`, sorted.
pub(crate) fn shared_files(path: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    add_files(&shared(path), &mut found);
    found.sort();
    found
}

fn add_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            add_files(&path, found);
        } else {
            found.push(path);
        }
    }
}

/// Returns the Python of `.ci/run`, or that of the system.
pub(crate) fn python() -> Command {
    static PYTHON: LazyLock<PathBuf> = LazyLock::new(|| {
        let own = root().join("target/python/bin/python3");
        if own.exists() { own } else { "python3".into() }
    });
    Command::new(&*PYTHON)
}

/// Returns one of the programs in `tests/external/python`.
pub(crate) fn script(name: &str) -> Command {
    let folder = root().join("tests/external/python");
    let mut command = python();
    command.arg(folder.join(name));
    command
}

/// Returns the output of `command` for `input`; it must succeed.
pub(crate) fn answer(mut command: Command, input: &[u8]) -> String {
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = pipes.spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let output = std::thread::scope(|scope| {
        scope.spawn(move || std::io::Write::write_all(&mut pipe, input).unwrap());
        child.wait_with_output().unwrap()
    });
    assert!(output.status.success(), "{command:?}: {}", output.status);
    String::from_utf8(output.stdout).unwrap()
}

fn imports(module: &str) -> bool {
    runs(python().args(["-c", &format!("import {module}")]))
}

fn runs(command: &mut Command) -> bool {
    let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}
