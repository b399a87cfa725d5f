//! Texts in encodings, with the characters that each byte carries.

use encoding_rs::{EUC_JP, Encoding, GBK, KOI8_R, SHIFT_JIS, UTF_8, WINDOWS_1252};
use proptest::prelude::*;
use proptest::sample::select;

/// Encoded bytes, each with the indices of the characters of the text that it is a part of.
pub type Carried = Vec<(u8, Vec<usize>)>;

pub fn in_charset(text: &str, encoding: &'static Encoding) -> Carried {
    let mut carried = Carried::new();
    for (index, character) in text.chars().enumerate() {
        let mut character_bytes = [0; 4];
        let (bytes, ..) = encoding.encode(character.encode_utf8(&mut character_bytes));
        carried.extend(bytes.iter().map(|&byte| (byte, vec![index])));
    }
    carried
}

pub fn in_base64(carried: &Carried, width: usize) -> Carried {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut encoded = Carried::new();
    for three in carried.chunks(3) {
        for place in 0..4_usize {
            // The bits of a character are the last ones of one byte and the first ones of the next.
            let before = place.checked_sub(1).and_then(|before| three.get(before));
            let next = three.get(place);
            let bits =
                |byte: Option<&(u8, Vec<usize>)>| byte.map_or(0, |&(byte, _)| u16::from(byte));
            let value = (bits(before) << 8 | bits(next)) >> (2 * (place + 1)) & 63;
            let carries = before.iter().chain(&next).flat_map(|(_, of)| of.clone());
            encoded.push(if place > three.len() {
                (b'=', Vec::new())
            } else {
                (alphabet[value as usize], carries.collect())
            });
        }
    }
    let lines: Vec<Carried> = encoded.chunks(width).map(<[_]>::to_vec).collect();
    lines.join(&[(b'\r', Vec::new()), (b'\n', Vec::new())][..])
}

/// Quoted-printable; `choices` decide, in turn, how each byte is written.
pub fn in_quoted_printable(carried: &Carried, choices: &[u8]) -> Carried {
    let mut encoded = Carried::new();
    let mut choices = choices.iter().copied().cycle();
    for (byte, of) in carried {
        let choice = choices.next().unwrap_or_default();
        if choice & 12 == 0 {
            encoded.extend(b"=\n".map(|byte| (byte, Vec::new())));
        }
        if matches!(byte, b'!'..=b'<' | b'>'..=b'~') && choice & 3 != 0 {
            encoded.push((*byte, of.clone()));
        } else {
            let escape = match choice & 16 {
                0 => format!("={byte:02X}"),
                _ => format!("={byte:02x}"),
            };
            encoded.extend(escape.bytes().map(|digit| (digit, of.clone())));
        }
    }
    encoded
}

pub fn bytes_of(carried: &Carried) -> Vec<u8> {
    carried.iter().map(|&(byte, _)| byte).collect()
}

pub fn charsets() -> impl Strategy<Value = (&'static Encoding, String)> {
    let pairs = [
        (UTF_8, "[a/=~é中😀\n]{0,30}"),
        (WINDOWS_1252, "[a/=~éß€\n]{0,30}"),
        (KOI8_R, "[a/=~жя\n]{0,30}"),
        (GBK, "[a/=~中国\n]{0,30}"),
        (SHIFT_JIS, "[a/=日ｱ表\n]{0,30}"),
        (EUC_JP, "[a/=~日ｱ\n]{0,30}"),
    ];
    select(pairs.to_vec()).prop_flat_map(|(encoding, texts)| (Just(encoding), texts))
}
