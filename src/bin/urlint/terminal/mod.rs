//! Standard output and standard error.

mod above_bar;
mod ci;
mod messages;
mod output;

pub(crate) use ci::{replaced, without_commands};
pub(crate) use messages::{Verbosity, complain, complain_rendered, count, say};
pub(crate) use output::{Output, Stream, Style};
pub(crate) use urlint::text::shown::{each_char, harmless, is_harmful, line};
