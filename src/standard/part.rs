//! A place in a URL's own text.

use std::ops::Range;

/// A byte range of a URL's own text: from `start` up to, but not including, `end`. An empty one is
/// a place between two bytes.
///
/// Offsets are 32 bits wide, so that a URL taken apart stays small. Every function that hands out
/// parts reads no more than the first [`Part::MAX`] bytes of a URL.
///
/// ```
/// use urlint::standard::Part;
///
/// let url = b"http://a.example/";
/// let host = Part::new(7, 16);
/// assert_eq!(host.of(url), b"a.example");
/// assert_eq!(host.range(), 7..16);
/// assert_eq!(host.len(), 9);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Part {
    /// The offset of the first byte.
    pub start: u32,
    /// The offset after the last byte.
    pub end: u32,
}

impl Part {
    /// The greatest offset: 4,294,967,295.
    pub const MAX: usize = u32::MAX as usize;

    /// The part from `start` to `end`. Offsets greater than [`Part::MAX`] become that.
    #[must_use]
    #[inline]
    pub const fn new(start: usize, end: usize) -> Part {
        Part {
            start: offset(start),
            end: offset(end),
        }
    }

    /// All of `url`, or its first [`Part::MAX`] bytes.
    #[must_use]
    #[inline]
    pub const fn all(url: &[u8]) -> Part {
        Part::new(0, url.len())
    }

    /// The part as a range, to index with.
    #[must_use]
    #[inline]
    pub const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The bytes of `url` at this part; none where it reaches beyond the end of `url`.
    #[must_use]
    #[inline]
    pub fn of(self, url: &[u8]) -> &[u8] {
        url.get(self.range()).unwrap_or_default()
    }

    /// The number of bytes.
    #[must_use]
    #[inline]
    pub const fn len(self) -> usize {
        self.end.saturating_sub(self.start) as usize
    }

    /// Returns whether the part has no bytes.
    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.start >= self.end
    }

    /// Returns whether all of `other` lies in this part.
    #[must_use]
    #[inline]
    pub const fn contains(self, other: Part) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Returns whether the two have a byte in common; an empty part has none but those between
    /// which it lies.
    ///
    /// ```
    /// use urlint::standard::Part;
    ///
    /// let host = Part::new(7, 16);
    /// assert!(host.touches(Part::new(15, 20)));
    /// assert!(!host.touches(Part::new(16, 20)));
    /// ```
    #[must_use]
    #[inline]
    pub const fn touches(self, other: Part) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// What lies before the offset `at`.
    #[must_use]
    #[inline]
    pub const fn before(self, at: u32) -> Part {
        Part { end: at, ..self }
    }

    /// What lies from the offset `at` on.
    #[must_use]
    #[inline]
    pub const fn from(self, at: u32) -> Part {
        Part { start: at, ..self }
    }
}

#[inline]
const fn offset(at: usize) -> u32 {
    if at > Part::MAX { u32::MAX } else { at as u32 }
}
