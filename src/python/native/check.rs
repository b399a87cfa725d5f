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

/// Returns a text with fixes made in it.
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

/// Something that is wrong with a URL.
#[pyclass(frozen, get_all, module = "urlint")]
pub(crate) struct Diagnostic {
    rule: &'static str,
    severity: &'static str,
    message: String,
    url: Option<String>,
    member: Option<u64>,
    start: usize,
    end: usize,
    line: u64,
    column: u64,
    end_line: u64,
    end_column: u64,
    spans: Vec<(usize, usize)>,
    pieces: Vec<(usize, usize)>,
    notes: Vec<String>,
    alternatives: Vec<String>,
    fix: Option<Fix>,
    standard: &'static str,
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
#[pyclass(frozen, get_all, module = "urlint", from_py_object)]
#[derive(Clone)]
pub(crate) struct Fix {
    message: String,
    applicability: &'static str,
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

/// A part of a text that a fix replaces.
#[pyclass(frozen, get_all, module = "urlint", from_py_object)]
#[derive(Clone)]
pub(crate) struct Edit {
    start: usize,
    end: usize,
    replacement: String,
}

#[pymethods]
impl Edit {
    fn __repr__(&self) -> String {
        format!("<urlint.Edit at {}:{}>", self.start, self.end)
    }
}
