//! Decides whether a URL without a closing delimiter continues after a line break.
//!
//! First, the next line is rejected if it begins with something else: a field label, a list number,
//! a drawn rule. Then each piece of [`Evidence`] is tested in turn. A join that rests only on the
//! line ending in `/` can be vetoed, since most words after one are not part of the URL.
//!
//! The number of texts in `evidence/tests.rs` that are read wrongly without a piece of evidence, or
//! without a veto:
//!
//! | Evidence | Wrong without it |
//! |---|---|
//! | hyphen | 1 |
//! | soft-hyphen | 1 |
//! | grammar | 2 |
//! | delimiter-first | 4 |
//! | middle-of-word | 4 |
//! | slash-to-slash | 1 |
//! | end-of-paragraph | 1 |
//! | delimiter-last | 1 |
//!
//! | Veto | Wrong without it |
//! |---|---|
//! | a dot and a word | 1 |
//! | a host | 1 |
//! | a name with a number | 1 |
//! | a percentage | 1 |
//! | a phone number | 1 |
//! | an address | 1 |
//! | before a gap | 1 |
//! | below a URL that stands alone | 1 |
//! | initials | 1 |
//! | outside of the URL's column | 1 |
//! | the path of a file | 1 |

use std::borrow::Cow;

use super::word::{
    has_extension, has_key, has_slashes, is_address, is_drawn, is_extension, is_host, is_initials,
    is_label, is_number_of_item, is_phone_number, is_prose, is_rooted,
};
use super::{Crossing, Leader, bytes_of, is_valid};
use crate::find::candidate::Evidence;
use crate::find::options::{Finder, Rejoin};
use crate::find::scan::SOFT_HYPHEN;
use crate::standard::Standard;
use crate::text::span::{Span, Spans};
use crate::text::window::{Text, is_blank, split_blanks_at_end};

/// What to do at a line break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The URL goes on.
    Join(Evidence),
    /// It may go on, but the evidence is not sufficient.
    Perhaps,
    /// It ends.
    End,
}

/// The test for a piece of evidence, a function of the lines around the break.
type Test = fn(&Lines<'_>, Standard) -> bool;

/// The tests, in the order in which they are tried.
const TESTS: [(Evidence, Test); 8] = [
    (Evidence::Hyphen, |lines, _| lines.last() == b'-'),
    (Evidence::SoftHyphen, |lines, _| lines.ends_in_soft_hyphen()),
    (Evidence::Grammar, |lines, standard| {
        lines.grammar_asks_for_it(standard)
    }),
    (Evidence::DelimiterFirst, |lines, _| {
        lines.goes_on_with_delimiter()
    }),
    (Evidence::MiddleOfWord, |lines, _| lines.is_middle_of_word()),
    (Evidence::SlashToSlash, |lines, _| {
        lines.goes_from_slash_to_slash()
    }),
    (Evidence::EndOfParagraph, |lines, _| lines.ends_paragraph()),
    (Evidence::DelimiterLast, |lines, _| {
        lines.ends_in_delimiter()
    }),
];

/// A reason not to join, a function of the lines around the break.
type Veto = fn(&Lines<'_>) -> bool;

/// The reasons not to join a word that follows a `/` at the end of a line.
const VETOES: [(&str, Veto); 11] = [
    ("below a URL that stands alone", |lines| {
        lines.is_below_lone_url()
    }),
    ("outside of the URL's column", |lines| {
        lines.is_outside_of_column()
    }),
    ("before a gap", |lines| lines.precedes_gap()),
    ("a dot and a word", |lines| {
        lines.token[0] == b'.' && !lines.is_alone
    }),
    ("an address", |lines| is_address(lines.token)),
    ("a phone number", |lines| is_phone_number(lines.token)),
    ("initials", |lines| is_initials(lines.word)),
    ("a host", |lines| is_host(lines.token)),
    ("the path of a file", |lines| is_rooted(lines.token)),
    ("a percentage", |lines| lines.word.ends_with(b"%")),
    ("a name with a number", |lines| lines.is_name_with_number()),
];

/// The minimum width of a paragraph, in columns: that of RFCs.
const WIDTH: usize = 72;
/// The minimum width of a line that was broken in the middle of a word, in columns.
const FULL: usize = 60;
/// How much of the paragraph to look at on either side of the break, in bytes.
const NEIGHBOURHOOD: usize = 1024;

/// A line break, and the URL before it.
pub(crate) struct Break<'a> {
    /// The URL so far, which reaches to the end of the line, except for trailing blanks.
    pub(crate) pieces: &'a Spans,
    /// The offset of the line break.
    pub(crate) at: usize,
    pub(crate) crossing: &'a Crossing,
    pub(crate) leader: &'a Leader<'a>,
    /// Where the URL would end if it continued, without trailing punctuation.
    pub(crate) end: usize,
}

/// Decides whether the URL continues on the next line.
pub(crate) fn evidence(text: &Text<'_>, finder: &Finder, found: &Break<'_>) -> Verdict {
    if finder.rejoin == Rejoin::Never || found.crossing.ends {
        return Verdict::End;
    }
    let lines = Lines::new(text, found);
    if lines.begins_otherwise() {
        return Verdict::End;
    }
    match lines.evidence(finder.standard) {
        Some(Evidence::DelimiterLast) if lines.would_have_fitted() => Verdict::Perhaps,
        Some(evidence) if evidence.is_certain() || finder.rejoin == Rejoin::Likely => {
            Verdict::Join(evidence)
        }
        Some(_) => Verdict::Perhaps,
        None => Verdict::End,
    }
}

/// Returns whether `next`, which a closing delimiter follows, may be the rest of `url` on the next
/// line, rather than a word of its own: the line is broken at a delimiter of URLs, or the rest
/// looks like part of one.
pub(crate) fn goes_on(url: &[u8], next: &[u8]) -> bool {
    let is_at = |byte: Option<&u8>, set: &[u8]| byte.is_some_and(|byte| set.contains(byte));
    let is_part = || {
        let has_delimiter = next.iter().any(|byte| b"/=&%?+_".contains(byte));
        has_delimiter || has_extension(next) || next.iter().all(u8::is_ascii_digit)
    };
    is_at(url.last(), b"-/=&?_%.~+#:")
        || is_at(next.first(), b"/?&=;.%#_+-~,:")
        || (has_slashes(url) && !is_address(next) && is_part())
}

/// The line that the URL ends on, and the next line.
struct Lines<'a> {
    text: &'a Text<'a>,
    found: &'a Break<'a>,
    /// The URL so far.
    url: Cow<'a, [u8]>,
    /// Where the line begins.
    line: usize,
    /// What would be added to the URL.
    token: &'a [u8],
    /// The token with trailing punctuation, up to the next white space.
    word: &'a [u8],
    /// The number of blanks after the word.
    gap: usize,
    /// Whether nothing follows the word on its line.
    is_alone: bool,
}

impl<'a> Lines<'a> {
    fn new(text: &'a Text<'a>, found: &'a Break<'a>) -> Self {
        let start = found.crossing.at;
        let word_end = text.skip(start, |byte| byte > b' ');
        let next = text.skip(word_end, is_blank);
        Lines {
            text,
            found,
            url: bytes_of(text.bytes, found.pieces),
            line: line_start(text, found.at),
            token: &text.bytes[start..found.end],
            word: &text.bytes[start..word_end],
            gap: next - word_end,
            is_alone: matches!(text.at(next), None | Some(b'\n' | b'\r')),
        }
    }

    fn last(&self) -> u8 {
        self.url.last().copied().unwrap_or_default()
    }

    /// Returns the number of columns that the line uses up to the end of the URL.
    fn used(&self) -> usize {
        self.found.pieces.end() as usize - self.line
    }

    /// Returns where the URL, or its last piece, begins.
    fn start(&self) -> usize {
        let last = self.found.pieces.iter().last();
        last.map_or(self.line, |piece| piece.start as usize)
    }

    /// Returns what precedes the URL on its line.
    fn before(&self) -> &'a [u8] {
        self.text
            .bytes
            .get(self.line..self.start())
            .unwrap_or_default()
    }

    /// Returns whether the next line begins with something that is not part of this URL: a field
    /// label, the bullet or number of a list item, a drawn rule, or a character that URLs do not
    /// contain.
    fn begins_otherwise(&self) -> bool {
        let Some(first) = self.token.first() else {
            return true;
        };
        let bullet = self.word.len() == 1 && !first.is_ascii_digit();
        !(first.is_ascii_alphanumeric() || b"/.-_%?&=#+~".contains(first))
            || !self.token.iter().any(u8::is_ascii_alphanumeric)
            || is_label(self.word)
            || is_number_of_item(self.word)
            || is_drawn(self.word)
            || bullet
            || self.is_line_of_diff()
            || self.is_row()
    }

    /// Returns whether both lines begin with the sign of a diff line.
    fn is_line_of_diff(&self) -> bool {
        let is_sign = |byte: Option<&u8>| matches!(byte, Some(b'+' | b'-'));
        self.column() == 0 && is_sign(self.token.first()) && is_sign(self.text.bytes.get(self.line))
    }

    /// Returns whether the next line is a table row, and the next word a cell of it.
    fn is_row(&self) -> bool {
        let next = self.found.crossing.at + self.word.len() + self.gap;
        self.gap > 0 && self.text.at(next) == Some(b'|')
    }

    fn evidence(&self, standard: Standard) -> Option<Evidence> {
        let crossing = self.found.crossing;
        // A reply may be wrapped without repeating its quote marks.
        let is_rest = crossing.is_shallower && self.is_alone;
        // A comment continues after a full line; after a shorter one, the next list item begins.
        let may_be_item = crossing.has_comment && self.found.leader.may_be_bullet();
        if (crossing.other_leader && !is_rest)
            || (may_be_item && (is_prose(self.token) || self.would_have_fitted()))
        {
            return None;
        }
        let mut tests = TESTS
            .iter()
            .filter(|(evidence, _)| !is_left_out(evidence.name()));
        let (evidence, _) = tests.find(|(evidence, test)| {
            (!crossing.other_leader || evidence.reaches_into_reply()) && test(self, standard)
        })?;
        Some(*evidence)
    }

    fn ends_in_soft_hyphen(&self) -> bool {
        let end = self.found.pieces.end() as usize;
        self.text.has(end, SOFT_HYPHEN.as_bytes())
    }

    /// Returns whether the part before the break is invalid, and the joined reading valid. As any
    /// word makes a valid host, what follows `http://` must also look like one.
    fn grammar_asks_for_it(&self, standard: Standard) -> bool {
        if self.url.ends_with(b"//") && is_prose(self.token) {
            return false;
        }
        let is_valid = |pieces: &Spans| is_valid(standard, self.text.bytes, pieces);
        if is_valid(self.found.pieces) {
            return false;
        }
        let mut joined = self.found.pieces.clone();
        let next = (self.found.crossing.at as u64, self.found.end as u64);
        joined.push(Span::new(next.0, next.1));
        is_valid(&joined)
    }

    /// Returns whether the line ends in a delimiter, and nothing [speaks against](Self::is_vetoed)
    /// the next word.
    fn ends_in_delimiter(&self) -> bool {
        matches!(self.last(), b'/' | b'=' | b'&' | b'?' | b'_' | b'%')
            && !self.found.crossing.other_leader
            && !is_prose(self.token)
            && (self.last() != b'/' || !self.is_vetoed())
    }

    /// Returns whether the next word begins with something that can only continue a URL: `?k=`,
    /// `&k=`, `??`, the `=` of a key without a value, `_` with `.`, `/` or `%` later in the word, a
    /// file extension, or `/` and a path.
    fn goes_on_with_delimiter(&self) -> bool {
        let (rest, is_at_edge) = (&self.token[1..], self.is_alone || self.is_full());
        match self.token[0] {
            b'?' => rest.first() == Some(&b'?') || has_key(rest),
            b'&' => has_key(rest),
            b'=' => self.ends_in_key() && is_at_edge,
            b'_' => rest.iter().any(|byte| b"./%".contains(byte)) && is_at_edge,
            b'.' => self.is_alone && is_extension(rest) && !self.has_extension(),
            b'/' => self.goes_on_with_path(rest) && is_at_edge,
            _ => false,
        }
    }

    /// Returns whether `rest`, which follows a `/`, is the rest of the URL's path: it has a dot, a
    /// digit or a second segment, or it is all there is on its line, and the line before is full.
    fn goes_on_with_path(&self, rest: &[u8]) -> bool {
        let is_more = rest.iter().any(|byte| b"./0123456789".contains(byte));
        let is_rest = self.is_alone && self.is_full();
        self.last() != b'/'
            && rest.first().is_some_and(u8::is_ascii_alphanumeric)
            && (is_more || is_rest)
            && !is_rooted(self.token)
            && (self.is_full() || !self.is_below_lone_url())
    }

    fn is_full(&self) -> bool {
        self.used() >= FULL
    }

    /// Returns whether the URL was cut off at the end of a full line, and the next line is the rest
    /// of the word.
    fn is_middle_of_word(&self) -> bool {
        let is_cut = self.is_full()
            && self.found.pieces.end() as usize == self.found.at
            && self.is_alone
            && has_slashes(&self.url);
        is_cut
            && self.token[0] != b'/'
            && !self.has_extension()
            && (self.last() != b'/' || !self.is_vetoed())
            && !is_address(self.token)
            && !self.token.starts_with(b"--")
            && !self.token.starts_with(b"HTTP/1")
            && !self.begins_as_own_key()
            && (self.token.iter().any(|byte| b"/=&%?+".contains(byte))
                || self.completes_extension()
                || self.goes_on_with_digits())
    }

    /// Returns whether the URL and the next word both end in `/`.
    fn goes_from_slash_to_slash(&self) -> bool {
        self.last() == b'/'
            && self.token.ends_with(b"/")
            && self.is_alone
            && self.token[0].is_ascii_alphanumeric()
            && !self.token.windows(2).any(|pair| pair == b"./")
            && !self.is_below_lone_url()
    }

    /// Returns whether the last word of a paragraph would not have fitted on the line before, which
    /// contains words and ends in `/`.
    fn ends_paragraph(&self) -> bool {
        let is_word = |byte: &u8| byte.is_ascii_lowercase() || *byte == b'-';
        self.last() == b'/'
            && self.is_alone
            && self.is_full()
            && self.token.len() == self.word.len()
            && self.token.iter().all(is_word)
            && self.before().iter().any(u8::is_ascii_alphabetic)
            && self.is_last_line()
            && !self.would_have_fitted()
    }

    /// Returns whether a blank line follows the next line.
    fn is_last_line(&self) -> bool {
        let end = self.text.line_end(self.found.crossing.at);
        match self.text.after_break(end) {
            Some(line) => {
                let start = self.text.skip(line, is_blank);
                matches!(self.text.at(start), None | Some(b'\n' | b'\r'))
            }
            None => true,
        }
    }

    /// Returns whether there is a reason not to join the next word after a `/`.
    fn is_vetoed(&self) -> bool {
        let mut vetoes = VETOES.iter().filter(|(name, _)| !is_left_out(name));
        vetoes.any(|(_, speaks_against)| speaks_against(self))
    }

    /// Returns whether another column, rather than the next sentence, follows the next word.
    fn precedes_gap(&self) -> bool {
        let ends_sentence = self.word.len() > self.token.len();
        self.gap >= 2 && !self.is_alone && !ends_sentence && !has_extension(self.token)
    }

    /// Returns whether the URL is alone on its line, and the next line is indented less.
    fn is_below_lone_url(&self) -> bool {
        let before = self.before();
        let is_lone = before
            .iter()
            .all(|&byte| is_blank(byte) || matches!(byte, b'>' | b'|'));
        is_lone && self.indentation() < split_blanks_at_end(before).1.len()
    }

    /// Returns the column of the next word, from 0.
    fn column(&self) -> usize {
        self.found.crossing.at - self.found.crossing.line
    }

    /// Returns the number of blanks before the next word.
    fn indentation(&self) -> usize {
        let crossing = self.found.crossing;
        let (_, blanks) = split_blanks_at_end(&self.text.bytes[crossing.line..crossing.at]);
        blanks.len()
    }

    /// Returns whether the URL is in a column of its own, and the next word is not.
    fn is_outside_of_column(&self) -> bool {
        let before = self.before();
        let (text, gap) = split_blanks_at_end(before);
        let is_gap = gap.len() >= 3 || gap.contains(&b'\t');
        let is_after_text = text.iter().any(|&byte| !is_blank(byte));
        is_gap && is_after_text && !text.ends_with(b":") && self.column() < before.len()
    }

    /// Returns whether the next word ends in a short number, or is a house number, on a line of
    /// words: `dec96 issue`, `12 Main Street`.
    fn is_name_with_number(&self) -> bool {
        let digits = self
            .token
            .iter()
            .rev()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        let letters = self.token[..self.token.len() - digits]
            .iter()
            .all(u8::is_ascii_alphabetic);
        !self.is_alone && self.word.len() == self.token.len() && letters && digits <= 3
    }

    /// Returns whether the query ends in a key without a value.
    fn ends_in_key(&self) -> bool {
        let Some(query) = memchr::memrchr(b'?', &self.url) else {
            return false;
        };
        let pair = self.url[query + 1..]
            .rsplit(|byte| matches!(byte, b'&' | b';'))
            .next();
        pair.is_some_and(|pair| !pair.is_empty() && !pair.contains(&b'='))
    }

    /// Returns whether the URL ends in a file name with an extension.
    fn has_extension(&self) -> bool {
        has_extension(&self.url)
    }

    /// Returns whether the next word ends in a file extension, or is the rest of one.
    fn completes_extension(&self) -> bool {
        if has_extension(self.token) {
            return true;
        }
        let tail = &self.url[self.url.len().saturating_sub(8)..];
        memchr::memrchr(b'.', tail).is_some_and(|dot| {
            let extension = [&tail[dot + 1..], self.token].concat();
            let first = extension.split(|&byte| byte == b'.').next();
            first.is_some_and(is_extension)
        })
    }

    /// Returns whether a decimal or hexadecimal number continues.
    fn goes_on_with_digits(&self) -> bool {
        let is_number = |test: fn(&u8) -> bool| self.token.iter().all(test) && test(&self.last());
        let digits = self
            .token
            .iter()
            .filter(|byte| byte.is_ascii_digit())
            .count();
        is_number(u8::is_ascii_digit)
            || (is_number(u8::is_ascii_hexdigit)
                && digits * 4 >= self.token.len()
                && self.token.len() > 2)
    }

    /// Returns whether the line begins with `key=`, and the next one does, too.
    fn begins_as_own_key(&self) -> bool {
        let key = |line: &[u8]| {
            let name = line
                .iter()
                .take_while(|&&byte| byte.is_ascii_uppercase() || byte == b'_');
            let len = name.count();
            len > 1 && line.get(len) == Some(&b'=')
        };
        key(self.token) && key(&self.text.bytes[self.line..])
    }

    /// Returns whether the first word of the next line would have fitted on the line before the
    /// break.
    fn would_have_fitted(&self) -> bool {
        let width = paragraph_width(self.text, self.line, self.found.crossing.line);
        self.used() + self.word.len() <= width
    }
}

/// Returns where the line of `at` begins, looking back a limited distance.
fn line_start(text: &Text<'_>, at: usize) -> usize {
    let floor = at.saturating_sub(NEIGHBOURHOOD);
    let before = &text.bytes[floor..at];
    floor + memchr::memrchr2(b'\n', b'\r', before).map_or(0, |at| at + 1)
}

/// Returns the length of the longest line around the break, but at least the width of an RFC.
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

/// Returns whether a test has left out the evidence or veto of this name.
#[cfg(not(test))]
fn is_left_out(_: &str) -> bool {
    false
}

#[cfg(test)]
use tests::is_left_out;

#[cfg(test)]
mod tests;
