//! Which rules report.

use urlint::{Group, Rule, Selection, Selector};

/// The flags that select rules.
#[derive(Debug, clap::Args)]
pub(crate) struct Select {
    /// Report these rules and no others: names of rules or groups, or ALL
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = selector, help_heading = "Rules")]
    select: Vec<Selector>,

    /// Report these rules too
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = selector, help_heading = "Rules")]
    extend_select: Vec<Selector>,

    /// Do not report these rules, whatever else selects them
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = selector, help_heading = "Rules")]
    ignore: Vec<Selector>,
}

impl Select {
    pub(crate) fn selection(&self) -> Selection {
        let mut selection = if self.select.is_empty() {
            Selection::default()
        } else {
            Selection::none()
        };
        for selector in self.select.iter().chain(&self.extend_select) {
            selection.add(selector.clone());
        }
        for selector in &self.ignore {
            selection.remove(selector.clone());
        }
        selection
    }
}

fn selector(name: &str) -> Result<Selector, String> {
    if name == "ALL" {
        return Ok(Selector::All);
    }
    let group = Group::ALL.into_iter().find(|group| group.name() == name);
    group
        .map(Selector::Group)
        .or_else(|| Rule::from_name(name).map(Selector::Rule))
        .ok_or_else(|| {
            let groups = Group::ALL.map(Group::name);
            unknown("rule or group", name, groups.into_iter().chain(["ALL"]))
        })
}

/// The rule of that name.
pub(crate) fn rule(name: &str) -> Result<Rule, String> {
    Rule::from_name(name).ok_or_else(|| unknown("rule", name, []))
}

fn unknown<'n>(what: &str, name: &str, others: impl IntoIterator<Item = &'n str>) -> String {
    let rules = Rule::ALL.iter().map(|rule| rule.name());
    let hint = match nearest(name, rules.chain(others)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`urlint rule --all` shows them all".to_owned(),
    };
    format!("there is no {what} of this name; {hint}")
}

/// The name that is fewest edits away, if those are few for its length.
fn nearest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let name = name.to_lowercase();
    names
        .map(|near| {
            (
                distance(name.as_bytes(), near.to_lowercase().as_bytes()),
                near,
            )
        })
        .filter(|(edits, near)| *edits <= near.len().div_ceil(3))
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, near)| near)
}

/// How many bytes must be put in, taken out or changed to make one of the other.
fn distance(one: &[u8], other: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, b) in other.iter().enumerate() {
            let changed = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[other.len()]
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
            let message = selector(name).err().unwrap_or_default();
            assert!(message.ends_with(hint), "{message}");
        }
    }
}
