//! Reads a configuration file and those that it extends.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use urlint_standard::text::Position;

use super::mistake::{BadConfig, Mistake};
use super::options::Options;
use super::parse::{MOST_ENTRIES, Parsed, has_own_keys, parse};
use super::reach::{PYPROJECT, Reach};
use super::source::Source;
use super::url_rules::fit_together;

/// The most bytes of a configuration file.
const MOST_BYTES: u64 = 1 << 20;

/// How many files may extend one another.
const MOST_DEEP: usize = 16;

impl Options {
    /// Reads the configuration file `path`, which may be a `pyproject.toml`, and the files that it
    /// extends. No other file is searched for. `current` is the current folder, an absolute path
    /// without symbolic links: patterns of paths in this file are relative to it, since the file may be
    /// anywhere, and paths in messages where they can be.
    ///
    /// Returns `None` if the file is a `pyproject.toml` without `[tool.urlint]`.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read, or with the first mistake in it and in the files that it
    /// extends.
    ///
    /// ```
    /// use urlint::config::Options;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let current = folder.path().canonicalize()?;
    /// let path = current.join("strict.toml");
    /// std::fs::write(&path, "schemeless = true\nselct = []\n")?;
    /// let error = Options::from_file(&path, &current).unwrap_err();
    /// assert_eq!(error.to_string(), "strict.toml:2:1: unknown key `selct`; did you mean `select`?");
    ///
    /// std::fs::write(&path, "schemeless = true\n")?;
    /// let options = Options::from_file(&path, &current)?.unwrap_or_default();
    /// assert!(options.resolve().lint().finder.schemeless);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_file(path: &Path, current: &Path) -> Result<Option<Options>, BadConfig> {
        let real = fs::canonicalize(current.join(path));
        let real = real.map_err(|error| BadConfig::unreadable(shown(path, current), error))?;
        Loader::new(current).load(&real, current, &Reach::Everywhere)
    }
}

/// Reads the file `path`, which was found in `folder`; returns `None` if it is a pyproject.toml without
/// `[tool.urlint]`.
pub(super) fn found(
    path: &Path,
    folder: &Path,
    current: &Path,
) -> Result<Option<Options>, BadConfig> {
    let reach = Reach::of_found(folder);
    match reach.readable(path) {
        Ok(_) => Loader::new(current).load(path, folder, &reach),
        Err(_) if is_pyproject(path) && !mentions_urlint(path) => Ok(None),
        Err(refused) => Err(BadConfig::unreadable(shown(path, current), refused)),
    }
}

/// Reads a file and those that it extends.
struct Loader<'l> {
    /// The current folder.
    current: &'l Path,
    /// The files that extend the one that is read, the outermost first.
    within: Vec<PathBuf>,
}

impl<'l> Loader<'l> {
    fn new(current: &'l Path) -> Self {
        let within = Vec::new();
        Loader { current, within }
    }

    /// Reads the file `path`, whose patterns are relative to `folder`, and those that it extends; returns
    /// `None` if it is a pyproject.toml without `[tool.urlint]`.
    fn load(
        &mut self,
        path: &Path,
        folder: &Path,
        reach: &Reach,
    ) -> Result<Option<Options>, BadConfig> {
        let name = shown(path, self.current);
        let text = read(path).map_err(|error| BadConfig::unreadable(name.clone(), error))?;
        let source = Source {
            base: path.parent().unwrap_or(folder),
            reach: reach.clone(),
            ..Source::new(&*name, folder)
        };
        let wrong = |mistake: Mistake| {
            if reach.shows(path) || has_own_keys(&text) {
                BadConfig::mistaken(Some(name.clone()), &text, mistake)
            } else {
                BadConfig::unreadable(name.clone(), hidden(&text, mistake.span.start))
            }
        };
        let parsed = parse(&text, is_pyproject(path), &source).map_err(wrong)?;
        let Some(Parsed { layer, extend }) = parsed else {
            return Ok(None);
        };
        let options = Options::of(layer);
        let Some((base, at)) = extend else {
            return Ok(Some(options));
        };
        let wrong = |message: String| wrong(Mistake::new(at.clone(), message));
        self.within.push(path.to_owned());
        let base = self.extended(&base, reach, &wrong);
        self.within.pop();
        let options = options.over(&base?);
        if options.count() > MOST_ENTRIES {
            let message = "together with this file, there are more than";
            let message = format!("{message} {MOST_ENTRIES} entries in lists and tables");
            return Err(wrong(message));
        }
        let rules = options.entries(|keys| &keys.url_rules);
        let ignored = options.get(|keys| &keys.ignore_urls);
        fit_together(rules.iter().map(|(_, rule, _)| *rule), &ignored)
            .map_err(|message| wrong(format!("together with this file, {message}")))?;
        Ok(Some(options))
    }

    /// Reads the file `path`, which a file with this `reach` extends. `wrong` makes the error for the
    /// place where that file names it.
    fn extended(
        &mut self,
        path: &Path,
        reach: &Reach,
        wrong: &dyn Fn(String) -> BadConfig,
    ) -> Result<Options, BadConfig> {
        let name = shown(path, self.current);
        let path = reach.readable(path);
        let path = path.map_err(|refused| wrong(format!("`{name}`: {refused}")))?;
        if self.within.contains(&path) {
            return Err(wrong(format!("`{name}` extends itself")));
        }
        if self.within.len() >= MOST_DEEP {
            let message = format!("more than {MOST_DEEP} files extend one another");
            return Err(wrong(message));
        }
        let folder = path.parent().unwrap_or(&path);
        let options = self.load(&path, folder, &reach.of_extended(folder))?;
        options.ok_or_else(|| wrong(format!("`{name}` has no `[tool.urlint]`")))
    }
}

/// Returns the message for a file whose text must not be shown, with a mistake at `at`.
fn hidden(text: &str, at: usize) -> io::Error {
    let before = text.as_bytes().get(..at).unwrap_or_default();
    let Position { line, column } = Position::default().after(before);
    let place = format!("it has an error in line {line}, column {column}");
    io::Error::other(format!(
        "{place}; to see the error, name it with `--config`"
    ))
}

fn is_pyproject(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == PYPROJECT)
}

/// Returns whether the pyproject.toml at `path` has something for urlint. The files that it extends
/// and its mistakes are of no interest.
pub(super) fn mentions_urlint(path: &Path) -> bool {
    let text = path.is_file().then(|| read(path).ok()).flatten();
    text.is_some_and(|text| text.contains("[tool.urlint"))
}

fn read(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    let file = fs::File::open(path)?;
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(io::Error::other(format!(
            "a configuration file cannot be longer than {} MiB",
            MOST_BYTES >> 20
        )));
    }
    String::from_utf8(bytes).map_err(|error| {
        let (before, _) = error.as_bytes().split_at(error.utf8_error().valid_up_to());
        let line = Position::default().after(before).line;
        io::Error::other(format!("line {line} is not UTF-8"))
    })
}

/// Returns a path as it is shown in messages: relative to the current folder if it is inside.
fn shown(path: &Path, current: &Path) -> String {
    let near = path.strip_prefix(current).unwrap_or(path);
    near.to_string_lossy().into_owned()
}
