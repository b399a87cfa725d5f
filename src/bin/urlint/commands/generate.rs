//! `urlint completions` and `urlint man`: the command line for shells and for `man`.

use std::io::Write;

use clap::Command;
use clap_complete::Shell;

use crate::error::{Error, Exit};
use crate::terminal::Output;

#[derive(Debug, clap::Args)]
pub(crate) struct Completions {
    /// The shell to write completions for
    shell: Shell,
}

impl Completions {
    /// Writes the completions for `cli`.
    pub(crate) fn run(&self, mut cli: Command, output: &mut Output) -> Result<Exit, Error> {
        // To memory first: the generator panics if it cannot write.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut cli, "urlint", &mut script);
        output.stream.write_all(&script).map_err(Error::Write)?;
        Ok(Exit::Done)
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct Man {
    /// The subcommand to describe instead of urlint as a whole
    command: Option<String>,
}

impl Man {
    /// Writes the manual page of `cli`, or of one of its subcommands.
    pub(crate) fn run(&self, mut cli: Command, output: &mut Output) -> Result<Exit, Error> {
        cli.build();
        let described = match &self.command {
            None => cli,
            Some(name) => {
                let unknown =
                    || Error::Usage(format!("no such command: `{name}`; see `urlint --help`"));
                let found = cli.find_subcommand(name).cloned();
                found
                    .ok_or_else(unknown)?
                    .display_name(format!("urlint-{name}"))
            }
        };
        clap_mangen::Man::new(described)
            .render(&mut output.stream)
            .map_err(Error::Write)?;
        Ok(Exit::Done)
    }
}
