//! Strings of programs, in which the characters of URLs may be written as escapes: `"https:\u002F\u002Fa.example"`.

use std::borrow::Cow;

use super::prose::Escapes;
use urlint_view::plain_byte;

/// `\u002F` and `\x2F`, which most languages have, for characters that may be in a URL.
pub(super) const ESCAPES: Escapes = Escapes {
    signs: [b'\\'; 3],
    read: |text| {
        let (character, len) = match text.get(1)? {
            b'u' => unicode(text),
            b'x' => (plain_byte(&text[2..]).map(char::from), 4),
            _ => return None,
        };
        let is_of_url = |byte: &u8| byte.is_ascii_graphic() && !b"\"'`\\<>".contains(byte);
        let byte = u8::try_from(character?).ok().filter(is_of_url)?;
        Some((len.into(), Cow::Owned(vec![byte])))
    },
};

/// The character of `\u0026`, or of two such escapes that are a surrogate pair.
pub(super) fn unicode(text: &[u8]) -> (Option<char>, u8) {
    let unit = |at: usize| {
        let digits = text.get(at..)?.strip_prefix(b"\\u")?.first_chunk::<4>()?;
        digits.iter().try_fold(0, |unit, &digit| {
            let digit = char::from(digit).to_digit(16)?;
            Some(unit << 4 | digit as u16)
        })
    };
    let Some(first) = unit(0) else {
        return (None, 1);
    };
    let mut units = char::decode_utf16([first].into_iter().chain(unit(6)));
    match units.next() {
        Some(Ok(character)) => (Some(character), 6 * character.len_utf16() as u8),
        _ => (Some(char::REPLACEMENT_CHARACTER), 6),
    }
}

/// Returns whether `text`, the beginning of source code, has an escape of a character that separates the parts of a URL.
pub(crate) fn has_escapes(text: &[u8]) -> bool {
    let is_separator = |character: &[u8]| matches!(character, b"/" | b":" | b"?" | b"&" | b"=");
    memchr::memchr_iter(b'\\', text)
        .filter_map(|at| (ESCAPES.read)(&text[at..]))
        .any(|(_, character)| is_separator(&character))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Event, Reader};

    #[test]
    fn urls_in_strings() {
        for (name, source, urls) in [
            (
                "a.js",
                r#"u="https:\u002F\u002fa.example\u002Fx"; v='http:\x2f\x2Fb.example'"#,
                &["https://a.example/x", "http://b.example"][..],
            ),
            (
                "a.java",
                r#""http\u003A//a.example/?a\u003d1\u0026b=2", "http:\/\/b.example\/""#,
                &["http://a.example/?a=1&b=2", "http://b.example/"],
            ),
            // Quotation marks and the like end a URL, and other escapes are no part of one.
            (
                "a.go",
                r#""{\u0022u\u0022:\u0022http:\u002F/a.example/\u0022}", "http://b.example/\u00e9\n""#,
                &["http://a.example/", "http://b.example/\\u00e9"],
            ),
            (
                "a.txt",
                r"http:\u002F\u002Fa.example http://b.example/\u0026c",
                &["http://b.example/\\u0026c"],
            ),
            (
                "a.py",
                r#"r"C:\u002x\x2" "http://a.example/""#,
                &["http://a.example/"],
            ),
        ] {
            let read = |content: crate::read::Content<'_>| {
                let mut found = Vec::new();
                let add = &mut |event: Event<'_>| {
                    if let Event::Found(url) = event {
                        let pieces = url.candidate.pieces.iter();
                        let bytes = pieces.flat_map(|span| span.slice(source.as_bytes()));
                        let bytes: Vec<u8> = bytes.copied().collect();
                        if name != "a.txt" {
                            assert_eq!(&*ESCAPES.decode(&bytes), &*url.candidate.text);
                        }
                        found.push(String::from_utf8_lossy(&url.candidate.text).into_owned());
                    }
                    Ok::<(), std::io::Error>(())
                };
                Reader::default()
                    .read(name.as_bytes(), content, add)
                    .map(|()| found)
            };
            let found = read(source.as_bytes().into());
            assert_eq!(found.ok().as_deref().unwrap_or_default(), urls, "{source}");
            let streamed = read((&mut source.as_bytes()).into());
            assert_eq!(
                streamed.ok().as_deref().unwrap_or_default(),
                urls,
                "{source}"
            );
        }
    }
}
