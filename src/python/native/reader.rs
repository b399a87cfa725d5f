//! `Reader`: columns of URLs, batch by batch.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::arrow;
use crate::links::Links;

/// The files that failed or were skipped: their names, and why.
#[derive(Default)]
pub(crate) struct Notes {
    /// Files with errors.
    pub(crate) failures: Vec<(String, String)>,
    /// Files that were skipped.
    pub(crate) skipped: Vec<(String, String)>,
}

/// The notes, shared by the threads that read files.
pub(crate) type SharedNotes = Arc<Mutex<Notes>>;

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Produces batches one after another.
pub(crate) trait NextBatch: Send {
    /// Returns the next batch, if there is one.
    fn next(&mut self) -> PyResult<Option<RecordBatch>>;
}

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
    batches: Arc<Mutex<Option<Box<dyn NextBatch>>>>,
    notes: SharedNotes,
}

impl Reader {
    pub(crate) fn new(schema: SchemaRef, batches: Box<dyn NextBatch>, notes: SharedNotes) -> Self {
        Reader {
            schema,
            batches: Arc::new(Mutex::new(Some(batches))),
            notes,
        }
    }
}

/// Returns the next of `batches`. There are none after the last, or after an error.
fn next(batches: &Mutex<Option<Box<dyn NextBatch>>>) -> PyResult<Option<RecordBatch>> {
    let mut batches = lock(batches);
    let Some(source) = &mut *batches else {
        return Ok(None);
    };
    let next = source.next();
    if !matches!(next, Ok(Some(_))) {
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
        arrow::names(&self.schema)
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

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Links>> {
        let batch = py.detach(|| next(&self.batches))?;
        Ok(batch.map(Links::of))
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
        let rest = Rest {
            schema: self.schema.clone(),
            batches: self.batches.clone(),
        };
        arrow::stream(py, rest)
    }
}

/// The rest of a reader, as a stream.
struct Rest {
    schema: SchemaRef,
    batches: Arc<Mutex<Option<Box<dyn NextBatch>>>>,
}

impl Iterator for Rest {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        // The consumer may hold the GIL. It is released, since the threads that produce batches may
        // need it.
        let batch = Python::try_attach(|py| py.detach(|| next(&self.batches)));
        let batch = batch.unwrap_or_else(|| next(&self.batches));
        let batch = batch.map_err(|error| ArrowError::ExternalError(error.into()));
        batch.transpose()
    }
}

impl RecordBatchReader for Rest {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}
