//! URLs as columns, as Python objects.

use arrow_array::{RecordBatch, RecordBatchIterator};
use arrow_schema::SchemaRef;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

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
}

#[pymethods]
impl Links {
    /// The names of the columns (`list` of `str`).
    #[getter]
    fn column_names(&self) -> Vec<String> {
        arrow::names(&self.schema)
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
        let one = match &self.batches[..] {
            [batch] => batch.clone(),
            batches => arrow_select::concat::concat_batches(&self.schema, batches)
                .map_err(|error| arrow::wrong(&error))?,
        };
        arrow::array(py, &one)
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
