//! Names of rules and groups of rules, and suggestions for misspelled ones.

use urlint_lint::{Rule, Selector};
use urlint_standard::text::named::nearest;

/// A name of a rule or of a group, and the rules that it selects.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct RuleName {
    /// The name as it was written.
    pub name: String,
    /// The rules that it selects.
    pub selector: Selector,
}

impl RuleName {
    /// Looks up the name of a rule or of a group, or `ALL`. Returns `None`
    /// if there is no such rule or group.
    ///
    /// ```
    /// use urlint::Rule;
    /// use urlint::config::RuleName;
    /// use urlint::lint::Selector;
    ///
    /// let name = RuleName::find("bad-port").unwrap();
    /// assert_eq!(name.selector, Selector::Rule(Rule::BadPort));
    /// assert!(RuleName::find("bad-prt").is_none());
    /// ```
    #[must_use]
    pub fn find(name: &str) -> Option<RuleName> {
        let selector = Selector::named(name)?;
        Some(RuleName {
            name: name.to_owned(),
            selector,
        })
    }

    /// Returns the name that `name` may be a misspelling of.
    #[doc(hidden)]
    #[must_use]
    pub fn suggest(name: &str) -> Option<&'static str> {
        let is_all = name.eq_ignore_ascii_case("all");
        is_all.then_some("ALL").or_else(|| Rule::suggest(name))
    }
}

/// Returns the message for the name `name`, which is not among `known`.
pub(super) fn unknown(what: &str, name: &str, known: &[&str]) -> String {
    match nearest(name, known.iter().copied()) {
        Some(near) => format!("unknown {what} `{name}`; did you mean `{near}`?"),
        None => format!(
            "unknown {what} `{name}`; expected one of `{}`",
            known.join("`, `")
        ),
    }
}
