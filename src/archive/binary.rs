//! Detects files that are not text: by a NUL, and by the first bytes of known formats; also reports of
//! urlint, which are full of the URLs that were reported.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::{BINARY, HEAD, Skipped, Source};
use urlint_standard::text::utf8::utf_16;

/// The description of a file that is not text and has no known format.
const BINARY_FILE: Skipped<'static> = Skipped::NotText("a binary file");

/// Formats whose first bytes may all be text, and fonts and pages that `infer` does not know.
/// `infer` recognises a PDF by `%PDF` anywhere in the first bytes, and PostScript by `%!`, which
/// may also begin a TeX comment.
const FORMATS: [(&[u8], Skipped<'static>); 13] = [
    (
        b"\x78\x9f\x3e\x22",
        Skipped::Document("a message of Outlook in TNEF (ytnef -f . FILE unpacks it)"),
    ),
    (
        b"bplist00",
        Skipped::Document("a binary property list (plistutil -i FILE converts it to XML)"),
    ),
    (
        b"mozLz40\0",
        Skipped::Document(
            "bookmarks of Firefox (export them as HTML, or unpack them with lz4jsoncat FILE)",
        ),
    ),
    (
        b"\x01\x01\x01\x01\n",
        Skipped::Document("a mailbox of MMDF (Python's module mailbox converts it to mbox)"),
    ),
    (b"%PDF-", PDF),
    (b"SQLite format 3\0", SQLITE),
    (b"%!PS", POSTSCRIPT),
    (b"\x04%!PS", POSTSCRIPT),
    (b"\xc5\xd0\xd3\xc6", POSTSCRIPT),
    (b"%!FontType", FONT),
    (b"\x80\x01", FONT),
    (b"\x1b%-12345X", Skipped::NotText("application/vnd.hp-pcl")),
    (
        b"\xf7\x02\x01\x83\x92\xc0",
        Skipped::NotText("application/x-dvi"),
    ),
];

/// The first bytes of Microsoft's compound files; Outlook saves each message as one.
const COMPOUND: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/// Formats that the end of the name and the first bytes tell together.
const NAMED: [(&str, &[u8], Skipped<'static>); 8] = [
    (".msg", COMPOUND, OUTLOOK),
    (".doc", COMPOUND, OFFICE),
    (".xls", COMPOUND, OFFICE),
    (".ppt", COMPOUND, OFFICE),
    (".lzh", b"", LHA),
    (".lha", b"", LHA),
    (
        ".p7m",
        b"0",
        Skipped::Document(
            "a signed or encrypted message (openssl cms -verify -noverify -inform DER -in FILE shows a signed one)",
        ),
    ),
    (
        "/document.iwa",
        b"",
        Skipped::Document("a document of Pages, Numbers or Keynote (export it as PDF)"),
    ),
];

/// Marks in the first bytes of pages, SARIF and baselines of urlint, and of its diagnostics in JSON.
static REPORTS: LazyLock<[Finder<'_>; 4]> = LazyLock::new(|| {
    [
        "<meta name=\"generator\" content=\"urlint ",
        "\"properties\":{\"generator\":\"urlint\"}",
        "{\"version\":1,\"diagnostics\":[",
        "\"member\":null,\"rule\":\"",
    ]
    .map(Finder::new)
});

const REPORT: Skipped<'static> = Skipped::NotText("a report of urlint");

/// As builds without the feature `pdf` see them.
const PDF: Skipped<'static> = Skipped::Document(
    "a PDF (released builds read it, as does: pdftotext -layout FILE - | urlint extract)",
);

const SQLITE: Skipped<'static> = Skipped::Document(
    "an SQLite database (sqlite3 FILE 'SELECT url FROM urls' | urlint extract --type urls)",
);

const OUTLOOK: Skipped<'static> =
    Skipped::Document("an Outlook message (msgconvert converts it to mail)");

const OFFICE: Skipped<'static> = Skipped::Document(
    "a document of an old Office (soffice --headless --convert-to pdf FILE converts it)",
);

const LHA: Skipped<'static> =
    Skipped::Unsupported("an LHA archive (bsdtar -cf - @FILE converts it to tar)");

const FONT: Skipped<'static> = Skipped::NotText("application/x-font-type1");

const POSTSCRIPT: Skipped<'static> = Skipped::NotText(POSTSCRIPT_TYPE);
const POSTSCRIPT_TYPE: &str = "application/postscript";

/// Returns why a source that begins with `head` is skipped, if it is not text. If the kind of the source is given,
/// only a NUL makes it binary.
pub(super) fn skipped(source: &Source, head: &[u8]) -> Option<Skipped<'static>> {
    // Every other byte of UTF-16 is a NUL.
    if utf_16(head).is_some() {
        return None;
    }
    let start = &head[..head.len().min(HEAD)];
    let is_in_start = |mark: &Finder<'_>| mark.find(start).is_some();
    if source.kind.is_none() && REPORTS.iter().any(is_in_start) {
        return Some(REPORT);
    }
    let format = source.kind.is_none().then(|| format(head)).flatten();
    let has_nul = || memchr::memchr(0, &head[..head.len().min(BINARY)]).is_some();
    let why = format.or_else(|| has_nul().then_some(BINARY_FILE))?;
    let path = source.path.to_ascii_lowercase();
    let named = NAMED
        .iter()
        .find(|(end, magic, _)| path.ends_with(end.as_bytes()) && head.starts_with(magic));
    Some(named.map_or(why, |(.., named)| *named))
}

/// Returns the format other than text that begins with `head`.
fn format(head: &[u8]) -> Option<Skipped<'static>> {
    let head = &head[..head.len().min(HEAD)];
    let is_start = |(magic, _): &&(&[u8], Skipped<'_>)| head.starts_with(magic);
    if let Some((_, name)) = FORMATS.iter().find(is_start) {
        return Some(*name);
    }
    // Text may begin with the few letters that mark some formats. Without an early end, this is done in vectors.
    if !head.iter().fold(false, |any, byte| any | is_control(byte)) {
        return None;
    }
    let found = infer::get(head)?;
    // Archives are recognised by more than that.
    let is_archive = found.mime_type() == "application/x-tar" || head.starts_with(b"PK");
    let is_text = is_archive
        || found.matcher_type() == infer::MatcherType::Text
        || matches!(
            found.mime_type(),
            "application/rtf" | "application/x-pem-file" | "application/pdf" | POSTSCRIPT_TYPE
        );
    (!is_text).then(|| Skipped::NotText(found.mime_type()))
}

/// Returns whether text never contains this byte. Text does contain form feeds, overstrikes for
/// printers, terminal escape sequences, and the end-of-file mark of DOS.
fn is_control(byte: &u8) -> bool {
    matches!(byte, 0..=0x07 | 0x0e..=0x19 | 0x1c..=0x1f)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_from_text() {
        let ustar = [&[b'x'; 257][..], b"ustar \x02 is in the header of tar"].concat();
        let cases: [(&[u8], Option<Skipped<'_>>); 22] = [
            (&ustar, None),
            (b"PK\x03\x04 begins a zip archive, they say", None),
            (
                b"{\"version\":\"2.1.0\",\"properties\":{\"generator\":\"urlint\"},\"runs\":[",
                Some(REPORT),
            ),
            (b"{\"version\":1,\"diagnostics\":[]}\n", Some(REPORT)),
            (
                b"{\"path\":\"a\",\"member\":null,\"rule\":\"password\",",
                Some(REPORT),
            ),
            (b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", Some(PDF)),
            (b"%!PS-Adobe-3.0\n%%Title: x\n", Some(POSTSCRIPT)),
            (b"%!PS-AdobeFont-1.0: Utopia\n", Some(POSTSCRIPT)),
            (b"\x80\x01\x40\x10", Some(FONT)),
            (
                b"\x89PNG\r\n\x1a\n\x01",
                Some(Skipped::NotText("image/png")),
            ),
            (b"GIF89a\x01\x02", Some(Skipped::NotText("image/gif"))),
            (
                b"\xff\xd8\xff\xe0\x10",
                Some(Skipped::NotText("image/jpeg")),
            ),
            (
                b"wOF2\0\x01\0\0",
                Some(Skipped::NotText("application/font-woff")),
            ),
            (b"%!FontType1-1.0", Some(FONT)),
            (b"a\0b", Some(BINARY_FILE)),
            (b"%!TEX program = xelatex\n", None),
            (b"The header is %PDF-1.4, and so on\n", None),
            (b"BM is not a picture\n", None),
            (b"MZ, too, caf\xe9 \x1b[1mbold\x1b[0m N\x08N \x0c\x1a", None),
            (b"{\\rtf1 \x01", None),
            (b"<?xml version='1.0'?>\n<svg \x01/>", None),
            (b"\xff\xfea\0", None),
        ];
        for (head, expected) in cases {
            assert_eq!(skipped(&Source::default(), head), expected, "{head:?}");
        }
        let given = Source {
            kind: Some(urlint_documents::document::Kind::Plain),
            ..Source::default()
        };
        assert_eq!(skipped(&given, b"%PDF-1.4"), None);
        assert_eq!(skipped(&given, b"%PDF-1.4\0"), Some(BINARY_FILE));
        let message = Source::file(b"Mail/Re.MSG", true);
        assert_eq!(skipped(&message, COMPOUND), Some(OUTLOOK));
        assert_eq!(skipped(&message, b"From: a text"), None);
    }
}
