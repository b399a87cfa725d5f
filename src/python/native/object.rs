//! Methods that all returned objects have.

use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple, PyType};

/// Returns the class and the arguments with which `pickle` and `copy` construct a copy of `object`. Its
/// class has a constructor `from_fields`, whose arguments have the names of the attributes.
#[pyfunction]
pub(crate) fn reduced<'py>(
    object: &Bound<'py, PyAny>,
) -> PyResult<(Bound<'py, PyType>, Bound<'py, PyTuple>)> {
    let class = object.get_type();
    let signature: String = class.getattr("__text_signature__")?.extract()?;
    let names = signature.trim_matches(['(', ')']).split(", ");
    let values: PyResult<Vec<_>> = names.map(|name| object.getattr(name)).collect();
    Ok((class, PyTuple::new(object.py(), values?)?))
}

/// Gives a class the method `__repr__`.
macro_rules! represent {
    ($class:ident, $format:literal $(, $field:ident)*) => {
        #[pymethods]
        impl $class {
            fn __repr__(&self) -> String {
                format!($format $(, self.$field)*)
            }
        }
    };
}
pub(crate) use represent;

/// Returns `items`, of which there may be millions, as a list; meanwhile Ctrl-C is noticed, and other threads
/// run.
pub(crate) fn list<'py, T: IntoPyObject<'py>>(
    py: Python<'py>,
    items: Vec<T>,
) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for (at, item) in items.into_iter().enumerate() {
        if at % 4096 == 0 {
            py.detach(|| ());
            py.check_signals()?;
        }
        list.append(item)?;
    }
    Ok(list)
}
