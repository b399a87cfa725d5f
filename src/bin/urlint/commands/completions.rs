//! `urlint completions`: the command line for shells.

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
