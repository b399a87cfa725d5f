//! Looking ahead in a text for the next place of interest, so that everything else can be skipped.

use std::ops::Range;

/// Finds the first place of one kind at or after an offset of a text.
pub(super) type Search = fn(text: &[u8], from: usize) -> Option<usize>;

/// Finds the next place of any of `N` kinds. The text is searched block by block, for all kinds at
/// once, so that it is still in the cache when it is read, and a place that is far ahead is found
/// only once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ahead<const N: usize> {
    searches: [Search; N],
    /// Whether every place is of interest.
    everywhere: bool,
    /// The next place of each kind, if the text searched so far has one.
    next: [Option<usize>; N],
    /// The end of the text searched so far.
    searched: usize,
    /// The end of the text that has no place after the last range.
    clear: usize,
}

/// How many bytes are searched at once.
const BLOCK: usize = 4096;

/// The last bytes of a block, which may be the start of a place, are searched again with the next
/// block.
const OVERLAP: usize = 5;

impl<const N: usize> Ahead<N> {
    /// Nothing has been searched yet. If `everywhere`, every place is of interest.
    pub(super) fn new(searches: [Search; N], everywhere: bool) -> Self {
        Ahead {
            searches,
            everywhere,
            next: [None; N],
            searched: 0,
            clear: 0,
        }
    }

    /// Returns the first place in `range` of `text`. All calls must pass the same text, and no
    /// range may begin before the range of an earlier call.
    pub(super) fn next(&mut self, text: &[u8], range: Range<usize>) -> Option<usize> {
        let from = range.start;
        // Most ranges are short, and few have a place.
        if range.end <= self.clear {
            return None;
        }
        if self.everywhere {
            return (!range.is_empty()).then_some(from);
        }
        loop {
            for (next, search) in self.next.iter_mut().zip(self.searches) {
                if next.is_some_and(|next| next < from) {
                    let searched = text.get(..self.searched)?;
                    *next = (from < searched.len())
                        .then(|| search(searched, from))
                        .flatten();
                }
            }
            let first = self.next.into_iter().flatten().min();
            let undecided = self.searched.saturating_sub(OVERLAP);
            self.clear = first.map_or(undecided, |first| first.min(undecided));
            if first.is_some() || undecided >= range.end || self.searched >= text.len() {
                return first.filter(|&first| first < range.end);
            }
            let start = from.max(undecided);
            self.searched = text.len().min(from.max(self.searched) + BLOCK);
            for (next, search) in self.next.iter_mut().zip(self.searches) {
                *next = search(text.get(..self.searched)?, start);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_wherever_they_are() {
        let searches: [Search; 2] = [
            |text, from| Some(from + memchr::memmem::find(text.get(from..)?, b"ab")?),
            |text, from| Some(from + memchr::memmem::find(text.get(from..)?, b"12345")?),
        ];
        let mut text = vec![b'.'; 5 * BLOCK];
        let places = [
            0,
            7,
            BLOCK - 1,
            BLOCK + 9,
            2 * BLOCK - 3,
            4 * BLOCK,
            text.len() - 2,
        ];
        for (place, needle) in places
            .iter()
            .zip([b"ab".as_slice(), b"12345"].iter().cycle())
        {
            text[*place..place + needle.len()].copy_from_slice(needle);
        }
        let mut ahead = Ahead::new(searches, false);
        let all = 0..text.len();
        let found: Vec<_> = all
            .clone()
            .filter(|&from| ahead.next(&text, from..text.len()) == Some(from))
            .collect();
        assert_eq!(found, places);
        for width in [1, 3, 100, BLOCK] {
            let mut ahead = Ahead::new(searches, false);
            let starts = all.clone().step_by(width);
            let found = starts.filter_map(|from| ahead.next(&text, from..from + width));
            let expected = all.clone().step_by(width).filter_map(|from| {
                places
                    .iter()
                    .copied()
                    .find(|place| (from..from + width).contains(place))
            });
            assert_eq!(found.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
        }
    }
}
