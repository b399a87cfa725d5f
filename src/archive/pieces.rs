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
const PIECE: usize = if cfg!(test) { 100 } else { 256 << 10 };

/// A piece in which no member begins is cut after so many bytes.
const MAX_PIECE: usize = if cfg!(test) { 1000 } else { 1 << 20 };

/// The most that is decompressed of a piece, in bytes; a longer member is decompressed as it is read.
pub(super) const MAX_DECODED: usize = if cfg!(test) { 2000 } else { 4 << 20 };

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
    pub(super) fn find(&self, bytes: &[u8], from: usize) -> Option<usize> {
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
        let length = self
            .queue
            .front()
            .map_or(0, |first| first.piece.bytes.len());
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

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may fail")]
mod tests {
    use std::io::Write as _;

    use flate2::{Compression, GzBuilder};
    use proptest::prelude::*;

    use super::*;
    use crate::archive::bzip2::{BZIP2, Bzip2Decoder};
    use crate::archive::gzip::{GZIP, GzipDecoder};
    use crate::archive::limited::Limits;
    use crate::archive::members::Members;
    use crate::archive::rewind::Faults;
    use crate::archive::zstd::{ZSTD, Zstd};
    use crate::tries::tries;

    /// What reads every member from its bytes.
    static GZIP_BY_ITSELF: Format = Format {
        decode: |_, _, _| {},
        ..GZIP
    };
    static BZIP2_BY_ITSELF: Format = Format {
        decode: |_, _, _| {},
        ..BZIP2
    };
    static ZSTD_BY_ITSELF: Format = Format {
        decode: |_, _, _| {},
        ..ZSTD
    };

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Method {
        Gzip,
        Bzip2,
        Zstd,
    }

    /// Gives a few bytes at a time.
    struct Drops<'d>(&'d [u8], usize);

    impl Read for Drops<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let count = out.len().min(self.1);
            self.0.read(&mut out[..count])
        }
    }

    /// What comes out of a file up to a fault, the faults, and how much of the file was counted when
    /// each byte came out.
    type Unpacked = (Vec<u8>, Vec<(String, u64)>, Vec<u64>);

    fn unpack(
        method: Method,
        format: &'static Format,
        file: &[u8],
        ahead: Ahead,
        drop: usize,
    ) -> Unpacked {
        let budget = Budget::new(Limits::default());
        let mut reader = budget.count(Drops(file, drop));
        let reader = io::BufReader::with_capacity(64, &mut reader);
        let faults = Faults::default();
        let pieces = Pieces::new(reader, format, ahead, Some(&budget));
        let mut unpacked = (Vec::new(), Vec::new(), Vec::new());
        let mut decoder: Box<dyn Read> = match method {
            Method::Gzip => Box::new(Members::<_, GzipDecoder>::new(pieces, &faults)),
            Method::Bzip2 => Box::new(Members::<_, Bzip2Decoder>::new(pieces, &faults)),
            Method::Zstd => Box::new(Zstd::new(pieces, &faults).unwrap()),
        };
        let mut buffer = [0; 50];
        let last = loop {
            match decoder.read(&mut buffer) {
                Ok(0) => break None,
                Ok(count) => {
                    unpacked.0.extend_from_slice(&buffer[..count]);
                    unpacked.2.resize(unpacked.0.len(), budget.raw.get());
                }
                Err(fault) => break Some((fault.to_string(), unpacked.0.len() as u64)),
            }
        };
        std::mem::drop(decoder);
        unpacked.1 = faults.take();
        unpacked.1.extend(last);
        unpacked
    }

    fn gzip(bytes: &[u8], how: u8) -> Vec<u8> {
        let level = [0, 1, 6, 9][usize::from(how % 4)];
        let builder = match how / 4 % 4 {
            0 => GzBuilder::new().filename("name").comment("words"),
            1 => GzBuilder::new().extra(&b"BC\x02\0ab"[..]),
            _ => GzBuilder::new(),
        };
        let mut encoder = builder.write(Vec::new(), Compression::new(level));
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn bzip2(bytes: &[u8], how: u8) -> Vec<u8> {
        let level = ::bzip2::Compression::new(u32::from(how % 9) + 1);
        let mut encoder = ::bzip2::write::BzEncoder::new(Vec::new(), level);
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn zstd(bytes: &[u8], how: u8) -> Vec<u8> {
        let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
        encoder.include_checksum(how.is_multiple_of(2)).unwrap();
        if !(how / 2).is_multiple_of(4) {
            let length = Some(bytes.len() as u64);
            encoder.set_pledged_src_size(length).unwrap();
        }
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    /// Returns whether only one of the decoders takes the member. libdeflate reads the codes 286 and
    /// 287, which RFC 1951 reserves, as the longest length. If the checksum is right all the same,
    /// what comes out is right, although what reads the bytes one after another stops there.
    fn has_reserved_code(member: &[u8]) -> bool {
        let mut at_once = Decoded::default();
        (GZIP.decode)(member, true, &mut at_once);
        let read = io::copy(&mut flate2::read::GzDecoder::new(member), &mut io::sink());
        at_once.consumed > 0 && read.is_err()
    }

    /// A part of a file: a member, or what else there may be.
    fn part(method: Method) -> impl Strategy<Value = Vec<u8>> {
        let pack = move |bytes: &[u8], how| match method {
            Method::Gzip => gzip(bytes, how),
            Method::Bzip2 => bzip2(bytes, how),
            Method::Zstd => zstd(bytes, how),
        };
        let text = prop_oneof![
            6 => "[a-z \n]{0,80}".prop_map(String::into_bytes),
            2 => prop::collection::vec(any::<u8>(), 0..300),
            1 => (0..5000_usize).prop_map(|length| vec![b'a'; length]),
        ];
        let member = (text, any::<u8>()).prop_map(move |(text, how)| pack(&text, how));
        prop_oneof![
            12 => member.clone(),
            // Members in a member, where they look like those beside it.
            2 => (prop::collection::vec(member.clone(), 0..6), 0..4_u8)
                .prop_map(move |(members, how)| pack(&members.concat(), how * 4)),
            // Its end twice.
            1 => member.clone().prop_map(|member| {
                let end = member.len().saturating_sub(8);
                [&member[..], &member[end..]].concat()
            }),
            2 => (member, any::<prop::sample::Index>(), any::<bool>())
                .prop_map(|(mut member, at, is_magic)| {
                    let length = if is_magic { 4 } else { member.len() };
                    let at = at.index(length);
                    member[at] ^= 1;
                    member
                })
                .prop_filter("a reserved code in a sound member", move |member| {
                    method != Method::Gzip || !has_reserved_code(member)
                }),
            1 => (0..20_usize).prop_map(|length| vec![0; length]),
            1 => Just(b"no member".to_vec()),
            1 => Just(b"\x50\x2a\x4d\x18\x03\0\0\0abc".to_vec()),
        ]
    }

    fn file() -> impl Strategy<Value = (Method, Vec<u8>)> {
        let method = prop_oneof![Just(Method::Gzip), Just(Method::Bzip2), Just(Method::Zstd)];
        let parts = |method| (Just(method), prop::collection::vec(part(method), 0..30));
        (
            method.prop_flat_map(parts),
            any::<prop::sample::Index>(),
            0..4,
        )
            .prop_map(|((method, parts), end, cut)| {
                let mut file = parts.concat();
                if cut == 0 {
                    file.truncate(end.index(file.len() + 1));
                }
                (method, file)
            })
    }

    proptest! {
        #![proptest_config(tries(2_000))]

        #[test]
        fn what_comes_out_does_not_depend_on_who_decompresses(
            (method, file) in file(),
            drop in 1..200_usize,
        ) {
            let (format, by_itself) = match method {
                Method::Gzip => (&GZIP, &GZIP_BY_ITSELF),
                Method::Bzip2 => (&BZIP2, &BZIP2_BY_ITSELF),
                Method::Zstd => (&ZSTD, &ZSTD_BY_ITSELF),
            };
            let waiting = Ahead { waits: true, threads: 0 };
            let alone = Ahead { waits: false, threads: 0 };
            let several = Ahead { waits: false, threads: 3 };
            let expected = unpack(method, by_itself, &file, alone, usize::MAX);
            let (text, faults, raw) = unpack(method, format, &file, alone, usize::MAX);
            prop_assert_eq!(&text, &expected.0);
            prop_assert_eq!(&faults, &expected.1);
            let others = [(waiting, drop), (alone, drop), (several, drop)];
            for (ahead, drop) in others {
                let other = unpack(method, format, &file, ahead, drop);
                prop_assert_eq!(&other.0, &text);
                prop_assert_eq!(&other.1, &faults);
            }
            let several = unpack(method, format, &file, several, usize::MAX);
            prop_assert_eq!(several, (text, faults, raw));
        }
    }
}
