//! The facts about a line break that evidence and vetoes ask for.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::RangeInclusive;

use memchr::memmem;

use super::host::{begins_with_host, is_message};
use super::paragraph::{each_line_around, line_start, paragraph_width};
use super::typeset::{has_comments, is_furniture, is_paged};
use super::word::{
    has_extension, has_extension_and_query, has_key, has_pair_or_escape, has_slashes, is_address,
    is_extension, is_odd, is_prose, is_rooted, is_two_words,
};
use super::{Crossing, Leader, bytes_of, is_defended, is_soft_hyphen, is_valid};
use crate::text::Text;
use urlint_standard::standard::Standard;
use urlint_standard::text::window::{is_blank, split_blanks_at_end};
use urlint_standard::text::{Span, Spans};

/// The minimum width of a line that was broken in the middle of a word, in columns.
const FULL: usize = 60;
/// The number of blanks that break a line into columns.
const GAP: usize = 3;
/// The minimum width of the text of a column, in bytes.
const MIN_COLUMN: usize = 30;
/// The maximum indentation of a line in it, and two columns.
const MAX_INDENTATION: usize = 10;
/// The width of a column that nothing but URLs stands in.
const COLUMN: usize = 75;
/// The widths at which mail and news programs cut off lines, in columns.
const HARD_WRAPS: RangeInclusive<usize> = 70..=80;

/// A line break, and the URL before it.
pub(crate) struct Break<'a> {
    /// The URL so far, which reaches to the end of the line, except for trailing blanks.
    pub(crate) pieces: &'a Spans,
    /// The offset of the line break, or of the gap before another column.
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

/// The line that the URL ends on, and the next line.
pub(super) struct Lines<'a> {
    text: &'a Text<'a>,
    /// The standard by which URLs are judged.
    standard: Standard,
    pub(super) found: &'a Break<'a>,
    /// The URL so far.
    pub(super) url: Cow<'a, [u8]>,
    /// Where the line begins.
    line: usize,
    /// The text that would be added to the URL.
    pub(super) token: &'a [u8],
    /// The token with trailing punctuation, up to the next white space.
    pub(super) word: &'a [u8],
    /// The number of blanks after the word.
    gap: usize,
    /// Whether nothing follows the word on its line, or another column.
    pub(super) is_alone: bool,
    /// The width of the text around, in columns, once that is known.
    width: OnceCell<usize>,
}

impl<'a> Lines<'a> {
    pub(super) fn new(text: &'a Text<'a>, found: &'a Break<'a>, standard: Standard) -> Self {
        let start = found.crossing.at;
        let word_end = text.skip(start, |byte| byte > b' ');
        let next = text.skip(word_end, is_blank);
        let rest = text.skip(next, |byte| b">)].,;:!?\"' \t".contains(&byte));
        Lines {
            text,
            standard,
            found,
            url: bytes_of(text.bytes, found.pieces),
            line: line_start(text, found.at),
            token: &text.bytes[start..found.end],
            word: &text.bytes[start..word_end],
            gap: next - word_end,
            is_alone: matches!(text.at(rest), None | Some(b'\n' | b'\r'))
                || (text.after_break(found.at).is_none() && is_before_column(text, word_end)),
            width: OnceCell::new(),
        }
    }

    pub(super) fn last(&self) -> u8 {
        self.url.last().copied().unwrap_or_default()
    }

    /// Returns the number of columns that the line uses up to the end of the URL.
    fn used(&self) -> usize {
        self.found.pieces.end() as usize - self.line
    }

    /// Returns the text before the URL, or its last piece, on its line.
    pub(super) fn before(&self) -> &'a [u8] {
        let last = self.found.pieces.iter().last();
        let start = last.map_or(self.line, |piece| piece.start as usize);
        self.text.bytes.get(self.line..start).unwrap_or_default()
    }

    /// Returns whether both lines begin with the `+` of a patch, perhaps in a quote.
    pub(super) fn is_line_of_patch(&self) -> bool {
        let is_text = |byte: &&u8| !is_quote_mark(**byte);
        self.token[0] == b'+' && self.before().iter().find(is_text) == Some(&b'+')
    }

    /// Returns the first character of the word after the next, which is `|` if both are cells of a table.
    pub(super) fn next_mark(&self) -> Option<u8> {
        let next = self.found.crossing.at + self.word.len() + self.gap;
        self.text.at(next).filter(|_| self.gap > 0)
    }

    /// Returns whether the next word may continue the URL although it begins with a character that few do.
    pub(super) fn may_begin(&self) -> bool {
        match self.token[0] {
            b'@' => self.completes_message(),
            b';' => has_key(&self.token[1..]) && has_slashes(&self.url),
            _ => false,
        }
    }

    /// Returns whether the next word has characters of URLs that words do not have.
    pub(super) fn is_part(&self) -> bool {
        self.token
            .iter()
            .any(|byte| b"/%=&_0123456789".contains(byte))
    }

    pub(super) fn ends_in_soft_hyphen(&self) -> bool {
        let end = self.found.pieces.end() as usize;
        let trail = self.text.bytes.get(end..self.found.at);
        is_soft_hyphen(split_blanks_at_end(trail.unwrap_or_default()).0)
    }

    /// Returns whether the URL ends in the number of a line or a range of them, in those of a line and a column, in
    /// that of an issue or a comment or in the name of a commit, and the next word does not continue the number.
    pub(super) fn follows_number(&self) -> bool {
        let url = self.url.strip_suffix(b".").unwrap_or(&self.url);
        let number = len_at_end(url, |byte| byte.is_ascii_digit() || b"-L".contains(byte));
        let (before, number) = url.split_at(url.len() - number);
        let ends_in = |signs: &[&[u8]]| signs.iter().any(|sign| before.ends_with(sign));
        let is_number = |text: &[u8]| text.last().is_some_and(u8::is_ascii_digit);
        let is_place = ends_in(&[b"#", b"#issuecomment"])
            || (ends_in(&[b"%"]) && number.starts_with(b"23L"))
            || before.strip_suffix(b":").is_some_and(is_number);
        let begins_word = self.token[0].is_ascii_alphanumeric();
        let is_issue = begins_word && ends_in(&[b"/pull/", b"/issues/"]);
        let is_commit = begins_word && len_at_end(url, u8::is_ascii_hexdigit) == 40;
        let end = self.token.iter().position(|byte| !byte.is_ascii_digit());
        let goes_on = match end.map(|end| (end, self.token[end])) {
            Some((0, next)) => next == b'&' || self.token.starts_with(b"-L"),
            Some((_, next)) => !next.is_ascii_alphanumeric(),
            None => true,
        };
        is_commit || (is_number(url) && !goes_on && (is_place || is_issue))
    }

    /// Returns whether the URL ends in the address of a message, as URLs of archives do, and the next word is
    /// not one that archives write after it.
    pub(super) fn follows_message(&self) -> bool {
        let views: [&[u8]; 4] = [b"T/", b"t/", b"raw", b"__;"];
        self.url.strip_suffix(b"/").is_some_and(is_message)
            && !views.iter().any(|view| self.token.starts_with(view))
    }

    /// Returns whether the next word completes the address of a message in the last segment of the URL.
    pub(super) fn completes_message(&self) -> bool {
        let is_host = self.last() == b'@';
        let is_whole = is_host || (self.token[0] == b'@' && self.is_alone);
        let end = memchr::memchr(b'/', self.token).or(is_whole.then_some(self.token.len()));
        let is_open = (self.is_alone && self.last() != b'/') || is_host;
        is_open && end.is_some_and(|end| is_message(&[&self.url, &self.token[..end]].concat()))
    }

    /// Returns whether the next word completes the key that the URL ends in.
    pub(super) fn completes_key(&self) -> bool {
        let is_rest = self.is_full() || (self.is_alone && self.token[0].is_ascii_digit());
        is_rest && has_key(self.token) && self.ends_in_key()
    }

    /// Returns whether the next word is a long run of letters and digits, as in encoded data, below a line that
    /// is as long.
    pub(super) fn is_run(&self) -> bool {
        const MIN_RUN: usize = 55;
        let has = |test: fn(&u8) -> bool| self.token.iter().any(test);
        self.token.len().min(self.used()) >= MIN_RUN
            && self.token.iter().all(u8::is_ascii_alphanumeric)
            && has(u8::is_ascii_digit)
            && has(u8::is_ascii_lowercase)
    }

    /// Returns whether the next word completes the name of a commit, which has 40 digits.
    pub(super) fn completes_hash(&self) -> bool {
        let begun = len_at_end(&self.url, u8::is_ascii_hexdigit);
        let digits = (self.token.iter()).take_while(|byte| byte.is_ascii_hexdigit());
        let rest = digits.count();
        let goes_on = self.token.get(rest).is_some_and(u8::is_ascii_alphanumeric);
        rest > 0 && begun + rest == 40 && !goes_on && begun > 0
    }

    /// Returns whether the stars at the start of lines are bullets, rather than parts of a comment.
    pub(super) fn has_bullets(&self) -> bool {
        self.found.leader.comment == b"*" && !has_comments(self.text, self.found.at)
    }

    /// Returns whether the next line begins with a label of several words.
    pub(super) fn is_label_of_words(&self) -> bool {
        const MAX_LABEL: usize = 40;
        let line = self.text.line_from(self.found.crossing.at, MAX_LABEL);
        let ends_label = |colon: usize| {
            line[..colon].contains(&b' ') && line.get(colon + 1).is_none_or(|&next| is_blank(next))
        };
        memchr::memchr(b':', line).is_some_and(ends_label)
            && !self.token.iter().any(|byte| b"./?=&%".contains(byte))
    }

    /// Returns whether the URL is one that continues up to a `$`.
    fn is_defended(&self) -> bool {
        is_defended(&self.url) && !self.url.ends_with(b"$")
    }

    /// Returns whether the next word is a part of such a URL.
    pub(super) fn goes_on_to_dollar(&self) -> bool {
        let is_part = || is_odd(self.token) || !is_prose(self.token);
        (self.is_defended() && (self.is_alone || self.token.contains(&b'$')))
            || (self.is_alone && self.is_safe_link() && is_part())
    }

    /// Returns whether the next line is the number of a page, perhaps of so many, a footnote or a line in the margin.
    /// After a hyphen it is the rest of a number, and before a full stop it ends a sentence.
    pub(super) fn is_number_of_page(&self) -> bool {
        let blanks = self.before().iter().take_while(|&&byte| is_blank(byte));
        let mut numbers = self.word.split(|&byte| byte == b'/').map(number);
        let (page, pages) = (numbers.next().flatten(), numbers.next());
        let is_page = match pages {
            Some(pages) => page.is_some() && page <= pages && numbers.next().is_none(),
            None => page.is_some(),
        };
        self.is_alone
            && is_page
            && (self.column() < blanks.count() || self.is_paged())
            && self.last() != b'-'
            && self.next_mark() != Some(b'.')
            && !self.url.ends_with(b"#L")
    }

    /// Returns whether the next line stands on other pages, too, with the number of each.
    pub(super) fn is_furniture(&self) -> bool {
        self.gap > 0 && is_furniture(self.text, self.found.crossing.at)
    }

    /// Returns whether the text has form feeds, whose lines end at delimiters wherever these are.
    ///
    /// In text from PDF this mends 69 and breaks 5.
    pub(super) fn is_paged(&self) -> bool {
        is_paged(self.text, self.found.at)
    }

    /// Returns whether the part before the break is invalid, and the joined reading valid. As any
    /// word makes a valid host, the text after `http://` must also look like one.
    pub(super) fn grammar_asks_for_it(&self) -> bool {
        if self.url.ends_with(b"//") && is_prose(self.token) {
            return false;
        }
        if self.url.ends_with(b":") && self.token.starts_with(b"//") {
            return begins_with_host(&self.token[2..]);
        }
        let is_valid = |pieces: &Spans| is_valid(self.standard, self.text.bytes, pieces);
        if is_valid(self.found.pieces) {
            return false;
        }
        let mut joined = self.found.pieces.clone();
        let next = (self.found.crossing.at as u64, self.found.end as u64);
        joined.push(Span::new(next.0, next.1));
        is_valid(&joined)
    }

    /// Returns whether a key follows the sign before one.
    pub(super) fn is_before_key(&self) -> bool {
        (self.last() == b'?' || self.url.ends_with(b"&amp;")) && has_key(self.token)
    }

    /// Returns whether the URL is one of a mail filter that continues up to `reserved=0`.
    pub(super) fn is_safe_link(&self) -> bool {
        memmem::find(&self.url, b".safelinks.protection.outlook.com/?url=").is_some()
    }

    /// Returns whether the line ends in a delimiter, and nothing [speaks against](Self::is_vetoed)
    /// the next word.
    pub(super) fn ends_in_delimiter(&self) -> bool {
        (b"/=&?_%#".contains(&self.last()) || self.is_before_key())
            && !self.found.crossing.other_leader
            && (!is_prose(self.token)
                || self.names_file()
                || ((is_odd(self.token) || self.last() == b'_') && self.is_paged())
                || self.goes_on_below_column())
            && (self.last() != b'/' || !self.is_vetoed())
    }

    /// Returns whether the next word is a plain one after a `/` in text from PDF, and belongs to the URL: it ends the
    /// sentence on a line of its own, or was too long for the rest of a line of prose.
    pub(super) fn goes_on_below_column(&self) -> bool {
        let mut words = self.token.split(|&byte| byte == b'/');
        let first = words.next().unwrap_or_default();
        let is_word = first.len() > 3 && first.iter().all(u8::is_ascii_alphabetic);
        let is_lower = || first.iter().all(u8::is_ascii_lowercase);
        let is_below = |share| self.share_of_column(self.word.len()) >= share;
        let ends = || self.word.ends_with(b".") || (is_lower() && is_below(80));
        let ends_clause = self.token.len() < self.word.len() || self.token.ends_with(b"/");
        let prose = self.before().trim_ascii_end();
        let is_in_prose =
            || (is_lower() && ends_clause) || prose.last().is_some_and(u8::is_ascii_alphabetic);
        (self.last() == b'/' && has_slashes(&self.url) && !self.url.ends_with(b"//"))
            && (is_word && self.is_paged())
            && ((self.is_alone && ends()) || (is_in_prose() && is_below(95)))
    }

    /// Returns how much of its column the URL takes with `more` columns, in hundredths, in text from PDF: the column
    /// is as wide as the widest words around that a wide gap does not break.
    fn share_of_column(&self, more: usize) -> usize {
        let widest = self.width.get_or_init(|| {
            let mut widest = 0;
            each_line_around(self.text, self.line, self.found.crossing.line, 8, |line| {
                let line = line.trim_ascii();
                if line.len() > widest {
                    widest = widest.max(width_of_words(line));
                }
                true
            });
            widest
        });
        let before = self.before();
        let column = last_gap(before).unwrap_or_default();
        let own = width(before[column..].trim_ascii_start()) + self.used() - before.len() + more;
        own * 100 / if *widest == 0 { COLUMN } else { *widest }
    }

    /// Returns whether the next word begins with something that can only continue a URL: `?k=`,
    /// `&k=`, `??`, the `=` of a key without a value, `_` with `.`, `/` or `%` later in the word, a
    /// file extension, or `/` and a path.
    pub(super) fn goes_on_with_delimiter(&self) -> bool {
        let (rest, is_at_edge) = (&self.token[1..], self.is_alone || self.is_full());
        match self.token[0] {
            b';' => true,
            b'?' | b'&' => has_key(rest),
            b'=' => self.ends_in_key() && is_at_edge,
            b'_' => rest.iter().any(|byte| b"./%".contains(byte)) && is_at_edge,
            b'.' => has_extension_and_query(rest),
            b'/' => self.goes_on_with_path(rest),
            // No option has a query.
            b'-' => memchr::memchr(b'?', rest).is_some_and(|at| has_key(&rest[at + 1..])),
            _ => false,
        }
    }

    /// Returns whether `rest`, which follows a `/`, is the rest of the URL's path: it has a dot, a
    /// digit or a second segment, or it is all there is on its line, and the line before is full.
    fn goes_on_with_path(&self, rest: &[u8]) -> bool {
        let is_more = rest.iter().any(|byte| b"./-0123456789".contains(byte));
        let is_rest = self.is_alone && self.is_full();
        let is_query = || rest.strip_prefix(b"?").is_some_and(has_key);
        let is_path =
            || rest.first().is_some_and(u8::is_ascii_alphanumeric) && (is_more || is_rest);
        self.last() != b'/' && (is_path() || is_query()) && !is_rooted(self.token)
    }

    pub(super) fn is_full(&self) -> bool {
        self.used() >= FULL
    }

    /// Returns whether the URL may have been cut off at the end of its line, rather than at a
    /// delimiter.
    pub(super) fn is_cut(&self) -> bool {
        // A number and more may look like an email address, and some programs leave a blank where they cut.
        let is_number = self.last().is_ascii_digit() && self.token[0].is_ascii_digit();
        let is_marked = self.is_defended() || (self.is_alone && has_pair_or_escape(self.token));
        (self.found.pieces.end() as usize == self.found.at || is_marked)
            && has_slashes(&self.url)
            && self.token[0] != b'/'
            && (self.last() != b'/' || !self.is_vetoed())
            && (!is_address(self.token) || is_number)
    }

    /// Returns whether the next word can only be the rest of one.
    pub(super) fn is_rest_of_word(&self) -> bool {
        let is_marked = || self.is_marked() && !b"#+".contains(&self.token[0]);
        let is_number =
            || self.last().is_ascii_digit() && self.token.iter().all(u8::is_ascii_digit);
        let is_rest = || is_marked() || is_number();
        let is_part = || self.is_alone && is_rest() || has_pair_or_escape(self.token);
        let is_path = || {
            let is_cut = self.token.contains(&b'/') && self.fills(HARD_WRAPS);
            self.last() != b'/' && self.begins_with_file() && is_cut
        };
        self.is_full() && !self.has_extension() && (is_part() || is_path())
    }

    /// Returns whether the next word has signs of a URL that words do not have.
    fn is_marked(&self) -> bool {
        let has_sign = |byte: &u8| b"/=&%?+#".contains(byte);
        self.token.iter().any(has_sign) || self.begins_with_file()
    }

    /// Returns whether the URL was cut off at the width of its column in text from PDF, wherever that was. More may
    /// follow a path. Any other word is the rest, but of those with capitals only the rest of a name in capitals.
    pub(super) fn is_cut_at_column(&self) -> bool {
        let (last, first) = (self.last(), self.token[0]);
        let is_known = || self.token.len() > 5 && memmem::find(&self.url, self.token).is_some();
        let is_rest = !first.is_ascii_uppercase() || last.is_ascii_uppercase();
        let begins = first.is_ascii_alphanumeric()
            || b"/-%".contains(&first)
            || (first == b'#' && self.token[1..].first().is_some_and(u8::is_ascii_lowercase));
        let has_sign = self.token.iter().any(|byte| b"/#%".contains(byte));
        let is_path = has_sign && !is_two_words(self.token);
        // To look at the text around takes longest.
        last.is_ascii_alphanumeric()
            && begins
            && (is_path || self.is_alone)
            && has_slashes(&self.url)
            && (!self.has_extension() || first == b'#')
            && !is_known()
            && (!has_key(self.token) || self.url.contains(&b'?'))
            && self.is_paged()
            && self.share_of_column(0) >= 80
            && (is_rest || self.is_marked())
    }

    /// Returns whether software cut off the line, which has nothing but the URL, at the width of
    /// the text, and the next word is not a word of a language.
    pub(super) fn is_hard_wrapped(&self) -> bool {
        let is_lone = self
            .before()
            .iter()
            .all(|&byte| is_quote_mark(byte) || b"<(".contains(&byte));
        self.is_alone
            && is_lone
            && self.last() != b'/'
            && !self.has_extension()
            && is_odd(self.token)
            && self.fills(HARD_WRAPS)
    }

    /// Returns whether no line of words around is wider than this one, and its width is one of `widths`.
    fn fills(&self, widths: RangeInclusive<usize>) -> bool {
        let used = self.used();
        let mut is_widest = widths.contains(&used);
        each_line_around(self.text, self.line, self.found.crossing.line, 12, |line| {
            let line = line.trim_ascii_end();
            is_widest &= line.len() <= used || !line.contains(&b' ');
            is_widest
        });
        is_widest
    }

    /// Returns whether the URL and the next word both end in `/`.
    pub(super) fn goes_from_slash_to_slash(&self) -> bool {
        self.last() == b'/'
            && self.token.ends_with(b"/")
            && self.is_alone
            && self.token[0].is_ascii_alphanumeric()
    }

    /// Returns whether the last word of a paragraph would not have fitted on the line before, which
    /// contains words and ends in `/`.
    pub(super) fn ends_paragraph(&self) -> bool {
        let is_word = |byte: &u8| byte.is_ascii_lowercase() || *byte == b'-';
        self.last() == b'/'
            && self.is_alone
            && self.is_full()
            && self.token.iter().all(is_word)
            && self.before().iter().any(u8::is_ascii_alphabetic)
            && self.is_last_line()
            && !self.would_have_fitted()
    }

    /// Returns whether a blank line follows the next line, or, after a full stop, the next entry of a list of
    /// references.
    fn is_last_line(&self) -> bool {
        let end = self.text.line_end(self.found.crossing.at);
        let line = self.text.after_break(end).unwrap_or(end);
        match self.text.at(self.text.skip(line, is_blank)) {
            None | Some(b'\n' | b'\r') => self.token.len() == self.word.len(),
            next => next == Some(b'['),
        }
    }

    /// Returns whether the next line is one word, the name of a file or of a page with many hyphens. It belongs
    /// to the URL even if it would have fitted: mends 17, breaks 0.
    pub(super) fn names_file(&self) -> bool {
        let hyphens = self.token.iter().filter(|&&byte| byte == b'-').count();
        self.is_alone && (hyphens > 2 || self.begins_with_file())
    }

    /// Returns whether the next word, up to a query or a fragment, ends in an extension.
    fn begins_with_file(&self) -> bool {
        let mut parts = self.token.split(|byte| b"?#".contains(byte));
        parts.next().is_some_and(has_extension)
    }

    /// Returns whether the URL is alone on its line, and the next line is indented less.
    pub(super) fn is_below_lone_url(&self) -> bool {
        let before = self.before();
        let is_lone = before.iter().all(|&byte| is_quote_mark(byte));
        is_lone && self.indentation() < split_blanks_at_end(before).1.len()
    }

    /// Returns the column of the next word, from 0.
    pub(super) fn column(&self) -> usize {
        self.found.crossing.at - self.found.crossing.line
    }

    /// Returns the number of blanks before the next word.
    fn indentation(&self) -> usize {
        let crossing = self.found.crossing;
        let (_, blanks) = split_blanks_at_end(&self.text.bytes[crossing.line..crossing.at]);
        blanks.len()
    }

    /// Returns whether the next word ends in a short number, or is a house number, on a line of
    /// words: `dec96 issue`, `12 Main Street`.
    pub(super) fn is_name_with_number(&self) -> bool {
        let digits = len_at_end(self.token, u8::is_ascii_digit);
        let name = &self.token[..self.token.len() - digits];
        let is_whole = !self.is_alone && self.word.len() == self.token.len();
        is_whole && name.iter().all(u8::is_ascii_alphabetic) && digits <= 3
    }

    /// Returns whether the query ends in a key without a value.
    fn ends_in_key(&self) -> bool {
        let Some(query) = memchr::memrchr(b'?', &self.url) else {
            return false;
        };
        let mut pairs = self.url[query + 1..].rsplit(|byte| b"&;".contains(byte));
        (pairs.next()).is_some_and(|pair| !pair.is_empty() && !pair.contains(&b'='))
    }

    /// Returns whether the URL ends in a file name with an extension.
    pub(super) fn has_extension(&self) -> bool {
        let begins_domain = self.url.ends_with(b".c") && self.token.starts_with(b"om");
        has_extension(&self.url) && !begins_domain
    }

    /// Returns whether the next word begins with the rest of a file extension.
    pub(super) fn completes_extension(&self) -> bool {
        let tail = &self.url[self.url.len().saturating_sub(8)..];
        let dot = memchr::memrchr(b'.', tail).filter(|_| self.token[0].is_ascii_alphanumeric());
        dot.is_some_and(|dot| {
            let extension = [&tail[dot + 1..], self.token].concat();
            let first = extension.split(|byte| !byte.is_ascii_alphanumeric()).next();
            first.is_some_and(is_extension)
        })
    }

    /// Returns whether the first word of the next line would have fitted on the line before the
    /// break.
    pub(super) fn would_have_fitted(&self) -> bool {
        let width = paragraph_width(self.text, self.line, self.found.crossing.line);
        self.used() + self.word.len() <= width
    }
}

/// Returns whether a gap before another column is at `at`, in text from PDF.
#[inline]
pub(crate) fn is_before_column(text: &Text<'_>, at: usize) -> bool {
    text.bytes[at..].starts_with(&[b' '; GAP])
        && text.line_from(at, COLUMN).trim_ascii().len() >= MIN_COLUMN
        && is_paged(text, at)
}

/// Returns where the text of the line at `line`, which begins at `at`, goes on in the column of the URL at `start`, in
/// text from PDF; `None` if there is only another column. A label is no column.
pub(crate) fn column_below(text: &Text<'_>, start: usize, line: usize, at: usize) -> Option<usize> {
    let above = &text.bytes[line_start(text, start)..start];
    let below = text.line_from(line, above.len() + COLUMN);
    // Most lines have none.
    let may_be_beside = |line: &[u8]| line.get(MIN_COLUMN..).and_then(last_gap).is_some();
    if !may_be_beside(above) && !may_be_beside(below) {
        return Some(at);
    }
    let column = |line: &[u8]| last_gap(line).map(|gap| gap + GAP);
    let is_beside = |line: &[u8]| {
        let line = line.trim_ascii_end();
        line.len() - column(line).unwrap_or_default() >= MIN_COLUMN
    };
    let Some(begin) = column(above) else {
        return Some(at);
    };
    let next = column(below).unwrap_or(at - line);
    let indentation = (width(&below[..next]) + GAP).checked_sub(width(&above[..begin]));
    let is_below = indentation.is_some_and(|blanks| blanks <= MAX_INDENTATION);
    let (is_right, may_be_right) = (is_beside(&above[..begin]), is_beside(&below[..next]));
    if !(is_right || (may_be_right && is_below)) || !is_paged(text, start) {
        return Some(at);
    }
    is_below.then_some(line + next)
}

/// Returns whether `byte` may be part of the quote marks at the start of a line.
fn is_quote_mark(byte: u8) -> bool {
    is_blank(byte) || matches!(byte, b'>' | b'|')
}

/// Returns the number of columns that `text` takes, of which a byte takes one and the first of several none.
fn width(text: &[u8]) -> usize {
    text.iter().filter(|&&byte| byte < 0xC0).count()
}

/// Returns the width of the widest part of `line` that a gap does not break, and that has three words.
fn width_of_words(line: &[u8]) -> usize {
    let (mut widest, mut width, mut blanks, mut gap) = (0, 0, 0, 0);
    for &byte in line {
        if byte == b' ' {
            gap += 1;
            continue;
        }
        if gap >= GAP || width == 0 {
            (width, blanks) = (0, 0);
        } else {
            (width, blanks) = (width + gap, blanks + gap);
        }
        gap = 0;
        width += usize::from(byte < 0xC0);
        if blanks > 1 {
            widest = widest.max(width);
        }
    }
    widest
}

/// Returns where the last blanks of `line` begin that part columns.
fn last_gap(line: &[u8]) -> Option<usize> {
    let mut parts = line.windows(GAP);
    parts.rposition(|part| part.iter().all(|&byte| byte == b' '))
}

/// Returns the number of at most three digits that `text` is.
fn number(text: &[u8]) -> Option<u32> {
    let is_number = text.len() <= 3 && text.iter().all(u8::is_ascii_digit);
    std::str::from_utf8(text)
        .ok()
        .filter(|_| is_number)?
        .parse()
        .ok()
}

/// Returns how many bytes at the end of `text` pass `test`.
fn len_at_end(text: &[u8], test: fn(&u8) -> bool) -> usize {
    text.iter().rev().take_while(|byte| test(byte)).count()
}
