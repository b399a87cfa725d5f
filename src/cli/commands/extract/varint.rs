//! Numbers and texts as bytes.

/// Writes the length of `text`, and `text`.
pub(super) fn put_text(out: &mut Vec<u8>, text: &[u8]) {
    put_number(out, text.len() as u64);
    out.extend_from_slice(text);
}

/// Writes a number, seven bits to a byte, the lowest first.
pub(super) fn put_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Reads the text at the start of `bytes`; returns it and the rest.
pub(super) fn text(bytes: &[u8]) -> (&[u8], &[u8]) {
    let (len, rest) = number(bytes);
    rest.split_at_checked(len as usize).unwrap_or((rest, b""))
}

/// Reads the number at the start of `bytes`; returns it and the rest.
pub(super) fn number(bytes: &[u8]) -> (u64, &[u8]) {
    let mut number = 0;
    for (index, &byte) in bytes.iter().enumerate().take(10) {
        number |= u64::from(byte & 0x7F) << (7 * index);
        if byte < 0x80 {
            return (number, &bytes[index + 1..]);
        }
    }
    (number, b"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        for expected in [0, 1, 127, 128, 300, 1 << 20, u64::MAX] {
            let mut out = Vec::new();
            put_number(&mut out, expected);
            out.push(b'x');
            assert_eq!(number(&out), (expected, &b"x"[..]));
        }
        assert_eq!(number(b""), (0, &b""[..]));
    }
}
