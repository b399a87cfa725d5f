//! Folded lines: a backslash at the end of a line says that it goes on in the next one, as RFC 8792
//! describes it.

use super::Crossing;
use crate::text::window::Text;

/// How far before the URL the announcement of folded lines is looked for, in bytes.
const MAX_FIGURE: usize = 3072;

/// Where the URL that begins at `start` goes on, if its line is folded before `at`, where the line
/// ends. The backslash before `at` does not belong to the URL then.
///
/// That is so if the next line is indented, or if folded lines have been announced, or if `is_closed`
/// says that a delimiter in a later line closes the URL. With the strategy of two backslashes the next
/// line begins with one after its blanks, which is passed, too.
pub(crate) fn fold(
    text: &Text<'_>,
    start: usize,
    at: usize,
    crossing: &Crossing,
    is_closed: bool,
) -> Option<usize> {
    let before = text.bytes.get(start..at)?;
    let is_fold = matches!(before, [.., last, b'\\'] if *last != b'\\');
    // In the path of a file a backslash may be what it is.
    if !is_fold || crossing.ends || text.has(start, b"file:") {
        return None;
    }
    if !crossing.indented && !is_closed && !is_announced(text, start) {
        return None;
    }
    let passed = usize::from(text.at(crossing.at) == Some(b'\\'));
    Some(crossing.at + passed)
}

/// Returns whether folded lines are announced before `at`.
pub(crate) fn is_announced(text: &Text<'_>, at: usize) -> bool {
    let near = &text.bytes[at.saturating_sub(MAX_FIGURE)..at];
    memchr::memmem::rfind(near, b"line wrapping per").is_some()
}
