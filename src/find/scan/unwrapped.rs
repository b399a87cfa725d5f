//! URLs without a wrapper: in quotes or brackets, after `URL:`, or bare.

use super::extent::{self, End, Extent, Stop};
use super::matched::Match;
use super::{
    Beginning, MAX_HINT, Scanner, has_content, is_split, list, quoted, schemeless, unicode,
};
use crate::Rejoin;
use crate::candidate::{Delimiter, Evidence, Flag, MAX_LINES};
use crate::mistake::{Mistake, is_spaced, may_precede};
use crate::rejoin::{self, Break, Closed, Joined, Leader, Verdict, bytes_of, cross};
use crate::text::Text;
use urlint_standard::text::Span;
use urlint_standard::text::window::{is_blank, split_blanks_at_end};
use urlint_standard::url::schemes::{MAX_SCHEME, is_scheme_character};

/// The maximum number of folded lines over which a URL may continue.
const MAX_FOLDS: usize = 64;

/// A URL without a wrapper, while it is being read.
struct Unwrapped<'s, 't> {
    scanner: &'s Scanner,
    text: &'s Text<'t>,
    /// The bytes that have been read so far.
    extent: Extent,
}

impl Scanner {
    /// Returns a URL without a wrapper: in quotes or brackets, after `URL:`, or bare. `colon` is
    /// the colon of its scheme.
    #[inline(always)]
    pub(super) fn unwrapped(
        &self,
        text: &Text<'_>,
        url: &Beginning,
        colon: usize,
    ) -> Option<Match> {
        let is_web = url.known.is_some_and(|known| known.is_web);
        let is_split = !url.slashes && is_web && !self.finder.code && is_split(text, colon);
        let before = self.before(text, url.start);
        let lacks_slashes = || {
            let near = text.line_from(url.start, MAX_HINT);
            let mistake = Mistake::without_slashes(colon - url.start);
            is_web && self.is_meant(near, before, mistake)
        };
        if !url.slashes && !is_split && !url.does_without_slashes(text, colon) && !lacks_slashes() {
            return None;
        }
        let closer = before.and_then(closer_of);
        // In a file URL a backslash is probably part of the path.
        let code = self.finder.code && url.known.is_none_or(|known| known.name != "file");
        let mut reading = Unwrapped {
            scanner: self,
            text,
            extent: Extent::new(url.start, closer, code),
        };
        let from = if url.slashes {
            Extent::ip_literal(text, url.rest)
        } else {
            url.rest
        };
        let mut end = reading.extent.read_plain_line(text, from);
        let quoted = match before {
            Some(b'"' | b'\'' | b'`' | 0x80..) => quoted::end(text, url.start, self.floor),
            Some(b'(' | b'[' | b'|') if matches!(text.at(end.at), Some(0x80..)) => {
                quoted::end(text, url.start, self.floor)
            }
            _ => None,
        };
        if let Some(at) = quoted {
            let stop = Stop::Closer;
            end = End { at, stop };
        }
        if self.finder.mistakes
            && text.bytes.get(end.at) == Some(&b' ')
            && let Some(found) = self.spaced(text, url.start, end.at)
        {
            return Some(found);
        }
        if end.stop == Stop::LineEnd
            && self.finder.rejoin != Rejoin::Never
            && let Some(closer) = closer
            && let Some(found) = reading.closed(end.at, closer)
        {
            return Some(found);
        }
        let closer = closer.filter(|closer| text.bytes.get(end.at) == Some(closer));
        let closer = closer.filter(|_| end.stop != Stop::Limit);
        let trimmed = match quoted {
            Some(close) => quoted::trim(text, url.rest, close, self.finder.code),
            None => extent::trim(text.bytes, url.start, url.rest, end.at, closer.is_some()),
        };
        let rest = &text.bytes[url.rest..trimmed];
        if !has_content(rest) && !url.is_of_root(rest) || unicode::is_word(rest) {
            // Perhaps only `http://` or `http:` precedes the line break.
            let at_line_end = end.stop == Stop::LineEnd && end.at == url.rest;
            let is_cut_short = at_line_end && (url.slashes || is_split) && url.known.is_some();
            return is_cut_short.then(|| reading.cut_short(end.at))?;
        }
        if let Some(closer) = closer {
            if reading.is_doubled(end.at)
                && let Some(found) = reading.with_apostrophes(end.at)
            {
                return Some(found);
            }
            let outer = (url.start - 1, end.at + 1);
            let url = (url.start, trimmed);
            return Some(Match::in_one_piece(outer, url, delimiter_of(closer)));
        }
        Some(reading.bare(trimmed, end))
    }

    /// Returns the host without a scheme at `start`.
    pub(super) fn at_host(&self, text: &Text<'_>, start: usize) -> Option<Match> {
        let before = self.before(text, start);
        let near = &text.bytes[self.floor.max(start.saturating_sub(4))..start];
        if schemeless::joins_on(near) {
            return None;
        }
        let closer = before.and_then(closer_of);
        let mut reading = Unwrapped {
            scanner: self,
            text,
            extent: Extent::new(start, closer, self.finder.code),
        };
        let end = reading.extent.read(text, start);
        let trimmed = extent::trim(text.bytes, start, start, end.at, false);
        let is_host = schemeless::is_host(&text.bytes[start..trimmed]);
        is_host.then(|| reading.bare(trimmed, end))
    }

    /// Returns the URL at `start` that has a space at `space`, if quotes or angle brackets hold nothing
    /// else.
    #[inline(never)]
    fn spaced(&self, text: &Text<'_>, start: usize, space: usize) -> Option<Match> {
        let (closer, delimiter) = match self.before(text, start)? {
            b'<' => (b'>', Delimiter::Angle),
            quote @ (b'"' | b'\'') => (quote, Delimiter::Quotes),
            _ => return None,
        };
        let end = space + memchr::memchr(closer, text.line_from(space, MAX_HINT))?;
        let is_short = space - start < MAX_HINT;
        let is_spaced = is_short && is_spaced(&text.bytes[start..end], closer == b'>');
        let outer = (start - 1, end + 1);
        is_spaced.then(|| Match::in_one_piece(outer, (start, end), delimiter))
    }

    /// Returns whether `near`, after the byte `before`, begins with `mistake` and a host.
    fn is_meant(&self, near: &[u8], before: Option<u8>, mistake: Mistake) -> bool {
        // In code, the text after a space or a colon is a comment or another argument.
        let sign = &near[..mistake.len];
        let is_of_code = sign.ends_with(b":") || sign.contains(&b' ');
        self.finder.mistakes
            && before.is_none_or(may_precede)
            && !(is_of_code && self.finder.code)
            && mistake.is_before_host(near)
    }

    /// Returns the URL of the web with a mistaken beginning at `start`.
    pub(super) fn at_mistake(&self, text: &Text<'_>, start: usize) -> Option<Match> {
        let before = self.before(text, start);
        let near = text.line_from(start, MAX_HINT);
        let mistake = Mistake::at_start(near)?;
        if !self.is_meant(near, before, mistake) {
            return None;
        }
        let closer = before.and_then(closer_of);
        let mut extent = Extent::new(start, closer, self.finder.code);
        let from = start + mistake.len;
        let end = extent.read(text, from);
        let trimmed = extent::trim(text.bytes, start, from, end.at, false);
        let url = (start, trimmed);
        Some(Match::in_one_piece(url, url, Delimiter::Bare))
    }

    /// Returns where the `URL:` before `start` begins, if only blanks are between them.
    fn prefix_before(&self, text: &Text<'_>, start: usize) -> Option<usize> {
        let before = self.before(text, start)?;
        if before != b':' && !is_blank(before) {
            return None;
        }
        let line = &text.bytes[self.floor.max(start.saturating_sub(8))..start];
        let (rest, _) = split_blanks_at_end(line);
        let name = rest.strip_suffix(b":")?;
        let at = name.len().checked_sub(3)?;
        let boundary = at == 0 || !name[at - 1].is_ascii_alphanumeric();
        (boundary && name[at..].eq_ignore_ascii_case(b"URL")).then(|| start - line.len() + at)
    }
}

impl Unwrapped<'_, '_> {
    /// Returns the URL that ends its line at `end` and continues up to `closer`.
    #[inline(never)]
    fn closed(&mut self, end: usize, closer: u8) -> Option<Match> {
        let Closed { joined, close } = self.up_to_closer(end, closer)?;
        let outer = (self.extent.start - 1, close + 1);
        let delimiter = delimiter_of(closer);
        Some(self.scanner.joined(self.text, joined, outer, delimiter))
    }

    /// Returns whether two apostrophes at `at` stand for one within a word, as in strings of YAML and SQL.
    fn is_doubled(&self, at: usize) -> bool {
        let is_of_word = |at| (self.text.at(at)).is_some_and(|byte| byte.is_ascii_alphanumeric());
        let is_string = self.scanner.finder.code && self.text.has(at, b"''");
        is_string && is_of_word(at - 1) && is_of_word(at + 2)
    }

    /// Returns the URL with the doubled apostrophes at `at` and later, each of which is one.
    #[inline(never)]
    fn with_apostrophes(&mut self, mut at: usize) -> Option<Match> {
        let start = self.extent.start;
        let (mut joined, mut piece) = (Joined::new(start, start), start);
        while self.is_doubled(at) {
            joined.push(piece, at);
            piece = at + 1;
            at = self.extent.read(self.text, at + 2).at;
        }
        joined.push(piece, at);
        let outer = (start - 1, at + 1);
        let is_closed = self.text.at(at) == Some(b'\'');
        is_closed.then(|| (self.scanner).joined(self.text, joined, outer, Delimiter::Quotes))
    }

    /// Returns the URL whose scheme and `//` alone precede the line break at `end`.
    #[inline(never)]
    fn cut_short(&mut self, end: usize) -> Option<Match> {
        let joined = self.over_lines(end, end)?;
        let outer = (self.extent.start, joined.end());
        let is_broken = joined.pieces.single().is_none();
        is_broken.then(|| (self.scanner).joined(self.text, joined, outer, Delimiter::Bare))
    }

    /// Continues reading from `end`, where the first line ends, to `closer`, if the lines up to
    /// there contain nothing but the URL. If they contain more, the brackets they have opened are
    /// forgotten.
    fn up_to_closer(&mut self, mut end: usize, closer: u8) -> Option<Closed> {
        let (text, start) = (self.text, self.extent.start);
        let mut further = self.extent;
        let leader = self.scanner.leader(text, start);
        let mut joined = Joined::new(start, start);
        let mut piece = start;
        for _ in 0..MAX_LINES {
            if matches!(text.bytes[end - 1], b',' | b';') {
                return None;
            }
            let line_break = text.skip(end, is_blank);
            let crossing = cross(text, line_break, &leader, true)?;
            if crossing.ends || crossing.other_leader {
                return None;
            }
            let fold = rejoin::fold(text, start, line_break, &crossing, true);
            let dropped = rejoin::soft_hyphen_len(&text.bytes[piece..end]);
            if dropped > 0 {
                joined.joins.set(Evidence::SoftHyphen);
            }
            joined.push(piece, end - dropped.max(usize::from(fold.is_some())));
            if fold.is_some() {
                joined.joins.set(Evidence::Fold);
            }
            joined.note_break(text, line_break, &crossing);
            piece = fold.unwrap_or(crossing.at);
            let read = further.read(text, piece);
            self.extent.learn(&further);
            let next = &text.bytes[piece..read.at];
            // The target of a link in Markdown reaches up to its bracket.
            let goes_on = fold.is_some()
                || dropped > 0
                || text.bytes[..start].ends_with(b"](")
                || rejoin::goes_on(&bytes_of(text.bytes, &joined.pieces), next);
            if !goes_on || self.precedes_next(end, piece) {
                return None;
            }
            if text.at(read.at) == Some(closer) {
                let close = read.at;
                joined.push(piece, close);
                return Some(Closed { joined, close });
            }
            if read.stop != Stop::LineEnd || read.at == piece {
                return None;
            }
            end = read.at;
        }
        None
    }

    /// Returns the URL, which no delimiter closes. On its first line it ends at `end`, or at
    /// `trimmed` without trailing characters.
    #[inline(always)]
    fn bare(mut self, trimmed: usize, end: End) -> Match {
        let start = self.extent.start;
        let (outer_start, delimiter) = match self.scanner.prefix_before(self.text, start) {
            Some(prefix) => (prefix, Delimiter::Prefix),
            None => (start, Delimiter::Bare),
        };
        // After a URL that reaches the end of its line, most lines are blank or hold the next URL
        // of a list, so it does not continue there.
        if self.ends_line(end)
            && (list::next_scheme(self.text.bytes, end.at).is_none()
                || rejoin::is_before_archived(&self.text.bytes[start..end.at]))
            && !self.text.bytes[end.at..].starts_with(b"\n\n")
            && let Some(joined) = self.over_lines(trimmed, end.at)
        {
            let outer = (outer_start, joined.end());
            return self.scanner.joined(self.text, joined, outer, delimiter);
        }
        let mut found = Match::in_one_piece((outer_start, trimmed), (start, trimmed), delimiter);
        if end.stop == Stop::Limit {
            found.flags.set(Flag::TooLong);
        }
        found
    }

    /// Returns whether `end` is at the end of its line, or in text from PDF of its line in a column.
    #[inline]
    fn ends_line(&self, end: End) -> bool {
        end.stop == Stop::LineEnd || rejoin::is_before_column(self.text, end.at)
    }

    /// Continues reading, over as many lines as the evidence allows; returns `None` if there is
    /// nothing to note about the line break at which the URL ends.
    #[inline(never)]
    fn over_lines(&mut self, trimmed: usize, mut end: usize) -> Option<Joined> {
        let mut joined = Joined::new(self.extent.start, trimmed);
        let mut lines = 0;
        for _ in 0..MAX_FOLDS {
            let next = match self.folded(&mut joined, end) {
                Some(next) => Some(next),
                None if lines == rejoin::MAX_BREAKS => None,
                None => {
                    lines += 1;
                    self.next_line(&mut joined, end, lines)
                }
            };
            match next {
                Some(next) if self.ends_line(next) => end = next.at,
                _ => break,
            }
        }
        let has_changed = joined.pieces.single().is_none() || joined.flags != Default::default();
        has_changed.then_some(joined)
    }

    /// Joins `joined` with the next line, if a backslash at `end` folds the line, and returns where
    /// the URL ends there.
    fn folded(&mut self, joined: &mut Joined, end: usize) -> Option<End> {
        let text = self.text;
        let start = self.extent.start;
        if text.bytes[end - 1] != b'\\' || self.scanner.finder.rejoin == Rejoin::Never {
            return None;
        }
        let leader = self.scanner.leader(text, start);
        let crossing = cross(text, end, &leader, false)?;
        let next = rejoin::fold(text, start, end, &crossing, false)?;
        if crossing.other_leader || begins_with_scheme(text, next) {
            return None;
        }
        let mut further = self.extent;
        let read = further.read(text, next);
        let trimmed = extent::trim(text.bytes, start, next, read.at, false);
        let token = &text.bytes[next..trimmed];
        // In a script the next line may be another argument.
        let is_argument = self.scanner.finder.code || token.first() == Some(&b'-');
        let is_doubtful = is_argument || rejoin::is_prose(token);
        if token.is_empty() || (is_doubtful && !rejoin::is_announced(text, start)) {
            return None;
        }
        self.extent = further;
        joined.joins.set(Evidence::Fold);
        joined.push(joined.end(), end - 1);
        joined.push(next, trimmed);
        Some(read)
    }

    /// Joins `joined` with the next line, if the evidence says so, and returns where the URL ends there. On its
    /// last line so far, which is number `lines`, the URL ends at `end`, including trailing characters.
    fn next_line(&mut self, joined: &mut Joined, end: usize, lines: usize) -> Option<End> {
        let text = self.text;
        let trimmed = joined.end();
        // Sentence punctuation at the end of the line ends the URL; `?` and `_` may not.
        let trail = &text.bytes[trimmed..end];
        let is_hyphenated = rejoin::is_soft_hyphen(trail);
        let ends_in_dot = trail == b".";
        let url = &text.bytes[self.extent.start..trimmed];
        let is_part = match trail {
            b"!" | b";!!" => rejoin::is_defended(url),
            b";" => url.ends_with(b"&amp"),
            _ => false,
        };
        let reaches =
            matches!(trail, [] | [b'?' | b'_']) || is_hyphenated || ends_in_dot || is_part;
        let line_end = text.line_end(end);
        let is_in_column = text.skip_to_break(end) < line_end;
        let line_break = if is_in_column { end } else { line_end };
        let line = text.after_break(line_end).filter(|_| reaches)?;
        if self.precedes_next(end, line) {
            return None;
        }
        let mut pieces = joined.pieces.clone();
        if !is_hyphenated {
            pieces.push(Span::new(trimmed as u64, end as u64));
        }
        let is_encoded = rejoin::is_soft_break(text, &pieces, line_break);
        let leader = if is_encoded {
            Leader::default()
        } else {
            self.scanner.leader(text, self.extent.start)
        };
        let mut crossing = cross(text, line_end, &leader, false)?;
        crossing.skip_marks(text);
        crossing.at = rejoin::column_below(text, self.extent.start, crossing.line, crossing.at)?;
        let is_beside =
            is_in_column && crossing.at - crossing.line > end - rejoin::line_start(text, end);
        // Another column may have a URL of its own.
        let between = &text.bytes[end..crossing.at];
        let is_scheme = |pair: &[u8]| pair[0].is_ascii_alphanumeric() && pair[1] == b':';
        let has_end = between.contains(&0x0C) || between.windows(2).any(is_scheme);
        if has_end || is_beside || self.precedes_next(end, crossing.at) {
            return None;
        }
        let next = self.extent.read(text, crossing.at);
        let next_trimmed = extent::trim(text.bytes, self.extent.start, crossing.at, next.at, false);
        let found = Break {
            pieces: &pieces,
            at: line_break,
            crossing: &crossing,
            leader: &leader,
            is_encoded,
            lines,
            end: next_trimmed,
            ends_in_dot,
        };
        match rejoin::evidence(text, &self.scanner.finder, &found) {
            Verdict::Join(evidence) => {
                joined.joins.set(evidence);
                joined.pieces = pieces;
                joined.note_break(text, line_break, &crossing);
                joined.push(crossing.at, next_trimmed);
                Some(next)
            }
            Verdict::Perhaps => {
                joined.flags.set(Flag::BrokenUrl);
                None
            }
            Verdict::End => None,
        }
    }

    /// Returns whether the next URL of a list or a label begins at `at`, on the line after the one that ends at
    /// `end`.
    fn precedes_next(&self, end: usize, at: usize) -> bool {
        let url = &self.text.bytes[self.extent.start..end];
        let is_label = || rejoin::is_name_with_colon(self.text.line_from(at, MAX_SCHEME + 2));
        let goes_on = rejoin::is_before_archived(url)
            || url.ends_with(b"=")
            || url.ends_with(b"/") && is_label();
        begins_with_scheme(self.text, at) && !goes_on
    }
}

/// Returns whether a scheme and its colon begin at `at`: the next URL of a list, or a label.
fn begins_with_scheme(text: &Text<'_>, at: usize) -> bool {
    let end = text.skip_at_most(at, MAX_SCHEME, is_scheme_character);
    end > at && text.at(end) == Some(b':')
}

/// Returns the byte that closes a URL after `opener`, if that opens anything.
fn closer_of(opener: u8) -> Option<u8> {
    match opener {
        b'"' | b'\'' | b'`' => Some(opener),
        b'(' => Some(b')'),
        b'[' => Some(b']'),
        b'{' => Some(b'}'),
        _ => None,
    }
}

fn delimiter_of(closer: u8) -> Delimiter {
    match closer {
        b'"' | b'\'' | b'`' => Delimiter::Quotes,
        _ => Delimiter::Brackets,
    }
}
