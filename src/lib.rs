//! urlint finds URLs in free text.

mod byteset;

mod span;

mod scan;

mod rejoin;

mod candidate;

mod find;

mod stream;

pub mod view;

mod position;

pub mod rfc1738;

mod rule;

pub mod redact;

mod diagnostic;

mod settings;

mod lint;

pub use candidate::{Alternative, Candidate, Delimiter, Flag, Flags};
pub use diagnostic::{Applicability, Diagnostic, Edit, Fix};
pub use find::{Finder, Hyphen, Rejoin, find};
pub use lint::{check, lint};
pub use position::Position;
pub use rule::{Group, Rule, Severity};
pub use scan::MAX_URL;
pub use settings::{Selection, Selector, Settings};
pub use span::{Span, Spans};
pub use stream::{CONTEXT, Found, Stream, Window};
