//! Keyword arguments: the settings of `urlint.toml`, by the names of its keys.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString};
use urlint::config::{BadConfig, Options, Resolved, Source, quoted};
use urlint::document::Kind;
use urlint::list::{Field, Fields};
use urlint::{Diagnostic, Reader, Settings, Severity};

/// How a text is read and judged.
pub(crate) struct How {
    reader: Reader,
    pub(crate) settings: Settings,
    path: PathBuf,
}

impl How {
    /// Reads the arguments of a call that lists the URLs of a text.
    pub(crate) fn of(how: Option<&Bound<'_, PyDict>>) -> PyResult<Arc<Self>> {
        /// Reading settings takes longer than reading a short text.
        static USUAL: OnceLock<Arc<How>> = OnceLock::new();
        if how.is_some_and(|how| !how.is_empty()) {
            return Ok(Arc::new(Arguments::of(how)?.given(None)?.text()));
        }
        if let Some(usual) = USUAL.get() {
            return Ok(usual.clone());
        }
        let usual = Arguments::default().given(None)?.text();
        Ok(USUAL.get_or_init(|| Arc::new(usual)).clone())
    }

    /// Returns a reader for a text, without what only some fields need.
    pub(crate) fn reader(&self) -> &Reader {
        &self.reader
    }

    /// Returns a reader for a text or a file that provides these fields.
    pub(crate) fn reader_for(&self, fields: &Fields) -> Reader {
        let reader = self.reader.clone().with_links(fields.need_links());
        reader.with_positions(fields.need_positions())
    }

    /// Returns the name that decides the kind of the text.
    pub(crate) fn path(&self) -> &[u8] {
        self.path.as_os_str().as_encoded_bytes()
    }
}

/// The settings given by the arguments of a call.
pub(crate) struct Given {
    resolved: Arc<Resolved>,
    kind: Option<Kind>,
    path: PathBuf,
    current: PathBuf,
}

impl Given {
    /// Reads the arguments of a call that lists URLs as columns.
    pub(crate) fn with_looks(how: Option<&Bound<'_, PyDict>>) -> PyResult<(Self, Looks)> {
        let mut looks = Looks {
            redact: false,
            normalize: false,
            context_chars: 60,
        };
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
        Ok((others.given(None)?, looks))
    }

    /// Returns how the text of the call is read.
    pub(crate) fn text(&self) -> How {
        self.file(&self.path)
    }

    /// Returns how a text or a file named `path` is read.
    pub(crate) fn file(&self, path: &Path) -> How {
        let file = self.resolved.for_file(&self.current.join(path));
        let reader = file.reader().with_kind(self.kind.or(file.kind));
        How {
            reader,
            settings: file.lint().clone(),
            path: path.to_owned(),
        }
    }
}

/// How URLs are listed.
pub(crate) struct Looks {
    redact: bool,
    normalize: bool,
    context_chars: usize,
}

impl Looks {
    /// Returns the rows with these fields.
    pub(crate) fn fields(&self, fields: &[Field]) -> Fields {
        Fields::new(fields)
            .with_redact(self.redact)
            .with_normalize(self.normalize)
            .with_context_chars(self.context_chars)
    }
}

/// How a text is checked.
pub(crate) struct Checks {
    pub(crate) how: How,
    /// Whether unsafe fixes are made too, unless the call says otherwise.
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
        let given = arguments.given(config.as_deref())?;
        Ok(Checks {
            how: given.text(),
            unsafe_fixes: given.resolved.unsafe_fixes(),
            min_severity: given.resolved.min_severity,
        })
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
    /// The settings, as in `urlint.toml`.
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
            _ if OF_THE_COMMAND.contains(&key) => {
                return Err(PyValueError::new_err(format!(
                    "`{key}` is a setting of the command alone"
                )));
            }
            _ => {
                self.toml.push_str(&quoted(key.replace('_', "-")));
                self.toml.push_str(" = ");
                toml(&mut self.toml, key, value)?;
                self.toml.push('\n');
            }
        }
        Ok(())
    }

    /// Returns the settings, which take precedence over those of the file `config`.
    fn given(self, config: Option<&Path>) -> PyResult<Given> {
        // Without a current folder, no pattern matches a relative path.
        let current = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/"));
        let source =
            Source::new("the arguments", &current).with_extend_hint("name the file as `config`");
        let mut options = Options::from_toml(&self.toml, &source).map_err(|bad| wrong(&bad))?;
        if let Some(config) = config {
            let file = Options::from_file(config, &current).map_err(|bad| wrong(&bad))?;
            options = options.over(&file.unwrap_or_default());
        }
        Ok(Given {
            resolved: options.resolve(),
            kind: self.kind,
            path: self.path.unwrap_or_default(),
            current,
        })
    }
}

/// The settings of `urlint.toml` that only affect the command: what it reads and prints.
const OF_THE_COMMAND: [&str; 3] = ["baseline", "exclude", "output_format"];

/// Returns the exception for an argument that is not one of the allowed values.
pub(crate) fn none_of<'n>(
    key: &str,
    value: &str,
    values: impl IntoIterator<Item = &'n str>,
) -> PyErr {
    let values: Vec<_> = values.into_iter().collect();
    let values = values.join("`, `");
    PyValueError::new_err(format!(
        "`{key}` cannot be `{value}`; expected one of `{values}`"
    ))
}

fn kind(name: &str) -> PyResult<Kind> {
    Kind::from_name(name)
        .ok_or_else(|| none_of("kind", name, Kind::ALL.iter().map(|kind| kind.name())))
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

/// Returns the exception for a configuration that is wrong or cannot be read, with the command's
/// message.
fn wrong(bad: &BadConfig) -> PyErr {
    match bad {
        BadConfig::Unreadable { error, .. } => {
            PyErr::from(std::io::Error::new(error.kind(), bad.to_string()))
        }
        _ => PyValueError::new_err(bad.to_string()),
    }
}
