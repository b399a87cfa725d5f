//! Messages for people, about sources and not about URLs.

use std::fmt;
use std::io;
use std::path::Path;

use super::Source;
use urlint_archive::Fault;
use urlint_config::BadConfig;
use urlint_documents::document::Notice;

/// A message about a source. Its text is a line.
#[derive(Clone, Debug)]
pub enum Message {
    /// It could not be read, or not to its end.
    Failed {
        /// The source; empty if the reason names it.
        name: Vec<u8>,
        /// Why, in words.
        reason: String,
        /// The same, for programs.
        kind: io::ErrorKind,
    },
    /// It is damaged from this byte on, or exceeds a limit.
    Faulty {
        /// The source.
        name: Vec<u8>,
        /// The fault.
        fault: Fault,
        /// The offset in the bytes of the source.
        at: u64,
    },
    /// It was skipped.
    Skipped {
        /// The source; a folder has a slash at its end.
        name: Vec<u8>,
        /// Why, in words.
        reason: String,
        /// Whether it is read if the user says that it is plain text.
        may_be_text: bool,
    },
    /// A notice about a document.
    Notice(Vec<u8>, Notice),
    /// A configuration error.
    BadConfig(BadConfig),
    /// Anything else about the source with this name.
    Other(Vec<u8>, String),
}

impl Message {
    /// Returns the message `text` about `source`.
    pub fn about(source: &Source, text: String) -> Message {
        Message::Other(source.name().whole().to_vec(), text)
    }

    /// Returns the message that `path` could not be read.
    pub(super) fn failed(path: &Path, error: &io::Error) -> Message {
        Message::failed_source(path.as_os_str().as_encoded_bytes(), error)
    }

    /// Returns the message that the source `name` could not be read.
    pub(super) fn failed_source(name: &[u8], error: &io::Error) -> Message {
        Message::Failed {
            name: name.to_vec(),
            reason: error.to_string(),
            kind: error.kind(),
        }
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |name: &[u8]| String::from_utf8_lossy(name).into_owned();
        match self {
            Message::Failed { name, reason, .. } if name.is_empty() => f.write_str(reason),
            Message::Failed { name, reason, .. } => write!(f, "{}: {reason}", shown(name)),
            Message::Faulty { name, fault, at } => {
                let flag = match fault {
                    Fault::TooLong(_) => " (--max-size)",
                    Fault::TooDense(_) => " (--max-ratio)",
                    _ => "",
                };
                write!(f, "{}: warning: {fault}{flag} (at byte {at})", shown(name))
            }
            Message::Skipped {
                name,
                reason,
                may_be_text,
            } => {
                let way_out = if *may_be_text {
                    "; --type plain reads it"
                } else {
                    ""
                };
                write!(f, "{}: skipped, {reason}{way_out}", shown(name))
            }
            Message::Notice(name, notice) => {
                let member = notice.member.map(|member| format!("!{member}"));
                let member = member.unwrap_or_default();
                let (message, at) = (&notice.message, notice.span.start);
                write!(
                    f,
                    "{}{member}: warning: {message} (at byte {at})",
                    shown(name)
                )
            }
            Message::BadConfig(error) => error.fmt(f),
            Message::Other(name, text) => write!(f, "{}: {text}", shown(name)),
        }
    }
}
