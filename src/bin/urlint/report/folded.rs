//! What people are shown once: the hints of a rule, and the same fault of the same URL.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, RandomState};

use urlint::config::Hints;
use urlint::{Diagnostic, Rule, Severity};

use crate::terminal::{self, count};

/// The most URLs that are known again. Beyond them every diagnostic is shown, so that memory is bounded.
const MAX_URLS: usize = 1 << 16;

/// Counts the diagnostics that are not shown again. All of them count in the summary and for the exit code.
pub(crate) struct Folded {
    hints: Hints,
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
    /// What they are, if there are any that are not hints.
    name: String,
}

impl Further {
    fn add(&mut self, file: u64) {
        self.number += 1;
        self.files += u64::from(self.last != Some(file));
        self.last = Some(file);
    }

    /// Returns how many more of `name` there are, and what shows them; `None` if there are none.
    fn line(&self, name: &str, noun: &str) -> Option<String> {
        let (number, files) = (self.number, count(self.files, "file"));
        let line = format!("{name}: {number} more{noun} in {files} (`--hints all`)");
        (number > 0).then_some(line)
    }
}

impl Folded {
    pub(crate) fn new(hints: Hints) -> Self {
        Folded {
            hints,
            by_rule: BTreeMap::new(),
            by_url: HashMap::new(),
            hasher: RandomState::new(),
        }
    }

    /// Returns whether a diagnostic of the file `path` is left out, and counts it if so.
    pub(crate) fn takes(&mut self, path: &[u8], diagnostic: &Diagnostic) -> bool {
        let rule = diagnostic.rule;
        let further = match (diagnostic.severity, self.hints) {
            (_, Hints::All) => return false,
            (Severity::Hint, hints) => {
                let is_first = hints == Hints::First && !self.by_rule.contains_key(&rule);
                let further = self.by_rule.entry(rule).or_default();
                if is_first {
                    return false;
                }
                further
            }
            (severity, _) => {
                let Some(url) = diagnostic.shown_url() else {
                    return false;
                };
                let key = self.hasher.hash_one((rule, &diagnostic.message, &url));
                let is_first = !self.by_url.contains_key(&key);
                if is_first && self.by_url.len() == MAX_URLS {
                    return false;
                }
                let further = self.by_url.entry(key).or_default();
                if is_first {
                    return false;
                }
                if further.name.is_empty() {
                    let url = terminal::line(url.as_bytes());
                    further.name = format!("{severity}[{rule}]: `{url}`");
                }
                further
            }
        };
        further.add(self.hasher.hash_one(path));
        true
    }

    /// Returns how many diagnostics were left out.
    pub(crate) fn number(&self) -> u64 {
        let further = self.by_rule.values().chain(self.by_url.values());
        further.map(|further| further.number).sum()
    }

    /// Returns a line for each rule, and for each URL, of which something was left out.
    pub(crate) fn lines(&self) -> Vec<String> {
        let by_url = self.by_url.values().map(|further| {
            let plural = if further.number == 1 { "" } else { "s" };
            further.line(&further.name, &format!(" place{plural}"))
        });
        let by_rule = self.by_rule.iter();
        let by_rule = by_rule.map(|(rule, further)| further.line(&format!("hint[{rule}]"), ""));
        let mut lines: Vec<_> = by_url.flatten().collect();
        lines.sort();
        lines.extend(by_rule.flatten());
        lines
    }
}
