//! `urlint man`: the command line for `man`.

use clap::Command;

use crate::error::{Error, Exit};
use urlint_report::terminal::Output;

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
