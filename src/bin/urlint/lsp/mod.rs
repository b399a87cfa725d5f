//! The language server.

mod actions;
mod analysis;
mod answer;
mod capabilities;
mod changes;
mod completion;
pub(crate) mod config;
mod decoding;
mod diagnostics;
mod document;
mod files;
mod hover;
mod input;
mod links;
mod positions;
mod queue;
mod run;
pub(crate) mod server;
mod settings;
mod symbols;
pub(crate) mod transport;
mod uri;
mod workspace;

#[cfg(test)]
mod tests;
