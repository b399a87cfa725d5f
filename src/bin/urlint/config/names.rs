//! Names as the values of flags: of rules and groups of rules, and of the values of an option.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use urlint::Severity;
use urlint::config::{Hints, Profile, RuleName};
use urlint::document::Kind;
use urlint::find::{Delimiter, Hyphen, Rejoin};
use urlint::standard::Standard;

/// An enum whose values are chosen by name and explained by `--help`.
pub(crate) trait Explained: Copy + Send + Sync + 'static {
    /// Every value.
    const ALL: &'static [Self];

    /// Returns the name of the value.
    fn name(self) -> &'static str;

    /// Returns the help text of the value, or an empty text.
    fn help(self) -> &'static str {
        ""
    }
}

macro_rules! explained {
    ($($type:ident $({ $($variant:ident => $help:literal,)+ })?)+) => {
        $(impl Explained for $type {
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

explained! {
    Delimiter
    Kind
    Severity
    Rejoin {
        Never => "Only inside `<URL:...>` and `<http:...>`",
        Judged => "Also where the grammar or a hyphen calls for it",
        Likely => "Also where the way the lines are broken suggests it",
        Corroborated => "As `likely`, but URLs that stand whole elsewhere in the input decide",
    }
    Standard {
        Rfc1738 => "RFC 1738, Uniform Resource Locators: the default",
        Rfc3986 => "RFC 3986 (STD 66), and the RFCs of the schemes",
        Rfc3987 => "RFC 3987: as `rfc3986`, but characters beyond US-ASCII may stand raw",
        Whatwg => "The URL Standard of the WHATWG, which browsers follow",
    }
    Profile {
        Default => "Errors and warnings are what a maintainer would change",
        Strict => "Every departure from the standard is an error",
        Ietf => "For Internet-Drafts and RFCs: RFC 3986, and https where there is http",
    }
    Hints {
        All => "All of them",
        First => "The first of each rule, and how many more there are",
        None => "How many there are",
    }
    Hyphen {
        Auto => "Drop it in typeset text, in which many lines end in a hyphen, and keep it in other",
        Keep => "Keep it, unless the URL is invalid with it",
        Drop => "Drop it, unless the URL is invalid without it: for typeset and scanned text",
    }
}

/// Returns a parser for the value of a flag that takes one of the names of `T`.
pub(crate) fn parser<T: Explained>() -> impl TypedValueParser<Value = T> {
    let values = T::ALL.iter().map(|value| {
        let possible = PossibleValue::new(value.name());
        if value.help().is_empty() {
            possible
        } else {
            possible.help(value.help())
        }
    });
    // Other names do not get past the list of possible values.
    let named = |name: String| T::ALL.iter().copied().find(|value| value.name() == name);
    PossibleValuesParser::new(values).try_map(move |name| named(name).ok_or("unknown name"))
}

/// Parses the name of a rule or a group. The error suggests a similar name.
pub(crate) fn rule_name(name: &str) -> Result<RuleName, String> {
    RuleName::find(name).ok_or_else(|| unknown_rule(RuleName::suggest(name)))
}

/// Returns the message for a name that is neither a rule's nor a group's.
pub(crate) fn unknown_rule(suggestion: Option<&str>) -> String {
    match suggestion {
        Some(name) => format!("no such rule or group; did you mean `{name}`?"),
        None => "no such rule or group; `urlint rule --all` lists them".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use urlint::Rule;
    use urlint::lint::Selector;

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
            let message = rule_name(name).err().unwrap_or_default();
            assert!(message.ends_with(hint), "{message}");
        }
    }

    #[test]
    fn an_alias_stands_for_rules() {
        let selectors = rule_name("raw-backslash").map(|name| name.selectors);
        assert_eq!(selectors, Ok(vec![Selector::Rule(Rule::UnsafeCharacter)]));
    }
}
