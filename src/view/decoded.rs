//! The result of decoding a content transfer encoding.

use super::View;

/// The result of decoding a text.
#[derive(Debug)]
pub struct Decoded {
    /// The decoded bytes; their source is the encoded text.
    pub view: View<'static>,
    /// The first fault of the encoded text.
    pub fault: Option<Fault>,
    /// The end of the encoded text. The text after it was not decoded and is free text.
    pub end: usize,
}

/// A fault of an encoded text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The offset in the encoded text, in bytes.
    pub at: usize,
    /// A description, without a full stop.
    pub message: &'static str,
}
