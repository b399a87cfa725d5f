//! `urlint rule`: explains rules.

use std::io;

use clap::ValueEnum;
use urlint_config::RuleName;
use urlint_lint::{Group, Rule, Selector};
use urlint_standard::standard::Standard;

use crate::error::{Error, Exit};
use crate::output::print;
use crate::stdout::Output;
use urlint_report::json::Value::{Object, Text};
use urlint_report::{documentation, json, references};

#[derive(Debug, clap::Args)]
pub(crate) struct RuleCommand {
    /// Names of rules or groups; without a name, all rules are listed
    #[arg(value_name = "NAME")]
    names: Vec<RuleName>,

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

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Text for people
    Text,
    /// A JSON object on each line
    JsonLines,
}

impl RuleCommand {
    pub(crate) fn run(&self, output: &mut Output) -> Result<Exit, Error> {
        let named = self.names.iter().map(|name| name.selector);
        let all = self.all.then_some(Selector::All);
        let is_list = self.names.is_empty() && !self.all;
        let groups = Group::ALL.iter().filter(|_| is_list);
        let groups = groups.copied().map(Selector::Group);
        let mut page = Vec::new();
        for selector in named.chain(all).chain(groups) {
            if let (Format::Text, Selector::Group(group)) = (self.output_format, selector) {
                section(&mut page, &overview(group));
                continue;
            }
            for rule in selector.rules() {
                match self.output_format {
                    Format::Text => section(&mut page, &text(rule)),
                    Format::JsonLines => json_line(&mut page, rule).map_err(Error::Write)?,
                }
            }
        }
        print(output, page)
    }
}

/// Adds `text` to the page, after an empty line if it is not the first.
fn section(page: &mut Vec<u8>, text: &str) {
    if !page.is_empty() {
        page.push(b'\n');
    }
    page.extend_from_slice(text.as_bytes());
}

/// Returns a table of the rules of a group, with their severities, records and summaries.
fn overview(group: Group) -> String {
    let named = Selector::Group(group);
    let width = named.rules().map(|rule| rule.name().len()).max();
    let width = width.unwrap_or_default();
    let mut text = format!(
        "# {group}\n\na group of {} rules; `urlint rule NAME` explains one\n\n",
        named.rules().count()
    );
    for rule in named.rules() {
        let (name, record, summary) = (rule.name(), rule.record(), rule.summary());
        text.push_str(&format!("{name:width$}  {record:24}  {summary}\n"));
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
