//! The language server of `urlint`: diagnostics, fixes and links in editors, by the Language Server
//! Protocol.

mod actions;
mod analysis;
mod answer;
mod capabilities;
mod config;
mod diagnostics;
mod document;
mod hover;
mod input;
mod links;
mod positions;
mod queue;
mod server;
mod settings;
mod transport;
mod uri;

use std::io::{self, Write};

use lsp_server::Connection;
use urlint_config::{Configs, Options};

use config::Config;
use server::Server;

/// Reads the configuration again, overridden by the settings of the editor; `None` if it is wrong now.
pub type Configure = Box<dyn Fn(Options) -> Option<Configs> + Send>;

/// Why the server ends early.
#[derive(Debug)]
pub enum Error {
    /// A message could not be written.
    Write(io::Error),
    /// A thread could not be started.
    NoThread(io::Error),
}

/// Serves the editor that writes to standard input and reads `out`, until it says `exit` or disconnects.
/// Returns whether it has said `shutdown` before.
///
/// # Errors
///
/// Fails if a message cannot be written, or if a thread cannot be started.
pub fn serve(configs: Configs, configure: Configure, out: &mut dyn Write) -> Result<bool, Error> {
    let serve = |connection: &_| serve_connection(connection, configs, configure);
    transport::stdio(out, serve)
}

/// Serves the editor at the other end of `connection`, as [`serve`] does.
#[doc(hidden)]
#[must_use]
pub fn serve_connection(connection: &Connection, configs: Configs, configure: Configure) -> bool {
    Server::new(connection, Config::new(configs, configure)).run()
}

#[cfg(test)]
mod tests;
