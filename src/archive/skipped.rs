//! Why sources are skipped.

use std::fmt;

/// Why a source is skipped. Its text is a phrase, such as `image/png` or `a binary file`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Skipped<'i> {
    /// It is not text: its media type, or a description such as `a binary file`.
    NotText(&'i str),
    /// It is a document that another program makes text of: its format, and how in brackets.
    Document(&'static str),
    /// It has a known format that is not supported, described in words such as `a RAR archive`.
    Unsupported(&'static str),
    /// It is compressed or an archive, and these are not opened.
    Unopened,
}

/// The media types of documents that office programs wrote before they compressed them, and of messages that are signed
/// or encrypted as a whole.
const DOCUMENTS: &str = "application/ms-tnef application/msword application/vnd.ms-excel application/vnd.ms-outlook \
    application/vnd.ms-powerpoint application/vnd.ms-project application/vnd.ms-tnef application/vnd.ms-word \
    application/vnd.ms-works application/pkcs7-mime application/x-pkcs7-mime";

impl Skipped<'_> {
    /// Returns whether the source is a document or an archive, which may hold URLs.
    #[must_use]
    pub fn is_document(&self) -> bool {
        match self {
            Skipped::NotText(media_type) => {
                let mut known = DOCUMENTS.split(' ');
                known.any(|known| known.eq_ignore_ascii_case(media_type))
            }
            _ => true,
        }
    }
}

impl fmt::Display for Skipped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Skipped::NotText(description) => f.write_str(description),
            Skipped::Document(format) => f.write_str(format),
            Skipped::Unsupported(format) => write!(f, "{format}, which is not opened"),
            Skipped::Unopened => f.write_str("compressed or an archive (--archives opens it)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_types_of_documents() {
        for (media_type, expected) in [
            ("application/msword", true),
            ("application/vnd.ms-excel", true),
            ("application/vnd.ms-fontobject", false),
            ("application/x,y", false),
            ("application/x-thing", false),
            ("image/png (a picture)", false),
        ] {
            let is_document = Skipped::NotText(media_type).is_document();
            assert_eq!(is_document, expected, "{media_type}");
        }
    }
}
