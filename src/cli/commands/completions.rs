//! `urlint completions`: the command line for shells.

use std::io::Write;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, Command};
use clap_complete::Shell;
use urlint_lint::Group;
use urlint_lint::Rule;

use crate::error::{Error, Exit};
use urlint_report::terminal::Output;

#[derive(Debug, clap::Args)]
pub(crate) struct Completions {
    /// The shell to write completions for
    shell: Shell,
}

impl Completions {
    /// Writes the completions for `cli`.
    pub(crate) fn run(&self, cli: Command, output: &mut Output) -> Result<Exit, Error> {
        let mut cli = cli.mut_subcommands(|command| command.mut_args(with_rules));
        // To memory first: the generator panics if it cannot write.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut cli, "urlint", &mut script);
        output.stream.write_all(&script).map_err(Error::Write)?;
        Ok(Exit::Done)
    }
}

/// Gives an argument that takes rules their names, which its own parser looks up.
fn with_rules(arg: Arg) -> Arg {
    let id = arg.get_id().as_str();
    if !["select", "extend_select", "ignore", "rule", "names"].contains(&id) {
        return arg;
    }
    let groups = Group::ALL
        .iter()
        .map(|group| PossibleValue::new(group.name()));
    let rules = Rule::ALL.iter();
    let rules = rules.map(|rule| PossibleValue::new(rule.name()).help(rule.summary()));
    arg.value_parser(PossibleValuesParser::new(groups.chain(rules)))
}
