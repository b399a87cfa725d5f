//! A baseline: known diagnostics, which are not reported again.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use urlint::Diagnostic;

use crate::error::Error;
use crate::output::replace::Pending;
use crate::report::json;

/// The flags for a baseline.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct BaselineArgs {
    /// Report only what is not in this file, which --update-baseline writes
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,

    /// Write all diagnostics to the file of --baseline and report none
    #[arg(long, conflicts_with_all = ["fix_only", "diff", "add_ignore"])]
    update_baseline: bool,
}

/// What identifies a diagnostic. Line and column are left out, since lines move.
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

/// The known diagnostics, and the new file for them if it is updated.
pub(crate) struct Baseline {
    known: Known,
    update: Option<Pending>,
}

/// How many there are of each known diagnostic.
#[derive(Clone, Default)]
pub(crate) struct Known {
    counts: BTreeMap<Key, u64>,
    /// How many diagnostics were not reported.
    suppressed: u64,
}

impl BaselineArgs {
    /// Returns whether the file is updated.
    pub(crate) fn is_update(&self) -> bool {
        self.update_baseline
    }

    /// Returns the file that the flags name.
    pub(crate) fn file(&self) -> Option<PathBuf> {
        self.baseline.clone()
    }

    /// Reads the baseline at `path`, or begins a new file if it is updated, so that it fails early if the
    /// file cannot be written. Returns `None` without a path.
    pub(crate) fn open(&self, path: Option<PathBuf>) -> Result<Option<Baseline>, Error> {
        let Some(path) = path else {
            if self.update_baseline {
                let message = "--update-baseline requires --baseline FILE";
                return Err(Error::Usage(message.into()));
            }
            return Ok(None);
        };
        let mut known = Known::default();
        let update = if self.update_baseline {
            Some(Pending::new(&path)?)
        } else {
            known.counts = read(&path)?;
            None
        };
        Ok(Some(Baseline { known, update }))
    }
}

impl Baseline {
    /// Returns the diagnostics that are not reported; `None` if the file is updated, since then none are
    /// known.
    pub(crate) fn known(&self) -> Option<&Known> {
        self.update.is_none().then_some(&self.known)
    }

    /// Returns whether a diagnostic of the file `path` is not reported because it is in the baseline, or is
    /// being added to it. Each known diagnostic matches as often as the file says.
    pub(crate) fn takes(&mut self, path: &[u8], diagnostic: &Diagnostic) -> bool {
        if self.update.is_none() {
            return self.known.takes(path, diagnostic);
        }
        let count = self.known.counts.entry(Key::new(path, diagnostic));
        *count.or_default() += 1;
        self.known.suppressed += 1;
        true
    }

    /// Writes the file if it is updated; returns how many diagnostics were not reported.
    pub(crate) fn finish(self) -> Result<u64, Error> {
        let Baseline { known, update } = self;
        if let Some(mut pending) = update {
            let written = write(pending.file(), known.counts);
            written.map_err(|error| pending.error(error))?;
            pending.persist()?;
        }
        Ok(known.suppressed)
    }
}

impl Known {
    /// Returns whether a diagnostic of the file `path` is known. Each matches as often as the file says.
    pub(crate) fn takes(&mut self, path: &[u8], diagnostic: &Diagnostic) -> bool {
        match self.counts.get_mut(&Key::new(path, diagnostic)) {
            Some(left) if *left > 0 => *left -= 1,
            _ => return false,
        }
        self.suppressed += 1;
        true
    }
}

impl Key {
    fn new(path: &[u8], diagnostic: &Diagnostic) -> Self {
        Key {
            path: String::from_utf8_lossy(path).into_owned(),
            rule: diagnostic.rule.name().to_owned(),
            url: diagnostic.url.clone().unwrap_or_default(),
            message: diagnostic.message.clone(),
        }
    }
}

/// Writes an object on each line, sorted, so that changes to the file are easy to review.
fn write(out: &mut dyn Write, counts: BTreeMap<Key, u64>) -> io::Result<()> {
    let mut items = json::Items::new(r#"{"version":1,"diagnostics":["#);
    for (key, count) in counts {
        items.add(out, &Entry { key, count })?;
    }
    items.end(out, "]}")
}

/// The most bytes of a baseline.
const MOST_BYTES: u64 = 256 << 20;

fn read(path: &Path) -> Result<BTreeMap<Key, u64>, Error> {
    let mut text = Vec::new();
    let file = File::open(path).map(|file| file.take(MOST_BYTES + 1));
    let read = file.and_then(|mut file| file.read_to_end(&mut text));
    read.map_err(|error| Error::File(path.to_owned(), error))?;
    let invalid = |reason: String| {
        let path = path.display();
        Error::Usage(format!(
            "{path}: invalid baseline: {reason}; rewrite it with --update-baseline"
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
    let entries = contents.diagnostics.into_iter();
    Ok(entries.map(|entry| (entry.key, entry.count)).collect())
}
