//! What the header of an entity says about its body: RFC 2045.

use super::field::starts_with;
use super::parameters::parameters;
use crate::view::transfer::Encoding;

/// What is known of a message, or a part of one, from its header.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Entity {
    /// The media type, in lower case: `text/plain`.
    pub(super) media: Option<Vec<u8>>,
    pub(super) boundary: Option<Vec<u8>>,
    pub(super) charset: Option<Vec<u8>>,
    pub(super) encoding: Option<Transfer>,
    /// The file name.
    pub(super) name: Option<Vec<u8>>,
    pub(super) flowed: bool,
    pub(super) delsp: bool,
    /// Whether it is part of a digest, so that it is a message unless it says otherwise.
    pub(super) digest: bool,
}

/// A content transfer encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Transfer {
    /// `7bit`, `8bit` and `binary`: none at all.
    Same,
    Encoded(Encoding),
    /// One that nothing is known about.
    Unknown,
}

impl Entity {
    /// Takes in the field `name`, if it tells something about the body. Of several with one name
    /// the first counts.
    pub(super) fn take(&mut self, name: &[u8], value: &[u8]) {
        if !starts_with(name, "content-") {
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
            _ => {}
        }
    }

    fn take_type(&mut self, value: &[u8]) {
        let (media, parameters) = parameters(value);
        let is_media = media.iter().filter(|&&byte| byte == b'/').count() == 1;
        self.media = Some(match is_media {
            true => media,
            false => b"text/plain".to_vec(),
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
        let names: [&[u8]; 3] = [b"message/rfc822", b"message/global", b"message/news"];
        names.contains(&media)
    }

    /// Whether the body stands as it is in the text of the message.
    pub(super) fn is_same(&self) -> bool {
        !matches!(self.encoding, Some(Transfer::Encoded(_)))
    }
}

fn transfer(value: &[u8]) -> Transfer {
    let (token, _) = parameters(value);
    match token.as_slice() {
        b"base64" => Transfer::Encoded(Encoding::Base64),
        b"quoted-printable" => Transfer::Encoded(Encoding::QuotedPrintable),
        // `7-bit`, `8 bits` and the like are as frequent as they are wrong.
        token if token.is_empty() || matches!(token[0], b'7' | b'8') || token == b"binary" => {
            Transfer::Same
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
            ("7bit", Transfer::Same),
            ("8-bit", Transfer::Same),
            ("", Transfer::Same),
            ("x-uuencode", Transfer::Unknown),
        ];
        for (value, expected) in cases {
            assert_eq!(transfer(value.as_bytes()), expected, "{value:?}");
        }
    }
}
