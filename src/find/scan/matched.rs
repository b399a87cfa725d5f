//! A candidate, as offsets in the window.

use std::borrow::Cow;

use crate::candidate::{Alternative, Candidate, Delimiter, Flags, Joins};
use crate::rejoin::{Readings, bytes_of};
use urlint_standard::text::Span;

/// A candidate, as offsets in the window.
///
/// One is made for every URL and passed from function to function, so it is kept small: the fields
/// that only URLs in several pieces need are boxed.
#[derive(Debug)]
pub struct Match {
    outer: (usize, usize),
    /// The span from the URL's first byte to its last.
    url: (usize, usize),
    delimiter: Delimiter,
    pub flags: Flags,
    broken: Option<Box<Readings>>,
}

impl Match {
    #[inline(always)]
    pub(super) fn in_one_piece(
        outer: (usize, usize),
        url: (usize, usize),
        delimiter: Delimiter,
    ) -> Self {
        Match {
            outer,
            url,
            delimiter,
            flags: Flags::default(),
            broken: None,
        }
    }

    /// Makes a candidate that consists of `pieces`, or has other readings.
    pub(super) fn broken(outer: (usize, usize), delimiter: Delimiter, readings: Readings) -> Self {
        let url = (readings.pieces.start(), readings.pieces.end());
        let url = (url.0 as usize, url.1 as usize);
        let mut found = Match::in_one_piece(outer, url, delimiter);
        found.flags = readings.flags;
        if readings.pieces.single().is_none() || !readings.alternatives.is_empty() {
            found.broken = Some(Box::new(readings));
        }
        found
    }

    /// Returns where the candidate begins and ends, delimiters included.
    #[inline]
    pub(crate) fn outer(&self) -> (usize, usize) {
        self.outer
    }

    /// Returns where the URL begins and ends, including bytes that were dropped inside it.
    #[inline]
    pub(super) fn url(&self) -> (usize, usize) {
        self.url
    }

    /// Returns the bytes of the URL.
    #[inline]
    pub(super) fn bytes<'t>(&self, window: &'t [u8]) -> Cow<'t, [u8]> {
        match &self.broken {
            None => Cow::Borrowed(&window[self.url.0..self.url.1]),
            Some(broken) => bytes_of(window, &broken.pieces),
        }
    }

    /// Returns whether the URL lies in one piece.
    #[inline]
    pub(super) fn is_in_one_piece(&self) -> bool {
        self.broken.is_none()
    }

    /// Adjusts the offsets to a window that has moved on by `by` bytes.
    pub(crate) fn slide(&mut self, by: usize) {
        self.outer = (self.outer.0 - by, self.outer.1 - by);
        self.url = (self.url.0 - by, self.url.1 - by);
        if let Some(broken) = &mut self.broken {
            broken.pieces.move_back(by as u64);
            for pieces in &mut broken.alternatives {
                pieces.move_back(by as u64);
            }
            for space in &mut broken.spaces {
                *space = Span::new(space.start - by as u64, space.end - by as u64);
            }
        }
    }

    /// Makes the candidate with offsets in the source, where the window begins at `base`.
    #[inline(always)]
    #[doc(hidden)]
    pub fn candidate(self, window: &[u8], base: u64) -> Candidate<'_> {
        // Each kind is made in its own function, since converting one to the other would move it in
        // memory.
        match self.broken {
            None => self.in_one(window, base),
            Some(_) => self.in_pieces(window, base),
        }
    }

    #[inline(always)]
    fn in_one<'t>(&self, window: &'t [u8], base: u64) -> Candidate<'t> {
        let span = |(start, end): (usize, usize)| Span::new(base + start as u64, base + end as u64);
        Candidate {
            text: window[self.url.0..self.url.1].into(),
            outer: span(self.outer),
            pieces: span(self.url).into(),
            delimiter: self.delimiter,
            flags: self.flags,
            alternatives: Vec::new(),
            spaces: Vec::new(),
            joins: Joins::default(),
        }
    }

    #[inline(never)]
    fn in_pieces(self, window: &[u8], base: u64) -> Candidate<'_> {
        let mut candidate = self.in_one(window, base);
        if let Some(broken) = self.broken {
            candidate.text = bytes_of(window, &broken.pieces);
            candidate.pieces = broken.pieces.shifted(base);
            let shifted = |space: Span| Span::new(base + space.start, base + space.end);
            candidate.joins = broken.joins;
            candidate.spaces = broken.spaces.into_iter().map(shifted).collect();
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
