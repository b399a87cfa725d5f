//! HTML.

use super::View;
use crate::document::{Depth, Parts};

pub(crate) fn parts<'s>(source: &'s [u8], _depth: Depth, parts: &mut Parts<'s>) {
    parts.lines(View::same(source, 0));
}
