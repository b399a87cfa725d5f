//! Units of work, done by several threads: their results come in the order of the units, whichever
//! is done first.

mod ordered;
mod shared;

pub(crate) use ordered::{Results, Scheduler, Sender, start};
pub(crate) use shared::{Failure, Limits, Next, Stopped};

#[cfg(test)]
mod tests;
