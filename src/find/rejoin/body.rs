//! What lies between `<URL:` and `>`, or between `<` and `>`.

use super::{Closed, Joined, Leader, cross, fold};
use crate::find::candidate::{Evidence, Flag};
use crate::find::placeholder;
use crate::text::byteset::ByteSet;
use crate::text::span::Span;
use crate::text::window::Text;

/// How many bytes of a URL are read before it counts as unterminated.
const MAX_KEPT: usize = 8192;
/// How many line breaks are read before it does.
const MAX_BREAKS: usize = 32;
/// How many bytes of the source are read before it does, white space and page furniture included.
const MAX_SOURCE: usize = 65_536;

/// What most URLs consist of, passed over quickly.
static PLAIN: ByteSet = ByteSet::alphanumeric_and(b"-._~/:=%+?&#");

/// Which rules hold inside.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Body {
    /// All white space is dropped.
    Wrapper,
    /// White space is dropped around line breaks and after `/`; any other space in a line ends the URL.
    Angle,
}

/// The offset of the `>`, if only plain bytes precede it: most URLs are on one line.
pub(crate) fn plain_body(text: &Text<'_>, from: usize) -> Option<usize> {
    let end = PLAIN.skip(text.bytes, from);
    let closed = text.bytes.get(end) == Some(&b'>') && end > from && end - from <= MAX_KEPT / 2;
    closed.then_some(end)
}

/// Reads from `from` to the closing `>`; `None` if there is none.
pub(crate) fn body<'t>(
    text: &Text<'_>,
    from: usize,
    body: Body,
    find_leader: impl Fn() -> Leader<'t>,
) -> Option<Closed> {
    // Looked for only when a line break is met.
    let mut leader = None;
    let mut joined = Joined::new(from, from);
    let (mut at, mut kept, mut breaks) = (from, 0, 0);
    // Whether bytes were kept in this line, and whether white space was dropped after them.
    let (mut in_line, mut gap, mut may_fold) = (false, false, false);
    loop {
        let end = text.skip(PLAIN.skip(text.bytes, at), |byte| {
            !is_space(byte) && byte != b'<' && byte != b'>'
        });
        if end > at {
            if gap && in_line {
                let after_slash = text.bytes[joined.end() - 1] == b'/';
                if body == Body::Angle && !after_slash {
                    return None;
                }
                joined.flags.set(Flag::InteriorSpace);
                let space = Span::new(joined.pieces.end(), at as u64);
                joined.spaces.push(space);
            }
            // A backslash there may fold the line, and is kept only if it does not.
            may_fold = end - at > 1
                && text.bytes[end - 1] == b'\\'
                && matches!(text.at(end), Some(b'\n' | b'\r'));
            joined.push(at, end - usize::from(may_fold));
            kept += end - at;
            (at, in_line, gap) = (end, true, false);
        }
        if kept > MAX_KEPT || at - from > MAX_SOURCE {
            return None;
        }
        match text.at(at)? {
            b'>' if gap && in_line && body == Body::Angle => return None,
            b'>' => return Some(Closed { joined, close: at }),
            b'<' => {
                // A placeholder belongs to the URL.
                let len = placeholder::name_in_angles(text, at).filter(|_| in_line && !gap)?;
                joined.push(at, at + len);
                kept += len;
                at += len;
            }
            b'\n' | b'\r' => {
                breaks += 1;
                let crossing = cross(text, at, leader.get_or_insert_with(&find_leader), true)?;
                if breaks > MAX_BREAKS || crossing.ends {
                    return None;
                }
                let mut next = crossing.at;
                if std::mem::take(&mut may_fold) {
                    match fold(text, from, at, &crossing, true) {
                        Some(folded) => {
                            joined.joins.set(Evidence::Fold);
                            next = folded;
                        }
                        None => joined.push(at - 1, at),
                    }
                }
                joined.note_break(text, at, &crossing);
                (at, in_line, gap) = (next, false, false);
            }
            _ => {
                gap = true;
                at += 1;
            }
        }
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | 0x09..=0x0D)
}
