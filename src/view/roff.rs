//! roff, the language of manual pages.

use super::View;
use crate::document::Parts;

pub(crate) fn parts<'s>(source: &'s [u8], parts: &mut Parts<'s>) {
    parts.lines(View::same(source, 0));
}
