//! `urlint lsp`: the language server.

mod actions;
mod analysis;
mod answer;
mod capabilities;
mod changes;
mod completion;
pub(crate) mod config;
mod config_file;
mod decoding;
mod diagnostics;
mod document;
mod files;
mod hover;
mod links;
mod positions;
mod queue;
mod run;
pub(crate) mod server;
mod settings;
mod symbols;
mod transport;
mod uri;
mod workspace;

use crate::config::ConfigArgs;
use crate::error::{Error, Exit};
use crate::terminal::Output;
use config::Config;
use server::Server;

#[derive(Debug, clap::Args)]
pub(crate) struct Lsp {
    /// Use this configuration file instead of searching for one, or set a key to a value in TOML,
    /// which overrides all files; may be repeated
    #[arg(long, value_name = "FILE|KEY=VALUE", help_heading = "Configuration")]
    config: Vec<String>,

    /// Ignore all configuration files
    #[arg(long, help_heading = "Configuration")]
    isolated: bool,

    /// Use standard input and output, which are always used; for editors that say so
    #[arg(long, hide = true)]
    stdio: bool,
}

impl Lsp {
    /// Serves the editor at standard input and output until it says `exit`.
    pub(crate) fn run(&self, output: &mut Output) -> Result<Exit, Error> {
        let flags = ConfigArgs::of(&self.config, self.isolated);
        let config = Config::new(flags)?;
        let serve = |connection: &_| Server::new(connection, config).run();
        transport::stdio(&mut output.stream, serve).map_err(Error::Write)
    }
}

#[cfg(test)]
mod tests;
