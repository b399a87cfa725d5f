//! IPv6 addresses (the standard's IPv6 parser and serializer).

use std::fmt::Write;
use std::net::Ipv6Addr;

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
    let mut parts = text.split(|&byte| byte == b'.');
    for value in &mut address {
        let part = parts.next().ok_or(ValidationError::Ipv4InIpv6TooFewParts)?;
        *value = octet(part)?;
    }
    match parts.next() {
        Some(_) => Err(ValidationError::Ipv4InIpv6InvalidCodePoint),
        None => Ok(address),
    }
}

/// Parses a number of an IPv4 address; it has no leading zeros.
fn octet(part: &[u8]) -> Result<u8, ValidationError> {
    let mut value: Option<u8> = None;
    for byte in part {
        let digit = byte.checked_sub(b'0').filter(|digit| *digit < 10);
        let digit = digit.filter(|_| value != Some(0));
        let digit = digit.ok_or(ValidationError::Ipv4InIpv6InvalidCodePoint)?;
        let sum = value.unwrap_or(0).checked_mul(10);
        let sum = sum.and_then(|sum| sum.checked_add(digit));
        value = Some(sum.ok_or(ValidationError::Ipv4InIpv6OutOfRangePart)?);
    }
    value.ok_or(ValidationError::Ipv4InIpv6InvalidCodePoint)
}

/// Writes `address` in its shortest form, without brackets and without an IPv4 address in it.
pub(super) fn write(address: [u16; 8], out: &mut String) {
    // Writing to a string cannot fail.
    let _ = match address {
        [0, 0, 0, 0, 0, 0xFFFF, high, low] => write!(out, "::ffff:{high:x}:{low:x}"),
        _ => write!(out, "{}", Ipv6Addr::from(address)),
    };
}
