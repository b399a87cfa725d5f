//! The flags that select rules.

use urlint_config::{Keys, Profile, RuleName};
use urlint_lint::{Group, Rule};

use crate::config::parser;

/// The flags that select rules.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Rules")]
pub(crate) struct RuleArgs {
    /// Preset of rules, standard and severities
    #[arg(long, value_name = "PROFILE", value_parser = parser::<Profile>())]
    profile: Option<Profile>,

    /// Report only these rules: names of rules or groups, or ALL
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    select: Vec<RuleName>,

    /// Report these rules in addition to those already selected
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    extend_select: Vec<RuleName>,

    /// Never report these rules, even if they are selected
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    ignore: Vec<RuleName>,
}

impl RuleArgs {
    /// Sets the keys of the flags that were given.
    pub(crate) fn set(&self, keys: &mut Keys) {
        let given = |rules: &[RuleName]| (!rules.is_empty()).then(|| rules.to_vec());
        keys.profile = self.profile.into();
        keys.select = given(&self.select);
        keys.extend_select = given(&self.extend_select).into();
        keys.ignore = given(&self.ignore).into();
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
