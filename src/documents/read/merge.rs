//! The candidates of all parts of a document, in the order in which they begin in the source.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::document::Part;
use urlint_find::{Candidate, Delimiter, Finder};
use urlint_view as view;

/// A candidate of a part.
pub(super) struct Located<'p> {
    pub(super) candidate: Candidate<'p>,
    /// The index of the part that it was found in; its spans are in that part's view.
    pub(super) part: usize,
    /// The cursor of the view where the candidate begins.
    pub(super) cursor: view::Cursor<'p>,
    /// Where it begins in the source.
    pub(super) start: u64,
    /// Whether it is in code within running text.
    pub(super) is_example: bool,
}

/// Searches all parts at once, keeping only one candidate of each, since a document may have
/// millions.
pub(super) struct Merged<'p> {
    /// The search of each part, with its next candidate.
    searches: Vec<(Search<'p>, Option<Located<'p>>)>,
    /// Where the next candidate of each part begins, and the index of the part.
    next: BinaryHeap<Reverse<(u64, usize)>>,
}

/// The candidates of one part, in the order in which they begin in the source.
type Search<'p> = Box<dyn Iterator<Item = Located<'p>> + 'p>;

impl<'p> Merged<'p> {
    pub(super) fn new(parts: &'p [Part<'p>], finder: &Finder) -> Self {
        let mut merged = Merged {
            searches: Vec::new(),
            next: BinaryHeap::new(),
        };
        for (index, part) in parts.iter().enumerate() {
            let search = search(index, part, finder);
            merged.searches.push((search, None));
            merged.search_on(index);
        }
        merged
    }

    /// Advances the search of a part; returns its previous candidate.
    fn search_on(&mut self, part: usize) -> Option<Located<'p>> {
        let (search, waiting) = self.searches.get_mut(part)?;
        let next = search.next();
        match &next {
            Some(next) => self.next.push(Reverse((next.start, part))),
            None => *search = Box::new(std::iter::empty()),
        }
        std::mem::replace(waiting, next)
    }
}

impl<'p> Iterator for Merged<'p> {
    type Item = Located<'p>;

    fn next(&mut self) -> Option<Located<'p>> {
        let Reverse((_, part)) = self.next.pop()?;
        self.search_on(part)
    }
}

fn search<'p>(index: usize, part: &'p Part<'p>, finder: &Finder) -> Search<'p> {
    let mut cursor = part.view.cursor();
    // Code spans are found before the brackets around a URL.
    let is_cut = |found: &Candidate<'_>| {
        let is_in = |at: u64| part.is_in_example(at);
        found.delimiter == Delimiter::Angle
            && is_in(found.outer.start)
            && !is_in(found.outer.end - 1)
    };
    let found = part.find(finder).filter(move |found| !is_cut(found));
    let located = found.map(move |candidate| Located {
        start: cursor.map_whole(candidate.outer).start,
        is_example: part.is_in_example(candidate.outer.start),
        candidate,
        part: index,
        cursor,
    });
    if part.view.is_in_order() {
        return Box::new(located);
    }
    let mut located: Vec<_> = located.collect();
    located.sort_by_key(|located| located.start);
    Box::new(located.into_iter())
}
