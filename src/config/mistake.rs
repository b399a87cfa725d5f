//! A mistake in a configuration, as data and as a line of text.

use std::fmt;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use urlint_standard::text::Position;
use urlint_standard::text::shown::line;

/// A mistake in the text of a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mistake {
    /// The bytes of the text at fault.
    pub span: Range<usize>,
    /// The mistake, and a way to correct it.
    pub message: String,
}

impl Mistake {
    pub(super) fn new(span: Range<usize>, message: impl Into<String>) -> Self {
        Mistake {
            span,
            message: short(message.into()),
        }
    }
}

/// The most characters of a message: names in it may be as long as a file.
const MOST_LONG: usize = 400;

/// Returns a message without its middle, if it is too long.
fn short(message: String) -> String {
    let mut chars = message.char_indices();
    if chars.nth(MOST_LONG).is_none() {
        return message;
    }
    let start = message.char_indices().nth(MOST_LONG / 2);
    let end = message.char_indices().nth_back(MOST_LONG / 4);
    let start = start.map_or("", |(at, _)| &message[..at]);
    let end = end.map_or("", |(at, _)| &message[at..]);
    format!("{start}…{end}")
}

/// An error: a configuration that cannot be used, with its first mistake. Clones are cheap.
///
/// Its message is a line: `path:line:column: message`, without the place if the text has no
/// name.
///
/// ```
/// use std::path::Path;
/// use urlint::config::{Options, Source};
///
/// let source = Source::new("these options", Path::new("/folder"));
/// let error = Options::from_toml("rejoin = 'nevr'", &source).unwrap_err();
/// let line = "`rejoin`: unknown value `nevr`; did you mean `never`?";
/// assert_eq!(error.to_string(), line);
///
/// let source = source.with_name("options.toml");
/// let error = Options::from_toml("rejoin = 'nevr'", &source).unwrap_err();
/// assert_eq!(error.to_string(), format!("options.toml:1:10: {line}"));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum BadConfig {
    /// A file that cannot be read, or whose text must not be shown: another file that was found extends
    /// it, and it has other keys than urlint's.
    #[non_exhaustive]
    Unreadable {
        /// Its path, relative to the current folder if it is inside.
        name: String,
        /// Why it cannot be read.
        error: Arc<io::Error>,
    },
    /// A text with a mistake.
    #[non_exhaustive]
    Mistaken {
        /// The path of the file, relative to the current folder if it is inside, or the
        /// [name](crate::Source::with_name) of the text.
        name: Option<String>,
        /// The text.
        text: Arc<str>,
        /// The mistake.
        mistake: Mistake,
    },
}

impl BadConfig {
    pub(super) fn unreadable(name: String, error: io::Error) -> Self {
        let error = Arc::new(error);
        BadConfig::Unreadable { name, error }
    }

    pub(super) fn mistaken(name: Option<String>, text: &str, mistake: Mistake) -> Self {
        BadConfig::Mistaken {
            name,
            text: text.into(),
            mistake,
        }
    }
}

impl std::error::Error for BadConfig {}

impl fmt::Display for BadConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = match self {
            BadConfig::Unreadable { name, error } => format!("{name}: {error}"),
            BadConfig::Mistaken {
                name: Some(name),
                text,
                mistake,
            } => {
                let before = text.as_bytes().get(..mistake.span.start);
                let Position { line, column } =
                    Position::default().after(before.unwrap_or_default());
                format!("{name}:{line}:{column}: {}", mistake.message)
            }
            BadConfig::Mistaken { mistake, .. } => mistake.message.clone(),
        };
        f.write_str(&line(message.as_bytes()))
    }
}
