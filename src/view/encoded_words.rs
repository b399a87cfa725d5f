//! Encoded words (RFC 2047).

use std::sync::LazyLock;

use memchr::{memchr, memchr_iter, memchr2, memmem};

use crate::transfer::{self, Encoding};
use crate::{Layer, View, charset, plain_byte};

/// The greatest length of the name of a charset and its language.
const MAX_LABEL: usize = 80;

/// An encoded word, `=?utf-8?Q?caf=C3=A9?=`.
struct Word<'t> {
    label: &'t [u8],
    /// Whether the encoding is `B` and not `Q`.
    base64: bool,
    /// The start of the encoded text, counted from the start of the word.
    start: usize,
    encoded: &'t [u8],
}

impl<'t> Word<'t> {
    /// The word at the start of `text`.
    fn at_start(text: &'t [u8]) -> Option<Self> {
        let inner = text.strip_prefix(b"=?")?;
        let label = &inner[..memchr(b'?', &inner[..inner.len().min(MAX_LABEL)])?];
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

    /// Adds the bytes of the word, which begins at `at`, without converting their charset.
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
            let Some((&byte, after)) = rest.split_first() else {
                break;
            };
            let here = at + (self.encoded.len() - rest.len()) as u64;
            rest = match plain_byte(after).filter(|_| byte == b'=') {
                Some(decoded) => {
                    view.push(decoded, here, 3);
                    &after[2..]
                }
                None => {
                    view.push(if byte == b'_' { b' ' } else { byte }, here, 1);
                    after
                }
            };
        }
    }
}

/// The first encoded word of `text` and its offset.
fn first(text: &[u8]) -> Option<(usize, Word<'_>)> {
    memchr_iter(b'?', text).find_map(|mark| {
        let at = mark.checked_sub(1)?;
        Some((at, Word::at_start(&text[at..])?))
    })
}

/// Returns whether `text` has an encoded word.
pub fn is_in(text: &[u8]) -> bool {
    first(text).is_some()
}

/// Returns whether `text` has to be decoded: it may hold the colon of a URL, or an unknown charset.
/// Most encoded words are names and subjects without either.
pub fn may_matter(text: &[u8]) -> bool {
    let is_colon = |at: usize| matches!(text.get(at + 2), Some(b'A' | b'a'));
    if ESCAPED.find_iter(text).any(is_colon) {
        return true;
    }
    let mut rest = text;
    while let Some((before, word)) = first(rest) {
        let matters = may_be_of_url(&rest[..before], b" ")
            || !charset::is_known(word.charset())
            || if word.base64 {
                let decoded = transfer::decode(word.encoded, Encoding::Base64).view;
                may_be_of_url(decoded.text(), b" ")
            } else {
                may_be_of_url(word.encoded, b" _")
            };
        if matters {
            return true;
        }
        rest = &rest[before + word.len()..];
    }
    may_be_of_url(rest, b" ")
}

/// The start of `=3A`, a colon.
static ESCAPED: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new("=3"));

/// Returns whether `text` has a colon that may belong to a URL when everything is decoded. The colon
/// of a word, after two letters and before one of `blanks` as in `Re: `, cannot, unless the word may
/// be `URL`; nor can the colon of a time.
fn may_be_of_url(text: &[u8], blanks: &[u8]) -> bool {
    let is_of_word = |at: usize| {
        let before = at.checked_sub(2).and_then(|start| text.get(start..at));
        let is_word = before.is_some_and(|before| {
            before.iter().all(u8::is_ascii_alphabetic) && !before.eq_ignore_ascii_case(b"rl")
        });
        is_word && text.get(at + 1).is_some_and(|next| blanks.contains(next))
    };
    let is_of_time = |at: usize| {
        let is_digit = |at: usize| text.get(at).is_some_and(u8::is_ascii_digit);
        let is_escape = at >= 3 && text[at - 3] == b'=';
        at > 0 && is_digit(at - 1) && is_digit(at + 1) && !is_escape
    };
    memchr_iter(b':', text).any(|at| !is_of_word(at) && !is_of_time(at))
}

/// Adds `text`, which begins at offset `start`, to `view`, and decodes its encoded words. Adjacent
/// words are decoded together, since they may share a character. Returns whether all charsets are
/// known.
pub fn decode(text: &[u8], start: usize, view: &mut View<'_>) -> bool {
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
        let decoded = charset::decode(bytes.text(), label);
        is_known &= decoded.is_ok();
        match decoded {
            Ok(decoded) if decoded.borrowed_at().is_none() => view.append(&bytes.compose(decoded)),
            _ => view.append(&bytes),
        }
    }
    view.copy(&text[at..], (start + at) as u64);
    is_known
}

/// Returns the encoded word after the white space at the start of `text`, and the length of the
/// white space.
fn next_word(text: &[u8]) -> Option<(usize, Word<'_>)> {
    let blanks = text.len() - text.trim_ascii_start().len();
    Some((blanks, Word::at_start(&text[blanks..])?))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use urlint_find::scan::next_trigger;
    use urlint_testing::tries;

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
    fn words_that_have_to_be_decoded() {
        let cases = [
            ("=?utf-8?q?caf=C3=A9?= Re: x", false),
            ("=?utf-8?q?Re:_caf=C3=A9?=", false),
            ("=?utf-8?q?caf=C3=A9_at_10:30:00?=", false),
            ("=?utf-8?q?mailt=6f:1@a?=", true),
            ("=?utf-8?b?UmU6IGNhZsOp?=", false),
            ("=?utf-8?q?http:=2F=2Fa?=", true),
            ("=?utf-8?q?http=3a//a?=", true),
            ("=?utf-8?b?aHR0cDovL2E=?=", true),
            ("=?utf-8?b?aHR0cDo=?= =?utf-8?b?Ly9h?=", true),
            ("<URL: =?utf-8?q?a?=>", true),
            ("=?x-unknown?q?a?=", true),
        ];
        for (text, expected) in cases {
            assert_eq!(may_matter(text.as_bytes()), expected, "{text}");
        }
    }

    proptest! {
        #![proptest_config(tries(5_000))]

        #[test]
        fn words_that_are_not_decoded_hold_no_url(
            pieces in prop::collection::vec(
                "(<|URL|u=52l|http|10:30|1|=6f|mailt|mailto|=68ttp|:|=3A|=3a|//|=2F=2F| |_|a\\.b|\n | =?utf-8?q?|=?utf-16?b?|\
                 =?utf-8?b?|=?iso-2022-jp?q?|\\?=|aHR0cDovL2E=|VVJMOg==|Og==|Oi8v|aAB0AHQAcAA6AC8A)",
                0..12,
            ),
        ) {
            let text = pieces.concat();
            let mut view = View::new(Layer::Opaque);
            let is_known = decode(text.as_bytes(), 0, &mut view);
            let trigger = next_trigger(view.text(), 0);
            prop_assert!(
                may_matter(text.as_bytes()) || (is_known && trigger.is_none()),
                "{text:?} {:?}", String::from_utf8_lossy(view.text()),
            );
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
