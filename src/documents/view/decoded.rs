//! The result of decoding a content transfer encoding.

use super::View;

/// The result of decoding a text.
#[derive(Debug)]
pub(crate) struct Decoded {
    /// The decoded bytes; their source is the encoded text.
    pub(crate) view: View<'static>,
    /// The first fault of the encoded text.
    pub(crate) fault: Option<Fault>,
    /// The end of the encoded text. The text after it was not decoded and is free text.
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
