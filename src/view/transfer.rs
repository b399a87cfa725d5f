//! Content transfer encodings (RFC 2045, section 6).

use super::{View, base64, quoted_printable};

/// A content transfer encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// Quoted-printable (RFC 2045, section 6.7).
    QuotedPrintable,
    /// Base64 (RFC 2045, section 6.8).
    Base64,
}

/// The result of decoding a text.
#[derive(Debug)]
pub(crate) struct Decoded {
    /// The decoded bytes; their source is the encoded text.
    pub(crate) view: View<'static>,
    /// The first fault of the encoded text.
    pub(crate) fault: Option<Fault>,
    /// The end of the encoded text: what follows was not decoded and is free text.
    pub(crate) end: usize,
}

/// A fault of an encoded text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// The offset in the encoded text, in bytes.
    pub(crate) at: usize,
    /// A description, without a full stop.
    pub(crate) message: &'static str,
}

/// Decodes `text`. Faults do not end the decoding.
pub(crate) fn decode(text: &[u8], encoding: Encoding) -> Decoded {
    match encoding {
        Encoding::QuotedPrintable => quoted_printable::decode(text),
        Encoding::Base64 => base64::decode(text),
    }
}
