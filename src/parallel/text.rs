//! A long file of plain text, cut into chunks that are searched apart from one another.

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;

use super::promise::{Awaited, Promise, promise};
use crate::find;
use crate::find::{Finder, Found, StreamOptions};
use crate::text::position::Position;

/// The longest chunk that is held in memory, in bytes.
const MAX_HELD: u64 = 4 << 20;

/// In a longer one lines are counted in so many bytes at a time.
const COUNTED: u64 = 256 << 10;

/// A file of plain text that is cut into chunks.
#[derive(Debug)]
pub struct Chunks {
    file: Arc<File>,
    length: u64,
    /// Where the next chunk begins, and its line; `None` after the last.
    next: Option<(u64, Awaited<u64>)>,
}

/// A chunk of a file. What is found in it holds if no candidate of the chunk before reaches into
/// it: see [`search`](Chunk::search).
#[derive(Debug)]
pub struct Chunk {
    file: Arc<File>,
    /// Offset of its first byte.
    pub start: u64,
    /// Offset of the byte after its last; `u64::MAX` if it is the last of the file.
    pub end: u64,
    line: Awaited<u64>,
}

/// Memory that is used for one chunk after another.
#[derive(Debug, Default)]
pub struct Scratch {
    /// What has been read of the chunk, from [`reads_from`](find::Chunk::reads_from) on.
    text: Vec<u8>,
    window: Vec<u8>,
}

impl Chunks {
    /// Cuts `file` into chunks of about `length` bytes. It must be a file that can be read at any
    /// offset.
    pub fn new(file: File, length: u64) -> Self {
        Chunks {
            file: Arc::new(file),
            length: length.max(1),
            next: Some((0, Awaited::ready(1))),
        }
    }
}

impl Iterator for Chunks {
    /// A chunk, and the promise of the line in which the next begins, for [`Chunk::search`].
    type Item = (Chunk, Promise<u64>);

    fn next(&mut self) -> Option<Self::Item> {
        let (start, line) = self.next.take()?;
        let (promise, next_line) = promise();
        let next = boundary(&self.file, start.saturating_add(self.length));
        self.next = next.map(|next| (next, next_line));
        let chunk = Chunk {
            file: self.file.clone(),
            start,
            end: next.unwrap_or(u64::MAX),
            line,
        };
        Some((chunk, promise))
    }
}

/// Where a chunk may begin after the offset `from`; `None` if the file ends before, or cannot be
/// read there.
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

impl Chunk {
    /// Searches the chunk from the offset `reached` on, where the last candidate before ends, and
    /// hands what is found to `visit`. Returns the offset where its own last candidate ends: if that
    /// is beyond the start of the next chunk, that must be searched from there on.
    ///
    /// `counts`: lines and columns are counted, and the text around candidates is kept. That waits
    /// until the lines of all chunks before have been counted, and finds nothing if they cannot be
    /// any more. `next_line` is kept before anything is searched.
    ///
    /// Fails when the file cannot be read or `visit` fails.
    pub fn search<E: From<io::Error>>(
        &self,
        finder: &Finder,
        (counts, next_line): (bool, Option<Promise<u64>>),
        reached: u64,
        scratch: &mut Scratch,
        visit: &mut dyn FnMut(Found<'_>) -> Result<(), E>,
    ) -> Result<u64, E> {
        scratch.text.clear();
        if reached > self.end {
            return Ok(reached);
        }
        let mut line = Some(1);
        if counts {
            if let Some(next_line) = next_line {
                self.count_lines(next_line, &mut scratch.text);
            }
            line = self.line.wait();
        }
        let Some(line) = line else {
            return Ok(reached);
        };
        let chunk = self.chunk(line);
        let read = std::mem::take(&mut scratch.text);
        let rest = ReadAt {
            file: &self.file,
            at: chunk.reads_from() + read.len() as u64,
        };
        let mut options = StreamOptions::default()
            .within(chunk, reached)
            .with_buffer(std::mem::take(&mut scratch.window));
        options.context = counts;
        let mut stream = finder.stream_with(read.chain(rest), options);
        while let Some(found) = stream.next_found()? {
            visit(found)?;
        }
        let reached = stream.reached();
        scratch.window = stream.into_buffer();
        Ok(reached)
    }

    /// Counts the lines of the chunk, for whoever searches the next. What is read for that is left in
    /// `text`, unless it is too long.
    fn count_lines(&self, next_line: Promise<u64>, text: &mut Vec<u8>) {
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
            // What cannot be read now cannot be read when it is searched, and nothing after it is.
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
        if let Some(line) = self.line.wait() {
            next_line.keep(line + lines);
        }
    }

    /// How many bytes it has.
    pub fn length(&self) -> u64 {
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

/// Reads a file from an offset on, whatever others read of it.
#[derive(Debug)]
pub struct ReadAt<'f> {
    /// The file.
    pub file: &'f File,
    /// The offset of the byte that is read next.
    pub at: u64,
}

impl ReadAt<'_> {
    /// Whether files can be read so on this system.
    pub const WORKS: bool = cfg!(unix);
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
