//! URLs that are found only on request: hosts without a scheme, `www.example.com/x`, URLs of
//! additional [schemes](crate::Schemes) without `//`, and mistakes in `http://`.

use crate::Finder;
use crate::mistake;
use crate::schemes::{Mark, MarkKind, Marks};

use super::unicode;

/// Searches a window for [marks](Mark) of one kind, each of them only once.
#[derive(Debug)]
pub(super) struct MarkSearch {
    sought: Sought,
    /// The next mark, if one has been found.
    found: Option<Mark>,
    /// How far the window has been searched.
    searched: usize,
}

/// The marks to search for.
#[derive(Debug)]
enum Sought {
    /// Hosts and additional schemes.
    Marks(Marks),
    Mistakes,
}

impl Sought {
    /// Returns the length of the longest mark, in bytes.
    fn max_len(&self) -> usize {
        match self {
            Sought::Marks(marks) => marks.max_len(),
            Sought::Mistakes => mistake::MAX_LEN,
        }
    }

    /// Returns the first mark that begins at or after `from`, and where it begins.
    fn find(&self, text: &[u8], from: usize) -> Option<(Mark, usize)> {
        match self {
            Sought::Marks(marks) => marks.find(text, from),
            Sought::Mistakes => mistake::find(text, from).map(|at| {
                let kind = MarkKind::Mistake;
                (Mark { kind, at }, at)
            }),
        }
    }
}

impl MarkSearch {
    /// Returns a search for each kind of marks that `finder` asks for.
    pub(super) fn all(finder: &Finder) -> Vec<Self> {
        let marks = finder.schemes.marks(finder.schemeless).map(Sought::Marks);
        let mistakes = finder.mistakes.then_some(Sought::Mistakes);
        let search = |sought| MarkSearch {
            sought,
            found: None,
            searched: 0,
        };
        marks.into_iter().chain(mistakes).map(search).collect()
    }

    /// Returns the length of the longest mark, in bytes.
    pub(super) fn max_len(&self) -> usize {
        self.sought.max_len()
    }

    /// Returns the next mark at or after `from`.
    pub(super) fn find(&mut self, text: &[u8], from: usize) -> Option<Mark> {
        if self.found.is_none_or(|found| found.at < from) {
            let known = self.searched.saturating_sub(self.max_len());
            let start = from.max(known).min(text.len());
            let found = self.sought.find(text, start);
            self.searched = found.map_or(text.len(), |(_, start)| start);
            self.found = found.map(|(mark, _)| mark);
        }
        self.found
    }

    /// Adjusts the offsets to a window that has moved on by `by` bytes.
    pub(super) fn slide(&mut self, by: usize) {
        self.found = self.found.and_then(|Mark { kind, at }| {
            let at = at.checked_sub(by)?;
            Some(Mark { kind, at })
        });
        self.searched = self.searched.saturating_sub(by);
    }
}

/// Returns whether the end of `text` before a host makes the host part of something else.
pub(super) fn joins_on(text: &[u8]) -> bool {
    text.last().is_some_and(|&byte| match byte {
        0x80.. => unicode::ends_in_letter(text),
        byte => byte.is_ascii_alphanumeric() || b"._-@/%".contains(&byte),
    })
}

/// Returns whether `text` begins with a host of at least three labels.
pub(super) fn is_host(text: &[u8]) -> bool {
    let label = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-' || *byte >= 0x80;
    let end = text
        .iter()
        .position(|byte| !label(byte) && *byte != b'.')
        .unwrap_or(text.len());
    let labels = text[..end].split(|&byte| byte == b'.');
    labels.clone().count() > 2 && labels.clone().all(|label| !label.is_empty())
}
