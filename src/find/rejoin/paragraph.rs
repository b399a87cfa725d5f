//! The paragraph around a line break.

use crate::text::Text;
use urlint_standard::text::window::is_blank;

/// The minimum width of a paragraph, in columns: the width of RFCs.
const WIDTH: usize = 72;
/// How much of the paragraph to look at on either side of the break, in bytes.
const NEIGHBOURHOOD: usize = 1024;

/// Returns where the line of `at` begins, looking back a limited distance.
pub(crate) fn line_start(text: &Text<'_>, at: usize) -> usize {
    let floor = at.saturating_sub(NEIGHBOURHOOD);
    let before = &text.bytes[floor..at];
    floor + memchr::memrchr2(b'\n', b'\r', before).map_or(0, |at| at + 1)
}

/// Returns the length of the longest line around the break, but at least the width of an RFC.
pub(super) fn paragraph_width(text: &Text<'_>, line: usize, next_line: usize) -> usize {
    let mut width = WIDTH;
    each_line_around(text, line, next_line, 4, |line| {
        let is_blank = is_blank_line(line);
        width = width.max(if is_blank { 0 } else { line.len() });
        !is_blank
    });
    width
}

/// Passes to `visit` up to `most` lines before the one at `line`, and up to as many from the one at
/// `next_line` on, in each direction until it returns `false`.
pub(super) fn each_line_around(
    text: &Text<'_>,
    line: usize,
    next_line: usize,
    most: usize,
    mut visit: impl FnMut(&[u8]) -> bool,
) {
    let mut end = line;
    for _ in 0..most {
        if end == 0 || line - end > NEIGHBOURHOOD {
            break;
        }
        let is_pair = text.bytes[..end].ends_with(b"\r\n");
        let line_end = end - 1 - usize::from(is_pair);
        end = line_start(text, line_end);
        if !visit(&text.bytes[end..line_end]) {
            break;
        }
    }
    let mut start = next_line;
    for _ in 0..most {
        let rest = text.line_from(start, NEIGHBOURHOOD);
        if !visit(rest) || start - next_line > NEIGHBOURHOOD {
            break;
        }
        let Some(next) = text.after_break(start + rest.len()) else {
            break;
        };
        start = next;
    }
}

fn is_blank_line(line: &[u8]) -> bool {
    line.iter()
        .all(|&byte| is_blank(byte) || byte == b'\n' || byte == b'\r')
}
