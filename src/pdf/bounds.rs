//! Bounds on how much a few bytes of a hostile file become. The crates that parse PDFs have none.

use std::borrow::Cow;
use std::io::{self, Read};

use flate2::read::{DeflateDecoder, ZlibDecoder};
use hayro_syntax::Filter;
use hayro_syntax::object::{Array, Dict, Object, Stream};

/// The greatest length of a decompressed stream, in bytes.
const MAX_STREAM: u64 = 64 << 20;

/// The length up to which decompressed data is counted, in bytes.
const MAX_COUNTED: u64 = 1 << 32;

/// No stream becomes more than this many times as long.
const RATIO: u64 = 1032;

/// The greatest number of widths that a font may have in ranges.
const MAX_WIDTHS: usize = 1 << 21;

/// The cost of a width, which the crate for fonts writes out, as that of so many bytes.
const WIDTH: usize = 16;

/// The cost of a byte of a font, as that of so many of content.
const PROGRAM: usize = 8;

/// The greatest number of columns that a predictor may have.
const MAX_COLUMNS: usize = 1 << 20;

/// Returns how long data may be when it is decompressed by whatever the parser tries, if it is `extent` long.
pub(crate) fn inflated(data: &[u8], extent: usize) -> u64 {
    let mut zlib = ZlibDecoder::new(data);
    let mut bare = DeflateDecoder::new(data);
    let is_whole = io::copy(&mut zlib.by_ref().take(MAX_COUNTED), &mut io::sink()).is_ok();
    let is_bare = io::copy(&mut bare.by_ref().take(MAX_COUNTED), &mut io::sink()).is_ok();
    let length = zlib.total_out().max(bare.total_out());
    match is_whole || is_bare {
        true => length,
        false => length.max((extent as u64).saturating_mul(RATIO)),
    }
}

/// Returns whether the parameters of the filters of a stream are some that the parser can work with.
pub(crate) fn has_sound_parameters(stream: &Dict<'_>) -> bool {
    let is_sound = |parameters: &Dict<'_>| {
        let number = |key: &str, usual| parameters.get::<usize>(key).unwrap_or(usual);
        let (colors, bits) = (number("Colors", 1), number("BitsPerComponent", 8));
        (1..=MAX_COLUMNS).contains(&number("Columns", 1))
            && colors > 0
            && [1, 2, 4, 8, 16].contains(&bits)
            && colors * bits <= 0xff
    };
    ["DP", "DecodeParms"]
        .iter()
        .all(|key| match stream.get::<Object<'_>>(key) {
            Some(Object::Dict(parameters)) => is_sound(&parameters),
            Some(Object::Array(all)) => all
                .iter::<Dict<'_>>()
                .all(|parameters| is_sound(&parameters)),
            _ => true,
        })
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
        let decoded = match decoded(stream) {
            Some(decoded) => decoded,
            None if !has_sound_parameters(stream.dict()) => return Err("a damaged page"),
            None if stream.filters()[..] == [Filter::FlateDecode] => {
                let mut beginning = Vec::new();
                let raw = stream.raw_data();
                let decoder = ZlibDecoder::new(&*raw);
                // A fault ends it.
                let _ = decoder.take(MAX_STREAM).read_to_end(&mut beginning);
                beginning.into()
            }
            None => return Err(TOO_MUCH),
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
        let widths = widths(font, ("W", 3)).saturating_add(widths(font, ("W2", 5)));
        let widths = usize::try_from(widths).unwrap_or(usize::MAX);
        first <= 0xff
            && widths <= MAX_WIDTHS
            && self.take(widths * WIDTH).is_ok()
            && streams.all(|stream| {
                let length = decoded(&stream).map(|decoded| decoded.len());
                length.is_some_and(|length| self.take(PROGRAM * length).is_ok())
            })
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
            all = u64::saturating_add(all, range[1].abs_diff(range[0]));
            range.clear();
        }
    }
    all
}

/// Returns the content of a stream, if that is short whatever the stream has.
fn decoded<'a>(stream: &Stream<'a>) -> Option<Cow<'a, [u8]>> {
    let raw = stream.raw_data();
    let filters = stream.filters();
    let ratio = filters.iter().map(|filter| match filter {
        Filter::FlateDecode => RATIO,
        Filter::LzwDecode => 4096,
        Filter::RunLengthDecode => 128,
        // `z` is four bytes.
        Filter::Ascii85Decode => 4,
        _ => 1,
    });
    let most = match filters[..] {
        [Filter::FlateDecode] => inflated(&raw, raw.len()),
        _ => ratio.fold(raw.len() as u64, u64::saturating_mul),
    };
    let is_short = most <= MAX_STREAM && has_sound_parameters(stream.dict());
    is_short.then(|| stream.decoded_data().unwrap_or_default())
}
