//! urlint finds URLs in free text.

mod span;

mod candidate;

mod find;

pub mod rfc1738;

mod rule;

pub mod redact;

mod diagnostic;

mod settings;

mod lint;

pub use candidate::{Alternative, Candidate, Delimiter, Flag, Flags};
pub use diagnostic::{Applicability, Diagnostic, Edit, Fix};
pub use find::{Finder, Found, Position, Rejoin, Stream, Window, find};
pub use lint::{check, lint};
pub use rule::{Group, Rule, Severity};
pub use settings::{Selection, Selector, Settings};
pub use span::{Span, Spans};
/// The longest URL that is read.
pub const MAX_URL: usize = 8192;
