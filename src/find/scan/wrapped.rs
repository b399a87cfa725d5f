//! URLs that `>` closes: `<URL:…>` and `<http:…>`.

use super::matched::Match;
use super::{Beginning, Scanner, has_content, slash_mistaken};
use crate::find::candidate::{Candidate, Delimiter, Flag};
use crate::find::rejoin;
use crate::find::rejoin::{Body, Closed, Joined, MAX_LEADER, bytes_of, readings, without_fragment};
use crate::text::window::{Text, is_blank};
use crate::url::schemes::{MAX_KNOWN, is_scheme_character, lookup_known};

impl Scanner {
    /// The URL of the `<URL:` at `open`, with its content from `from` on.
    pub(super) fn wrapper(&self, text: &Text<'_>, open: usize, from: usize) -> Match {
        let mut found = match self.wrapped(text, open, from) {
            Some(found) => found,
            None => unterminated(text, open, from),
        };
        if &text.bytes[open..from] != b"<URL:" {
            found.flags.set(Flag::PrefixCase);
        }
        found
    }

    fn wrapped(&self, text: &Text<'_>, open: usize, from: usize) -> Option<Match> {
        if let Some(close) = rejoin::plain_body(text, from)
            && text.bytes[from] != b'#'
        {
            let (outer, url) = ((open, close + 1), (from, close));
            return Some(Match::in_one_piece(outer, url, Delimiter::Wrapper));
        }
        let leader = || self.leader(text, open);
        let Closed { joined, close } = rejoin::body(text, from, Body::Wrapper, leader)?;
        Some(self.joined(text, joined, (open, close + 1), Delimiter::Wrapper))
    }

    /// The URL after a `<`, if a `>` closes it. `colon` is that of its scheme.
    pub(super) fn angle(&self, text: &Text<'_>, url: &Beginning, colon: usize) -> Option<Match> {
        let open = url.start - 1;
        if url.slashes
            && let Some(close) = rejoin::plain_body(text, url.rest)
            && has_content(&text.bytes[url.rest..close])
        {
            let (outer, url) = ((open, close + 1), (url.start, close));
            return Some(Match::in_one_piece(outer, url, Delimiter::Angle));
        }
        let leader = || self.leader(text, open);
        let Closed { joined, close } = rejoin::body(text, url.start, Body::Angle, leader)?;
        let whole = bytes_of(text.bytes, &joined.pieces);
        let (name, rest) = whole.split_at_checked(colon - url.start)?;
        let rest = rest.strip_prefix(b":")?;
        let is_url = match rest.strip_prefix(b"//") {
            Some(rest) => has_content(rest),
            None => url.known.is_some_and(|known| {
                has_content(rest)
                    && (known.takes(name, rest) || slash_mistaken(known, rest) || is_host(rest))
            }),
        };
        is_url.then(|| self.joined(text, joined, (open, close + 1), Delimiter::Angle))
    }

    /// Where `<` ends the line before `start`, perhaps with the first letters of `URL:` or of a scheme after
    /// it, if nothing but leader and indentation precedes `start` in its own line.
    #[inline]
    pub(super) fn opener_before_break(&self, text: &Text<'_>, start: usize) -> Option<usize> {
        let before = self.before(text, start)?;
        let may_begin_line = matches!(before, b'\n' | b'\r' | b' ' | b'\t' | b'>' | b'|' | b':');
        may_begin_line.then(|| self.find_opener(text, start))?
    }

    fn find_opener(&self, text: &Text<'_>, start: usize) -> Option<usize> {
        let near = &text.bytes[self.floor.max(start.saturating_sub(MAX_LEADER))..start];
        let line = memchr::memrchr2(b'\n', b'\r', near)?;
        let leader = |byte: &u8| is_blank(*byte) || b">|#*/;%".contains(byte);
        let (head, prefix) = near[line + 1..].split_at(near.len() - line - 1 - prefix_len(near));
        let last = near[..line].strip_suffix(b"\r").unwrap_or(&near[..line]);
        let blanks = last
            .iter()
            .rev()
            .take_while(|&&byte| is_blank(byte))
            .count();
        let last = &last[..last.len() - blanks];
        let open = memchr::memrchr(b'<', &last[last.len().saturating_sub(MAX_KNOWN + 1)..])?;
        let open = last.len().saturating_sub(MAX_KNOWN + 1) + open;
        let opened = &last[open + 1..];
        let is_prefix = [opened, prefix].concat().eq_ignore_ascii_case(b"URL:");
        let is_scheme = prefix.is_empty() && opened.iter().all(|&byte| is_scheme_character(byte));
        (head.iter().all(leader) && (is_prefix || is_scheme)).then(|| start - near.len() + open)
    }

    /// The URL of a `<` at `open` that ends its line, perhaps in the middle of `URL:` or of the scheme, if
    /// a `>` closes it.
    pub(super) fn split(&self, text: &Text<'_>, open: usize, slashes: bool) -> Option<Match> {
        let leader = || self.leader(text, open);
        let is_wrapper = |whole: &[u8]| {
            let prefix = whole.first_chunk::<4>();
            prefix.is_some_and(|prefix| prefix.eq_ignore_ascii_case(b"URL:"))
        };
        let Closed { joined, close } = rejoin::body(text, open + 1, Body::Wrapper, leader)?;
        if is_wrapper(&bytes_of(text.bytes, &joined.pieces)) {
            let joined = rejoin::without_start(joined, b"URL:".len());
            return Some(self.joined(text, joined, (open, close + 1), Delimiter::Wrapper));
        }
        let leader = || self.leader(text, open);
        let Closed { joined, close } = rejoin::body(text, open + 1, Body::Angle, leader)?;
        let whole = bytes_of(text.bytes, &joined.pieces);
        let colon = memchr::memchr(b':', &whole)?;
        let known = lookup_known(&whole[..colon])?;
        let rest = &whole[colon + 1..];
        let is_url = if slashes {
            rest.strip_prefix(b"//").is_some_and(has_content)
        } else {
            has_content(rest) && known.takes(&whole[..colon], rest)
        };
        is_url.then(|| self.joined(text, joined, (open, close + 1), Delimiter::Angle))
    }

    /// A candidate that may consist of several pieces, with the reading of its hyphens that is to be
    /// preferred.
    pub(super) fn joined(
        &self,
        text: &Text<'_>,
        mut joined: Joined,
        outer: (usize, usize),
        delimiter: Delimiter,
    ) -> Match {
        let spaces = std::mem::take(&mut joined.spaces);
        let joins = joined.joins;
        let readings = readings(text.bytes, joined, &self.finder);
        let mut flags = readings.flags;
        if delimiter == Delimiter::Wrapper
            && without_fragment(&bytes_of(text.bytes, &readings.pieces)).is_empty()
        {
            flags.set(Flag::Empty);
        }
        let mut found = Match::broken(
            outer,
            readings.pieces,
            delimiter,
            readings.alternatives,
            (spaces, joins),
        );
        found.flags = flags;
        found
    }
}

/// How many bytes at the end of `near` belong to a `URL:` that begins in the line before.
fn prefix_len(near: &[u8]) -> usize {
    const ENDS: [&[u8]; 3] = [b"RL:", b"L:", b":"];
    let ends = ENDS.iter().find(|end| {
        let at = near.len().checked_sub(end.len());
        at.is_some_and(|at| near[at..].eq_ignore_ascii_case(end))
    });
    ends.map_or(0, |end| end.len())
}

/// Returns whether `rest` begins with the name of a host, perhaps with parameters: `a.example;lr`.
fn is_host(rest: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.');
    let len = rest.iter().take_while(|byte| is_part(byte)).count();
    let (host, after) = rest.split_at(len);
    let has_labels = host
        .split(|&byte| byte == b'.')
        .all(|label| !label.is_empty());
    has_labels && host.contains(&b'.') && matches!(after, [] | [b';' | b':' | b'/' | b'?', ..])
}

/// The URL of a `<URL:` that nothing closes: the first word after it in its line.
fn unterminated(text: &Text<'_>, open: usize, from: usize) -> Match {
    let start = text.skip(from, is_blank);
    let word = text.skip(start, |byte| byte > b' ' && byte != b'<' && byte != b'>');
    let mut end = word.min(start + Candidate::MAX_LEN);
    while end > start && b".,;:!?'\")]}".contains(&text.bytes[end - 1]) {
        end -= 1;
    }
    let start = if end == start { from } else { start };
    let end = end.max(start);
    let outer = (open, if end == start { from } else { end });
    let mut found = Match::in_one_piece(outer, (start, end), Delimiter::Wrapper);
    found.flags.set(Flag::Unterminated);
    found
}
