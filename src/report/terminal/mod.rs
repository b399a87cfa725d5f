//! Text for a terminal, and messages on standard error.

mod ci;
mod messages;

pub use ci::{replaced, without_commands};
pub use messages::{Verbosity, complain, complain_rendered, count, say};
pub use urlint_standard::text::shown::{each_char, harmless, is_harmful, line};

/// The capabilities of the terminal that a report goes to. The default is for no terminal.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    /// Whether it shows colours.
    pub color: bool,
    /// The number of columns.
    pub width: Option<usize>,
    /// Whether it shows hyperlinks (OSC 8).
    pub hyperlinks: bool,
}
