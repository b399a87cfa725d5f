//! Bytes and places: byte sets, spans, lines and columns, windows on a source. Knows nothing about
//! URLs.

pub(crate) mod buffer;
pub(crate) mod byteset;
pub(crate) mod cpu;
pub(crate) mod lines;
#[doc(hidden)]
pub mod named;
pub(crate) mod position;
#[doc(hidden)]
pub mod shown;
pub(crate) mod span;
pub(crate) mod utf8;
pub(crate) mod window;
pub(crate) mod words;

pub use lines::{Line, lines};
pub use position::{Locator, Place, Position};
pub use span::{Span, Spans};
pub use window::Window;
