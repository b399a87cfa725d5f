//! Text from Python, and offsets in it.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyByteArray, PyBytes, PyString};
use urlint::url::password::redacted;

/// How a `str` with surrogates is encoded and decoded.
pub(crate) const SURROGATES: (&str, &str) = ("utf-8", "surrogatepass");

/// A text that is not changed while it is read: `str`, `bytes` or a copy of a `bytearray`.
pub(crate) enum Text {
    Str(PyBackedStr),
    /// A `str` with surrogates, each written in three bytes, which are not UTF-8.
    Surrogates(PyBackedBytes),
    Bytes(PyBackedBytes),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Text {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<PyString>() {
            if let Ok(text) = object.extract() {
                return Ok(Text::Str(text));
            }
            let encoded = object.call_method1("encode", SURROGATES)?;
            Ok(Text::Surrogates(encoded.extract()?))
        } else if object.is_instance_of::<PyBytes>() || object.is_instance_of::<PyByteArray>() {
            Ok(Text::Bytes(object.extract()?))
        } else {
            let name = object.get_type().name()?;
            Err(PyTypeError::new_err(format!(
                "expected str, bytes or bytearray, not {name}"
            )))
        }
    }
}

impl Text {
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Text::Str(text) => text.as_bytes(),
            Text::Bytes(bytes) | Text::Surrogates(bytes) => bytes,
        }
    }

    /// Returns the map from offsets in bytes to those that Python uses.
    pub(crate) fn offsets(&self) -> Offsets<'_> {
        match self {
            Text::Str(text) if !text.is_ascii() => Offsets::of(text.as_bytes()),
            Text::Surrogates(bytes) => Offsets::of(bytes),
            _ => Offsets::default(),
        }
    }
}

/// A URL as `repr` shows it: without passwords.
pub(crate) fn shown(url: &str) -> String {
    String::from_utf8_lossy(&redacted(url.as_bytes())).into_owned()
}

/// Turns offsets in bytes into offsets in code points, if the text needs that.
#[derive(Default)]
pub(crate) struct Offsets<'t> {
    text: &'t [u8],
    /// How many code points begin before each step; none if both kinds of offsets are equal.
    steps: Vec<usize>,
}

/// The length of a step, in bytes.
const STEP: usize = 1024;

impl<'t> Offsets<'t> {
    fn of(text: &'t [u8]) -> Self {
        let mut steps = Vec::with_capacity(text.len() / STEP + 1);
        let mut before = 0;
        for step in text.chunks(STEP) {
            steps.push(before);
            before += begun(step);
        }
        steps.push(before);
        Offsets { text, steps }
    }

    /// The offset for Python of the byte at `at`.
    pub(crate) fn of_byte(&self, at: u64) -> usize {
        let at = usize::try_from(at).unwrap_or(usize::MAX);
        if self.steps.is_empty() {
            return at;
        }
        let at = at.min(self.text.len());
        let step = at / STEP;
        self.steps[step] + begun(&self.text[step * STEP..at])
    }
}

/// How many code points begin in `bytes`.
fn begun(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte & 0xc0 != 0x80).count()
}
