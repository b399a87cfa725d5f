//! Texts that are held in memory and given to a worker together: most sources in a web archive and
//! most messages in a mailbox are short.

use std::sync::Arc;

use super::{Opened, Source, Work};
use urlint_documents::read::Document;

/// Texts of several sources, one after another.
pub(super) struct TextBatch<W: Work> {
    bytes: Vec<u8>,
    /// The texts, each with where it ends.
    texts: Vec<(Part<W>, usize)>,
}

/// A source, or a part of it, without its bytes.
pub(super) enum Part<W: Work> {
    /// All of a source, which has not been begun.
    Source(Source),
    /// A document of a source.
    Document(Arc<Opened<W>>, Document<'static>),
}

impl<W: Work> Part<W> {
    /// Returns the source.
    pub(super) fn source(&self) -> &Source {
        match self {
            Part::Source(source) => source,
            Part::Document(opened, _) => &opened.source,
        }
    }
}

impl<W: Work> TextBatch<W> {
    /// Creates an empty value that uses the memory of `bytes`, which is empty.
    pub(super) fn new(bytes: Vec<u8>) -> Self {
        let texts = Vec::new();
        TextBatch { bytes, texts }
    }

    /// Adds a copy of a text.
    pub(super) fn add(&mut self, part: Part<W>, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        self.texts.push((part, self.bytes.len()));
    }

    /// Passes each text to `take`, as it was added and in that order. Returns the memory, for reuse.
    pub(super) fn each<E>(
        self,
        mut take: impl FnMut(Part<W>, &[u8]) -> Result<(), E>,
    ) -> Result<Vec<u8>, E> {
        let mut start = 0;
        for (part, end) in self.texts {
            take(part, &self.bytes[start..end])?;
            start = end;
        }
        Ok(self.bytes)
    }
}
