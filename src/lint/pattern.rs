//! Regular expressions of checks.

use std::sync::OnceLock;

use regex::bytes::Regex;
use urlint_standard::standard::Part;

/// A regular expression, which is compiled when it is first used.
pub(super) struct Pattern {
    text: &'static str,
    regex: OnceLock<Option<Regex>>,
}

impl Pattern {
    /// `text` has a group, the part at fault.
    pub(super) const fn new(text: &'static str) -> Self {
        let regex = OnceLock::new();
        Pattern { text, regex }
    }

    /// Returns the part of `text` that the first match is about.
    pub(super) fn find(&self, text: &[u8]) -> Option<Part> {
        let new = || Regex::new(&format!("(?s-u){}", self.text)).ok();
        let regex = self.regex.get_or_init(new).as_ref()?;
        let group = regex.captures(text)?.get(1)?;
        Some(Part::new(group.start(), group.end()))
    }
}
