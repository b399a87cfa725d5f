//! Rich Text Format: text between control words, which are left out or stand for white space or a character.

use std::borrow::Cow;

use super::prose::Escapes;
use super::{Parts, Scope};
use urlint_view::{Layer, plain_byte};

/// Control words, and line breaks, which are not part of the text.
pub(super) const ESCAPES: Escapes = Escapes {
    signs: [b'\\', b'\n', b'\r'],
    read: control,
};

/// The control words after which text goes on somewhere else.
const BREAKS: [&[u8]; 7] = [b"par", b"pard", b"line", b"tab", b"cell", b"row", b"page"];

/// Adds the text of the document.
pub(super) fn parts<'s>(source: &'s [u8], _: Scope, parts: &mut Parts<'s>) {
    parts.flow(ESCAPES.view(source, Layer::AsciiBut(b"\\{}")));
}

fn control(text: &[u8]) -> Option<(usize, Cow<'_, [u8]>)> {
    let character = |number: u32| {
        let character = char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER);
        Cow::Owned(character.to_string().into_bytes())
    };
    if text[0] != b'\\' {
        return Some((1, Cow::Borrowed(b"")));
    }
    match text.get(1)? {
        b'{' | b'}' | b'\\' => Some((2, Cow::Borrowed(&text[1..2]))),
        b'~' | b'\n' | b'\r' => Some((2, Cow::Borrowed(b"\n"))),
        b'_' => Some((2, Cow::Borrowed(b"-"))),
        b'-' | b'*' | b'|' | b':' => Some((2, Cow::Borrowed(b""))),
        b'\'' => plain_byte(&text[2..]).map(|byte| (4, character(byte.into()))),
        _ => {
            let rest = &text[1..];
            let letters = rest.iter().take_while(|byte| byte.is_ascii_alphabetic());
            let name = &rest[..letters.take(MAX_NAME).count()];
            let is_of_number = |byte: &&u8| byte.is_ascii_digit() || **byte == b'-';
            let digits = rest[name.len()..]
                .iter()
                .take(MAX_NAME)
                .take_while(is_of_number);
            let number = &rest[name.len()..][..digits.count()];
            let len = 1 + name.len() + number.len();
            let len = len + usize::from(text.get(len) == Some(&b' '));
            if name.is_empty() {
                return None;
            }
            let number = std::str::from_utf8(number).ok()?.parse::<i32>();
            Some(match (name, number) {
                // A program that cannot show the character shows the one after it.
                (b"u", Ok(number)) => (len + 1, character(u32::from(number as u16))),
                _ if BREAKS.contains(&name) => (len, Cow::Borrowed(b"\n")),
                _ => (len, Cow::Borrowed(b"")),
            })
        }
    }
}

/// The greatest length of the name and of the number of a control word, in bytes.
const MAX_NAME: usize = 32;

#[cfg(test)]
mod tests {
    use crate::document::prose::testing::shown;
    use crate::document::{Depth, Kind};

    #[test]
    fn documents() {
        let cases: &[(&str, &[&str])] = &[
            (
                "{\\rtf1\\ansi See http://a.example/x\\par\nhttp://b.example/\\line y\\par}",
                &["ba http://a.example/x", "ba http://b.example/"],
            ),
            (
                "{\\field{\\*\\fldinst HYPERLINK \"http://a.example/x?\"}{\\fldrslt t}}",
                &["qu http://a.example/x?"],
            ),
            (
                "http://a.example/\\'7ejoe/\\b x\\b0\nyz\\u233?\\_.html\\cell\\row",
                &["ba http://a.example/~joe/xyzé-.html"],
            ),
            ("http://a.example/\\", &["ba http://a.example/"]),
            ("{\\", &[]),
        ];
        for (source, urls) in cases {
            let found = shown(source.as_bytes(), Kind::Rtf, Depth::default());
            assert_eq!(found, *urls, "{source:?}");
        }
    }
}
