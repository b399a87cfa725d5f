//! Names as the values of flags: of rules and groups of rules, and of the values of an option.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use urlint_config::RuleName;
use urlint_standard::text::named::Named;

/// Returns a parser for the value of a flag that takes one of the names of `T`.
pub(crate) fn parser<T: Named>() -> impl TypedValueParser<Value = T> {
    let values = T::ALL.iter().map(|value| {
        let possible = PossibleValue::new(value.name());
        match value.meaning() {
            "" => possible,
            meaning => possible.help(meaning),
        }
    });
    // Other names do not get past the list of possible values.
    let named = |name: String| T::ALL.iter().copied().find(|value| value.name() == name);
    PossibleValuesParser::new(values).try_map(move |name| named(name).ok_or("unknown name"))
}

/// Parses the name of a rule or a group. The error suggests a similar name.
pub(crate) fn rule_name(name: &str) -> Result<RuleName, String> {
    RuleName::find(name).ok_or_else(|| match RuleName::suggest(name) {
        Some(name) => format!("no such rule or group; did you mean `{name}`?"),
        None => "no such rule or group; `urlint rule` lists them".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggests_the_nearest_name() {
        let cases = [
            ("unsafe-charakter", "did you mean `unsafe-character`?"),
            ("sintax", "did you mean `syntax`?"),
            ("securty", "did you mean `security`?"),
            ("all", "did you mean `ALL`?"),
            ("qqqqqqqqqqqqqq", "`urlint rule` lists them"),
        ];
        for (name, hint) in cases {
            let message = rule_name(name).err().unwrap_or_default();
            assert!(message.ends_with(hint), "{message}");
        }
    }
}
