//! What the tests of several packages share.

#![allow(missing_docs)]

pub mod encoded;
mod tries;

pub use tries::tries;
