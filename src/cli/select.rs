//! Which rules report.

use urlint::{Group, Rule, Selection, Selector};

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
    pub(crate) fn selection(&self) -> Selection {
        let mut selection = if self.select.is_empty() {
            Selection::default()
        } else {
            Selection::none()
        };
        for Named(selectors) in self.select.iter().chain(&self.extend_select) {
            for selector in selectors {
                selection.add(selector.clone());
            }
        }
        for Named(selectors) in &self.ignore {
            for selector in selectors {
                selection.remove(selector.clone());
            }
        }
        selection
    }
}

/// The rules of each group by their names, for the end of a help text.
pub(crate) fn all_rules() -> String {
    let mut help = String::from("The rules by group; `urlint rule NAME` says what one means:\n");
    for group in Group::ALL {
        let rules = Rule::ALL.iter().filter(|rule| rule.group() == group);
        let names: Vec<_> = rules.map(|rule| rule.name()).collect();
        help.push_str(&format!("\n{group}: {}\n", names.join(", ")));
    }
    help
}

/// What a name on the command line stands for.
#[derive(Clone, Debug)]
struct Named(Vec<Selector>);

fn named(name: &str) -> Result<Named, String> {
    if name == "ALL" {
        return Ok(Named(vec![Selector::All]));
    }
    if let Some(group) = Group::ALL.into_iter().find(|group| group.name() == name) {
        return Ok(Named(vec![Selector::Group(group)]));
    }
    match of_name(name) {
        Some(rules) => Ok(Named(rules.into_iter().map(Selector::Rule).collect())),
        None if name.eq_ignore_ascii_case("all") => Err(unknown("rule or group", Some("ALL"))),
        None => Err(unknown("rule or group", Rule::suggest(name))),
    }
}

/// The rules of that name: one, or those that a further name stands for.
pub(crate) fn rules(name: &str) -> Result<Vec<Rule>, String> {
    let is_rule = |near: &&str| of_name(near).is_some();
    of_name(name).ok_or_else(|| unknown("rule", Rule::suggest(name).filter(is_rule)))
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
        let message = rules("securty").err().unwrap_or_default();
        assert!(message.ends_with("shows them all"), "{message}");
    }

    #[test]
    fn a_further_name_stands_for_rules() {
        let selected = named("raw-backslash").map(|named| named.0);
        assert_eq!(selected, Ok(vec![Selector::Rule(Rule::UnsafeCharacter)]));
        assert_eq!(rules("raw-backslash"), Ok(vec![Rule::UnsafeCharacter]));
    }
}
