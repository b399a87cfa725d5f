//! Entities: the description of a body in the header of a message, or of a part of one (RFC 2045).

use urlint_standard::text::ascii::begins;
use urlint_standard::url::resolve;
use urlint_view::encoded_words;
use urlint_view::parameters::parameters;
use urlint_view::transfer::Encoding;
use urlint_view::{Layer, View};

/// The description of a body in the header of a message, or of a part of one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entity {
    /// The media type, in lower case: `text/plain`.
    pub(crate) media: Option<Vec<u8>>,
    pub(crate) boundary: Option<Vec<u8>>,
    pub charset: Option<Vec<u8>>,
    pub encoding: Option<Transfer>,
    /// The name of the file.
    pub(crate) name: Option<Vec<u8>>,
    /// The URL of the body, which may be relative to the URL of the multipart around it (RFC 2557, section 5).
    pub(crate) location: Option<Vec<u8>>,
    pub(crate) around: Option<Vec<u8>>,
    pub flowed: bool,
    pub delsp: bool,
    /// Whether this is a part of a digest, so that its media type is `message/rfc822` by default.
    pub(crate) digest: bool,
}

/// A content transfer encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transfer {
    /// `7bit`, `8bit` and `binary`: the body is not encoded.
    Identity,
    Encoded(Encoding),
    /// An encoding that is not known.
    Unknown,
}

/// The media types of messages.
pub const MESSAGES: &[&str] = &["message/rfc822", "message/global", "message/news"];

/// The greatest length of a base, in bytes, since each target may repeat it.
pub const MAX_BASE: usize = 4_096;

impl Entity {
    /// Returns the URL that relative URLs of the body are relative to, if there is one of at most [`MAX_BASE`]
    /// bytes.
    pub fn base(&self) -> Option<Vec<u8>> {
        let base = match (&self.location, &self.around) {
            (Some(own), Some(around)) => resolve(around, own).unwrap_or_else(|| own.clone()),
            (own, around) => own.as_ref().or(around.as_ref())?.clone(),
        };
        Some(base).filter(|base| base.len() <= MAX_BASE)
    }

    /// Takes the field `name`, if it says something about the body. The first of several fields
    /// with the same name counts.
    pub fn take(&mut self, name: &[u8], value: &[u8]) {
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
                let (_, mut parameters) = parameters(value);
                self.name = parameters.take("filename").or(self.name.take());
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
        let (media, mut parameters) = parameters(value);
        let is_media = media.iter().filter(|&&byte| byte == b'/').count() == 1;
        self.media = Some(if is_media {
            media
        } else {
            b"text/plain".to_vec()
        });
        let mut is = |name: &str, expected: &[u8]| {
            let value = parameters.take(name);
            value.is_some_and(|value| value.eq_ignore_ascii_case(expected))
        };
        self.flowed = is("format", b"flowed");
        self.delsp = is("delsp", b"yes");
        self.boundary = parameters.take("boundary");
        self.charset = parameters.take("charset");
        self.name = self.name.take().or(parameters.take("name"));
    }

    pub fn media(&self) -> &[u8] {
        match &self.media {
            Some(media) => media,
            None if self.digest => b"message/rfc822",
            None => b"text/plain",
        }
    }

    pub fn is_multipart(&self) -> bool {
        self.media().starts_with(b"multipart/")
    }

    pub(crate) fn is_message(&self) -> bool {
        let media = self.media();
        MESSAGES.iter().any(|known| media == known.as_bytes())
    }

    /// Returns whether the body is in the text of the message as it is.
    pub(crate) fn is_identity(&self) -> bool {
        !matches!(self.encoding, Some(Transfer::Encoded(_)))
    }

    /// The name of the file, decoded; empty if there is none.
    pub fn decoded_name(&self) -> Vec<u8> {
        let mut decoded = View::new(Layer::Opaque);
        encoded_words::decode(self.name.as_deref().unwrap_or_default(), 0, &mut decoded);
        decoded.text().to_vec()
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
}
