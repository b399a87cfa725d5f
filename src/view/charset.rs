//! Character sets: texts of any charset as UTF-8.

use super::View;

/// A charset that nothing is known about, so that its text cannot be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UnknownCharset;

/// `text`, which is in the charset that `label` names, as UTF-8.
pub(crate) fn decode<'t>(text: &'t [u8], _label: &[u8]) -> Result<View<'t>, UnknownCharset> {
    Ok(View::same(text, 0))
}

/// The label of the charset that the byte order mark tells with which `head` begins.
pub(crate) fn of_bom(_head: &[u8]) -> Option<&'static str> {
    None
}
