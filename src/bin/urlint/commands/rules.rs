//! The flags that select rules.

use urlint::Rule;
use urlint::config::{Options, RuleName, RuleOptions};
use urlint::lint::Group;

use crate::config::{by_flag, rule_name};

/// The flags that select rules.
#[derive(Debug, clap::Args)]
pub(crate) struct RuleArgs {
    /// Report only these rules: names of rules or groups, or ALL
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = rule_name, help_heading = "Rules")]
    select: Vec<RuleName>,

    /// Report these rules in addition to those already selected
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = rule_name, help_heading = "Rules")]
    extend_select: Vec<RuleName>,

    /// Never report these rules, even if they are selected
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = rule_name, help_heading = "Rules")]
    ignore: Vec<RuleName>,
}

impl RuleArgs {
    /// Returns what the flags set.
    pub(crate) fn options(&self) -> Options {
        let mut rules = RuleOptions::default();
        rules.select = Some(self.select.clone()).filter(|select| !select.is_empty());
        rules.extend_select = self.extend_select.clone();
        rules.ignore = self.ignore.clone();
        let mut options = Options::default();
        if !rules.is_empty() {
            options.rules = vec![by_flag(rules)];
        }
        options
    }
}

/// Returns the names of all rules by group, for the end of a help text.
pub(crate) fn all_rules() -> String {
    let mut help = String::from("Rules by group (`urlint rule NAME` explains one):\n");
    for group in Group::ALL {
        let rules = Rule::ALL.iter().filter(|rule| rule.group() == *group);
        let names: Vec<_> = rules.map(|rule| rule.name()).collect();
        help.push_str(&format!("\n{group}: {}\n", names.join(", ")));
    }
    help
}
