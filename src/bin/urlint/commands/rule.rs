//! `urlint rule`: what a rule means.

use std::io::Write;

use clap::ValueEnum;
use urlint::{Group, Rule};

use super::output::Output;
use super::{Error, Exit, select};
use crate::report::json;

#[derive(Debug, clap::Args)]
pub(crate) struct Explain {
    /// Names of rules or groups
    #[arg(value_name = "NAME", value_parser = select::explained, required_unless_present = "all")]
    names: Vec<Explained>,

    /// All rules there are
    #[arg(long, conflicts_with = "names")]
    all: bool,

    /// How to print the documentation
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    output_format: Format,
}

/// What a name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Explained {
    /// Rules to be told of one by one.
    Rules(Vec<Rule>),
    Group(Group),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// To be read
    Text,
    /// A JSON object on each line
    JsonLines,
}

impl Explain {
    pub(crate) fn run(&self, output: &mut Output) -> Result<Exit, Error> {
        let all = [Explained::Rules(Rule::ALL.to_vec())];
        let names = if self.all { &all } else { &self.names[..] };
        let mut page = Vec::new();
        for name in names {
            match (self.output_format, name) {
                (Format::Text, Explained::Group(group)) => section(&mut page, &overview(*group)),
                (Format::Text, Explained::Rules(rules)) => {
                    rules
                        .iter()
                        .for_each(|&rule| section(&mut page, &text(rule)));
                }
                (Format::JsonLines, name) => {
                    name.rules().for_each(|rule| json_line(&mut page, rule));
                }
            }
        }
        output.stream.write_all(&page).map_err(Error::Write)?;
        Ok(Exit::Done)
    }
}

impl Explained {
    fn rules(&self) -> impl Iterator<Item = Rule> {
        let is_named = move |rule: &Rule| match self {
            Explained::Rules(rules) => rules.contains(rule),
            Explained::Group(group) => rule.group() == *group,
        };
        Rule::ALL.iter().copied().filter(is_named)
    }
}

/// Adds `text` to the page, below what stands there.
fn section(page: &mut Vec<u8>, text: &str) {
    if !page.is_empty() {
        page.push(b'\n');
    }
    page.extend_from_slice(text.as_bytes());
}

/// The rules of a group, each with its severity and what it reports.
fn overview(group: Group) -> String {
    let named = Explained::Group(group);
    let width = named.rules().map(|rule| rule.name().len()).max();
    let width = width.unwrap_or_default();
    let mut text = format!(
        "# {group}\n\na group of {} rules; `urlint rule NAME` says what one means\n\n",
        named.rules().count()
    );
    for rule in named.rules() {
        let (name, severity, summary) = (rule.name(), rule.severity().name(), rule.summary());
        text.push_str(&format!("{name:width$}  {severity:7}  {summary}\n"));
    }
    text
}

fn text(rule: Rule) -> String {
    let reference = match rule.reference() {
        "" => String::new(),
        reference => format!("; {reference}"),
    };
    format!(
        "# {rule}\n\n{} in group {}{reference}\n\n{}\n",
        rule.severity(),
        rule.group(),
        documentation(rule)
    )
}

/// The documentation without the space that stands before each line of a doc comment.
fn documentation(rule: Rule) -> String {
    let lines = rule.documentation().trim_end().lines();
    let lines: Vec<_> = lines
        .map(|line| line.strip_prefix(' ').unwrap_or(line))
        .collect();
    lines.join("\n")
}

fn json_line(out: &mut Vec<u8>, rule: Rule) {
    json::object(out, |object| {
        object.string("rule", rule.name().as_bytes());
        object.string("group", rule.group().name().as_bytes());
        object.string("severity", rule.severity().name().as_bytes());
        object.string("summary", rule.summary().as_bytes());
        object.string("reference", rule.reference().as_bytes());
        object.string("documentation", documentation(rule).as_bytes());
    });
    out.push(b'\n');
}
