//! The kinds of bodies of messages.

use crate::document::Kind;
use urlint_mail::entity::Entity;
use urlint_standard::text::ascii::WordList;

/// Extensions of text besides those that [`Kind`] knows.
const TEXTS: WordList = WordList("asc err log lst text txt");

/// The kind of document that a body is; `None` if it is not text.
pub(super) fn of_body(entity: &Entity) -> Option<Kind> {
    let media = entity.media();
    Kind::from_media_type(media).or_else(|| match media {
        b"application/octet-stream" | b"application/x-unknown" | b"application/unknown" => {
            by_name(&entity.decoded_name())
        }
        // A multipart that could not be split gets here.
        media if media.starts_with(b"message/") || entity.is_multipart() => Some(Kind::Plain),
        _ => None,
    })
}

/// The kind that the extension of the file's name belongs to.
fn by_name(name: &[u8]) -> Option<Kind> {
    let name = name.trim_ascii_end();
    let extension = &name[memchr::memrchr(b'.', name)? + 1..];
    if TEXTS.contains(extension) {
        return Some(Kind::Plain);
    }
    // The name may look like a message in a maildir, but belongs to an attachment.
    Kind::from_path(name).or_else(|| Kind::from_extension(extension))
}

#[cfg(test)]
mod tests {
    use super::*;

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
            assert_eq!(of_body(&entity), expected, "{value}");
        }
    }
}
