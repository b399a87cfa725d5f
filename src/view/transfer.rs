//! Content transfer encodings (RFC 2045, section 6).

use super::decoded::Decoded;
use super::{base64, quoted_printable};

/// A content transfer encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Quoted-printable (RFC 2045, section 6.7).
    QuotedPrintable,
    /// Base64 (RFC 2045, section 6.8).
    Base64,
}

/// Decodes `text`. Faults do not end the decoding.
pub fn decode(text: &[u8], encoding: Encoding) -> Decoded {
    match encoding {
        Encoding::QuotedPrintable => quoted_printable::decode(text),
        Encoding::Base64 => base64::decode(text),
    }
}
