//! Link lists: the fields of a row about a URL, and how their values are computed.
//!
//! [`Fields`] makes a [`Row`] of a [`Found`](urlint_documents::Found): a [`Cell`] for each selected field.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

#[cfg(feature = "arrow")]
#[doc(hidden)]
pub mod arrow;
mod cell;
mod field;
mod fields;
mod refanged;
mod row;
mod time;
mod unwrapped;

pub use cell::Cell;
pub use field::{DataType, Field};
pub use fields::Fields;
pub use row::{Row, SourceInfo};
pub use time::Time;
pub use urlint_domain::domain;
