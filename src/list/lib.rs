//! Link lists: the fields of a row about a URL, and how their values are computed.
//!
//! [`Fields`] writes the selected fields of a [`Found`](urlint_documents::Found), cell by cell, to
//! [`Cells`], which format them.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

#[cfg(feature = "arrow")]
#[doc(hidden)]
pub mod arrow;
mod field;
mod fields;
mod refanged;
mod row;
mod time;
mod unwrapped;

pub use field::{DataType, Field};
pub use fields::Fields;
pub use row::{Cells, SourceInfo};
pub use time::Time;
pub use urlint_domain::domain;
