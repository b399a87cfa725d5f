//! `check` and `fix`: what is wrong with the URLs in a text, and the text put right.

use std::io;

use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use urlint::lint::{self, Applicability, Suppressions};
use urlint::text::{Position, Spans};
use urlint::{Event, fix as mender};

use crate::how::Checks;
use crate::text::{Offsets, Text};

/// Returns what is wrong with the URLs in a text, in the order of the text.
///
/// - `path` (`str` or `os.PathLike`): the name by which the kind of the text is told, and by which
///   `per_file_ignores` and `types` apply; no file of that name is read.
/// - `config` (`str` or `os.PathLike`): a configuration file, as of `urlint check --config`. Without it no
///   configuration is read.
/// - The rest are settings, by the names of the keys of `urlint.toml` with `_` for `-`, and win over those of
///   `config`; see `urlint help configuration`.
///
/// Suppression comments are obeyed. Returns a list of `Diagnostic`. Raises `ValueError` if a setting is wrong,
/// in the words of the command, and `OSError` if `config` cannot be read. Other threads run meanwhile.
///
///     >>> import urlint
///     >>> for diagnostic in urlint.check("See <URL:http://a.example/a|b>."):
///     ...     print(diagnostic)
///     1:28: error[unsafe-character]: `|` must be encoded in `http://a.example/a|b`
#[pyfunction]
#[pyo3(signature = (text, path = None, config = None, **how))]
pub(crate) fn check(
    py: Python<'_>,
    text: Text,
    path: Option<std::path::PathBuf>,
    config: Option<std::path::PathBuf>,
    how: Option<&Bound<'_, PyDict>>,
) -> PyResult<Vec<Diagnostic>> {
    let checks = Checks::of(path, config, how)?;
    Ok(py.detach(|| checked(&checks, &text)))
}

fn checked(checks: &Checks, text: &Text) -> Vec<Diagnostic> {
    let bytes = text.bytes();
    let mut suppressions = Suppressions::of(bytes);
    let mut found_wrong = Vec::new();
    let how = &checks.how;
    let read = how.reader.read_bytes(how.path(), bytes, &mut |event| {
        if let Event::Found(found) = event {
            found.lint(&how.settings, &mut |diagnostic| {
                if checks.reports(&diagnostic) && !suppressions.suppresses(&diagnostic) {
                    found_wrong.push((diagnostic, found.member));
                }
            });
        }
        Ok::<(), io::Error>(())
    });
    // Nothing fails in memory.
    drop(read);
    let unused = suppressions.unused(&how.settings.selection).into_iter();
    let unused = unused.filter(|diagnostic| checks.reports(diagnostic));
    found_wrong.extend(unused.map(|diagnostic| (diagnostic, None)));
    let places = Places::new(text, &found_wrong);
    let found_wrong = found_wrong.into_iter();
    found_wrong
        .map(|found| Diagnostic::of(found, &places))
        .collect()
}

/// Returns a text with fixes made in it, of the type of `text`.
///
/// Safe fixes are made, which do not change what a URL refers to, until there are no more; with `unsafe`, or
/// `unsafe_fixes` in the settings, also those that may. The arguments and what is raised are as for `check`;
/// also raises `ValueError` if fixes keep making other fixes necessary.
///
///     >>> import urlint
///     >>> urlint.fix("See <URL:http://a.example/a\"b>.")
///     'See <URL:http://a.example/a%22b>.'
#[pyfunction]
#[pyo3(signature = (text, path = None, config = None, *, r#unsafe = None, **how))]
pub(crate) fn fix<'py>(
    py: Python<'py>,
    text: Text,
    path: Option<std::path::PathBuf>,
    config: Option<std::path::PathBuf>,
    r#unsafe: Option<bool>,
    how: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let checks = Checks::of(path, config, how)?;
    let least = if r#unsafe.unwrap_or(checks.unsafe_fixes) {
        Applicability::Unsafe
    } else {
        Applicability::Safe
    };
    let mended = py.detach(|| mended(&checks, text.bytes(), least))?;
    match text {
        Text::Str(text) => match mended {
            Some(fixed) => String::from_utf8(fixed)
                .map_err(|error| PyValueError::new_err(error.to_string()))?
                .into_bound_py_any(py),
            None => text.into_bound_py_any(py),
        },
        Text::Bytes(bytes) => {
            let fixed = mended.as_deref().unwrap_or(&bytes);
            Ok(PyBytes::new(py, fixed).into_any())
        }
    }
}

/// The text with fixes, or `None` if there are none.
fn mended(checks: &Checks, text: &[u8], least: Applicability) -> PyResult<Option<Vec<u8>>> {
    let how = &checks.how;
    let mended = mender::mend(text, &how.settings, least, |text, urls| {
        let mut suppressions = Suppressions::of(text);
        how.reader.read_bytes(how.path(), text, &mut |event| {
            if let Event::Found(found) = event {
                urls.add_if(&found, |diagnostic| {
                    checks.reports(diagnostic) && !suppressions.suppresses(diagnostic)
                });
            }
            Ok::<(), io::Error>(())
        })
    })?;
    if mended.given_up {
        return Err(PyValueError::new_err(
            "not fixed: fixes kept making other fixes necessary",
        ));
    }
    Ok(mended.bytes)
}

/// Turns byte offsets into places.
struct Places<'t> {
    offsets: Offsets<'t>,
    /// The line and column, both from 1, of each offset at which a diagnostic begins or ends.
    positions: Vec<(u64, Position)>,
}

impl<'t> Places<'t> {
    fn new(text: &'t Text, found: &[Found]) -> Self {
        let places = found.iter().map(|(diagnostic, _)| diagnostic.first_place());
        let mut wanted: Vec<_> = places.flat_map(|place| [place.start, place.end]).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let bytes = text.bytes();
        let (mut at, mut position) = (0, Position::default());
        let positions = wanted.into_iter().map(|offset| {
            let end = usize::try_from(offset).unwrap_or(usize::MAX);
            let end = end.min(bytes.len());
            let there = position.after(&bytes[at..end]);
            // CR and LF are one line break, and are counted together.
            let is_between = bytes[at..end].ends_with(b"\r") && bytes[end..].starts_with(b"\n");
            if !is_between {
                (at, position) = (end, there);
            }
            (offset, there)
        });
        let positions = positions.collect();
        Places {
            offsets: text.offsets(),
            positions,
        }
    }

    fn offset(&self, at: u64) -> usize {
        self.offsets.of_byte(at)
    }

    fn pairs(&self, spans: &Spans) -> Vec<(usize, usize)> {
        let pair = |span: urlint::Span| (self.offset(span.start), self.offset(span.end));
        spans.iter().map(pair).collect()
    }

    fn position(&self, at: u64) -> Position {
        let found = self
            .positions
            .binary_search_by_key(&at, |&(offset, _)| offset);
        found.map_or_else(|_| Position::default(), |found| self.positions[found].1)
    }
}

/// A diagnostic, and the number of the message that it is in.
type Found = (lint::Diagnostic, Option<u64>);

/// Something that is wrong with a URL, as `check` returns it.
///
/// Offsets are in code points of a `str` and in bytes of `bytes`. `str(diagnostic)` is its line, column,
/// severity, rule and message. Passwords are shown as `***`.
///
///     >>> import urlint
///     >>> [wrong] = urlint.check("See <URL:http://a.example/a|b>.")
///     >>> wrong.rule, wrong.line, wrong.column, wrong.reference
///     ('unsafe-character', 1, 28, 'RFC 1738, section 2.2')
#[pyclass(frozen, get_all, module = "urlint")]
pub(crate) struct Diagnostic {
    /// The name of the rule.
    rule: &'static str,
    /// How severe it is: `"error"`, `"warning"` or `"hint"`.
    severity: &'static str,
    /// What is wrong, in a sentence without a full stop.
    message: String,
    /// The URL, with its password as `***`; `None` for what is about no URL.
    url: Option<String>,
    /// The number of the message in a mailbox, from 1, or `None`.
    member: Option<u64>,
    /// The offset at which the first place at fault begins.
    start: usize,
    /// The offset after it.
    end: usize,
    /// The line of `start`, from 1.
    line: u64,
    /// The column of `start` in code points, from 1.
    column: u64,
    /// The line of `end`.
    end_line: u64,
    /// The column of `end`.
    end_column: u64,
    /// All places at fault.
    spans: Vec<(usize, usize)>,
    /// The pieces that the URL consists of.
    pieces: Vec<(usize, usize)>,
    /// What there is to add.
    notes: Vec<String>,
    /// Other readings of the URL, if a hyphen may or may not belong to it.
    alternatives: Vec<String>,
    /// How it can be mended, or `None`.
    fix: Option<Fix>,
    /// The standard by which the URL is judged, such as `"rfc1738"`.
    standard: &'static str,
    /// The document and the section that say so.
    reference: &'static str,
}

impl Diagnostic {
    fn of((diagnostic, member): Found, places: &Places<'_>) -> Self {
        let place = diagnostic.first_place();
        let (start, end) = (places.position(place.start), places.position(place.end));
        Diagnostic {
            rule: diagnostic.rule.name(),
            severity: diagnostic.severity.name(),
            reference: diagnostic.reference(),
            standard: diagnostic.standard.name(),
            member,
            start: places.offset(place.start),
            end: places.offset(place.end),
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
            spans: places.pairs(&diagnostic.spans),
            pieces: places.pairs(&diagnostic.pieces),
            fix: diagnostic.fix.map(|fix| Fix::of(fix, places)),
            message: diagnostic.message,
            url: diagnostic.url,
            notes: diagnostic.notes,
            alternatives: diagnostic.alternatives,
        }
    }
}

#[pymethods]
impl Diagnostic {
    fn __str__(&self) -> String {
        let Diagnostic {
            line,
            column,
            severity,
            rule,
            message,
            ..
        } = self;
        format!("{line}:{column}: {severity}[{rule}]: {message}")
    }

    fn __repr__(&self) -> String {
        format!(
            "<urlint.Diagnostic {} at {}:{}>",
            self.rule, self.start, self.end
        )
    }
}

/// How a diagnostic can be mended.
///
///     >>> import urlint
///     >>> [wrong] = urlint.check("See <URL:http://a.example/a\"b>.")
///     >>> wrong.fix
///     <urlint.Fix, safe: encode it>
#[pyclass(frozen, get_all, module = "urlint", from_py_object)]
#[derive(Clone)]
pub(crate) struct Fix {
    /// What it does.
    message: String,
    /// When it is made: `"safe"`; `"unsafe"`, if the URL may refer to something else then; or `"display"`, if
    /// it is only shown.
    applicability: &'static str,
    /// What is replaced, from the start of the text to its end.
    edits: Vec<Edit>,
}

impl Fix {
    fn of(fix: lint::Fix, places: &Places<'_>) -> Self {
        let edits = fix.edits.into_iter().map(|edit| Edit {
            start: places.offset(edit.span.start),
            end: places.offset(edit.span.end),
            replacement: edit.replacement,
        });
        Fix {
            edits: edits.collect(),
            message: fix.message,
            applicability: fix.applicability.name(),
        }
    }
}

#[pymethods]
impl Fix {
    fn __repr__(&self) -> String {
        format!("<urlint.Fix, {}: {}>", self.applicability, self.message)
    }
}

/// A part of a text, and what a fix puts in its place.
///
///     >>> import urlint
///     >>> [wrong] = urlint.check("See <URL:http://a.example/a|b>.")
///     >>> [(edit.start, edit.end, edit.replacement) for edit in wrong.fix.edits]
///     [(27, 28, '%7C')]
#[pyclass(frozen, get_all, module = "urlint", from_py_object)]
#[derive(Clone)]
pub(crate) struct Edit {
    /// The offset at which it begins.
    start: usize,
    /// The offset after it.
    end: usize,
    /// What is put in its place.
    replacement: String,
}

#[pymethods]
impl Edit {
    fn __repr__(&self) -> String {
        format!("<urlint.Edit at {}:{}>", self.start, self.end)
    }
}
