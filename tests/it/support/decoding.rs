//! How mail and markup write bytes, read with none of urlint's decoders.

/// The bytes that a piece of quoted-printable stands for.
pub(crate) fn quoted_bytes(piece: &[u8]) -> Vec<u8> {
    let mut rest = piece;
    let mut bytes = Vec::new();
    while let [first, behind @ ..] = rest {
        let (byte, len) = match (first, behind) {
            (b'=', [high, low, ..]) => (quoted(&[b'=', *high, *low]).unwrap_or_default(), 3),
            _ => (*first, 1),
        };
        bytes.push(byte);
        rest = &rest[len..];
    }
    bytes
}

/// Returns the decoded bytes of a piece of base64 that follows the base64 `before`.
pub(crate) fn base64_bytes(before: &[u8], piece: &[u8]) -> Vec<u8> {
    let value = |byte: &u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let passed = before.iter().filter_map(value).count();
    let values: Vec<u8> = piece.iter().filter_map(value).collect();
    let pairs = values.windows(2).enumerate();
    let byte = |(at, pair): (usize, &[u8])| {
        let bits = u16::from(pair[0]) << 6 | u16::from(pair[1]);
        let place = (passed + at) % 4;
        (place < 3).then(|| (bits >> (4 - 2 * place)) as u8)
    };
    pairs.filter_map(byte).collect()
}

/// Whether `piece`, encoded in whatever way mail and markup have, stands for `byte`.
pub(crate) fn stands_for(piece: &[u8], byte: u8) -> bool {
    let phases = (0..3).map(|passed| base64_bytes(&b"AAA"[..passed], piece));
    let unquoted = quoted_bytes(&without_soft_breaks(piece));
    let texts = [piece.to_vec(), unquoted].into_iter().chain(phases);
    texts.into_iter().any(|text| is_reference(&text, byte))
}

/// Whether `text` is `byte`, or a reference of HTML to it.
fn is_reference(text: &[u8], byte: u8) -> bool {
    let reference = std::str::from_utf8(text).unwrap_or_default();
    let name = reference.trim_end_matches(';');
    let number = name.strip_prefix("&#");
    let number = number.and_then(|number| match number.strip_prefix(['x', 'X']) {
        Some(number) => u32::from_str_radix(number, 16).ok(),
        None => number.parse().ok(),
    });
    let named = match name {
        "&amp" | "&AMP" => Some(b'&'),
        "&lt" => Some(b'<'),
        "&gt" => Some(b'>'),
        "&quot" => Some(b'"'),
        _ => None,
    };
    text == [byte] || number == Some(byte.into()) || named == Some(byte)
}

fn without_soft_breaks(piece: &[u8]) -> Vec<u8> {
    let text: String = piece.iter().map(|&byte| char::from(byte)).collect();
    let text = text.replace("=\r\n", "").replace("=\n", "");
    text.chars().map(|character| character as u8).collect()
}

/// The byte that is all of a piece of quoted-printable.
fn quoted(piece: &[u8]) -> Option<u8> {
    let [b'=', high, low] = piece else {
        return None;
    };
    let digits = [*high, *low];
    u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()
}
