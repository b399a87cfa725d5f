//! `parse`: a URL judged by a standard.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use urlint::Rule;
use urlint::standard::{Part, Standard, rfc1738, rfc3986, whatwg};

use crate::how::none_of;
use crate::text::{Text, shown};
use crate::url::string;

/// Judges a URL by a standard: returns its components, and where it departs from the standard.
///
/// `url` is a `str`, `bytes` or `bytearray`. `standard` is `"rfc1738"` (the default; the grammar of
/// its section 5), `"rfc3986"` (appendix A, and the RFCs of the schemes), `"rfc3987"` (the same for
/// IRIs) or `"whatwg"` (the URL Standard, which browsers follow).
///
/// Returns a `Parsed` for any URL. Raises `TypeError` for another type, and `ValueError` for an
/// unknown standard.
///
///     >>> import urlint
///     >>> parsed = urlint.parse("http://a.example/x y", standard="rfc3986")
///     >>> parsed
///     <urlint.Parsed "http://a.example/x y", not valid by rfc3986>
///     >>> [(problem.rule, problem.start, problem.end) for problem in parsed.problems]
///     [('raw-space', 18, 19)]
///     >>> urlint.parse("HTTP://A.example:80/../x", standard="whatwg").href
///     'http://a.example/x'
#[pyfunction]
#[pyo3(signature = (url, *, standard = None))]
pub(crate) fn parse(url: Text, standard: Option<&str>) -> PyResult<Parsed> {
    let standard = standard.map_or(Ok(Standard::default()), |name| {
        name.parse().map_err(|_| {
            let names = Standard::ALL.iter().map(|known| known.name());
            none_of("standard", name, names)
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

/// A URL judged by a standard, as returned by `parse`.
///
/// `repr(parsed)` shows a password as `***`.
///
///     >>> import urlint
///     >>> parsed = urlint.parse("ftp://ann:secret@a.example/x;type=i")
///     >>> parsed
///     <urlint.Parsed "ftp://ann:***@a.example/x;type=i", valid by rfc1738>
///     >>> parsed.components["password"], parsed.components["port"]
///     ('secret', None)
#[pyclass(frozen, module = "urlint")]
pub(crate) struct Parsed {
    /// The URL as it was given (`str`). Bytes that are not UTF-8 are U+FFFD.
    #[pyo3(get)]
    url: String,
    /// The name of the standard (`str`).
    #[pyo3(get)]
    standard: &'static str,
    /// The scheme in lower case (`str`; RFC 3986, section 3.1), or `None`.
    #[pyo3(get)]
    scheme: Option<String>,
    components: Vec<(&'static str, Option<String>)>,
    /// Where the URL departs from the standard (`list` of `Problem`), in the order of the URL.
    #[pyo3(get)]
    problems: Vec<Problem>,
    /// By RFC 3986 and RFC 3987, which kind of host it is (`str`; RFC 3986, section 3.2.2), such as
    /// `reg-name` or `ipv4`; else `None`.
    #[pyo3(get)]
    host_kind: Option<&'static str>,
    /// By the URL Standard, the URL as a browser writes it (`str`), or `None` if a browser rejects
    /// it; by other standards `None`.
    #[pyo3(get)]
    href: Option<String>,
}

#[pymethods]
impl Parsed {
    /// Whether the URL is valid (`bool`), that is, has no problems.
    #[getter]
    fn valid(&self) -> bool {
        self.problems.is_empty()
    }

    /// The components that the standard names, without the scheme (`dict` of `str` to `str`, or to
    /// `None` for those that are absent), in the order of the URL (RFC 1738, section 5; RFC 3986,
    /// section 3). They are as written in the URL, not decoded; by the URL Standard, as a browser
    /// writes them.
    #[getter]
    fn components<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let components = PyDict::new(py);
        for (name, value) in &self.components {
            components.set_item(name, value)?;
        }
        Ok(components)
    }

    fn __repr__(&self) -> String {
        let shown = shown(&self.url);
        let verdict = if self.valid() { "valid" } else { "not valid" };
        format!("<urlint.Parsed {shown:?}, {verdict} by {}>", self.standard)
    }
}

/// A place where a URL departs from a standard.
///
///     >>> import urlint
///     >>> urlint.parse("http://a.example/~ann").problems
///     [<urlint.Problem unsafe-character at 17:18>]
#[pyclass(frozen, get_all, module = "urlint", from_py_object)]
#[derive(Clone)]
pub(crate) struct Problem {
    /// The name of the rule that it breaks (`str`): `urlint rule NAME` explains it.
    rule: &'static str,
    /// Where the place starts in the URL (`int`): in code points for a `str`, else in bytes.
    start: usize,
    /// Where the place ends in the URL (`int`): in code points for a `str`, else in bytes.
    end: usize,
    /// What the rule says, in one line (`str`).
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
