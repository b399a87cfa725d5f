//! A place in a URL's own text.

use std::ops::Range;

use crate::text::byteset::ByteSet;
use crate::text::utf8::code_point_len;

/// A byte range of a URL's own text: from `start` up to, but not including, `end`. An empty part is
/// a place between two bytes.
///
/// Offsets are 32 bits wide, to keep a parsed URL small. Every function that returns parts reads at
/// most the first [`Part::MAX`] bytes of a URL.
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
#[must_use]
pub struct Part {
    /// The offset of the first byte.
    pub start: u32,
    /// The offset after the last byte.
    pub end: u32,
}

impl Part {
    /// The largest offset: 4,294,967,295.
    pub const MAX: usize = u32::MAX as usize;

    /// Returns the part from `start` to `end`. Offsets greater than [`Part::MAX`] become
    /// [`Part::MAX`].
    #[inline]
    pub const fn new(start: usize, end: usize) -> Part {
        Part {
            start: offset(start),
            end: offset(end),
        }
    }

    /// Returns the empty part at the offset `at`.
    #[inline]
    pub const fn at(at: u32) -> Part {
        Part { start: at, end: at }
    }

    /// Returns all of `url`, or its first [`Part::MAX`] bytes.
    #[inline]
    pub const fn all(url: &[u8]) -> Part {
        Part::new(0, url.len())
    }

    /// Returns the part as a range, for indexing.
    #[inline]
    pub const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Returns the bytes of `url` at this part; none if it reaches beyond the end of `url`.
    #[inline]
    pub fn of(self, url: &[u8]) -> &[u8] {
        url.get(self.range()).unwrap_or_default()
    }

    /// Returns the number of bytes.
    #[inline]
    pub const fn len(self) -> usize {
        self.end.saturating_sub(self.start) as usize
    }

    /// Returns whether the part has no bytes.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.start >= self.end
    }

    /// Returns whether all of `other` is in this part.
    #[inline]
    pub const fn contains(self, other: Part) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Returns whether the two parts have a byte in common; an empty part touches only a part that
    /// has bytes on both sides of it.
    ///
    /// ```
    /// use urlint::standard::Part;
    ///
    /// let host = Part::new(7, 16);
    /// assert!(host.touches(Part::new(15, 20)));
    /// assert!(!host.touches(Part::new(16, 20)));
    /// ```
    #[inline]
    pub const fn touches(self, other: Part) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// Returns the bytes before the offset `at`.
    #[inline]
    pub const fn before(self, at: u32) -> Part {
        Part { end: at, ..self }
    }

    /// Returns the bytes from the offset `at` on.
    #[inline]
    pub const fn starting_at(self, at: u32) -> Part {
        Part { start: at, ..self }
    }

    /// Returns the bytes after the first `count`; there must be at least that many.
    #[inline]
    pub const fn skip(self, count: u32) -> Part {
        self.starting_at(self.start.saturating_add(count))
    }

    /// Splits the part at the offset `at`.
    #[inline]
    pub const fn split_at(self, at: u32) -> (Part, Part) {
        (self.before(at), self.starting_at(at))
    }

    /// Returns `inner`, a part of the bytes at this part, as a part of the URL.
    ///
    /// ```
    /// use urlint::standard::Part;
    ///
    /// let host = Part::new(7, 16);
    /// assert_eq!(host.within(Part::new(0, 1)), Part::new(7, 8));
    /// ```
    #[inline]
    pub const fn within(self, inner: Part) -> Part {
        Part {
            start: self.start.saturating_add(inner.start),
            end: self.start.saturating_add(inner.end),
        }
    }

    /// Returns the offset of the first `byte` of `url` in this part.
    #[inline]
    pub fn find(self, url: &[u8], byte: u8) -> Option<u32> {
        memchr::memchr(byte, self.of(url)).map(|at| self.start + at as u32)
    }

    /// Returns the offset of the last `byte` of `url` in this part.
    #[inline]
    pub fn rfind(self, url: &[u8], byte: u8) -> Option<u32> {
        memchr::memrchr(byte, self.of(url)).map(|at| self.start + at as u32)
    }

    /// Returns the text before and after the first `byte` of `url` in this part.
    #[inline]
    pub(crate) fn cut(self, url: &[u8], byte: u8) -> (Part, Option<Part>) {
        match self.find(url, byte) {
            Some(at) => (self.before(at), Some(self.starting_at(at + 1))),
            None => (self, None),
        }
    }

    /// Splits the part before the first byte of `url` that `is_end`.
    #[inline]
    pub(crate) fn split_before(self, url: &[u8], is_end: impl Fn(u8) -> bool) -> (Part, Part) {
        let end = self.of(url).iter().position(|&byte| is_end(byte));
        self.split_at(end.map_or(self.end, |at| self.start + at as u32))
    }

    /// Returns the characters of `url` in this part; a byte that is not UTF-8 is one.
    pub(super) fn characters(self, url: &[u8]) -> impl Iterator<Item = Part> {
        let mut rest = self;
        std::iter::from_fn(move || {
            let text = rest.of(url);
            let next = rest.start + code_point_len(text) as u32;
            let (character, after) = rest.split_at(next);
            rest = after;
            (!text.is_empty()).then_some(character)
        })
    }

    /// Returns where the bytes of `set` end with which the part begins.
    #[inline]
    pub(super) fn past(self, url: &[u8], set: &ByteSet) -> u32 {
        set.skip(self.starting_at(0).of(url), self.start as usize) as u32
    }
}

impl From<Range<usize>> for Part {
    /// Returns the part at `range`. Offsets greater than [`Part::MAX`] become [`Part::MAX`].
    #[inline]
    fn from(range: Range<usize>) -> Part {
        Part::new(range.start, range.end)
    }
}

#[inline]
const fn offset(at: usize) -> u32 {
    if at > Part::MAX { u32::MAX } else { at as u32 }
}
