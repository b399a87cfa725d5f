//! Link lists: what a row tells about a URL, and where that is taken from.
//!
//! [`Fields`] writes what was asked for about a [`Found`](crate::Found), cell by cell, to
//! [`Cells`], which give it the form of a format.

mod domain;
mod field;
mod row;
mod time;

pub use domain::domain;
pub use field::{DataType, Field};
pub use row::{Cells, Fields, Place};
pub use time::Time;
