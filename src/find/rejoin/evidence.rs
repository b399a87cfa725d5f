//! Decides whether a URL without a closing delimiter continues after a line break.
//!
//! First, the next line is rejected if it begins with something else: a field label, a list number,
//! a drawn rule, or the subject of a veto. Then each piece of [`Evidence`] is tested in turn. A
//! join that rests only on the line ending in `/` has vetoes of its own, since most words after one
//! are not part of the URL.
//!
//! The numbers in comments (mends, breaks) are from thirteen lists and newsgroups of 1.5 GB that
//! had not been looked at before. The number of texts in `evidence/texts.txt` that are read wrongly
//! without a piece of evidence, or without a veto:
//!
//! | Evidence | Wrong without it |
//! |---|---|
//! | soft-break | 2 |
//! | hyphen | 6 |
//! | soft-hyphen | 2 |
//! | grammar | 5 |
//! | delimiter-first | 11 |
//! | middle-of-word | 31 |
//! | rest of a name | 3 |
//! | slash-to-slash | 1 |
//! | end-of-paragraph | 2 |
//! | delimiter-last | 23 |
//!
//! | In the middle of a word | Wrong without it |
//! |---|---|
//! | rest of an extension | 2 |
//! | rest of a host | 2 |
//! | rest of an address | 4 |
//! | rest of a key | 1 |
//! | long run | 1 |
//! | rest of a hash | 1 |
//! | up to its end | 2 |
//! | rest of a full line | 12 |
//! | cut at the column | 5 |
//! | hard wrap | 2 |
//!
//! | Veto | Wrong without it |
//! |---|---|
//! | a second slash | 2 |
//! | a message about a file | 2 |
//! | a time or a date | 2 |
//! | a URL of its own | 3 |
//! | after a number | 4 |
//! | after a message's address | 2 |
//! | a branch or a tag | 1 |
//! | a word of the language | 4 |
//! | after an end, or at dashes | 6 |
//! | the number of a page | 2 |
//! | a line of each page | 2 |
//!
//! | Veto after `/` | Wrong without it |
//! |---|---|
//! | a label of words | 1 |
//! | below a URL that stands alone | 1 |
//! | an address | 1 |
//! | two words | 1 |
//! | a name with a number | 2 |

use super::lines::{Break, Lines};
use super::word::{
    has_extension, has_slashes, holds_url, is_address, is_before_archived, is_common, is_drawn,
    is_label, is_name_with_colon, is_number_of_item, is_prose, is_time, is_two_words,
};
use crate::candidate::{Evidence, MAX_LINES};
use crate::options::{Finder, Rejoin};
use crate::text::Text;

/// The decision at a line break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The URL continues.
    Join(Evidence),
    /// It may continue, but the evidence is not sufficient.
    Perhaps,
    /// It ends.
    End,
}

/// A test of the lines around the break, for a piece of evidence or for a reason not to join.
type Test = fn(&Lines<'_>) -> bool;

/// The tests by name, in the order in which they are tried.
const TESTS: &[(&str, Evidence, Test)] = &[
    // Mends 1,939, breaks 0.
    ("soft-break", Evidence::SoftBreak, |lines| {
        lines.found.is_encoded
    }),
    ("hyphen", Evidence::Hyphen, |lines| lines.last() == b'-'),
    ("soft-hyphen", Evidence::SoftHyphen, |lines| {
        lines.ends_in_soft_hyphen()
    }),
    ("grammar", Evidence::Grammar, |lines| {
        lines.grammar_asks_for_it()
    }),
    ("delimiter-first", Evidence::DelimiterFirst, |lines| {
        lines.goes_on_with_delimiter()
    }),
    ("middle-of-word", Evidence::MiddleOfWord, |lines| {
        is_any(WORDS, lines) && lines.is_cut()
    }),
    ("cut at the column", Evidence::MiddleOfWord, |lines| {
        lines.is_cut_at_column()
    }),
    // Mends 52 in text from PDF, breaks 0.
    ("rest of a name", Evidence::MiddleOfWord, |lines| {
        lines.completes_name()
    }),
    ("slash-to-slash", Evidence::SlashToSlash, |lines| {
        lines.goes_from_slash_to_slash()
    }),
    ("end-of-paragraph", Evidence::EndOfParagraph, |lines| {
        lines.ends_paragraph()
    }),
    ("delimiter-last", Evidence::DelimiterLast, |lines| {
        lines.ends_in_delimiter()
    }),
];

/// The tests that the line ends in the middle of a word of the URL, where it may have been cut off.
const WORDS: &[(&str, Test)] = &[
    // Mends 33, breaks 0.
    ("rest of an extension", |lines| {
        lines.is_full() && lines.is_alone && lines.completes_extension()
    }),
    // Mends 17, breaks 0.
    ("rest of a host", |lines| lines.completes_host()),
    // Mends 12, breaks 0.
    ("rest of an address", |lines| lines.completes_message()),
    // Mends 8, breaks 0.
    ("rest of a key", |lines| lines.completes_key()),
    // Mends 35, breaks 0.
    ("long run", |lines| lines.is_run()),
    // Mends 8 (60 times) in three lists and 5 in text from PDF, breaks 0.
    ("rest of a hash", |lines| lines.completes_hash()),
    // Mends 13, breaks 0.
    ("up to its end", |lines| lines.goes_on_to_dollar()),
    ("rest of a full line", |lines| lines.is_rest_of_word()),
    // Mends 170, adds 5 wrong ones.
    ("hard wrap", |lines| lines.is_hard_wrapped()),
];

/// The reasons not to join a word, whatever the line before ends in. The comments count the joins
/// that each mends and breaks in thirteen lists that were not looked at before.
const VETOES: &[(&str, Test)] = &[
    ("a second slash", |lines| {
        let is_second = lines.last() == b'/' && lines.token[0] == b'/';
        (is_second && !lines.url.ends_with(b":/"))
            || (lines.token.starts_with(b"//") && lines.last() != b':')
    }),
    // Mends 33 (130 times), breaks 0.
    ("a message about a file", |lines| {
        let signs = [
            lines.token[0] == b'/',
            lines.word.ends_with(b":"),
            lines.last() == b'#',
        ];
        signs.iter().filter(|&&is_there| is_there).count() >= 2
    }),
    // Mends 8, breaks 0.
    ("a time or a date", |lines| {
        !lines.is_alone && is_time(lines.token)
    }),
    // Mends 2, breaks 0.
    ("a URL of its own", |lines| {
        let is_site = lines.token.starts_with(b"www.") && lines.last().is_ascii_alphanumeric();
        let is_own = holds_url(&lines.url, lines.token) && lines.last() != b'=';
        (is_site || is_own) && !is_before_archived(&lines.url)
    }),
    // Mends 8 (15 times), breaks 0.
    ("after a number", |lines| lines.follows_number()),
    // Mends 10 (27 times), breaks 0.
    ("after a message's address", |lines| lines.follows_message()),
    // Mends 21 (44 times), breaks 0.
    ("a branch or a tag", |lines| lines.names_branch()),
    ("a word of the language", |lines| {
        is_common(lines.token) && lines.token.len() == lines.word.len()
    }),
    // URLs of mail filters and of attachments end so, and boundaries and signatures begin with dashes.
    ("after an end, or at dashes", |lines| {
        let ends: [&[u8]; 4] = [b"--", b"reserved=0", b"$", b"action=edit"];
        lines.token.starts_with(b"--")
            || lines.token.starts_with(b"HTTP/1")
            || (lines.token[0] != b'&' && ends.iter().any(|end| lines.url.ends_with(end)))
    }),
    // Mends 17 in text from PDF.
    ("the number of a page", |lines| lines.is_number_of_page()),
    ("a line of each page", |lines| lines.is_furniture()),
];

/// The reasons not to join a word that follows a `/` at the end of a line.
const VETOES_AFTER_SLASH: &[(&str, Test)] = &[
    ("a label of words", |lines| lines.is_label_of_words()),
    ("below a URL that stands alone", |lines| {
        lines.is_below_lone_url()
    }),
    ("an address", |lines| is_address(lines.token)),
    // Mends 6 (1,799 times), breaks 0.
    ("two words", |lines| {
        !lines.is_alone && is_two_words(lines.token) && !lines.goes_on_below_column()
    }),
    ("a name with a number", |lines| {
        lines.is_name_with_number() && !lines.goes_on_below_column()
    }),
];

/// Decides whether the URL continues on the next line.
pub(crate) fn evidence(text: &Text<'_>, finder: &Finder, found: &Break<'_>) -> Verdict {
    if finder.rejoin == Rejoin::Never || found.crossing.ends {
        return Verdict::End;
    }
    let lines = Lines::new(text, found, finder.standard);
    // Some programs break lines at hyphens, however short they are.
    let is_short = !lines.is_full() && lines.last() != b'-' && !lines.is_safe_link();
    let is_cut_off = found.lines > MAX_LINES && is_short;
    if is_cut_off || lines.token.is_empty() || (!found.is_encoded && lines.begins_otherwise()) {
        return Verdict::End;
    }
    let Some(evidence) = lines.evidence(finder) else {
        return Verdict::End;
    };
    // Nothing speaks for most joins: the vetoes are looked at last.
    if !found.is_encoded && is_any(VETOES, &lines) {
        return Verdict::End;
    }
    match evidence {
        Evidence::DelimiterLast
            if lines.would_have_fitted()
                && !lines.names_file()
                && !lines.is_paged()
                && !lines.is_before_key() =>
        {
            Verdict::Perhaps
        }
        evidence if evidence.is_certain() || finder.rejoin >= Rejoin::Likely => {
            Verdict::Join(evidence)
        }
        _ => Verdict::Perhaps,
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

impl Lines<'_> {
    /// Returns whether the next line begins with something that is not part of this URL: a field
    /// label, the bullet or number of a list item, a drawn rule, a telephone number, or a character
    /// that URLs do not contain.
    fn begins_otherwise(&self) -> bool {
        let first = self.token[0];
        !(first.is_ascii_alphanumeric() || b"/.-_%?&=#+~".contains(&first) || self.may_begin())
            || !self.token.iter().any(u8::is_ascii_alphanumeric)
            || (is_label(self.word)
                && !is_before_archived(&self.url)
                && (self.last() != b'/'
                    || !is_name_with_colon(self.word)
                    || self.before().trim_ascii_end().ends_with(b":")
                    || !self.is_paged()))
            || is_number_of_item(self.word)
            || is_drawn(self.word)
            || self.is_line_of_patch()
            || matches!(self.token, [b'+', b'0'..=b'9', ..])
            || matches!(self.next_mark(), Some(b'|' | b'='))
    }

    fn evidence(&self, finder: &Finder) -> Option<Evidence> {
        if self.found.ends_in_dot {
            return self.goes_on_after_dot().then_some(Evidence::MiddleOfWord);
        }
        let crossing = self.found.crossing;
        // A reply may be wrapped without repeating its quote marks, or quoted once more.
        let is_rest = crossing.other_depth && self.is_alone;
        // A comment continues after a full line; after a shorter one, the next list item begins. In source code
        // the signs begin comments.
        let may_be_item = crossing.has_comment
            && self.found.leader.may_be_bullet()
            && !finder.code
            && (is_prose(self.token) || self.has_bullets());
        if (crossing.other_leader && !is_rest) || may_be_item {
            return None;
        }
        // Where the next line has more or fewer quote marks, this mends 56 and adds 8 wrong ones.
        let reaches = |evidence: Evidence| match evidence {
            _ if !crossing.other_leader => true,
            Evidence::DelimiterFirst => true,
            Evidence::MiddleOfWord => self.is_part() || self.completes_extension(),
            Evidence::Hyphen => self.is_part(),
            _ => false,
        };
        let mut tests = TESTS.iter().filter(|(name, ..)| !is_left_out(name));
        let (_, evidence, _) = tests.find(|row| reaches(row.1) && row.2(self))?;
        Some(*evidence)
    }

    /// Returns whether there is a reason not to join the next word after a `/`.
    pub(super) fn is_vetoed(&self) -> bool {
        is_any(VETOES_AFTER_SLASH, self)
    }
}

/// Returns whether one of `tests` holds.
fn is_any(tests: &[(&str, Test)], lines: &Lines<'_>) -> bool {
    let mut tests = tests.iter().filter(|(name, _)| !is_left_out(name));
    tests.any(|(_, holds)| holds(lines))
}

/// Returns whether a test has left out the evidence or veto of this name.
#[cfg(not(test))]
fn is_left_out(_: &str) -> bool {
    false
}

#[cfg(test)]
use tests::is_left_out;

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may fail")]
mod tests;
