//! Which rules report.

use urlint::{Group, Rule, Selector};

use super::rule::Explained;
use crate::config::{Keys, Named, Rules, Set};

/// The flags that select rules.
#[derive(Debug, clap::Args)]
pub(crate) struct Select {
    /// Report these rules and no others: names of rules or groups, or ALL
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = named, help_heading = "Rules")]
    select: Vec<Named>,

    /// Report these rules too
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = named, help_heading = "Rules")]
    extend_select: Vec<Named>,

    /// Do not report these rules, whatever else selects them
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = named, help_heading = "Rules")]
    ignore: Vec<Named>,
}

impl Select {
    /// What the flags say.
    pub(crate) fn keys(&self) -> Keys {
        let rules = Rules {
            select: Some(self.select.clone()).filter(|select| !select.is_empty()),
            extend_select: self.extend_select.clone(),
            severity: Vec::new(),
            ignore: self.ignore.clone(),
        };
        let is_set = [&self.select, &self.extend_select, &self.ignore]
            .iter()
            .any(|rules| !rules.is_empty());
        Keys {
            rules: is_set.then(|| Set::by_flag(rules)).into_iter().collect(),
            ..Keys::default()
        }
    }
}

/// The rules of each group by their names, for the end of a help text.
pub(crate) fn all_rules() -> String {
    let mut help = String::from("The rules by group; `urlint rule NAME` says what one means:\n");
    for &group in Group::ALL {
        let rules = Rule::ALL.iter().filter(|rule| rule.group() == group);
        let names: Vec<_> = rules.map(|rule| rule.name()).collect();
        help.push_str(&format!("\n{group}: {}\n", names.join(", ")));
    }
    help
}

/// What a name of a rule or a group stands for, or what is wrong with it.
pub(crate) fn named(name: &str) -> Result<Named, String> {
    match selectors(name) {
        Some(selectors) => Ok(Named {
            name: name.to_owned(),
            selectors,
        }),
        None => Err(unknown("rule or group", suggest(name))),
    }
}

/// What the name of a rule, of a group or of all rules stands for.
pub(crate) fn selectors(name: &str) -> Option<Vec<Selector>> {
    if name == "ALL" {
        return Some(vec![Selector::All]);
    }
    if let Some(group) = group(name) {
        return Some(vec![Selector::Group(group)]);
    }
    Some(of_name(name)?.into_iter().map(Selector::Rule).collect())
}

/// The name of rules that `name` may be a misspelling of.
pub(crate) fn suggest(name: &str) -> Option<&'static str> {
    match name.eq_ignore_ascii_case("all") {
        true => Some("ALL"),
        false => Rule::suggest(name),
    }
}

/// The group or the rules of that name, to be explained.
pub(crate) fn explained(name: &str) -> Result<Explained, String> {
    if let Some(group) = group(name) {
        return Ok(Explained::Group(group));
    }
    let rules = of_name(name).map(Explained::Rules);
    rules.ok_or_else(|| unknown("rule or group", Rule::suggest(name)))
}

fn group(name: &str) -> Option<Group> {
    Group::from_name(name)
}

fn of_name(name: &str) -> Option<Vec<Rule>> {
    let rule = Rule::from_name(name).map(|rule| vec![rule]);
    rule.or_else(|| Rule::aliases(name).map(<[Rule]>::to_vec))
}

fn unknown(what: &str, near: Option<&str>) -> String {
    let hint = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`urlint rule --all` shows them all".to_owned(),
    };
    format!("there is no {what} of this name; {hint}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggests_the_nearest_name() {
        let cases = [
            ("unsafe-charakter", "did you mean `unsafe-character`?"),
            ("sintax", "did you mean `syntax`?"),
            ("all", "did you mean `ALL`?"),
            ("qqqqqqqqqqqqqq", "`urlint rule --all` shows them all"),
        ];
        for (name, hint) in cases {
            let message = named(name).err().unwrap_or_default();
            assert!(message.ends_with(hint), "{message}");
        }
        let message = explained("securty").err().unwrap_or_default();
        assert!(message.ends_with("did you mean `security`?"), "{message}");
    }

    #[test]
    fn a_further_name_stands_for_rules() {
        let selected = named("raw-backslash").map(|named| named.selectors);
        assert_eq!(selected, Ok(vec![Selector::Rule(Rule::UnsafeCharacter)]));
        let explained = explained("raw-backslash");
        let rules = Explained::Rules(vec![Rule::UnsafeCharacter]);
        assert_eq!(explained, Ok(rules));
    }
}
