//! What is wrong with a configuration, as data and as lines of text.

use std::fmt;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use crate::text::Position;
use crate::text::shown::line;

/// A mistake in the text of a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mistake {
    /// The bytes of the text at fault.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What would be right, to print beside the bytes at fault; may be empty.
    pub label: String,
}

impl Mistake {
    pub(super) fn new(span: Range<usize>, message: impl Into<String>) -> Self {
        Mistake {
            span,
            message: short(message.into()),
            label: String::new(),
        }
    }

    pub(super) fn label(mut self, label: impl Into<String>) -> Self {
        self.label = short(label.into());
        self
    }
}

/// The most characters of a message or a label: names in them may be as long as a file.
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

/// `message; label`.
impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&line(self.message.as_bytes()))?;
        if !self.label.is_empty() {
            write!(f, "; {}", line(self.label.as_bytes()))?;
        }
        Ok(())
    }
}

/// An error: a configuration that cannot be used. It has all mistakes of each file, and those of the
/// files that they extend. Clones are cheap.
///
/// Its message has a line for each mistake: `path:line:column: what is wrong; what would be right`,
/// without the place if the text has no name.
///
/// ```
/// use std::path::Path;
/// use urlint::config::{Options, Source};
///
/// let source = Source::new("these options", Path::new("/folder"));
/// let error = Options::from_toml("rejoin = 'nevr'\ndeep = 1", &source).unwrap_err();
/// let lines = [
///     "`rejoin` cannot be `nevr`; did you mean `never`?",
///     "`deep` must be `true` or `false`; this is a number",
/// ];
/// assert_eq!(error.to_string(), lines.join("\n"));
///
/// let source = source.with_name("options.toml");
/// let error = Options::from_toml("rejoin = 'nevr'", &source).unwrap_err();
/// let line = "options.toml:1:10: `rejoin` cannot be `nevr`; did you mean `never`?";
/// assert_eq!(error.to_string(), line);
/// ```
#[derive(Clone, Debug)]
pub struct BadConfig {
    files: Arc<[BadFile]>,
}

/// A file, or a text without a name, that is wrong.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum BadFile {
    /// A file that cannot be read, or whose text must not be shown: another file that was found extends
    /// it, and it has other keys than urlint's.
    #[non_exhaustive]
    Unreadable {
        /// Its path, relative to the current folder if it is inside.
        name: String,
        /// Why it cannot be read.
        error: Arc<io::Error>,
    },
    /// A text with mistakes.
    #[non_exhaustive]
    Mistaken {
        /// The path of the file, relative to the current folder if it is inside, or the
        /// [name](crate::config::Source::with_name) of the text.
        name: Option<String>,
        /// The text.
        text: String,
        /// The mistakes, in the order of their places.
        mistakes: Vec<Mistake>,
    },
}

impl BadConfig {
    /// The most mistakes of one text that the message has.
    pub const MOST: usize = 20;

    pub(super) fn unreadable(name: String, error: io::Error) -> Self {
        BadConfig::of(BadFile::Unreadable {
            name,
            error: Arc::new(error),
        })
    }

    /// The mistakes, of which there is at least one, in a text.
    pub(super) fn mistaken(name: Option<String>, text: &str, mut mistakes: Vec<Mistake>) -> Self {
        mistakes.sort_by_key(|mistake| (mistake.span.start, mistake.span.end));
        BadConfig::of(BadFile::Mistaken {
            name,
            text: text.to_owned(),
            mistakes,
        })
    }

    fn of(file: BadFile) -> Self {
        BadConfig {
            files: [file].into(),
        }
    }

    /// Returns this followed by what is wrong with files that it extends.
    pub(super) fn and(self, there: BadConfig) -> Self {
        let files = self.files.iter().chain(there.files.iter());
        BadConfig {
            files: files.cloned().collect(),
        }
    }

    /// Returns each file with what is wrong with it, of which there is at least one: a file comes
    /// before those that it extends.
    #[must_use]
    pub fn files(&self) -> &[BadFile] {
        &self.files
    }

    /// Returns why a file cannot be read, or `None` if all files are read and have mistakes.
    #[must_use]
    pub fn io_error(&self) -> Option<&io::Error> {
        self.files.iter().find_map(|file| match file {
            BadFile::Unreadable { error, .. } => Some(&**error),
            BadFile::Mistaken { .. } => None,
        })
    }

    /// Returns whether this and `other` are clones of one another.
    #[doc(hidden)]
    #[must_use]
    pub fn is_clone_of(&self, other: &BadConfig) -> bool {
        Arc::ptr_eq(&self.files, &other.files)
    }
}

impl fmt::Display for BadConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, file) in self.files.iter().enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            file.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for BadConfig {}

/// A line for each mistake, as in the message of [`BadConfig`].
impl fmt::Display for BadFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, text, mistakes) = match self {
            BadFile::Unreadable { name, error } => {
                let message = format!("{name}: {error}");
                return f.write_str(&line(message.as_bytes()));
            }
            BadFile::Mistaken {
                name,
                text,
                mistakes,
            } => (name, text, mistakes),
        };
        let name = name.as_deref().map(|name| line(name.as_bytes()));
        for (i, mistake) in mistakes.iter().take(BadConfig::MOST).enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            if let Some(name) = &name {
                let before = text.as_bytes().get(..mistake.span.start);
                let Position { line, column } =
                    Position::default().after(before.unwrap_or_default());
                write!(f, "{name}:{line}:{column}: ")?;
            }
            mistake.fmt(f)?;
        }
        if mistakes.len() > BadConfig::MOST {
            write!(f, "\nand {} more", mistakes.len() - BadConfig::MOST)?;
        }
        Ok(())
    }
}
