//! urlint finds URLs in free text.

mod candidate;
pub mod rfc1738;
mod rule;
mod span;

pub use candidate::{Alternative, Candidate, Delimiter, Flag, Flags};
pub use rule::{Group, Rule, Severity};
pub use span::{Span, Spans};
