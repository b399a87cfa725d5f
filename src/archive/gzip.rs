//! gzip, member after member.

use std::cell::RefCell;

use flate2::{Decompress, FlushDecompress, Status};
use libdeflater::Decompressor;
use memchr::memmem;

use super::members::{Decoder, Step};
use super::pieces::MAX_DECODED;
use super::pool::Decoded;
use super::rewind::MemberFormat;

/// A member begins with its header, of at least ten bytes.
pub(super) const GZIP: MemberFormat = MemberFormat {
    magic: MAGIC,
    len: 10,
    is_it: is_header,
    is_exact: true,
    decode: decode_member,
};

const MAGIC: &[u8] = b"\x1f\x8b\x08";

/// The longest window of a member, 32 KiB, as a power of two.
const MAX_WINDOW_BITS: u8 = 15;

/// The reserved flags of a header (RFC 1952, section 2.3.1).
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
    const FORMAT: &MemberFormat = &GZIP;
    const INCOMPLETE: &str = "incomplete gzip stream";

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
                Err(_) => Err("corrupt gzip stream"),
            },
        }
    }
}

/// Decompresses `deflated`, which has no header, to fill `room`. Returns the checksum of the
/// result, or `None` if it does not fill `room` or is damaged.
pub(super) fn inflate(deflated: &[u8], room: &mut [u8]) -> Option<u32> {
    let inflated = DECOMPRESSOR.with_borrow_mut(|decompressor| {
        // It fails if the result is longer.
        decompressor.deflate_decompress(deflated, room)
    });
    (inflated.ok()? == room.len()).then(|| libdeflater::crc32(room))
}

/// Decompresses the member at the start of `bytes`; returns its length. Returns `None` if the
/// result might differ from decoding it as it is read.
fn decode_member(bytes: &[u8], is_cut: bool, decoded: &mut Decoded) -> Option<usize> {
    let flags = *bytes
        .get(MAGIC.len())
        .filter(|_| bytes.starts_with(MAGIC))?;
    // The header's checksum is not verified here.
    if flags & (RESERVED | HEADER_SUM) != 0 {
        return None;
    }
    let end = next_header(bytes).or_else(|| is_cut.then_some(bytes.len()))?;
    let member = bytes.get(..end).filter(|_| end >= MIN_MEMBER)?;
    // A member ends with its checksum and length. If the member ends earlier, they occur twice, or
    // it is damaged.
    let trailer = member.last_chunk::<8>()?;
    if memmem::find(&member[..end - 1], trailer).is_some() {
        return None;
    }
    let [sum @ .., a, b, c, d] = *trailer;
    let length = usize::try_from(u32::from_le_bytes([a, b, c, d])).ok()?;
    let room = decoded.room(length, MAX_DECODED)?;
    let count = DECOMPRESSOR
        .with_borrow_mut(|decompressor| decompressor.gzip_decompress(member, room))
        .ok()?;
    // The decoder has verified the checksum where the member ends; this one is at the end of
    // `member`.
    if count != length || libdeflater::crc32(room) != u32::from_le_bytes(sum) {
        return None;
    }
    decoded.filled += length;
    Some(end)
}

/// Returns where the next member may begin after the one at the start of `bytes`: anything that
/// would be taken for a member once the first has ended.
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
