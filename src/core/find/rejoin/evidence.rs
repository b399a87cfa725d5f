//! Decides whether a URL without a closing delimiter continues after a line break.
//!
//! First, the next line is rejected if it begins with something else: a field label, a list number,
//! a drawn rule, or what a veto is about. Then each piece of [`Evidence`] is tested in turn. A join
//! that rests only on the line ending in `/` has vetoes of its own, since most words after one are
//! not part of the URL.
//!
//! The numbers in comments (mends, breaks) are of thirteen lists and newsgroups of 1.5 GB that had
//! not been looked at before. The number of texts in `evidence/tests.rs` that are read wrongly
//! without a piece of evidence, or without a veto:
//!
//! | Evidence | Wrong without it |
//! |---|---|
//! | soft-break | 1 |
//! | hyphen | 2 |
//! | soft-hyphen | 2 |
//! | grammar | 2 |
//! | delimiter-first | 7 |
//! | rest of an extension | 1 |
//! | rest of a host | 1 |
//! | middle-of-word | 3 |
//! | hard wrap | 4 |
//! | double wrap | 1 |
//! | slash-to-slash | 1 |
//! | end-of-paragraph | 1 |
//! | delimiter-last | 2 |
//! | delimiter-first in a reply | 1 |
//! | middle-of-word in a reply | 2 |
//! | hyphen in a reply | 1 |
//!
//! | Veto | Wrong without it |
//! |---|---|
//! | a message about a file | 2 |
//! | a time or a date | 2 |
//! | a URL of its own | 1 |
//! | a setting below another | 2 |
//! | a request of roff | 1 |
//! | after a line number | 1 |
//! | after a revision | 1 |
//! | the end of a block of code | 1 |
//!
//! | Veto after `/` | Wrong without it |
//! |---|---|
//! | below a URL that stands alone | 1 |
//! | outside of the URL's column | 1 |
//! | before a gap | 1 |
//! | a dot and a word | 1 |
//! | an address | 1 |
//! | a phone number | 1 |
//! | initials | 1 |
//! | a host | 1 |
//! | the path of a file | 1 |
//! | two words | 1 |
//! | a percentage | 1 |
//! | a name with a number | 1 |

use std::borrow::Cow;
use std::ops::RangeInclusive;

use super::word::{
    begins_path, has_extension, has_extension_and_query, has_key, has_pair_or_escape, has_slashes,
    has_suffix, holds_url, host_len, is_address, is_drawn, is_extension, is_fragment, is_host,
    is_initials, is_label, is_number_of_item, is_odd, is_phone_number, is_prose, is_request,
    is_rooted, is_suffix, is_time, is_two_words,
};
use super::{Crossing, Leader, bytes_of, is_soft_hyphen, is_valid};
use crate::find::candidate::{Evidence, MAX_LINES};
use crate::find::options::{Finder, Rejoin};
use crate::find::witness::Seen;
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

/// The tests by name, in the order in which they are tried.
const TESTS: [(&str, Evidence, Test); 13] = [
    // Mends 1,939, breaks 0.
    ("soft-break", Evidence::SoftBreak, |lines, _| {
        lines.found.is_encoded
    }),
    ("hyphen", Evidence::Hyphen, |lines, _| {
        lines.last() == b'-' && !lines.url.ends_with(b"--")
    }),
    ("soft-hyphen", Evidence::SoftHyphen, |lines, _| {
        lines.ends_in_soft_hyphen()
    }),
    ("grammar", Evidence::Grammar, |lines, standard| {
        lines.grammar_asks_for_it(standard)
    }),
    ("delimiter-first", Evidence::DelimiterFirst, |lines, _| {
        lines.goes_on_with_delimiter()
    }),
    // Mends 33, breaks 0.
    (
        "rest of an extension",
        Evidence::MiddleOfWord,
        |lines, _| {
            lines.is_full() && lines.is_alone && lines.is_cut() && lines.completes_extension()
        },
    ),
    ("rest of a host", Evidence::MiddleOfWord, |lines, _| {
        lines.is_cut() && lines.completes_host()
    }),
    ("middle-of-word", Evidence::MiddleOfWord, |lines, _| {
        lines.is_full() && lines.is_cut() && lines.is_rest_of_word()
    }),
    // Mends 170, adds 5 wrong ones.
    ("hard wrap", Evidence::MiddleOfWord, |lines, _| {
        lines.is_cut() && lines.is_hard_wrapped()
    }),
    // Mends 13 of the 92 URLs that were not found, or not to their end.
    ("double wrap", Evidence::MiddleOfWord, |lines, _| {
        lines.is_cut() && lines.is_wrapped_twice()
    }),
    ("slash-to-slash", Evidence::SlashToSlash, |lines, _| {
        lines.goes_from_slash_to_slash()
    }),
    ("end-of-paragraph", Evidence::EndOfParagraph, |lines, _| {
        lines.ends_paragraph()
    }),
    ("delimiter-last", Evidence::DelimiterLast, |lines, _| {
        lines.ends_in_delimiter()
    }),
];

/// The evidence that holds where the next line has more or fewer quote marks. All but the first
/// mend 56 and add 8 wrong ones.
const IN_REPLIES: [(&str, Evidence, Test); 3] = [
    (
        "delimiter-first in a reply",
        Evidence::DelimiterFirst,
        |_, _| true,
    ),
    (
        "middle-of-word in a reply",
        Evidence::MiddleOfWord,
        |lines, _| lines.is_part() || lines.completes_extension(),
    ),
    ("hyphen in a reply", Evidence::Hyphen, |lines, _| {
        lines.is_part() && !lines.would_have_fitted()
    }),
];

/// A reason not to join, a function of the lines around the break.
type Veto = fn(&Lines<'_>) -> bool;

/// The reasons not to join a word, whatever the line before ends in. The numbers of joins that each
/// mends and breaks are those of thirteen lists that were not looked at before.
const VETOES: [(&str, Veto); 8] = [
    // Mends 33 (130 times), breaks 0.
    ("a message about a file", |lines| {
        lines.token[0] == b'/' && (lines.word.ends_with(b":") || lines.last() == b'#')
    }),
    // Mends 8, breaks 0.
    ("a time or a date", |lines| {
        !lines.is_alone && is_time(lines.token)
    }),
    // Mends 2, breaks 0.
    ("a URL of its own", |lines| holds_url(lines.token)),
    ("a setting below another", |lines| lines.is_setting()),
    ("a request of roff", |lines| is_request(lines.word)),
    ("after a line number", |lines| lines.follows_line_number()),
    ("after a revision", |lines| lines.follows_revision()),
    ("the end of a block of code", |lines| {
        matches!(lines.word, b"endif" | b"else" | b"fi") || lines.word.starts_with(b"./")
    }),
];

/// The reasons not to join a word that follows a `/` at the end of a line.
const VETOES_AFTER_SLASH: [(&str, Veto); 12] = [
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
    // Mends 6 (1,799 times), breaks 0.
    ("two words", |lines| {
        !lines.is_alone && is_two_words(lines.token)
    }),
    ("a percentage", |lines| lines.word.ends_with(b"%")),
    ("a name with a number", |lines| lines.is_name_with_number()),
];

/// The minimum width of a paragraph, in columns: that of RFCs.
const WIDTH: usize = 72;
/// The minimum width of a line that was broken in the middle of a word, in columns.
const FULL: usize = 60;
/// The widths at which mail and news programs cut off lines, in columns.
const HARD_WRAPS: RangeInclusive<usize> = 70..=80;
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
    /// Whether the line ends in a soft line break.
    pub(crate) is_encoded: bool,
    /// How many lines the URL has before this one.
    pub(crate) lines: usize,
    /// Where the URL would end if it continued, without trailing punctuation.
    pub(crate) end: usize,
    /// Whether the line ends in a dot, which usually ends the sentence.
    pub(crate) ends_in_dot: bool,
}

/// Decides whether the URL continues on the next line.
pub(crate) fn evidence(text: &Text<'_>, finder: &Finder, found: &Break<'_>) -> Verdict {
    if finder.rejoin == Rejoin::Never || found.crossing.ends {
        return Verdict::End;
    }
    let lines = Lines::new(text, found);
    if found.ends_in_dot {
        let goes_on =
            !lines.token.is_empty() && lines.goes_on_after_dot() && !lines.begins_otherwise();
        return match goes_on && finder.rejoin >= Rejoin::Likely {
            true => Verdict::Join(Evidence::MiddleOfWord),
            false => Verdict::End,
        };
    }
    let is_cut_off = found.lines > MAX_LINES && !lines.is_full();
    if is_cut_off || lines.token.is_empty() || (!found.is_encoded && lines.begins_otherwise()) {
        return Verdict::End;
    }
    let evidence = lines.evidence(finder);
    match finder.seen(&lines.url, lines.token) {
        // Whoever can add a document can add a witness, so that one is not enough against the text here.
        Seen::Long { several } if several || !lines.may_be_prose() => {
            return Verdict::Join(Evidence::Witness);
        }
        Seen::Short { several } if several && !evidence.is_some_and(Evidence::is_certain) => {
            return Verdict::End;
        }
        _ => {}
    }
    match evidence {
        Some(Evidence::DelimiterLast) if lines.would_have_fitted() && !lines.names_file() => {
            Verdict::Perhaps
        }
        Some(evidence) if evidence.is_certain() || finder.rejoin >= Rejoin::Likely => {
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
        let rest = text.skip(next, |byte| b">)].,;:!?\"' \t".contains(&byte));
        Lines {
            text,
            found,
            url: bytes_of(text.bytes, found.pieces),
            line: line_start(text, found.at),
            token: &text.bytes[start..found.end],
            word: &text.bytes[start..word_end],
            gap: next - word_end,
            is_alone: matches!(text.at(rest), None | Some(b'\n' | b'\r')),
        }
    }

    /// Returns whether the next line may go on with words rather than with the URL: the URL is complete, and
    /// nothing is in the next word but letters.
    fn may_be_prose(&self) -> bool {
        if b"-=&?_%+#".contains(&self.last()) {
            return false;
        }
        let last = (self.word.iter()).rposition(|byte| !b".,;:!?\"')".contains(byte));
        let word = &self.word[..last.map_or(0, |last| last + 1)];
        word.iter()
            .all(|byte| byte.is_ascii_alphabetic() || *byte >= 0x80 || *byte == b'\'')
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
        let first = self.token[0];
        let is_bullet = self.word.len() == 1 && !first.is_ascii_digit() && !self.is_alone;
        !(first.is_ascii_alphanumeric() || b"/.-_%?&=#+~".contains(&first))
            || !self.token.iter().any(u8::is_ascii_alphanumeric)
            || is_label(self.word)
            || is_number_of_item(self.word)
            || is_drawn(self.word)
            || is_bullet
            || self.is_line_of_diff()
            || self.is_row()
            || is_any(&VETOES, self)
    }

    /// Returns whether both lines begin with the sign of a diff line, perhaps in a quote.
    fn is_line_of_diff(&self) -> bool {
        let is_sign = |byte: u8| byte == b'+' || byte == b'-';
        let crossing = self.found.crossing;
        !crossing.indented && is_sign(self.token[0]) && {
            let mut before = self.before().iter().copied();
            before
                .find(|&byte| !is_quote_mark(byte))
                .is_some_and(is_sign)
        }
    }

    /// Returns whether the next line is a table row, and the next word a cell of it.
    fn is_row(&self) -> bool {
        let next = self.found.crossing.at + self.word.len() + self.gap;
        self.gap > 0 && self.text.at(next) == Some(b'|')
    }

    fn evidence(&self, finder: &Finder) -> Option<Evidence> {
        let crossing = self.found.crossing;
        // A reply may be wrapped without repeating its quote marks, or quoted once more.
        let is_rest = crossing.other_depth && self.is_alone;
        // A comment continues after a full line; after a shorter one, the next list item begins. In source
        // code the signs are those of comments, and no item begins with a delimiter.
        let may_be_item = crossing.has_comment
            && self.found.leader.may_be_bullet()
            && !finder.code
            && !b"?&=_/".contains(&self.token[0]);
        if (crossing.other_leader && !is_rest)
            || (may_be_item && (is_prose(self.token) || self.would_have_fitted()))
        {
            return None;
        }
        let holds = |(_, _, test): &&(&str, Evidence, Test)| test(self, finder.standard);
        let in_use = |(name, ..): &&(&str, Evidence, Test)| !is_left_out(name);
        let reaches = |evidence: Evidence| {
            let mut rows = IN_REPLIES.iter().filter(in_use);
            !crossing.other_leader || rows.any(|row| row.1 == evidence && holds(&row))
        };
        let mut tests = TESTS.iter().filter(in_use);
        let (_, evidence, _) = tests.find(|row| reaches(row.1) && holds(row))?;
        Some(*evidence)
    }

    /// Returns whether the next word has what URLs consist of, and words do not.
    fn is_part(&self) -> bool {
        self.token
            .iter()
            .any(|byte| b"/%=&_0123456789".contains(byte))
    }

    fn ends_in_soft_hyphen(&self) -> bool {
        let end = self.found.pieces.end() as usize;
        let trail = self.text.bytes.get(end..self.found.at);
        is_soft_hyphen(split_blanks_at_end(trail.unwrap_or_default()).0)
    }

    /// Returns the host of the URL so far, if it has no path.
    fn host(&self) -> Option<&[u8]> {
        let colon = memchr::memmem::find(&self.url, b"://")?;
        let host = &self.url[colon + "://".len()..];
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"-.".contains(byte);
        (!host.is_empty() && host.iter().all(is_part)).then_some(host)
    }

    /// Returns whether the URL is a scheme and one label, and the next word makes it a host.
    fn completes_host(&self) -> bool {
        let (name, rest) = self.token.split_at(host_len(self.token));
        let is_label = |host: &&[u8]| !host.iter().any(|byte| b".-".contains(byte));
        let is_begun = |host: &[u8]| host != b"localhost";
        self.host().filter(is_label).is_some_and(is_begun)
            && has_suffix(name)
            && (begins_path(rest) || (rest.is_empty() && self.is_alone))
    }

    /// Returns whether the URL goes on after the dot that ends its line: the next word completes a host, the
    /// number of a document or the name of a file, or it is a host in a path.
    fn goes_on_after_dot(&self) -> bool {
        let (name, rest) = self.token.split_at(host_len(self.token));
        let Some(first) = name.first().filter(|byte| byte.is_ascii_alphanumeric()) else {
            return false;
        };
        let before = self.url.strip_suffix(b".").unwrap_or(&self.url);
        let (has_dot, is_lower) = (
            name.contains(&b'.'),
            !name.iter().any(u8::is_ascii_uppercase),
        );
        let is_host = has_dot && has_suffix(name);
        if let Some(host) = self.host() {
            let is_whole = has_suffix(host.strip_suffix(b".").unwrap_or(host));
            let is_suffix = !has_dot && is_lower && begins_path(rest) && is_suffix(name);
            // On a shorter line the sentence may go on, as in "in/out".
            return (is_suffix && (!is_whole || self.is_full())) || (is_host && !is_whole);
        }
        let is_doi = memchr::memmem::find(before, b"doi.org/10").is_some();
        if is_doi && before.last().is_some_and(u8::is_ascii_digit) && first.is_ascii_digit() {
            return true;
        }
        let ends = rest.is_empty() && self.is_alone && name.len() > 1;
        let is_file = is_lower && is_extension(name) && !has_extension(before);
        (is_file && (ends || matches!(rest, [b'?' | b'#' | b'/', _, ..])))
            || (is_host && begins_path(rest) && self.is_full())
    }

    /// Returns whether one of `signs` and then `range` bytes of which `test` holds end the URL.
    fn ends_in(
        &self,
        signs: &[&[u8]],
        range: RangeInclusive<usize>,
        test: fn(&u8) -> bool,
    ) -> bool {
        let len = self.url.iter().rev().take_while(|byte| test(byte)).count();
        let before = &self.url[..self.url.len() - len];
        range.contains(&len) && signs.iter().any(|sign| before.ends_with(sign))
    }

    /// Returns whether the URL ends in the number of a line, after which only more of it follows.
    fn follows_line_number(&self) -> bool {
        let goes_on = self.token[0].is_ascii_digit() || self.token.starts_with(b"-L");
        !goes_on && self.ends_in(&[b"#L", b"%23L", b"#n"], 1..=9, u8::is_ascii_digit)
    }

    /// Returns whether the URL ends in a whole revision of a repository.
    fn follows_revision(&self) -> bool {
        !self.token.iter().all(u8::is_ascii_hexdigit)
            && self.ends_in(
                &[b".git/", b"/log/", b"/llvm-project/"],
                8..=40,
                u8::is_ascii_hexdigit,
            )
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
            b'?' => (rest.first() == Some(&b'?') && rest.get(1) != Some(&b'?')) || has_key(rest),
            b'&' => has_key(rest),
            b'=' => self.ends_in_key() && is_at_edge,
            b'_' => rest.iter().any(|byte| b"./%".contains(byte)) && is_at_edge,
            b'.' => {
                let is_rest = self.is_alone && is_extension(rest) && !self.has_extension();
                is_rest || has_extension_and_query(rest)
            }
            b'/' => self.goes_on_with_path(rest) && is_at_edge,
            // In a comment no option follows.
            b'-' => {
                let is_path =
                    rest.first().is_some_and(u8::is_ascii_alphanumeric) && rest.contains(&b'/');
                is_path && self.is_alone && self.found.crossing.has_comment && !self.has_extension()
            }
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

    /// Returns whether the URL may have been cut off at the end of its line, rather than at a
    /// delimiter.
    fn is_cut(&self) -> bool {
        self.found.pieces.end() as usize == self.found.at
            && (has_slashes(&self.url) || self.is_message())
            && self.token[0] != b'/'
            && (self.last() != b'/' || !self.is_vetoed())
            && !self.is_address()
            && !self.token.starts_with(b"--")
            && !self.token.starts_with(b"HTTP/1")
    }

    /// Returns whether the URL is the address of a news message: of 9 that were broken, 8 go on.
    fn is_message(&self) -> bool {
        self.url.starts_with(b"news:") && self.url.contains(&b'@')
    }

    /// Returns whether the next word can only be the rest of one.
    fn is_rest_of_word(&self) -> bool {
        let has_mark = || self.token.iter().any(|byte| b"/=&%?+".contains(byte));
        let is_host = || self.is_message() && self.token.contains(&b'.');
        let is_file = || has_extension(self.token);
        let is_rest = || has_mark() || is_file() || self.goes_on_with_digits() || is_host();
        !self.has_extension() && (self.is_alone && is_rest() || has_pair_or_escape(self.token))
    }

    /// Returns whether software cut off the line, which has nothing but the URL, at the width of
    /// the text, and the next word is no word of a language. With a plain word, the width must be
    /// that of a program.
    fn is_hard_wrapped(&self) -> bool {
        let is_lone = self
            .before()
            .iter()
            .all(|&byte| is_quote_mark(byte) || b"<(".contains(&byte));
        is_lone
            && self.is_alone
            && self.last() != b'/'
            && !self.has_extension()
            && !is_host(self.token)
            && (is_odd(self.token) && self.fills(HARD_WRAPS)
                || is_fragment(self.token) && self.fills(76..=80))
    }

    /// Returns whether all of this line is a short rest of the full line before, which was wrapped
    /// again, and the next word is no word of a language.
    fn is_wrapped_twice(&self) -> bool {
        const MAX_REST: u64 = 12;
        let pieces = &self.found.pieces;
        let pairs = pieces.iter().zip(pieces.iter().skip(1));
        let is_rest = pairs.last().is_some_and(|(before, last)| {
            let end = before.end as usize;
            last.len() <= MAX_REST && end - line_start(self.text, end) >= *HARD_WRAPS.start()
        });
        is_rest
            && self.is_alone
            && !self.has_extension()
            && (is_odd(self.token) || self.completes_extension())
    }

    /// Returns whether no line around is wider than this one, and its width is one of `widths`, or
    /// the width of the text.
    fn fills(&self, widths: RangeInclusive<usize>) -> bool {
        let used = self.used();
        let depth = |line: &[u8]| {
            line.iter()
                .take_while(|&&byte| is_quote_mark(byte))
                .filter(|&&byte| byte == b'>')
                .count()
        };
        let own = depth(self.before());
        let (mut count, mut widest) = (0, 0);
        each_line_around(self.text, self.line, self.found.crossing.line, 12, |line| {
            let line = line.trim_ascii_end();
            if depth(line) == own && line.contains(&b' ') {
                (count, widest) = (count + 1, widest.max(line.len()));
            }
            true
        });
        let is_width = count >= 3 && used >= FULL && used - widest.min(used) <= 4;
        widest <= used && (widths.contains(&used) || is_width)
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
        is_any(&VETOES_AFTER_SLASH, self)
    }

    /// Returns whether the next word is an email address, and not the rest of a number and more.
    fn is_address(&self) -> bool {
        let is_number = self.last().is_ascii_digit() && self.token[0].is_ascii_digit();
        is_address(self.token) && !is_number
    }

    /// Returns whether the next line is one word, the name of a file. It belongs to the URL even
    /// if it would have fitted: mends 17, breaks 0.
    fn names_file(&self) -> bool {
        let mut parts = self.token.split(|byte| b"?#".contains(byte));
        self.is_alone && parts.next().is_some_and(has_extension)
    }

    /// Returns whether another column, rather than the next sentence, follows the next word.
    fn precedes_gap(&self) -> bool {
        let ends_sentence = self.word.len() > self.token.len();
        self.gap >= 2 && !self.is_alone && !ends_sentence && !has_extension(self.token)
    }

    /// Returns whether the URL is alone on its line, and the next line is indented less.
    fn is_below_lone_url(&self) -> bool {
        let before = self.before();
        let is_lone = before.iter().all(|&byte| is_quote_mark(byte));
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

    /// Returns whether the next word begins with the rest of a file extension.
    fn completes_extension(&self) -> bool {
        let tail = &self.url[self.url.len().saturating_sub(8)..];
        let dot = memchr::memrchr(b'.', tail).filter(|_| self.token[0].is_ascii_alphanumeric());
        dot.is_some_and(|dot| {
            let extension = [&tail[dot + 1..], self.token].concat();
            let first = extension.split(|byte| !byte.is_ascii_alphanumeric()).next();
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
    fn is_setting(&self) -> bool {
        let before = self.before();
        let marks = before.iter().take_while(|&&byte| is_quote_mark(byte));
        let is_key =
            |text: &[u8]| text.first().is_some_and(u8::is_ascii_alphabetic) && has_key(text);
        is_key(self.token) && is_key(&before[marks.count()..])
    }

    /// Returns whether the first word of the next line would have fitted on the line before the
    /// break.
    fn would_have_fitted(&self) -> bool {
        let width = paragraph_width(self.text, self.line, self.found.crossing.line);
        self.used() + self.word.len() <= width
    }
}

/// Returns where the line of `at` begins, looking back a limited distance.
pub(super) fn line_start(text: &Text<'_>, at: usize) -> usize {
    let floor = at.saturating_sub(NEIGHBOURHOOD);
    let before = &text.bytes[floor..at];
    floor + memchr::memrchr2(b'\n', b'\r', before).map_or(0, |at| at + 1)
}

/// Returns the length of the longest line around the break, but at least the width of an RFC.
fn paragraph_width(text: &Text<'_>, line: usize, next_line: usize) -> usize {
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
fn each_line_around(
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

/// Returns whether one of `vetoes` speaks against joining the lines.
fn is_any(vetoes: &[(&str, Veto)], lines: &Lines<'_>) -> bool {
    let mut vetoes = vetoes.iter().filter(|(name, _)| !is_left_out(name));
    vetoes.any(|(_, speaks_against)| speaks_against(lines))
}

/// Returns whether `byte` may be part of the quote marks at the start of a line.
fn is_quote_mark(byte: u8) -> bool {
    is_blank(byte) || matches!(byte, b'>' | b'|')
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
