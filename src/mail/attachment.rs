//! Attachments: parts of a message that are not text.

use std::borrow::Cow;

use super::entity::{Entity, Transfer};
use super::outline::{LazyOutline, Letter};
use urlint_standard::text::Span;
use urlint_view::transfer::{self, Encoding};

/// The longest name, in bytes: each member of an archive repeats it.
const LONGEST_NAME: usize = 255;

/// How much of an encoded attachment is decoded for each byte of its [beginning](Attachment::beginning): Base64
/// takes 4 bytes for 3, and line breaks.
const ENCODED: usize = 4;

/// A part of a message that is not text: an archive, an image, or anything else.
///
/// ```
/// use urlint::{Event, Reader};
///
/// let message: &[u8] = b"MIME-Version: 1.0\nContent-Type: application/zip; name=a.zip\n\
///     Content-Transfer-Encoding: base64\n\nUEsFBgAA\n";
/// Reader::default().read(b"1.eml", message, &mut |event| {
///     if let Event::Attachment(attachment) = event {
///         assert_eq!(attachment.name(), b"a.zip");
///         assert_eq!(&*attachment.bytes(), b"PK\x05\x06\0\0");
///     }
///     Ok::<(), std::io::Error>(())
/// })?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Attachment<'m> {
    name: Vec<u8>,
    media_type: String,
    raw: Cow<'m, [u8]>,
    encoding: Option<Encoding>,
    /// The bytes of the source that it is read from, encoded.
    pub span: Span,
    /// The number of the message in its mailbox, from 1.
    pub member: Option<u64>,
    /// The outline of its message.
    #[doc(hidden)]
    pub outline: Option<&'m LazyOutline<'m>>,
}

impl<'m> Attachment<'m> {
    /// The body `raw` of an entity, at `span`. `number` is the number of the part.
    #[doc(hidden)]
    pub fn new(raw: &'m [u8], span: Span, entity: &Entity, number: &[u32]) -> Self {
        Attachment {
            name: name(entity, number),
            media_type: super::shown(entity.media()),
            raw: raw.into(),
            encoding: match entity.encoding {
                Some(Transfer::Encoded(encoding)) => Some(encoding),
                _ => None,
            },
            span,
            member: None,
            outline: None,
        }
    }

    /// The header of the message that it is attached to.
    #[doc(hidden)]
    pub fn letter(&self) -> Option<Letter> {
        self.outline?.at(self.span.start).map(Letter::of)
    }

    /// The name of the file without folders, at most 255 bytes of it; if it has none, the number of the part,
    /// as in IMAP: `2.1`.
    pub fn name(&self) -> &[u8] {
        &self.name
    }

    /// The media type as the message has it, such as `application/zip`.
    pub fn media_type(&self) -> &str {
        &self.media_type
    }

    /// The decoded bytes.
    pub fn bytes(&self) -> Cow<'_, [u8]> {
        decoded(&self.raw, self.encoding)
    }

    /// The first of the decoded bytes, about `count`, without the work of decoding all of them.
    pub fn beginning(&self, count: usize) -> Cow<'_, [u8]> {
        let most = self.raw.len().min(count.saturating_mul(ENCODED));
        decoded(&self.raw[..most], self.encoding)
    }

    /// The same attachment at another place, with a copy of the bytes if they are borrowed.
    #[doc(hidden)]
    #[must_use]
    pub fn moved(self, span: Span) -> Attachment<'static> {
        Attachment {
            raw: self.raw.into_owned().into(),
            span,
            outline: None,
            ..self
        }
    }
}

fn decoded(raw: &[u8], encoding: Option<Encoding>) -> Cow<'_, [u8]> {
    match encoding {
        Some(encoding) => transfer::decode(raw, encoding).view.into_text(),
        None => raw.into(),
    }
}

fn name(entity: &Entity, number: &[u32]) -> Vec<u8> {
    let name = &entity.decoded_name()[..];
    let file = memchr::memrchr2(b'/', b'\\', name).map_or(name, |slash| &name[slash + 1..]);
    match file.trim_ascii() {
        b"" => super::numbered(number).into_bytes(),
        // The end has the extension.
        name => name[name.len().saturating_sub(LONGEST_NAME)..].to_vec(),
    }
}
