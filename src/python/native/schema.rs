//! Columns and their types, for Arrow and for Spark.

use arrow_schema::{DataType, Field as Column, Fields as Columns};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyString};
use urlint::list::{self, Field};

use crate::arrow;

/// The default columns.
pub(crate) const USUAL: [Field; 5] = [
    Field::Url,
    Field::Valid,
    Field::Problems,
    Field::Start,
    Field::End,
];

/// A list of names.
#[derive(Default)]
pub(crate) struct Names(pub(crate) Vec<String>);

impl<'a, 'py> FromPyObject<'a, 'py> for Names {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<PyString>() || object.is_instance_of::<PyBytes>() {
            let name = object.get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "expected several names, not one {name}: write `[name]`"
            )));
        }
        let names: PyResult<Vec<String>> = object.try_iter()?.map(|name| name?.extract()).collect();
        let names = names?;
        match (1..names.len()).find(|&at| names[..at].contains(&names[at])) {
            Some(at) => Err(PyValueError::new_err(format!(
                "`{}` is named twice",
                names[at]
            ))),
            None => Ok(Names(names)),
        }
    }
}

/// Returns the fields with these names; `all` stands for all of them.
pub(crate) fn fields(names: Option<Names>, usual: &[Field]) -> PyResult<Vec<Field>> {
    let Some(names) = names else {
        return Ok(usual.to_vec());
    };
    let mut fields = Vec::new();
    for name in names.0 {
        let named = if name == "all" {
            Field::ALL.to_vec()
        } else {
            vec![field(&name)?]
        };
        for field in named {
            if !fields.contains(&field) {
                fields.push(field);
            }
        }
    }
    Ok(fields)
}

fn field(name: &str) -> PyResult<Field> {
    Field::from_name(name).ok_or_else(|| {
        let names: Vec<_> = Field::ALL.iter().map(|field| field.name()).collect();
        let names = names.join("`, `");
        PyValueError::new_err(format!(
            "unknown field `{name}`: expected one of `all`, `{names}`"
        ))
    })
}

/// The column of a field.
pub(crate) fn column(field: Field) -> Column {
    list::arrow::field(field.name(), field.data_type(), field.is_optional())
}

/// Columns and their types, as `schema` returns them.
///
/// Any library that supports the Arrow PyCapsule interface takes it: it has `__arrow_c_schema__`.
///
///     >>> import pyarrow, urlint
///     >>> pyarrow.schema(urlint.schema(["url", "start"]))
///     url: string not null
///     start: int64 not null
#[pyclass(frozen, eq, hash, module = "urlint")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Schema(Columns);

#[pymethods]
impl Schema {
    /// The names of the columns (`list` of `str`).
    #[getter]
    fn names(&self) -> Vec<String> {
        arrow::names(&self.0)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        arrow::schema(py, &arrow_schema::Schema::new(self.0.clone()))
    }

    fn __repr__(&self) -> String {
        let columns = self.0.iter();
        let columns: Vec<_> = columns
            .map(|column| format!("{} {}", column.name(), of_spark(column.data_type())))
            .collect();
        format!("<urlint.Schema {}>", columns.join(", "))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Vec<String>,))> {
        let schema = py.import("urlint")?.getattr("schema")?;
        Ok((schema, (self.names(),)))
    }
}

/// Returns the columns for `fields` in Arrow.
///
/// `fields` are names of fields, as in `urlint extract --fields`; `["all"]` stands for all of them,
/// and `None` for `url`, `valid`, `problems`, `start` and `end`.
///
/// Returns a `Schema`. Texts are `utf8`, lists of texts `list<utf8>`, numbers `int64`, times
/// `timestamp[us, UTC]`, ranges `list<struct<start: int64, end: int64>>`, and flags `bool`; only
/// fields that may be absent are nullable. Raises `ValueError` for a field that is unknown or named
/// twice.
///
///     >>> import urlint
///     >>> urlint.schema(["url", "pieces"])
///     <urlint.Schema url string, pieces array<struct<start: bigint, end: bigint>>>
///     >>> urlint.schema(["url", "pieces"]).names
///     ['url', 'pieces']
#[pyfunction]
#[pyo3(signature = (fields = None))]
pub(crate) fn schema(fields: Option<Names>) -> PyResult<Schema> {
    let fields = self::fields(fields, &USUAL)?;
    Ok(Schema(fields.into_iter().map(column).collect()))
}

/// Returns the columns for `fields` as a Spark schema, for `mapInArrow`.
///
/// Takes and raises the same as `schema`. Returns a `str` in Spark's DDL.
///
///     >>> import urlint
///     >>> urlint.spark_schema(["url", "valid", "warc-date"])
///     '`url` string NOT NULL, `valid` boolean, `warc-date` timestamp'
#[pyfunction]
#[pyo3(signature = (fields = None))]
pub(crate) fn spark_schema(fields: Option<Names>) -> PyResult<String> {
    let fields = self::fields(fields, &USUAL)?.into_iter();
    let columns: Vec<_> = fields
        .map(|field| {
            let column = column(field);
            let presence = if column.is_nullable() {
                ""
            } else {
                " NOT NULL"
            };
            format!(
                "`{}` {}{presence}",
                column.name(),
                of_spark(column.data_type())
            )
        })
        .collect();
    Ok(columns.join(", "))
}

/// Returns the name of a type in Spark.
fn of_spark(data_type: &DataType) -> String {
    match data_type {
        DataType::Int64 => "bigint".to_owned(),
        DataType::Boolean => "boolean".to_owned(),
        DataType::Timestamp(..) => "timestamp".to_owned(),
        DataType::List(item) => format!("array<{}>", of_spark(item.data_type())),
        DataType::Struct(parts) => {
            let parts: Vec<_> = parts
                .iter()
                .map(|part| format!("{}: {}", part.name(), of_spark(part.data_type())))
                .collect();
            format!("struct<{}>", parts.join(", "))
        }
        _ => "string".to_owned(),
    }
}
