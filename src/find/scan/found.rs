//! A candidate, as places in the window.

use crate::find::candidate::{Alternative, Candidate, Delimiter, Flags};
use crate::find::rejoin::bytes_of;
use crate::text::span::{Span, Spans};

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
    pub(super) flags: Flags,
    broken: Option<Box<Broken>>,
}

/// What a candidate has that was broken.
#[derive(Debug)]
struct Broken {
    pieces: Spans,
    alternatives: Vec<Spans>,
    spaces: Vec<Span>,
}

impl Find {
    #[inline(always)]
    pub(super) fn in_one_piece(
        outer: (usize, usize),
        url: (usize, usize),
        delimiter: Delimiter,
    ) -> Self {
        Find {
            outer,
            url,
            delimiter,
            flags: Flags::default(),
            broken: None,
        }
    }

    /// A candidate that was put together from `pieces`, or has other readings.
    pub(super) fn broken(
        outer: (usize, usize),
        pieces: Spans,
        delimiter: Delimiter,
        alternatives: Vec<Spans>,
        spaces: Vec<Span>,
    ) -> Self {
        let url = (pieces.start() as usize, pieces.end() as usize);
        let mut find = Find::in_one_piece(outer, url, delimiter);
        if pieces.count() > 1 || !alternatives.is_empty() {
            find.broken = Some(Box::new(Broken {
                pieces,
                alternatives,
                spaces,
            }));
        }
        find
    }

    /// Where the candidate stands, delimiters included.
    #[inline]
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
            for space in &mut broken.spaces {
                *space = Span::new(space.start - by as u64, space.end - by as u64);
            }
        }
    }

    /// The candidate; `base` is where the window begins in the source.
    #[inline(always)]
    pub(crate) fn candidate(self, window: &[u8], base: u64) -> Candidate<'_> {
        // Either is made in its place: to make one of the other would move it about in memory.
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
        }
    }

    #[inline(never)]
    fn in_pieces(self, window: &[u8], base: u64) -> Candidate<'_> {
        let mut candidate = self.in_one(window, base);
        if let Some(broken) = self.broken {
            candidate.text = bytes_of(window, &broken.pieces);
            candidate.pieces = broken.pieces.shifted(base);
            let shifted = |space: Span| Span::new(base + space.start, base + space.end);
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
