//! Parts of the tests of several packages.

#![allow(missing_docs)]

pub mod encoded;
mod tries;

pub use tries::{share, tries};
