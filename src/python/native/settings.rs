//! Keyword arguments: the settings of `urlint.toml`, by the names of its keys.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping, PyString};
use urlint::config::{BadConfig, Configs, Keys, Options, Resolved, Source, quoted};
use urlint::document::Kind;
use urlint::engine::{Inputs, OutputFiles};
use urlint::lint::Checker;
use urlint::list::{Field, Fields};
use urlint::{Event, Found, Reader, Settings, Severity};

use crate::signals::{InterruptCheck, URL_COSTS};

/// How a text is read and judged.
pub(crate) struct TextReader {
    pub(crate) reader: Reader,
    pub(crate) settings: Settings,
    min_severity: Severity,
    path: PathBuf,
}

impl TextReader {
    /// Reads the arguments of a call of `function`, which lists the URLs of a text.
    pub(crate) fn of(
        function: &'static str,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Arc<Self>> {
        /// The reader without arguments. It is kept, since reading settings takes longer than reading a
        /// short text.
        static USUAL: OnceLock<Arc<TextReader>> = OnceLock::new();
        if settings.is_some_and(|settings| !settings.is_empty()) {
            let settings = Arguments::of(function, settings)?.given(None)?;
            return Ok(Arc::new(settings.resolved().0));
        }
        if let Some(usual) = USUAL.get() {
            return Ok(usual.clone());
        }
        let (usual, _) = Arguments::default().given(None)?.resolved();
        Ok(USUAL.get_or_init(|| Arc::new(usual)).clone())
    }

    /// Hands each URL in a text to `take`, unless the user presses Ctrl-C meanwhile.
    pub(crate) fn each(
        &self,
        text: &[u8],
        interrupt: &mut InterruptCheck,
        mut take: impl FnMut(&Found<'_>),
    ) -> PyResult<()> {
        interrupt.spend(text.len())?;
        self.reader.read(self.path(), text, &mut |event| {
            if let Event::Found(found) = event {
                take(&found);
                interrupt.spend(URL_COSTS)?;
            }
            Ok(())
        })
    }

    /// Returns the checker for the text.
    pub(crate) fn checker(&self) -> Checker<&Settings> {
        Checker::new(&self.settings).with_min_severity(self.min_severity)
    }

    /// Returns the name that decides the kind of the text.
    pub(crate) fn path(&self) -> &[u8] {
        self.path.as_os_str().as_encoded_bytes()
    }
}

/// Makes `reader` provide these fields.
pub(crate) fn providing(fields: &Fields, reader: Reader) -> Reader {
    let reader = reader.with_links(fields.need_links());
    reader.with_positions(fields.need_positions())
}

/// The settings given by the arguments of a call.
pub(crate) struct CallSettings {
    options: Options,
    kind: Option<Kind>,
    path: PathBuf,
    current: PathBuf,
}

impl CallSettings {
    /// Reads the arguments of a call of `function`, which lists URLs as columns.
    pub(crate) fn with_style(
        function: &'static str,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<(Self, RowStyle)> {
        let mut style = RowStyle {
            redact: false,
            normalize: false,
            context_chars: 60,
        };
        let mut others = Arguments::of(function, None)?;
        for (key, value) in settings.into_iter().flatten() {
            let key: String = key.extract()?;
            match &*key {
                "redact" => style.redact = value.extract()?,
                "normalize" => style.normalize = value.extract()?,
                "context_chars" => style.context_chars = value.extract()?,
                _ => others.add(&key, &value)?,
            }
        }
        Ok((others.given(None)?, style))
    }

    /// Returns how the text of the call is read, and all settings.
    pub(crate) fn resolved(self) -> (TextReader, Arc<Resolved>) {
        let resolved = self.options.resolve();
        let file = resolved.for_file(&self.current.join(&self.path));
        let reader = TextReader {
            reader: file.reader().with_kind(self.kind.or(file.kind)),
            settings: file.lint().clone(),
            min_severity: resolved.min_severity,
            path: self.path,
        };
        (reader, resolved)
    }

    /// Returns how the files at `paths` are read.
    pub(crate) fn files(self, paths: Vec<PathBuf>, threads: usize) -> Inputs {
        let configs = Configs::fixed(self.options, &self.current);
        // There is no name for standard input.
        let named = |path: PathBuf| match path.as_os_str() == "-" {
            true => PathBuf::from("./-"),
            false => path,
        };
        let mut inputs = Inputs::new(paths.into_iter().map(named).collect(), configs);
        inputs.kind = self.kind;
        inputs.records = true;
        inputs.walks_folders = false;
        // Standard output is not the list.
        inputs.outputs = OutputFiles::default();
        inputs.threads = threads;
        inputs
    }
}

/// How URLs are listed.
pub(crate) struct RowStyle {
    redact: bool,
    normalize: bool,
    context_chars: usize,
}

impl RowStyle {
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
    pub(crate) text: TextReader,
    pub(crate) resolved: Arc<Resolved>,
}

impl Checks {
    /// Reads the arguments of a call of `function`, which checks a text.
    pub(crate) fn of(
        function: &'static str,
        path: Option<PathBuf>,
        config: Option<PathBuf>,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let mut arguments = Arguments::of(function, settings)?;
        arguments.path = path.or(arguments.path);
        let given = arguments.given(config.as_deref())?;
        let (mut text, resolved) = given.resolved();
        text.reader.finder.mistakes = true;
        Ok(Checks { text, resolved })
    }
}

/// The arguments of a call.
#[derive(Default)]
struct Arguments {
    /// The name of the function that is called.
    function: &'static str,
    path: Option<PathBuf>,
    kind: Option<Kind>,
    /// The settings, as in `urlint.toml`.
    toml: String,
}

impl Arguments {
    fn of(function: &'static str, settings: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut arguments = Arguments {
            function,
            ..Arguments::default()
        };
        for (key, value) in settings.into_iter().flatten() {
            arguments.add(&key.extract::<String>()?, &value)?;
        }
        Ok(arguments)
    }

    fn add(&mut self, key: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let name = key.replace('_', "-");
        let is_setting = Keys::names().contains(&&*name) && !OF_FILES.contains(&key);
        if !matches!(key, "path" | "kind") && (!is_setting || key.contains('-')) {
            let function = self.function;
            return Err(PyTypeError::new_err(format!(
                "{function}() got an unexpected keyword argument '{key}'"
            )));
        }
        if value.is_none() {
            return Ok(());
        }
        match key {
            "path" => self.path = Some(value.extract()?),
            "kind" => {
                let Ok(name) = value.extract::<String>() else {
                    return Err(PyTypeError::new_err("`kind` must be a str"));
                };
                let names = Kind::ALL.iter().map(|kind| kind.name());
                let kind = Kind::from_name(&name);
                self.kind = Some(kind.ok_or_else(|| none_of("kind", &name, names))?);
            }
            _ => {
                self.toml.push_str(&name);
                self.toml.push_str(" = ");
                write(&mut self.toml, key, value)?;
                self.toml.push('\n');
            }
        }
        Ok(())
    }

    /// Returns the settings, which take precedence over those of the file `config`.
    fn given(self, config: Option<&Path>) -> PyResult<CallSettings> {
        // Without a current folder, no pattern matches a relative path.
        let current = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/"));
        let source = Source::new("the arguments", &current);
        let mut options = Options::from_toml(&self.toml, &source).map_err(|bad| wrong(&bad))?;
        if let Some(config) = config {
            let file = Options::from_file(config, &current).map_err(|bad| wrong(&bad))?;
            options = options.over(&file.unwrap_or_default());
        }
        Ok(CallSettings {
            options,
            kind: self.kind,
            path: self.path.unwrap_or_default(),
            current,
        })
    }
}

/// The settings of `urlint.toml` that only affect the command, or only have a meaning in a file.
const OF_FILES: [&str; 6] = [
    "baseline",
    "exclude",
    "extend",
    "output_format",
    "show",
    "url_rules",
];

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

/// Writes `value`, that of the setting `key`, as TOML; fails with a `TypeError` if TOML has no such value.
fn write(out: &mut String, key: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    if let Ok(text) = value.cast::<PyString>() {
        out.push_str(&quoted(text.to_str()?));
    } else if let Ok(table) = value.cast::<PyMapping>() {
        out.push_str("{ ");
        for (at, entry) in table.items()?.iter().enumerate() {
            let (name, value): (String, Bound<'_, PyAny>) = entry.extract()?;
            out.push_str(if at == 0 { "" } else { ", " });
            out.push_str(&quoted(name));
            out.push_str(" = ");
            write(out, key, &value)?;
        }
        out.push_str(" }");
    } else if let Ok(items) = value.try_iter() {
        out.push('[');
        for value in items {
            write(out, key, &value?)?;
            out.push_str(", ");
        }
        out.push(']');
    } else if let Ok(number) = value.extract::<i64>() {
        // A flag is a number, too.
        let flag = value.extract::<bool>().map(|flag| flag.to_string());
        out.push_str(&flag.unwrap_or_else(|_| number.to_string()));
    } else {
        let name = value.get_type().name()?;
        let message = format!("`{key}` cannot be of the type {name}");
        return Err(PyTypeError::new_err(message));
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
        BadConfig::Mistaken { name: None, .. } => {
            // It is about an argument, whose name is that of the key in Python.
            let message = Keys::names().iter().fold(bad.to_string(), |message, key| {
                message.replace(&format!("`{key}"), &format!("`{}", key.replace('-', "_")))
            });
            if message.contains(": invalid type: ") {
                PyTypeError::new_err(message)
            } else {
                PyValueError::new_err(message)
            }
        }
        _ => PyValueError::new_err(bad.to_string()),
    }
}
