//! Base64, RFC 2045, section 6.8.

use super::Decoded;
use crate::view::{Layer, View};

/// Decodes base64 (RFC 2045, section 6.8).
pub fn base64(source: &[u8]) -> View<'static> {
    decode(source).view
}

pub(super) fn decode(text: &[u8]) -> Decoded {
    Decoded {
        view: View::new(Layer::Opaque),
        fault: None,
        end: text.len(),
    }
}
