//! Documents that are held to be read later, or by somebody else.

use crate::document::Kind;
use crate::text::position::Locator;

/// A document of a source that is held whole, a message of a mailbox, or a piece of JSON.
#[derive(Clone, Copy, Debug)]
pub struct Document<'t> {
    pub(crate) text: &'t [u8],
    /// Where it begins in the source.
    pub(crate) start: u64,
    pub(crate) kind: Kind,
    /// Which message of a mailbox it is, or the number of its first line if it is records.
    pub(crate) member: Option<u64>,
    pub(crate) form: Form,
    /// Whether it is source code, as the path of its source tells.
    pub(crate) code: bool,
    /// Counts lines up to where it begins.
    pub(crate) locator: Locator,
}

/// What a document is of its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// All of it, or something that is read by itself.
    Whole,
    /// The first piece of a message that is too long.
    Piece,
    /// Records of JSON, of which only fields are read.
    Records(RecordsEnd),
}

/// Where records end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RecordsEnd {
    /// In front of a record that nothing goes on with.
    Record,
    /// Behind a line, or with the last byte of what is read of one that is too long.
    Line,
    /// At the end of the source.
    Source,
}

impl Document<'_> {
    /// How many bytes it has.
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }
}

/// Documents of a source, one behind the other, with their bytes: to be read by another thread, or
/// later.
///
/// ```
/// use urlint::{Event, Portion, Reading, Share};
///
/// let source: &[u8] = b"From joe Mon Mar  3 12:00:00 2003\nSubject: one\n\nhttp://a.example/\n\n\
///     From sue Mon Mar  3 12:00:00 2003\nSubject: two\n\nhttp://b.example/\n";
/// let reading = Reading::default();
/// let mut portion = Portion::default();
/// reading.share(b"march.mbox", source, &mut |share| {
///     if let Share::Document(document) = share {
///         portion.add(&document);
///     }
///     Ok::<(), std::io::Error>(())
/// })?;
/// assert_eq!(portion.len(), source.len());
///
/// let mut urls = Vec::new();
/// for document in portion.documents() {
///     reading.document(&document, &mut |event| {
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
pub struct Portion {
    bytes: Vec<u8>,
    /// Each document without its text, and where that ends in `bytes`.
    documents: Vec<(usize, Document<'static>)>,
}

impl Portion {
    /// Adds a document, which is copied.
    pub fn add(&mut self, document: &Document<'_>) {
        self.bytes.extend_from_slice(document.text);
        let empty = Document {
            text: &[],
            ..*document
        };
        self.documents.push((self.bytes.len(), empty));
    }

    /// Gives up its documents, and keeps its room for others.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.documents.clear();
    }

    /// How many bytes its documents have.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether its documents have no bytes.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Its documents, in order.
    pub fn documents(&self) -> impl Iterator<Item = Document<'_>> {
        let mut start = 0;
        self.documents.iter().map(move |&(end, document)| {
            let text = &self.bytes[start..end];
            start = end;
            Document { text, ..document }
        })
    }
}
