//! `Reader`: columns of URLs, batch by batch.

use std::iter;
use std::sync::{Arc, Mutex};

use arrow_array::{RecordBatch, RecordBatchIterator};
use arrow_schema::SchemaRef;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use urlint::engine::lock;

use crate::arrow;
use crate::links::Links;

/// The files that failed or were skipped: their names, and why.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    /// Files with errors.
    pub(crate) failures: Vec<(String, String)>,
    /// Files that were skipped.
    pub(crate) skipped: Vec<(String, String)>,
    /// What a file object has raised that stops a program.
    pub(crate) raised: Option<PyErr>,
}

/// The notes, shared by the threads that read files.
pub(crate) type SharedNotes = Arc<Mutex<Notes>>;

/// Batches, one after another.
pub(crate) type Batches = Box<dyn Iterator<Item = PyResult<RecordBatch>> + Send>;

/// Yields the URLs of files or of a stream batch by batch, in bounded memory.
///
/// It is an iterator of `Links` and a context manager. Any library that supports the Arrow
/// PyCapsule interface can read it as a stream: it has `__arrow_c_stream__` and
/// `__arrow_c_schema__`. Each batch is returned once.
///
///     >>> import pyarrow, urlint
///     >>> texts = pyarrow.chunked_array([["http://a.example/"], [], ["http://b.example/ http://c.example/"]])
///     >>> with urlint.extract_arrow(texts, lazy=True) as reader:
///     ...     [len(links) for links in reader]
///     [1, 2]
#[pyclass(frozen, module = "urlint")]
pub(crate) struct Reader {
    schema: SchemaRef,
    /// `None` after the last batch, or after an error.
    batches: Arc<Mutex<Option<Batches>>>,
    notes: SharedNotes,
}

impl Reader {
    pub(crate) fn new(schema: SchemaRef, batches: Batches, notes: SharedNotes) -> Self {
        Reader {
            schema,
            batches: Arc::new(Mutex::new(Some(batches))),
            notes,
        }
    }
}

/// Returns the next of `batches`.
fn next(batches: &Mutex<Option<Batches>>) -> Option<PyResult<RecordBatch>> {
    let mut batches = lock(batches);
    let next = batches.as_mut()?.next();
    if !matches!(next, Some(Ok(_))) {
        *batches = None;
    }
    next
}

#[pymethods]
impl Reader {
    /// The errors so far with `on_error="collect"` (`list` of pairs of `str`): the file, with the
    /// member after `!`, and the message.
    #[getter]
    fn failures(&self) -> Vec<(String, String)> {
        lock(&self.notes).failures.clone()
    }

    /// The files that have been skipped so far because they are not text (`list` of pairs of
    /// `str`): the file, and its kind.
    #[getter]
    fn skipped(&self) -> Vec<(String, String)> {
        lock(&self.notes).skipped.clone()
    }

    /// The names of the columns (`list` of `str`).
    #[getter]
    fn column_names(&self) -> Vec<String> {
        arrow::names(self.schema.fields())
    }

    /// Stops reading: there are no further batches. It may be called several times, and is called
    /// at the end of a `with`.
    fn close(&self, py: Python<'_>) {
        py.detach(|| *lock(&self.batches) = None);
    }

    fn __repr__(&self) -> String {
        format!("<urlint.Reader of {}>", self.column_names().join(", "))
    }

    fn __enter__(this: Py<Self>) -> Py<Self> {
        this
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyAny>) {
        self.close(py);
    }

    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> Option<PyResult<Links>> {
        let batch = py.detach(|| next(&self.batches))?;
        Some(batch.map(Links::of))
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        arrow::schema(py, &self.schema)
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // Consumers that need other types have to convert.
        let _ = requested_schema;
        let batches = self.batches.clone();
        let rest = iter::from_fn(move || {
            // The consumer may hold the GIL. It is released, since the threads that produce batches may
            // need it.
            let batch = Python::try_attach(|py| py.detach(|| next(&batches)));
            let batch = batch.unwrap_or_else(|| next(&batches))?;
            Some(batch.map_err(|error| arrow::told(&error)))
        });
        arrow::stream(py, RecordBatchIterator::new(rest, self.schema.clone()))
    }
}
