//! Keyword arguments: the settings of `urlint.toml`, by the names of its keys.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString};
use urlint::config::{BadConfig, Options, Source, quoted};
use urlint::document::Kind;
use urlint::list::{Field, Fields};
use urlint::{Diagnostic, Reader, Settings, Severity};

/// How a text is read and judged.
pub(crate) struct How {
    pub(crate) reader: Reader,
    pub(crate) settings: Settings,
    path: PathBuf,
}

impl How {
    /// Reads the arguments of a call that lists URLs.
    pub(crate) fn of(how: Option<&Bound<'_, PyDict>>) -> PyResult<Arc<Self>> {
        /// Reading settings takes longer than reading a short text.
        static USUAL: OnceLock<Arc<How>> = OnceLock::new();
        if how.is_some_and(|how| !how.is_empty()) {
            return Arguments::of(how)?.settings(None).map(|checks| checks.how);
        }
        if let Some(usual) = USUAL.get() {
            return Ok(usual.clone());
        }
        let usual = Arguments::default().settings(None)?.how;
        Ok(USUAL.get_or_init(|| usual).clone())
    }

    /// The same, and how URLs are listed.
    pub(crate) fn with_looks(how: Option<&Bound<'_, PyDict>>) -> PyResult<(Arc<Self>, Looks)> {
        let mut looks = Looks {
            redact: false,
            normalize: false,
            context_chars: 60,
        };
        if how.is_none_or(|how| how.is_empty()) {
            return How::of(None).map(|how| (how, looks));
        }
        let mut others = Arguments::default();
        for (key, value) in how.into_iter().flatten() {
            let key: String = key.extract()?;
            match &*key {
                "redact" => looks.redact = value.extract()?,
                "normalize" => looks.normalize = value.extract()?,
                "context_chars" => looks.context_chars = value.extract()?,
                _ => others.add(&key, &value)?,
            }
        }
        others.settings(None).map(|checks| (checks.how, looks))
    }

    /// The name by which the kind of the text is told.
    pub(crate) fn path(&self) -> &[u8] {
        self.path.as_os_str().as_encoded_bytes()
    }
}

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

/// How a text is checked.
pub(crate) struct Checks {
    pub(crate) how: Arc<How>,
    /// Whether unsafe fixes are made too, if the call does not say.
    pub(crate) unsafe_fixes: bool,
    min_severity: Severity,
}

impl Checks {
    /// Reads the arguments of a call that checks.
    pub(crate) fn of(
        path: Option<PathBuf>,
        config: Option<PathBuf>,
        how: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let mut arguments = Arguments::of(how)?;
        arguments.path = path.or(arguments.path);
        arguments.settings(config.as_deref())
    }

    /// Returns whether a diagnostic is severe enough to be reported.
    pub(crate) fn reports(&self, diagnostic: &Diagnostic) -> bool {
        diagnostic.severity >= self.min_severity
    }
}

/// The arguments of a call.
#[derive(Default)]
struct Arguments {
    path: Option<PathBuf>,
    kind: Option<Kind>,
    /// The settings, as `urlint.toml` would have them.
    toml: String,
}

impl Arguments {
    fn of(how: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut arguments = Arguments::default();
        for (key, value) in how.into_iter().flatten() {
            arguments.add(&key.extract::<String>()?, &value)?;
        }
        Ok(arguments)
    }

    fn add(&mut self, key: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        if value.is_none() {
            return Ok(());
        }
        match key {
            "path" => self.path = Some(value.extract()?),
            "kind" => self.kind = Some(kind(&value.extract::<String>()?)?),
            _ => {
                self.toml.push_str(&quoted(key.replace('_', "-")));
                self.toml.push_str(" = ");
                toml(&mut self.toml, key, value)?;
                self.toml.push('\n');
            }
        }
        Ok(())
    }

    /// The settings, over those of the file `config`.
    fn settings(self, config: Option<&Path>) -> PyResult<Checks> {
        let current = std::env::current_dir()?;
        let source =
            Source::new("the arguments", &current).with_extend_hint("name the file as `config`");
        let mut options = Options::from_toml(&self.toml, &source).map_err(|bad| wrong(&bad))?;
        if let Some(config) = config {
            let file = Options::from_file(config, &current).map_err(|bad| wrong(&bad))?;
            options = options.over(&file.unwrap_or_default());
        }
        let resolved = options.resolve();
        let path = self.path.unwrap_or_default();
        let file = resolved.for_file(&current.join(&path));
        let reader = file.reader();
        let kind = self.kind.or(file.kind);
        Ok(Checks {
            unsafe_fixes: resolved.unsafe_fixes(),
            min_severity: resolved.min_severity,
            how: Arc::new(How {
                reader: reader.with_kind(kind),
                settings: file.lint().clone(),
                path,
            }),
        })
    }
}

fn kind(name: &str) -> PyResult<Kind> {
    let known = Kind::ALL.iter().copied().find(|kind| kind.name() == name);
    known.ok_or_else(|| {
        let names: Vec<_> = Kind::ALL.iter().map(|kind| kind.name()).collect();
        let names = names.join("`, `");
        PyValueError::new_err(format!(
            "`kind` cannot be `{name}`; expected one of `{names}`"
        ))
    })
}

/// Writes `value` as TOML.
fn toml(out: &mut String, key: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    if let Ok(text) = value.cast::<PyString>() {
        out.push_str(&quoted(text.to_str()?));
    } else if value.is_instance_of::<PyBool>() {
        out.push_str(if value.extract()? { "true" } else { "false" });
    } else if value.is_instance_of::<PyInt>() || value.is_instance_of::<PyFloat>() {
        out.push_str(value.str()?.to_str()?);
    } else if let Ok(table) = value.cast::<PyDict>() {
        out.push_str("{ ");
        for (at, (name, value)) in table.iter().enumerate() {
            out.push_str(if at == 0 { "" } else { ", " });
            out.push_str(&quoted(name.extract::<String>()?));
            out.push_str(" = ");
            toml(out, key, &value)?;
        }
        out.push_str(" }");
    } else if let Ok(values) = value.try_iter() {
        out.push('[');
        for value in values {
            toml(out, key, &value?)?;
            out.push_str(", ");
        }
        out.push(']');
    } else {
        let name = value.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "`{key}` cannot be a value of type {name}"
        )));
    }
    Ok(())
}

/// A configuration that is wrong or cannot be read, in the words of the command.
fn wrong(bad: &BadConfig) -> PyErr {
    match bad.io_error() {
        Some(error) => PyErr::from(std::io::Error::new(error.kind(), bad.to_string())),
        None => PyValueError::new_err(bad.to_string()),
    }
}
