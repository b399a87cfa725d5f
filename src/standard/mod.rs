//! The judges: one folder for each standard.

mod part;
pub mod rfc1738;

pub use part::Part;
