//! Configuration files: which one holds for a file, and what it says.
//!
//! The nearest file wins, going up from the folder of each file that is read: `.urlint.toml`, then
//! `urlint.toml`, then `pyproject.toml` if that has `[tool.urlint]`. Files are not merged, unless
//! one extends another. What the command line says wins over all of them.

mod file;
mod flags;
mod globs;
mod keys;
mod mistakes;
mod settings;
mod show;
mod values;

use std::collections::HashMap;
use std::fs;
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

pub(crate) use flags::Configuration;
pub(crate) use keys::{Keys, Named, Rules, Set};
pub(crate) use settings::{Holding, Settings};

use file::File;
use mistakes::Mistake;
use values::Source;

/// The names of configuration files, the first one first.
const NAMES: [&str; 3] = [".urlint.toml", "urlint.toml", PYPROJECT];

const PYPROJECT: &str = "pyproject.toml";

/// The most bytes of a configuration file.
const MOST_BYTES: u64 = 1 << 20;

/// How many files may extend one another.
const MOST_DEEP: usize = 16;

/// What was found out, or what is wrong, drawn.
type Outcome<T> = Result<T, Arc<str>>;

/// Tells which settings hold for which file. Copies share what they have found out.
#[derive(Clone, Debug)]
pub(crate) struct Configs {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    /// What the command line says.
    asked: Keys,
    /// What holds if no file is found.
    without: Arc<Settings>,
    /// Whether files are looked for.
    looks: bool,
    /// The current folder.
    current: PathBuf,
    /// The settings of each folder that has been asked for, by its real path.
    settings: Mutex<HashMap<PathBuf, Outcome<Arc<Settings>>>>,
    /// The real path of each folder, by the path that was asked for.
    folders: Mutex<HashMap<PathBuf, PathBuf>>,
}

impl Configs {
    /// What holds for the file that goes by `path`.
    pub(crate) fn holding(&self, path: &Path) -> Outcome<Holding> {
        let path = self.shared.real(path);
        let folder = path.parent().unwrap_or(&path);
        let settings = self.shared.settings_in(folder)?;
        Ok(settings.for_file(&path))
    }

    /// What holds in the current folder.
    pub(crate) fn current(&self) -> Outcome<Arc<Settings>> {
        self.shared.settings_in(&self.shared.current)
    }

    /// What holds for the files of the folder `path`.
    pub(crate) fn in_folder(&self, path: &Path) -> Outcome<Arc<Settings>> {
        self.shared.settings_in(&self.shared.real_folder(path))
    }

    /// Whether the file or folder `path` is passed over. Where the configuration cannot be read it
    /// is not; whoever reads the file will hear of it.
    pub(crate) fn excludes(&self, path: &Path, is_folder: bool) -> bool {
        let path = self.shared.real(path);
        let folder = path.parent().unwrap_or(&path);
        let settings = self.shared.settings_in(folder);
        settings.is_ok_and(|settings| settings.excludes(&path, is_folder))
    }
}

impl Shared {
    /// The path with its folder's real one: links may lead the way up elsewhere.
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
        // What standard input goes by need not exist.
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

    /// What holds in the folder of the real path `folder`.
    fn settings_in(&self, folder: &Path) -> Outcome<Arc<Settings>> {
        if !self.looks {
            return Ok(self.without.clone());
        }
        let mut known = lock(&self.settings);
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
        let found = found.unwrap_or_else(|| Ok(self.without.clone()));
        for folder in passed {
            known.insert(folder, found.clone());
        }
        found
    }

    /// What the configuration file of `folder` says, if there is one.
    fn file_in(&self, folder: &Path) -> Option<Outcome<Arc<Settings>>> {
        let keys = NAMES.iter().find_map(|name| {
            let path = folder.join(name);
            path.is_file()
                .then(|| load(&path, folder, &self.current, &mut Vec::new()).transpose())?
        })?;
        Some(keys.map(|keys| Arc::new(Settings::new(self.asked.clone().over(&keys)))))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the file `path` says with those that it extends; `None` if it is a pyproject.toml that says
/// nothing. Its patterns are relative to `folder`; `within` are the files that led here.
fn load(
    path: &Path,
    folder: &Path,
    current: &Path,
    within: &mut Vec<PathBuf>,
) -> Outcome<Option<Keys>> {
    let name = shown(path, current);
    let text = read(path).map_err(|error| flags::usage(&format!("{name}: {error}")))?;
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
        mut keys,
        extend,
        mut mistakes,
    } = read;
    let mut drawn = String::new();
    if let Some((base, at)) = extend {
        within.push(path.to_owned());
        match extended(&base, at, current, within) {
            Ok(base) => keys = keys.over(&base),
            Err(Broken::Here(mistake)) => mistakes.push(mistake),
            Err(Broken::There(there)) => drawn = there.to_string(),
        }
        within.pop();
    }
    if !mistakes.is_empty() {
        let here = mistakes::draw(&name, &text, mistakes);
        drawn = match drawn.is_empty() {
            true => here,
            false => format!("{here}\n{drawn}"),
        };
    }
    match drawn.is_empty() {
        true => Ok(Some(keys)),
        false => Err(drawn.into()),
    }
}

/// Why a file cannot be extended.
enum Broken {
    /// The file that says so is wrong.
    Here(Mistake),
    /// The file that is extended is wrong, drawn.
    There(Arc<str>),
}

/// What the file `path` says that is extended at `at`.
fn extended(
    path: &Path,
    at: Range<usize>,
    current: &Path,
    within: &mut Vec<PathBuf>,
) -> Result<Keys, Broken> {
    let here = |message: String, label: &str| {
        Broken::Here(Mistake::new(at.clone(), message).label(label.to_owned()))
    };
    let name = shown(path, current);
    let path = fs::canonicalize(path)
        .and_then(|path| match path.is_file() {
            true => Ok(path),
            false => Err(io::Error::other("it is no file")),
        })
        .map_err(|error| here(format!("`{name}` cannot be read"), &error.to_string()))?;
    if within.contains(&path) {
        return Err(here(format!("`{name}` extends itself"), "by way of this"));
    }
    if within.len() >= MOST_DEEP {
        let message = format!("more than {MOST_DEEP} files extend one another");
        return Err(here(message, "the next one"));
    }
    let folder = path.parent().unwrap_or(&path);
    match load(&path, folder, current, within) {
        Ok(Some(keys)) => Ok(keys),
        Ok(None) => Err(here(format!("`{name}` has no `[tool.urlint]`"), "")),
        Err(drawn) => Err(Broken::There(drawn)),
    }
}

fn read(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    let file = fs::File::open(path)?;
    file.take(MOST_BYTES + 1).read_to_string(&mut text)?;
    match text.len() as u64 > MOST_BYTES {
        true => Err(io::Error::other(
            "longer than 1 MiB, which is no configuration",
        )),
        false => Ok(text),
    }
}

/// What a path is called in messages: relative to the current folder if it lies below that.
fn shown(path: &Path, current: &Path) -> String {
    let near = path.strip_prefix(current).unwrap_or(path);
    near.to_string_lossy().into_owned()
}
