//! Finding in a reader, through a window that moves over its bytes.

use std::io::{self, Read};

use super::candidate::Candidate;
use super::options::Finder;
use super::scan::{Match, Scanner, Step};
use crate::text::Text;
use urlint_standard::text::buffer::Buffer;
use urlint_standard::text::window::Window;
use urlint_standard::text::{Locator, Position};

/// The length of the longest code point, in bytes.
const MAX_CODE_POINT: usize = 4;

/// The candidates of a reader, found in bounded memory: a few hundred kilobytes, however long the
/// source is.
///
/// They are the ones that [`find`](crate::find()) finds in all the bytes at once, however the bytes
/// are split when they arrive.
///
/// ```
/// use urlint::find::Stream;
///
/// let reader: &[u8] = b"first line\nsee <URL:http://a.example/> there\n";
/// let mut stream = Stream::new(reader);
/// while let Some(found) = stream.next_found()? {
///     assert_eq!(found.candidate.url(), b"http://a.example/");
///     assert_eq!(found.candidate.outer.start, 15);
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// [`Finder::stream_with`] takes [options](StreamOptions), such as counting lines. As an iterator,
/// a stream yields candidates that own their text.
///
/// ```
/// let urls: Vec<_> = urlint::find::Stream::new(&b"a http://a.example/ b"[..])
///     .map(|found| found.map(|candidate| candidate.text.into_owned()))
///     .collect::<Result<_, _>>()?;
/// assert_eq!(urls, [b"http://a.example/"]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Stream<R> {
    buffer: Buffer<R>,
    scanner: Scanner,
    read_size: usize,
    locator: Option<Locator>,
}

/// How a [`Stream`] reads, and whether it reports the positions of candidates.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StreamOptions {
    /// Whether lines and columns are counted, and the text around each candidate is kept: up to
    /// [`CONTEXT`](Self::CONTEXT) bytes on either side.
    pub context: bool,
    /// The number of bytes to request from the reader at once; 0 counts as 1. The candidates do not
    /// depend on it.
    pub read_size: usize,
}

/// A candidate of a stream and the text around it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Located<'w> {
    /// The candidate; its offsets count from the first byte of the source.
    pub candidate: Candidate<'w>,
    /// The line and column at which `candidate.outer` starts, if [context](StreamOptions::context)
    /// was requested.
    pub position: Option<Position>,
    /// The source bytes around the candidate, including `candidate.outer`.
    pub window: Window<'w>,
}

impl StreamOptions {
    /// The number of bytes on either side of a candidate that are kept as [context](Self::context).
    pub const CONTEXT: usize = 4096;

    /// Sets [`context`](Self::context): lines and columns are counted, and the text around each
    /// candidate is kept.
    #[must_use]
    pub fn with_context(mut self) -> Self {
        self.context = true;
        self
    }

    /// Sets [`read_size`](Self::read_size), the number of bytes to request from the reader at once.
    #[must_use]
    pub fn with_read_size(mut self, bytes: usize) -> Self {
        self.read_size = bytes;
        self
    }
}

impl Default for StreamOptions {
    fn default() -> Self {
        StreamOptions {
            context: false,
            read_size: 256 * 1024,
        }
    }
}

impl<R: Read> Stream<R> {
    /// Finds the candidates in the bytes of `reader`, as the default [`Finder`] does.
    pub fn new(reader: R) -> Self {
        Stream::with(reader, Finder::default(), StreamOptions::default())
    }

    pub(super) fn with(reader: R, finder: Finder, options: StreamOptions) -> Self {
        Stream {
            buffer: Buffer::new(reader),
            scanner: Scanner::new(finder),
            read_size: options.read_size.max(1),
            locator: options.context.then(Locator::default),
        }
    }

    /// Returns the next candidate, or `None` at the end of the source. Fails if the reader fails.
    pub fn next_found(&mut self) -> io::Result<Option<Located<'_>>> {
        let Some((found, position)) = self.next_match()? else {
            return Ok(None);
        };
        let window = self.window();
        Ok(Some(Located {
            candidate: found.candidate(window.bytes, window.start),
            position,
            window,
        }))
    }

    /// Returns the next candidate as offsets in the [window](Self::window), and its position, if
    /// positions are counted.
    #[inline(always)]
    #[doc(hidden)]
    pub fn next_match(&mut self) -> io::Result<Option<(Match, Option<Position>)>> {
        let mut found = loop {
            let text = Text::new(self.buffer.bytes(), self.buffer.is_complete());
            match self.scanner.step(&text) {
                Step::Found(found) => break found,
                Step::End => return Ok(None),
                Step::More => {
                    self.slide(self.scanner.needs());
                    self.buffer.read(self.read_size)?;
                }
            }
        };
        let mut position = None;
        if self.locator.is_some() {
            self.keep_context(&mut found)?;
            position = self.locate(found.outer().0);
        }
        Ok(Some((found, position)))
    }

    /// Returns the bytes that are held.
    #[inline]
    #[doc(hidden)]
    pub fn window(&self) -> Window<'_> {
        self.buffer.window()
    }

    /// Reads on until the window has the context after `found`.
    fn keep_context(&mut self, found: &mut Match) -> io::Result<()> {
        const CONTEXT: usize = StreamOptions::CONTEXT;
        while !self.buffer.is_complete() && self.buffer.bytes().len() < found.outer().1 + CONTEXT {
            let needed = found.outer().0.saturating_sub(CONTEXT);
            let by = self.slide(needed.min(self.scanner.needs()));
            found.slide(by);
            self.buffer.read(self.read_size)?;
        }
        Ok(())
    }

    /// Returns the position of the byte at `at` in the window, if positions are counted.
    fn locate(&mut self, at: usize) -> Option<Position> {
        let offset = self.buffer.start() + at as u64;
        let locator = self.locator.as_mut()?;
        Some(locator.advance(self.buffer.window(), offset))
    }

    /// Drops up to `by` bytes from the window; returns how many.
    fn slide(&mut self, by: usize) -> usize {
        let bytes = self.buffer.bytes();
        // The last bytes may begin a code point, which counts as one column only when it is
        // complete.
        let by = by.min(bytes.len().saturating_sub(MAX_CODE_POINT - 1));
        // Moving the remaining bytes takes time, which is worth it only if it frees much.
        if by < bytes.len() / 2 {
            return 0;
        }
        let by = code_point_boundary(bytes, by);
        let by = self.scanner.slide(bytes, by);
        if by > 0 {
            self.locate(by);
            self.buffer.forget(self.buffer.start() + by as u64);
        }
        by
    }
}

impl<R: Read> Iterator for Stream<R> {
    type Item = io::Result<Candidate<'static>>;

    fn next(&mut self) -> Option<Self::Item> {
        let found = self.next_found().transpose()?;
        Some(found.map(|found| found.candidate.into_owned()))
    }
}

/// Returns the last offset up to `at` that is not inside a code point.
fn code_point_boundary(window: &[u8], at: usize) -> usize {
    let is_inside = |at: &usize| window.get(*at).is_some_and(|byte| byte & 0xC0 == 0x80);
    (at.saturating_sub(MAX_CODE_POINT - 1)..=at)
        .rev()
        .find(|at| !is_inside(at))
        .unwrap_or(at)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may fail")]
mod tests {
    use super::*;

    #[test]
    fn the_window_is_bounded_whatever_comes() {
        let beginnings = [
            "",
            "http://a.example/",
            "http://a.example/\n",
            "http://a.example/x-\n  ",
            "(http://a.example/\n",
            "\"http://a.example/ ",
            "<http://a.example/\n",
            "<URL:http://a.example/\n",
            "<URL:http://a.example/\n\n",
            "<URL:",
            "<URL: ",
            "mailto:",
            "# > ",
        ];
        for beginning in beginnings {
            for filling in [
                "a", " ", "\n", "\r", "-", ".", "é", "<", "\u{c}\n", "http://",
            ] {
                let mut text = beginning.as_bytes().to_vec();
                while text.len() < 4 << 20 {
                    text.extend_from_slice(filling.as_bytes());
                }
                let options = StreamOptions::default().with_context();
                let options = options.with_read_size(1 << 12);
                let mut stream = Finder::default().stream_with(&text[..], options);
                while stream.next_found().unwrap().is_some() {}
                let window = stream.buffer.room();
                assert!(window < 1 << 19, "{beginning:?} {filling:?}: {window}");
            }
        }
    }
}
