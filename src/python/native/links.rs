//! URLs as columns, as Python objects.

use std::hash::{DefaultHasher, Hash, Hasher};

use arrow_array::{RecordBatch, RecordBatchIterator};
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyType};

use crate::arrow;

/// URLs as columns, as returned by `extract_arrow` and by a `Reader`.
///
/// Any library that supports the Arrow PyCapsule interface takes them without a copy: they have
/// `__arrow_c_array__`, `__arrow_c_stream__` and `__arrow_c_schema__`. `len(links)` is the number
/// of URLs.
///
///     >>> import pyarrow, urlint
///     >>> links = urlint.extract_arrow(pyarrow.array(["http://a.example/", None]), fields=["row", "url"])
///     >>> links
///     <urlint.Links of 1 URLs: row, url>
///     >>> pyarrow.record_batch(links).to_pydict()
///     {'row': [0], 'url': ['http://a.example/']}
#[pyclass(frozen, module = "urlint")]
pub(crate) struct Links {
    pub(crate) schema: SchemaRef,
    pub(crate) batches: Vec<RecordBatch>,
}

impl Links {
    pub(crate) fn of(batch: RecordBatch) -> Self {
        Links {
            schema: batch.schema(),
            batches: vec![batch],
        }
    }

    /// Returns all rows as one batch.
    fn whole(&self) -> PyResult<RecordBatch> {
        match &self.batches[..] {
            [batch] => Ok(batch.clone()),
            batches => {
                arrow_select::concat::concat_batches(&self.schema, batches).map_err(arrow::wrong)
            }
        }
    }

    /// Returns the rows in Arrow's format for streams.
    fn to_bytes(&self) -> Result<Vec<u8>, ArrowError> {
        let mut writer = StreamWriter::try_new(Vec::new(), &self.schema)?;
        for batch in &self.batches {
            writer.write(batch)?;
        }
        writer.into_inner()
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, ArrowError> {
        let reader = StreamReader::try_new(bytes, None)?;
        Ok(Links {
            schema: reader.schema(),
            batches: reader.collect::<Result<_, _>>()?,
        })
    }
}

#[pymethods]
impl Links {
    /// Rebuilds it from the bytes of `__reduce__`.
    #[new]
    fn new(bytes: &[u8]) -> PyResult<Self> {
        Links::from_bytes(bytes).map_err(arrow::wrong)
    }

    fn __reduce__<'py>(
        this: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyType>, (Bound<'py, PyBytes>,))> {
        let bytes = this.get().to_bytes();
        let bytes = bytes.map_err(arrow::wrong)?;
        Ok((this.get_type(), (PyBytes::new(this.py(), &bytes),)))
    }

    fn __eq__(&self, other: &Self) -> PyResult<bool> {
        Ok(self.schema == other.schema && self.whole()? == other.whole()?)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.schema.fields(), self.__len__()).hash(&mut hasher);
        hasher.finish()
    }

    /// The names of the columns (`list` of `str`).
    #[getter]
    fn column_names(&self) -> Vec<String> {
        arrow::names(self.schema.fields())
    }

    fn __len__(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    fn __repr__(&self) -> String {
        let names = self.column_names().join(", ");
        format!("<urlint.Links of {} URLs: {names}>", self.__len__())
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        arrow::schema(py, &self.schema)
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        // Consumers that need other types have to convert.
        let _ = requested_schema;
        arrow::array(py, &self.whole()?)
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let batches = self.batches.clone().into_iter().map(Ok);
        arrow::stream(py, RecordBatchIterator::new(batches, self.schema.clone()))
    }
}
