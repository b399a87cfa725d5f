//! Bytes and places: byte sets, spans, lines and columns, the window on a source. Knows no URL.

pub(crate) mod byteset;
pub(crate) mod names;
pub(crate) mod position;
pub(crate) mod span;
pub(crate) mod window;
