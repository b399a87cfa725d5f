//! URLs closed by `>`: `<URL:…>` and `<http:…>`.

use super::extent::{is_data, is_drive};
use super::matched::Match;
use super::near::MAX_STRING;
use super::{Beginning, Scanner, has_content, slash_mistaken};
use crate::candidate::{Candidate, Delimiter, Flag};
use crate::rejoin;
use crate::rejoin::{Body, Closed, Joined, bytes_of, readings, without_fragment};
use crate::text::Text;
use urlint_standard::text::window::is_blank;
use urlint_standard::url::schemes::Scheme;

/// Returns whether `rest` is a host of signs and a slash: the brackets around it show that it is meant. Three
/// dots are left to the reader.
fn is_of_signs(rest: &[u8]) -> bool {
    rest.len() > 1 && rest.ends_with(b"/") && !rest.starts_with(b"/") && !rest.starts_with(b"...")
}

impl Scanner {
    /// Returns the URL of the `<URL:` at `open`, whose content begins at `from`.
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

    /// Returns the URL after a `<`, if a `>` closes it.
    pub(super) fn angle(&self, text: &Text<'_>, url: &Beginning) -> Option<Match> {
        let open = url.start - 1;
        if url.slashes
            && let Some(close) = rejoin::plain_body(text, url.rest)
            && let rest = &text.bytes[url.rest..close]
            && (has_content(rest) || url.is_of_root(rest) || is_of_signs(rest))
        {
            let (outer, url) = ((open, close + 1), (url.start, close));
            return Some(Match::in_one_piece(outer, url, Delimiter::Angle));
        }
        if let Some((bar, close)) = named(text, url.rest) {
            let (outer, url) = ((open, close + 1), (url.start, bar));
            return Some(Match::in_one_piece(outer, url, Delimiter::Angle));
        }
        self.in_angles(text, open, |_| url.known)
    }

    /// Returns the URL after the `<` at `open`, if a `>` closes it. `known` looks up its scheme.
    pub(super) fn in_angles(
        &self,
        text: &Text<'_>,
        open: usize,
        known: impl FnOnce(&[u8]) -> Option<&'static Scheme>,
    ) -> Option<Match> {
        let leader = || self.leader(text, open);
        let Closed { joined, close } = rejoin::body(text, open + 1, Body::Angle, leader)?;
        let whole = bytes_of(text.bytes, &joined.pieces);
        let (name, rest) = whole.split_at(memchr::memchr(b':', &whole)?);
        let rest = &rest[1..];
        let is_url = match rest.strip_prefix(b"//") {
            Some(rest) => has_content(rest),
            // `<File:x.png>` is a file of a wiki.
            None if name == b"File" => false,
            None => known(name).is_some_and(|known| {
                has_content(rest)
                    && (known.accepts(name, rest) || slash_mistaken(known, rest) || is_host(rest))
            }),
        };
        let outer = (open, close + 1);
        if let Some(piece) = joined.pieces.single().filter(|_| is_url)
            && let Some(bar) = separator(text, piece.start as usize, close)
        {
            let url = (piece.start as usize, bar);
            return Some(Match::in_one_piece(outer, url, Delimiter::Angle));
        }
        is_url.then(|| self.joined(text, joined, outer, Delimiter::Angle))
    }

    /// Makes a candidate that may consist of several pieces, with the preferred reading of its
    /// hyphens.
    pub(super) fn joined(
        &self,
        text: &Text<'_>,
        joined: Joined,
        outer: (usize, usize),
        delimiter: Delimiter,
    ) -> Match {
        let mut readings = readings(text, joined, delimiter, &self.finder);
        if delimiter == Delimiter::Wrapper
            && without_fragment(&bytes_of(text.bytes, &readings.pieces)).is_empty()
        {
            readings.flags.set(Flag::Empty);
        }
        Match::broken(outer, delimiter, readings)
    }
}

/// Returns where the URL that goes on at `from` ends and the `>` is, if a name of several words is between them, as in
/// the messages of Slack: `<http://a.example/?b|two words>`.
fn named(text: &Text<'_>, from: usize) -> Option<(usize, usize)> {
    let line = text.line_from(from, MAX_STRING);
    let close = memchr::memchr(b'>', line)?;
    let bar = memchr::memchr2(b'|', b' ', &line[..close])?;
    let is_name = line[bar] == b'|' && line[bar..close].contains(&b' ');
    is_name.then_some((from + bar, from + close))
}

/// Returns where the `|` is that separates the URL from `start` to `close` from its text, as in
/// `<http://a.example/|text>`.
fn separator(text: &Text<'_>, start: usize, close: usize) -> Option<usize> {
    let bar = start + memchr::memchr(b'|', &text.bytes[start..close])?;
    let is_part = match memchr::memchr2(b'?', b'#', &text.bytes[start..bar]) {
        Some(_) => is_data(text, bar),
        None => is_drive(text, bar),
    };
    (!is_part).then_some(bar)
}

/// Returns whether `rest` begins with a host name, perhaps with parameters: `a.example;lr`.
fn is_host(rest: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.');
    let len = rest.iter().take_while(|byte| is_part(byte)).count();
    let (host, after) = rest.split_at(len);
    let has_labels = host
        .split(|&byte| byte == b'.')
        .all(|label| !label.is_empty());
    has_labels && host.contains(&b'.') && matches!(after, [] | [b';' | b':' | b'/' | b'?', ..])
}

/// Returns the URL of a `<URL:` that nothing closes: the first word after it on its line.
fn unterminated(text: &Text<'_>, open: usize, from: usize) -> Match {
    let start = text.skip(from, is_blank);
    let word = text.skip(start, |byte| byte > b' ' && byte != b'<' && byte != b'>');
    let mut end = word.min(start + Candidate::MAX_LEN);
    if end < word {
        // Not inside a character, which has at most three more bytes.
        let rest = text.bytes[..=end].iter().rev().take(3);
        end -= rest.take_while(|byte| (0x80..0xC0).contains(*byte)).count();
    }
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
