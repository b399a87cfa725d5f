//! Entities: the description of a body in the header of a message, or of a part of one (RFC 2045).

use crate::document::{Kind, MAX_BASE};
use urlint_standard::text::ascii::{WordList, begins};
use urlint_standard::url::resolve;
use urlint_view::encoded_words;
use urlint_view::parameters::parameters;
use urlint_view::transfer::Encoding;
use urlint_view::{Layer, View};

/// The description of a body in the header of a message, or of a part of one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Entity {
    /// The media type, in lower case: `text/plain`.
    pub(super) media: Option<Vec<u8>>,
    pub(super) boundary: Option<Vec<u8>>,
    pub(super) charset: Option<Vec<u8>>,
    pub(super) encoding: Option<Transfer>,
    /// The name of the file.
    pub(super) name: Option<Vec<u8>>,
    /// The URL of the body, which may be relative to the URL of the multipart around it (RFC 2557, section 5).
    pub(super) location: Option<Vec<u8>>,
    pub(super) around: Option<Vec<u8>>,
    pub(super) flowed: bool,
    pub(super) delsp: bool,
    /// Whether this is a part of a digest, so that its media type is `message/rfc822` by default.
    pub(super) digest: bool,
}

/// A content transfer encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Transfer {
    /// `7bit`, `8bit` and `binary`: the body is not encoded.
    Identity,
    Encoded(Encoding),
    /// An encoding that is not known.
    Unknown,
}

/// Extensions of text besides those that [`Kind`] knows.
const TEXTS: WordList = WordList("asc err log lst text txt");

impl Entity {
    /// Returns the URL that relative URLs of the body are relative to, if there is one of at most [`MAX_BASE`]
    /// bytes.
    pub(super) fn base(&self) -> Option<Vec<u8>> {
        let base = match (&self.location, &self.around) {
            (Some(own), Some(around)) => resolve(around, own).unwrap_or_else(|| own.clone()),
            (own, around) => own.as_ref().or(around.as_ref())?.clone(),
        };
        Some(base).filter(|base| base.len() <= MAX_BASE)
    }

    /// Takes the field `name`, if it says something about the body. The first of several fields
    /// with the same name counts.
    pub(super) fn take(&mut self, name: &[u8], value: &[u8]) {
        // Most names begin with another letter.
        if !matches!(name, [b'c' | b'C', ..]) || !begins(name, "content-") {
            return;
        }
        match name["content-".len()..].to_ascii_lowercase().as_slice() {
            b"type" if self.media.is_none() => self.take_type(value),
            b"transfer-encoding" if self.encoding.is_none() => {
                self.encoding = Some(transfer(value));
            }
            b"disposition" => {
                let (_, parameters) = parameters(value);
                self.name = parameters.filename.or(self.name.take());
            }
            b"location" if self.location.is_none() => {
                // It may be folded anywhere (RFC 2557, section 4.4.2).
                let mut location = value.to_vec();
                location.retain(|byte| !byte.is_ascii_whitespace());
                self.location = Some(location);
            }
            _ => {}
        }
    }

    fn take_type(&mut self, value: &[u8]) {
        let (media, parameters) = parameters(value);
        let is_media = media.iter().filter(|&&byte| byte == b'/').count() == 1;
        self.media = Some(if is_media {
            media
        } else {
            b"text/plain".to_vec()
        });
        let is = |value: &Option<Vec<u8>>, name: &str| {
            let value = value.as_deref().unwrap_or_default();
            value.eq_ignore_ascii_case(name.as_bytes())
        };
        self.flowed = is(&parameters.format, "flowed");
        self.delsp = is(&parameters.delsp, "yes");
        self.boundary = parameters.boundary;
        self.charset = parameters.charset;
        self.name = self.name.take().or(parameters.name);
    }

    pub(super) fn media(&self) -> &[u8] {
        match &self.media {
            Some(media) => media,
            None if self.digest => b"message/rfc822",
            None => b"text/plain",
        }
    }

    pub(super) fn is_multipart(&self) -> bool {
        self.media().starts_with(b"multipart/")
    }

    pub(super) fn is_message(&self) -> bool {
        let media = self.media();
        media.starts_with(b"message/") && Kind::from_media_type(media) == Some(Kind::Mail)
    }

    /// Returns whether the body is in the text of the message as it is.
    pub(super) fn is_identity(&self) -> bool {
        !matches!(self.encoding, Some(Transfer::Encoded(_)))
    }

    /// The kind of document that the body is; `None` if it is not text.
    pub(super) fn kind(&self) -> Option<Kind> {
        let media = self.media();
        Kind::from_media_type(media).or_else(|| match media {
            b"application/octet-stream" | b"application/x-unknown" | b"application/unknown" => {
                self.kind_by_name()
            }
            // A multipart that could not be split gets here.
            media if media.starts_with(b"message/") || self.is_multipart() => Some(Kind::Plain),
            _ => None,
        })
    }

    /// The kind that the extension of the file's name belongs to.
    fn kind_by_name(&self) -> Option<Kind> {
        let name = self.name.as_deref().unwrap_or_default();
        let mut decoded = View::new(Layer::Opaque);
        encoded_words::decode(name, 0, &mut decoded);
        let name = decoded.text().trim_ascii_end();
        let extension = &name[memchr::memrchr(b'.', name)? + 1..];
        if TEXTS.contains(extension) {
            return Some(Kind::Plain);
        }
        // The name may look like a message in a maildir, but belongs to an attachment.
        Kind::from_path(name).or_else(|| Kind::from_extension(extension))
    }
}

fn transfer(value: &[u8]) -> Transfer {
    let (token, _) = parameters(value);
    match token.as_slice() {
        b"base64" => Transfer::Encoded(Encoding::Base64),
        b"quoted-printable" => Transfer::Encoded(Encoding::QuotedPrintable),
        // `7-bit`, `8 bits` and the like are as frequent as they are wrong.
        token if token.is_empty() || matches!(token[0], b'7' | b'8') || token == b"binary" => {
            Transfer::Identity
        }
        _ => Transfer::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings() {
        let cases = [
            (
                " Quoted-Printable",
                Transfer::Encoded(Encoding::QuotedPrintable),
            ),
            ("base64 ; x=y", Transfer::Encoded(Encoding::Base64)),
            (
                " base64\r\n (what else)",
                Transfer::Encoded(Encoding::Base64),
            ),
            ("7bit", Transfer::Identity),
            ("8-bit", Transfer::Identity),
            ("", Transfer::Identity),
            ("x-uuencode", Transfer::Unknown),
        ];
        for (value, expected) in cases {
            assert_eq!(transfer(value.as_bytes()), expected, "{value:?}");
        }
    }

    #[test]
    fn kinds() {
        let cases = [
            ("", Some(Kind::Plain)),
            ("text/plain", Some(Kind::Plain)),
            ("garbage", Some(Kind::Plain)),
            ("Text/HTML; charset=x", Some(Kind::Html)),
            ("text/x-what", Some(Kind::Plain)),
            ("text/markdown", Some(Kind::Markdown)),
            ("text/xml", Some(Kind::Xml)),
            ("application/rss+xml", Some(Kind::Xml)),
            ("application/xhtml+xml", Some(Kind::Html)),
            ("image/svg+xml", Some(Kind::Xml)),
            ("message/rfc822", Some(Kind::Mail)),
            ("message/delivery-status", Some(Kind::Plain)),
            ("application/mbox", Some(Kind::Mbox)),
            ("application/json", Some(Kind::Json)),
            ("application/ld+json", Some(Kind::Json)),
            ("text/uri-list", Some(Kind::Urls)),
            ("text/calendar; method=REQUEST", Some(Kind::Calendar)),
            ("text/x-vcard", Some(Kind::Calendar)),
            ("application/octet-stream; name=a.vcf", Some(Kind::Calendar)),
            ("multipart/mixed", Some(Kind::Plain)),
            ("application/octet-stream; name=a.txt", Some(Kind::Plain)),
            (
                "application/octet-stream; name=1049000000.a.b.html",
                Some(Kind::Html),
            ),
            ("application/octet-stream", None),
            ("application/octet-stream; name=a.PATCH", Some(Kind::Plain)),
            ("application/octet-stream; name=a.eml", Some(Kind::Mail)),
            ("application/octet-stream; name=a.zip", None),
            (
                "application/octet-stream; name==?utf-8?q?a=2Ehtml?=",
                Some(Kind::Html),
            ),
            ("application/pgp-signature; name=a.asc", None),
            ("application/pkcs7-mime", None),
            ("image/png", None),
        ];
        for (value, expected) in cases {
            let mut entity = Entity::default();
            entity.take(b"Content-Type", value.as_bytes());
            assert_eq!(entity.kind(), expected, "{value}");
        }
    }
}
