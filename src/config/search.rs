//! Which configuration file applies to a file.

use std::collections::HashMap;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::load::{found, mentions_urlint};
use super::mistake::BadConfig;
use super::options::Options;
use super::reach::{NAMES, PYPROJECT};
use super::resolved::{FileSettings, Resolved};
use urlint_documents::document::Kind;

/// The names of the configuration of programs that read Markdown in their own way: Docusaurus, Jekyll.
const PROGRAMS: [(&[&str], Kind); 2] = [
    (
        &[
            "docusaurus.config.js",
            "docusaurus.config.ts",
            "docusaurus.config.mjs",
        ],
        Kind::Mdx,
    ),
    (&["_config.yml", "_config.yaml"], Kind::Kramdown),
];

/// Finds the settings for each file: those of the nearest configuration file, searching upwards from
/// the folder of the file. The results are kept, and clones share them.
///
/// ```
/// use std::fs;
/// use urlint::config::{Configs, Options};
/// use urlint::document::Kind;
///
/// let folder = tempfile::tempdir()?;
/// let folder = folder.path().canonicalize()?;
/// fs::create_dir(folder.join("notes"))?;
/// fs::write(folder.join("urlint.toml"), "types = { '*.note' = 'markdown' }")?;
///
/// let path = folder.join("notes/a.note");
/// let configs = Configs::searching(Options::default(), &folder);
/// assert_eq!(configs.for_file(&path)?.kind, Some(Kind::Markdown));
/// let configs = Configs::fixed(Options::default(), &folder);
/// assert_eq!(configs.for_file(&path)?.kind, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Configs {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    /// The options that win over all files.
    options: Options,
    /// The settings if no file is found.
    without_file: Arc<Resolved>,
    /// Whether to search for files.
    searches: bool,
    /// The current folder.
    current: PathBuf,
    /// The settings of each folder so far, by its real path.
    resolved: Mutex<HashMap<PathBuf, Result<Arc<Resolved>, BadConfig>>>,
    /// The kind of files of Markdown in each folder so far, by its real path.
    dialects: Mutex<HashMap<PathBuf, Option<Kind>>>,
    /// The real path of each folder so far, by its path as given.
    folders: Mutex<HashMap<PathBuf, PathBuf>>,
}

impl Configs {
    /// Searches for the configuration file of each file. `options` win over its values. `current` is
    /// the current folder, an absolute path without symbolic links: paths are relative to it.
    pub fn searching(options: Options, current: &Path) -> Self {
        Configs::new(options, true, current)
    }

    /// Searches for no configuration file: `options` apply to all files. `current` is as in
    /// [`searching`](Configs::searching).
    pub fn fixed(options: Options, current: &Path) -> Self {
        Configs::new(options, false, current)
    }

    fn new(options: Options, searches: bool, current: &Path) -> Self {
        Configs {
            shared: Arc::new(Shared {
                without_file: options.clone().resolve(),
                options,
                searches,
                current: current.to_owned(),
                resolved: Mutex::default(),
                dialects: Mutex::default(),
                folders: Mutex::default(),
            }),
        }
    }

    /// Returns the settings for the file at `path`, which need not exist.
    ///
    /// # Errors
    ///
    /// Fails if the configuration file that applies to it cannot be read or has mistakes.
    pub fn for_file(&self, path: &Path) -> Result<FileSettings, BadConfig> {
        let path = self.shared.real(path);
        let folder = path.parent().unwrap_or(&path);
        let mut settings = self.shared.settings_in(folder)?.for_file(&path);
        if settings.kind.is_none()
            && Kind::from_path(path.as_os_str().as_encoded_bytes()) == Some(Kind::Markdown)
        {
            settings.kind = self.shared.dialect_in(folder);
        }
        Ok(settings)
    }

    /// Returns the settings of the current folder.
    ///
    /// # Errors
    ///
    /// Fails if the configuration file that applies there cannot be read or has mistakes.
    pub fn current(&self) -> Result<Arc<Resolved>, BadConfig> {
        self.shared.settings_in(&self.shared.current)
    }

    /// Returns the settings for the files of the folder `path`.
    ///
    /// # Errors
    ///
    /// Fails if the configuration file that applies to them cannot be read or has mistakes.
    pub fn in_folder(&self, path: &Path) -> Result<Arc<Resolved>, BadConfig> {
        self.shared.settings_in(&self.shared.real_folder(path))
    }

    /// Returns whether the file or folder `path` is excluded. It is not if the configuration is
    /// wrong: reading the file reports that.
    pub fn excludes(&self, path: &Path, is_folder: bool) -> bool {
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
        match (path.parent(), path.file_name()) {
            (Some(folder), Some(name)) => self.real_folder(folder).join(name),
            _ => self.real_folder(path),
        }
    }

    /// Returns the real path of a folder: the real path of its parent folder, and its name. If a symbolic
    /// link or `..` may lead elsewhere, asks the system for the whole path.
    fn real_folder(&self, folder: &Path) -> PathBuf {
        let mut folders = lock(&self.folders);
        let known = folder.ancestors().find(|path| folders.contains_key(*path));
        let unknown = folder.ancestors().take_while(|path| Some(*path) != known);
        let unknown: Vec<_> = unknown.collect();
        let mut real = known.and_then(|known| folders.get(known).cloned());
        for path in unknown.into_iter().rev() {
            let whole = self.current.join(path);
            let next = match (real, path.file_name()) {
                (Some(around), Some(name)) if !whole.is_symlink() => around.join(name),
                _ => real_path(&whole),
            };
            folders.insert(path.to_owned(), next.clone());
            real = Some(next);
        }
        real.unwrap_or_else(|| folder.to_owned())
    }

    /// Returns the settings of the folder at the real path `folder`.
    fn settings_in(&self, folder: &Path) -> Result<Arc<Resolved>, BadConfig> {
        if !self.searches {
            return Ok(self.without_file.clone());
        }
        let mut known = lock(&self.resolved);
        let mut passed = Vec::new();
        let found = folder.ancestors().find_map(|ancestor| {
            known.get(ancestor).cloned().or_else(|| {
                passed.push(ancestor.to_owned());
                self.file_in(ancestor)
            })
        });
        let found = found.unwrap_or_else(|| Ok(self.without_file.clone()));
        known.extend(passed.into_iter().map(|folder| (folder, found.clone())));
        found
    }

    /// Returns the kind of files of Markdown in the folder at the real path `folder`, if the configuration of a program
    /// that reads them, there or in a folder above, tells it.
    fn dialect_in(&self, folder: &Path) -> Option<Kind> {
        let mut known = lock(&self.dialects);
        let mut passed = Vec::new();
        let found = folder.ancestors().find_map(|ancestor| {
            known.get(ancestor).copied().or_else(|| {
                passed.push(ancestor.to_owned());
                let is_there = |name: &&str| fs::symlink_metadata(ancestor.join(name)).is_ok();
                let mut programs = PROGRAMS.iter();
                let of_program = programs.find(|(names, _)| names.iter().any(&is_there));
                of_program.map(|(_, kind)| Some(*kind))
            })
        });
        known.extend(passed.into_iter().map(|folder| (folder, found.flatten())));
        found.flatten()
    }

    /// Returns the settings of the configuration file in `folder`, if there is one.
    fn file_in(&self, folder: &Path) -> Option<Result<Arc<Resolved>, BadConfig>> {
        let options = NAMES.iter().find_map(|name| {
            let path = folder.join(name);
            let is_there = fs::symlink_metadata(&path).is_ok();
            is_there.then(|| found(&path, folder, &self.current).transpose())?
        })?;
        Some(options.map(|file| self.options.clone().over(&file).resolve()))
    }
}

/// Returns the real path of an absolute path, of which only the beginning need exist, as for standard
/// input.
#[doc(hidden)]
#[must_use]
pub fn real_path(path: &Path) -> PathBuf {
    let real = path.ancestors().find_map(|ancestor| {
        let mut real = fs::canonicalize(ancestor).ok()?;
        for part in path.strip_prefix(ancestor).ok()?.components() {
            match part {
                Component::Normal(name) => real.push(name),
                // In a folder that does not exist yet.
                Component::ParentDir => drop(real.pop()),
                _ => {}
            }
        }
        Some(real)
    });
    real.unwrap_or_else(|| path.to_owned())
}

/// Returns the name of the configuration file in `folder`, if there is one.
#[must_use]
pub fn file_here(folder: &Path) -> Option<&'static str> {
    let applies = |name: &str| {
        let path = folder.join(name);
        let is_there = fs::symlink_metadata(&path).is_ok();
        is_there && (name != PYPROJECT || mentions_urlint(&path))
    };
    NAMES.into_iter().find(|name| applies(name))
}

/// Returns the path, relative to `folder`, of the configuration file that applies there and is in a
/// folder above it.
#[must_use]
pub fn file_above(folder: &Path) -> Option<PathBuf> {
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
