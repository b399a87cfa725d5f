//! gzip, member after member.

use std::cell::RefCell;
use std::io::{self, BufRead, Read};

use flate2::{Decompress, DecompressError, FlushDecompress, Status};
use libdeflater::Decompressor;
use memchr::memmem;

use super::pieces::{Format, MAX_DECODED, Pieces, Ready};
use super::pool::Decoded;
use super::rewind::{Beginning, Faults, RewindReader};

/// A member begins with its header, of at least ten bytes.
const MEMBER: Beginning = Beginning {
    magic: MAGIC,
    len: 10,
    is_it: is_header,
};

const MAGIC: &[u8] = b"\x1f\x8b\x08";

/// How a file of members is taken apart.
pub(super) const GZIP: Format = Format {
    beginning: &MEMBER,
    decode,
};

/// The longest window of a member, of 32 KiB, as a power of two.
const MAX_WINDOW_BITS: u8 = 15;

/// The flags of a header (RFC 1952, section 2.3.1) that no member has.
const RESERVED: u8 = 0xe0;

/// The flag of a header with a checksum of its own.
const HEADER_SUM: u8 = 0x02;

/// The length of the shortest member, in bytes.
const MIN_MEMBER: usize = 18;

thread_local! {
    static DECOMPRESSOR: RefCell<Decompressor> = RefCell::new(Decompressor::new());
}

/// Decodes all members of a file. After a damaged member the next one is searched for, and a line
/// break is put in the place of what is missing, so that the text before and after it stays apart.
/// Zeros after the last member are padding; anything else there is a fault.
pub(super) struct Gzip<'f, 'b, R> {
    state: State<RewindReader<Pieces<'b, R>>>,
    /// Members that were decoded at once.
    ready: Ready,
    faults: &'f Faults,
    /// How many bytes have been decoded.
    at: u64,
}

enum State<R> {
    /// A member is being decoded.
    Member(Member<R>),
    /// A member begins, or the file has ended.
    Between(R),
    /// After the last member.
    Over,
}

/// Decodes one member.
struct Member<R> {
    reader: R,
    /// It reads the header and checks the checksum too.
    decoder: Decompress,
    /// What comes after all that could be decoded.
    end: Option<Result<(), DecompressError>>,
}

impl<R: BufRead> Member<R> {
    fn new(reader: R) -> Self {
        Member {
            reader,
            decoder: Decompress::new_gzip(MAX_WINDOW_BITS),
            end: None,
        }
    }
}

impl<R: BufRead> Read for Member<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.end.is_none() {
            let input = self.reader.fill_buf()?;
            let is_over = input.is_empty();
            let (read, written) = (self.decoder.total_in(), self.decoder.total_out());
            let status = self.decoder.decompress(input, out, FlushDecompress::None);
            let read = self.decoder.total_in() - read;
            let written = self.decoder.total_out() - written;
            self.reader.consume(read as usize);
            // What is decoded before a fault counts, however the bytes arrive.
            match status {
                Ok(Status::StreamEnd) => self.end = Some(Ok(())),
                Err(error) => self.end = Some(Err(error)),
                Ok(_) if is_over && written == 0 => {
                    return Err(io::Error::other("incomplete deflate stream"));
                }
                Ok(_) => {}
            }
            if written > 0 {
                return Ok(written as usize);
            }
        }
        match &self.end {
            Some(Err(error)) => Err(io::Error::other(words(error))),
            _ => Ok(0),
        }
    }
}

/// What is wrong with a member.
fn words(error: &DecompressError) -> &'static str {
    let message = error.message().unwrap_or_default();
    if message.contains("data check") || message.contains("length check") {
        "corrupt gzip stream does not have a matching checksum"
    } else if message.contains("header") || message.contains("method") {
        "invalid gzip header"
    } else {
        "corrupt deflate stream"
    }
}

impl<'f, 'b, R: BufRead> Gzip<'f, 'b, R> {
    /// Faults that do not end the decoding are added to `faults`.
    pub(super) fn new(pieces: Pieces<'b, R>, faults: &'f Faults) -> Self {
        Gzip {
            state: State::Between(RewindReader::new(pieces)),
            ready: Ready::default(),
            faults,
            at: 0,
        }
    }

    /// Begins the next member, or ends after the last. Returns whether something is skipped.
    fn go_on(&mut self, mut reader: RewindReader<Pieces<'b, R>>) -> io::Result<bool> {
        reader.mark();
        if is_padding(&mut reader)? {
            return Ok(false);
        }
        if reader.fill_buf()?.first() != Some(&0x1f) {
            let fault = io::Error::other("what follows is not compressed");
            return self.go_on_after(fault, reader).map(|()| true);
        }
        let is_ready = match reader.below() {
            Some(pieces) => self.ready.take_from(pieces)?,
            None => false,
        };
        self.state = if is_ready {
            State::Between(reader)
        } else {
            State::Member(Member::new(reader))
        };
        Ok(false)
    }

    /// Goes to the next member after a damaged one; fails with its fault if there is none.
    fn go_on_after(
        &mut self,
        fault: io::Error,
        mut reader: RewindReader<Pieces<'b, R>>,
    ) -> io::Result<()> {
        reader.go_on_after(fault, &MEMBER, self.faults, self.at)?;
        self.state = State::Between(reader);
        Ok(())
    }

    /// Decodes, or skips what cannot be decoded.
    fn step(&mut self, out: &mut [u8]) -> io::Result<Step> {
        let count = self.ready.read(out);
        if count > 0 {
            return Ok(Step::Decoded(count));
        }
        let mut member = match std::mem::replace(&mut self.state, State::Over) {
            State::Over => return Ok(Step::End),
            State::Between(reader) => {
                return Ok(if self.go_on(reader)? {
                    Step::Skipped
                } else {
                    Step::Decoded(0)
                });
            }
            State::Member(member) => member,
        };
        match member.read(out) {
            Ok(0) => {
                self.state = State::Between(member.reader);
                Ok(Step::Decoded(0))
            }
            Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                self.go_on_after(error, member.reader)?;
                Ok(Step::Skipped)
            }
            read => {
                self.state = State::Member(member);
                Ok(Step::Decoded(read?))
            }
        }
    }
}

/// The result of a step of decoding.
enum Step {
    /// So many bytes were decoded; 0 between two members.
    Decoded(usize),
    /// Something was skipped.
    Skipped,
    End,
}

impl<R: BufRead> Read for Gzip<'_, '_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        let count = loop {
            match self.step(out)? {
                Step::Decoded(0) => {}
                Step::Decoded(count) => break count,
                Step::Skipped => {
                    out[0] = b'\n';
                    break 1;
                }
                Step::End => break 0,
            }
        };
        self.at += count as u64;
        Ok(count)
    }
}

/// Decompresses the members with which a piece begins.
fn decode(bytes: &[u8], is_cut: bool, decoded: &mut Decoded) {
    DECOMPRESSOR.with_borrow_mut(|decompressor| {
        while let Some(length) =
            decode_member(decompressor, &bytes[decoded.consumed..], is_cut, decoded)
        {
            decoded.consumed += length;
        }
    });
}

/// Decompresses the member that `bytes` begin with; returns its length. `None` if that would not be
/// certain to give what reading it does.
fn decode_member(
    decompressor: &mut Decompressor,
    bytes: &[u8],
    is_cut: bool,
    decoded: &mut Decoded,
) -> Option<usize> {
    let flags = *bytes
        .get(MAGIC.len())
        .filter(|_| bytes.starts_with(MAGIC))?;
    // That checksum is not looked at here.
    if flags & (RESERVED | HEADER_SUM) != 0 {
        return None;
    }
    let end = next_header(bytes).or_else(|| is_cut.then_some(bytes.len()))?;
    let member = bytes.get(..end).filter(|_| end >= MIN_MEMBER)?;
    // A member ends with its checksum and length. If it ends before what is there, they are there
    // twice, or it is not sound.
    let trailer = member.last_chunk::<8>()?;
    if memmem::find(&member[..end - 1], trailer).is_some() {
        return None;
    }
    let [sum @ .., a, b, c, d] = *trailer;
    let length = usize::try_from(u32::from_le_bytes([a, b, c, d])).ok()?;
    let room = decoded.room(length, MAX_DECODED)?;
    let count = decompressor.gzip_decompress(member, room).ok()?;
    // It has been compared with the checksum where the member ends; this is the one at the end of
    // what is there.
    if count != length || libdeflater::crc32(room) != u32::from_le_bytes(sum) {
        return None;
    }
    decoded.filled += length;
    Some(end)
}

/// Where the next member may begin after the one that `bytes` begin with: whatever is taken for one
/// when the first has ended.
fn next_header(bytes: &[u8]) -> Option<usize> {
    let places = memmem::find_iter(&bytes[1..], MAGIC).map(|at| at + 1);
    let has_flags = |flags: &u8| flags & RESERVED == 0;
    let mut places = places.filter(|at| bytes.get(at + MAGIC.len()).is_none_or(has_flags));
    places.next()
}

/// Returns whether `header` is the header of a member: no reserved flag is set, and the last bytes
/// are a compression level and an operating system.
fn is_header(header: &[u8]) -> bool {
    matches!(header, [_, _, _, flags, .., 0 | 2 | 4, 0..=31 | 255] if flags & RESERVED == 0)
}

/// Returns whether nothing but zeros follows. Reads past the zeros.
fn is_padding(reader: &mut impl BufRead) -> io::Result<bool> {
    loop {
        let rest = reader.fill_buf()?;
        if rest.is_empty() {
            return Ok(true);
        }
        let zeros = rest.iter().take_while(|&&byte| byte == 0).count();
        if zeros < rest.len() {
            reader.consume(zeros);
            return Ok(false);
        }
        reader.consume(zeros);
    }
}
