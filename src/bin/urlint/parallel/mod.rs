//! Units of work, done by several threads: their results come in the order of the units, whichever
//! is done first.

mod ordered;
mod shared;

pub(crate) use ordered::{Failure, Limits, Next, Results, Scheduler, Sender, Stopped, start};

#[cfg(test)]
mod tests;
