//! Chunks of a source that several threads search independently.

use memchr::{memchr, memchr_iter, memmem};

use super::scan::LOOK_BEHIND;
use crate::url::schemes::MAX_KNOWN;

/// The maximum distance, in bytes, of a `<` from the end of its line at which it matters to the
/// next line.
const NEAR: usize = MAX_KNOWN + 1;

/// A chunk of plain text that is searched on its own, for the candidates that begin in it.
///
/// Together, the chunks of a source yield the candidates of the whole source, in order, if each
/// chunk begins at a [`Chunk::boundary`] and ends where the next one begins, and if no candidate
/// reaches from one chunk into another. A candidate that was broken over lines may do so, which is
/// known only once its chunk has been searched: if [`Stream::reached`] lies beyond the start of the
/// next chunk, the results of that chunk are discarded, and it is searched again from that offset
/// on.
///
/// ```
/// use urlint::find::{Chunk, Finder, StreamOptions};
///
/// let source = b"see http://a.example/\n\nand http://b.example/\nand http://c.example/\n";
/// let boundary = Chunk::boundary(source).unwrap() as u64;
/// assert_eq!(boundary, 23);
///
/// let (mut urls, mut reached) = (Vec::new(), 0);
/// for (start, end) in [(0, boundary), (boundary, u64::MAX)] {
///     let chunk = Chunk { start, end, line: 1 };
///     let reader = &source[chunk.reads_from() as usize..];
///     // Another thread might have searched `within(chunk, 0)` long before.
///     let options = StreamOptions::default().within(chunk, reached);
///     let mut stream = Finder::default().stream_with(reader, options);
///     while let Some(found) = stream.next_found()? {
///         urls.push(found.candidate.text.to_vec());
///     }
///     reached = stream.reached();
/// }
/// assert_eq!(urls, [b"http://a.example/", b"http://b.example/", b"http://c.example/"]);
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// [`Stream::reached`]: crate::find::Stream::reached
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Offset of the first byte: 0, or a [boundary](Chunk::boundary).
    pub start: u64,
    /// Offset one past the last byte; `u64::MAX` if the chunk reaches to the end of the source.
    pub end: u64,
    /// The number of the line that begins at `start`, from 1. Used only if lines are counted.
    pub line: u64,
}

impl Chunk {
    /// Returns where in `text`, which may be any part of a source, a chunk may begin: after an
    /// empty line, or else after any line; `None` if no line ends there.
    pub fn boundary(text: &[u8]) -> Option<usize> {
        let is_one = |at: &usize| *at >= NEAR && memchr(b'<', &text[at - NEAR..*at]).is_none();
        let mut paragraphs = memmem::find_iter(text, b"\n\n").map(|at| at + 2);
        let mut lines = memchr_iter(b'\n', text).map(|at| at + 1);
        paragraphs.find(is_one).or_else(|| lines.find(is_one))
    }

    /// Returns the offset from which a chunk is read, a little before its start.
    pub fn reads_from(&self) -> u64 {
        self.start.saturating_sub(LOOK_BEHIND as u64)
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may fail")]
mod tests {
    use super::*;
    use crate::find::{Finder, StreamOptions};
    use crate::text::position::Position;

    #[test]
    fn columns_are_right_far_behind_the_start() {
        let head = "<URL:http://a.example/\n";
        let source = format!("{head}{}> http://b.example/", "üx".repeat(LOOK_BEHIND));
        let start = head.len() as u64;
        let chunk = Chunk {
            start,
            end: u64::MAX,
            line: 2,
        };
        let wrapper = source.find('>').unwrap() + 1;
        let reader = &source.as_bytes()[chunk.reads_from() as usize..];
        let options = StreamOptions::default()
            .within(chunk, wrapper as u64)
            .with_context()
            .with_read_size(1);
        let mut stream = Finder::default().stream_with(reader, options);
        let found = stream.next_found().unwrap().unwrap();
        let column = 2 * LOOK_BEHIND as u64 + 3;
        let place = found.place.unwrap();
        assert_eq!(place.position, Position { line: 2, column });
    }

    #[test]
    fn an_empty_chunk_has_nothing() {
        let source = b"\nhttp://a.example/\nhttp://b.example/\n";
        for (start, end) in [(0, 0), (0, 1), (1, 1), (19, 19), (19, 1)] {
            let chunk = Chunk {
                start,
                end,
                line: 1,
            };
            let options = StreamOptions::default().within(chunk, 0);
            let mut stream = Finder::default().stream_with(&source[..], options);
            assert!(stream.next_found().unwrap().is_none(), "{start}..{end}");
        }
    }
}
