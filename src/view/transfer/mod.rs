//! Content transfer encodings, RFC 2045.

mod base64;
mod quoted_printable;

use super::View;

pub use base64::base64;
pub use quoted_printable::quoted_printable;

/// An encoding that bytes were put into to get through the mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// RFC 2045, section 6.7.
    QuotedPrintable,
    /// RFC 2045, section 6.8.
    Base64,
}

/// What became of an encoded text.
#[derive(Debug)]
pub(crate) struct Decoded {
    /// The decoded bytes; the source is the encoded text.
    pub(crate) view: View<'static>,
    /// The first thing that is not as it should be.
    pub(crate) fault: Option<Fault>,
    /// Where the encoded text ends: what follows was not decoded and is free text.
    pub(crate) end: usize,
}

/// Something in an encoded text that is not as it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// The byte of the encoded text at which it is.
    pub(crate) at: usize,
    /// What it is, without a full stop.
    pub(crate) message: &'static str,
}

/// Decodes `text`, whatever is wrong with it.
pub(crate) fn decode(text: &[u8], encoding: Encoding) -> Decoded {
    match encoding {
        Encoding::QuotedPrintable => quoted_printable::decode(text),
        Encoding::Base64 => base64::decode(text),
    }
}
