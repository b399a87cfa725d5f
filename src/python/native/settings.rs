//! Keyword arguments: the settings of `urlint.toml`, by the names of its keys.

use std::fmt;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping, PyString};
use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{self, Deserialize, Deserializer, IntoDeserializer, Unexpected, Visitor};
use urlint::config::{BadConfig, Configs, Keys, Name, Options, Source};
use urlint::document::Kind;
use urlint::engine::{Inputs, OutputFiles};
use urlint::lint::{Checker, Judged};
use urlint::list::{Field, Fields};
use urlint::{Event, Found, Reader, Settings, Severity};

use crate::signals::{InterruptCheck, URL_COSTS};

/// How a text is read and judged.
pub(crate) struct TextReader {
    pub(crate) reader: Reader,
    pub(crate) settings: Settings,
    min_severity: Severity,
    pub(crate) unsafe_fixes: bool,
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
            return CallSettings::of(function, settings)?.reader().map(Arc::new);
        }
        if let Some(usual) = USUAL.get() {
            return Ok(usual.clone());
        }
        let usual = CallSettings::default().reader()?;
        Ok(USUAL.get_or_init(|| Arc::new(usual)).clone())
    }

    /// Reads the arguments of a call of `function`, which checks a text.
    pub(crate) fn checking(
        function: &'static str,
        path: Option<PathBuf>,
        config: Option<PathBuf>,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let mut call = CallSettings::of(function, settings)?;
        call.path = path.unwrap_or_default();
        call.config = config;
        let mut reader = call.reader()?;
        reader.reader.finder.mistakes = true;
        Ok(reader)
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

/// Returns the URL as its fields need it.
pub(crate) fn judged<'j, 'f, S: Deref<Target = Settings>>(
    fields: &Fields,
    checker: &'j Checker<S>,
    found: &'j Found<'f>,
) -> Judged<'j, 'f> {
    if fields.need_rules() {
        checker.judge(found)
    } else {
        Judged::unlinted(found, checker.settings())
    }
}

/// Makes `reader` provide these fields.
pub(crate) fn providing(fields: &Fields, reader: Reader) -> Reader {
    let reader = reader.with_links(fields.need_links());
    reader.with_positions(fields.need_positions())
}

/// The arguments of a call: the settings, as in `urlint.toml`, and facts about the text.
#[derive(Default)]
pub(crate) struct CallSettings {
    /// The name of the function that is called.
    function: &'static str,
    keys: Keys,
    kind: Option<Kind>,
    path: PathBuf,
    /// A configuration file, whose keys are below those of the call.
    config: Option<PathBuf>,
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

impl CallSettings {
    /// Reads the arguments of a call of `function`, which lists URLs in columns of these `fields`.
    pub(crate) fn of_columns(
        function: &'static str,
        fields: &[Field],
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<(Self, Fields)> {
        let mut fields = Fields::new(fields);
        fields.context_chars = 60;
        let mut call = CallSettings::of(function, None)?;
        for (key, value) in settings.into_iter().flatten() {
            let key: String = key.extract()?;
            match &*key {
                "redact" => fields.redact = value.extract()?,
                "normalize" => fields.normalize = value.extract()?,
                "context_chars" => fields.context_chars = value.extract()?,
                _ => call.add(&key, value)?,
            }
        }
        Ok((call, fields))
    }

    fn of(function: &'static str, settings: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut call = CallSettings {
            function,
            ..CallSettings::default()
        };
        for (key, value) in settings.into_iter().flatten() {
            call.add(&key.extract::<String>()?, value)?;
        }
        Ok(call)
    }

    fn add(&mut self, key: &str, value: Bound<'_, PyAny>) -> PyResult<()> {
        let set = match key {
            "path" => {
                self.path = value.extract::<Option<_>>()?.unwrap_or_default();
                Some(Ok(()))
            }
            "kind" => {
                let kind = Option::<Name<Kind>>::deserialize(Given(value));
                Some(kind.map(|kind| self.kind = kind.map(|kind| kind.0)))
            }
            key if key.contains('-') || OF_FILES.contains(&key) => None,
            key => self.keys.set(&key.replace('_', "-"), Given(value)),
        };
        match set {
            Some(set) => set.map_err(|wrong| wrong.about(key)),
            None => Err(PyTypeError::new_err(format!(
                "{}() got an unexpected keyword argument '{key}'",
                self.function
            ))),
        }
    }

    /// Returns the options, and the current folder.
    fn options(&mut self) -> PyResult<(Options, PathBuf)> {
        // Without a current folder, no pattern matches a relative path.
        let current = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/"));
        let source = Source::new("the arguments", &current);
        let mut options = Options::new(std::mem::take(&mut self.keys), &source).map_err(wrong)?;
        if let Some(config) = &self.config {
            let file = Options::from_file(config, &current).map_err(wrong)?;
            options = options.over(&file.unwrap_or_default());
        }
        Ok((options, current))
    }

    /// Returns how the text of the call is read.
    pub(crate) fn reader(mut self) -> PyResult<TextReader> {
        let (options, current) = self.options()?;
        let resolved = options.resolve();
        let file = resolved.for_file(&current.join(&self.path));
        Ok(TextReader {
            reader: file.reader().with_kind(self.kind.or(file.kind)),
            settings: file.lint().clone(),
            min_severity: resolved.min_severity,
            unsafe_fixes: resolved.unsafe_fixes(),
            path: self.path,
        })
    }

    /// Returns how the files at `paths` are read.
    pub(crate) fn files(mut self, paths: Vec<PathBuf>, threads: usize) -> PyResult<Inputs> {
        let (options, current) = self.options()?;
        let configs = Configs::fixed(options, &current);
        let mut inputs = Inputs::new(paths, configs);
        inputs.kind = self.kind;
        inputs.records = true;
        inputs.walks_folders = false;
        // Standard output is not the list.
        inputs.outputs = OutputFiles::default();
        inputs.threads = threads;
        Ok(inputs)
    }
}

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

/// Returns the exception for a configuration that is wrong or cannot be read, with the command's
/// message.
fn wrong(bad: BadConfig) -> PyErr {
    match &bad {
        BadConfig::Unreadable { error, .. } => {
            std::io::Error::new(error.kind(), bad.to_string()).into()
        }
        _ => PyValueError::new_err(bad.to_string()),
    }
}

/// A value of a setting, as Python has it.
#[derive(FromPyObject)]
#[pyo3(transparent)]
struct Given<'py>(Bound<'py, PyAny>);

/// Why a setting does not take a value.
#[derive(Debug)]
enum Unfit {
    Type(String),
    Value(String),
    /// Python has raised an exception when the value was read.
    Raised(PyErr),
}

impl Unfit {
    /// Returns the exception for the setting `key`.
    fn about(self, key: &str) -> PyErr {
        match self {
            Unfit::Type(message) => PyTypeError::new_err(format!("`{key}`: {message}")),
            Unfit::Value(message) => PyValueError::new_err(format!("`{key}`: {message}")),
            Unfit::Raised(error) => error,
        }
    }
}

impl From<PyErr> for Unfit {
    fn from(error: PyErr) -> Self {
        Unfit::Raised(error)
    }
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unfit::Type(message) | Unfit::Value(message) => f.write_str(message),
            Unfit::Raised(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Unfit {}

impl de::Error for Unfit {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Unfit::Value(message.to_string())
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Unfit::Type(format!("invalid type: {found}, expected {expected}"))
    }
}

impl<'de> IntoDeserializer<'de, Unfit> for Given<'_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Given<'_> {
    type Error = Unfit;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        let Given(value) = self;
        if let Ok(text) = value.cast::<PyString>() {
            visitor.visit_str(text.to_str()?)
        } else if let Ok(flag) = value.extract() {
            visitor.visit_bool(flag)
        } else if let Ok(number) = value.extract() {
            visitor.visit_i64(number)
        } else if let Ok(table) = value.cast::<PyMapping>() {
            let items: Vec<(Given<'_>, Given<'_>)> = table.items()?.extract()?;
            visitor.visit_map(MapDeserializer::new(items.into_iter()))
        } else if let Ok(items) = value.try_iter() {
            let items: PyResult<Vec<_>> = items.map(|item| item.map(Given)).collect();
            visitor.visit_seq(SeqDeserializer::new(items?.into_iter()))
        } else {
            let name = value.get_type().name()?.to_string();
            Err(de::Error::invalid_type(Unexpected::Other(&name), &visitor))
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        if self.0.is_none() {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Unfit> {
        visitor.visit_newtype_struct(self)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
