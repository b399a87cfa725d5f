//! Finds candidates: from a trigger back to what opens the URL, and ahead to where it ends.

mod extent;
pub(crate) mod scheme;
mod schemeless;
pub(crate) mod text;
mod trigger;
mod unicode;

pub use extent::MAX_URL;

use crate::candidate::{Alternative, Candidate, Delimiter, Flag, Flags};
use crate::find::{Finder, Hyphen, Rejoin};
use crate::rejoin::{
    self, Body, Break, Joined, Leader, Verdict, bytes_of, cross, merge, readings, without_fragment,
};
use crate::span::{Span, Spans};
use extent::{Extent, Stop};
use scheme::Known;
use schemeless::Schemeless;
use text::{Text, is_blank};

/// How many bytes before the place where the scanner goes on it may look at: the scheme, what
/// opens the URL, and the paragraph around a line break.
pub(crate) const LOOK_BEHIND: usize = 4096;
/// How many lines a URL in quotes or brackets may go on for, and a bare one.
const MAX_LINES: usize = 3;
/// How many bytes behind a colon without `//` may say that this is a URL.
const MAX_HINT: usize = 128;
/// How many bytes of a wrapper without its `>` are taken.
const MAX_UNTERMINATED: usize = 8192;

/// Where the scanner stands in a source. Offsets count from the start of the window.
#[derive(Debug)]
pub(crate) struct Scanner {
    finder: Finder,
    /// Where to look for the next trigger.
    next: usize,
    /// Where the last candidate ended: nothing before that is looked at again.
    floor: usize,
    /// How the line begins that the window begins in, where the window has not all of that.
    line_head: Vec<u8>,
    schemeless: Schemeless,
}

/// What the scanner has come upon.
#[derive(Debug)]
pub(crate) enum Step {
    Found(Find),
    /// More bytes are needed.
    More,
    End,
}

/// A candidate, as places in the window.
///
/// This is made for every URL and handed from function to function, so it is kept small: what only
/// a URL in several pieces has is kept apart.
#[derive(Debug)]
pub(crate) struct Find {
    outer: (usize, usize),
    /// The URL's bytes, if it lies in one piece.
    url: (usize, usize),
    delimiter: Delimiter,
    flags: Flags,
    broken: Option<Box<Broken>>,
}

/// What a candidate has that was broken.
#[derive(Debug)]
struct Broken {
    pieces: Spans,
    alternatives: Vec<Spans>,
}

impl Find {
    #[inline]
    fn in_one_piece(outer: (usize, usize), url: (usize, usize), delimiter: Delimiter) -> Self {
        Find {
            outer,
            url,
            delimiter,
            flags: Flags::default(),
            broken: None,
        }
    }

    /// Where the candidate stands, delimiters included.
    pub(crate) fn outer(&self) -> (usize, usize) {
        self.outer
    }

    /// The same, when the window has moved on by `by` bytes.
    pub(crate) fn slide(&mut self, by: usize) {
        self.outer = (self.outer.0 - by, self.outer.1 - by);
        self.url = (self.url.0 - by, self.url.1 - by);
        if let Some(broken) = &mut self.broken {
            broken.pieces.move_back(by as u64);
            for pieces in &mut broken.alternatives {
                pieces.move_back(by as u64);
            }
        }
    }

    /// The candidate; `base` is where the window begins in the source.
    #[inline]
    pub(crate) fn candidate(self, window: &[u8], base: u64) -> Candidate<'_> {
        let span = |(start, end): (usize, usize)| Span::new(base + start as u64, base + end as u64);
        let mut candidate = Candidate {
            text: window[self.url.0..self.url.1].into(),
            outer: span(self.outer),
            pieces: span(self.url).into(),
            delimiter: self.delimiter,
            flags: self.flags,
            alternatives: Vec::new(),
        };
        if let Some(broken) = self.broken {
            candidate.text = bytes_of(window, &broken.pieces);
            candidate.pieces = broken.pieces.shifted(base);
            for pieces in broken.alternatives {
                candidate.alternatives.push(Alternative {
                    text: bytes_of(window, &pieces).into_owned(),
                    pieces: pieces.shifted(base),
                });
            }
        }
        candidate
    }
}

impl Scanner {
    pub(crate) fn new(finder: Finder) -> Self {
        Scanner {
            finder,
            next: 0,
            floor: 0,
            line_head: Vec::new(),
            schemeless: Schemeless::new(finder.schemeless),
        }
    }

    /// Looks for the next candidate in the window.
    pub(crate) fn step(&mut self, text: &Text<'_>) -> Step {
        loop {
            let Some(trigger) = self.trigger(text) else {
                if text.complete {
                    return Step::End;
                }
                // The last bytes may be the beginning of a trigger.
                let undecided = text.bytes.len().saturating_sub(schemeless::MARK);
                self.next = self.next.max(undecided);
                return Step::More;
            };
            let found = match trigger {
                Trigger::Colon(at) => self.at_colon(text, at),
                Trigger::Schemeless(at) => self.at_host(text, at),
            };
            if text.take_starved() {
                self.next = trigger.at();
                return Step::More;
            }
            self.next = trigger.at() + 1;
            if let Some(found) = found {
                self.next = self.next.max(found.outer.1);
                self.floor = self.next;
                return Step::Found(found);
            }
        }
    }

    /// The first byte that the scanner may still look at.
    pub(crate) fn needs(&self) -> usize {
        self.next.saturating_sub(LOOK_BEHIND)
    }

    /// Forgets up to `by` bytes at the start of the window, which are at most [`Self::needs`];
    /// returns how many.
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
        self.schemeless.slide(by);
        by
    }

    fn trigger(&mut self, text: &Text<'_>) -> Option<Trigger> {
        // In a list of URLs the next one is where the last one's line ends.
        if text.bytes[self.next..].starts_with(b"\nhttp:") && !self.finder.schemeless {
            return Some(Trigger::Colon(self.next + b"\nhttp".len()));
        }
        let colon = trigger::find(text.bytes, self.next)
            .filter(|&at| text.complete || at + 1 < text.bytes.len());
        let host = self.schemeless.find(text.bytes, self.next);
        match (colon, host) {
            (Some(colon), Some(host)) if host < colon => Some(Trigger::Schemeless(host)),
            (Some(colon), _) => Some(Trigger::Colon(colon)),
            (None, host) => host.map(Trigger::Schemeless),
        }
    }

    /// The byte before `at`, unless it belongs to the last candidate.
    fn before(&self, text: &Text<'_>, at: usize) -> Option<u8> {
        (at > self.floor).then(|| text.bytes[at - 1])
    }

    /// The leader of the line in which `at` stands.
    fn leader<'t>(&'t self, text: &Text<'t>, at: usize) -> Leader<'t> {
        match memchr::memrchr2(b'\n', b'\r', &text.bytes[..at]) {
            Some(end) => Leader::of(&text.bytes[end + 1..at]),
            None if self.line_head.is_empty() => Leader::of(&text.bytes[..at]),
            None => Leader::of(&self.line_head),
        }
    }

    #[inline]
    fn at_colon(&self, text: &Text<'_>, colon: usize) -> Option<Find> {
        let slashes = text.at(colon + 1) == Some(b'/') && text.at(colon + 2) == Some(b'/');
        let (start, known) = match scheme::web(text.bytes, self.floor, colon) {
            Some((start, known)) => (start, Some(known)),
            None => match self.scheme_before(text, colon, slashes)? {
                Opening::Wrapper(open) => return Some(self.wrapper(text, open, colon + 1)),
                Opening::Scheme(start, known) => (start, known),
            },
        };
        let url = Beginning {
            start,
            rest: colon + 1 + if slashes { 2 } else { 0 },
            known,
            slashes,
        };
        if self.before(text, start) == Some(b'<')
            && let Some(found) = self.angle(text, &url, colon)
        {
            return Some(found);
        }
        self.unwrapped(text, &url, colon)
    }

    /// What ends at `colon`, if a URL may go on behind it.
    fn scheme_before(&self, text: &Text<'_>, colon: usize, slashes: bool) -> Option<Opening> {
        let word = scheme::word_start(text.bytes, self.floor, colon);
        let prefix = text.bytes[word..colon].eq_ignore_ascii_case(b"URL");
        if prefix && self.before(text, word) == Some(b'<') {
            return Some(Opening::Wrapper(word - 1));
        }
        let (start, known) = scheme::start(text.bytes, word, colon)?;
        (slashes || known.is_some()).then_some(Opening::Scheme(start, known))
    }

    /// `<URL:` at `open`, its content from `from`.
    fn wrapper(&self, text: &Text<'_>, open: usize, from: usize) -> Find {
        let leader = || self.leader(text, open);
        let mut find = match rejoin::body(text, from, Body::Wrapper, leader) {
            Some((joined, close)) => {
                self.closed(text, joined, (open, close + 1), Delimiter::Wrapper)
            }
            None => unterminated(text, open, from),
        };
        if &text.bytes[open..from] != b"<URL:" {
            find.flags.set(Flag::PrefixCase);
        }
        find
    }

    /// `<` and a URL; `None` if no `>` closes it, or it is none.
    fn angle(&self, text: &Text<'_>, url: &Beginning, colon: usize) -> Option<Find> {
        let open = url.start - 1;
        let leader = || self.leader(text, open);
        let (joined, close) = rejoin::body(text, url.start, Body::Angle, leader)?;
        let whole = bytes_of(text.bytes, &joined.pieces);
        let (name, rest) = whole.split_at_checked(colon - url.start)?;
        let rest = rest.strip_prefix(b":")?;
        let is_url = match rest.strip_prefix(b"//") {
            Some(rest) => has_content(rest),
            None => url.known.is_some_and(|known| {
                has_content(rest) && (known.takes(name, rest) || slash_mistaken(known, rest))
            }),
        };
        is_url.then(|| self.closed(text, joined, (open, close + 1), Delimiter::Angle))
    }

    /// A URL that has been read to its closer.
    fn closed(
        &self,
        text: &Text<'_>,
        joined: Joined,
        outer: (usize, usize),
        delimiter: Delimiter,
    ) -> Find {
        let drop_hyphens = self.finder.hyphen == Hyphen::Drop;
        let readings = readings(text.bytes, joined, drop_hyphens);
        let mut flags = readings.flags;
        if delimiter == Delimiter::Wrapper
            && without_fragment(&bytes_of(text.bytes, &readings.pieces)).is_empty()
        {
            flags.set(Flag::Empty);
        }
        let url = (
            readings.pieces.start() as usize,
            readings.pieces.end() as usize,
        );
        let mut find = Find::in_one_piece(outer, url, delimiter);
        find.flags = flags;
        if readings.pieces.count() > 1 || !readings.alternatives.is_empty() {
            find.broken = Some(Box::new(Broken {
                pieces: readings.pieces,
                alternatives: readings.alternatives,
            }));
        }
        find
    }

    /// A URL without a wrapper: in quotes or brackets, behind `URL:`, or bare.
    #[inline]
    fn unwrapped(&self, text: &Text<'_>, url: &Beginning, colon: usize) -> Option<Find> {
        let opener = self.before(text, url.start);
        let closer = opener.and_then(closer_of);
        let mut extent = Extent::up_to(closer.filter(|&byte| is_quote(byte)));
        let from = match url.slashes {
            true => Extent::ip_literal(text, url.rest),
            false => url.rest,
        };
        if !url.slashes && !url.does_without_slashes(text, colon) {
            return None;
        }
        let (end, stop) = extent.read(text, url.start, from);
        if stop == Stop::LineEnd
            && self.finder.rejoin != Rejoin::Never
            && let Some(closer) = closer
            && let Some((joined, close)) = self.up_to_closer(text, url.start, end, &extent, closer)
        {
            let outer = (url.start - 1, close + 1);
            return Some(self.closed(text, joined, outer, delimiter_of(closer)));
        }
        let closed =
            closer.is_some() && stop != Stop::Limit && text.bytes.get(end) == closer.as_ref();
        let trimmed = extent::trim(text.bytes, url.rest, end, closed);
        if !has_content(&text.bytes[url.rest..trimmed]) {
            // Only `http://` stands before the line break.
            let cut_short = stop == Stop::LineEnd && end == url.rest && url.known.is_some();
            let (joined, end) =
                cut_short.then(|| self.over_lines(text, url.start, end, end, &mut extent))??;
            let found = joined.pieces.count() > 1;
            return found.then(|| self.closed(text, joined, (url.start, end), Delimiter::Bare));
        }
        if closed && let Some(closer) = closer {
            let outer = (url.start - 1, end + 1);
            let url = (url.start, trimmed);
            return Some(Find::in_one_piece(outer, url, delimiter_of(closer)));
        }
        Some(self.bare(text, url.start, trimmed, (end, stop), &mut extent))
    }

    /// Reads on to `closer` in the lines that follow, if they hold nothing but the URL.
    fn up_to_closer(
        &self,
        text: &Text<'_>,
        start: usize,
        mut end: usize,
        extent: &Extent,
        closer: u8,
    ) -> Option<(Joined, usize)> {
        let mut extent = *extent;
        let leader = self.leader(text, start);
        let mut joined = Joined::new(start, end);
        for _ in 0..MAX_LINES {
            if matches!(text.bytes[end - 1], b',' | b';') {
                return None;
            }
            let line_break = text.skip(end, is_blank);
            let crossing = cross(text, line_break, &leader, true)?;
            if crossing.ends || crossing.other_leader {
                return None;
            }
            joined.note_hyphen(text, line_break);
            merge(&mut joined.flags, crossing.flags);
            let (read, stop) = extent.read(text, start, crossing.at);
            if begins_with_scheme(text, crossing.at) {
                return None;
            }
            joined.push(crossing.at, read);
            if text.at(read) == Some(closer) {
                return Some((joined, read));
            }
            if stop != Stop::LineEnd || read == crossing.at {
                return None;
            }
            end = read;
        }
        None
    }

    /// A URL that nothing closes.
    #[inline]
    fn bare(
        &self,
        text: &Text<'_>,
        start: usize,
        trimmed: usize,
        (end, stop): (usize, Stop),
        extent: &mut Extent,
    ) -> Find {
        let (outer_start, delimiter) = match self.prefix_before(text, start) {
            Some(prefix) => (prefix, Delimiter::Prefix),
            None => (start, Delimiter::Bare),
        };
        // Most lines behind a URL that reaches to its line's end hold the next of a list of URLs.
        if stop == Stop::LineEnd
            && !text.bytes[end..].starts_with(b"\nhttp:")
            && let Some((joined, end)) = self.over_lines(text, start, trimmed, end, extent)
        {
            return self.closed(text, joined, (outer_start, end), delimiter);
        }
        let mut find = Find::in_one_piece((outer_start, trimmed), (start, trimmed), delimiter);
        if stop == Stop::Limit {
            find.flags.set(Flag::TooLong);
        }
        find
    }

    /// Reads a URL on that reaches to its line's end, over as many lines as the evidence says;
    /// `None` if there is nothing to say of it.
    fn over_lines(
        &self,
        text: &Text<'_>,
        start: usize,
        mut trimmed: usize,
        mut end: usize,
        extent: &mut Extent,
    ) -> Option<(Joined, usize)> {
        let mut joined = None;
        for _ in 0..MAX_LINES {
            // Sentence punctuation at the line's end says that the URL ends; `?` and `_` may not.
            let reaches = end == trimmed
                || (end == trimmed + 1 && matches!(text.bytes[trimmed], b'?' | b'_'));
            let line_break = text.skip(end, is_blank);
            let Some(next_line) = text.after_break(line_break).filter(|_| reaches) else {
                break;
            };
            if begins_with_scheme(text, next_line) {
                break;
            }
            let leader = self.leader(text, start);
            let Some(crossing) = cross(text, line_break, &leader, false) else {
                break;
            };
            if begins_with_scheme(text, crossing.at) {
                break;
            }
            let so_far = joined.get_or_insert_with(|| Joined::new(start, trimmed));
            let (next_end, stop) = extent.read(text, start, crossing.at);
            let next_trimmed = extent::trim(text.bytes, crossing.at, next_end, false);
            let mut pieces = so_far.pieces.clone();
            pieces.push(Span::new(trimmed as u64, end as u64));
            let found = Break {
                pieces: &pieces,
                at: line_break,
                crossing: &crossing,
                leader: &leader,
                end: next_trimmed,
            };
            match rejoin::evidence(text, self.finder.rejoin, &found) {
                Verdict::Join => {
                    so_far.pieces = pieces;
                    so_far.note_hyphen(text, line_break);
                    so_far.note_soft_break(text, line_break, crossing.indented);
                    merge(&mut so_far.flags, crossing.flags);
                    so_far.push(crossing.at, next_trimmed);
                }
                Verdict::Perhaps => {
                    so_far.flags.set(Flag::BrokenUrl);
                    break;
                }
                Verdict::End => break,
            }
            (trimmed, end) = (next_trimmed, next_end);
            if stop != Stop::LineEnd {
                break;
            }
        }
        joined.map(|joined| (joined, trimmed))
    }

    /// Where `URL:` stands directly before `start`, blanks between them.
    fn prefix_before(&self, text: &Text<'_>, start: usize) -> Option<usize> {
        let line = &text.bytes[self.floor.max(start.saturating_sub(8))..start];
        let blanks = line
            .iter()
            .rev()
            .take_while(|&&byte| is_blank(byte))
            .count();
        let (rest, _) = line.split_at(line.len() - blanks);
        let at = rest.len().checked_sub(4)?;
        let boundary = at == 0 || !rest[at - 1].is_ascii_alphanumeric();
        (boundary && rest[at..].eq_ignore_ascii_case(b"URL:")).then(|| start - blanks - 4)
    }

    /// A host without a scheme at `start`.
    fn at_host(&self, text: &Text<'_>, start: usize) -> Option<Find> {
        let boundary = self.before(text, start);
        if boundary.is_some_and(schemeless::joins_on) {
            return None;
        }
        let closer = boundary.and_then(closer_of);
        let mut extent = Extent::up_to(closer.filter(|&byte| is_quote(byte)));
        let (end, stop) = extent.read(text, start, start);
        let trimmed = extent::trim(text.bytes, start, end, false);
        if !schemeless::is_host(&text.bytes[start..trimmed]) {
            return None;
        }
        Some(self.bare(text, start, trimmed, (end, stop), &mut extent))
    }
}

#[derive(Clone, Copy)]
enum Trigger {
    Colon(usize),
    Schemeless(usize),
}

impl Trigger {
    fn at(self) -> usize {
        match self {
            Trigger::Colon(at) | Trigger::Schemeless(at) => at,
        }
    }
}

/// What ends at a colon.
enum Opening {
    /// `<URL:`, which begins there.
    Wrapper(usize),
    /// A scheme, which begins there, and is known or not.
    Scheme(usize, Option<&'static Known>),
}

/// How a URL begins.
struct Beginning {
    start: usize,
    /// What follows the colon, and the slashes if there are any.
    rest: usize,
    known: Option<&'static Known>,
    slashes: bool,
}

impl Beginning {
    /// Whether what follows makes a URL of it although there is no `//`; little enough is looked
    /// at that a text of nothing but such beginnings costs no more than another.
    fn does_without_slashes(&self, text: &Text<'_>, colon: usize) -> bool {
        let mut end = self.rest;
        while end - self.rest < MAX_HINT && text.at(end).is_some_and(|byte| byte > b' ') {
            end += 1;
        }
        let (name, rest) = (&text.bytes[self.start..colon], &text.bytes[self.rest..end]);
        self.known
            .is_some_and(|known| known.takes(name, rest) || slash_mistaken(known, rest))
    }
}

/// Whether something follows the scheme that is more than punctuation.
fn has_content(rest: &[u8]) -> bool {
    rest.iter()
        .any(|&byte| byte.is_ascii_alphanumeric() || byte >= 0x80)
}

/// `http:/host`, `http:\\host`: the slashes were meant.
fn slash_mistaken(known: &Known, rest: &[u8]) -> bool {
    let meant = match rest {
        [b'/', next, ..] | [b'\\', b'\\', next, ..] => next.is_ascii_alphanumeric(),
        _ => false,
    };
    meant && matches!(known.name, "http" | "https" | "ftp")
}

/// Whether a scheme and its colon stand at `at`: the next URL of a list, or a label.
fn begins_with_scheme(text: &Text<'_>, at: usize) -> bool {
    let mut end = at;
    while end - at < scheme::MAX_SCHEME && text.at(end).is_some_and(scheme::is_scheme_character) {
        end += 1;
    }
    end > at && text.at(end) == Some(b':')
}

/// A `<URL:` that nothing closes: the first word behind it on its line.
fn unterminated(text: &Text<'_>, open: usize, from: usize) -> Find {
    let start = text.skip(from, is_blank);
    let word = text.skip(start, |byte| byte > b' ' && byte != b'<' && byte != b'>');
    let mut end = word.min(start + MAX_UNTERMINATED);
    while end > start && b".,;:!?'\")]}".contains(&text.bytes[end - 1]) {
        end -= 1;
    }
    let start = if end == start { from } else { start };
    let end = end.max(start);
    let outer = (open, if end == start { from } else { end });
    let mut find = Find::in_one_piece(outer, (start, end), Delimiter::Wrapper);
    find.flags.set(Flag::Unterminated);
    find
}

fn closer_of(opener: u8) -> Option<u8> {
    match opener {
        b'"' | b'\'' | b'`' => Some(opener),
        b'(' => Some(b')'),
        b'[' => Some(b']'),
        b'{' => Some(b'}'),
        _ => None,
    }
}

fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'`')
}

fn delimiter_of(closer: u8) -> Delimiter {
    if is_quote(closer) {
        Delimiter::Quotes
    } else {
        Delimiter::Brackets
    }
}
