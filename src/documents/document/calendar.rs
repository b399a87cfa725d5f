//! Calendars and cards of contacts: iCalendar (RFC 5545) and vCard (RFC 6350).
//!
//! A line break before a blank folds a line (section 3.1 of RFC 5545), even in the middle of a URL or
//! of a character. A value that is one URL is a target. No fix is made, since it would have to fold again.

use std::borrow::Cow;

use super::html;
use super::html_strings;
use super::prose::{Escapes, Prose, lines};
use super::texts::Texts;
use super::{Parts, Scope, is_one_url};
use urlint_view::{Layer, View, plain_byte};

/// The escapes in text (section 3.3.11 of RFC 5545). Some address books escape the colon, too.
pub(super) const ESCAPES: Escapes = Escapes {
    signs: [b'\\'; 3],
    read: |text| match text.get(1)? {
        b'n' | b'N' => Some((2, Cow::Borrowed(b"\n"))),
        b',' | b';' | b':' | b'\\' => Some((2, Cow::Borrowed(&text[1..2]))),
        _ => None,
    },
};

/// Escapes of quoted-printable, in cards of version 2.1.
const QUOTED_PRINTABLE: Escapes = Escapes {
    signs: [b'='; 3],
    read: |text| match text {
        [_, b'\n', ..] => Some((2, Cow::Borrowed(b""))),
        [_, b'\r', b'\n', ..] => Some((3, Cow::Borrowed(b""))),
        _ => plain_byte(&text[1..]).map(|byte| (3, Cow::Owned(vec![byte]))),
    },
};

/// Adds the parts of a calendar or of cards.
pub(super) fn parts(source: &[u8], scope: Scope, parts: &mut Parts<'_>) {
    let unfolded = unfolded(source);
    let text = unfolded.text();
    let mut prose = Prose::new(text, Layer::Opaque);
    let mut pages = Texts::new(Layer::Opaque);
    let mut lines = lines(text);
    while let Some(mut line) = lines.next() {
        // No URL continues from another line, nor is the name of a property a scheme.
        prose.replace(line.start, b"\n\n");
        let (mut escapes, mut is_html) = (&ESCAPES, false);
        if let Some(colon) = colon(&text[line.clone()]) {
            let property = text[line.start..line.start + colon].to_ascii_uppercase();
            is_html = memchr::memmem::find(&property, b";FMTTYPE=TEXT/HTML").is_some();
            if property.ends_with(b"QUOTED-PRINTABLE") {
                escapes = &QUOTED_PRINTABLE;
                while text[line.clone()].ends_with(b"=")
                    && let Some(next) = lines.next()
                {
                    line.end = next.end;
                }
            }
            prose.keep(line.start + colon);
            prose.replace(line.start + colon + 1, b"\n");
        }
        let value = prose.at()..line.end;
        let mut decoded = View::new(Layer::Opaque);
        escapes.add(&mut decoded, text, value.clone());
        if is_html || html_strings::is_html(decoded.text()) {
            pages.add(&decoded);
            prose.replace(line.end, b"");
        } else if is_one_url(decoded.text()) {
            prose.target(value, escapes);
            prose.replace(line.end, b"");
        } else {
            prose.unescape(line.end, escapes);
        }
    }
    let mut inner = Parts::default();
    prose.finish(&mut inner);
    html::add_strings(pages, scope, &mut inner);
    parts.add_within(&unfolded, inner);
}

/// Returns `source` without its folds.
fn unfolded(source: &[u8]) -> View<'_> {
    let mut view = View::with_capacity(Layer::Opaque, source.len());
    let mut at = 0;
    for end in memchr::memchr_iter(b'\n', source) {
        if matches!(source.get(end + 1), Some(b' ' | b'\t')) {
            let line = &source[at..end];
            view.copy(line.strip_suffix(b"\r").unwrap_or(line), at as u64);
            at = end + 2;
        }
    }
    view.copy(&source[at..], at as u64);
    view
}

/// The offset of the colon before the value of a property, which is not in the quotes of a parameter.
fn colon(line: &[u8]) -> Option<usize> {
    let mut is_quoted = false;
    line.iter().position(|byte| {
        is_quoted ^= *byte == b'"';
        *byte == b':' && !is_quoted
    })
}

#[cfg(test)]
mod tests {

    use crate::document::prose::testing::shown;
    use crate::document::{Depth, Kind};

    #[test]
    fn calendars_and_cards() {
        let cases: &[(&str, &[&str])] = &[
            // Folded lines, of which one break is in a character.
            (
                "BEGIN:VCALENDAR\r\nDESCRIPTION:see http://a.exam\r\n ple/x\r\n\ty and\r\n  more\r\n",
                &["ba http://a.example/xy"],
            ),
            ("X:http:\n //a.example/\n", &["ta http://a.example/"]),
            // Escapes, one of them folded.
            (
                "NOTE:at http://a.example/x\\, or http://b.example/a\\,b?c\\;d\\\n nhttp://c.example/\\Nx\n",
                &[
                    "ba http://a.example/x",
                    "ba http://b.example/a,b?c;d",
                    "ba http://c.example/",
                ],
            ),
            (
                "LOCATION:http://a.example/x\\\\y\n",
                &["ta http://a.example/x\\y"],
            ),
            ("URL:http\\://a.example/\n", &["ta http://a.example/"]),
            // Quoted-printable, over a soft line break.
            (
                "URL;ENCODING=QUOTED-PRINTABLE:http:=2F=2Fa.exam=\r\nple/\r\nX:y\r\n",
                &["ta http://a.example/"],
            ),
            (
                "NOTE;CHARSET=UTF-8;ENCODING=quoted-printable:see http://a.example/x=0D=0Anext\n",
                &["ba http://a.example/x"],
            ),
            // A whole value, and a sentence.
            (
                "URL;VALUE=URI:http://a.example/x?\n",
                &["ta http://a.example/x?"],
            ),
            (
                "item1.URL:http://a.example/Cryin'\n",
                &["ta http://a.example/Cryin'"],
            ),
            ("NOTE:http://a.example/x.\n", &["ba http://a.example/x"]),
            (
                "ATTENDEE;CN=\"a: b\";DIR=\"http://a.example/?\":mailto:joe@a.example\n",
                &["qu http://a.example/?", "ta mailto:joe@a.example"],
            ),
            (
                "X-ALT-DESC;FMTTYPE=text/html:x <a href=\"http://a.example/?a&amp;\n b\">x</a>\n",
                &["ta http://a.example/?a&b"],
            ),
            // Lines are not joined, and names are no schemes.
            (
                "URL:http://a.example/x-\nUID:y\n",
                &["ta http://a.example/x-"],
            ),
            (
                "TEL:+1-202-555-0100\nGEO:1;2\nTEL;VALUE=uri:tel:+1-2\n",
                &["ta tel:+1-2"],
            ),
            ("\n \n x", &[]),
        ];
        for (source, urls) in cases {
            let found = shown(source.as_bytes(), Kind::Calendar, Depth::default());
            assert_eq!(found, *urls, "{source:?}");
        }
    }
}
