//! `check` and `fix`: diagnostics about the URLs in a text, and the fixed text.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use urlint::fix as mender;
use urlint::lint::{self, Applicability, Checked};
use urlint::text::{Locator, Position, Spans, Window};

use crate::object::{list, represent};
use crate::settings::TextReader;
use crate::signals::{InterruptCheck, URL_COSTS};
use crate::text::{Offsets, SURROGATES, Text};

/// Returns the diagnostics about the URLs in a text, as `urlint check` reports them.
///
/// `text` is a `str`, `bytes` or `bytearray`. `path` (a path) is the name of the text, which
/// decides the kind of document and the settings for particular files; nothing is read from there.
/// `config` is the path of a configuration file; without it, none is read. Keyword arguments are
/// the keys of `urlint.toml` with `_` for `-`, and take precedence over the file: `select`,
/// `extend_select` and `ignore` are lists of rules and groups, `severity` maps them to severities
/// in a `dict`, `standard` is the standard that judges, and `min_severity` the lowest severity that
/// is reported. `kind` is the kind of document. Suppression comments in the text apply.
///
/// Returns a `list` of `Diagnostic`, in the order of the text. Raises `TypeError` for an unknown
/// setting or a wrong type of text or setting, `ValueError` for an invalid setting, and `OSError` if
/// `config` cannot be read.
///
///     >>> import urlint
///     >>> text = "Größe: http://a.example:/~ann"
///     >>> for diagnostic in urlint.check(text, select=["empty-port", "unsafe-character"]):
///     ...     print(diagnostic, "|", text[diagnostic.start:diagnostic.end])
///     1:24: warning[empty-port]: there is a colon without a port | :
///     1:26: hint[unsafe-character]: `~` must be encoded in `http://a.example:/~ann` | ~
#[pyfunction]
#[pyo3(signature = (text, path = None, config = None, **settings))]
pub(crate) fn check<'py>(
    py: Python<'py>,
    text: Text,
    path: Option<std::path::PathBuf>,
    config: Option<std::path::PathBuf>,
    settings: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyList>> {
    let reader = TextReader::checking("check", path, config, settings)?;
    list(py, py.detach(|| checked(&reader, &text))?)
}

fn checked(reader: &TextReader, text: &Text) -> PyResult<Vec<Diagnostic>> {
    let mut interrupt = InterruptCheck::new();
    let bytes = text.bytes();
    let mut diagnostics = Vec::new();
    interrupt.spend(bytes.len())?;
    let report = &mut |checked: Checked<'_>| match checked {
        Checked::Url(_) => interrupt.spend(URL_COSTS),
        Checked::Diagnostic(diagnostic, found) => {
            diagnostics.push((diagnostic, found.and_then(|found| found.member)));
            Ok(())
        }
        _ => Ok::<(), PyErr>(()),
    };
    reader
        .checker()
        .check(&reader.reader, reader.path(), bytes, report)?;
    diagnostics.sort_by_key(|(diagnostic, _)| diagnostic.first_place().start);
    let (offsets, mut locator) = (text.offsets(), Locator::default());
    let diagnostics = diagnostics.into_iter();
    let diagnostics = diagnostics.map(|found| {
        interrupt.spend(URL_COSTS)?;
        let place = found.0.first_place();
        let start = locator.advance(Window { start: 0, bytes }, place.start);
        let end = start.after(place.slice(bytes));
        Ok(Diagnostic::of(found, [start, end], &offsets))
    });
    diagnostics.collect()
}

/// Returns a text with fixes made in it, as `urlint check --fix` writes it.
///
/// Takes and raises the same as `check`. Only safe fixes are made, which never change the meaning of a
/// URL; with `unsafe=True`, or the setting `unsafe_fixes`, the others are made too.
///
/// Returns a `str` for a `str`, else `bytes`; the text is unchanged if nothing can be fixed. Raises
/// `ValueError` also if the fixes kept requiring further fixes.
///
///     >>> import urlint
///     >>> urlint.fix("See <URL:ftp://a.example:/talks/>.")
///     'See <URL:ftp://a.example/talks/>.'
///     >>> urlint.fix(b"See http://a.example/ and no more.")
///     b'See http://a.example/ and no more.'
#[pyfunction]
#[pyo3(signature = (text, path = None, config = None, *, r#unsafe = None, **settings))]
pub(crate) fn fix<'py>(
    py: Python<'py>,
    text: Text,
    path: Option<std::path::PathBuf>,
    config: Option<std::path::PathBuf>,
    r#unsafe: Option<bool>,
    settings: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let reader = TextReader::checking("fix", path, config, settings)?;
    let least = Applicability::least(r#unsafe.unwrap_or(reader.unsafe_fixes));
    let mended = py.detach(|| mended(&reader, text.bytes(), least))?;
    let fixed = PyBytes::new(py, mended.as_deref().unwrap_or(text.bytes()));
    match text {
        Text::Bytes(_) => Ok(fixed.into_any()),
        Text::Str(_) | Text::Surrogates(_) => fixed.call_method1("decode", SURROGATES),
    }
}

/// Returns the fixed text, or `None` if there are no fixes.
fn mended(reader: &TextReader, text: &[u8], least: Applicability) -> PyResult<Option<Vec<u8>>> {
    let mut interrupt = InterruptCheck::new();
    let (checker, path) = (reader.checker(), reader.path());
    let visit = &mut |_: Checked<'_>| interrupt.spend(URL_COSTS);
    let mended = mender::mend(&checker, &reader.reader, path, text, least, visit)?;
    if mended.given_up {
        return Err(PyValueError::new_err(
            "not fixed: the fixes kept requiring further fixes",
        ));
    }
    Ok(mended.bytes)
}

/// Converts byte offsets of a text to those that Python uses.
fn pairs(offsets: &Offsets<'_>, spans: &Spans) -> Vec<(usize, usize)> {
    let pair = |span: urlint::Span| (offsets.of_byte(span.start), offsets.of_byte(span.end));
    spans.iter().map(pair).collect()
}

/// A diagnostic, and the number of the message that it is in.
type Located = (lint::Diagnostic, Option<u64>);

/// A diagnostic about a URL, as returned by `check`.
///
/// `str(diagnostic)` is one line, with line, column, severity, rule and message. Offsets are in code points
/// for a `str`, else in bytes.
///
///     >>> import urlint
///     >>> [diagnostic] = urlint.check("ftp://a.example:/x")
///     >>> diagnostic
///     <urlint.Diagnostic empty-port at 15:16>
///     >>> diagnostic.severity, diagnostic.line, diagnostic.column
///     ('warning', 1, 16)
#[pyclass(frozen, get_all, eq, hash, new = "from_fields", module = "urlint")]
#[pyo3(str = "{line}:{column}: {severity}[{rule}]: {message}")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Diagnostic {
    /// The name of the rule (`str`): `urlint rule NAME` explains it.
    rule: String,
    /// How severe it is (`str`): `error`, `warning` or `hint`.
    severity: String,
    /// The message, in one line (`str`). Passwords are `***`.
    message: String,
    /// The URL, rejoined, with a password as `***` (`str`), or `None` if the diagnostic is not
    /// about a URL.
    url: Option<String>,
    /// The number of the message in a mailbox, from 1 (`int`), or `None`.
    member: Option<u64>,
    /// Where the first place starts in the text (`int`).
    start: usize,
    /// Where the first place ends in the text (`int`).
    end: usize,
    /// The line of the start, from 1 (`int`).
    line: u64,
    /// The column of the start in characters, from 1 (`int`).
    column: u64,
    /// The line of the end, from 1 (`int`).
    end_line: u64,
    /// The column of the end in characters, from 1 (`int`).
    end_column: u64,
    /// All places in the text that it is about (`list` of pairs of start and end).
    spans: Vec<(usize, usize)>,
    /// Where the pieces of the URL are in the text (`list` of pairs of start and end).
    pieces: Vec<(usize, usize)>,
    /// Further notes (`list` of `str`).
    notes: Vec<String>,
    /// Other readings of the URL (`list` of `str`).
    alternatives: Vec<String>,
    /// The fix (`Fix`), or `None`.
    fix: Option<Fix>,
    /// The name of the standard that judged (`str`).
    standard: String,
    /// The section of the standard that covers it (`str`), such as `RFC 1738, section 5`.
    reference: String,
}

impl Diagnostic {
    /// `start` and `end` are the positions of its first place.
    fn of(
        (diagnostic, member): Located,
        [start, end]: [Position; 2],
        offsets: &Offsets<'_>,
    ) -> Self {
        let place = diagnostic.first_place();
        Diagnostic {
            rule: diagnostic.rule.name().to_owned(),
            severity: diagnostic.severity.name().to_owned(),
            reference: diagnostic.reference().to_owned(),
            standard: diagnostic.standard.name().to_owned(),
            member,
            start: offsets.of_byte(place.start),
            end: offsets.of_byte(place.end),
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
            spans: pairs(offsets, &diagnostic.spans),
            pieces: pairs(offsets, &diagnostic.pieces),
            fix: diagnostic.fix.map(|fix| Fix::of(fix, offsets)),
            message: diagnostic.message,
            url: diagnostic.url,
            notes: diagnostic.notes,
            alternatives: diagnostic.alternatives,
        }
    }
}

represent!(
    Diagnostic,
    "<urlint.Diagnostic {} at {}:{}>",
    rule,
    start,
    end
);

/// The fix of a diagnostic.
///
///     >>> import urlint
///     >>> [diagnostic] = urlint.check("ftp://a.example:/x")
///     >>> diagnostic.fix.applicability, diagnostic.fix.edits
///     ('safe', [<urlint.Edit at 15:16>])
#[pyclass(frozen, get_all, eq, hash, new = "from_fields", module = "urlint")]
#[pyo3(from_py_object)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Fix {
    /// A description of the fix, in one line (`str`).
    message: String,
    /// Whether it is `safe` or `unsafe` (`str`): a safe fix never changes the meaning of the URL.
    applicability: String,
    /// The parts of the text that it replaces (`list` of `Edit`), in order and without overlaps.
    edits: Vec<Edit>,
}

impl Fix {
    fn of(fix: lint::Fix, offsets: &Offsets<'_>) -> Self {
        let edits = fix.edits.into_iter().map(|edit| Edit {
            start: offsets.of_byte(edit.span.start),
            end: offsets.of_byte(edit.span.end),
            replacement: edit.replacement,
        });
        Fix {
            edits: edits.collect(),
            message: fix.message,
            applicability: fix.applicability.name().to_owned(),
        }
    }
}

represent!(Fix, "<urlint.Fix, {}: {}>", applicability, message);

/// A part of a text that a fix replaces.
///
///     >>> import urlint
///     >>> text = "ftp://a.example:/x"
///     >>> [edit] = urlint.check(text)[0].fix.edits
///     >>> text[:edit.start] + edit.replacement + text[edit.end:]
///     'ftp://a.example/x'
#[pyclass(frozen, get_all, eq, hash, new = "from_fields", module = "urlint")]
#[pyo3(from_py_object)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Edit {
    /// Where the part starts in the text (`int`): in code points for a `str`, else in bytes.
    start: usize,
    /// Where the part ends in the text (`int`): in code points for a `str`, else in bytes.
    end: usize,
    /// The replacement (`str`).
    replacement: String,
}

represent!(Edit, "<urlint.Edit at {}:{}>", start, end);
