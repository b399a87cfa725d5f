//! Reads a configuration file and those that it extends.

use std::fs;
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::file::{self, File};
use super::mistakes::{BadConfig, Mistake};
use super::options::Options;
use super::source::Source;

/// The names of configuration files; in a folder, the first that exists is used.
pub(super) const NAMES: [&str; 3] = [".urlint.toml", "urlint.toml", PYPROJECT];

pub(super) const PYPROJECT: &str = "pyproject.toml";

/// The most bytes of a configuration file.
const MOST_BYTES: u64 = 1 << 20;

/// How many files may extend one another.
const MOST_DEEP: usize = 16;

/// Reads the file `path`, whose patterns are relative to the current folder, wherever it lies.
pub(super) fn chosen(path: &Path, current: &Path) -> Result<Option<Options>, BadConfig> {
    let real = fs::canonicalize(current.join(path));
    let real = real.map_err(|error| BadConfig::unreadable(shown(path, current), error))?;
    load(&real, current, current, &mut Vec::new())
}

/// Reads the file `path` and those that it extends; returns `None` if it is a pyproject.toml without
/// `[tool.urlint]`. Its patterns are relative to `folder`. `within` has the files that extend this
/// one, the outermost first.
pub(super) fn load(
    path: &Path,
    folder: &Path,
    current: &Path,
    within: &mut Vec<PathBuf>,
) -> Result<Option<Options>, BadConfig> {
    let name = shown(path, current);
    let text = match read(path) {
        Ok(text) => text,
        Err(error) => return Err(BadConfig::unreadable(name, error)),
    };
    let Some(read) = parsed(path, &text, &name, folder) else {
        return Ok(None);
    };
    let File {
        mut options,
        extend,
        mut mistakes,
    } = read;
    let mut there = None;
    if let Some((base, at)) = extend {
        within.push(path.to_owned());
        match extended(&base, at, current, within) {
            Ok(base) => options = options.over(&base),
            Err(Broken::Here(mistake)) => mistakes.push(mistake),
            Err(Broken::There(wrong)) => there = Some(wrong),
        }
        within.pop();
    }
    let here = (!mistakes.is_empty()).then(|| BadConfig::mistaken(Some(name), &text, mistakes));
    match (here, there) {
        (None, None) => Ok(Some(options)),
        (Some(here), Some(there)) => Err(here.and(there)),
        (Some(wrong), None) | (None, Some(wrong)) => Err(wrong),
    }
}

/// Reads the text of the file `path`; returns `None` if it is a pyproject.toml without `[tool.urlint]`.
fn parsed(path: &Path, text: &str, name: &str, folder: &Path) -> Option<File> {
    let source = Source {
        base: path.parent().unwrap_or(folder),
        ..Source::new(name, folder)
    };
    if path.file_name().is_some_and(|name| name == PYPROJECT) {
        file::read_pyproject(text, &source)
    } else {
        Some(file::read(text, &source))
    }
}

/// What is wrong with the text of a configuration file that may not have been saved.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Review {
    /// The mistakes in the text, in the order of their places.
    pub mistakes: Vec<Mistake>,
    /// Where it extends a file with which something is wrong, and that.
    pub extended: Option<(Range<usize>, BadConfig)>,
}

/// Reviews `text` as that of the file `path`, an absolute path, in its folder. `current` is the folder
/// to which paths in messages are relative.
#[must_use]
pub fn review(path: &Path, text: &str, current: &Path) -> Review {
    let real = fs::canonicalize(path);
    let path = real.as_deref().unwrap_or(path);
    let folder = path.parent().unwrap_or(path);
    let Some(read) = parsed(path, text, &shown(path, current), folder) else {
        return Review::default();
    };
    let mut review = Review {
        mistakes: read.mistakes,
        extended: None,
    };
    if let Some((base, at)) = read.extend {
        match extended(&base, at.clone(), current, &mut vec![path.to_owned()]) {
            Ok(_) => {}
            Err(Broken::Here(mistake)) => review.mistakes.push(mistake),
            Err(Broken::There(wrong)) => review.extended = Some((at, wrong)),
        }
    }
    review.mistakes.sort_by_key(|mistake| mistake.span.start);
    review
}

/// Why a file cannot be extended.
enum Broken {
    /// The mistake is in the file that extends it.
    Here(Mistake),
    /// The mistakes are in the extended file.
    There(BadConfig),
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
        Err(wrong) => Err(Broken::There(wrong)),
    }
}

pub(super) fn read(path: &Path) -> io::Result<String> {
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
