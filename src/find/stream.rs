//! Finding in a stream, through a window that moves over it.

use std::io::{self, Read};

use super::Finder;
use super::candidate::Candidate;
use super::chunk::Rest;
use super::scan::{Find, Scanner, Step};
use crate::read::Origin;
use crate::text::position::{Locator, Position};
use crate::text::window::Text;

/// How many bytes are asked of the reader at once.
const CHUNK: usize = 256 * 1024;

/// The longest code point, in bytes.
const MAX_CODE_POINT: usize = 4;

/// How many bytes around a candidate are kept for whoever shows it, on either side.
pub const CONTEXT: usize = 512;

/// The candidates of a reader, in bounded memory: some hundred kilobytes, however long the source.
///
/// They are the same as [`find`](crate::find()) gives for all the bytes at once, whatever the sizes of the
/// chunks in which the bytes come.
///
/// ```
/// use urlint::{Position, Stream};
///
/// let reader: &[u8] = b"first line\nsee <URL:http://a.example/> there\n";
/// let mut stream = Stream::new(reader).with_context();
/// while let Some(found) = stream.next_found()? {
///     assert_eq!(found.candidate.url(), b"http://a.example/");
///     assert_eq!(found.position, Position { line: 2, column: 5 });
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// As an iterator it gives candidates that own their text.
///
/// ```
/// let urls: Vec<_> = urlint::Stream::new(&b"a http://a.example/ b"[..])
///     .map(|found| found.map(|candidate| candidate.text.into_owned()))
///     .collect::<Result<_, _>>()?;
/// assert_eq!(urls, [b"http://a.example/"]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Stream<R> {
    reader: R,
    scanner: Scanner,
    /// The window is `buffer[..filled]`; what lies behind is room.
    buffer: Vec<u8>,
    filled: usize,
    /// Where the window begins in the source.
    base: u64,
    /// Whether the reader has come to its end.
    complete: bool,
    chunk: usize,
    locator: Option<Locator>,
}

/// A candidate and the text around it.
#[derive(Debug)]
pub struct Found<'w> {
    /// The candidate; its offsets count from the first byte of the source.
    pub candidate: Candidate<'w>,
    /// Where `candidate.outer` starts, if the stream has been asked for [context](Stream::with_context);
    /// line 1, column 1 otherwise.
    pub position: Position,
    /// Offset of the first byte of the line in which `candidate.outer` starts, if the stream has
    /// been asked for [context](Stream::with_context); 0 otherwise.
    pub line_start: u64,
    /// The source bytes around the candidate.
    pub window: Window<'w>,
    /// The message of a mailbox that it stands in, from 1.
    pub member: Option<u64>,
    /// Whether it stands in one of several forms of the same text, as in `multipart/alternative`
    /// (RFC 2046, section 5.1.4): the same URL may stand in the others too.
    pub alternative: bool,
    /// Whether the window has [`CONTEXT`] bytes on either side of the candidate, as far as the
    /// source has them.
    pub(crate) has_context: bool,
    /// Where it was found, if that is not the source itself.
    pub(crate) origin: Option<Origin<'w>>,
}

/// Some bytes of a source.
#[derive(Clone, Copy, Debug)]
pub struct Window<'w> {
    /// Offset of the first of them in the source.
    pub start: u64,
    /// The bytes.
    pub bytes: &'w [u8],
}

impl<R: Read> Stream<R> {
    /// The candidates of what `reader` gives, found as [`find`](crate::find()) does.
    pub fn new(reader: R) -> Self {
        Stream::with_finder(reader, Finder::default())
    }

    pub(crate) fn with_finder(reader: R, finder: Finder) -> Self {
        Stream {
            reader,
            scanner: Scanner::new(finder),
            buffer: Vec::new(),
            filled: 0,
            base: 0,
            complete: false,
            chunk: CHUNK,
            locator: None,
        }
    }

    /// Also counts lines and columns, and keeps [`CONTEXT`] bytes on either side of each candidate
    /// in the window, as far as the source has them.
    pub fn with_context(mut self) -> Self {
        self.locator = Some(Locator::default());
        self
    }

    /// Asks the reader for `bytes` bytes at once, at least one. The answer does not depend on it.
    pub fn with_chunk(mut self, bytes: usize) -> Self {
        self.chunk = bytes.max(1);
        self
    }

    /// Takes `buffer`, whatever is in it, for its window; [`Stream::into_buffer`] gives it back. To be asked
    /// for before anything is read, where many streams are read one after another.
    pub fn with_buffer(mut self, buffer: Vec<u8>) -> Self {
        self.buffer = buffer;
        self
    }

    /// The buffer of its window, for another stream.
    pub fn into_buffer(self) -> Vec<u8> {
        self.buffer
    }

    /// Finds only what begins in a stretch of the source; the reader gives the source from
    /// [`Stretch::reads_from`](crate::Stretch::reads_from) on. To be asked for before anything is read, and after
    /// [context](Stream::with_context).
    pub fn within(mut self, Rest { stretch, reached }: Rest) -> Self {
        self.base = stretch.reads_from();
        let near = |offset: u64| match offset {
            u64::MAX => usize::MAX,
            _ => usize::try_from(offset - self.base).unwrap_or(usize::MAX),
        };
        let end = stretch.end.max(stretch.start);
        self.scanner.within(near(reached), near(end));
        if let Some(locator) = &mut self.locator {
            *locator = Locator::at_line(stretch.start, stretch.line);
        }
        self
    }

    /// How far into the source nothing is left to be found, at least: the last candidate, delimiters
    /// included, ends there or before. At the end of a [stretch](crate::Stretch) it says whether
    /// that candidate reaches into the next.
    pub fn reached(&self) -> u64 {
        self.base + self.scanner.floor() as u64
    }

    /// The next candidate, or `None` when the source is at its end. Fails when the reader fails.
    pub fn next_found(&mut self) -> io::Result<Option<Found<'_>>> {
        let mut find = loop {
            let text = Text::new(&self.buffer[..self.filled], self.complete);
            match self.scanner.step(&text) {
                Step::Found(find) => break find,
                Step::End => return Ok(None),
                Step::More => {
                    self.slide(self.scanner.needs());
                    self.fill()?;
                }
            }
        };
        let mut position = Position::default();
        if self.locator.is_some() {
            self.keep_context(&mut find)?;
            position = self.locate(find.outer().0);
        }
        let window = Window {
            start: self.base,
            bytes: &self.buffer[..self.filled],
        };
        Ok(Some(Found {
            candidate: find.candidate(window.bytes, window.start),
            position,
            line_start: self.locator.as_ref().map_or(0, Locator::line_start),
            window,
            member: None,
            alternative: false,
            has_context: self.locator.is_some(),
            origin: None,
        }))
    }

    /// Reads on until the window has the context behind `find`.
    fn keep_context(&mut self, find: &mut Find) -> io::Result<()> {
        while !self.complete && self.filled < find.outer().1 + CONTEXT {
            let needed = find.outer().0.saturating_sub(CONTEXT);
            let by = self.slide(needed.min(self.scanner.needs()));
            find.slide(by);
            self.fill()?;
        }
        Ok(())
    }

    fn locate(&mut self, at: usize) -> Position {
        let window = &self.buffer[..self.filled];
        match &mut self.locator {
            Some(locator) => locator.advance(window, self.base, self.base + at as u64),
            None => Position::default(),
        }
    }

    /// Forgets up to `by` bytes of the window; returns how many.
    fn slide(&mut self, by: usize) -> usize {
        // Moving what is left costs time; it is worth it when much is gained.
        // The last bytes may begin a code point, whose columns are counted at once.
        let by = by.min(self.filled.saturating_sub(MAX_CODE_POINT - 1));
        if by < self.filled / 2 {
            return 0;
        }
        let by = code_point_boundary(&self.buffer[..self.filled], by);
        let by = self.scanner.slide(&self.buffer[..self.filled], by);
        if by > 0 {
            self.locate(by);
            self.buffer.copy_within(by..self.filled, 0);
            self.filled -= by;
            self.base += by as u64;
        }
        by
    }

    /// Reads once.
    fn fill(&mut self) -> io::Result<()> {
        let read = read_once(&mut self.reader, &mut self.buffer, self.filled, self.chunk)?;
        self.complete = read == 0;
        self.filled += read;
        Ok(())
    }
}

impl<R: Read> Iterator for Stream<R> {
    type Item = io::Result<Candidate<'static>>;

    fn next(&mut self) -> Option<Self::Item> {
        let found = self.next_found().transpose()?;
        Some(found.map(|found| found.candidate.into_owned()))
    }
}

/// Reads once, behind the `filled` bytes of `buffer`, which makes room for `chunk` more; returns how
/// many came, none at the end.
pub(crate) fn read_once(
    reader: &mut impl Read,
    buffer: &mut Vec<u8>,
    filled: usize,
    chunk: usize,
) -> io::Result<usize> {
    if buffer.len() < filled + chunk {
        buffer.resize(filled + chunk, 0);
    }
    let room = &mut buffer[filled..];
    loop {
        match reader.read(room) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Ok(read) => return Ok(read.min(room.len())),
            Err(error) => return Err(error),
        }
    }
}

/// The last place at or before `at` that is not inside a code point.
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
                let mut stream = Stream::new(&text[..]).with_context().with_chunk(1 << 12);
                while stream.next_found().unwrap().is_some() {}
                let window = stream.buffer.len();
                assert!(window < 1 << 19, "{beginning:?} {filling:?}: {window}");
            }
        }
    }
}
