//! Passwords of the URLs that are found in a source.

use std::ops::Range;

use crate::find::StreamOptions;
use crate::text::span::Span;
use crate::url::password::{
    ends_login, is_plain, passwords_before, passwords_in_source, possible_passwords,
};

use super::found::{Found, Origin};

impl Found<'_> {
    /// Returns where passwords of the candidate lie in the source, in order. If a line ends within a
    /// login, what follows in the next line is among them, provided that
    /// [positions](super::Reader::positions) were asked for.
    ///
    /// ```
    /// use urlint::{Event, Reader, Span};
    ///
    /// let source: &[u8] = b"at ftp://joe:sec\n\nret@a.example/";
    /// let reader = Reader::default().with_positions(true);
    /// reader.read(b"list.txt", source, &mut |event| {
    ///     if let Event::Found(found) = event {
    ///         assert_eq!(&*found.candidate.text, b"ftp://joe:sec");
    ///         assert_eq!(found.passwords(), [Span::new(13, 16), Span::new(18, 21)]);
    ///     }
    ///     Ok::<_, std::io::Error>(())
    /// })?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn passwords(&self) -> Vec<Span> {
        if is_plain(&self.candidate.text) {
            return Vec::new();
        }
        let len = self.candidate.text.len();
        let base = self.spans(0..len).end();
        let in_text = |range: &Range<usize>| range.start.min(len)..range.end.min(len);
        let after = |range: &Range<usize>| range.start.max(len) - len..range.end.max(len) - len;
        let mut spans = Vec::new();
        for range in passwords_before(&self.candidate.text, self.after()) {
            if range.start < len {
                spans.extend(self.spans(in_text(&range)).iter());
            }
            let after = after(&range);
            if !after.is_empty() {
                spans.push(Span::new(
                    base + after.start as u64,
                    base + after.end as u64,
                ));
            }
        }
        spans
    }

    /// Returns whether a login that goes on after the candidate may begin in it.
    #[doc(hidden)]
    pub fn may_begin_login(&self) -> bool {
        let end = self.candidate.outer.end;
        let after = self.window.slice(Span::new(end, end + 1)).first();
        let is_cut = after.is_some_and(|byte| *byte > b' ' && !b"<>\"'),.;`".contains(byte));
        is_cut || !ends_login(&self.candidate.text)
    }

    /// Returns where passwords may lie in the candidate and in the text around it that it was found in,
    /// as [`passwords_in_source`] finds them in it: in the source, in order. To know them takes
    /// [positions](super::Reader::positions).
    ///
    /// `seen` says what was looked at for the candidates before, and is empty for the first of a source:
    /// what is around two of them is looked at once, and its passwords are among those of the first.
    ///
    /// ```
    /// use urlint::read::Seen;
    /// use urlint::{Event, Reader};
    ///
    /// let source: &[u8] = b"at http://a.example/ joe:secret@b.example";
    /// let reader = Reader::default().with_positions(true);
    /// let mut seen = Seen::default();
    /// reader.read(b"list.txt", source, &mut |event| {
    ///     if let Event::Found(found) = event {
    ///         assert_eq!(found.passwords_nearby(&mut seen), [urlint::Span::new(25, 31)]);
    ///         assert_eq!(found.passwords_nearby(&mut seen), []);
    ///     }
    ///     Ok::<_, std::io::Error>(())
    /// })?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn passwords_nearby(&self, seen: &mut Seen) -> Vec<Span> {
        let mut spans = self.passwords();
        let (text, base, outer) = match self.origin {
            Some(Origin { view, candidate }) => (view.text(), 0, candidate.outer),
            None if self.has_context => {
                (self.window.bytes, self.window.start, self.candidate.outer)
            }
            None => return spans,
        };
        let within = self.within.map(|within| (self.window.start, within.part));
        let Some(range) = seen.next(within, outer, base + text.len() as u64) else {
            return spans;
        };
        let index =
            |offset: u64| usize::try_from(offset.saturating_sub(base)).unwrap_or(usize::MAX);
        let from = index(range.start);
        let near = text.get(from..index(range.end)).unwrap_or_default();
        let found = passwords_in_source(near);
        match self.origin {
            Some(Origin { view, .. }) => {
                let mut cursor = view.cursor();
                for range in found {
                    spans.extend(cursor.map(from + range.start..from + range.end).iter());
                }
            }
            None => {
                let at = |at: usize| base + (from + at) as u64;
                spans.extend(
                    found
                        .iter()
                        .map(|range| Span::new(at(range.start), at(range.end))),
                );
            }
        }
        spans.sort_by_key(|span| (span.start, span.end));
        spans
    }

    /// Returns where passwords may lie in `url`, the text of the candidate or of one of its
    /// alternatives, in order and apart from one another: where it is not certain, more is hidden. The
    /// URL may end within a login, which what follows it tells.
    ///
    /// ```
    /// use urlint::{Event, Reader};
    ///
    /// let source = b"at ftp://joe:sec\n\nret@a.example/";
    /// let reader = Reader::default().with_positions(true);
    /// reader.read(b"note.txt", &source[..], &mut |event| {
    ///     if let Event::Found(found) = event {
    ///         assert_eq!(&*found.candidate.text, b"ftp://joe:sec");
    ///         assert_eq!(found.possible_passwords(&found.candidate.text), [10..13]);
    ///     }
    ///     Ok::<_, std::io::Error>(())
    /// })?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn possible_passwords(&self, url: &[u8]) -> Vec<Range<usize>> {
        possible_passwords(url, self.after())
    }

    /// What follows the candidate in the source, as far as every window has it. It is not known
    /// where no context was asked for, nor where the candidate's bytes are not those of the source,
    /// so that what follows it cannot be read there.
    pub(crate) fn after(&self) -> Option<&[u8]> {
        let text = &self.candidate.text;
        // This is asked for every candidate, and matters to few.
        if ends_login(text) {
            return Some(b"");
        }
        let pieces = self.spans(0..text.len());
        if !self.has_context || pieces.len() != text.len() as u64 {
            return None;
        }
        let at = usize::try_from(pieces.end().checked_sub(self.window.start)?).ok()?;
        let after = self.window.bytes.get(at..)?;
        Some(&after[..after.len().min(StreamOptions::CONTEXT)])
    }
}

/// What text was looked at for passwords [near](Found::passwords_nearby) the candidates of a source.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Where the document begins that the last candidate is in.
    document: u64,
    /// Where what was looked at ends in the text of each of its parts; a source that is not taken apart
    /// is one part.
    ends: Vec<u64>,
}

impl Seen {
    /// Returns what is to be looked at for a candidate at `outer` of the text of a part, which ends at
    /// `end`, if anything is.
    fn next(&mut self, within: Option<(u64, usize)>, outer: Span, end: u64) -> Option<Span> {
        const CONTEXT: u64 = StreamOptions::CONTEXT as u64;
        // All of a document is there, but of a stream only what every window has, so that it does not
        // depend on how the bytes arrive: nothing before the candidate, and so much after it.
        let (before, after, enough) = match within {
            Some(_) => (CONTEXT, 4 * CONTEXT, CONTEXT),
            None => (0, CONTEXT, CONTEXT / 2),
        };
        let (document, part) = within.unwrap_or_default();
        if self.document != document {
            (self.document, self.ends) = (document, Vec::new());
        }
        if self.ends.len() <= part {
            self.ends.resize(part + 1, 0);
        }
        let seen = self.ends.get_mut(part)?;
        if *seen >= end.min(outer.end + enough) {
            return None;
        }
        *seen = end.min(outer.end + after);
        Some(Span::new(outer.start.saturating_sub(before), *seen))
    }
}
