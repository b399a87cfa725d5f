//! `urlint lsp`: the language server.

#[cfg(feature = "lsp")]
use crate::config::ConfigArgs;
use crate::error::{Error, Exit};
use crate::stdout::Output;
#[cfg(feature = "lsp")]
use urlint_config::Options;

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
    #[cfg(feature = "lsp")]
    pub(crate) fn run(&self, output: &mut Output) -> Result<Exit, Error> {
        let flags = ConfigArgs::of(&self.config, self.isolated);
        let configs = flags.configs(Options::default())?;
        let configure = Box::new(move |editor| flags.configs(editor).ok());
        match urlint_lsp::serve(configs, configure, &mut output.stream) {
            Ok(true) => Ok(Exit::Done),
            Ok(false) => Ok(Exit::Found),
            Err(urlint_lsp::Error::Write(error)) => Err(Error::Write(error)),
            Err(urlint_lsp::Error::NoThread(error)) => Err(Error::NoThread(error)),
        }
    }

    #[cfg(not(feature = "lsp"))]
    pub(crate) fn run(&self, _: &mut Output) -> Result<Exit, Error> {
        Err(Error::usage(
            "this urlint was built without the language server: use a released binary, or `cargo install urlint --features lsp`",
        ))
    }
}
