//! `extract_arrow`: the URLs in a column of texts, as columns.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef, BooleanArray, Int64Array, RecordBatch, StructArray};
use arrow_schema::{DataType, Field as Column, Schema, SchemaRef};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use urlint::Event;
use urlint::list::arrow::Columns;
use urlint::list::{Field, Fields, SourceInfo};

use crate::arrow::{self, Arrays};
use crate::links::Links;
use crate::reader::Reader;
use crate::schema::{self, Names, USUAL};
use crate::settings::{CallSettings, TextReader, judged, providing};
use crate::signals::{InterruptCheck, URL_COSTS};

/// The column with the index of a URL's text.
const ROW: &str = "row";

/// The greatest number of bytes of text in a batch: Arrow's offsets have 32 bits.
const MAX_BYTES: usize = 256 << 20;

/// Returns the URLs in a column of texts, as columns.
///
/// `data` is anything with `__arrow_c_array__` or `__arrow_c_stream__`: an array, a record batch, a
/// table, a reader of batches, a Series or data frame of Polars or pandas, a relation of DuckDB.
/// Texts may be of type utf8, large_utf8, utf8_view, binary, large_binary, binary_view, a
/// dictionary of one of these, or null; nulls have no URLs.
///
/// - `column` (`str`): the column with the texts, if there are several columns.
/// - `keep` (names): the columns of `data` that are repeated for each URL.
/// - `fields` (names): the columns of the result: fields of `urlint extract --fields` without
///   `path` and `member`, and `row`, the index of the text in `data` from 0. `["all"]` stands for
///   all of them, `None` for `row`, `url`, `valid`, `problems`, `start` and `end`. `start`, `end`
///   and `pieces` are in bytes of the text in UTF-8.
/// - `lazy` (`bool`): returns a `Reader` immediately, which finds URLs on demand, in bounded
///   memory; without it, `data` is read to its end.
/// - The rest is as for `extract`; `normalize` (`bool`) writes equivalent URLs in the same way,
///   `redact` (`bool`) writes passwords as `***`, and `context_chars` (`int`) limits the characters
///   of the field `context` on either side.
///
/// Returns `Links`, or a `Reader` if `lazy`, with the types that `schema` lists. Raises `TypeError`
/// if `data` is not Arrow or a setting is unknown, `ValueError` if a column or a field does not exist,
/// is named twice or has no texts, and any error that reading the data raises. Releases the GIL.
///
///     >>> import pyarrow, urlint
///     >>> mail = pyarrow.table({"id": [7, 8], "text": ["no URL", "http://a.example/ (http://b.example/)"]})
///     >>> links = urlint.extract_arrow(mail, "text", keep=["id"], fields=["row", "url"])
///     >>> pyarrow.table(links).to_pylist()
///     [{'id': 8, 'row': 1, 'url': 'http://a.example/'}, {'id': 8, 'row': 1, 'url': 'http://b.example/'}]
#[pyfunction]
#[pyo3(signature = (data, column = None, *, keep = None, fields = None, lazy = false, **settings))]
pub(crate) fn extract_arrow<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    column: Option<String>,
    keep: Option<Names>,
    fields: Option<Names>,
    lazy: bool,
    settings: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (has_row, fields) = split(fields)?;
    let (settings, listed) = CallSettings::of_columns("extract_arrow", &fields, settings)?;
    let text = settings.reader()?;
    let arrays = arrow::arrays(data)?;
    let plan = Plan::new(
        &arrays.data_type(),
        column.as_deref(),
        &keep.unwrap_or_default().0,
        has_row,
        &fields,
    )?;
    let finding = Finding {
        reader: providing(&listed, text.reader.clone()),
        fields: listed,
        text,
        builder: Columns::new(fields.iter().map(|field| field.data_type())),
        plan,
        interrupt: InterruptCheck::new(),
        row: 0,
    };
    let schema = finding.plan.schema.clone();
    let mut batches = finding.batches(arrays);
    if lazy {
        let reader = Reader::new(schema, Box::new(batches), Arc::default());
        return Ok(Bound::new(py, reader)?.into_any());
    }
    let mut links = Links {
        schema,
        batches: Vec::new(),
    };
    while let Some(batch) = py.detach(|| batches.next()) {
        links.batches.push(batch?);
        py.check_signals()?;
    }
    Ok(Bound::new(py, links)?.into_any())
}

/// Returns the fields with these names, and whether the column `row` is among them.
fn split(names: Option<Names>) -> PyResult<(bool, Vec<Field>)> {
    let Some(Names(mut names)) = names else {
        return Ok((true, USUAL.to_vec()));
    };
    let has_row = names.iter().any(|name| name == ROW || name == "all");
    names.retain(|name| name != ROW);
    let is_all = names.iter().any(|name| name == "all");
    let mut fields = schema::fields(Some(Names(names)), &USUAL)?;
    // A text of a table has no file.
    let is_of_file = |field: &Field| matches!(field, Field::Path | Field::Member);
    if is_all {
        fields.retain(|field| !is_of_file(field));
    } else if let Some(field) = fields.iter().find(|field| is_of_file(field)) {
        let name = field.name();
        return Err(PyValueError::new_err(format!(
            "a text in a column has no field `{name}`: keep a column that has it"
        )));
    }
    Ok((has_row, fields))
}

/// The column with the texts, the columns that are kept, and the columns of the result.
struct Plan {
    /// The column of texts, if the data has several columns.
    texts: Option<usize>,
    keep: Vec<usize>,
    has_row: bool,
    schema: SchemaRef,
}

impl Plan {
    fn new(
        data_type: &DataType,
        column: Option<&str>,
        keep: &[String],
        has_row: bool,
        fields: &[Field],
    ) -> PyResult<Self> {
        let mut columns = Vec::new();
        let (mut texts, mut kept) = (None, Vec::new());
        match data_type {
            DataType::Struct(given) => {
                let position = |name: &str| {
                    let mut named = (0..given.len()).filter(|&at| given[at].name() == name);
                    let wrong = match (named.next(), named.next()) {
                        (Some(at), None) => return Ok(at),
                        (None, _) => format!("no column `{name}`"),
                        _ => format!("two columns are named `{name}`"),
                    };
                    Err(PyValueError::new_err(wrong))
                };
                let at = match column {
                    Some(name) => position(name)?,
                    None if given.len() == 1 => 0,
                    None => {
                        return Err(PyValueError::new_err(
                            "several columns: `column` names the one with the texts",
                        ));
                    }
                };
                check_text(given[at].data_type())?;
                texts = Some(at);
                for name in keep {
                    let at = position(name)?;
                    columns.push(Column::clone(&given[at]));
                    kept.push(at);
                }
            }
            other if column.is_some() || !keep.is_empty() => {
                return Err(PyValueError::new_err(format!(
                    "an array of {other} has no columns: leave out `column` and `keep`"
                )));
            }
            other => check_text(other)?,
        }
        if has_row {
            columns.push(Column::new(ROW, DataType::Int64, false));
        }
        columns.extend(fields.iter().copied().map(schema::column));
        for (at, column) in columns.iter().enumerate() {
            if columns[..at]
                .iter()
                .any(|other| other.name() == column.name())
            {
                let name = column.name();
                return Err(PyValueError::new_err(format!(
                    "two columns would be named `{name}`: rename the one that is kept, or leave it out of `fields`"
                )));
            }
        }
        Ok(Plan {
            texts,
            keep: kept,
            has_row,
            schema: Arc::new(Schema::new(columns)),
        })
    }
}

fn check_text(data_type: &DataType) -> PyResult<()> {
    match data_type {
        DataType::Utf8
        | DataType::LargeUtf8
        | DataType::Utf8View
        | DataType::Binary
        | DataType::LargeBinary
        | DataType::BinaryView
        | DataType::Null => Ok(()),
        DataType::Dictionary(_, values) => check_text(values),
        other => Err(PyValueError::new_err(format!(
            "expected a column of texts, not of {other}"
        ))),
    }
}

/// Calls `take` with each text that is not null, and its index.
fn each_text(
    array: &dyn Array,
    take: &mut dyn FnMut(usize, &[u8]) -> PyResult<()>,
) -> PyResult<()> {
    macro_rules! each {
        ($texts:expr) => {
            for (at, text) in $texts.iter().enumerate() {
                if let Some(text) = text {
                    take(at, text.as_ref())?;
                }
            }
        };
    }
    match array.data_type() {
        DataType::Utf8 => each!(array.as_string::<i32>()),
        DataType::LargeUtf8 => each!(array.as_string::<i64>()),
        DataType::Utf8View => each!(array.as_string_view()),
        DataType::Binary => each!(array.as_binary::<i32>()),
        DataType::LargeBinary => each!(array.as_binary::<i64>()),
        DataType::BinaryView => each!(array.as_binary_view()),
        DataType::Dictionary(..) => {
            let array = array.as_any_dictionary();
            let texts = arrow_select::take::take(array.values(), array.keys(), None);
            each_text(&texts.map_err(arrow::wrong)?, take)?;
        }
        _ => {}
    }
    Ok(())
}

/// Finds the URLs of one array after another.
struct Finding {
    text: TextReader,
    reader: urlint::Reader,
    fields: Fields,
    builder: Columns,
    plan: Plan,
    interrupt: InterruptCheck,
    /// How many texts came before.
    row: i64,
}

impl Finding {
    /// Returns the URLs of `arrays`.
    fn batches(mut self, arrays: Arrays) -> impl Iterator<Item = PyResult<RecordBatch>> + Send {
        arrays.flat_map(
            move |array| match array.and_then(|array| self.array(&array)) {
                Ok(batches) => batches.into_iter().map(Ok).collect(),
                Err(error) => vec![Err(error)],
            },
        )
    }

    fn array(&mut self, array: &ArrayRef) -> PyResult<Vec<RecordBatch>> {
        let plan = &self.plan;
        let (texts, kept) = match plan.texts {
            None => (array.clone(), Vec::new()),
            Some(at) => {
                let rows = array.as_struct();
                let column = |at: usize| within(rows, rows.column(at));
                let kept: PyResult<Vec<_>> = plan.keep.iter().map(|&at| column(at)).collect();
                (column(at)?, kept?)
            }
        };
        let mut rows = Rows {
            plan,
            row: self.row,
            kept,
            indices: Vec::new(),
            batches: Vec::new(),
        };
        let (settings, reader) = (&self.text, &self.reader);
        let (fields, builder) = (&self.fields, &mut self.builder);
        let interrupt = &mut self.interrupt;
        let info = SourceInfo::new(settings.path(), None);
        let checker = settings.checker();
        each_text(&texts, &mut |at, text| {
            interrupt.spend(text.len())?;
            let at = i64::try_from(at).unwrap_or(i64::MAX);
            if fields.need_rules() {
                checker.begin(text);
            }
            reader.read(settings.path(), text, &mut |event| {
                let Event::Found(found) = event else {
                    return Ok(());
                };
                let judged = judged(fields, &checker, &found);
                builder.add(fields.row(info, &judged).cells());
                rows.indices.push(at);
                interrupt.spend(URL_COSTS)?;
                if builder.bytes() > MAX_BYTES {
                    rows.end_batch(builder)?;
                }
                Ok::<(), PyErr>(())
            })
        })?;
        rows.end_batch(builder)?;
        let batches = rows.batches;
        self.row += i64::try_from(texts.len()).unwrap_or(i64::MAX);
        Ok(batches)
    }
}

/// The rows of an array, and the columns besides those of [`Columns`].
struct Rows<'f> {
    plan: &'f Plan,
    /// How many texts came before the array.
    row: i64,
    /// The columns of the array that are kept.
    kept: Vec<ArrayRef>,
    /// The indices of the texts that the rows in the builder are from.
    indices: Vec<i64>,
    batches: Vec<RecordBatch>,
}

impl Rows<'_> {
    /// Makes a batch of the rows in `builder`, or several if the kept columns are long.
    fn end_batch(&mut self, builder: &mut Columns) -> PyResult<()> {
        let indices = std::mem::take(&mut self.indices);
        if indices.is_empty() {
            return Ok(());
        }
        let found = builder.finish();
        let (mut start, mut bytes) = (0, 0);
        for (end, &index) in indices.iter().enumerate() {
            let more = self.kept_bytes(index);
            if bytes + more > MAX_BYTES && end > start {
                self.batch(&indices[start..end], &found, start)?;
                (start, bytes) = (end, 0);
            }
            bytes += more;
        }
        self.batch(&indices[start..], &found, start)
    }

    /// Returns how many bytes of text the kept columns have in the row `index`.
    fn kept_bytes(&self, index: i64) -> usize {
        let at = usize::try_from(index).unwrap_or(0);
        let length = |column: &ArrayRef| match column.data_type() {
            DataType::Utf8 => column.as_string::<i32>().value(at).len(),
            DataType::Binary => column.as_binary::<i32>().value(at).len(),
            _ => 0,
        };
        self.kept.iter().map(length).sum()
    }

    /// Makes a batch of the rows of `found` from `start` on, which are from the texts at `indices`.
    fn batch(&mut self, indices: &[i64], found: &[ArrayRef], start: usize) -> PyResult<()> {
        let indices = Int64Array::from(indices.to_vec());
        let mut columns = Vec::new();
        for column in &self.kept {
            let column = arrow_select::take::take(column, &indices, None);
            columns.push(column.map_err(arrow::wrong)?);
        }
        if self.plan.has_row {
            let row = self.row;
            let rows = indices.unary::<_, Int64Type>(|at| row + at);
            columns.push(Arc::new(rows));
        }
        let found = found.iter();
        columns.extend(found.map(|column| column.slice(start, indices.len())));
        let batch = RecordBatch::try_new(self.plan.schema.clone(), columns);
        self.batches.push(batch.map_err(arrow::wrong)?);
        Ok(())
    }
}

/// Returns a column of `rows`, with nulls where the row is null.
fn within(rows: &StructArray, column: &ArrayRef) -> PyResult<ArrayRef> {
    let Some(nulls) = rows.nulls() else {
        return Ok(column.clone());
    };
    let is_null = BooleanArray::new(!nulls.inner(), None);
    arrow_select::nullif::nullif(column, &is_null).map_err(arrow::wrong)
}
