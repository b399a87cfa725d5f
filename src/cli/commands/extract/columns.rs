//! The value of `--fields`.

use std::io::Write;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use urlint_list::{DataType, Field};

use crate::error::{Error, Exit};
use crate::stdout::Output;

/// An element of `--fields`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FieldArg {
    Field(Field),
    /// All fields.
    All,
    /// List the fields instead.
    Help,
}

/// Returns the parser of a name.
pub(super) fn parser() -> impl TypedValueParser<Value = FieldArg> {
    let fields = Field::ALL.iter();
    let fields = fields.map(|field| PossibleValue::new(field.name()).help(field.summary()));
    let others = [
        PossibleValue::new("all").help("All fields"),
        PossibleValue::new("help").help("List the fields with their types"),
    ];
    PossibleValuesParser::new(fields.chain(others)).map(|name| match &*name {
        "all" => FieldArg::All,
        // Other names do not get past the list of possible values.
        name => Field::from_name(name).map_or(FieldArg::Help, FieldArg::Field),
    })
}

/// Returns the fields that are named, each once.
pub(super) fn fields(columns: &[FieldArg]) -> Vec<Field> {
    let named = columns.iter().flat_map(|column| match column {
        FieldArg::Field(field) => std::slice::from_ref(field),
        FieldArg::All => Field::ALL,
        FieldArg::Help => &[],
    });
    let mut fields = Vec::new();
    for field in named {
        if !fields.contains(field) {
            fields.push(*field);
        }
    }
    fields
}

/// Lists the fields with their types.
pub(super) fn help(output: &mut Output) -> Result<Exit, Error> {
    let types = Field::ALL.iter().map(|field| type_of(*field));
    let rows: Vec<_> = Field::ALL.iter().zip(types).collect();
    let widest = rows.iter().map(|(_, name)| name.len()).max().unwrap_or(0);
    for (field, name) in rows {
        let (field, summary) = (field.name(), field.summary());
        writeln!(output.stream, "{field:<12}  {name:<widest$}  {summary}").map_err(Error::Write)?;
    }
    Ok(Exit::Done)
}

/// The type of a field as it is in JSON.
fn type_of(field: Field) -> String {
    let name = match field.data_type() {
        DataType::Text => "string",
        DataType::Texts => "array of strings",
        DataType::Number => "number",
        DataType::Flag => "boolean",
        DataType::Time => "time",
        DataType::Ranges => "array of ranges",
        _ => "value",
    };
    let null = if field.is_optional() { " or null" } else { "" };
    format!("{name}{null}")
}
