//! Documents that are held to be read later, or by another thread.

use super::by_name::ByName;
use crate::document::Kind;
use crate::text::position::Locator;

/// A document that is held as a whole: all of a source, a message of a mailbox, or a piece of JSON.
#[derive(Clone, Copy, Debug)]
pub struct Document<'t> {
    pub(crate) text: &'t [u8],
    /// Where it begins in the source.
    pub(crate) start: u64,
    pub(crate) kind: Kind,
    /// The number of the message in its mailbox, or that of the first line if it is records.
    pub(crate) member: Option<u64>,
    pub(crate) form: Form,
    pub(crate) by_name: ByName,
    /// Has counted the lines up to where the document begins.
    pub(crate) locator: Locator,
}

/// What part of its source a document is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// All of it, or a part that is read by itself.
    Whole,
    /// All of it, which is plain text.
    Text,
    /// The first piece of a message that is too long.
    Piece,
    /// Records of JSON of which only fields are read.
    Records(RecordsEnd),
}

/// Where records end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RecordsEnd {
    /// Before a record that continues nothing.
    Record,
    /// After a line, or with the last byte that is held of a line that is too long.
    Line,
    /// At the end of the source.
    Source,
}

impl Document<'_> {
    /// The length of the document, in bytes.
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// Returns whether the document has no bytes.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }
}

/// Consecutive documents of a source with a copy of their bytes, to be read later or by another
/// thread.
///
/// ```
/// use urlint::read::{Batch, Event, Reader, Share};
///
/// let source: &[u8] = b"From joe Mon Mar  3 12:00:00 2003\nSubject: one\n\nhttp://a.example/\n\n\
///     From sue Mon Mar  3 12:00:00 2003\nSubject: two\n\nhttp://b.example/\n";
/// let reader = Reader::default();
/// let mut batch = Batch::default();
/// reader.share(b"march.mbox", source, &mut |share| {
///     if let Share::Document(document) = share {
///         batch.add(&document);
///     }
///     Ok::<(), std::io::Error>(())
/// })?;
/// assert_eq!(batch.len(), source.len());
///
/// let mut urls = Vec::new();
/// for document in batch.documents() {
///     reader.document(&document, &mut |event| {
///         if let Event::Found(found) = event {
///             urls.push((found.candidate.text.to_vec(), found.member));
///         }
///         Ok::<(), std::io::Error>(())
///     })?;
/// }
/// assert_eq!(urls[1], (b"http://b.example/".to_vec(), Some(2)));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Batch {
    bytes: Vec<u8>,
    /// Each document without its text, and where that ends in `bytes`.
    documents: Vec<(usize, Document<'static>)>,
}

impl Batch {
    /// Adds a copy of a document.
    pub fn add(&mut self, document: &Document<'_>) {
        self.bytes.extend_from_slice(document.text);
        let empty = Document {
            text: &[],
            ..*document
        };
        self.documents.push((self.bytes.len(), empty));
    }

    /// Removes all documents, but keeps the memory for others.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.documents.clear();
    }

    /// The length of all documents together, in bytes.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Returns whether the documents have no bytes.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The documents, in the order in which they were added.
    pub fn documents(&self) -> impl Iterator<Item = Document<'_>> {
        let mut start = 0;
        self.documents.iter().map(move |&(end, document)| {
            let text = &self.bytes[start..end];
            start = end;
            Document { text, ..document }
        })
    }
}
