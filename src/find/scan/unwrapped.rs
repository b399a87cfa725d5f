//! URLs without a wrapper: in quotes or brackets, behind `URL:`, or bare.

use super::extent;
use super::extent::{Extent, Stop};
use super::found::Find;
use super::{Beginning, Scanner, has_content, list, scheme, schemeless};
use crate::find::Rejoin;
use crate::find::candidate::{Delimiter, Flag};
use crate::find::rejoin;
use crate::find::rejoin::{Break, Joined, Verdict, cross};
use crate::text::span::Span;
use crate::text::window::{Text, is_blank};

/// How many lines a URL may go on for.
const MAX_LINES: usize = 3;

impl Scanner {
    /// A URL without a wrapper: in quotes or brackets, behind `URL:`, or bare.
    #[inline(always)]
    pub(super) fn unwrapped(&self, text: &Text<'_>, url: &Beginning, colon: usize) -> Option<Find> {
        let opener = self.before(text, url.start);
        let closer = opener.and_then(closer_of);
        // In the URL of a file a backslash is rather one of a path.
        let code = self.finder.code && url.known.is_none_or(|known| known.name != "file");
        let mut extent = Extent::up_to(closer.filter(|&byte| is_quote(byte)), code);
        let from = match url.slashes {
            true => Extent::ip_literal(text, url.rest),
            false => url.rest,
        };
        if !url.slashes && !url.does_without_slashes(text, colon) {
            return None;
        }
        let (end, stop) = extent.read_plain_line(text, url.start, from);
        if stop == Stop::LineEnd
            && self.finder.rejoin != Rejoin::Never
            && let Some(closer) = closer
            && let Some((joined, close)) =
                self.up_to_closer(text, url.start, end, &mut extent, closer)
        {
            let outer = (url.start - 1, close + 1);
            return Some(self.closed(text, joined, outer, delimiter_of(closer)));
        }
        let closed =
            closer.is_some() && stop != Stop::Limit && text.bytes.get(end) == closer.as_ref();
        let trimmed = extent::trim(text.bytes, url.rest, end, closed);
        if !has_content(&text.bytes[url.rest..trimmed]) {
            // Only `http://` stands before the line break.
            let at_line_end = stop == Stop::LineEnd && end == url.rest;
            let cut_short = at_line_end && url.slashes && url.known.is_some();
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

    /// Reads on to `closer` in the lines that follow, if they hold nothing but the URL; of what is
    /// read in vain `extent` has nothing open.
    fn up_to_closer(
        &self,
        text: &Text<'_>,
        start: usize,
        mut end: usize,
        extent: &mut Extent,
        closer: u8,
    ) -> Option<(Joined, usize)> {
        let mut further = *extent;
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
            joined.note_soft_break(text, line_break, crossing.indented);
            joined.flags.extend(crossing.flags);
            let (read, stop) = further.read(text, start, crossing.at);
            extent.learn(&further);
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
    #[inline(always)]
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
        // Most lines behind a URL that reaches to its line's end are blank or hold the next of a
        // list of URLs: it does not go on there.
        if stop == Stop::LineEnd
            && list::next_scheme(text.bytes, end).is_none()
            && !text.bytes[end..].starts_with(b"\n\n")
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
                    so_far.flags.extend(crossing.flags);
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
        let before = self.before(text, start)?;
        if before != b':' && !is_blank(before) {
            return None;
        }
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
    pub(super) fn at_host(&self, text: &Text<'_>, start: usize) -> Option<Find> {
        let boundary = self.before(text, start);
        if boundary.is_some_and(schemeless::joins_on) {
            return None;
        }
        let closer = boundary.and_then(closer_of);
        let quote = closer.filter(|&byte| is_quote(byte));
        let mut extent = Extent::up_to(quote, self.finder.code);
        let (end, stop) = extent.read(text, start, start);
        let trimmed = extent::trim(text.bytes, start, end, false);
        if !schemeless::is_host(&text.bytes[start..trimmed]) {
            return None;
        }
        Some(self.bare(text, start, trimmed, (end, stop), &mut extent))
    }
}

/// Whether a scheme and its colon stand at `at`: the next URL of a list, or a label.
fn begins_with_scheme(text: &Text<'_>, at: usize) -> bool {
    let mut end = at;
    while end - at < scheme::MAX_SCHEME && text.at(end).is_some_and(scheme::is_scheme_character) {
        end += 1;
    }
    end > at && text.at(end) == Some(b':')
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
