//! The Python module: what it takes from Python and what it gives, around the library.

// Text from Python, and how it is read.
mod how;
mod text;

// Texts and URLs.
mod check;
mod parse;
mod url;

// Columns.
mod arrow;
mod columns;
mod files;
mod links;
mod reader;
mod schema;
mod texts;

use pyo3::prelude::*;

/// What of the package `urlint` is not written in Python.
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
        use pyo3::types::PyModuleMethods;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
