//! Bounds on how much a few bytes of a hostile file become. The crates that parse PDFs have none.

use std::borrow::Cow;
use std::io::{self, Read};

use flate2::read::ZlibDecoder;
use hayro_syntax::Filter;
use hayro_syntax::object::{Array, Dict, Object, Stream};
use memchr::memmem;

/// The greatest length of a decompressed stream, in bytes.
const MAX_STREAM: u64 = 64 << 20;

/// The greatest length of all of them, in bytes, unless the file is long itself.
const MAX_STREAMS: u64 = 1 << 30;

/// No stream becomes more than this many times as long.
const RATIO: u64 = 1032;

/// How many times as long as the file all streams may be: bitmaps compress well.
const USUAL_RATIO: u64 = 64;

/// The greatest number of widths that a font may have in ranges.
const MAX_WIDTHS: u64 = 1 << 21;

/// Fails if streams of the file are too long decompressed, or compressed twice: the parser decompresses those with
/// objects.
pub(crate) fn check_file(file: &[u8]) -> Result<(), &'static str> {
    let most = MAX_STREAMS.max(file.len() as u64 * USUAL_RATIO);
    let (mut all, mut scanned, mut end) = (0, 0, 0);
    for at in memmem::find_iter(file, b"stream").filter(|at| !file[..*at].ends_with(b"end")) {
        if end < at {
            end = memmem::find(&file[at..], b"endstream").map_or(file.len(), |end| at + end);
        }
        // Where a length is wrong, the parser looks for the end, from each stream again.
        scanned += (end - at) as u64;
        if scanned > most {
            return Err("a damaged PDF");
        }
        let data = file[at + b"stream".len()..].trim_ascii_start();
        if data.first().is_none_or(|first| first & 0x0f != 8) {
            continue;
        }
        let mut decoder = ZlibDecoder::new(data);
        let mut head = Vec::new();
        // A damaged stream ends early.
        let _ = decoder.by_ref().take(1 << 10).read_to_end(&mut head);
        if ZlibDecoder::new(&*head).read_exact(&mut [0; 512]).is_ok() {
            return Err("a PDF with a stream that is compressed twice, which is not opened");
        }
        let _ = io::copy(&mut decoder.by_ref().take(2 * MAX_STREAM), &mut io::sink());
        all += decoder.total_out();
        if decoder.total_out() > 2 * MAX_STREAM || all > most {
            return Err("a PDF with streams that decompress to too much, which is not opened");
        }
    }
    Ok(())
}

const TOO_MUCH: &str = "a page that draws too much, so the rest is not read";

/// The cost of reading a file, in bytes of content, or of as much other work: content is read again where it is drawn
/// again.
pub(crate) struct Budget(u64);

impl Budget {
    /// The budget of a file of `length` bytes.
    pub(crate) fn new(length: usize) -> Self {
        Budget((64 << 20) + 128 * length as u64)
    }

    /// Takes a cost. Fails with a phrase once nothing is left.
    pub(crate) fn take(&mut self, cost: usize) -> Result<(), &'static str> {
        self.0 = self.0.saturating_sub(cost as u64);
        if self.is_spent() {
            Err(TOO_MUCH)
        } else {
            Ok(())
        }
    }

    /// Returns whether nothing is left.
    pub(crate) fn is_spent(&self) -> bool {
        self.0 == 0
    }

    /// Returns the content of a stream; of a damaged one, the beginning. Fails if it is too long.
    pub(crate) fn decoded<'a>(
        &mut self,
        stream: &Stream<'a>,
    ) -> Result<Cow<'a, [u8]>, &'static str> {
        let decoded = if is_bounded(stream) {
            stream.decoded_data().unwrap_or_default()
        } else if stream.filters()[..] == [Filter::FlateDecode] {
            let mut beginning = Vec::new();
            let raw = stream.raw_data();
            let decoder = ZlibDecoder::new(&*raw);
            // A fault ends it.
            let _ = decoder.take(MAX_STREAM).read_to_end(&mut beginning);
            beginning.into()
        } else {
            return Err(TOO_MUCH);
        };
        self.take(decoded.len())?;
        Ok(decoded)
    }

    /// Returns whether a font can be loaded: its streams are not too long, nor are the ranges of its widths, which the
    /// crate for fonts writes out.
    pub(crate) fn allows_font(&mut self, font: &Dict<'_>) -> bool {
        let descendants = font.get::<Array<'_>>(b"DescendantFonts");
        let descendant = descendants.and_then(|all| all.iter::<Dict<'_>>().next());
        [Some(font), descendant.as_ref()]
            .into_iter()
            .flatten()
            .all(|font| self.allows_part(font))
    }

    fn allows_part(&mut self, font: &Dict<'_>) -> bool {
        let descriptor = font.get::<Dict<'_>>(b"FontDescriptor");
        let streams =
            ["ToUnicode", "Encoding", "CIDToGIDMap"].map(|key| font.get::<Stream<'_>>(key));
        let programs = ["FontFile", "FontFile2", "FontFile3"].map(|key| {
            descriptor
                .as_ref()
                .and_then(|font| font.get::<Stream<'_>>(key))
        });
        let mut streams = streams.into_iter().chain(programs).flatten();
        let first = font.get::<usize>(b"FirstChar").unwrap_or(0);
        first <= 0xff
            && [("W", 3), ("W2", 5)]
                .iter()
                .all(|&key| widths(font, key) <= MAX_WIDTHS)
            && streams
                .all(|stream| is_bounded(&stream) && self.take(8 * stream.raw_data().len()).is_ok())
    }
}

/// Returns how many widths a font of CIDs has in ranges, each of which is `length` numbers: the first CID, the last one,
/// and their widths.
fn widths(font: &Dict<'_>, (key, length): (&str, usize)) -> u64 {
    let widths = font.get::<Array<'_>>(key);
    let (mut all, mut range) = (0, Vec::new());
    for item in widths.iter().flat_map(Array::iter::<Object<'_>>) {
        match item {
            Object::Number(number) => range.push(number.as_i64()),
            // The widths from a CID on, one by one.
            _ => range.clear(),
        }
        if range.len() == length {
            all += range[1].abs_diff(range[0]);
            range.clear();
        }
    }
    all
}

/// Returns whether a stream is short when it is decoded, whatever it has.
fn is_bounded(stream: &Stream<'_>) -> bool {
    let raw = stream.raw_data();
    let filters = stream.filters();
    let ratio = filters.iter().map(|filter| match filter {
        Filter::FlateDecode => RATIO,
        Filter::LzwDecode => 4096,
        Filter::RunLengthDecode => 128,
        _ => 1,
    });
    let most = ratio.fold(raw.len() as u64, u64::saturating_mul);
    if most <= MAX_STREAM || filters[..] != [Filter::FlateDecode] {
        return most <= MAX_STREAM;
    }
    let mut decoder = ZlibDecoder::new(&*raw).take(MAX_STREAM + 1);
    io::copy(&mut decoder, &mut io::sink()).is_ok_and(|length| length <= MAX_STREAM)
}
