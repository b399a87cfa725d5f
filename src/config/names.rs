//! Names that users write: of rules and groups of rules, and of the values of an option.

use crate::document::Kind;
use crate::find::{Delimiter, Hyphen, Rejoin};
use crate::lint::rule::{Rule, Severity};
use crate::lint::{Group, Selector};
use crate::standard::Standard;

/// An enum whose values are chosen by name.
pub trait Choice: Copy + Send + Sync + 'static {
    /// Every value.
    const ALL: &'static [Self];

    /// Returns the name of the value.
    fn name(self) -> &'static str;

    /// Returns the value with this name.
    fn of_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|value| value.name() == name)
    }
}

macro_rules! choice {
    ($($type:ident)+) => {
        $(impl Choice for $type {
            const ALL: &'static [Self] = $type::ALL;

            fn name(self) -> &'static str {
                $type::name(self)
            }
        })+
    };
}

choice! { Delimiter Hyphen Kind Rejoin Severity Standard }

/// A name of a rule, of a group or of several rules, and the rules that it selects.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RuleName {
    /// The name as it was written.
    pub name: String,
    /// What it selects.
    pub selectors: Vec<Selector>,
}

impl RuleName {
    /// Looks up the name of a rule, which may be a former one, or of a group, or `ALL`. Returns `None`
    /// if there is no such rule or group.
    ///
    /// ```
    /// use urlint::Rule;
    /// use urlint::config::RuleName;
    /// use urlint::lint::Selector;
    ///
    /// let name = RuleName::find("bad-port").unwrap();
    /// assert_eq!(name.selectors, [Selector::Rule(Rule::BadPort)]);
    /// assert!(RuleName::find("bad-prt").is_none());
    /// ```
    #[must_use]
    pub fn find(name: &str) -> Option<RuleName> {
        let selectors = if name == "ALL" {
            vec![Selector::All]
        } else if let Some(group) = Group::from_name(name) {
            vec![Selector::Group(group)]
        } else {
            rules(name)?.into_iter().map(Selector::Rule).collect()
        };
        Some(RuleName {
            name: name.to_owned(),
            selectors,
        })
    }

    /// Returns the name that `name` may be a misspelling of.
    #[doc(hidden)]
    #[must_use]
    pub fn suggest(name: &str) -> Option<&'static str> {
        if name.eq_ignore_ascii_case("all") {
            Some("ALL")
        } else if name.len() > MOST_MEANT {
            None
        } else {
            Rule::suggest(name)
        }
    }
}

/// Returns the rule with this name, or the rules that an alias stands for.
#[must_use]
pub fn rules(name: &str) -> Option<Vec<Rule>> {
    let rule = Rule::from_name(name).map(|rule| vec![rule]);
    rule.or_else(|| Rule::aliases(name).map(<[Rule]>::to_vec))
}

/// The most bytes of a name that may be a misspelling: to compare takes time with its length.
const MOST_MEANT: usize = 100;

/// Returns the name among `names` that is nearest to `name`, if it is near enough to have been
/// meant.
pub fn nearest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    if name.len() > MOST_MEANT {
        return None;
    }
    let name = name.to_ascii_lowercase().replace('_', "-");
    names
        .map(|known| (strsim::osa_distance(&name, known), known))
        .filter(|&(distance, known)| distance <= known.len().div_ceil(3))
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, known)| known)
}
