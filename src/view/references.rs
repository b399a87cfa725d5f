//! Character references of HTML and XML.

use encoding_rs::WINDOWS_1252;

use super::View;
use urlint_standard::text::Span;

/// The context of an HTML reference; it matters if the `;` is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    Text,
    Attribute,
}

/// A character reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference<'m> {
    pub meaning: Meaning<'m>,
    /// Its length in the source, in bytes.
    pub len: usize,
}

/// The text that a reference is replaced by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning<'m> {
    Character(char),
    Text(&'m [u8]),
}

/// The length of the longest name, including `;`.
const MAX_NAME: usize = 32;
/// The lengths of the names that are valid without `;`.
const WITHOUT_SEMICOLON: std::ops::RangeInclusive<usize> = 2..=6;

/// Adds `text`, which begins at offset `source` of the source, to `view` and decodes its
/// references. `read` gets the text from each `&` on, and returns the reference that begins there,
/// if any.
pub fn decode<'m>(
    view: &mut View<'_>,
    text: &[u8],
    source: u64,
    read: impl Fn(&[u8]) -> Option<Reference<'m>>,
) {
    let mut at = 0;
    for start in memchr::memchr_iter(b'&', text) {
        let Some(reference) = read(&text[start..]) else {
            continue;
        };
        view.copy(&text[at..start], source + at as u64);
        let from = source + start as u64;
        at = start + reference.len;
        let span = Span::new(from, source + at as u64);
        let mut buffer = [0; 4];
        match reference.meaning.bytes(&mut buffer) {
            &[byte] => view.push(byte, span.start, span.len()),
            bytes => view.push_together(bytes, span),
        }
    }
    view.copy(&text[at..], source + at as u64);
}

impl<'m> Meaning<'m> {
    pub fn bytes<'b>(self, buffer: &'b mut [u8; 4]) -> &'b [u8]
    where
        'm: 'b,
    {
        match self {
            Meaning::Character(character) => character.encode_utf8(buffer).as_bytes(),
            Meaning::Text(text) => text,
        }
    }
}

/// Returns the HTML reference at the start of `text` (HTML standard, sections 13.2.5.72 to
/// 13.2.5.80): the longest known name, with or without `;`. In an attribute a name without `;` does
/// not count before `=`, a letter or a digit, so that `?a=1&copy=2` is left as it is.
pub fn html(text: &[u8], context: Context) -> Option<Reference<'static>> {
    if text.get(1) == Some(&b'#') {
        let (code, len) = number(text)?;
        let len = len + usize::from(text.get(len) == Some(&b';'));
        let meaning = Meaning::Character(html_character(code));
        return Some(Reference { meaning, len });
    }
    let run = name(text);
    if let Some(found) = with_semicolon(text, run) {
        return Some(found);
    }
    let longest = run.min(*WITHOUT_SEMICOLON.end());
    let (meaning, len) = (*WITHOUT_SEMICOLON.start()..=longest)
        .rev()
        .find_map(|len| Some((named(&text[..=len])?, len + 1)))?;
    let continues = text
        .get(len)
        .is_some_and(|&byte| byte == b'=' || byte.is_ascii_alphanumeric());
    let is_reference = context == Context::Text || !continues;
    is_reference.then_some(Reference { meaning, len })
}

/// The reference of XML at the start of `text`: a number, or one of the five predefined names.
pub fn xml(text: &[u8]) -> Option<Reference<'static>> {
    if text.get(1) == Some(&b'#') {
        let (code, len) = number(text)?;
        let character = char::from_u32(code).filter(|&character| character != '\0')?;
        let meaning = Meaning::Character(character);
        return (text.get(len) == Some(&b';')).then_some(Reference {
            meaning,
            len: len + 1,
        });
    }
    let reference = html_name(text)?;
    let is_of_xml = matches!(
        &text[..reference.len],
        b"&amp;" | b"&lt;" | b"&gt;" | b"&quot;" | b"&apos;"
    );
    is_of_xml.then_some(reference)
}

/// Returns the reference at the start of `text`, if it is an HTML name with its `;`.
pub fn html_name(text: &[u8]) -> Option<Reference<'static>> {
    with_semicolon(text, name(text))
}

fn with_semicolon(text: &[u8], run: usize) -> Option<Reference<'static>> {
    let reference = text.get(..run + 2).filter(|text| text.ends_with(b";"))?;
    let meaning = match reference {
        // Nearly all references are one of these two.
        b"&amp;" => Meaning::Text(b"&"),
        b"&nbsp;" => Meaning::Text("\u{A0}".as_bytes()),
        reference => named(reference)?,
    };
    Some(Reference {
        meaning,
        len: reference.len(),
    })
}

fn named(reference: &[u8]) -> Option<Meaning<'static>> {
    let found = htmlize::ENTITIES.get(reference)?;
    Some(Meaning::Text(found))
}

/// The number of letters and digits after the `&`, up to the length of the longest name.
fn name(text: &[u8]) -> usize {
    let after = text.iter().skip(1).take(MAX_NAME);
    after
        .take_while(|byte| byte.is_ascii_alphanumeric())
        .count()
}

/// The number in `&#65` or `&#x41`, `u32::MAX` for a larger one, and the length of the reference
/// without `;`.
fn number(text: &[u8]) -> Option<(u32, usize)> {
    let (radix, start) = match text.get(2) {
        Some(b'x' | b'X') => (16, 3),
        _ => (10, 2),
    };
    let (mut code, mut len) = (0u32, start);
    while let Some(digit) = text
        .get(len)
        .and_then(|&byte| char::from(byte).to_digit(radix))
    {
        code = code.saturating_mul(radix).saturating_add(digit);
        len += 1;
    }
    (len > start).then_some((code, len))
}

/// Returns the character that HTML reads a number as: numbers of C1 controls are read as
/// windows-1252.
fn html_character(code: u32) -> char {
    // They are numbers of characters, except for these, which are bytes of windows-1252.
    if let byte @ [0x80..=0x9F, 0, 0, 0] = code.to_le_bytes() {
        let (meant, _) = WINDOWS_1252.decode_without_bom_handling(&byte[..1]);
        return meant.chars().next().unwrap_or(char::REPLACEMENT_CHARACTER);
    }
    let character = char::from_u32(code).filter(|&character| character != '\0');
    character.unwrap_or(char::REPLACEMENT_CHARACTER)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may fail")]
mod tests {
    use super::*;
    use crate::Layer;
    use proptest::prelude::*;
    use urlint_testing::tries;

    fn decoded(text: &[u8], context: Context) -> View<'static> {
        let mut view = View::new(Layer::References);
        decode(&mut view, text, 0, |text| html(text, context));
        view
    }

    #[test]
    fn references_of_html() {
        let cases = [
            // Source, as text, in an attribute.
            ("a&amp;b", "a&b", "a&b"),
            ("a&ampb", "a&b", "a&ampb"),
            ("a&amp=b", "a&=b", "a&amp=b"),
            ("?a=1&copy=2", "?a=1©=2", "?a=1&copy=2"),
            ("?a=1&copy;=2", "?a=1©=2", "?a=1©=2"),
            ("&copy", "©", "©"),
            ("&copy.", "©.", "©."),
            ("&notit;", "¬it;", "&notit;"),
            ("&notin;", "∉", "∉"),
            ("&frac12x", "½x", "&frac12x"),
            ("&unknown;", "&unknown;", "&unknown;"),
            ("&AMP;&LT&GT;", "&<>", "&<>"),
            ("&Amp;", "&Amp;", "&Amp;"),
            ("&colon;&sol;&period;", ":/.", ":/."),
            ("&NotEqualTilde;", "≂̸", "≂̸"),
            ("&#104;&#x74;&#X74p", "http", "http"),
            ("&#104&#x74&", "ht&", "ht&"),
            ("&#0;&#xD800;&#99999999999;", "���", "���"),
            ("&#150;&#x80;", "–€", "–€"),
            ("&#; &#x; &# & &", "&#; &#x; &# & &", "&#; &#x; &# & &"),
            ("&amp;amp;", "&amp;", "&amp;"),
            ("", "", ""),
        ];
        for (source, text, attribute) in cases {
            let found = decoded(source.as_bytes(), Context::Text);
            assert_eq!(String::from_utf8_lossy(found.text()), text, "{source}");
            let found = decoded(source.as_bytes(), Context::Attribute);
            assert_eq!(String::from_utf8_lossy(found.text()), attribute, "{source}");
        }
    }

    #[test]
    fn references_of_xml() {
        let cases = [
            ("&amp;", Some("&")),
            ("&apos;", Some("'")),
            ("&#x26;", Some("&")),
            ("&#38;", Some("&")),
            ("&#38", None),
            ("&#0;", None),
            ("&#xD800;", None),
            ("&amp", None),
            ("&nbsp;", None),
            ("&", None),
        ];
        for (source, meaning) in cases {
            let found = xml(source.as_bytes());
            let mut buffer = [0; 4];
            let text = found.map(|found| {
                assert_eq!(found.len, source.len());
                std::str::from_utf8(found.meaning.bytes(&mut buffer)).unwrap()
            });
            assert_eq!(text, meaning, "{source}");
        }
    }

    #[test]
    fn names_have_the_assumed_lengths() {
        for name in htmlize::ENTITIES.keys() {
            let len = name.len() - 1;
            if name.ends_with(b";") {
                assert!(len <= MAX_NAME);
            } else {
                assert!(WITHOUT_SEMICOLON.contains(&len));
            }
        }
    }

    proptest! {
        #![proptest_config(tries(256))]

        /// Law 1: decoding the span of a byte again gives the byte.
        #[test]
        fn every_byte_knows_where_it_came_from(
            source in "([&#x;a=é]|&amp|&notin;|&#65|&NotEqualTilde;|&#x20ac;){0,30}",
        ) {
            for context in [Context::Text, Context::Attribute] {
                let view = decoded(source.as_bytes(), context);
                for (at, byte) in view.text().iter().enumerate() {
                    let spans = view.map(at..at + 1);
                    let own = Span::new(spans.start(), spans.end()).slice(source.as_bytes());
                    let again = decoded(own, Context::Text);
                    let same = own == [*byte].as_slice() || again.text().contains(byte);
                    prop_assert!(same, "{own:?} is not {byte}");
                }
            }
        }
    }
}
