//! Whether a URL that no delimiter closes goes on after a line break. The grammar decides, then the
//! evidence of how the lines are broken.

use super::{Crossing, Leader, is_valid};
use crate::find::options::{Finder, Rejoin};
use crate::standard::Standard;
use crate::text::span::{Span, Spans};
use crate::text::window::{Text, is_blank};

/// What to do at a line break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The URL goes on.
    Join,
    /// It may go on, but the evidence is not sufficient.
    Perhaps,
    /// It ends.
    End,
}

/// The least width of a paragraph, in columns: that of RFCs.
const WIDTH: usize = 72;
/// How much of the paragraph is looked at on either side of the break, in bytes.
const NEIGHBOURHOOD: usize = 1024;

/// What is known about a line break.
pub(crate) struct Break<'a> {
    /// The URL so far, which reaches to the end of the line, except for blanks.
    pub(crate) pieces: &'a Spans,
    /// The offset of the line break.
    pub(crate) at: usize,
    pub(crate) crossing: &'a Crossing,
    pub(crate) leader: &'a Leader<'a>,
    /// Where the URL would end if it went on, without what trails it.
    pub(crate) end: usize,
}

/// Decides whether the URL goes on in the next line.
pub(crate) fn evidence(text: &Text<'_>, finder: &Finder, found: &Break<'_>) -> Verdict {
    let crossing = found.crossing;
    let token = &text.bytes[crossing.at..found.end];
    let refused = finder.rejoin == Rejoin::Never
        || crossing.ends
        || crossing.other_leader
        || begins_otherwise(text, crossing.at, token);
    if refused {
        return Verdict::End;
    }
    // A comment goes on where its line is full; the next item of a list begins where it is not.
    if found.leader.may_be_bullet() && (is_prose(token) || would_have_fitted(text, found)) {
        return Verdict::End;
    }
    let last = text.bytes[found.pieces.end() as usize - 1];
    if last == b'-' || grammar_asks_for_it(text, finder.standard, found) {
        return Verdict::Join;
    }
    // A path that goes on with its slash is rarer, but as good as evidence.
    let path_goes_on = token[0] == b'/' && token[1..].contains(&b'/');
    if !matches!(last, b'/' | b'=' | b'&' | b'?' | b'_' | b'%') && !path_goes_on {
        return Verdict::End;
    }
    let sure =
        finder.rejoin == Rejoin::Likely && !is_prose(token) && !would_have_fitted(text, found);
    if sure {
        Verdict::Join
    } else {
        Verdict::Perhaps
    }
}

/// Returns whether the next line begins with something that is not part of this URL: another URL, the
/// label of a field, the bullet or number of a list item, or a character that is not in URLs.
fn begins_otherwise(text: &Text<'_>, at: usize, token: &[u8]) -> bool {
    let Some(first) = token.first() else {
        return true;
    };
    let whole = &text.bytes[at..text.skip(at, |byte| byte > b' ')];
    let enumerates = matches!(whole, [.., b'.' | b')'])
        && whole[..whole.len() - 1].iter().all(u8::is_ascii_digit);
    let bullet = whole.len() == 1 && !first.is_ascii_digit();
    !(first.is_ascii_alphanumeric() || b"/.-_%?&=#+~".contains(first))
        || !token.iter().any(u8::is_ascii_alphanumeric)
        || whole.contains(&b':')
        || enumerates
        || bullet
}

/// Returns whether the part before the break is not valid, and the joined reading is. As any word makes
/// a valid host, what follows `http://` must also look like one.
fn grammar_asks_for_it(text: &Text<'_>, standard: Standard, found: &Break<'_>) -> bool {
    let before = &text.bytes[..found.pieces.end() as usize];
    if before.ends_with(b"//") && is_prose(&text.bytes[found.crossing.at..found.end]) {
        return false;
    }
    let is_valid = |pieces: &Spans| is_valid(standard, text.bytes, pieces);
    if is_valid(found.pieces) {
        return false;
    }
    let mut joined = found.pieces.clone();
    joined.push(Span::new(found.crossing.at as u64, found.end as u64));
    is_valid(&joined)
}

/// Returns whether `token` may be a word of prose: it has no digit, and no `. / = ? % _ # ~` inside.
fn is_prose(token: &[u8]) -> bool {
    let inner = &token[..token.len().saturating_sub(1)];
    !token.iter().any(u8::is_ascii_digit) && !inner.iter().any(|byte| b"./=?%_#~".contains(byte))
}

/// Returns whether the first word of the next line would have fitted into the line that was broken.
fn would_have_fitted(text: &Text<'_>, found: &Break<'_>) -> bool {
    let word_end = text.skip(found.crossing.at, |byte| byte > b' ');
    let word = word_end - found.crossing.at;
    let line = line_start(text, found.at);
    let used = found.pieces.end() as usize - line;
    used + word <= paragraph_width(text, line, found.crossing.line)
}

/// Where the line of `at` begins, as far as that is looked for.
fn line_start(text: &Text<'_>, at: usize) -> usize {
    let floor = at.saturating_sub(NEIGHBOURHOOD);
    let before = &text.bytes[floor..at];
    floor + memchr::memrchr2(b'\n', b'\r', before).map_or(0, |at| at + 1)
}

/// The length of the longest line around the break, but at least that of an RFC.
fn paragraph_width(text: &Text<'_>, line: usize, next_line: usize) -> usize {
    let mut width = WIDTH;
    let mut end = line;
    for _ in 0..4 {
        if end == 0 || line - end > NEIGHBOURHOOD {
            break;
        }
        let start = line_start(text, end - 1);
        if is_blank_line(&text.bytes[start..end]) {
            break;
        }
        width = width.max(end - 1 - start);
        end = start;
    }
    let mut start = next_line;
    for _ in 0..4 {
        let limit = (start + NEIGHBOURHOOD).min(text.bytes.len());
        let rest = &text.bytes[start.min(limit)..limit];
        let len = match memchr::memchr2(b'\n', b'\r', rest) {
            Some(len) => len,
            None => {
                if rest.len() < NEIGHBOURHOOD {
                    text.starve();
                }
                rest.len()
            }
        };
        if is_blank_line(&rest[..len]) {
            break;
        }
        width = width.max(len);
        let Some(next) = text.after_break(start + len) else {
            break;
        };
        start = next;
    }
    width
}

fn is_blank_line(line: &[u8]) -> bool {
    line.iter()
        .all(|&byte| is_blank(byte) || byte == b'\n' || byte == b'\r')
}
