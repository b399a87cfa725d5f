//! Encoded words: RFC 2047.

use memchr::{memchr, memchr_iter, memchr2};

use crate::view::transfer::{self, Encoding};
use crate::view::{Layer, View, charset};

/// The longest name of a charset, its language included, that is looked for.
const LONGEST_LABEL: usize = 80;

/// An encoded word, `=?utf-8?Q?caf=C3=A9?=`.
struct Word<'t> {
    label: &'t [u8],
    /// Whether it is in base64, and not in what is nearly quoted-printable.
    base64: bool,
    /// Where what is encoded begins, counted from the word.
    start: usize,
    encoded: &'t [u8],
}

impl<'t> Word<'t> {
    /// The word with which `text` begins.
    fn of(text: &'t [u8]) -> Option<Self> {
        let inner = text.strip_prefix(b"=?")?;
        let label = &inner[..memchr(b'?', &inner[..inner.len().min(LONGEST_LABEL)])?];
        let [encoding, b'?', encoded @ ..] = &inner[label.len() + 1..] else {
            return None;
        };
        let encoded = &encoded[..memchr(b'?', encoded)?];
        let start = label.len() + 5;
        let ends = text.get(start + encoded.len()..)?.starts_with(b"?=");
        let is_label = |byte: &u8| byte.is_ascii_graphic();
        let base64 = match encoding {
            b'B' | b'b' => true,
            b'Q' | b'q' => false,
            _ => return None,
        };
        let is_word = ends && label.iter().all(is_label) && !encoded.contains(&b'\n');
        is_word.then_some(Word {
            label,
            base64,
            start,
            encoded,
        })
    }

    fn len(&self) -> usize {
        self.start + self.encoded.len() + 2
    }

    fn charset(&self) -> &'t [u8] {
        let label = self.label.split(|&byte| byte == b'*').next();
        label.unwrap_or_default()
    }

    /// Adds the bytes, still in their charset, of the word, which stands at `at`.
    fn decode(&self, at: usize, view: &mut View<'_>) {
        let at = (at + self.start) as u64;
        if self.base64 {
            let mut decoded = transfer::decode(self.encoded, Encoding::Base64).view;
            decoded.shift(at);
            view.append(&decoded);
            return;
        }
        let mut rest = self.encoded;
        while !rest.is_empty() {
            let same = memchr2(b'=', b'_', rest).unwrap_or(rest.len());
            let here = at + (self.encoded.len() - rest.len()) as u64;
            view.copy(&rest[..same], here);
            rest = &rest[same..];
            let Some((&byte, behind)) = rest.split_first() else {
                break;
            };
            let here = at + (self.encoded.len() - rest.len()) as u64;
            let digit = |at: usize| char::from(*behind.get(at)?).to_digit(16);
            rest = match (byte, digit(0), digit(1)) {
                (b'=', Some(high), Some(low)) => {
                    view.push((high << 4 | low) as u8, here, 3);
                    &behind[2..]
                }
                (b'_', ..) => {
                    view.push(b' ', here, 1);
                    behind
                }
                _ => {
                    view.push(byte, here, 1);
                    behind
                }
            };
        }
    }
}

/// The first encoded word of `text` and where it stands.
fn first(text: &[u8]) -> Option<(usize, Word<'_>)> {
    memchr_iter(b'?', text).find_map(|mark| {
        let at = mark.checked_sub(1)?;
        Some((at, Word::of(&text[at..])?))
    })
}

/// Whether there is an encoded word in `text`.
pub(super) fn is_in(text: &[u8]) -> bool {
    first(text).is_some()
}

/// Adds `text`, which stands at `start`, to `view`, its encoded words decoded. Those that stand
/// next to each other are one text, and may share a character. Returns whether all charsets are
/// known.
pub(super) fn decode(text: &[u8], start: usize, view: &mut View<'_>) -> bool {
    let mut at = 0;
    let mut is_known = true;
    while let Some((before, word)) = first(&text[at..]) {
        view.copy(&text[at..at + before], (start + at) as u64);
        at += before;
        let label = word.charset();
        let mut bytes = View::new(Layer::Opaque);
        word.decode(start + at, &mut bytes);
        at += word.len();
        while let Some((blanks, next)) = next_word(&text[at..]) {
            if !next.charset().eq_ignore_ascii_case(label) {
                at += blanks;
                break;
            }
            next.decode(start + at + blanks, &mut bytes);
            at += blanks + next.len();
        }
        match charset::decode(bytes.text(), label) {
            Ok(decoded) if decoded.same_at().is_none() => view.append(&bytes.then(&decoded)),
            Ok(_) => view.append(&bytes),
            Err(_) => {
                is_known = false;
                view.append(&bytes);
            }
        }
    }
    view.copy(&text[at..], (start + at) as u64);
    is_known
}

/// The encoded word that follows after nothing but white space, and how much of that there is.
fn next_word(text: &[u8]) -> Option<(usize, Word<'_>)> {
    let blanks = text.len() - text.trim_ascii_start().len();
    Some((blanks, Word::of(&text[blanks..])?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes() {
        let cases = [
            ("no word", "no word"),
            ("=?utf-8?Q?caf=C3=A9_x?= y", "café x y"),
            ("a =?UTF-8?q?caf=C3?=\r\n =?utf-8?Q?=A9?= b", "a café b"),
            ("=?utf-8*en?Q?=C3=A9?=", "é"),
            ("(=?utf-8?q?a?=)", "(a)"),
            ("=?utf-8?q?=3F=?=", "?="),
            ("=?utf-8?q?a?= =?utf-8?q?b?= c =?utf-8?q?d?=", "ab c d"),
            ("=?utf-8?x?a?= =?utf-8?q?a?", "=?utf-8?x?a?= =?utf-8?q?a?"),
            ("=?utf-8?q?a\nb?=", "=?utf-8?q?a\nb?="),
            ("=?=?utf-8?q?a?=", "=?a"),
            ("=?", "=?"),
        ];
        for (text, expected) in cases {
            let mut view = View::new(Layer::Opaque);
            decode(text.as_bytes(), 0, &mut view);
            assert_eq!(String::from_utf8_lossy(view.text()), expected, "{text:?}");
            assert_eq!(is_in(text.as_bytes()), text != expected, "{text:?}");
        }
    }

    #[test]
    fn every_byte_knows_where_it_came_from() {
        let text = b"a =?utf-8?q?=3Ab?=\n =?utf-8?q?_c?=";
        let mut view = View::new(Layer::Opaque);
        decode(text, 100, &mut view);
        assert_eq!(view.text(), b"a :b c");
        let spans: Vec<_> = view
            .map(1..6)
            .iter()
            .map(|span| (span.start, span.end))
            .collect();
        assert_eq!(spans, [(101, 102), (112, 116), (130, 132)]);
    }
}
