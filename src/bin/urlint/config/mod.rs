//! Configuration files: which one applies to a file, and what it says.
//!
//! The nearest file wins, searching upwards from the folder of each file that is read:
//! `.urlint.toml`, then `urlint.toml`, then a `pyproject.toml` with `[tool.urlint]`. Files are not
//! merged, unless one extends another. The command line overrides all of them.

mod args;
mod file;
mod globs;
mod mistakes;
mod names;
mod options;
mod resolved;
mod show;
mod values;

use std::collections::HashMap;
use std::fs;
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

pub(crate) use args::ConfigArgs;
pub(crate) use names::{RuleName, nearest, parser, rules, unknown_rule};
pub(crate) use options::{Options, RuleOptions, Set};
pub(crate) use resolved::{FileSettings, Resolved};
pub(crate) use values::quoted;

use file::File;
use mistakes::Mistake;
use values::Source;

/// The names of configuration files; in a folder, the first that exists is used.
const NAMES: [&str; 3] = [".urlint.toml", "urlint.toml", PYPROJECT];

const PYPROJECT: &str = "pyproject.toml";

/// The most bytes of a configuration file.
const MOST_BYTES: u64 = 1 << 20;

/// How many files may extend one another.
const MOST_DEEP: usize = 16;

/// A result whose error is rendered messages about configuration files.
type Outcome<T> = Result<T, Arc<str>>;

/// Finds the settings for each file. Clones share a cache.
#[derive(Clone, Debug)]
pub(crate) struct Configs {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    /// What the command line sets.
    options: Options,
    /// The settings if no file is found.
    without_file: Arc<Resolved>,
    /// Whether to search for files.
    searches: bool,
    /// The current folder.
    current: PathBuf,
    /// The settings of each folder so far, by its real path.
    resolved: Mutex<HashMap<PathBuf, Outcome<Arc<Resolved>>>>,
    /// The real path of each folder so far, by its path as given.
    folders: Mutex<HashMap<PathBuf, PathBuf>>,
}

impl Configs {
    /// Returns the settings for the file at `path`, which need not exist.
    pub(crate) fn for_file(&self, path: &Path) -> Outcome<FileSettings> {
        let path = self.shared.real(path);
        let folder = path.parent().unwrap_or(&path);
        let settings = self.shared.settings_in(folder)?;
        Ok(settings.for_file(&path))
    }

    /// Returns the settings of the current folder.
    pub(crate) fn current(&self) -> Outcome<Arc<Resolved>> {
        self.shared.settings_in(&self.shared.current)
    }

    /// Returns the settings for the files of the folder `path`.
    pub(crate) fn in_folder(&self, path: &Path) -> Outcome<Arc<Resolved>> {
        self.shared.settings_in(&self.shared.real_folder(path))
    }

    /// Returns whether the file or folder `path` is excluded. It is not if the configuration is
    /// wrong: reading the file reports that.
    pub(crate) fn excludes(&self, path: &Path, is_folder: bool) -> bool {
        let path = self.shared.real(path);
        let folder = path.parent().unwrap_or(&path);
        let settings = self.shared.settings_in(folder);
        settings.is_ok_and(|settings| settings.excludes(&path, is_folder))
    }
}

impl Shared {
    /// Returns the path with the real path of its folder, since a symbolic link changes which
    /// folders are above it.
    fn real(&self, path: &Path) -> PathBuf {
        let (folder, name) = match (path.parent(), path.file_name()) {
            (Some(folder), Some(name)) => (folder, Some(name)),
            _ => (path, None),
        };
        let folder = self.real_folder(folder);
        name.map_or(folder.clone(), |name| folder.join(name))
    }

    fn real_folder(&self, folder: &Path) -> PathBuf {
        let mut folders = lock(&self.folders);
        if let Some(real) = folders.get(folder) {
            return real.clone();
        }
        let whole = self.current.join(folder);
        // The path given for standard input need not exist.
        let real = whole.ancestors().find_map(|ancestor| {
            let real = fs::canonicalize(ancestor).ok()?;
            let rest = whole.strip_prefix(ancestor).ok()?;
            let rest = rest.components();
            let names = rest.filter(|part| matches!(part, Component::Normal(_)));
            Some(real.join(names.collect::<PathBuf>()))
        });
        let real = real.unwrap_or(whole);
        folders.insert(folder.to_owned(), real.clone());
        real
    }

    /// Returns the settings of the folder at the real path `folder`.
    fn settings_in(&self, folder: &Path) -> Outcome<Arc<Resolved>> {
        if !self.searches {
            return Ok(self.without_file.clone());
        }
        let mut known = lock(&self.resolved);
        let mut passed = Vec::new();
        let mut found = None;
        for ancestor in folder.ancestors() {
            found = known.get(ancestor).cloned();
            if found.is_some() {
                break;
            }
            passed.push(ancestor.to_owned());
            found = self.file_in(ancestor);
            if found.is_some() {
                break;
            }
        }
        let found = found.unwrap_or_else(|| Ok(self.without_file.clone()));
        for folder in passed {
            known.insert(folder, found.clone());
        }
        found
    }

    /// Returns the settings of the configuration file in `folder`, if there is one.
    fn file_in(&self, folder: &Path) -> Option<Outcome<Arc<Resolved>>> {
        let options = NAMES.iter().find_map(|name| {
            let path = folder.join(name);
            path.is_file()
                .then(|| load(&path, folder, &self.current, &mut Vec::new()).transpose())?
        })?;
        Some(options.map(|file| Arc::new(Resolved::new(self.options.clone().over(&file)))))
    }
}

/// Returns the name of the configuration file in `folder`, if there is one.
pub(crate) fn file_here(folder: &Path) -> Option<&'static str> {
    let applies = |name: &str| {
        let path = folder.join(name);
        // What it extends and what is wrong with it are of no interest.
        let is_own = || read(&path).is_ok_and(|text| text.contains("[tool.urlint"));
        fs::symlink_metadata(&path).is_ok() && (name != PYPROJECT || is_own())
    };
    NAMES.into_iter().find(|name| applies(name))
}

/// Returns the path, relative to `folder`, of the configuration file that applies there and is in a
/// folder above it.
pub(crate) fn file_above(folder: &Path) -> Option<PathBuf> {
    let real = fs::canonicalize(folder).ok()?;
    let mut relative = PathBuf::new();
    for above in real.ancestors().skip(1) {
        relative.push("..");
        if let Some(name) = file_here(above) {
            return Some(relative.join(name));
        }
    }
    None
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads the file `path` and those that it extends; returns `None` if it is a pyproject.toml without
/// `[tool.urlint]`. Its patterns are relative to `folder`. `within` has the files that extend this
/// one, the outermost first.
fn load(
    path: &Path,
    folder: &Path,
    current: &Path,
    within: &mut Vec<PathBuf>,
) -> Outcome<Option<Options>> {
    let name = shown(path, current);
    let text = read(path).map_err(|error| args::usage(&format!("{name}: {error}")))?;
    let source = Source {
        origin: name.as_str().into(),
        folder,
        base: path.parent().unwrap_or(folder),
    };
    let read = if path.file_name().is_some_and(|name| name == PYPROJECT) {
        let Some(read) = file::read_pyproject(&text, &source) else {
            return Ok(None);
        };
        read
    } else {
        file::read(&text, &source)
    };
    let File {
        mut options,
        extend,
        mut mistakes,
    } = read;
    let mut drawn = String::new();
    if let Some((base, at)) = extend {
        within.push(path.to_owned());
        match extended(&base, at, current, within) {
            Ok(base) => options = options.over(&base),
            Err(Broken::Here(mistake)) => mistakes.push(mistake),
            Err(Broken::There(there)) => drawn = there.to_string(),
        }
        within.pop();
    }
    if !mistakes.is_empty() {
        let here = mistakes::draw(&name, &text, mistakes);
        drawn = if drawn.is_empty() {
            here
        } else {
            format!("{here}\n{drawn}")
        };
    }
    if drawn.is_empty() {
        Ok(Some(options))
    } else {
        Err(drawn.into())
    }
}

/// Why a file cannot be extended.
enum Broken {
    /// The mistake is in the file that extends it.
    Here(Mistake),
    /// The mistakes are in the extended file, rendered.
    There(Arc<str>),
}

/// Reads the file `path`, which another file extends at `at`.
fn extended(
    path: &Path,
    at: Range<usize>,
    current: &Path,
    within: &mut Vec<PathBuf>,
) -> Result<Options, Broken> {
    let here = |message: String, label: &str| {
        Broken::Here(Mistake::new(at.clone(), message).label(label.to_owned()))
    };
    let name = shown(path, current);
    let path = fs::canonicalize(path)
        .and_then(|path| {
            if path.is_file() {
                Ok(path)
            } else {
                Err(io::Error::other("not a regular file"))
            }
        })
        .map_err(|error| here(format!("cannot read `{name}`"), &error.to_string()))?;
    if within.contains(&path) {
        return Err(here(
            format!("`{name}` extends itself"),
            "through this file",
        ));
    }
    if within.len() >= MOST_DEEP {
        let message = format!("more than {MOST_DEEP} files extend one another");
        return Err(here(message, "this would be the next"));
    }
    let folder = path.parent().unwrap_or(&path);
    match load(&path, folder, current, within) {
        Ok(Some(options)) => Ok(options),
        Ok(None) => Err(here(format!("`{name}` has no `[tool.urlint]`"), "")),
        Err(drawn) => Err(Broken::There(drawn)),
    }
}

fn read(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    let file = fs::File::open(path)?;
    file.take(MOST_BYTES + 1).read_to_string(&mut text)?;
    if text.len() as u64 > MOST_BYTES {
        return Err(io::Error::other(
            "a configuration file cannot be longer than 1 MiB",
        ));
    }
    Ok(text)
}

/// Returns a path as it is shown in messages: relative to the current folder if it is inside.
fn shown(path: &Path, current: &Path) -> String {
    let near = path.strip_prefix(current).unwrap_or(path);
    near.to_string_lossy().into_owned()
}
