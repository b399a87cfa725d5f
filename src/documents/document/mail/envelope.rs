//! The lines that a mailbox adds to a message: before it, after it, and in Babyl between header and
//! body.

use std::ops::Range;

use memchr::memmem;

use super::lines::{Lines, is_break};
use super::mbox::separator::{BABYL, BABYL_MESSAGE, MMDF, RNEWS, is_line};

/// The line after the header of a message in Babyl, before the copy of the fields that its reader
/// displays.
const SHOWN: &[u8] = b"*** EOOH ***";

/// Where the parts of a message are in its entry of a mailbox.
#[derive(Debug)]
pub(super) struct Envelope {
    pub(super) message: Range<usize>,
    /// A copy of some fields of the header, between header and body; empty if there is none.
    pub(super) copy: Range<usize>,
}

impl Envelope {
    /// Splits off the lines that a mailbox has added to a message, except the `From ` line, since
    /// other programs write it too.
    pub(super) fn of(text: &[u8]) -> Self {
        if text.starts_with(MMDF) {
            let end = without_line(text, MMDF);
            Envelope::without_copy(next_line(text, 0).min(end)..end)
        } else if text.starts_with(RNEWS) {
            Envelope::without_copy(next_line(text, 0)..text.len())
        } else if text.starts_with(BABYL) || text.starts_with(BABYL_MESSAGE) {
            Self::of_babyl(text)
        } else {
            Envelope::without_copy(0..text.len())
        }
    }

    fn without_copy(message: Range<usize>) -> Self {
        let copy = 0..0;
        Envelope { message, copy }
    }

    fn of_babyl(text: &[u8]) -> Self {
        let end = without_line(text, &BABYL_MESSAGE[..1]);
        let text = &text[..end];
        let Some(separator) = find_line(text, BABYL_MESSAGE) else {
            // Nothing but options.
            return Envelope::without_copy(end..end);
        };
        let start = next_line(text, next_line(text, separator));
        match find_line(&text[start..], SHOWN).map(|at| start + at) {
            None => Envelope::without_copy(start..end),
            // The header is displayed in full, so there is no copy.
            Some(shown) if text[start..shown].trim_ascii().is_empty() => {
                Envelope::without_copy(next_line(text, shown)..end)
            }
            Some(shown) => {
                let mut body = next_line(text, shown);
                while body < end && !is_line(&text[body..], b"") {
                    body = next_line(text, body);
                }
                Envelope {
                    message: start..end,
                    copy: shown..next_line(text, body),
                }
            }
        }
    }
}

/// Returns the offset of the first line equal to `line`.
fn find_line(text: &[u8], line: &[u8]) -> Option<usize> {
    memmem::find_iter(text, line)
        .find(|&at| (at == 0 || text[at - 1] == b'\n') && is_line(&text[at..], line))
}

/// Returns the start of the line after the one at `at`.
fn next_line(text: &[u8], at: usize) -> usize {
    Lines::Lf.line(text, at).1
}

/// Returns the end of `text` without its last line, if that begins with `line`, and without the
/// line breaks after it.
fn without_line(text: &[u8], line: &[u8]) -> usize {
    let breaks = text.iter().rev().take_while(|byte| is_break(byte));
    let last = &text[..text.len() - breaks.count()];
    match last.strip_suffix(line) {
        Some(rest) if rest.is_empty() || rest.ends_with(b"\n") => rest.len(),
        _ => text.len(),
    }
}
