//! The record of a document in a web archive.

use super::Letter;

/// The record of a document in a web archive: facts from the header of the record (WARC, ISO 28500; or ARC),
/// and from the header of the HTTP message in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct WebRecord {
    /// The URL that the document was fetched from: `WARC-Target-URI`.
    pub target: Option<Vec<u8>>,
    /// When that was, as the archive writes it: `WARC-Date`, `2016-01-11T23:24:05Z`, or 14 digits.
    pub date: Option<Vec<u8>>,
    /// The type of the record: `response`. ARC has none.
    pub kind: Option<Vec<u8>>,
    /// The status code of HTTP.
    pub status: Option<u16>,
    /// The header of the message that the document is attached to, if it is in no archive of the web.
    #[doc(hidden)]
    pub letter: Option<Letter>,
}
