//! `urlint help`: the help of commands, and the pages of the manual.

use clap::Command;
use clap::builder::StyledStr;
use urlint_config::RuleName;
use urlint_manual::{PAGES, with_commands};
use urlint_standard::text::named::nearest;

use crate::error::{Error, Exit};
use crate::output::print;
use urlint_report::terminal::Output;

const BOLD: &str = "\x1b[1m";
const DIM: &str = "\x1b[2m";

#[derive(Debug, clap::Args)]
pub(crate) struct Help {
    /// A command or a page of the manual; without it, all are listed
    topic: Option<String>,
}

impl Help {
    /// Prints help about the commands of `cli`, or a page of the manual.
    pub(crate) fn run(&self, cli: &Command, output: &mut Output) -> Result<Exit, Error> {
        let text = match &self.topic {
            None => overview(cli, output.color),
            Some(topic) => about(topic, cli, output.color).map_err(Error::Usage)?,
        };
        print(output, text)
    }
}

/// Returns the help of the command called `name`, or the page, or an error with a suggestion.
fn about(name: &str, cli: &Command, color: bool) -> Result<String, String> {
    if cli.find_subcommand(name).is_some() {
        return Ok(help_of(name, cli, color));
    }
    if let Some(page) = PAGES.iter().find(|page| page.name == name) {
        return Ok(printed(page.text, color));
    }
    let hint = if RuleName::find(name).is_some() {
        format!("`urlint rule {name}` explains rules")
    } else {
        let commands = cli.get_subcommands().map(Command::get_name);
        let names = commands.chain(PAGES.iter().map(|page| page.name));
        let names: Vec<&str> = names.collect();
        let pages = PAGES.iter().filter(|page| has_section(page.text, name));
        let pages: Vec<String> = pages
            .map(|page| format!("`urlint help {}`", page.name))
            .collect();
        if let Some(near) = suggest(name, &names) {
            format!("did you mean `{near}`?")
        } else if !pages.is_empty() {
            format!("see {}", pages.join(" and "))
        } else {
            "`urlint help` lists them".to_owned()
        }
    };
    Err(format!("no such command or page: `{name}`; {hint}"))
}

/// Returns whether a heading of a page has the word `name`.
fn has_section(text: &str, name: &str) -> bool {
    let mut headings = text.lines().filter(|line| line.starts_with("## "));
    headings.any(|line| line.split(' ').any(|word| word.eq_ignore_ascii_case(name)))
}

/// Returns the name that `name` may abbreviate or misspell.
fn suggest<'n>(name: &str, names: &[&'n str]) -> Option<&'n str> {
    let start = name.to_ascii_lowercase();
    let is_start = |known: &&&str| start.len() > 1 && known.starts_with(&start);
    let longer = names.iter().find(is_start).copied();
    longer.or_else(|| nearest(name, names.iter().copied()))
}

/// Returns the output of `urlint COMMAND --help`, with ANSI escape sequences if `color` is set.
fn help_of(command: &str, cli: &Command, color: bool) -> String {
    // As on the command line, where clap chooses between the short and the long form.
    let cli = cli.clone();
    let help = match cli.try_get_matches_from(["urlint", command, "--help"]) {
        Err(help) => help.render(),
        Ok(_) => StyledStr::default(),
    };
    text_of(&help, color)
}

fn text_of(help: &StyledStr, color: bool) -> String {
    if color {
        help.ansi().to_string()
    } else {
        help.to_string()
    }
}

/// Returns the list of commands and pages, as wide as the terminal.
fn overview(cli: &Command, color: bool) -> String {
    let list = |template: &'static str, rows: Vec<Command>| {
        let about = cli.get_about().cloned().unwrap_or_default();
        let list = Command::new("urlint").about(about).help_template(template);
        let mut list = list.disable_help_subcommand(true).subcommands(rows);
        text_of(&list.render_help(), color)
    };
    let pages = PAGES.iter();
    let pages = pages.map(|page| Command::new(page.name).about(page.summary));
    let commands = list(
        "{about-with-newline}\nCommands; `urlint help COMMAND` prints the options of one:\n\n{subcommands}\n",
        cli.get_subcommands().cloned().collect(),
    );
    let pages = list(
        "\n\nPages of the manual; `urlint help TOPIC` prints one:\n\n{subcommands}\n",
        pages.collect(),
    );
    commands + &pages
}

/// Returns a page to be printed: Markdown without comments, in which a reference to a page names the
/// command that prints it. With `color`, headings are bold and code is dim.
pub(super) fn printed(text: &str, color: bool) -> String {
    let styled = |style: &str, text: &str| match color && !text.is_empty() {
        true => format!("{style}{text}\x1b[0m"),
        false => text.to_owned(),
    };
    let mut page = String::with_capacity(text.len());
    let (mut in_block, mut in_span) = (false, false);
    for line in text.lines() {
        let is_fence = line.starts_with("```");
        in_block ^= is_fence;
        if is_fence || in_block {
            page.push_str(&styled(DIM, line));
        } else if line.starts_with("<!--")
            || line.starts_with('[') && line.ends_with(".md")
            || line.is_empty() && page.ends_with("\n\n")
        {
            continue;
        } else if line.starts_with('#') {
            page.push_str(&styled(BOLD, &with_commands(line)));
        } else {
            // A code span ends with its paragraph, even if nothing closes it.
            in_span &= !line.is_empty();
            for (index, part) in line.split('`').enumerate() {
                if index > 0 {
                    page.push('`');
                    in_span = !in_span;
                }
                page.push_str(&match in_span {
                    true => styled(DIM, part),
                    false => with_commands(part),
                });
            }
        }
        page.push('\n');
    }
    page.truncate(page.trim_end().len() + 1);
    page
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
    fn references_become_commands() {
        let cases = [
            (
                "See [rules].\n\n[rules]: rules.md\n",
                "See `urlint help rules`.\n",
            ),
            ("`x[rules]` [rules]\n", "`x[rules]` `urlint help rules`\n"),
            ("`a\nb[rules]`\n", "`a\nb[rules]`\n"),
            ("```text\n[rules]\n```\n", "```text\n[rules]\n```\n"),
            ("a\n\n<!-- x -->\n\nb\n", "a\n\nb\n"),
            ("[regex](https://docs.rs)\n", "[regex](https://docs.rs)\n"),
        ];
        for (text, expected) in cases {
            assert_eq!(printed(text, false), expected);
        }
    }

    #[test]
    fn headings_and_code_have_styles() {
        let text = "# A `b`\n\nc `d` e `f\ng` h `i\n\nj\n\n```text\n# k\n```\nl\n";
        let expected = "\x1b[1m# A `b`\x1b[0m\n\nc `\x1b[2md\x1b[0m` e `\x1b[2mf\x1b[0m\n\
            \x1b[2mg\x1b[0m` h `\x1b[2mi\x1b[0m\n\nj\n\n\
            \x1b[2m```text\x1b[0m\n\x1b[2m# k\x1b[0m\n\x1b[2m```\x1b[0m\nl\n";
        assert_eq!(printed(text, true), expected);
    }

    #[test]
    fn styles_are_all_that_is_added() {
        let pages = PAGES.iter().map(|page| page.text);
        for text in pages.chain(Rule::ALL.iter().map(|rule| rule.documentation())) {
            let plain = printed(text, false);
            let is_text = |c: char| matches!(c, '\n' | '\t') || !c.is_control();
            assert!(plain.chars().all(is_text), "{plain}");
            let mut styled = printed(text, true);
            for style in [BOLD, DIM, "\x1b[0m"] {
                styled = styled.replace(style, "");
            }
            assert_eq!(styled, plain);
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
            (
                "archives",
                "see `urlint help extracting` and `urlint help files`",
            ),
            ("scale", "see `urlint help speed`"),
            ("x", "`urlint help` lists them"),
        ];
        for (name, hint) in cases {
            let message = about(name, &crate::Cli::command(), false);
            let message = message.err().unwrap_or_default();
            assert!(message.ends_with(hint), "{name}: {message}");
        }
    }
}
