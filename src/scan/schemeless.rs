//! Hosts that are written without a scheme: `www.example.com/x`.

use aho_corasick::AhoCorasick;

/// How long the longest mark is that such a host begins with, in bytes.
pub(super) const MARK: usize = 4;

/// Looks for the marks of such hosts, if asked to.
#[derive(Debug)]
pub(super) struct Schemeless {
    marks: Option<AhoCorasick>,
    /// Where the next mark is, so that it is looked for once.
    found: Option<usize>,
    /// Up to where was looked.
    searched: usize,
}

impl Schemeless {
    pub(super) fn new(enabled: bool) -> Self {
        let build = || {
            AhoCorasick::builder()
                .ascii_case_insensitive(true)
                .build(["www.", "ftp."])
        };
        Schemeless {
            marks: if enabled { build().ok() } else { None },
            found: None,
            searched: 0,
        }
    }

    /// The next mark at or after `from`.
    pub(super) fn find(&mut self, text: &[u8], from: usize) -> Option<usize> {
        let marks = self.marks.as_ref()?;
        if self.found.is_none_or(|found| found < from) {
            let start = from.max(self.searched.saturating_sub(MARK)).min(text.len());
            let found = marks.find(&text[start..]).map(|mark| start + mark.start());
            self.searched = found.unwrap_or(text.len());
            self.found = found;
        }
        self.found
    }

    /// The window has moved on by `by` bytes.
    pub(super) fn slide(&mut self, by: usize) {
        self.found = self.found.and_then(|found| found.checked_sub(by));
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
