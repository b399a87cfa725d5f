//! Reads a configuration file and those that it extends.

use std::fs;
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::text::Position;

use super::file::{self, File};
use super::mistakes::{BadConfig, Mistake};
use super::options::Options;
use super::reach::{INSTEAD, Reach, Refused};
use super::source::Source;

/// The names of configuration files; in a folder, the first that exists is used.
pub(super) const NAMES: [&str; 3] = [".urlint.toml", "urlint.toml", PYPROJECT];

pub(super) const PYPROJECT: &str = "pyproject.toml";

/// The most bytes of a configuration file.
const MOST_BYTES: u64 = 1 << 20;

/// How many files may extend one another.
const MOST_DEEP: usize = 16;

/// The most patterns of paths and URLs of a file and those that it extends. Each costs time with every
/// file that is read.
pub(super) const MOST_PATTERNS: usize = 4096;

/// Reads the file `path`, whose patterns are relative to the current folder, wherever it lies.
pub(super) fn chosen(path: &Path, current: &Path) -> Result<Option<Options>, BadConfig> {
    let real = fs::canonicalize(current.join(path));
    let real = real.map_err(|error| BadConfig::unreadable(shown(path, current), error))?;
    load(&real, current, &Reach::Everywhere, current, &mut Vec::new())
}

/// Reads the file `path`, which was found in `folder`; returns `None` if it is a pyproject.toml without
/// `[tool.urlint]`.
pub(super) fn found(
    path: &Path,
    folder: &Path,
    current: &Path,
) -> Result<Option<Options>, BadConfig> {
    let reach = Reach::of_found(folder);
    let told = |what: String| BadConfig::unreadable(shown(path, current), io::Error::other(what));
    match reach.readable(path) {
        Ok(_) => load(path, folder, &reach, current, &mut Vec::new()),
        Err(_) if is_pyproject(path) && !mentions_urlint(path) => Ok(None),
        Err(Refused::Outside) => Err(told(format!("it leads out of its repository; {INSTEAD}"))),
        Err(refused) => Err(told(refused.reason())),
    }
}

/// Reads the file `path` and those that it extends; returns `None` if it is a pyproject.toml without
/// `[tool.urlint]`. Its patterns are relative to `folder`. `within` has the files that extend this
/// one, the outermost first.
fn load(
    path: &Path,
    folder: &Path,
    reach: &Reach,
    current: &Path,
    within: &mut Vec<PathBuf>,
) -> Result<Option<Options>, BadConfig> {
    let name = shown(path, current);
    let text = match read(path) {
        Ok(text) => text,
        Err(error) => return Err(BadConfig::unreadable(name, error)),
    };
    let Some(read) = parsed(path, &text, &name, (folder, reach)) else {
        return Ok(None);
    };
    let is_own = read.is_own;
    let (options, Review { mistakes, extended }) =
        over_extended(read, path, reach, current, within);
    let there = extended.map(|(_, wrong)| wrong);
    let here = (!mistakes.is_empty()).then(|| {
        if is_own || reach.shows(path) {
            BadConfig::mistaken(Some(name), &text, mistakes)
        } else {
            let first = mistakes.iter().map(|mistake| mistake.span.start).min();
            BadConfig::unreadable(name, hidden(&text, first.unwrap_or_default()))
        }
    });
    match (here, there) {
        (None, None) => Ok(Some(options)),
        (Some(here), Some(there)) => Err(here.and(there)),
        (Some(wrong), None) | (None, Some(wrong)) => Err(wrong),
    }
}

/// Lays the options of the file `path` over those of the file that it extends, if it extends one. Returns
/// them and all that is wrong with both.
fn over_extended(
    file: File,
    path: &Path,
    reach: &Reach,
    current: &Path,
    within: &mut Vec<PathBuf>,
) -> (Options, Review) {
    let mut options = file.options;
    let mut review = Review {
        mistakes: file.mistakes,
        extended: None,
    };
    if let Some((base, at)) = file.extend {
        within.push(path.to_owned());
        match extended(&base, at.clone(), reach, current, within) {
            Ok(base) => {
                options = options.over(&base);
                if options.patterns() > MOST_PATTERNS {
                    let message =
                        format!("together with this file, more than {MOST_PATTERNS} patterns");
                    review.mistakes.push(Mistake::new(at, message));
                }
            }
            Err(Broken::Here(mistake)) => review.mistakes.push(mistake),
            Err(Broken::There(wrong)) => review.extended = Some((at, wrong)),
        }
        within.pop();
    }
    (options, review)
}

/// Returns what is said of a file whose text must not be shown, with a mistake at `at`.
fn hidden(text: &str, at: usize) -> io::Error {
    let before = text.as_bytes().get(..at).unwrap_or_default();
    let Position { line, column } = Position::default().after(before);
    let what = format!("it is wrong in line {line}, column {column}");
    io::Error::other(format!("{what}; if named with `--config`, it is shown"))
}

/// Reads the text of the file `path`; returns `None` if it is a pyproject.toml without `[tool.urlint]`.
fn parsed(path: &Path, text: &str, name: &str, (folder, reach): (&Path, &Reach)) -> Option<File> {
    let source = Source {
        base: path.parent().unwrap_or(folder),
        reach: reach.clone(),
        ..Source::new(name, folder)
    };
    if is_pyproject(path) {
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
    let folder = path.parent().unwrap_or(path);
    let reach = Reach::of_found(folder);
    let Some(read) = parsed(path, text, &shown(path, current), (folder, &reach)) else {
        return Review::default();
    };
    let (_, mut review) = over_extended(read, path, &reach, current, &mut Vec::new());
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

/// Reads the file `path`, which another file extends at `at`, one that reaches as far as `reach`.
fn extended(
    path: &Path,
    at: Range<usize>,
    reach: &Reach,
    current: &Path,
    within: &mut Vec<PathBuf>,
) -> Result<Options, Broken> {
    let here = |message: String, label: &str| {
        Broken::Here(Mistake::new(at.clone(), message).label(label.to_owned()))
    };
    let name = shown(path, current);
    let path = reach.readable(path).map_err(|refused| match refused {
        Refused::Outside => here(
            format!("`{name}` is outside of this folder and its repository"),
            INSTEAD,
        ),
        other => here(format!("cannot read `{name}`"), &other.reason()),
    })?;
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
    match load(&path, folder, &reach.of_extended(folder), current, within) {
        Ok(Some(options)) => Ok(options),
        Ok(None) => Err(here(format!("`{name}` has no `[tool.urlint]`"), "")),
        Err(wrong) => Err(Broken::There(wrong)),
    }
}

fn is_pyproject(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == PYPROJECT)
}

/// Returns whether the pyproject.toml at `path` has something for urlint. What it extends and what is
/// wrong with it are of no interest.
pub(super) fn mentions_urlint(path: &Path) -> bool {
    let text = path.is_file().then(|| read(path).ok()).flatten();
    text.is_some_and(|text| text.contains("[tool.urlint"))
}

fn read(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    let file = fs::File::open(path)?;
    file.take(MOST_BYTES + 1).read_to_string(&mut text)?;
    if text.len() as u64 > MOST_BYTES {
        return Err(io::Error::other(format!(
            "a configuration file cannot be longer than {} MiB",
            MOST_BYTES >> 20
        )));
    }
    Ok(text)
}

/// Returns a path as it is shown in messages: relative to the current folder if it is inside.
fn shown(path: &Path, current: &Path) -> String {
    let near = path.strip_prefix(current).unwrap_or(path);
    near.to_string_lossy().into_owned()
}
