//! Reading many sources, or one that is long, with several threads: the results come in the order
//! of the sources, whichever thread has them first.
//!
//! [`start`] has numbered units of work done, and hands out their results by the numbers. [`text`]
//! cuts a long file of plain text into units.

mod ordered;
mod promise;
mod shared;
#[cfg(test)]
mod tests;
pub mod text;

pub use ordered::{Failure, Limits, Next, OwnSender, Results, Scheduler, Sender, Stopped, start};
pub use promise::{Awaited, Promise, promise};
