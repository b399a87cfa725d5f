//! gzip, member after member.

use std::cell::RefCell;

use flate2::{Decompress, DecompressError, FlushDecompress, Status};
use libdeflater::Decompressor;
use memchr::memmem;

use super::members::{Decoder, Step};
use super::pieces::{Format, MAX_DECODED};
use super::pool::Decoded;
use super::rewind::Beginning;

/// A member begins with its header, of at least ten bytes.
const MEMBER: Beginning = Beginning {
    magic: MAGIC,
    len: 10,
    is_it: is_header,
    is_exact: true,
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

/// Decodes a member; it reads the header and checks the checksum too.
pub(super) struct GzipDecoder(Decompress);

impl Decoder for GzipDecoder {
    const MEMBER: &Beginning = &MEMBER;
    const INCOMPLETE: &str = "incomplete deflate stream";

    fn new() -> Self {
        GzipDecoder(Decompress::new_gzip(MAX_WINDOW_BITS))
    }

    fn decode(&mut self, input: &[u8], out: &mut [u8]) -> Step {
        let GzipDecoder(decoder) = self;
        let (read, written) = (decoder.total_in(), decoder.total_out());
        let status = decoder.decompress(input, out, FlushDecompress::None);
        Step {
            read: (decoder.total_in() - read) as usize,
            written: (decoder.total_out() - written) as usize,
            is_over: match status {
                Ok(status) => Ok(status == Status::StreamEnd),
                Err(error) => Err(words(&error)),
            },
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

/// Decompresses `deflated`, which has no header, to fill `room`. Returns the checksum of what comes
/// out, or `None` if it is not that long, or damaged.
pub(super) fn inflate(deflated: &[u8], room: &mut [u8]) -> Option<u32> {
    let inflated = DECOMPRESSOR.with_borrow_mut(|decompressor| {
        // It fails if what comes out is longer.
        decompressor.deflate_decompress(deflated, room)
    });
    (inflated.ok()? == room.len()).then(|| libdeflater::crc32(room))
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
