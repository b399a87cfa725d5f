//! URLs that `>` closes: `<URL:…>` and `<http:…>`.

use super::found::Find;
use super::{Beginning, Scanner, has_content, slash_mistaken};
use crate::find::Hyphen;
use crate::find::candidate::{Candidate, Delimiter, Flag};
use crate::find::rejoin;
use crate::find::rejoin::{Body, Joined, bytes_of, readings, without_fragment};
use crate::text::window::{Text, is_blank};

impl Scanner {
    /// `<URL:` at `open`, its content from `from`.
    pub(super) fn wrapper(&self, text: &Text<'_>, open: usize, from: usize) -> Find {
        let mut find = match self.wrapped(text, open, from) {
            Some(find) => find,
            None => unterminated(text, open, from),
        };
        if &text.bytes[open..from] != b"<URL:" {
            find.flags.set(Flag::PrefixCase);
        }
        find
    }

    fn wrapped(&self, text: &Text<'_>, open: usize, from: usize) -> Option<Find> {
        if let Some(close) = rejoin::plain_body(text, from)
            && text.bytes[from] != b'#'
        {
            let outer = (open, close + 1);
            return Some(Find::in_one_piece(outer, (from, close), Delimiter::Wrapper));
        }
        let leader = || self.leader(text, open);
        let (joined, close) = rejoin::body(text, from, Body::Wrapper, leader)?;
        Some(self.closed(text, joined, (open, close + 1), Delimiter::Wrapper))
    }

    /// `<` and a URL; `None` if no `>` closes it, or it is none.
    pub(super) fn angle(&self, text: &Text<'_>, url: &Beginning, colon: usize) -> Option<Find> {
        let open = url.start - 1;
        if url.slashes
            && let Some(close) = rejoin::plain_body(text, url.rest)
            && has_content(&text.bytes[url.rest..close])
        {
            let outer = (open, close + 1);
            return Some(Find::in_one_piece(
                outer,
                (url.start, close),
                Delimiter::Angle,
            ));
        }
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
    pub(super) fn closed(
        &self,
        text: &Text<'_>,
        mut joined: Joined,
        outer: (usize, usize),
        delimiter: Delimiter,
    ) -> Find {
        let drop_hyphens = self.finder.hyphen == Hyphen::Drop;
        let spaces = std::mem::take(&mut joined.spaces);
        let readings = readings(text.bytes, joined, drop_hyphens);
        let mut flags = readings.flags;
        if delimiter == Delimiter::Wrapper
            && without_fragment(&bytes_of(text.bytes, &readings.pieces)).is_empty()
        {
            flags.set(Flag::Empty);
        }
        let mut find = Find::broken(
            outer,
            readings.pieces,
            delimiter,
            readings.alternatives,
            spaces,
        );
        find.flags = flags;
        find
    }
}

/// A `<URL:` that nothing closes: the first word behind it on its line.
fn unterminated(text: &Text<'_>, open: usize, from: usize) -> Find {
    let start = text.skip(from, is_blank);
    let word = text.skip(start, |byte| byte > b' ' && byte != b'<' && byte != b'>');
    let mut end = word.min(start + Candidate::MAX_LEN);
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
