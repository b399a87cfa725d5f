//! Comparisons that ignore the case of ASCII letters.

use memchr::memchr2_iter;

/// Returns whether `text` begins with `start`, in capital or small letters.
pub fn begins(text: &[u8], start: &str) -> bool {
    let found = text.get(..start.len());
    found.is_some_and(|found| found.eq_ignore_ascii_case(start.as_bytes()))
}

/// Returns whether `text` ends with `end`, in capital or small letters.
pub fn ends(text: &[u8], end: &str) -> bool {
    let start = text.len().checked_sub(end.len());
    start.is_some_and(|start| text[start..].eq_ignore_ascii_case(end.as_bytes()))
}

/// Words in ASCII, in one text with white space between them. Each use searches the text, which is too slow
/// for a test of each URL.
#[derive(Clone, Copy, Debug)]
pub struct WordList(pub &'static str);

impl WordList {
    /// Returns whether `word` is one of them, in capital or small letters.
    pub fn contains(self, word: &[u8]) -> bool {
        let list = self.0.as_bytes();
        let begins = |at: &usize| *at == 0 || list[at - 1].is_ascii_whitespace();
        let first = word.first().copied().unwrap_or_default();
        memchr2_iter(first.to_ascii_lowercase(), first.to_ascii_uppercase(), list)
            .filter(begins)
            .filter_map(|at| list[at..].split(u8::is_ascii_whitespace).next())
            .any(|known| word.eq_ignore_ascii_case(known))
    }

    /// Returns the words in their order.
    pub fn iter(self) -> impl Iterator<Item = &'static str> {
        self.0.split_ascii_whitespace()
    }
}
