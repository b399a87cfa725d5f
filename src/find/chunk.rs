//! Stretches of a source that are searched apart from one another, by several threads say.

use memchr::{memchr, memchr_iter, memmem};

use super::scan::LOOK_BEHIND;
use crate::url::schemes::MAX_KNOWN;

/// How many bytes before its end a line may have a `<` that matters to the next.
const NEAR: usize = MAX_KNOWN + 1;

/// A stretch of plain text that is searched by itself, for the candidates that begin in it.
///
/// All stretches of a source together have the candidates that the whole source has, in the same
/// order, if each begins where [`Stretch::boundary`] says and ends where the next begins, and if
/// no candidate reaches from one into another. That happens where a candidate was broken over
/// lines, and it shows only when a stretch has been searched: if what [`Stream::reached`] says then
/// lies beyond the start of the next stretch, what was found in that does not hold, and it is to be
/// searched again [from there on](Stretch::behind).
///
/// ```
/// use urlint::{Finder, Stretch};
///
/// let source = b"see http://a.example/\n\nand http://b.example/\nand http://c.example/\n";
/// let boundary = Stretch::boundary(source).unwrap() as u64;
/// assert_eq!(boundary, 23);
///
/// let (mut urls, mut reached) = (Vec::new(), 0);
/// for (start, end) in [(0, boundary), (boundary, u64::MAX)] {
///     let stretch = Stretch { start, end, line: 1 };
///     // `behind(0)` might have been searched by another thread long before.
///     let reader = &source[stretch.reads_from() as usize..];
///     let mut stream = Finder::default().stream(reader).within(stretch.behind(reached));
///     while let Some(found) = stream.next_found()? {
///         urls.push(found.candidate.text.to_vec());
///     }
///     reached = stream.reached();
/// }
/// assert_eq!(urls, [b"http://a.example/", b"http://b.example/", b"http://c.example/"]);
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// [`Stream::reached`]: crate::Stream::reached
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Offset of its first byte: 0, or a [boundary](Stretch::boundary).
    pub start: u64,
    /// Offset of the byte behind its last; `u64::MAX` if it reaches to the end of the source.
    pub end: u64,
    /// The line that begins at `start`, from 1; it matters only where lines are counted.
    pub line: u64,
}

/// A stretch, or what is left of it behind a candidate that reaches into it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rest {
    pub(crate) stretch: Stretch,
    /// Offset of the byte behind the last candidate before.
    pub(crate) reached: u64,
}

impl Stretch {
    /// Where a stretch may begin in `text`, which is any piece of a source, in bytes from its
    /// start: behind an empty line, or else behind any line; `None` if no line ends there.
    pub fn boundary(text: &[u8]) -> Option<usize> {
        let is_one = |at: &usize| *at >= NEAR && memchr(b'<', &text[at - NEAR..*at]).is_none();
        let mut paragraphs = memmem::find_iter(text, b"\n\n").map(|at| at + 2);
        let mut lines = memchr_iter(b'\n', text).map(|at| at + 1);
        paragraphs.find(is_one).or_else(|| lines.find(is_one))
    }

    /// Offset of the byte from which on it is read: a little before its start.
    pub fn reads_from(&self) -> u64 {
        self.start.saturating_sub(LOOK_BEHIND as u64)
    }

    /// What of it lies behind a candidate that ends at the offset `reached`.
    pub fn behind(self, reached: u64) -> Rest {
        Rest {
            stretch: self,
            reached: reached.max(self.start),
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may fail")]
mod tests {
    use super::*;
    use crate::find::Finder;
    use crate::text::position::Position;

    #[test]
    fn columns_are_right_far_behind_the_start() {
        let head = "<URL:http://a.example/\n";
        let source = format!("{head}{}> http://b.example/", "üx".repeat(LOOK_BEHIND));
        let start = head.len() as u64;
        let stretch = Stretch {
            start,
            end: u64::MAX,
            line: 2,
        };
        let wrapper = source.find('>').unwrap() + 1;
        let reader = &source.as_bytes()[stretch.reads_from() as usize..];
        let stream = Finder::default().stream(reader).with_context();
        let mut stream = stream.with_chunk(1).within(stretch.behind(wrapper as u64));
        let found = stream.next_found().unwrap().unwrap();
        let column = 2 * LOOK_BEHIND as u64 + 3;
        assert_eq!(found.position, Position { line: 2, column });
    }

    #[test]
    fn an_empty_stretch_has_nothing() {
        let source = b"\nhttp://a.example/\nhttp://b.example/\n";
        for (start, end) in [(0, 0), (0, 1), (1, 1), (19, 19), (19, 1)] {
            let line = 1;
            let rest = Stretch { start, end, line }.behind(0);
            let mut stream = Finder::default().stream(&source[..]).within(rest);
            assert!(stream.next_found().unwrap().is_none(), "{start}..{end}");
        }
    }
}
