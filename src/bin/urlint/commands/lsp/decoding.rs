//! The bytes of a file as the text that an editor makes of them, and where in it each byte is.

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};

/// A text with the offsets that the bytes of the file have in it.
#[derive(Debug)]
pub(super) struct Decoded {
    pub(super) text: String,
    /// `None` if they are the same.
    pub(super) offsets: Option<Vec<u32>>,
}

/// Decodes UTF-8, and UTF-16 with a byte order mark, which the text does not have. A byte that is
/// not part of valid UTF-8 becomes U+FFFD: editors may decode it otherwise, but to one character.
pub(super) fn decoded(bytes: &[u8]) -> Decoded {
    let (encoding, mark) = match Encoding::for_bom(bytes) {
        Some((encoding, mark)) => (Some(encoding), mark),
        None => (None, 0),
    };
    let (head, rest) = bytes.split_at(mark);
    if mark == 0
        && let Ok(text) = std::str::from_utf8(rest)
    {
        return Decoded {
            text: text.to_owned(),
            offsets: None,
        };
    }
    let mut decoder = Decoder {
        text: String::with_capacity(rest.len()),
        offsets: vec![0; head.len()],
    };
    match encoding {
        Some(encoding) if encoding == UTF_16LE => decoder.utf_16(rest, u16::from_le_bytes),
        Some(encoding) if encoding == UTF_16BE => decoder.utf_16(rest, u16::from_be_bytes),
        _ => decoder.utf_8(rest),
    }
    decoder.note(1);
    Decoded {
        text: decoder.text,
        offsets: Some(decoder.offsets),
    }
}

struct Decoder {
    text: String,
    offsets: Vec<u32>,
}

impl Decoder {
    /// Notes that the next bytes of the file become what is added to the text next.
    fn note(&mut self, bytes: usize) {
        let here = u32::try_from(self.text.len()).unwrap_or(u32::MAX);
        self.offsets.extend(std::iter::repeat_n(here, bytes));
    }

    fn utf_8(&mut self, bytes: &[u8]) {
        for chunk in bytes.utf8_chunks() {
            for c in chunk.valid().chars() {
                self.note(c.len_utf8());
                self.text.push(c);
            }
            for _ in chunk.invalid() {
                self.note(1);
                self.text.push(char::REPLACEMENT_CHARACTER);
            }
        }
    }

    fn utf_16(&mut self, bytes: &[u8], unit: impl Fn([u8; 2]) -> u16) {
        let (pairs, rest) = bytes.as_chunks::<2>();
        for c in char::decode_utf16(pairs.iter().map(|pair| unit(*pair))) {
            let c = c.unwrap_or(char::REPLACEMENT_CHARACTER);
            self.note(2 * c.len_utf16());
            self.text.push(c);
        }
        self.note(rest.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_has_its_place_in_the_text() {
        let utf_16 = |text: &str| -> Vec<u8> {
            let units = text.encode_utf16();
            units.flat_map(u16::to_be_bytes).collect()
        };
        for (bytes, text, offsets) in [
            ("aé".into(), "aé", None),
            (b"\xEF\xBB\xBFa".to_vec(), "a", Some(vec![0, 0, 0, 0, 1])),
            (b"\xE9a".to_vec(), "\u{FFFD}a", Some(vec![0, 3, 4])),
            (
                [utf_16("\u{FEFF}é😀a"), vec![0]].concat(),
                "é😀a",
                Some(vec![0, 0, 0, 0, 2, 2, 2, 2, 6, 6, 7, 7]),
            ),
        ] {
            let decoded = decoded(&bytes);
            assert_eq!((&*decoded.text, decoded.offsets), (text, offsets));
        }
    }
}
