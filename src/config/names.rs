//! Names of rules and groups of rules, and suggestions for misspelled ones.

use std::str::FromStr;

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

/// Looks up the name of a rule or of a group, or `ALL`. Fails with a message that suggests a name.
///
/// ```
/// use urlint::Rule;
/// use urlint::config::RuleName;
/// use urlint::lint::Selector;
///
/// let name: RuleName = "bad-port".parse()?;
/// assert_eq!(name.selector, Selector::Rule(Rule::BadPort));
/// let wrong = "bad-prt".parse::<RuleName>().unwrap_err();
/// assert_eq!(wrong, "unknown rule or group `bad-prt`; did you mean `bad-port`?");
/// # Ok::<(), String>(())
/// ```
impl FromStr for RuleName {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let selector = Selector::named(name).ok_or_else(|| {
            let is_all = name.eq_ignore_ascii_case("all");
            match is_all.then_some("ALL").or_else(|| Rule::suggest(name)) {
                Some(near) => format!("unknown rule or group `{name}`; did you mean `{near}`?"),
                None => format!("unknown rule or group `{name}`; `urlint rule` lists them"),
            }
        })?;
        let name = name.to_owned();
        Ok(RuleName { name, selector })
    }
}

/// Returns the message for the name `name` of a `kind` such as a key, which is not among `known`.
pub(super) fn unknown(kind: &str, name: &str, known: &[&str]) -> String {
    match nearest(name, known.iter().copied()) {
        Some(near) => format!("unknown {kind} `{name}`; did you mean `{near}`?"),
        None => format!(
            "unknown {kind} `{name}`; expected one of `{}`",
            known.join("`, `")
        ),
    }
}
