//! Texts that are held in memory and given to a worker together: most sources in a web archive and
//! most messages in a mailbox are short.

use std::sync::{Arc, Mutex, PoisonError};

use urlint::read::Document;

use super::{SharedSource, Work};

/// Texts of several sources, one after another.
pub(super) struct Held<W: Work> {
    bytes: Vec<u8>,
    entries: Vec<HeldEntry<W>>,
}

struct HeldEntry<W: Work> {
    source: Arc<SharedSource<W>>,
    /// The document without its text; `None` for all of the source.
    document: Option<Document<'static>>,
    /// Where its text ends.
    end: usize,
}

/// A text that is held.
pub(super) enum HeldText<'h> {
    /// All of a source.
    Whole(&'h [u8]),
    /// A document of a source.
    Document(Document<'h>),
}

impl<W: Work> Held<W> {
    /// Creates an empty value that reuses the memory of `bytes`.
    pub(super) fn new(mut bytes: Vec<u8>) -> Self {
        bytes.clear();
        Held {
            bytes,
            entries: Vec::new(),
        }
    }

    /// Adds a copy of a text.
    pub(super) fn add(&mut self, source: &Arc<SharedSource<W>>, text: &HeldText<'_>) {
        let (bytes, document) = match text {
            HeldText::Whole(bytes) => (*bytes, None),
            HeldText::Document(document) => (document.text(), Some(document.with_text(&[]))),
        };
        self.bytes.extend_from_slice(bytes);
        self.entries.push(HeldEntry {
            source: source.clone(),
            document,
            end: self.bytes.len(),
        });
    }

    /// Returns the texts with their sources, in the order in which they were added.
    pub(super) fn texts(&self) -> impl Iterator<Item = (&Arc<SharedSource<W>>, HeldText<'_>)> {
        let mut start = 0;
        self.entries.iter().map(move |entry| {
            let bytes = &self.bytes[start..entry.end];
            start = entry.end;
            let text = match entry.document {
                Some(document) => HeldText::Document(document.with_text(bytes)),
                None => HeldText::Whole(bytes),
            };
            (&entry.source, text)
        })
    }

    /// Returns its memory, for reuse.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

impl HeldText<'_> {
    /// Returns its length, in bytes.
    pub(super) fn len(&self) -> usize {
        match self {
            HeldText::Whole(bytes) => bytes.len(),
            HeldText::Document(document) => document.len(),
        }
    }
}

/// The memory of texts that have been read, for reuse.
#[derive(Default)]
pub(crate) struct Spare(Mutex<Vec<Vec<u8>>>);

impl Spare {
    pub(super) fn take(&self) -> Vec<u8> {
        let mut spare = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        spare.pop().unwrap_or_default()
    }

    pub(super) fn give(&self, bytes: Vec<u8>) {
        let mut spare = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        spare.push(bytes);
    }
}
