//! Standard output and standard error.

mod above_bar;
mod ci;
mod messages;
mod output;

pub use ci::{replaced, without_commands};
pub use messages::{Verbosity, complain, complain_rendered, count, say};
pub use output::{Output, Stream, Style};
pub use urlint_standard::text::shown::{each_char, harmless, is_harmful, line};
