//! `extract` and `find`: the URLs in a text.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use urlint::Found;
use urlint::find::Flag;
use urlint::standard::Standard;
use urlint::url::host;

use crate::object::list;
use crate::settings::TextReader;
use crate::signals::InterruptCheck;
use crate::text::{Offsets, Text, shown};

/// Returns the URLs in a text, in order.
///
/// `text` is a `str`, `bytes` or `bytearray`. A surrogate in a `str`, as `surrogateescape` makes, counts as three bytes
/// that are not UTF-8. Keyword arguments, all optional:
///
///     kind         the kind of document, such as "html" or "mail"
///     path         the name of the text, which decides the kind if kind is not given
///     rejoin       when lines are joined: "never", "judged" or "likely"
///     hyphen       a hyphen at a line's end: "auto", "keep" or "drop"
///     schemes      schemes to find without slashes
///     schemeless   whether to find www.example.com too
///     deep         whether to read comments and scripts of HTML and XML
///     skip_code    whether to leave out code of Markdown
///     standard     "rfc1738", "rfc3986", "rfc3987" or "whatwg"
///
/// The other keys of `urlint.toml`, with `_` for `-`, are taken too; no configuration file is read.
///
/// Returns a `list` of `str`: each URL is whole, rejoined where a line break had split it, and
/// includes its fragment. Bytes that are not UTF-8 become U+FFFD. URLs are found between `<URL:`
/// and `>` as in the appendix of RFC 1738, between brackets or quotes, and bare in the text.
///
/// Raises `TypeError` for an unknown setting or a wrong type of text or setting, and `ValueError` for
/// an invalid setting. Releases the GIL.
///
///     >>> import urlint
///     >>> urlint.extract("See <URL:http://www.a.example/his\n  tory/> and (http://b.example/#top).")
///     ['http://www.a.example/history/', 'http://b.example/#top']
///     >>> urlint.extract('<a href="/x?a=1&amp;b=2">', kind="html")
///     []
///     >>> urlint.extract('<a href="http://a.example/?a=1&amp;b=2">', kind="html")
///     ['http://a.example/?a=1&b=2']
#[pyfunction]
#[pyo3(signature = (text, **settings))]
pub(crate) fn extract<'py>(
    py: Python<'py>,
    text: Text,
    settings: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyList>> {
    let reader = TextReader::of("extract", settings)?;
    let mut urls = Vec::new();
    py.detach(|| {
        reader.each(text.bytes(), &mut InterruptCheck::new(), |found| {
            urls.push(string(&found.candidate.text));
        })
    })?;
    list(py, urls)
}

/// Returns the URLs in a text, in order, with details of each.
///
/// Takes and raises the same as `extract`: the keyword arguments `kind`, `path`, `standard`, `schemes`,
/// `schemeless`, `rejoin`, `hyphen`, `deep` and `skip_code` choose how URLs are found and judged, and the other
/// keys of `urlint.toml` are taken too. Returns a `list` of `Url`. Offsets are in code points
/// for a `str` and in bytes for `bytes` and `bytearray`, so that `text[url.start:url.end]` is the
/// URL as it is written in the text, with its delimiters.
///
///     >>> import urlint
///     >>> text = "Größe: <URL:http://a.example/x\n  /y>"
///     >>> [url] = urlint.find(text)
///     >>> url
///     <urlint.Url "http://a.example/x/y" at 7:36>
///     >>> text[url.start:url.end]
///     '<URL:http://a.example/x\n  /y>'
///     >>> [text[start:end] for start, end in url.pieces]
///     ['http://a.example/x', '/y']
///     >>> url.valid, url.host, url.delimiter
///     (True, 'a.example', 'wrapper')
#[pyfunction]
#[pyo3(signature = (text, **settings))]
pub(crate) fn find<'py>(
    py: Python<'py>,
    text: Text,
    settings: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyList>> {
    let reader = TextReader::of("find", settings)?;
    let mut urls = Vec::new();
    py.detach(|| {
        let offsets = text.offsets();
        reader.each(text.bytes(), &mut InterruptCheck::new(), |found| {
            urls.push(Url::of(found, reader.settings.standard, &offsets));
        })
    })?;
    list(py, urls)
}

/// A URL in a text, as `find` returns it.
///
/// `str(url)` is the URL with its fragment; `repr(url)` shows a password in it as `***`, even one
/// that may be cut off at the end of the URL.
///
///     >>> import urlint
///     >>> [url] = urlint.find("ftp://ann:secret@a.example/")
///     >>> print(url)
///     ftp://ann:secret@a.example/
///     >>> url
///     <urlint.Url "ftp://ann:***@a.example/" at 0:27>
#[pyclass(frozen, get_all, eq, hash, new = "from_fields", module = "urlint")]
#[pyo3(str = "{url}")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Url {
    /// The URL with its fragment, rejoined (`str`). Bytes that are not UTF-8 become U+FFFD; the
    /// original bytes are in the text, at `pieces`.
    url: String,
    /// The text after the first `#` (`str`), or `None`.
    fragment: Option<String>,
    /// The scheme in lower case (`str`; RFC 1738, section 2.1), or `None`.
    scheme: Option<String>,
    /// The host in lower case (`str`; RFC 1738, section 3.1), or `None`.
    host: Option<String>,
    /// How the URL is delimited in the text (`str`), such as `wrapper` for `<URL:` and `>` or `bare`.
    delimiter: String,
    /// Where the URL starts, with its delimiter (`int`): in code points in a `str`, else in bytes.
    start: usize,
    /// Where the URL ends, delimiter included (`int`): in code points for a `str`, else in bytes.
    end: usize,
    /// Where the pieces of the URL are in the text (`list` of pairs of start and end): in code
    /// points for a `str`, else in bytes. There are several if line breaks split the URL, or if
    /// parts of it are encoded, such as `&amp;` in HTML.
    pieces: Vec<(usize, usize)>,
    /// Whether the URL is valid by the standard (`bool`); `None` if it contains a placeholder.
    valid: Option<bool>,
    /// The rules of the standard's grammar that the URL breaks (`list` of `str`): names for
    /// `urlint rule`.
    problems: Vec<String>,
    /// Other readings (`list` of `str`), if a hyphen at a line break may or may not belong to the URL.
    alternatives: Vec<String>,
}

impl Url {
    fn of(found: &Found<'_>, standard: Standard, offsets: &Offsets<'_>) -> Self {
        let candidate = &found.candidate;
        let url = &*candidate.text;
        let judged = standard.parse(candidate.judged_by(standard));
        let is_judged = !candidate.flags.has(Flag::Placeholder);
        let kinds = if is_judged {
            judged.kinds()
        } else {
            Vec::new()
        };
        let problems = kinds.into_iter().map(|kind| kind.name().to_owned());
        let lower_case = |text: &[u8]| string(&text.to_ascii_lowercase());
        let place = |at| offsets.of_byte(at);
        let pieces = candidate.pieces.iter();
        let alternatives = candidate.alternatives.iter();
        Url {
            url: string(url),
            fragment: candidate.fragment().map(string),
            scheme: judged.scheme(),
            host: host(url).map(lower_case),
            delimiter: candidate.delimiter.name().to_owned(),
            start: place(candidate.outer.start),
            end: place(candidate.outer.end),
            pieces: pieces
                .map(|piece| (place(piece.start), place(piece.end)))
                .collect(),
            valid: is_judged.then(|| judged.is_valid()),
            problems: problems.collect(),
            alternatives: alternatives.map(|other| string(&other.text)).collect(),
        }
    }
}

#[pymethods]
impl Url {
    fn __repr__(&self) -> String {
        let shown = shown(&self.url);
        format!("<urlint.Url {shown:?} at {}:{}>", self.start, self.end)
    }
}

/// `text` as a string: bytes that are not UTF-8 become U+FFFD.
pub(crate) fn string(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}
