//! A baseline: known diagnostics, which are not reported again.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use urlint_config::real_path;
use urlint_engine::{Baseline, Name};
use urlint_lint::{Diagnostic, Known};

use crate::error::Error;
use crate::output::replace::{Pending, collide, is_replaced};
use urlint_report::json;
use urlint_report::terminal::Verbosity;

/// The flags for a baseline.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct BaselineArgs {
    /// Report only diagnostics that are not in this file, which --update-baseline writes
    #[arg(long, value_name = "FILE")]
    pub(super) baseline: Option<PathBuf>,

    /// Write all diagnostics to the file of --baseline and report none
    #[arg(long, conflicts_with_all = ["fix_only", "diff"])]
    pub(super) update_baseline: bool,
}

/// The properties that identify a diagnostic. Line and column are left out, since lines move.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Key {
    path: String,
    rule: String,
    url: String,
    message: String,
}

/// A diagnostic in the file, and how often it occurs.
#[derive(Serialize, Deserialize)]
struct Entry {
    #[serde(flatten)]
    key: Key,
    count: u64,
}

/// The contents of a baseline file.
#[derive(Deserialize)]
struct Contents {
    version: u64,
    diagnostics: Vec<Entry>,
}

/// A baseline that is being written.
pub(crate) struct NewBaseline {
    counts: BTreeMap<Key, u64>,
    file: Pending,
    /// Its folder, and the current one.
    folders: (PathBuf, PathBuf),
}

impl BaselineArgs {
    /// Reads the baseline at `path`, if there is one. If it is updated, it is read only so that no other file is
    /// replaced.
    pub(crate) fn read(&self, path: Option<&Path>, current: &Path) -> Result<Baseline, Error> {
        if !self.update_baseline {
            return read(path, current);
        }
        let has_text = |path: &&Path| fs::metadata(path).is_ok_and(|data| data.len() > 0);
        read(
            path.filter(|path| is_replaced(path)).filter(has_text),
            current,
        )?;
        Ok(Baseline::default())
    }

    /// Begins the new file at `path` if it is updated, so that it fails early if the file cannot be written.
    pub(crate) fn begin_update(
        &self,
        path: Option<&Path>,
        current: &Path,
        verbosity: Verbosity,
    ) -> Result<Option<NewBaseline>, Error> {
        match path {
            _ if !self.update_baseline => Ok(None),
            Some(path) => Ok(Some(NewBaseline {
                counts: BTreeMap::new(),
                file: Pending::new(path, verbosity)?,
                folders: (folder_of(path, current), current.to_owned()),
            })),
            None => Err(Error::usage("--update-baseline requires --baseline FILE")),
        }
    }
}

impl NewBaseline {
    /// Adds a diagnostic of the source `name`.
    pub(crate) fn add(&mut self, name: &Name, diagnostic: &Diagnostic) {
        let key = Key {
            path: name.seen_from(&self.folders.0, &self.folders.1),
            rule: diagnostic.rule.name().to_owned(),
            url: diagnostic.url.clone().unwrap_or_default(),
            message: diagnostic.message.clone(),
        };
        *self.counts.entry(key).or_default() += 1;
    }

    /// Writes the file: an object on each line, sorted, so that changes to the file are easy to review. Returns
    /// how many diagnostics there are.
    pub(crate) fn finish(mut self) -> Result<u64, Error> {
        let number = self.counts.values().sum();
        let written = write(self.file.file(), self.counts);
        written.map_err(|error| self.file.error(error))?;
        self.file.persist()?;
        Ok(number)
    }
}

fn write(out: &mut dyn Write, counts: BTreeMap<Key, u64>) -> io::Result<()> {
    let mut items = json::Items::new(r#"{"version":1,"diagnostics":["#);
    for (key, count) in counts {
        items.add(out, &Entry { key, count })?;
    }
    items.end(out, "]}")
}

/// Returns the folder of the file `path`, from which the paths in it are seen.
fn folder_of(path: &Path, current: &Path) -> PathBuf {
    let whole = current.join(path);
    real_path(whole.parent().unwrap_or(current))
}

/// Fails if one of `outputs` would replace the baseline at `path`.
pub(crate) fn ensure_not_output<'p>(
    path: Option<&Path>,
    outputs: impl IntoIterator<Item = &'p Path>,
) -> Result<(), Error> {
    let mut outputs = outputs.into_iter();
    match path.filter(|path| outputs.any(|file| collide(file, path))) {
        Some(path) => Err(Error::Usage(format!(
            "{}: this is the baseline; write to another file",
            path.display()
        ))),
        None => Ok(()),
    }
}

/// The most bytes of a baseline.
const MOST_BYTES: u64 = 256 << 20;

/// Returns the known diagnostics of each source in the baseline at `path`, if there is one.
pub(crate) fn read(path: Option<&Path>, current: &Path) -> Result<Baseline, Error> {
    let mut baseline = Baseline::default();
    let Some(path) = path else {
        return Ok(baseline);
    };
    let mut text = Vec::new();
    let file = File::open(path).map(|file| file.take(MOST_BYTES + 1));
    let read = file.and_then(|mut file| file.read_to_end(&mut text));
    read.map_err(|error| Error::File(path.to_owned(), error))?;
    let invalid = |reason: String| {
        let path = path.display();
        Error::Usage(format!(
            "{path}: no baseline of urlint: {reason}; name another file, or move this one away"
        ))
    };
    if text.len() as u64 > MOST_BYTES {
        return Err(invalid(format!("longer than {} MiB", MOST_BYTES >> 20)));
    }
    let contents: Contents = serde_json::from_slice(&text).map_err(|error| {
        // The message of a data error quotes the file, which may be any file.
        invalid(if error.is_data() {
            let (line, column) = (error.line(), error.column());
            format!("not the diagnostics of urlint, at line {line} column {column}")
        } else {
            error.to_string()
        })
    })?;
    if contents.version != 1 {
        return Err(invalid("unsupported version".into()));
    }
    let mut known: HashMap<String, Known> = HashMap::new();
    for Entry { key, count } in contents.diagnostics {
        let of_source = known.entry(key.path).or_default();
        of_source.add(&key.rule, &key.url, &key.message, count);
    }
    let known = known.into_iter();
    baseline.known = known.map(|(path, of)| (path, of.into())).collect();
    baseline.folder = folder_of(path, current);
    Ok(baseline)
}
