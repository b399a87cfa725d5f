//! A baseline: diagnostics that are known and not to be reported again.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;
use urlint::Diagnostic;

use super::Error;
use super::replace::Pending;
use crate::report::json;

/// The flags for a baseline.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct Kept {
    /// Report only what is not in this file, which --update-baseline writes
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,

    /// Write all that there is to report to the file of --baseline, and report nothing
    #[arg(long)]
    update_baseline: bool,
}

/// What a diagnostic is known by: neither line nor column, so that lines may move.
type Key = [String; 4];

/// The names of a key's parts in the file.
const KEYS: [&str; 4] = ["path", "rule", "url", "message"];

/// The diagnostics that are known, and how many of each.
#[derive(Clone)]
pub(crate) struct Baseline {
    path: PathBuf,
    update: bool,
    counts: BTreeMap<Key, u64>,
    /// How many diagnostics were kept back.
    kept_back: u64,
}

impl Kept {
    /// The file that the flags name.
    pub(crate) fn asked(&self) -> Option<PathBuf> {
        self.baseline.clone()
    }

    /// The baseline in the file `path`, if there is to be one.
    pub(crate) fn open(&self, path: Option<&Path>) -> Result<Option<Baseline>, Error> {
        let Some(path) = path else {
            return match self.update_baseline {
                true => Err(Error::Usage(
                    "--update-baseline needs --baseline FILE".into(),
                )),
                false => Ok(None),
            };
        };
        let counts = match self.update_baseline {
            true => BTreeMap::new(),
            false => read(path)?,
        };
        Ok(Some(Baseline {
            path: path.to_owned(),
            update: self.update_baseline,
            counts,
            kept_back: 0,
        }))
    }
}

impl Baseline {
    /// Whether it is being written, and everything kept back.
    pub(crate) fn is_update(&self) -> bool {
        self.update
    }

    /// Whether a diagnostic of the file `path` is not to be reported; each time that it is not, it is
    /// known one time less.
    pub(crate) fn knows(&mut self, path: &[u8], diagnostic: &Diagnostic) -> bool {
        let key = [
            String::from_utf8_lossy(path).into_owned(),
            diagnostic.rule.name().to_owned(),
            diagnostic.url.clone().unwrap_or_default(),
            diagnostic.message.clone(),
        ];
        if self.update {
            *self.counts.entry(key).or_default() += 1;
        } else {
            match self.counts.get_mut(&key) {
                Some(left) if *left > 0 => *left -= 1,
                _ => return false,
            }
        }
        self.kept_back += 1;
        true
    }

    /// Writes the file if it is to be; returns how many diagnostics were kept back.
    pub(crate) fn finish(self) -> Result<u64, Error> {
        if self.update {
            let mut pending = Pending::new(&self.path)?;
            let written = write(&mut pending.file, &self.counts);
            written.map_err(|error| pending.error(error))?;
            pending.persist()?;
        }
        Ok(self.kept_back)
    }
}

/// An object a line, in order, so that changes to the file are easily reviewed.
fn write(out: &mut dyn Write, counts: &BTreeMap<Key, u64>) -> io::Result<()> {
    const OPENING: &[u8] = br#"{"version":1,"diagnostics":["#;
    let mut items = json::Items::default();
    for (key, count) in counts {
        items.next(out, OPENING)?;
        let mut line = Vec::new();
        json::object(&mut line, |object| {
            for (name, value) in KEYS.iter().zip(key) {
                object.string(name, value.as_bytes());
            }
            object.number("count", *count);
        });
        out.write_all(&line)?;
    }
    items.end(out, OPENING, b"]}\n")
}

fn read(path: &Path) -> Result<BTreeMap<Key, u64>, Error> {
    let text = fs::read(path).map_err(|error| Error::File(path.to_owned(), error))?;
    let wrong = |why: String| {
        let way_out = "write it anew with --update-baseline";
        Error::Usage(format!("{}: no baseline: {why}; {way_out}", path.display()))
    };
    let value: Value = serde_json::from_slice(&text).map_err(|error| wrong(error.to_string()))?;
    if value["version"] != 1 {
        return Err(wrong("its version is not 1".into()));
    }
    let items = value["diagnostics"].as_array();
    let items = items.ok_or_else(|| wrong("there is no list of diagnostics".into()))?;
    items
        .iter()
        .enumerate()
        .map(|(index, item)| {
            let key = KEYS.map(|name| item[name].as_str().map(str::to_owned));
            match (key, item["count"].as_u64()) {
                ([Some(path), Some(rule), Some(url), Some(message)], Some(count)) => {
                    Ok(([path, rule, url, message], count))
                }
                _ => Err(wrong(format!("diagnostic {} is not whole", index + 1))),
            }
        })
        .collect()
}
