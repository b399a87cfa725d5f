//! Bytes and places: byte sets, spans, lines and columns, windows on a source. Knows nothing about
//! URLs.

#[doc(hidden)]
pub mod ascii;
#[doc(hidden)]
pub mod beginning;
#[doc(hidden)]
pub mod buffer;
#[doc(hidden)]
pub mod byteset;
#[doc(hidden)]
pub mod cpu;
pub(crate) mod lines;
#[doc(hidden)]
pub mod named;
pub(crate) mod position;
#[doc(hidden)]
pub mod shown;
pub(crate) mod span;
#[doc(hidden)]
pub mod utf8;
#[doc(hidden)]
pub mod window;

pub use lines::{Line, lines};
pub use position::{Locator, Position};
pub use span::{Span, Spans};
pub use window::Window;
