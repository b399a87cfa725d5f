//! Diagnostics that people are shown once: the hints of a rule, and the same mistake in the same URL.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, RandomState};

use urlint_config::Show;
use urlint_lint::{Diagnostic, Rule, Severity};

use crate::PlacedDiagnostic;
use crate::terminal::{self, count};

/// The most URLs that are known again. Beyond them every diagnostic is shown, so that memory is bounded.
const MAX_URLS: usize = 1 << 16;

/// Counts the diagnostics that are not shown again. All of them count in the summary and for the exit code.
pub struct Folded {
    show: Show,
    by_rule: BTreeMap<Rule, Further>,
    /// By the hash of a rule and a URL, since there may be many.
    by_url: HashMap<u64, Further>,
    hasher: RandomState,
}

/// The diagnostics after the first of a rule, or of a rule and a URL.
#[derive(Default)]
struct Further {
    number: u64,
    files: u64,
    /// The hash of the name of the last file.
    last: Option<u64>,
    /// The severity, rule and URL of the diagnostics; empty for hints.
    name: String,
    /// Where the first of them is.
    place: String,
}

impl Further {
    fn add(&mut self, file: u64) {
        self.number += 1;
        self.files += u64::from(self.last != Some(file));
        self.last = Some(file);
    }

    /// Returns how many more of `name` there are, and the flag that shows them, or the place of the only one;
    /// `None` if there are none.
    fn line(&self, name: &str, noun: &str) -> Option<String> {
        let (number, files) = (self.number, count(self.files, "file"));
        match number {
            0 => None,
            1 if !self.place.is_empty() => Some(format!("{}: {name}", self.place)),
            _ => Some(format!(
                "{name}: {number} more{noun} in {files} (`--show all`)"
            )),
        }
    }
}

impl Folded {
    /// Folds as `show` says.
    pub fn new(show: Show) -> Self {
        Folded {
            show,
            by_rule: BTreeMap::new(),
            by_url: HashMap::new(),
            hasher: RandomState::new(),
        }
    }

    /// Returns the hash of a diagnostic's rule, message and URL; `None` if it is not counted by URL.
    fn key(&self, diagnostic: &Diagnostic) -> Option<u64> {
        if diagnostic.severity == Severity::Hint || self.show == Show::All {
            return None;
        }
        let url = diagnostic.shown_url().filter(|url| !url.is_empty())?;
        let key = (diagnostic.rule, &diagnostic.message, &url);
        Some(self.hasher.hash_one(key))
    }

    /// Returns whether a diagnostic is left out, and counts it.
    pub fn takes(&mut self, placed: &PlacedDiagnostic<'_>) -> bool {
        let diagnostic = placed.diagnostic;
        let (rule, severity) = (diagnostic.rule, diagnostic.severity);
        let (is_first, further) = match self.key(diagnostic) {
            _ if self.show == Show::All => return false,
            _ if severity == Severity::Hint => {
                let is_first = self.show != Show::NoHints && !self.by_rule.contains_key(&rule);
                (is_first, self.by_rule.entry(rule).or_default())
            }
            Some(key) if self.by_url.len() < MAX_URLS || self.by_url.contains_key(&key) => {
                let is_first = !self.by_url.contains_key(&key);
                (is_first, self.by_url.entry(key).or_default())
            }
            _ => return false,
        };
        if is_first {
            return false;
        }
        if severity != Severity::Hint && further.name.is_empty() {
            let url = diagnostic.shown_url().unwrap_or_default();
            let url = terminal::line(url.as_bytes());
            further.name = format!("{severity}[{rule}]: `{url}`");
            further.place = placed.shown_place();
        }
        further.add(self.hasher.hash_one(placed.path));
        true
    }

    /// Returns how many diagnostics were left out.
    pub fn number(&self) -> u64 {
        let further = self.by_rule.values().chain(self.by_url.values());
        further.map(|further| further.number).sum()
    }

    /// Returns a line for each rule, and for each URL, of which something was left out.
    pub fn lines(&self) -> Vec<String> {
        let by_url = self.by_url.values();
        let by_url = by_url.map(|further| further.line(&further.name, " places"));
        let by_rule = self.by_rule.iter();
        let by_rule = by_rule.map(|(rule, further)| further.line(&format!("hint[{rule}]"), ""));
        let mut lines: Vec<_> = by_url.flatten().collect();
        lines.sort();
        lines.extend(by_rule.flatten());
        lines
    }
}
