//! Names that users write: of rules and groups of rules, and of the values of an option.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use urlint::document::Kind;
use urlint::find::{Delimiter, Hyphen, Rejoin};
use urlint::lint::{Group, Selector};
use urlint::standard::Standard;
use urlint::{Rule, Severity};

/// An enum of the library whose values are chosen by name.
pub(crate) trait Choice: Copy + Send + Sync + 'static {
    /// Every value.
    const ALL: &'static [Self];

    /// Returns the name of the value.
    fn name(self) -> &'static str;

    /// Returns what `--help` says of the value, or an empty text.
    fn help(self) -> &'static str {
        ""
    }

    /// Returns the value with this name.
    fn of_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|value| value.name() == name)
    }
}

macro_rules! choice {
    ($($type:ident $({ $($variant:ident => $help:literal,)+ })?)+) => {
        $(impl Choice for $type {
            const ALL: &'static [Self] = $type::ALL;

            fn name(self) -> &'static str {
                $type::name(self)
            }

            $(fn help(self) -> &'static str {
                match self {
                    $($type::$variant => $help,)+
                    _ => "",
                }
            })?
        })+
    };
}

choice! {
    Delimiter
    Kind
    Severity
    Rejoin {
        Never => "Only inside `<URL:...>` and `<http:...>`",
        Judged => "Also where the grammar or a hyphen calls for it",
        Likely => "Also where the way the lines are broken suggests it",
    }
    Standard {
        Rfc1738 => "RFC 1738, Uniform Resource Locators: the default",
        Rfc3986 => "RFC 3986 (STD 66), and the RFCs of the schemes",
        Rfc3987 => "The same as `rfc3986` with `--iri`",
        Whatwg => "The URL Standard of the WHATWG, which browsers follow",
    }
    Hyphen {
        Keep => "Keep it, unless the URL is invalid with it",
        Drop => "Drop it, unless the URL is invalid without it: for typeset and scanned text",
    }
}

/// Returns a parser for the value of a flag that takes one of the names of `T`.
pub(crate) fn parser<T: Choice>() -> impl TypedValueParser<Value = T> {
    let values = T::ALL.iter().map(|value| {
        let possible = PossibleValue::new(value.name());
        if value.help().is_empty() {
            possible
        } else {
            possible.help(value.help())
        }
    });
    // The list of possible values lets no other name through.
    PossibleValuesParser::new(values).try_map(|name| T::of_name(&name).ok_or("unknown name"))
}

/// A name of a rule, of a group or of several rules, and the rules that it selects.
#[derive(Clone, Debug)]
pub(crate) struct RuleName {
    pub(crate) name: String,
    pub(crate) selectors: Vec<Selector>,
}

impl RuleName {
    /// Looks up the name of a rule or of a group, or `ALL`.
    pub(crate) fn find(name: &str) -> Option<RuleName> {
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

    /// Parses the value of a flag. The error says which name may have been meant.
    pub(crate) fn parse(name: &str) -> Result<RuleName, String> {
        RuleName::find(name).ok_or_else(|| unknown_rule(RuleName::suggest(name)))
    }

    /// Returns the name that `name` may be a misspelling of.
    pub(crate) fn suggest(name: &str) -> Option<&'static str> {
        if name.eq_ignore_ascii_case("all") {
            Some("ALL")
        } else {
            Rule::suggest(name)
        }
    }
}

/// Returns the rule with this name, or the rules that an alias stands for.
pub(crate) fn rules(name: &str) -> Option<Vec<Rule>> {
    let rule = Rule::from_name(name).map(|rule| vec![rule]);
    rule.or_else(|| Rule::aliases(name).map(<[Rule]>::to_vec))
}

/// Returns the message for a name that is neither a rule's nor a group's.
pub(crate) fn unknown_rule(suggestion: Option<&str>) -> String {
    match suggestion {
        Some(name) => format!("no such rule or group; did you mean `{name}`?"),
        None => "no such rule or group; `urlint rule --all` lists them".to_owned(),
    }
}

/// Returns the name among `names` that is nearest to `name`, if it is near enough to have been
/// meant.
pub(crate) fn nearest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let name = name.to_ascii_lowercase().replace('_', "-");
    names
        .map(|known| (strsim::osa_distance(&name, known), known))
        .filter(|&(distance, known)| distance <= known.len().div_ceil(3))
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, known)| known)
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
            ("qqqqqqqqqqqqqq", "`urlint rule --all` lists them"),
        ];
        for (name, hint) in cases {
            let message = RuleName::parse(name).err().unwrap_or_default();
            assert!(message.ends_with(hint), "{message}");
        }
    }

    #[test]
    fn an_alias_stands_for_rules() {
        let selectors = RuleName::parse("raw-backslash").map(|name| name.selectors);
        assert_eq!(selectors, Ok(vec![Selector::Rule(Rule::UnsafeCharacter)]));
    }
}
