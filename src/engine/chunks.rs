//! A long file of plain text, cut into chunks that are searched independently.

use std::fs::File;
use std::io::{self, Read};
use std::sync::{Arc, OnceLock};

use super::message::Message;
use super::out::Out;
use super::{Error, Inputs, Opened, Totals, Work};
use urlint_core::find::{self, StreamOptions};
use urlint_core::text::Position;

/// The longest chunk that is held in memory, in bytes.
const MAX_HELD: u64 = 4 << 20;

/// Longer chunks are read for counting lines in pieces of this many bytes.
const COUNTED: u64 = 256 << 10;

/// A file of plain text that is cut into chunks.
pub(super) struct Chunks<W: Work> {
    opened: Arc<Opened<W>>,
    file: Arc<File>,
    length: u64,
    /// Where the next chunk begins, and its line; `None` after the last.
    next: Option<(u64, Line)>,
}

/// A chunk of a file. Its results are final unless a candidate of the chunk before reaches
/// into it: see [`search`](Chunk::search).
pub(super) struct Chunk<W: Work> {
    opened: Arc<Opened<W>>,
    file: Arc<File>,
    /// The offset of its first byte.
    pub(super) start: u64,
    /// The offset after its last byte; `u64::MAX` if it is the last chunk of the file.
    pub(super) end: u64,
    line: Line,
}

/// The line that a chunk begins in, once all lines before it are counted; `None` if they cannot be.
type Line = Arc<OnceLock<Option<u64>>>;

/// Passes on the line that the next chunk begins in. If this is dropped instead, the line stays unknown.
pub(super) struct NextLine(Line);

impl NextLine {
    fn tell(self, line: u64) {
        // It is set only once.
        let _ = self.0.set(Some(line));
    }
}

impl Drop for NextLine {
    fn drop(&mut self) {
        let _ = self.0.set(None);
    }
}

impl<W: Work> Chunks<W> {
    /// Cuts the source `opened`, which is `file` and must be readable at any offset, into chunks of about
    /// `length` bytes.
    pub(super) fn new(opened: Arc<Opened<W>>, file: File, length: u64) -> Self {
        Chunks {
            opened,
            file: Arc::new(file),
            length: length.max(1),
            next: Some((0, Arc::new(OnceLock::from(Some(1))))),
        }
    }
}

impl<W: Work> Iterator for Chunks<W> {
    /// A chunk, and the sender of the line that the next chunk begins in, for [`Chunk::search`].
    type Item = (Chunk<W>, NextLine);

    fn next(&mut self) -> Option<Self::Item> {
        let (start, line) = self.next.take()?;
        let next_line = Line::default();
        let next = boundary(&self.file, start.saturating_add(self.length));
        self.next = next.map(|next| (next, next_line.clone()));
        let chunk = Chunk {
            opened: self.opened.clone(),
            file: self.file.clone(),
            start,
            end: next.unwrap_or(u64::MAX),
            line,
        };
        Some((chunk, NextLine(next_line)))
    }
}

/// Returns where a chunk may begin after the offset `from`; `None` if the file ends before that, or
/// cannot be read there.
fn boundary(file: &File, from: u64) -> Option<u64> {
    let mut reader = ReadAt { file, at: from };
    let mut buffer = vec![0; 4096];
    loop {
        let start = reader.at;
        let count = reader.read(&mut buffer).ok().filter(|&count| count > 0)?;
        if let Some(at) = find::Chunk::boundary(&buffer[..count]) {
            return Some(start + at as u64);
        }
        buffer.resize(64 << 10, 0);
    }
}

impl<W: Work> Chunk<W> {
    /// Searches the chunk from the offset `reached` on, where the last candidate before it ends,
    /// and passes its URLs to `work`. Returns the offset where its own last candidate ends:
    /// if that is beyond the start of the next chunk, the next chunk must be searched from there
    /// on.
    ///
    /// If the reader wants positions, lines and columns are counted, and the text around candidates is
    /// kept. This waits until the lines of all earlier chunks have been counted, and finds nothing if they
    /// never will be. `next_line` is kept before the search begins.
    pub(super) fn search(
        &self,
        inputs: &Inputs,
        work: &W,
        next_line: Option<NextLine>,
        reached: u64,
        out: &Out<'_, W::Batch>,
    ) -> Result<u64, Error> {
        match self.read(inputs, work, next_line, reached, out) {
            Err(Error::Read(error)) => {
                let message = Message::failed_source(self.opened.source.name.whole(), &error);
                out.note(message, Totals::failed())?;
                // Nothing is read after an error, so the chunks that follow have no results.
                Ok(u64::MAX)
            }
            searched => searched,
        }
    }

    fn read(
        &self,
        inputs: &Inputs,
        work: &W,
        next_line: Option<NextLine>,
        reached: u64,
        out: &Out<'_, W::Batch>,
    ) -> Result<u64, Error> {
        if reached > self.end {
            return Ok(reached);
        }
        let reader = &self.opened.reader;
        let mut read = Vec::new();
        let mut line = Some(1);
        if reader.positions {
            if let Some(next_line) = next_line {
                self.count_lines(next_line, &mut read);
            }
            line = *self.line.wait();
        }
        let Some(line) = line else {
            return Ok(reached);
        };
        let chunk = self.chunk(line);
        let rest = ReadAt {
            file: &self.file,
            at: chunk.reads_from() + read.len() as u64,
        };
        let mut options = StreamOptions::default()
            .within(chunk, reached)
            .with_buffer(inputs.buffers.take());
        options.context = reader.positions;
        let mut stream = reader.finder.stream_with(read.chain(rest), options);
        while let Some(found) = stream.next_found()? {
            work.found(&self.opened, None, &reader.found_in_text(found), out)?;
        }
        let reached = stream.reached();
        inputs.buffers.give(stream.into_buffer());
        Ok(reached)
    }

    /// Counts the lines of the chunk, for the search of the next one. The bytes that were read stay
    /// in `text`, unless they are too many.
    fn count_lines(&self, next_line: NextLine, text: &mut Vec<u8>) {
        if self.end == u64::MAX {
            return;
        }
        let at = self.chunk(1).reads_from();
        let length = self.end - at;
        let at_once = if length <= MAX_HELD { length } else { COUNTED };
        let file = &self.file;
        let mut reader = ReadAt { file, at }.take(length);
        let mut before = (self.start - at) as usize;
        let (mut lines, mut after_cr) = (0, false);
        loop {
            text.clear();
            // If this fails, the search will fail at the same place, and nothing after it will be
            // searched.
            let read = (&mut reader).take(at_once).read_to_end(text);
            let mut counted = &text[before.min(text.len())..];
            if after_cr && counted.first() == Some(&b'\n') {
                counted = &counted[1..];
            }
            lines += Position::default().after(counted).line - 1;
            if read.is_err() || text.len() as u64 != at_once || at_once == length {
                break;
            }
            (before, after_cr) = (0, text.last() == Some(&b'\r'));
        }
        if at_once < length {
            text.clear();
        }
        if let Some(line) = *self.line.wait() {
            next_line.tell(line + lines);
        }
    }

    /// Returns the length of the chunk, in bytes.
    pub(super) fn length(&self) -> u64 {
        let end = match self.end {
            u64::MAX => self.file.metadata().map_or(self.start, |data| data.len()),
            end => end,
        };
        end.saturating_sub(self.start)
    }

    fn chunk(&self, line: u64) -> find::Chunk {
        find::Chunk {
            start: self.start,
            end: self.end,
            line,
        }
    }
}

/// Reads a file from an offset on, independently of other readers.
#[derive(Debug)]
pub(super) struct ReadAt<'f> {
    /// The file.
    pub(super) file: &'f File,
    /// The offset of the next byte to read.
    pub(super) at: u64,
}

impl ReadAt<'_> {
    /// Whether files can be read this way on this system.
    pub(super) const WORKS: bool = cfg!(unix);
}

impl Read for ReadAt<'_> {
    #[cfg(unix)]
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = std::os::unix::fs::FileExt::read_at(self.file, out, self.at)?;
        self.at += read as u64;
        Ok(read)
    }

    #[cfg(not(unix))]
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
