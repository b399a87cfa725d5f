//! The names of the output formats of `urlint check`, and the files that the output goes to.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use serde::{Deserialize, Serialize, Serializer};

use urlint_standard::text::named::named;

named! {
    /// An output format of `urlint check`. Only the command writes it.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum OutputFormat {
        /// The source lines with annotations.
        #[default]
        Full = "full",
        /// `path:line:column: severity[rule] message`.
        Concise = "concise",
        /// JSON objects in an array.
        Json = "json",
        /// A JSON object on each line.
        JsonLines = "json-lines",
        /// SARIF 2.1.0.
        Sarif = "sarif",
        /// GitHub Actions workflow commands.
        Github = "github",
        /// GitLab code quality report.
        Gitlab = "gitlab",
        /// JUnit XML: failed test cases.
        Junit = "junit",
    }
}

impl OutputFormat {
    /// Returns the names of all formats, separated by commas.
    #[doc(hidden)]
    #[must_use]
    pub fn names() -> String {
        let names = OutputFormat::ALL.iter().map(|format| format.name());
        names.collect::<Vec<_>>().join(", ")
    }
}

/// An output format, and the file to write it to if that is not standard output: `FORMAT` or
/// `FORMAT=FILE`.
///
/// It is parsed from such a text. That fails with a message that lists the expected formats.
///
/// ```
/// use std::path::Path;
/// use urlint::config::{OutputFormat, OutputSpec};
///
/// let spec: OutputSpec = "sarif=out.sarif".parse()?;
/// assert_eq!(spec.format, OutputFormat::Sarif);
/// assert_eq!(spec.file.as_deref(), Some(Path::new("out.sarif")));
/// assert_eq!("json=".parse::<OutputSpec>().unwrap_err(), "expected a file after `=`");
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct OutputSpec {
    /// The format.
    pub format: OutputFormat,
    /// The file; `None` for standard output.
    pub file: Option<PathBuf>,
}

impl FromStr for OutputSpec {
    type Err = String;

    fn from_str(spec: &str) -> Result<Self, String> {
        let (name, file) = match spec.split_once('=') {
            Some((_, "")) => return Err("expected a file after `=`".into()),
            Some((name, file)) => (name, Some(PathBuf::from(file))),
            None => (spec, None),
        };
        match OutputFormat::from_name(name) {
            Some(format) => Ok(OutputSpec { format, file }),
            None if name == "rdjson" => Err("reviewdog reads `sarif`: `reviewdog -f=sarif`".into()),
            None => Err(format!("expected one of {}", OutputFormat::names())),
        }
    }
}

/// `FORMAT` or `FORMAT=FILE`.
impl fmt::Display for OutputSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(file) => write!(f, "{}={}", self.format, file.display()),
            None => self.format.fmt(f),
        }
    }
}

/// Output formats: a list, or the only one of it.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "OneOrMany")]
pub struct Outputs(pub Vec<OutputSpec>);

#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "expected an output format, or a list of output formats"
)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

impl Default for Outputs {
    fn default() -> Self {
        Outputs(vec![OutputSpec::default()])
    }
}

impl TryFrom<OneOrMany> for Outputs {
    type Error = String;

    fn try_from(texts: OneOrMany) -> Result<Self, String> {
        let texts = match texts {
            OneOrMany::One(text) => vec![text],
            OneOrMany::Many(texts) => texts,
        };
        let most = OutputFormat::ALL.len();
        if texts.len() > most {
            return Err(format!("more than {most} formats"));
        }
        let specs = texts.iter().map(|text| {
            let wrong = |error| format!("`{text}` is not an output format; {error}");
            text.parse().map_err(wrong)
        });
        specs.collect::<Result<_, _>>().map(Outputs)
    }
}

impl Serialize for Outputs {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(ToString::to_string))
    }
}
