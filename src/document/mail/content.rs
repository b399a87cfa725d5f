//! What is to be done with a body, by its media type.

use super::entity::Entity;
use super::words;
use crate::document::Kind;
use crate::view::{Layer, View};

/// What a body is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// A document of this kind.
    Text(Kind),
    /// No text.
    Other,
}

/// Extensions of text that `Kind` does not know, since it is read as it stands.
const TEXTS: [&str; 33] = [
    "asc", "c", "cc", "cfg", "conf", "cpp", "css", "csv", "diff", "err", "go", "h", "hpp", "ics",
    "ini", "java", "js", "log", "lst", "patch", "php", "pl", "py", "rb", "rs", "sh", "sql", "text",
    "toml", "ts", "txt", "vcf", "yaml",
];

/// Subtypes of `application` that are text read as it stands.
const APPLICATIONS: [&str; 16] = [
    "ecmascript",
    "javascript",
    "mbox",
    "sql",
    "toml",
    "x-csh",
    "x-diff",
    "x-httpd-php",
    "x-javascript",
    "x-patch",
    "x-perl",
    "x-python",
    "x-sh",
    "x-shellscript",
    "x-yaml",
    "yaml",
];

/// What the body of an entity is.
pub(super) fn content(entity: &Entity) -> Content {
    let media = entity.media();
    let mut names = media.splitn(2, |&byte| byte == b'/');
    let (kind, subtype) = (names.next(), names.next().unwrap_or_default());
    if subtype.ends_with(b"+xml") || subtype == b"xml" {
        return match subtype {
            b"xhtml+xml" => Content::Text(Kind::Html),
            _ => Content::Text(Kind::Xml),
        };
    }
    match kind.unwrap_or_default() {
        b"text" => Content::Text(text(subtype)),
        b"message" if entity.is_message() => Content::Text(Kind::Mail),
        // A multipart gets here if it could not be taken apart.
        b"message" | b"multipart" => Content::Text(Kind::Plain),
        b"application" => application(subtype, entity),
        _ => Content::Other,
    }
}

fn text(subtype: &[u8]) -> Kind {
    match subtype {
        b"html" | b"x-html" => Kind::Html,
        b"markdown" | b"x-markdown" | b"x-web-markdown" => Kind::Markdown,
        b"troff" => Kind::Roff,
        b"x-rst" | b"prs.fallenstein.rst" => Kind::Rst,
        b"asciidoc" | b"x-asciidoc" => Kind::Asciidoc,
        b"x-tex" | b"x-latex" => Kind::Tex,
        _ => Kind::Plain,
    }
}

fn application(subtype: &[u8], entity: &Entity) -> Content {
    let known = APPLICATIONS
        .iter()
        .find(|known| known.as_bytes() == subtype);
    match (known, subtype) {
        (Some(&"mbox"), _) => Content::Text(Kind::Mbox),
        (Some(_), _) => Content::Text(Kind::Plain),
        (_, b"json") => Content::Text(Kind::Json),
        (_, b"x-tex" | b"x-latex") => Content::Text(Kind::Tex),
        (_, b"octet-stream" | b"x-unknown" | b"unknown") => by_name(entity),
        _ => Content::Other,
    }
}

/// What the extension of the file's name tells.
fn by_name(entity: &Entity) -> Content {
    let name = entity.name.as_deref().unwrap_or_default();
    let mut decoded = View::new(Layer::Opaque);
    words::decode(name, 0, &mut decoded);
    let name = decoded.text().trim_ascii_end();
    if let Some(kind) = Kind::of_path(name) {
        return Content::Text(kind);
    }
    let Some(dot) = memchr::memrchr(b'.', name) else {
        return Content::Other;
    };
    let extension = name[dot + 1..].to_ascii_lowercase();
    match extension.as_slice() {
        b"htm" | b"html" | b"xhtml" => Content::Text(Kind::Html),
        b"xml" => Content::Text(Kind::Xml),
        b"md" | b"markdown" => Content::Text(Kind::Markdown),
        b"eml" => Content::Text(Kind::Mail),
        _ if TEXTS.iter().any(|known| known.as_bytes() == extension) => Content::Text(Kind::Plain),
        _ => Content::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_type_and_name() {
        let cases = [
            ("", Content::Text(Kind::Plain)),
            ("text/plain", Content::Text(Kind::Plain)),
            ("garbage", Content::Text(Kind::Plain)),
            ("Text/HTML; charset=x", Content::Text(Kind::Html)),
            ("text/x-what", Content::Text(Kind::Plain)),
            ("text/markdown", Content::Text(Kind::Markdown)),
            ("text/xml", Content::Text(Kind::Xml)),
            ("application/rss+xml", Content::Text(Kind::Xml)),
            ("application/xhtml+xml", Content::Text(Kind::Html)),
            ("image/svg+xml", Content::Text(Kind::Xml)),
            ("message/rfc822", Content::Text(Kind::Mail)),
            ("message/delivery-status", Content::Text(Kind::Plain)),
            ("application/mbox", Content::Text(Kind::Mbox)),
            ("application/json", Content::Text(Kind::Json)),
            ("application/octet-stream", Content::Other),
            (
                "application/octet-stream; name=a.PATCH",
                Content::Text(Kind::Plain),
            ),
            (
                "application/octet-stream; name=a.eml",
                Content::Text(Kind::Mail),
            ),
            ("application/octet-stream; name=a.zip", Content::Other),
            (
                "application/octet-stream; name==?utf-8?q?a=2Ehtml?=",
                Content::Text(Kind::Html),
            ),
            ("application/pgp-signature; name=a.asc", Content::Other),
            ("application/pkcs7-mime", Content::Other),
            ("image/png", Content::Other),
        ];
        for (value, expected) in cases {
            let mut entity = Entity::default();
            entity.take(b"Content-Type", value.as_bytes());
            assert_eq!(content(&entity), expected, "{value}");
        }
    }
}
