//! Keyword arguments: the settings of `urlint.toml` by their names.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use urlint::document::Kind;
use urlint::list::{Field, Fields};
use urlint::{Reader, Settings};

/// How a text is read and judged.
pub(crate) struct How {
    pub(crate) reader: Reader,
    pub(crate) settings: Settings,
    path: Vec<u8>,
}

impl How {
    pub(crate) fn of(how: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut read = How {
            reader: Reader::default(),
            settings: Settings::default(),
            path: Vec::new(),
        };
        for (key, value) in how.into_iter().flatten() {
            let key: String = key.extract()?;
            if LOOKS.contains(&&*key) {
                continue;
            }
            match &*key {
                "path" => read.path = value.extract::<String>()?.into_bytes(),
                "kind" => {
                    let name: Option<String> = value.extract()?;
                    let kind = name.map(|name| {
                        Kind::ALL
                            .iter()
                            .copied()
                            .find(|kind| kind.name() == name)
                            .ok_or_else(|| PyValueError::new_err(format!("unknown kind {name:?}")))
                    });
                    read.reader.kind = kind.transpose()?;
                }
                "standard" => {
                    let name: String = value.extract()?;
                    read.settings.standard = name
                        .parse()
                        .map_err(|_| PyValueError::new_err(format!("unknown standard {name:?}")))?;
                }
                _ => {
                    return Err(PyTypeError::new_err(format!("unknown keyword {key:?}")));
                }
            }
        }
        Ok(read)
    }

    /// The same, and how URLs are listed.
    pub(crate) fn with_looks(how: Option<&Bound<'_, PyDict>>) -> PyResult<(Self, Looks)> {
        let mut looks = Looks {
            redact: false,
            normalize: false,
            context_chars: 60,
        };
        for (key, value) in how.into_iter().flatten() {
            match &*key.extract::<String>()? {
                "redact" => looks.redact = value.extract()?,
                "normalize" => looks.normalize = value.extract()?,
                "context_chars" => looks.context_chars = value.extract()?,
                _ => {}
            }
        }
        Ok((How::of(how)?, looks))
    }

    /// The name by which the kind of the text is told.
    pub(crate) fn path(&self) -> &[u8] {
        &self.path
    }
}

const LOOKS: [&str; 3] = ["redact", "normalize", "context_chars"];

/// How URLs are listed.
pub(crate) struct Looks {
    redact: bool,
    normalize: bool,
    context_chars: usize,
}

impl Looks {
    /// What rows have of these fields.
    pub(crate) fn fields(&self, fields: &[Field]) -> Fields {
        Fields::new(fields)
            .with_redact(self.redact)
            .with_normalize(self.normalize)
            .with_context_chars(self.context_chars)
    }
}
