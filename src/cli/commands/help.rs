//! `urlint help`: the help of commands, and the pages of the manual.

use std::fmt::Write;

use clap::Command;
use urlint_config::RuleName;
use urlint_manual::PAGES;
use urlint_standard::text::named::nearest;

use crate::error::{Error, Exit};
use crate::output::print;
use crate::stdout::Output;

#[derive(Debug, clap::Args)]
pub(crate) struct Help {
    /// A page of the manual or a command; without it, the pages are listed
    topic: Option<String>,
}

impl Help {
    /// Prints a page of the manual, or help about one of the commands of `cli`.
    pub(crate) fn run(&self, cli: &Command, output: &mut Output) -> Result<Exit, Error> {
        let text = match &self.topic {
            None => overview(),
            Some(topic) => about(topic, cli, output.color).map_err(Error::Usage)?,
        };
        print(output, text)
    }
}

/// Returns the page called `name`, the help of the command, or an error with a suggestion.
fn about(name: &str, cli: &Command, color: bool) -> Result<String, String> {
    if let Some(page) = PAGES.iter().find(|page| page.name == name) {
        return Ok(page.text.to_owned());
    }
    if cli.find_subcommand(name).is_some() {
        return Ok(help_of(name, cli, color));
    }
    let commands = cli.get_subcommands().map(Command::get_name);
    let names: Vec<_> = commands.chain(PAGES.iter().map(|page| page.name)).collect();
    let begins = |known: &&&str| name.len() > 1 && known.starts_with(name);
    let hint = if name.parse::<RuleName>().is_ok() {
        format!("`urlint rule {name}` explains rules")
    } else if let Some(near) =
        (names.iter().find(begins).copied()).or_else(|| nearest(name, names.iter().copied()))
    {
        format!("did you mean `{near}`?")
    } else {
        "`urlint help` lists pages, `urlint --help` commands".to_owned()
    };
    Err(format!("no such page or command: `{name}`; {hint}"))
}

/// Returns the output of `urlint COMMAND --help`, with ANSI escape sequences if `color` is set.
fn help_of(command: &str, cli: &Command, color: bool) -> String {
    // As on the command line, where clap chooses between the short and the long form.
    match cli
        .clone()
        .try_get_matches_from(["urlint", command, "--help"])
    {
        Err(help) if color => help.render().ansi().to_string(),
        Err(help) => help.render().to_string(),
        Ok(_) => String::new(),
    }
}

/// Returns the list of pages.
fn overview() -> String {
    let mut list = "Pages of the manual; `urlint help PAGE` prints one, and `urlint help COMMAND` the options of a command:\n\n".to_owned();
    let width = PAGES.iter().map(|page| page.name.len()).max();
    let width = width.unwrap_or_default();
    for page in PAGES {
        // Writing to a string cannot fail.
        let _ = writeln!(list, "  {:width$}  {}", page.name, page.summary);
    }
    list
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use urlint_lint::Rule;

    use super::*;

    #[test]
    fn no_page_is_called_like_a_command() {
        for command in crate::Cli::command().get_subcommands() {
            let command = command.get_name();
            assert!(
                PAGES.iter().all(|page| page.name != command),
                "`urlint help {command}` can print one of them only"
            );
        }
    }

    #[test]
    fn pages_and_rules_have_no_control_characters() {
        let pages = PAGES.iter().map(|page| page.text);
        for text in pages.chain(Rule::ALL.iter().map(|rule| rule.documentation())) {
            let is_text = |c: char| matches!(c, '\n' | '\t') || !c.is_control();
            assert!(text.chars().all(is_text), "{text}");
        }
    }

    #[test]
    fn unknown_topics_have_a_suggestion() {
        let cases = [
            ("fix", "did you mean `fixing`?"),
            ("config", "did you mean `configuration`?"),
            ("chek", "did you mean `check`?"),
            ("Rules", "did you mean `rules`?"),
            ("bad-port", "`urlint rule bad-port` explains rules"),
            ("security", "`urlint rule security` explains rules"),
            ("x", "`urlint help` lists pages, `urlint --help` commands"),
        ];
        for (name, hint) in cases {
            let message = about(name, &crate::Cli::command(), false);
            let message = message.err().unwrap_or_default();
            assert!(message.ends_with(hint), "{name}: {message}");
        }
    }
}
