//! The search for candidates: from a trigger back to the URL's opener, and on to its end.

mod escaped;
mod extent;
mod list;
mod matched;
mod near;
mod notation;
mod quoted;
mod scheme;
mod schemeless;
mod split;
mod trigger;
mod unicode;
mod unwrapped;
mod wrapped;

use std::mem;
use std::num::NonZeroUsize;

pub(crate) use matched::Match;
pub(crate) use quoted::is_url;

use super::Finder;
use super::candidate::{Candidate, Delimiter, Flag};
use super::placeholder;
use super::rejoin;
use super::rejoin::Leader;
use crate::schemes::{Mark, MarkKind};
use crate::text::Text;
use schemeless::MarkSearch;
use urlint_standard::text::window::is_blank;
use urlint_standard::url::schemes::{MAX_KNOWN, Scheme};

/// How many bytes back from its position the scanner may look: at the scheme, the URL's opener, and
/// the paragraph around a line break.
const LOOK_BEHIND: usize = 4096;
/// How many bytes after a trigger may be looked at. This bounds the window.
const LOOK_AHEAD: usize = 2 * Candidate::MAX_LEN;
/// How many bytes at the end of the window may be the beginning of a trigger.
const UNDECIDED: usize = 4;
/// How many bytes after a colon without `//` are looked at to decide whether this is a URL.
const MAX_HINT: usize = 128;

/// Returns the first colon of `text` at or after `from` that may follow a scheme, judging by its
/// neighbours.
#[doc(hidden)]
pub fn next_trigger(text: &[u8], from: usize) -> Option<usize> {
    trigger::find(text, from)
}

/// Searches a source through a window. Offsets count from the start of the window.
#[derive(Debug)]
pub(crate) struct Scanner {
    finder: Finder,
    /// Where the search for the next trigger begins.
    next: usize,
    /// Where the last candidate ended: nothing before it is looked at again.
    floor: usize,
    /// The beginning of the window's first line, if it is before the window.
    line_head: Vec<u8>,
    marks: Vec<MarkSearch>,
    /// The length of the scheme with which the line at `next` begins if it continues a list of URLs; 0 if that
    /// is not known.
    list_scheme: usize,
}

/// The result of a step of the search.
#[derive(Debug)]
pub(crate) enum Step {
    Found(Match),
    /// More bytes are needed.
    More,
    /// There are no more candidates.
    End,
}

impl Scanner {
    pub(crate) fn new(finder: Finder) -> Self {
        Scanner {
            marks: MarkSearch::all(&finder),
            finder,
            next: 0,
            floor: 0,
            line_head: Vec::new(),
            list_scheme: 0,
        }
    }

    /// Returns the next candidate in the window.
    pub(crate) fn step(&mut self, text: &Text<'_>) -> Step {
        match self.listed(text) {
            Some(found) => Step::Found(found),
            None => self.search(text),
        }
    }

    /// Returns the next candidate, if it is the next URL of a list.
    #[inline(always)]
    pub(crate) fn listed(&mut self, text: &Text<'_>) -> Option<Match> {
        let (start, end) = self.next_of_list(text)?;
        let url = (start, end.get());
        Some(Match::in_one_piece(url, url, Delimiter::Bare))
    }

    /// Returns where that candidate begins and ends. The result fits in two registers, so it does
    /// not go through memory.
    #[inline(never)]
    fn next_of_list(&mut self, text: &Text<'_>) -> Option<(usize, NonZeroUsize)> {
        let scheme = mem::take(&mut self.list_scheme);
        if self.finder.schemeless {
            return None;
        }
        let scheme = match scheme {
            0 => list::next_scheme(text.bytes, self.next)?,
            len => len,
        };
        let (start, end, next) = list::next(text, self.next, scheme, self.finder.code)?;
        (self.next, self.floor, self.list_scheme) = (end, end, next);
        Some((start, NonZeroUsize::new(end)?))
    }

    /// Returns the next candidate, whatever is around it.
    #[inline(never)]
    pub(crate) fn search(&mut self, text: &Text<'_>) -> Step {
        loop {
            let Some(trigger) = self.trigger(text) else {
                if text.complete {
                    return Step::End;
                }
                // The last bytes may be the beginning of a trigger.
                let longest = self.marks.iter().map(MarkSearch::max_len).max();
                let longest = longest.unwrap_or_default().max(UNDECIDED);
                let undecided = text.bytes.len().saturating_sub(longest);
                self.next = self.next.max(undecided);
                return Step::More;
            };
            let near = text.up_to(trigger.at + LOOK_AHEAD);
            let mut found = match trigger.kind {
                MarkKind::Colon => self.at_colon(&near, trigger.at),
                MarkKind::Host => self.at_host(&near, trigger.at),
                MarkKind::Mistake => self.at_mistake(&near, trigger.at),
            };
            if let Some(found) = &mut found {
                self.note_placeholder(&near, found);
            }
            if near.take_starved() {
                self.next = trigger.at;
                return Step::More;
            }
            self.next = trigger.at + 1;
            if let Some(found) = found {
                self.next = self.next.max(found.outer().1);
                self.floor = self.next;
                return Step::Found(found);
            }
        }
    }

    /// Notes whether the URL holds a placeholder. Most URLs have none of the characters that are signs of one.
    #[inline]
    fn note_placeholder(&self, text: &Text<'_>, found: &mut Match) {
        let (start, end) = found.url();
        let code = self.finder.code;
        let is_plain =
            found.is_in_one_piece() && placeholder::has_no_sign_in(text.bytes, start..end, code);
        // A `^` before it begins a regular expression.
        let is_anchored = code && self.before(text, start) == Some(b'^');
        let holds = || placeholder::find(&found.bytes(text.bytes), code).is_some();
        if is_anchored || (!is_plain && holds()) {
            found.flags.set(Flag::Placeholder);
        }
    }

    /// Returns the offset of the first byte that the scanner may still look at.
    pub(crate) fn needs(&self) -> usize {
        self.next.saturating_sub(LOOK_BEHIND)
    }

    /// Drops up to `by` bytes from the start of the window, at most [`Self::needs`]; returns how
    /// many.
    pub(crate) fn slide(&mut self, window: &[u8], mut by: usize) -> usize {
        if let Some(last) = memchr::memrchr2(b'\n', b'\r', &window[..by]) {
            self.line_head.clear();
            let line = last + 1;
            if by - line < rejoin::MAX_LEADER {
                by = line;
            } else {
                self.line_head
                    .extend_from_slice(&window[line..line + rejoin::MAX_LEADER]);
            }
        } else if self.line_head.is_empty() {
            if by < rejoin::MAX_LEADER {
                return 0;
            }
            self.line_head
                .extend_from_slice(&window[..rejoin::MAX_LEADER]);
        }
        self.next -= by;
        self.floor = self.floor.saturating_sub(by);
        self.marks.iter_mut().for_each(|marks| marks.slide(by));
        by
    }

    fn trigger(&mut self, text: &Text<'_>) -> Option<Mark> {
        let bytes = text.bytes;
        let from = self.next;
        let marks = self.marks.iter_mut();
        let marks = marks.filter_map(|marks| marks.find(bytes, from));
        let mark = marks.min_by_key(|mark| mark.at);
        // A colon beyond the mark would be searched for again after the mark.
        let before = mark.map_or(bytes.len(), |mark| bytes.len().min(mark.at + UNDECIDED));
        trigger::find_opened(&bytes[..before], self.next)
            .filter(|&at| text.complete || at + 1 < text.bytes.len())
            .filter(|&at| mark.is_none_or(|mark| at <= mark.at))
            .map(|at| Mark {
                kind: MarkKind::Colon,
                at,
            })
            .or(mark)
    }

    /// Returns the byte before `at`, unless it belongs to the last candidate.
    fn before(&self, text: &Text<'_>, at: usize) -> Option<u8> {
        (at > self.floor).then(|| text.bytes[at - 1])
    }

    /// Returns the leader of the line of `at`.
    fn leader<'t>(&'t self, text: &Text<'t>, at: usize) -> Leader<'t> {
        let head = match memchr::memrchr2(b'\n', b'\r', &text.bytes[..at]) {
            Some(end) => &text.bytes[end + 1..at],
            None if self.line_head.is_empty() => &text.bytes[..at],
            None => &self.line_head,
        };
        Leader::in_syntax(head, self.finder.syntax)
    }

    #[inline(always)]
    fn at_colon(&self, text: &Text<'_>, colon: usize) -> Option<Match> {
        let slashes = text.at(colon + 1) == Some(b'/') && text.at(colon + 2) == Some(b'/');
        let (start, known) = match scheme::web(text.bytes, self.floor, colon) {
            Some((start, known)) => (start, Some(known)),
            None => match self.scheme_before(text, colon, slashes) {
                Some(Opening::Wrapper(open)) => return Some(self.wrapper(text, open, colon + 1)),
                Some(Opening::Scheme(start, known)) => (start, known),
                // The rest of a scheme may be its last letter, or nothing but `://`.
                None if slashes => {
                    let word = scheme::word_start(text.bytes, self.floor, colon);
                    return self.split_opener(text, word, colon);
                }
                None => return None,
            },
        };
        let url = Beginning {
            start,
            rest: colon + 1 + if slashes { 2 } else { 0 },
            known,
            slashes,
        };
        let is_web = known.is_some_and(|known| known.is_web);
        if !slashes && is_web && text.at(colon + 1) == Some(b'\\') {
            let escapes = text.skip_at_most(colon + 1, MOST_ESCAPES, |byte| byte == b'\\');
            if text.at(escapes) == Some(b'/') {
                return self.escaped(text, &url, escapes - colon - 1);
            }
        }
        if self.before(text, start) == Some(b'<')
            && let Some(found) = self.angle(text, &url)
        {
            return Some(found);
        }
        if let Some(found) = self.split_opener(text, start, colon) {
            return Some(found);
        }
        self.unwrapped(text, &url, colon)
    }

    /// Returns the opening that ends at `colon`, if a URL may continue after it.
    fn scheme_before(&self, text: &Text<'_>, colon: usize, slashes: bool) -> Option<Opening> {
        // At the end of a line, only a URL after `<` or before `//` continues: most such colons end a clause.
        let ends_line = matches!(text.at(colon + 1), None | Some(b'\n' | b'\r'));
        let near = &text.bytes[self.floor.max(colon.saturating_sub(MAX_KNOWN + 1))..colon];
        if ends_line && !near.contains(&b'<') && !is_split(text, colon) {
            return None;
        }
        let word = scheme::word_start(text.bytes, self.floor, colon);
        let prefix = text.bytes[word..colon].eq_ignore_ascii_case(b"URL");
        // `<url::Origin>` is a type of C++ or Rust.
        let is_type = || {
            let begins_name = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
            &text.bytes[word..colon] == b"url"
                && text.at(colon + 1) == Some(b':')
                && text.at(colon + 2).is_some_and(begins_name)
        };
        if prefix && self.before(text, word) == Some(b'<') && !is_type() {
            return Some(Opening::Wrapper(word - 1));
        }
        let (start, known) = scheme::start(text.bytes, word, colon, &self.finder)?;
        let is_scheme =
            slashes || (known.is_some() && !scheme::is_in_word(text.bytes, self.floor, start));
        is_scheme.then_some(Opening::Scheme(start, known))
    }
}

/// The opening of a URL, which ends at a colon.
enum Opening {
    /// `<URL:`, which begins at this offset.
    Wrapper(usize),
    /// A scheme, which begins at this offset, and whether it is known.
    Scheme(usize, Option<&'static Scheme>),
}

/// How a URL begins.
struct Beginning {
    start: usize,
    /// Where the rest begins, after the colon and the slashes, if any.
    rest: usize,
    known: Option<&'static Scheme>,
    slashes: bool,
}

impl Beginning {
    /// Returns whether the URL, with `rest` after its slashes, names the root of the file system.
    fn is_of_root(&self, rest: &[u8]) -> bool {
        rest == b"/" && self.known.is_some_and(|known| known.name == "file")
    }

    /// Returns whether the text after the colon makes it a URL although there is no `//`. Looks at
    /// a limited number of bytes, so that a text full of such beginnings takes no longer than any
    /// other.
    fn does_without_slashes(&self, text: &Text<'_>, colon: usize) -> bool {
        let end = text.skip_at_most(self.rest, MAX_HINT, |byte| byte > b' ');
        let (name, rest) = (&text.bytes[self.start..colon], &text.bytes[self.rest..end]);
        self.known
            .is_some_and(|known| known.accepts(name, rest) || slash_mistaken(known, rest))
    }
}

/// Returns whether `colon` ends its line, and the next one begins with `//`: TeX breaks URLs after any delimiter.
///
/// In text from PDF this mends 85 of 183 URLs that were not read to their end.
fn is_split(text: &Text<'_>, colon: usize) -> bool {
    let is_margin = |byte: u8| is_blank(byte) || b">|".contains(&byte);
    text.after_break(colon + 1).is_some_and(|line| {
        let slashes = text.skip_at_most(line, rejoin::MAX_LEADER, is_margin);
        text.has(slashes, b"//")
    })
}

/// Returns whether `rest`, which follows a scheme, is more than punctuation.
#[doc(hidden)]
pub fn has_content(rest: &[u8]) -> bool {
    rest.iter()
        .any(|&byte| byte.is_ascii_alphanumeric() || byte >= 0x80)
        // The address that means any address.
        || rest.starts_with(b"[::]")
}

/// How many backslashes a slash may have: a string in a string in a string.
const MOST_ESCAPES: usize = 8;

/// Returns whether `rest` begins with something that was meant to be `//`: `http:/host`,
/// `http:\\host`.
fn slash_mistaken(known: &Scheme, rest: &[u8]) -> bool {
    let meant = match rest {
        [b'/', next, ..] | [b'\\', b'\\', next, ..] => next.is_ascii_alphanumeric(),
        _ => false,
    };
    meant && known.is_web
}
