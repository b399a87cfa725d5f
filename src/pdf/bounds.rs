//! Bounds on how much a few bytes of a hostile file become. The crates that parse PDFs have none.

use std::borrow::Cow;
use std::io::{self, Read};
use std::iter;

use flate2::read::{DeflateDecoder, ZlibDecoder};
use hayro_syntax::Filter;
use hayro_syntax::object::{Array, Dict, Object, Stream};

use crate::Result;

/// The greatest length of a decompressed stream, in bytes.
const MAX_STREAM: u64 = 64 << 20;

/// No stream becomes more than this many times as long.
const RATIO: u64 = 1032;

/// The cost of a width, which the crate for fonts writes out, as that of so many bytes.
const WIDTH: usize = 16;

/// The greatest number of widths that a font may have in ranges.
const MAX_WIDTHS: usize = 1 << 21;

/// The cost of a byte of a font, as that of so many of content.
const PROGRAM: usize = 8;

/// The cost of a byte of a list, and of an object in it, which are parsed, as that of so many of content.
const LISTED: usize = 4;

/// How many bytes of dictionaries cost as much as one of content.
pub(crate) const PARSED: usize = 4;

/// The greatest number of filters of a stream.
const MAX_FILTERS: usize = 16;

/// The greatest number of columns that a predictor may have.
const MAX_COLUMNS: usize = 1 << 20;

/// Returns how long data may be when it is decompressed by whatever the parser tries.
fn inflated(data: &[u8]) -> u64 {
    let count =
        |decoder: &mut dyn Read| io::copy(&mut decoder.take(MAX_STREAM + 1), &mut io::sink());
    let length = count(&mut ZlibDecoder::new(data));
    let length = length.or_else(|_| count(&mut DeflateDecoder::new(data)));
    length.unwrap_or((data.len() as u64).saturating_mul(RATIO))
}

/// Returns whether the parameters of the filters of a stream are some that the parser can work with.
fn has_sound_parameters(stream: &Dict<'_>) -> bool {
    let keys = ["DP", "DecodeParms"].iter();
    let several = keys.clone().filter_map(|key| stream.get::<Array<'_>>(key));
    let several = several.flat_map(|all| all.iter::<Object<'_>>().take(MAX_FILTERS));
    let several = several.filter_map(Object::into_dict);
    let one = keys.filter_map(|key| stream.get::<Dict<'_>>(key));
    one.chain(several).all(|parameters| {
        let number = |key: &str, usual| parameters.get::<usize>(key).unwrap_or(usual);
        let bits = number("BitsPerComponent", 8);
        [1, 2, 4, 8, 16].contains(&bits)
            && (1..=0xff / bits).contains(&number("Colors", 1))
            && (1..=MAX_COLUMNS).contains(&number("Columns", 1))
    })
}

const TOO_MUCH: &str = "a page that draws too much, so the rest is not read";

/// The cost of reading a file, in bytes of content, or of as much other work: content is read again where it is drawn
/// again.
pub(crate) struct Budget {
    left: u64,
    /// The length of the file, in bytes.
    length: usize,
}

impl Budget {
    /// The budget of a file of `length` bytes.
    pub(crate) fn new(length: usize) -> Self {
        let left = (64 << 20) + 128 * length as u64;
        Budget { left, length }
    }

    /// Takes a cost. Fails with a phrase once nothing is left.
    pub(crate) fn take(&mut self, cost: usize) -> Result {
        self.left = self.left.saturating_sub(cost as u64);
        if self.is_spent() {
            Err(TOO_MUCH)
        } else {
            Ok(())
        }
    }

    /// Takes the cost of an object that is not of the kind that it should be: it may be as long as the file.
    pub(crate) fn take_other(&mut self) -> Result {
        self.take(self.length / PARSED)
    }

    /// Returns an entry of a dictionary, and takes its cost; one that cannot be read may be as long as the file.
    pub(crate) fn entry<'a>(&mut self, dict: &Dict<'a>, key: &[u8]) -> Result<Option<Object<'a>>> {
        let entry = dict.get::<Object<'_>>(key);
        match &entry {
            Some(object) => self.take(LISTED * length(object))?,
            None if dict.contains_key(key) => self.take_other()?,
            None => {}
        }
        Ok(entry)
    }

    /// Returns the objects of an array, and takes its cost and theirs, to which `each` is added: one that is referred to
    /// is parsed each time.
    pub(crate) fn objects<'a>(
        &mut self,
        array: &Array<'a>,
        each: usize,
    ) -> Result<impl Iterator<Item = Result<Object<'a>>> + use<'a, '_>> {
        self.take(LISTED * array.data().len())?;
        Ok(array.iter::<Object<'_>>().map(move |object| {
            self.take(each + LISTED * length(&object))?;
            Ok(object)
        }))
    }

    /// Returns whether nothing is left.
    pub(crate) fn is_spent(&self) -> bool {
        self.left == 0
    }

    /// Returns the content of a stream; of a damaged one, the beginning. Fails if it is too long.
    pub(crate) fn decoded<'a>(&mut self, stream: &Stream<'a>) -> Result<Cow<'a, [u8]>> {
        let decoded = decoded(stream)?;
        self.take(decoded.len())?;
        Ok(decoded)
    }

    /// Takes the cost of a font: of its streams, and of the ranges of its widths, which the crate for fonts writes out.
    /// Fails if it is not to be loaded.
    pub(crate) fn take_font(&mut self, font: &Dict<'_>) -> Result {
        let descendants = font
            .get::<Array<'_>>(b"DescendantFonts")
            .unwrap_or_default();
        let descendant = descendants.iter::<Object<'_>>().next();
        let descendant = descendant.and_then(Object::into_dict);
        for font in iter::once(font).chain(&descendant) {
            let descriptor = font.get::<Dict<'_>>(b"FontDescriptor").unwrap_or_default();
            let maps = ["ToUnicode", "Encoding", "CIDToGIDMap"].map(|key| font.get(key));
            let programs = ["FontFile", "FontFile2", "FontFile3"].map(|key| descriptor.get(key));
            for stream in maps.into_iter().chain(programs).flatten() {
                self.take(PROGRAM * decoded(&stream)?.len())?;
            }
            let widths = self
                .widths(font, "W", 3)?
                .saturating_add(self.widths(font, "W2", 5)?);
            let first = font.get::<usize>(b"FirstChar").unwrap_or(0);
            if widths > MAX_WIDTHS || first > 0xff {
                return Err(TOO_MUCH);
            }
            self.take(WIDTH * widths)?;
        }
        Ok(())
    }

    /// Returns how many widths a font of CIDs has in ranges, each of which is `length` numbers: the first CID, the last
    /// one, and their widths. Fails if that takes too much.
    fn widths(&mut self, font: &Dict<'_>, key: &str, length: usize) -> Result<usize> {
        let widths = font.get::<Array<'_>>(key).unwrap_or_default();
        let (mut all, mut range) = (0_usize, Vec::new());
        for item in self.objects(&widths, 0)? {
            match item? {
                Object::Number(number) => range.push(number.as_i64()),
                // The widths from a CID on, one by one.
                _ => range.clear(),
            }
            if range.len() == length {
                all = all.saturating_add(i64::abs_diff(range[1], range[0]) as usize);
                range.clear();
            }
        }
        Ok(all)
    }
}

/// Returns how many bytes of an object are parsed.
fn length(object: &Object<'_>) -> usize {
    match object {
        Object::Dict(dict) => dict.data().len(),
        Object::Array(array) => array.data().len(),
        Object::String(string) => string.as_bytes().len(),
        Object::Stream(stream) => stream.dict().data().len() + stream.raw_data().len(),
        _ => 0,
    }
}

/// Returns the content of a stream; of a damaged one, the beginning. Fails if it may be too long.
pub(crate) fn decoded<'a>(stream: &Stream<'a>) -> Result<Cow<'a, [u8]>> {
    let filters = stream.filters();
    if filters.len() > MAX_FILTERS || !has_sound_parameters(stream.dict()) {
        return Err("a damaged page");
    }
    let raw = stream.raw_data();
    let ratios = filters.iter().map(|filter| match filter {
        Filter::FlateDecode => RATIO,
        Filter::LzwDecode => 4096,
        Filter::RunLengthDecode => 128,
        // `z` is four bytes.
        Filter::Ascii85Decode => 4,
        _ => 1,
    });
    let most = match filters[..] {
        [Filter::FlateDecode] => inflated(&raw),
        _ => ratios.fold(raw.len() as u64, u64::saturating_mul),
    };
    if most <= MAX_STREAM {
        return Ok(stream.decoded_data().unwrap_or_default());
    }
    if filters[..] != [Filter::FlateDecode] {
        return Err(TOO_MUCH);
    }
    let mut beginning = Vec::new();
    // A fault ends it.
    let _ = ZlibDecoder::new(&*raw)
        .take(MAX_STREAM)
        .read_to_end(&mut beginning);
    Ok(beginning.into())
}
