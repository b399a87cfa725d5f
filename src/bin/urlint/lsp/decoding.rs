//! Decodes the bytes of a file as an editor does, with the offset of each byte in the text.

use encoding_rs::{Encoding, UTF_8, UTF_16LE};

/// A text, with the offset in it of each byte of the file.
#[derive(Debug)]
pub(super) struct Decoded {
    pub(super) text: String,
    /// `None` if they are the same.
    pub(super) offsets: Option<Vec<u32>>,
}

/// Decodes UTF-8, and UTF-16 with a byte order mark, which is not part of the text. A byte that is not
/// part of valid UTF-8 becomes U+FFFD: editors may show another character, but always exactly one.
pub(super) fn decoded(bytes: &[u8]) -> Decoded {
    let (encoding, mark) = Encoding::for_bom(bytes).unwrap_or((UTF_8, 0));
    let rest = &bytes[mark..];
    if mark == 0
        && let Ok(text) = std::str::from_utf8(rest)
    {
        return Decoded {
            text: text.to_owned(),
            offsets: None,
        };
    }
    let mut text = String::with_capacity(rest.len());
    let mut offsets = vec![0; mark];
    let mut add = |c: char, bytes: usize| {
        let here = u32::try_from(text.len()).unwrap_or(u32::MAX);
        offsets.extend(std::iter::repeat_n(here, bytes));
        text.push(c);
    };
    if encoding == UTF_8 {
        for chunk in rest.utf8_chunks() {
            chunk.valid().chars().for_each(|c| add(c, c.len_utf8()));
            let invalid = chunk.invalid().iter();
            invalid.for_each(|_| add(char::REPLACEMENT_CHARACTER, 1));
        }
    } else {
        let units = rest.as_chunks::<2>().0.iter().map(|pair| {
            if encoding == UTF_16LE {
                u16::from_le_bytes(*pair)
            } else {
                u16::from_be_bytes(*pair)
            }
        });
        for c in char::decode_utf16(units) {
            let c = c.unwrap_or(char::REPLACEMENT_CHARACTER);
            add(c, 2 * c.len_utf16());
        }
    }
    // The end, and half a unit before it.
    let end = u32::try_from(text.len()).unwrap_or(u32::MAX);
    offsets.resize(bytes.len() + 1, end);
    Decoded {
        text,
        offsets: Some(offsets),
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
