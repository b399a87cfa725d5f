//! IPv6 addresses (the standard's IPv6 parser and serializer).

use std::fmt::Write;

use super::{Part, ValidationError};

/// Parses `text`, the content of the brackets. Passes each piece with leading zeros to
/// `leading_zeros`.
pub(super) fn parse(
    text: &[u8],
    mut leading_zeros: impl FnMut(Part),
) -> Result<[u16; 8], ValidationError> {
    let mut address = [0; 8];
    let mut index = 0;
    let mut compress = None;
    let mut at = 0;
    if text.first() == Some(&b':') {
        if text.get(1) != Some(&b':') {
            return Err(ValidationError::Ipv6InvalidCompression);
        }
        at = 2;
        index = 1;
        compress = Some(1);
    }
    while at < text.len() {
        if index == 8 {
            return Err(ValidationError::Ipv6TooManyPieces);
        }
        if text[at] == b':' {
            if compress.is_some() {
                return Err(ValidationError::Ipv6MultipleCompression);
            }
            at += 1;
            index += 1;
            compress = Some(index);
            continue;
        }
        let start = at;
        let mut value = 0;
        while at - start < 4
            && let Some(digit) = text.get(at).and_then(|&byte| char::from(byte).to_digit(16))
        {
            value = value * 16 + digit as u16;
            at += 1;
        }
        match text.get(at) {
            Some(b'.') if at == start => return Err(ValidationError::Ipv4InIpv6InvalidCodePoint),
            Some(b'.') if index > 6 => return Err(ValidationError::Ipv4InIpv6TooManyPieces),
            Some(b'.') => {
                let [a, b, c, d] = ipv4(&text[start..])?;
                address[index] = u16::from_be_bytes([a, b]);
                address[index + 1] = u16::from_be_bytes([c, d]);
                index += 2;
                break;
            }
            Some(b':') if at + 1 < text.len() => {}
            None => {}
            Some(_) => return Err(ValidationError::Ipv6InvalidCodePoint),
        }
        if at - start > 1 && text[start] == b'0' {
            leading_zeros(Part::new(start, at));
        }
        // Skip the colon.
        at += 1;
        address[index] = value;
        index += 1;
    }
    match compress {
        Some(compress) => {
            let behind = index - compress;
            address.copy_within(compress..index, 8 - behind);
            let gap = compress..8 - behind;
            address[gap].fill(0);
        }
        None if index != 8 => return Err(ValidationError::Ipv6TooFewPieces),
        None => {}
    }
    Ok(address)
}

/// Parses the IPv4 address that ends an IPv6 address.
fn ipv4(text: &[u8]) -> Result<[u8; 4], ValidationError> {
    let mut address = [0; 4];
    let mut seen = 0;
    let mut at = 0;
    while at < text.len() {
        if seen > 0 {
            if text[at] != b'.' || seen == 4 {
                return Err(ValidationError::Ipv4InIpv6InvalidCodePoint);
            }
            at += 1;
        }
        let mut value: Option<u8> = None;
        while let Some(digit) = text.get(at).filter(|byte| byte.is_ascii_digit()) {
            let digit = digit - b'0';
            value = match value {
                None => Some(digit),
                Some(0) => return Err(ValidationError::Ipv4InIpv6InvalidCodePoint),
                Some(value) => {
                    let value = value
                        .checked_mul(10)
                        .and_then(|value| value.checked_add(digit));
                    Some(value.ok_or(ValidationError::Ipv4InIpv6OutOfRangePart)?)
                }
            };
            at += 1;
        }
        address[seen] = value.ok_or(ValidationError::Ipv4InIpv6InvalidCodePoint)?;
        seen += 1;
    }
    if seen < 4 {
        return Err(ValidationError::Ipv4InIpv6TooFewParts);
    }
    Ok(address)
}

/// Writes `address` in its shortest form, without brackets.
pub(super) fn write(address: [u16; 8], out: &mut String) {
    let (mut compress, mut longest) = (0, 1);
    let mut start = 0;
    for run in address.chunk_by(|a, b| (*a == 0) == (*b == 0)) {
        if run[0] == 0 && run.len() > longest {
            (compress, longest) = (start, run.len());
        }
        start += run.len();
    }
    let mut at = 0;
    while at < 8 {
        if longest > 1 && at == compress {
            out.push_str(if at == 0 { "::" } else { ":" });
            at += longest;
            continue;
        }
        // Writing to a string cannot fail.
        let _ = write!(out, "{:x}", address[at]);
        if at < 7 {
            out.push(':');
        }
        at += 1;
    }
}
