//! `parse`: what a standard says of one URL.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use urlint::Rule;
use urlint::standard::{Part, Standard, rfc1738, rfc3986, whatwg};

use crate::text::Text;
use crate::url::string;

/// Returns what a standard says of a URL: its components, and where it departs from the standard.
#[pyfunction]
#[pyo3(signature = (url, *, standard = None))]
pub(crate) fn parse(url: Text, standard: Option<&str>) -> PyResult<Parsed> {
    let standard = standard.map_or(Ok(Standard::default()), |name| {
        name.parse().map_err(|_| {
            let names: Vec<_> = Standard::ALL.iter().map(|known| known.name()).collect();
            let names = names.join("`, `");
            PyValueError::new_err(format!(
                "unknown value \"{name}\" for `standard`; expected one of `{names}`"
            ))
        })
    })?;
    let (text, offsets) = (url.bytes(), url.offsets());
    let of = |part: Part| string(part.of(text));
    let mut parsed = Parsed {
        url: string(text),
        standard: standard.name(),
        scheme: None,
        components: Vec::new(),
        problems: Vec::new(),
        host_kind: None,
        href: None,
    };
    let add = |parts: &[(&'static str, Option<Part>)]| {
        let components = parts.iter().filter(|(name, _)| *name != "scheme");
        components
            .map(|&(name, part)| (name, part.map(of)))
            .collect::<Vec<_>>()
    };
    let problems = match standard {
        Standard::Rfc3986 | Standard::Rfc3987 => {
            let read = if standard == Standard::Rfc3986 {
                rfc3986::parse(text)
            } else {
                rfc3986::parse_iri(text)
            };
            parsed.scheme = read.scheme().map(str::to_ascii_lowercase);
            parsed.host_kind = read.host_kind().map(rfc3986::HostKind::name);
            parsed.components = add(&read.components.named_parts());
            read.problems
        }
        Standard::Whatwg => {
            let read = whatwg::parse(text);
            let scheme = read.components.scheme.map(|scheme| read.slice(scheme));
            parsed.scheme = scheme.map(|scheme| string(scheme).to_ascii_lowercase());
            parsed.components = add(&read.named_parts());
            parsed.href = whatwg::href(text);
            read.problems.iter().map(|error| error.problem()).collect()
        }
        _ => {
            let read = rfc1738::parse(text);
            parsed.scheme = read.scheme().map(str::to_ascii_lowercase);
            parsed.components = add(&read.components.named_parts());
            read.problems
        }
    };
    parsed.problems = problems
        .into_iter()
        .map(|problem| Problem {
            rule: Rule::from(problem.kind).name(),
            start: offsets.of_byte(problem.part.start.into()),
            end: offsets.of_byte(problem.part.end.into()),
            message: Rule::from(problem.kind).summary(),
        })
        .collect();
    Ok(parsed)
}

/// What a standard says of a URL.
#[pyclass(frozen, module = "urlint")]
pub(crate) struct Parsed {
    #[pyo3(get)]
    url: String,
    #[pyo3(get)]
    standard: &'static str,
    #[pyo3(get)]
    scheme: Option<String>,
    components: Vec<(&'static str, Option<String>)>,
    #[pyo3(get)]
    problems: Vec<Problem>,
    #[pyo3(get)]
    host_kind: Option<&'static str>,
    #[pyo3(get)]
    href: Option<String>,
}

#[pymethods]
impl Parsed {
    #[getter]
    fn valid(&self) -> bool {
        self.problems.is_empty()
    }

    /// The components that the standard names, without the scheme; `None` for those that are absent.
    #[getter]
    fn components<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let components = PyDict::new(py);
        for (name, value) in &self.components {
            components.set_item(name, value)?;
        }
        Ok(components)
    }

    fn __repr__(&self) -> String {
        let shown = urlint::url::password::redacted(self.url.as_bytes());
        let shown = String::from_utf8_lossy(&shown);
        let verdict = if self.valid() { "valid" } else { "not valid" };
        format!("<urlint.Parsed {shown:?}, {verdict} by {}>", self.standard)
    }
}

/// A place at which a URL departs from a standard.
#[pyclass(frozen, get_all, module = "urlint", from_py_object)]
#[derive(Clone)]
pub(crate) struct Problem {
    rule: &'static str,
    start: usize,
    end: usize,
    message: &'static str,
}

#[pymethods]
impl Problem {
    fn __repr__(&self) -> String {
        format!(
            "<urlint.Problem {} at {}:{}>",
            self.rule, self.start, self.end
        )
    }
}
