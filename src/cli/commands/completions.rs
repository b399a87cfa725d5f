//! `urlint completions`: the command line for shells.

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, Command};
use clap_complete::Shell;
use urlint_config::OutputFormat;
use urlint_lint::{Group, Rule};
use urlint_manual::PAGES;

use crate::error::{Error, Exit};
use crate::output::print;
use crate::stdout::Output;

#[derive(Debug, clap::Args)]
pub(crate) struct Completions {
    /// The shell to write completions for
    shell: Shell,
}

impl Completions {
    /// Writes the completions for `cli`.
    pub(crate) fn run(&self, cli: Command, output: &mut Output) -> Result<Exit, Error> {
        let names: Vec<_> = cli
            .get_subcommands()
            .map(|command| PossibleValue::new(command.get_name().to_owned()))
            .collect();
        let mut cli =
            cli.mut_subcommands(|command| command.mut_args(|arg| with_names(arg, &names)));
        // To memory first: the generator panics if it cannot write.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut cli, "urlint", &mut script);
        if self.shell == Shell::Fish {
            script.extend(cli.get_subcommands().filter_map(positional).flatten());
        }
        print(output, script)
    }
}

/// Gives an argument that takes rules, commands or pages their names, which its own parser looks up.
fn with_names(arg: Arg, commands: &[PossibleValue]) -> Arg {
    let described = |name: &'static str, help: &'static str| PossibleValue::new(name).help(help);
    let names: Vec<_> = match arg.get_id().as_str() {
        "select" | "extend_select" | "ignore" | "rule" | "names" => {
            let groups = Group::ALL
                .iter()
                .map(|group| PossibleValue::new(group.name()));
            let rules = Rule::ALL
                .iter()
                .map(|rule| described(rule.name(), rule.summary()));
            groups.chain(rules).collect()
        }
        "topic" => {
            let pages = PAGES.iter().map(|page| described(page.name, page.summary));
            commands.iter().cloned().chain(pages).collect()
        }
        "command" => commands.to_vec(),
        "output_format" if arg.get_possible_values().is_empty() => {
            let names = OutputFormat::ALL.iter().map(|format| format.name());
            names.map(PossibleValue::new).collect()
        }
        _ => return arg,
    };
    arg.value_parser(PossibleValuesParser::new(names))
}

/// Returns the line for the names that `command` takes, which the generator for fish leaves out.
fn positional(command: &Command) -> Option<Vec<u8>> {
    let names = command.get_positionals().next()?.get_possible_values();
    let names: Vec<_> = names.iter().map(PossibleValue::get_name).collect();
    let (command, names) = (command.get_name(), names.join(" "));
    let line = format!(
        "complete -c urlint -n \"__fish_urlint_using_subcommand {command}\" -f -a \"{names}\"\n"
    );
    (!names.is_empty()).then(|| line.into_bytes())
}
