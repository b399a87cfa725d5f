//! `urlint rule`: what a rule means.

use std::io::Write;

use clap::ValueEnum;
use urlint::Rule;

use super::output::Output;
use super::{Error, Exit, select};
use crate::report::json;

#[derive(Debug, clap::Args)]
pub(crate) struct Explain {
    /// Names of rules
    #[arg(value_name = "NAME", value_parser = select::rules, required_unless_present = "all")]
    names: Vec<Vec<Rule>>,

    /// All rules there are
    #[arg(long, conflicts_with = "names")]
    all: bool,

    /// How to print the documentation
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    output_format: Format,
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
        let rules = match self.all {
            true => Rule::ALL,
            false => &self.names.concat(),
        };
        let mut page = Vec::new();
        for (index, &rule) in rules.iter().enumerate() {
            match self.output_format {
                Format::Text => page.extend_from_slice(text(rule, index == 0).as_bytes()),
                Format::JsonLines => json_line(&mut page, rule),
            }
        }
        output.stream.write_all(&page).map_err(Error::Write)?;
        Ok(Exit::Done)
    }
}

fn text(rule: Rule, is_first: bool) -> String {
    let gap = if is_first { "" } else { "\n" };
    let reference = match rule.reference() {
        "" => String::new(),
        reference => format!("; {reference}"),
    };
    format!(
        "{gap}# {rule}\n\n{} in group {}{reference}\n\n{}\n",
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
