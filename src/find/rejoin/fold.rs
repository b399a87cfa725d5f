//! Folded lines: a backslash at the end of a line says that it continues on the next one, as
//! described in RFC 8792.

use super::Crossing;
use crate::text::Text;

/// How far before the URL to look for the announcement of folded lines, in bytes.
const MAX_FIGURE: usize = 3072;

/// Returns where the URL that begins at `start` continues, if its line, which ends at `at`, is
/// folded. The backslash before `at` does not belong to the URL then.
///
/// A line is folded if the next one is indented, if folded lines have been announced, or if a
/// delimiter on a later line closes the URL (`is_closed`). With the two-backslash strategy the next
/// line begins with a backslash after its blanks, which is skipped as well.
pub(crate) fn fold(
    text: &Text<'_>,
    start: usize,
    at: usize,
    crossing: &Crossing,
    is_closed: bool,
) -> Option<usize> {
    let before = text.bytes.get(start..at)?;
    let is_fold = matches!(before, [.., last, b'\\'] if *last != b'\\');
    // In the path of a file a backslash may be literal.
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
