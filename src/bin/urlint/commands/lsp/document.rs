//! An open document: its text as the editor has it, which is never read from the file.

use std::path::PathBuf;
use std::rc::Rc;

use gen_lsp_types as lsp;

use super::analysis::Analysis;
use super::config::name_for_reading;
use super::positions::{Encoding, Text};

/// The longest document that is checked after each change, in bytes.
pub(super) const MAX_CHECKED: usize = 16 << 20;

#[derive(Debug)]
pub(super) struct Document {
    pub(super) uri: lsp::Uri,
    pub(super) version: i32,
    pub(super) text: Text,
    /// Its file, if it has one.
    pub(super) path: Option<PathBuf>,
    /// The name by which it is read.
    pub(super) name: String,
    /// What was found in this version of the text, if that has been read.
    pub(super) analysis: Option<Rc<Analysis>>,
    /// Whether the text has changed since it was opened.
    is_changed: bool,
    /// Whether it has diagnostics to be sent.
    pub(super) is_due: bool,
}

impl Document {
    /// A document that is opened. `language` is what the editor calls its language.
    pub(super) fn new(uri: &str, language: &str, version: i32, text: Text) -> Document {
        let path = path_of(uri);
        let name = match &path {
            Some(path) => path.to_string_lossy().into_owned(),
            // Of `untitled:Untitled-1` the end says something.
            None => uri.rsplit(['/', ':']).next().unwrap_or_default().to_owned(),
        };
        Document {
            name: name_for_reading(&name, language),
            uri: uri.into(),
            version,
            text,
            path,
            analysis: None,
            is_changed: false,
            is_due: true,
        }
    }

    /// Makes the changes of the editor, each in the text that those before it have left.
    pub(super) fn change(
        &mut self,
        version: i32,
        changes: Vec<lsp::TextDocumentContentChangeEvent>,
        encoding: Encoding,
    ) {
        use lsp::TextDocumentContentChangeEvent as Event;

        for change in changes {
            match change {
                Event::TextDocumentContentChangePartial(part) => {
                    self.text.replace(part.range, &part.text);
                }
                Event::TextDocumentContentChangeWholeDocument(whole) => {
                    self.text = Text::new(whole.text, encoding);
                }
            }
        }
        self.version = version;
        self.is_changed = true;
        self.forget();
    }

    /// Forgets what was found, since the text or the settings have changed.
    pub(super) fn forget(&mut self) {
        self.analysis = None;
        self.is_due = true;
    }

    /// Returns whether it is too long to be checked after a change.
    pub(super) fn is_left(&self) -> bool {
        self.is_changed && self.text.bytes().len() > MAX_CHECKED
    }
}

/// Returns the path that a `file:` URI names.
pub(super) fn path_of(uri: &str) -> Option<PathBuf> {
    let scheme = uri.get(.."file://".len())?;
    if !scheme.eq_ignore_ascii_case("file://") {
        return None;
    }
    let rest = uri.get("file://".len()..)?;
    let path = &rest[rest.find('/')?..];
    let path = decoded(path);
    // A drive follows the slash.
    let is_drive = |path: &str| matches!(path.as_bytes(), [b'/', drive, b':', ..] if drive.is_ascii_alphabetic());
    let path = match path.strip_prefix('/') {
        Some(drive) if cfg!(windows) && is_drive(&path) => drive.to_owned(),
        _ => path,
    };
    Some(PathBuf::from(path))
}

/// Returns `text` with its percent-encoded bytes decoded; what is not UTF-8 then becomes U+FFFD.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digits = after
            .get(..2)
            .filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match byte.filter(|_| first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_file_uris_have_paths() {
        for (uri, expected) in [
            ("file:///a/b.txt", Some("/a/b.txt")),
            ("file:///a%20b/%C3%A9.md", Some("/a b/é.md")),
            ("file:///a%2", Some("/a%2")),
            ("file://localhost/a", Some("/a")),
            ("untitled:Untitled-1", None),
            ("file:", None),
        ] {
            let expected = expected.map(PathBuf::from);
            assert_eq!(path_of(uri), expected, "{uri}");
        }
    }
}
