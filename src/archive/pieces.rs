//! A compressed file cut into pieces where members may begin, which are decompressed ahead.
//!
//! What looks like the beginning of a member may be none. So what has been decompressed of a piece
//! counts only if the member before it ends right there; otherwise the piece is read on as bytes,
//! and so is what could not be decompressed of it. The pieces are the same however many threads
//! there are, and with them all that comes out of them.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};
use std::sync::Arc;

use memchr::memmem;

use super::limited::Budget;
use super::pool::{Decode, Decoded, Job, Piece, Pool};
use super::rewind::Beginning;

/// The length from which on a piece ends at the next member, in bytes.
const PIECE: usize = 256 << 10;

/// A piece in which no member begins is cut after so many bytes.
const MAX_PIECE: usize = 1 << 20;

/// The most that is decompressed of a piece, in bytes; a longer member is decompressed as it is read.
pub(super) const MAX_DECODED: usize = 4 << 20;

/// How a compressed file is taken apart.
pub(super) struct Format {
    pub(super) beginning: &'static Beginning,
    pub(super) decode: Decode,
}

/// How far ahead is read.
#[derive(Clone, Copy)]
pub(super) struct Ahead {
    /// Whether no more is read than is there: the bytes may be long in coming.
    pub(super) waits: bool,
    /// How many threads decompress; none if it is done where the bytes are wanted.
    pub(super) threads: usize,
}

/// A reader of a compressed file, which at the beginning of a member may have it and those after it
/// decompressed.
pub(super) struct Pieces<'b, R> {
    reader: R,
    format: &'static Format,
    pool: Pool,
    ahead: Ahead,
    /// Counts what is read of the file where it is used, not where it is read ahead; `None` where
    /// nothing is read ahead.
    budget: Option<&'b Budget>,
    /// How much has been read of the file, if that is counted.
    raw: u64,
    queue: VecDeque<Queued>,
    /// How much has been read of the first piece.
    at: usize,
    /// What has been read and is no piece yet.
    rest: Vec<u8>,
    /// Memory for that.
    spare: Vec<u8>,
    is_ended: bool,
    fault: Option<io::Error>,
}

struct Queued {
    piece: Arc<Piece>,
    job: Option<Arc<Job>>,
    /// How much had been read of the file with it.
    raw: u64,
}

impl<'b, R: BufRead> Pieces<'b, R> {
    pub(super) fn new(
        reader: R,
        format: &'static Format,
        ahead: Ahead,
        budget: Option<&'b Budget>,
    ) -> Self {
        Pieces {
            reader,
            format,
            pool: Pool::new(format.decode, ahead.threads),
            ahead,
            budget,
            raw: budget.map_or(0, |budget| budget.raw.get()),
            queue: VecDeque::new(),
            at: 0,
            rest: Vec::new(),
            spare: Vec::new(),
            is_ended: false,
            fault: None,
        }
    }

    /// Takes the members that begin here as far as they are decompressed already, and goes on after
    /// them. `None` if the next member has to be decompressed from its bytes. A member must begin
    /// here.
    fn decoded(&mut self) -> io::Result<Option<Decoded>> {
        self.fill_buf()?;
        let Some(first) = self.queue.front_mut() else {
            return Ok(None);
        };
        let decoded = match first.job.take() {
            Some(job) if self.at == 0 => self.pool.result(&job),
            _ => {
                let rest = &first.piece.bytes[self.at..];
                self.pool.decode(rest, first.piece.is_cut)
            }
        };
        self.at += decoded.consumed;
        if decoded.consumed == 0 {
            self.pool.put_back(decoded.room);
            return Ok(None);
        }
        Ok(Some(decoded))
    }

    /// Reads pieces ahead, until there are as many as the threads may need. At least one is added,
    /// unless there are no more.
    fn read_ahead(&mut self) {
        let threads = self.ahead.threads;
        let most = if threads > 0 { 2 * threads + 2 } else { 1 };
        while self.queue.len() < most && !(self.is_ended && self.rest.is_empty()) {
            let used = self.budget.map(|budget| budget.raw.replace(self.raw));
            let piece = self.next_piece();
            if let (Some(budget), Some(used)) = (self.budget, used) {
                self.raw = budget.raw.replace(used);
            }
            if piece.bytes.is_empty() {
                break;
            }
            let piece = Arc::new(piece);
            let is_for_threads = threads > 0 && self.format.beginning.is_at(&piece.bytes);
            self.queue.push_back(Queued {
                job: is_for_threads.then(|| self.pool.add(piece.clone())),
                piece,
                raw: self.raw,
            });
        }
        if let (Some(budget), Some(first)) = (self.budget, self.queue.front()) {
            budget.raw.set(first.raw);
        }
    }

    fn next_piece(&mut self) -> Piece {
        let mut searched = PIECE;
        loop {
            if self.is_ended || self.ahead.waits && !self.rest.is_empty() {
                return Piece {
                    is_cut: self.is_ended && self.fault.is_none(),
                    bytes: std::mem::take(&mut self.rest),
                };
            }
            if let Some(at) = self.format.beginning.find(&self.rest, searched) {
                return self.cut(at, true);
            }
            let unsearched = (self.format.beginning.len - 1).min(self.rest.len());
            searched = searched.max(self.rest.len() - unsearched);
            if self.rest.len() >= MAX_PIECE {
                return self.cut(searched, false);
            }
            self.read();
        }
    }

    fn cut(&mut self, at: usize, is_cut: bool) -> Piece {
        let mut rest = std::mem::take(&mut self.spare);
        rest.clear();
        rest.extend_from_slice(&self.rest[at..]);
        self.rest.truncate(at);
        let bytes = std::mem::replace(&mut self.rest, rest);
        Piece { bytes, is_cut }
    }

    fn read(&mut self) {
        match self.reader.fill_buf() {
            Ok([]) => self.is_ended = true,
            Ok(bytes) => {
                let length = bytes.len();
                self.rest.extend_from_slice(bytes);
                self.reader.consume(length);
            }
            Err(error) => {
                self.is_ended = true;
                self.fault = Some(error);
            }
        }
    }
}

/// What was decompressed at once, and is read now.
#[derive(Default)]
pub(super) struct Ready {
    decoded: Decoded,
    at: usize,
}

impl Ready {
    /// Takes what is decompressed of the members that begin where `pieces` is, in place of what has
    /// been read. Returns whether there is something.
    pub(super) fn take_from<R: BufRead>(&mut self, pieces: &mut Pieces<'_, R>) -> io::Result<bool> {
        pieces.pool.put_back(std::mem::take(&mut self.decoded.room));
        let decoded = pieces.decoded()?;
        let is_something = decoded.is_some();
        *self = Ready {
            decoded: decoded.unwrap_or_default(),
            at: 0,
        };
        Ok(is_something)
    }

    /// Reads some of it; returns how many bytes.
    pub(super) fn read(&mut self, out: &mut [u8]) -> usize {
        let rest = &self.decoded.room[self.at..self.decoded.filled];
        let count = rest.len().min(out.len());
        out[..count].copy_from_slice(&rest[..count]);
        self.at += count;
        count
    }
}

impl Beginning {
    /// Where the first of them begins in `bytes` from `from` on.
    fn find(&self, bytes: &[u8], from: usize) -> Option<usize> {
        let places = memmem::find_iter(bytes.get(from..)?, self.magic);
        let mut places = places.map(|at| from + at);
        places.find(|&at| self.is_at(&bytes[at..]))
    }
}

impl<R: BufRead> BufRead for Pieces<'_, R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let is_over = |first: &Queued| self.at == first.piece.bytes.len();
        if self.queue.front().is_none_or(is_over) {
            let first = self.queue.pop_front();
            let unused = first.and_then(|first| Arc::try_unwrap(first.piece).ok());
            self.spare = unused.map(|piece| piece.bytes).unwrap_or_default();
            self.at = 0;
            self.read_ahead();
        }
        match self.queue.front() {
            Some(first) => Ok(&first.piece.bytes[self.at..]),
            None => self.fault.take().map_or(Ok(&[]), Err),
        }
    }

    fn consume(&mut self, count: usize) {
        let length = self.queue.front().map_or(0, |first| first.piece.bytes.len());
        self.at = (self.at + count).min(length);
    }
}

impl<R: BufRead> Read for Pieces<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(out)?;
        self.consume(count);
        Ok(count)
    }
}
