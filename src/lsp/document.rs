//! An open document: its text as the editor has it, which is never read from the file.

use std::path::PathBuf;
use std::rc::Rc;

use serde::Deserialize;

use super::analysis::{Analysis, Subject};
use super::config::{Rules, name_for_reading};
use super::positions::{Encoding, Range, Text};
use super::uri::path_of;

/// The longest document that is checked after each change, in bytes.
pub(super) const MAX_CHECKED: usize = 16 << 20;

#[derive(Debug)]
pub(super) struct Document {
    pub(super) uri: String,
    pub(super) version: i32,
    pub(super) text: Text,
    /// Its file, if it has one.
    pub(super) path: Option<PathBuf>,
    /// The name by which it is read.
    pub(super) name: String,
    /// The URLs and diagnostics of this version of the text, if that has been read.
    pub(super) analysis: Option<Rc<Analysis>>,
    /// Whether the text has changed since it was opened.
    is_changed: bool,
    /// Whether it has diagnostics to be sent.
    pub(super) is_due: bool,
}

/// The text that the editor writes at `range`, or instead of the whole text.
#[derive(Deserialize)]
pub(super) struct Change {
    range: Option<Range>,
    text: String,
}

impl Document {
    /// Creates a document that was opened. `language` is the editor's name for its language.
    pub(super) fn new(uri: &str, language: &str, version: i32, text: Text) -> Document {
        let path = path_of(uri);
        let name = match &path {
            Some(path) => path.to_string_lossy().into_owned(),
            // In `untitled:Untitled-1`, only the end is a name.
            None => uri.rsplit(['/', ':']).next().unwrap_or_default().to_owned(),
        };
        Document {
            name: name_for_reading(&name, language),
            uri: uri.to_owned(),
            version,
            text,
            path,
            analysis: None,
            is_changed: false,
            is_due: true,
        }
    }

    /// Returns how the document is read by `rules`.
    pub(super) fn subject<'d>(&'d self, rules: &'d Rules) -> Subject<'d> {
        let name = &self.name;
        Subject { rules, name }
    }

    /// Applies the changes of the editor, one after another.
    pub(super) fn change(&mut self, version: i32, changes: Vec<Change>, encoding: Encoding) {
        for Change { range, text } in changes {
            match range {
                Some(range) => self.text.replace(range, &text),
                None => self.text = Text::new(text, encoding),
            }
        }
        self.version = version;
        self.is_changed = true;
        self.forget();
    }

    /// Forgets the URLs and diagnostics, because the text or the settings have changed.
    pub(super) fn forget(&mut self) {
        self.analysis = None;
        self.is_due = true;
    }

    /// Returns whether it has changed and is too long to be checked again.
    pub(super) fn is_unchecked(&self) -> bool {
        self.is_changed && self.text.bytes().len() > MAX_CHECKED
    }
}
