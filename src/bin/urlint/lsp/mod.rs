//! The language server.

mod actions;
mod analysis;
mod answer;
mod capabilities;
pub(crate) mod config;
mod diagnostics;
mod document;
mod hover;
mod input;
mod links;
mod positions;
mod queue;
pub(crate) mod server;
mod settings;
pub(crate) mod transport;
mod uri;

#[cfg(test)]
mod tests;
