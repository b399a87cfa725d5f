//! `urlint rule`: explains rules.

use std::io::{self, Write};

use clap::ValueEnum;
use urlint_config::rules;
use urlint_core::standard::Standard;
use urlint_lint::Group;
use urlint_lint::Rule;

use super::help::printed;
use crate::config::unknown_rule;
use crate::error::{Error, Exit};
use urlint_report::json::Value::{Object, Text};
use urlint_report::terminal::Output;
use urlint_report::{documentation, json, references};

#[derive(Debug, clap::Args)]
pub(crate) struct RuleCommand {
    /// Names of rules or groups
    #[arg(value_name = "NAME", value_parser = Explained::parse, required_unless_present = "all")]
    names: Vec<Explained>,

    /// Explain all rules
    #[arg(long, conflicts_with = "names")]
    all: bool,

    /// The output format
    #[arg(
        long,
        short = 'f',
        visible_alias = "format",
        value_name = "FORMAT",
        default_value = "text"
    )]
    output_format: Format,
}

/// What a name on the command line stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Explained {
    Rules(Vec<Rule>),
    Group(Group),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Text for people
    Text,
    /// A JSON object on each line
    JsonLines,
}

impl RuleCommand {
    pub(crate) fn run(&self, output: &mut Output) -> Result<Exit, Error> {
        let all = [Explained::Rules(Rule::ALL.to_vec())];
        let names = if self.all { &all } else { &self.names[..] };
        let mut page = Vec::new();
        for name in names {
            match (self.output_format, name) {
                (Format::Text, Explained::Group(group)) => section(&mut page, &overview(*group)),
                (Format::Text, Explained::Rules(rules)) => {
                    for &rule in rules {
                        section(&mut page, &printed(&text(rule), output.color));
                    }
                }
                (Format::JsonLines, name) => {
                    for rule in name.rules() {
                        json_line(&mut page, rule).map_err(Error::Write)?;
                    }
                }
            }
        }
        output.stream.write_all(&page).map_err(Error::Write)?;
        Ok(Exit::Done)
    }
}

impl Explained {
    /// Looks up the name of a rule or a group. The error suggests a similar name.
    fn parse(name: &str) -> Result<Explained, String> {
        if let Some(group) = Group::from_name(name) {
            return Ok(Explained::Group(group));
        }
        let rules = rules(name).map(Explained::Rules);
        rules.ok_or_else(|| unknown_rule(Rule::suggest(name)))
    }

    fn rules(&self) -> impl Iterator<Item = Rule> {
        let is_named = move |rule: &Rule| match self {
            Explained::Rules(rules) => rules.contains(rule),
            Explained::Group(group) => rule.group() == *group,
        };
        Rule::ALL.iter().copied().filter(is_named)
    }
}

/// Adds `text` to the page, after an empty line if it is not the first.
fn section(page: &mut Vec<u8>, text: &str) {
    if !page.is_empty() {
        page.push(b'\n');
    }
    page.extend_from_slice(text.as_bytes());
}

/// Returns a table of the rules of a group, with their severities and summaries.
fn overview(group: Group) -> String {
    let named = Explained::Group(group);
    let width = named.rules().map(|rule| rule.name().len()).max();
    let width = width.unwrap_or_default();
    let mut text = format!(
        "# {group}\n\na group of {} rules; `urlint rule NAME` explains one\n\n",
        named.rules().count()
    );
    for rule in named.rules() {
        let (name, severity, summary) = (rule.name(), rule.severity().name(), rule.summary());
        text.push_str(&format!("{name:width$}  {severity:7}  {summary}\n"));
    }
    text
}

fn text(rule: Rule) -> String {
    let references: String = references(rule)
        .iter()
        .map(|reference| format!("; {reference}"))
        .collect();
    format!(
        "# {rule}\n\n{} in group {}{references}\n\n{}\n",
        rule.severity(),
        rule.group(),
        documentation(rule)
    )
}

fn json_line(out: &mut Vec<u8>, rule: Rule) -> io::Result<()> {
    // For each standard under which the rule reports, the section that covers it.
    let references = Standard::ALL.iter().filter_map(|standard| {
        let reference = rule.reference(*standard)?;
        Some((standard.name(), Text(reference.into())))
    });
    let row = Object(vec![
        ("rule", Text(rule.name().into())),
        ("group", Text(rule.group().name().into())),
        ("severity", Text(rule.severity().name().into())),
        ("summary", Text(rule.summary().into())),
        ("references", Object(references.collect())),
        ("documentation", Text(documentation(rule).into())),
    ]);
    json::write_line(out, &row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_looked_up() {
        let message = Explained::parse("securty").err().unwrap_or_default();
        assert!(message.ends_with("did you mean `security`?"), "{message}");
        let rules = Explained::Rules(vec![Rule::UnsafeCharacter]);
        assert_eq!(Explained::parse("raw-backslash"), Ok(rules));
    }
}
