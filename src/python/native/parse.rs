//! `parse`: a URL judged by a standard.

use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};
use urlint::Rule;
use urlint::standard::rfc3986::HostKind;
use urlint::standard::{Part, Standard, whatwg};

use crate::object::represent;
use crate::settings::none_of;
use crate::text::{Text, shown};
use crate::url::string;

/// Judges a URL by a standard: returns its components, and where it departs from the standard.
///
/// `url` is a `str`, `bytes` or `bytearray`. `standard` is `"rfc1738"` (the default; the grammar of
/// its section 5), `"rfc3986"` (appendix A, and the RFCs of the schemes), `"rfc3987"` (the same for
/// IRIs) or `"whatwg"` (the URL Standard, which browsers follow).
///
/// Returns a `Parsed` for any URL. One of more than 65,536 bytes is cut, which its last problem says,
/// and of each rule the first 1,000 problems are kept. Raises `TypeError` for another type, and
/// `ValueError` for an unknown standard.
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
        Standard::from_name(name).ok_or_else(|| {
            let names = Standard::ALL.iter().map(|known| known.name());
            none_of("standard", name, names)
        })
    })?;
    let (whole, offsets) = (url.bytes(), url.offsets());
    // Within the limits of `check`, no URL takes so long that Ctrl-C would be missed.
    let judged = urlint::lint::parse(whole, standard);
    let problem = |rule: Rule, part: Part| Problem {
        rule: rule.name().to_owned(),
        start: offsets.of_byte(part.start.into()),
        end: offsets.of_byte(part.end.into()),
        message: rule.summary().to_owned(),
    };
    let problems = judged.problems.iter();
    let mut problems: Vec<_> = problems
        .map(|found| problem(found.kind.into(), found.part))
        .collect();
    if judged.url.len() < whole.len() {
        problems.push(problem(Rule::TooLong, Part::at(judged.url.len() as u32)));
    }
    let is_uri = matches!(standard, Standard::Rfc3986 | Standard::Rfc3987);
    let host = judged.host().filter(|_| is_uri);
    let is_browser = standard == Standard::Whatwg;
    // There may be any number of fields.
    let parts = judged.named_parts().into_iter();
    let parts = parts.filter(|(name, _)| !["scheme", "fieldname", "fieldvalue"].contains(name));
    let text = |part: Part| string(judged.slice(part));
    Ok(Parsed {
        url: string(whole),
        standard: standard.name().to_owned(),
        scheme: judged.scheme(),
        valid: problems.is_empty(),
        components: Components(
            parts
                .map(|(name, part)| (name.to_owned(), part.map(text)))
                .collect(),
        ),
        problems,
        host_kind: host
            .and_then(HostKind::of)
            .map(|kind| kind.name().to_owned()),
        href: is_browser.then(|| whatwg::href(judged.url)).flatten(),
    })
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
#[pyclass(frozen, get_all, eq, hash, new = "from_fields", module = "urlint")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Parsed {
    /// The URL as it was given (`str`). Bytes that are not UTF-8 are U+FFFD.
    url: String,
    /// The name of the standard (`str`).
    standard: String,
    /// The scheme in lower case (`str`; RFC 3986, section 3.1), or `None`.
    scheme: Option<String>,
    /// Whether the URL is valid (`bool`), that is, has no problems.
    valid: bool,
    /// The components that the standard names, without the scheme (`dict` of `str` to `str`, or to
    /// `None` for those that are absent), in the order of the URL (RFC 1738, section 5; RFC 3986,
    /// section 3). They are as written in the URL, not decoded; by the URL Standard, as a browser
    /// writes them.
    components: Components,
    /// Where the URL departs from the standard (`list` of `Problem`), in the order of the URL.
    problems: Vec<Problem>,
    /// By RFC 3986 and RFC 3987, which kind of host it is (`str`; RFC 3986, section 3.2.2), such as
    /// `reg-name` or `ipv4`; else `None`.
    host_kind: Option<String>,
    /// By the URL Standard, the URL as a browser writes it (`str`), or `None` if a browser rejects
    /// it; by other standards `None`.
    href: Option<String>,
}

#[pymethods]
impl Parsed {
    fn __repr__(&self) -> String {
        let shown = shown(&self.url);
        let verdict = if self.valid { "valid" } else { "not valid" };
        format!("<urlint.Parsed {shown:?}, {verdict} by {}>", self.standard)
    }
}

/// The components of a URL by their names, in order; in Python a `dict`.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
struct Components(Vec<(String, Option<String>)>);

impl<'py> IntoPyObject<'py> for Components {
    type Target = PyDict;
    type Output = Bound<'py, PyDict>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Self::Output> {
        self.0.into_py_dict(py)
    }
}

impl<'py> FromPyObject<'_, 'py> for Components {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        object.cast::<PyDict>()?.items().extract().map(Components)
    }
}

/// A place where a URL departs from a standard.
///
///     >>> import urlint
///     >>> urlint.parse("http://a.example/~ann").problems
///     [<urlint.Problem unsafe-character at 17:18>]
#[pyclass(frozen, get_all, eq, hash, new = "from_fields", module = "urlint")]
#[pyo3(from_py_object)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Problem {
    /// The name of the rule that it breaks (`str`): `urlint rule NAME` explains it.
    rule: String,
    /// Where the place starts in the URL (`int`): in code points for a `str`, else in bytes.
    start: usize,
    /// Where the place ends in the URL (`int`): in code points for a `str`, else in bytes.
    end: usize,
    /// A description of the rule, in one line (`str`).
    message: String,
}

represent!(Problem, "<urlint.Problem {} at {}:{}>", rule, start, end);
