//! `urlint completions` and `urlint man`: what other programs want to know of the command line.

use std::io::Write;

use clap::CommandFactory;
use clap_complete::Shell;

use super::output::Output;
use super::{Cli, Error, Exit};

#[derive(Debug, clap::Args)]
pub(crate) struct Completions {
    /// The shell to write for
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self, output: &mut Output) -> Result<Exit, Error> {
        // In memory first: the generator panics where it cannot write.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "urlint", &mut script);
        output.stream.write_all(&script).map_err(Error::Write)?;
        Ok(Exit::Done)
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct Man {
    /// The command to describe; all of urlint if none is named
    command: Option<String>,
}

impl Man {
    pub(crate) fn run(&self, output: &mut Output) -> Result<Exit, Error> {
        let mut all = Cli::command();
        all.build();
        let described = match &self.command {
            None => all,
            Some(name) => {
                let found = all.find_subcommand(name).cloned();
                found
                    .ok_or_else(|| Error::Usage(format!("there is no command `{name}`")))?
                    .display_name(format!("urlint-{name}"))
            }
        };
        clap_mangen::Man::new(described)
            .render(&mut output.stream)
            .map_err(Error::Write)?;
        Ok(Exit::Done)
    }
}
