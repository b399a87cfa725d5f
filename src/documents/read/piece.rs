//! Documents that are held to be read later, or by another thread.

use super::by_name::ByName;
use crate::document::Kind;
use urlint_standard::text::{Locator, Window};

/// A document that is held as a whole: an entire source, a message of a mailbox, or a piece of
/// JSON.
#[derive(Clone, Copy, Debug)]
pub struct Document<'t> {
    pub(crate) text: &'t [u8],
    /// Where it begins in the source.
    pub(crate) start: u64,
    pub(crate) kind: Kind,
    /// The number of the message in its mailbox, or of the first line if it consists of records.
    pub(crate) member: Option<u64>,
    pub(crate) form: Form,
    pub(crate) by_name: ByName,
    /// Has counted the lines up to the start of the document.
    pub(crate) locator: Locator,
}

/// The part of its source that a document is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// The whole source, or a part that is read by itself.
    Whole,
    /// The whole source, which is plain text.
    Text,
    /// The first piece of a message that is too long.
    Piece,
    /// JSON records, of which only fields are read.
    Records(RecordsEnd),
}

/// Where records end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RecordsEnd {
    /// Before a record that starts anew.
    Record,
    /// After a line, or after the last byte held of a line that is too long.
    Line,
    /// At the end of the source.
    Source,
}

impl<'t> Document<'t> {
    /// The bytes of the document.
    pub fn text(&self) -> &'t [u8] {
        self.text
    }

    /// Returns whether the document is a message.
    pub fn is_message(&self) -> bool {
        matches!(self.kind, Kind::Mail | Kind::Mbox)
    }

    /// Returns the same document with its bytes elsewhere in memory.
    #[must_use]
    pub fn with_text<'b>(&self, text: &'b [u8]) -> Document<'b> {
        Document { text, ..*self }
    }

    /// The document's bytes, and where they are in the source.
    pub(super) fn window(&self) -> Window<'t> {
        Window {
            start: self.start,
            bytes: self.text,
        }
    }

    /// Where the document ends in the source.
    pub(super) fn end(&self) -> u64 {
        self.start + self.text.len() as u64
    }

    /// Returns whether the document consists of records.
    pub(super) fn is_records(&self) -> bool {
        matches!(self.form, Form::Records(_))
    }
}
