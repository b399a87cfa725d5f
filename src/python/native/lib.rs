//! The Python module around the library.

// Text from Python, and offsets in it.
mod text;

// Ctrl-C.
mod signals;

// Keyword arguments, as settings.
mod settings;

// Objects by value, and lists of them.
mod object;

// `extract` and `find`.
mod url;

// `parse`.
mod parse;

// `check` and `fix`.
mod check;

// Arrow from Python and to it.
mod ahead;
mod arrow;

// Columns and their types.
mod schema;

// Columns as Python objects.
mod links;

// Columns batch by batch.
mod reader;

// `extract_arrow`.
mod texts;

// `read`.
mod file_object;
mod files;

use pyo3::prelude::*;

/// The part of the package `urlint` that is not written in Python.
#[pymodule(gil_used = false)]
mod _native {
    #[pymodule_export]
    use super::check::{Diagnostic, Edit, Fix, check, fix};
    #[pymodule_export]
    use super::files::read;
    #[pymodule_export]
    use super::links::Links;
    #[pymodule_export]
    use super::parse::{Parsed, Problem, parse};
    #[pymodule_export]
    use super::reader::Reader;
    #[pymodule_export]
    use super::schema::{Schema, schema, spark_schema};
    #[pymodule_export]
    use super::texts::extract_arrow;
    #[pymodule_export]
    use super::url::{Url, extract, find};

    #[pymodule_init]
    fn init(module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
        use pyo3::types::{PyAnyMethods, PyModuleMethods};
        let register = module.py().import("copyreg")?.getattr("pickle")?;
        let reduced = pyo3::wrap_pyfunction!(crate::object::reduced, module)?;
        for class in ["Diagnostic", "Edit", "Fix", "Parsed", "Problem", "Url"] {
            register.call1((module.getattr(class)?, &reduced))?;
        }
        let end = pyo3::wrap_pyfunction!(crate::file_object::end, module)?;
        (module.py().import("atexit")?).call_method1("register", (end,))?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
