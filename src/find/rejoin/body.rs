//! The content of `<URL:…>` and `<…>`.

use super::{Closed, Joined, Leader, cross, fold, soft_hyphen_len};
use crate::candidate::{Evidence, Flag};
use crate::placeholder;
use crate::text::Text;
use urlint_standard::text::Span;
use urlint_standard::text::byteset::ByteSet;

/// The maximum number of bytes of a URL before it counts as unterminated.
const MAX_KEPT: usize = 8192;
/// The maximum number of line breaks before it does.
pub(crate) const MAX_BREAKS: usize = 32;
/// The maximum number of source bytes before it does, including white space and page furniture.
const MAX_SOURCE: usize = 65_536;

/// The maximum number of bytes of punctuation after the closing `>`.
const MAX_PUNCTUATION: usize = 4;

/// The bytes that most URLs consist of, skipped quickly.
static PLAIN: ByteSet = ByteSet::alphanumeric_and(b"-._~/:=%+?&#");

/// Which rules apply to the content.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Body {
    /// All white space is dropped.
    Wrapper,
    /// White space is dropped around line breaks, after `/` and `-`, and before `/`; any other space within a line
    /// ends the URL.
    Angle,
}

/// Returns the offset of the `>`, if only plain bytes precede it: most URLs are on one line.
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
    let mut reading = Reading {
        text,
        body,
        from,
        at: from,
        joined: Joined::new(from, from),
        kept: 0,
        breaks: 0,
        has_text: false,
        has_gap: false,
        may_fold: false,
    };
    // Looked for only when a line break is met.
    let mut leader = None;
    loop {
        reading.take_word()?;
        if reading.kept > MAX_KEPT || reading.at - from > MAX_SOURCE {
            return None;
        }
        match text.at(reading.at)? {
            b'>' if body == Body::Angle && reading.has_text && reading.has_gap => return None,
            b'>' => {
                return Some(Closed {
                    joined: reading.joined,
                    close: reading.at,
                });
            }
            b'<' => reading.take_placeholder()?,
            b'\n' | b'\r' => reading.cross_line_break(leader.get_or_insert_with(&find_leader))?,
            _ => {
                reading.has_gap = true;
                reading.at += 1;
            }
        }
    }
}

/// A URL that is being read up to its `>`. Its steps return `None` if the URL cannot continue.
struct Reading<'a, 't> {
    text: &'a Text<'t>,
    body: Body,
    from: usize,
    /// Where reading continues.
    at: usize,
    joined: Joined,
    /// How many bytes of the URL have been read.
    kept: usize,
    breaks: usize,
    /// Whether this line has a part of the URL.
    has_text: bool,
    /// Whether white space in this line follows that part.
    has_gap: bool,
    /// Whether the line ends in a backslash that may fold it.
    may_fold: bool,
}

impl Reading<'_, '_> {
    /// Takes the bytes up to the next white space or angle bracket.
    fn take_word(&mut self) -> Option<()> {
        let is_word = |byte: u8| !is_space(byte) && byte != b'<' && byte != b'>';
        let plain = PLAIN.skip(self.text.bytes, self.at);
        let end = self.text.skip(plain, is_word);
        if end == self.at {
            return Some(());
        }
        if self.has_gap && self.has_text {
            self.drop_space()?;
        }
        // A backslash there may fold the line, and is kept only if it does not.
        self.may_fold = end - self.at > 1
            && self.text.bytes[end - 1] == b'\\'
            && matches!(self.text.at(end), Some(b'\n' | b'\r'));
        let dropped = match self.text.at(end) {
            Some(b'\n' | b'\r') => soft_hyphen_len(&self.text.bytes[self.at..end]),
            _ => 0,
        };
        if dropped > 0 {
            self.joined.joins.set(Evidence::SoftHyphen);
        }
        let dropped = dropped.max(usize::from(self.may_fold));
        self.joined.push(self.at, end - dropped);
        self.kept += end - self.at;
        (self.at, self.has_text, self.has_gap) = (end, true, false);
        Some(())
    }

    /// Drops the white space before a word, if that is allowed.
    fn drop_space(&mut self) -> Option<()> {
        let is_before_path = self.text.bytes[self.at] == b'/'
            && (self.text.at(self.at + 1)).is_some_and(|byte| byte.is_ascii_alphanumeric());
        let is_of_url = matches!(self.text.bytes[self.joined.end() - 1], b'/' | b'-');
        if self.body == Body::Angle && !is_of_url && !is_before_path {
            return None;
        }
        self.joined.flags.set(Flag::InteriorSpace);
        let space = Span::new(self.joined.pieces.end(), self.at as u64);
        self.joined.spaces.push(space);
        Some(())
    }

    /// Takes the placeholder that begins with the `<` here.
    fn take_placeholder(&mut self) -> Option<()> {
        if !self.has_text || self.has_gap {
            return None;
        }
        let len = placeholder::name_in_angles(self.text, self.at)?;
        self.joined.push(self.at, self.at + len);
        self.kept += len;
        self.at += len;
        Some(())
    }

    /// Crosses the line break here.
    fn cross_line_break(&mut self, leader: &mut Leader<'_>) -> Option<()> {
        self.breaks += 1;
        let crossing = cross(self.text, self.at, leader, true)?;
        // Where only punctuation is left, the last of the marks before it closes the URL.
        let rest = self.text.line_from(crossing.at, MAX_PUNCTUATION);
        let is_closed =
            rest.len() < MAX_PUNCTUATION && rest.iter().all(|byte| b".,;:!?)".contains(byte));
        if self.breaks > MAX_BREAKS || crossing.ends || is_closed {
            return None;
        }
        if crossing.other_depth {
            leader.keep_marks(crossing.marks);
        }
        let mut next = crossing.at;
        if std::mem::take(&mut self.may_fold) {
            match fold(self.text, self.from, self.at, &crossing, true) {
                Some(folded) => {
                    self.joined.joins.set(Evidence::Fold);
                    next = folded;
                }
                None => self.joined.push(self.at - 1, self.at),
            }
        }
        self.joined.note_break(self.text, self.at, &crossing);
        (self.at, self.has_text, self.has_gap) = (next, false, false);
        Some(())
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | 0x09..=0x0D)
}
