//! A compressed file, cut where members may begin into pieces that are decompressed ahead.
//!
//! Bytes that look like the beginning of a member may be others. So the decompressed members of a piece
//! are used only if the previous member ends exactly at its start; otherwise the piece is read as
//! bytes, as is any part of it that could not be decompressed. The pieces do not depend on the
//! number of threads, nor does the output.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};
use std::sync::atomic::Ordering::Relaxed;

use super::limited::Budget;
use super::peek::read_buffered;
use super::pool::{Decoded, Job, Piece};
use super::rewind::MemberFormat;

/// A piece ends at the first member after this many bytes.
const PIECE: usize = if cfg!(test) { 100 } else { 256 << 10 };

/// A piece in which no member begins is cut after this many bytes.
const MAX_PIECE: usize = if cfg!(test) { 1000 } else { 1 << 20 };

/// The greatest number of decompressed bytes of a piece; a longer member is decompressed as it is
/// read.
pub(super) const MAX_DECODED: usize = if cfg!(test) { 2000 } else { 4 << 20 };

/// How far to read ahead.
#[derive(Clone, Copy)]
pub(super) struct Ahead {
    /// Whether to read only the bytes that are available: the input may be a slow pipe.
    pub(super) waits: bool,
    /// How many threads decompress; with none, the reading thread does.
    pub(super) threads: usize,
}

/// A reader of a compressed file. At the beginning of a member, it may have that member and its
/// successors already decompressed.
pub(super) struct Pieces<'b, R> {
    reader: R,
    format: &'static MemberFormat,
    ahead: Ahead,
    /// Counts the file's bytes when they are used, not when they are read ahead; `None` if nothing
    /// is read ahead.
    budget: Option<&'b Budget>,
    /// How much of the file has been read, if that is counted.
    raw: u64,
    queue: VecDeque<Queued>,
    /// How much of the first piece has been read.
    at: usize,
    /// Bytes that have been read but do not belong to a piece yet.
    rest: Vec<u8>,
    /// Memory for decompressed bytes.
    rooms: Vec<Vec<u8>>,
    is_ended: bool,
    fault: Option<io::Error>,
}

struct Queued {
    job: Job,
    /// How many bytes of the file had been read when the job was complete.
    raw: u64,
}

impl<'b, R: BufRead> Pieces<'b, R> {
    pub(super) fn new(
        reader: R,
        format: &'static MemberFormat,
        ahead: Ahead,
        budget: Option<&'b Budget>,
    ) -> Self {
        Pieces {
            reader,
            format,
            ahead,
            budget,
            raw: budget.map_or(0, |budget| budget.raw.load(Relaxed)),
            queue: VecDeque::new(),
            at: 0,
            rest: Vec::new(),
            rooms: Vec::new(),
            is_ended: false,
            fault: None,
        }
    }

    /// Takes the members that begin here and have been decompressed, and continues after them.
    /// Returns `None` if the next member has to be decompressed from its bytes. A member must begin
    /// here.
    fn decoded(&mut self) -> io::Result<Option<Decoded>> {
        self.fill_buf()?;
        let Some(first) = self.queue.front_mut() else {
            return Ok(None);
        };
        let mut room = self.rooms.pop().unwrap_or_default();
        let decoded = first.job.result(self.at, &mut room);
        self.put_back(room);
        self.at += decoded.consumed;
        if decoded.consumed == 0 {
            self.put_back(decoded.room);
            return Ok(None);
        }
        Ok(Some(decoded))
    }

    /// Takes back memory for decompressed bytes.
    fn put_back(&mut self, room: Vec<u8>) {
        if !room.is_empty() {
            self.rooms.push(room);
        }
    }

    /// Reads pieces ahead, until there are as many as the threads may need. Adds at least one,
    /// unless the file has ended.
    fn read_ahead(&mut self) {
        // Each piece has its own thread, but the thread of the first one has ended when that piece is read.
        while self.queue.len() <= self.ahead.threads && !(self.is_ended && self.rest.is_empty()) {
            let used = self.budget.map(|budget| budget.raw.swap(self.raw, Relaxed));
            let piece = self.next_piece();
            if let (Some(budget), Some(used)) = (self.budget, used) {
                self.raw = budget.raw.swap(used, Relaxed);
            }
            if piece.bytes.is_empty() {
                break;
            }
            let is_for_thread = self.ahead.threads > 0 && self.format.is_at(&piece.bytes);
            let mut job = Job::new(piece, self.format.decode);
            if is_for_thread {
                job.start(self.rooms.pop().unwrap_or_default());
            }
            let raw = self.raw;
            self.queue.push_back(Queued { job, raw });
        }
        if let (Some(budget), Some(first)) = (self.budget, self.queue.front()) {
            budget.raw.store(first.raw, Relaxed);
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
            if let Some(at) = self.format.find(&self.rest, searched) {
                return self.cut(at, true);
            }
            let unsearched = (self.format.len - 1).min(self.rest.len());
            searched = searched.max(self.rest.len() - unsearched);
            if self.rest.len() >= MAX_PIECE {
                return self.cut(searched, false);
            }
            self.read();
        }
    }

    fn cut(&mut self, at: usize, is_cut: bool) -> Piece {
        let rest = self.rest.split_off(at);
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

/// Members that have been decompressed together, and are now being read.
#[derive(Default)]
pub(super) struct Ready {
    decoded: Decoded,
    at: usize,
}

impl Ready {
    /// Takes the next decompressed members from `pieces`, replacing those that have been read.
    /// Returns whether there are any.
    pub(super) fn take_from<R: BufRead>(&mut self, pieces: &mut Pieces<'_, R>) -> io::Result<bool> {
        pieces.put_back(std::mem::take(&mut self.decoded.room));
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

impl<R: BufRead> BufRead for Pieces<'_, R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let is_over = |first: &Queued| self.at == first.job.piece.bytes.len();
        if self.queue.front().is_none_or(is_over) {
            self.queue.pop_front();
            self.at = 0;
            self.read_ahead();
        }
        match self.queue.front() {
            Some(first) => Ok(&first.job.piece.bytes[self.at..]),
            None => self.fault.take().map_or(Ok(&[]), Err),
        }
    }

    fn consume(&mut self, count: usize) {
        let first = self.queue.front();
        let length = first.map_or(0, |first| first.job.piece.bytes.len());
        self.at = (self.at + count).min(length);
    }
}

impl<R: BufRead> Read for Pieces<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        read_buffered(self, out)
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may fail")]
mod tests {
    use std::io::Write as _;

    use flate2::{Compression, GzBuilder};
    use proptest::prelude::*;

    use super::*;
    use crate::bzip2::{BZIP2, Bzip2Decoder};
    use crate::gzip::{GZIP, GzipDecoder};
    use crate::limited::Limits;
    use crate::members::Members;
    use crate::rewind::Faults;
    use crate::zstd::{ZSTD, ZstdDecoder};
    use urlint_testing::tries;

    /// A format that reads every member from its bytes.
    static GZIP_BY_ITSELF: MemberFormat = MemberFormat {
        decode: |_, _, _| None,
        ..GZIP
    };
    static BZIP2_BY_ITSELF: MemberFormat = MemberFormat {
        decode: |_, _, _| None,
        ..BZIP2
    };
    static ZSTD_BY_ITSELF: MemberFormat = MemberFormat {
        decode: |_, _, _| None,
        ..ZSTD
    };

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Method {
        Gzip,
        Bzip2,
        Zstd,
    }

    /// Returns a few bytes at a time.
    struct Drops<'d>(&'d [u8], usize);

    impl Read for Drops<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let count = out.len().min(self.1);
            self.0.read(&mut out[..count])
        }
    }

    /// The output up to a fault, the faults, and how much of the file had been counted at each byte
    /// of output.
    type Unpacked = (Vec<u8>, Vec<(String, u64)>, Vec<u64>);

    fn unpack(
        method: Method,
        format: &'static MemberFormat,
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
            Method::Zstd => Box::new(Members::<_, ZstdDecoder>::new(pieces, &faults)),
        };
        let mut buffer = [0; 50];
        let last = loop {
            match decoder.read(&mut buffer) {
                Ok(0) => break None,
                Ok(count) => {
                    unpacked.0.extend_from_slice(&buffer[..count]);
                    unpacked
                        .2
                        .resize(unpacked.0.len(), budget.raw.load(Relaxed));
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

    /// Returns whether only one of the decoders accepts the member. libdeflate reads the codes 286
    /// and 287, which RFC 1951 reserves, as the longest length, while the streaming decoder stops
    /// there. If the checksum is right, so is the output.
    fn has_reserved_code(member: &[u8]) -> bool {
        let mut at_once = Decoded::default();
        let length = (GZIP.decode)(member, true, &mut at_once);
        let read = io::copy(&mut flate2::read::GzDecoder::new(member), &mut io::sink());
        length.is_some() && read.is_err()
    }

    /// A part of a file: a member, or something else.
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
            // Members inside a member, where they look like neighbouring members.
            2 => (prop::collection::vec(member.clone(), 0..6), 0..4_u8)
                .prop_map(move |(members, how)| pack(&members.concat(), how * 4)),
            // A member whose end occurs twice.
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
        fn threads_do_not_change_the_output(
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
