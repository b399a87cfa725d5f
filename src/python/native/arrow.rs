//! The Arrow PyCapsule interface: arrays and streams from and to Python.
//!
//! See <https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html>.

use std::ffi::CStr;
use std::{io, mem};

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi, to_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{
    Array, ArrayReader, ArrayRef, RecordBatch, RecordBatchReader, StructArray, make_array,
};
use arrow_schema::{ArrowError, DataType, Fields, Schema};
use pyo3::exceptions::{PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// Returns the array, or the arrays of a stream, that `object` exports.
pub(crate) fn arrays(object: &Bound<'_, PyAny>) -> PyResult<Arrays> {
    if object.hasattr("__arrow_c_array__")? {
        let capsules = object.call_method0("__arrow_c_array__")?;
        let capsules = capsules.cast_into::<PyTuple>()?;
        let schema = capsules.get_item(0)?.cast_into::<PyCapsule>()?;
        let array = capsules.get_item(1)?.cast_into::<PyCapsule>()?;
        let schema: FFI_ArrowSchema = take(&schema, SCHEMA, FFI_ArrowSchema::empty())?;
        let array: FFI_ArrowArray = take(&array, ARRAY, FFI_ArrowArray::empty())?;
        if schema.release().is_none() || array.is_released() {
            return Err(PyValueError::new_err("the array has already been consumed"));
        }
        return Ok(Arrays::One(Some(imported(array, &schema)?)));
    }
    if object.hasattr("__arrow_c_stream__")? {
        let capsule = object.call_method0("__arrow_c_stream__")?;
        let capsule = capsule.cast_into::<PyCapsule>()?;
        let stream = take(&capsule, STREAM, FFI_ArrowArrayStream::empty())?;
        let stream = ArrayStreamReader::try_new(stream);
        return stream.map(Arrays::Stream).map_err(wrong);
    }
    let name = object.get_type().name()?;
    Err(PyTypeError::new_err(format!(
        "expected data with __arrow_c_array__ or __arrow_c_stream__, not {name}"
    )))
}

/// Moves the structure out of a capsule.
fn take<T>(capsule: &Bound<'_, PyCapsule>, name: &CStr, empty: T) -> PyResult<T> {
    let pointer = capsule.pointer_checked(Some(name))?.cast::<T>();
    #[expect(unsafe_code, reason = "C data can only be had through its pointer")]
    // SAFETY: by the PyCapsule interface, a capsule of this name holds this structure; a consumer
    // must leave a released one behind, and an empty one counts as released.
    Ok(unsafe { mem::replace(&mut *pointer.as_ptr(), empty) })
}

fn imported(array: FFI_ArrowArray, schema: &FFI_ArrowSchema) -> PyResult<ArrayRef> {
    #[expect(unsafe_code, reason = "C data cannot be checked")]
    // SAFETY: the producer of an array and its schema guarantees that they belong together.
    let data = unsafe { from_ffi(array, schema) };
    data.map(make_array).map_err(wrong)
}

/// Arrays of one type, one after another.
pub(crate) enum Arrays {
    One(Option<ArrayRef>),
    Stream(ArrayStreamReader),
}

impl Iterator for Arrays {
    type Item = PyResult<ArrayRef>;

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Arrays::One(array) => array.take().map(Ok),
            Arrays::Stream(stream) => {
                let next = stream.next()?;
                Some(next.map_err(wrong))
            }
        }
    }
}

impl Arrays {
    /// The type of the arrays.
    pub(crate) fn data_type(&self) -> DataType {
        match self {
            Arrays::One(array) => {
                let data_type = array.as_ref().map(|array| array.data_type().clone());
                data_type.unwrap_or(DataType::Null)
            }
            Arrays::Stream(stream) => stream.field().data_type().clone(),
        }
    }
}

/// The names of columns.
pub(crate) fn names(columns: &Fields) -> Vec<String> {
    columns.iter().map(|column| column.name().clone()).collect()
}

/// Returns the result of `__arrow_c_schema__` for these columns.
pub(crate) fn schema<'py>(py: Python<'py>, schema: &Schema) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(schema).map_err(wrong)?;
    PyCapsule::new_with_value(py, schema, SCHEMA)
}

/// Returns the result of `__arrow_c_array__` for a batch.
pub(crate) fn array<'py>(
    py: Python<'py>,
    batch: &RecordBatch,
) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
    let rows = StructArray::from(batch.clone()).into_data();
    let (array, _) = to_ffi(&rows).map_err(wrong)?;
    let array = PyCapsule::new_with_value(py, array, ARRAY)?;
    Ok((schema(py, &batch.schema())?, array))
}

/// Returns the result of `__arrow_c_stream__` for batches.
pub(crate) fn stream(
    py: Python<'_>,
    batches: impl RecordBatchReader + Send + 'static,
) -> PyResult<Bound<'_, PyCapsule>> {
    let stream = FFI_ArrowArrayStream::new(Box::new(batches));
    PyCapsule::new_with_value(py, stream, STREAM)
}

/// Returns the error as a C stream can tell it, whose texts end at a NUL: an `OSError` is one of input.
pub(crate) fn told(error: &PyErr) -> ArrowError {
    let text = error.to_string().replace('\0', "\\0");
    if Python::attach(|py| error.is_instance_of::<PyOSError>(py)) {
        ArrowError::IoError(text.clone(), io::Error::other(text))
    } else {
        ArrowError::ExternalError(text.into())
    }
}

pub(crate) fn wrong(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}
