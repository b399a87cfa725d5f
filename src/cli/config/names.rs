//! Names as the values of flags.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
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
