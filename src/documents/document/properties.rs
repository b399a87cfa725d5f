//! Properties of Java: lines with a key and a value, as `java.util.Properties` reads and writes them.

use std::borrow::Cow;

use super::program::unicode;
use super::prose::Escapes;
use super::{Parts, Scope};
use urlint_view::Layer;

/// A backslash before a line break joins lines, and stands before a character that is meant as it is, such as the
/// colon of `https\://`.
pub(super) const ESCAPES: Escapes = Escapes {
    signs: [b'\\'; 3],
    read: |text| match text.get(1)? {
        b'n' | b'r' | b't' | b'f' => Some((2, Cow::Borrowed(b"\n"))),
        b'\n' | b'\r' => {
            let is_blank = |byte: &&u8| byte.is_ascii_whitespace();
            let blanks = text[1..].iter().take(MAX_BLANKS).take_while(is_blank);
            Some((1 + blanks.count(), Cow::Borrowed(b"")))
        }
        b'u' => {
            let (character, len) = unicode(text);
            Some((len.into(), Cow::Owned(character?.to_string().into_bytes())))
        }
        other if other.is_ascii() => Some((2, Cow::Borrowed(&text[1..2]))),
        _ => None,
    },
};

/// The greatest length of the line break and the blanks between two parts of a value, in bytes.
const MAX_BLANKS: usize = 256;

/// Adds the text of the properties.
pub(super) fn parts<'s>(source: &'s [u8], _: Scope, parts: &mut Parts<'s>) {
    // What a line does not continue by a backslash is another entry.
    parts.flow(ESCAPES.view(source, Layer::AsciiBut(b"\\")));
}

#[cfg(test)]
mod tests {
    use crate::document::prose::testing::shown;
    use crate::document::{Depth, Kind};

    #[test]
    fn keys_and_values() {
        let cases: &[(&str, &[&str])] = &[
            (
                "distributionUrl=https\\://a.example/x-\\\n    1.zip\n",
                &["ba https://a.example/x-1.zip"],
            ),
            (
                "a=see http\\://a.example\\:80/\\u0062\\#c\\nand\nb: http://b.example/x",
                &["ba http://a.example:80/b#c", "ba http://b.example/x"],
            ),
            (
                "a=http://a.example/;jsessionid=1",
                &["ba http://a.example/;jsessionid=1"],
            ),
            ("a=http://a.example/\\u12", &["ba http://a.example/\\u12"]),
            ("a=http://a.example/x\n%b.c=d", &["ba http://a.example/x"]),
            ("\\", &[]),
        ];
        for (source, urls) in cases {
            let found = shown(source.as_bytes(), Kind::Properties, Depth::default());
            assert_eq!(found, *urls, "{source:?}");
        }
    }
}
