//! What is found only if asked for: hosts that are written without a scheme, `www.example.com/x`,
//! and schemes of somebody's own without slashes.

use aho_corasick::AhoCorasick;

use super::Trigger;
use crate::find::Finder;

/// What such hosts begin with.
const HOSTS: [&str; 2] = ["www.", "ftp."];

/// Looks for what such hosts begin with and for the schemes with their colons, if asked to.
#[derive(Debug, Default)]
pub(super) struct Marks {
    marks: Option<AhoCorasick>,
    /// How many of the marks are those of hosts; they come first.
    hosts: usize,
    /// Where the next mark is, so that it is looked for once.
    found: Option<Trigger>,
    /// Up to where was looked.
    searched: usize,
}

impl Marks {
    pub(super) fn new(finder: &Finder) -> Self {
        let hosts = if finder.schemeless { &HOSTS[..] } else { &[] };
        if hosts.is_empty() && finder.schemes.is_empty() {
            return Marks::default();
        }
        let schemes = finder.schemes.iter().filter(|scheme| !scheme.is_empty());
        let marks = hosts.iter().map(|&host| host.to_owned());
        let marks = marks.chain(schemes.map(|scheme| format!("{scheme}:")));
        let searcher = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(marks);
        Marks {
            marks: searcher.ok(),
            hosts: hosts.len(),
            ..Marks::default()
        }
    }

    /// How long the longest mark is, in bytes.
    pub(super) fn longest(&self) -> usize {
        let longest = |marks: &AhoCorasick| marks.max_pattern_len();
        self.marks.as_ref().map_or(0, longest)
    }

    /// The next mark at or after `from`.
    pub(super) fn find(&mut self, text: &[u8], from: usize) -> Option<Trigger> {
        let marks = self.marks.as_ref()?;
        if self.found.is_none_or(|found| found.at() < from) {
            let known = self.searched.saturating_sub(marks.max_pattern_len());
            let start = from.max(known).min(text.len());
            let found = marks.find(&text[start..]);
            self.searched = found.map_or(text.len(), |mark| start + mark.start());
            self.found = found.map(|mark| match mark.pattern().as_usize() < self.hosts {
                true => Trigger::Schemeless(start + mark.start()),
                false => Trigger::Colon(start + mark.end() - 1),
            });
        }
        self.found
    }

    /// The window has moved on by `by` bytes.
    pub(super) fn slide(&mut self, by: usize) {
        self.found = self.found.and_then(|found| {
            let at = found.at().checked_sub(by)?;
            Some(match found {
                Trigger::Colon(_) => Trigger::Colon(at),
                Trigger::Schemeless(_) => Trigger::Schemeless(at),
            })
        });
        self.searched = self.searched.saturating_sub(by);
    }
}

/// Whether `byte` before the mark makes it the middle of something else.
pub(super) fn joins_on(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte >= 0x80 || b"._-@/:%=".contains(&byte)
}

/// Whether `text` begins with a host of at least three labels.
pub(super) fn is_host(text: &[u8]) -> bool {
    let label = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-' || *byte >= 0x80;
    let end = text
        .iter()
        .position(|byte| !label(byte) && *byte != b'.')
        .unwrap_or(text.len());
    let labels = text[..end].split(|&byte| byte == b'.');
    labels.clone().count() > 2 && labels.clone().all(|label| !label.is_empty())
}
