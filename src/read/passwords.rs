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
    /// ```
    /// use urlint::{Event, Reader, Span};
    ///
    /// let source: &[u8] = b"at http://a.example/ joe:secret@b.example";
    /// let reader = Reader::default().with_positions(true);
    /// reader.read(b"list.txt", source, &mut |event| {
    ///     if let Event::Found(found) = event {
    ///         assert_eq!(found.passwords_nearby(), [Span::new(25, 31)]);
    ///     }
    ///     Ok::<_, std::io::Error>(())
    /// })?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn passwords_nearby(&self) -> Vec<Span> {
        const CONTEXT: usize = StreamOptions::CONTEXT;
        let mut spans = self.passwords();
        let index = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX);
        match self.origin {
            Some(Origin { view, candidate }) => {
                let text = view.text();
                let end = index(candidate.outer.end).saturating_add(CONTEXT);
                let end = end.min(text.len());
                let start = index(candidate.outer.start).saturating_sub(CONTEXT);
                let start = start.min(end);
                let mut cursor = view.cursor();
                for range in passwords_in_source(&text[start..end]) {
                    let range = start + range.start..start + range.end;
                    spans.extend(cursor.map(range).iter());
                }
            }
            // What comes before it is not in every window.
            None if self.has_context => {
                let Span { start, end } = self.candidate.outer;
                let text = self.window.from(start);
                let len = index(end - start).saturating_add(CONTEXT);
                for range in passwords_in_source(&text[..len.min(text.len())]) {
                    let at = |at: usize| start + at as u64;
                    spans.push(Span::new(at(range.start), at(range.end)));
                }
            }
            None => {}
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
    /// let source = b"at ftp://joe:sec\nret@a.example/";
    /// Reader::default().read(b"note.txt", &source[..], &mut |event| {
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
