//! Base64 (RFC 2045, section 6.8).

use std::sync::LazyLock;

use ::base64::Engine;
use ::base64::engine::{DecodePaddingMode, GeneralPurposeConfig};

use super::decoded::{Decoded, Fault};
use super::{Layer, View};
use urlint_standard::text;
use urlint_standard::text::Span;
use urlint_standard::text::window::is_blank;

/// Decodes base64 (RFC 2045, section 6.8), in lines of any length. Blanks around a line, and a few
/// characters that are not in the alphabet, are ignored. The text ends before a line that is not
/// base64, such as the footer that a mailing list adds to a message without regard to its encoding.
///
/// ```
/// use urlint::{Span, view::base64};
///
/// let view = base64(b"aHR0cDov\r\nL2EvDQo=\r\n-- \r\nThe list: http://b.example/\r\n");
/// assert_eq!(view.text(), b"http://a/\r\n");
/// assert_eq!(view.map(7..9), Span::new(11, 14).into());
/// ```
pub fn base64(source: &[u8]) -> View<'static> {
    decode(source).view
}

/// The length from which a word does not count as natural language, in characters.
const LONG_WORD: usize = 40;
/// The minimum length of a line for each character in it that is not in the alphabet.
const PURITY: usize = 16;

/// Decodes `text` up to the first line that is not base64.
pub(super) fn decode(text: &[u8]) -> Decoded {
    let mut decoder = Decoder::new(text.len());
    let mut end = 0;
    loop {
        end = decoder.take_clean(text, end);
        if end == text.len() {
            break;
        }
        let line = Line::at(text, end);
        if !decoder.take(&line) {
            break;
        }
        end = line.next;
    }
    decoder.finish();
    Decoded {
        view: decoder.view,
        fault: decoder.fault,
        end,
    }
}

/// A line without the blanks around it.
struct Line<'t> {
    text: &'t [u8],
    start: usize,
    /// The start of the next line.
    next: usize,
}

impl<'t> Line<'t> {
    /// The line that begins at `at`.
    fn at(text: &'t [u8], at: usize) -> Self {
        let text::Line { end, next, .. } = text::Line::at(text, at);
        let trimmed = text[at..end].trim_ascii_start();
        Line {
            text: trimmed.trim_ascii_end(),
            start: end - trimmed.len(),
            next,
        }
    }
}

impl Line<'_> {
    /// Returns whether this is a line of base64, perhaps with a few foreign characters.
    fn is_base64(&self) -> bool {
        let is_punctuation = |byte: &u8| matches!(byte, b':' | b'.' | b'@' | b'<');
        if self.text.iter().any(is_punctuation) {
            return false;
        }
        let mut words = self.text.split(|&byte| is_blank(byte));
        if self.has_blanks() && !words.any(|word| word.len() >= LONG_WORD) {
            return false;
        }
        let padding = self.text.iter().rev().take_while(|&&byte| byte == b'=');
        let unpadded = &self.text[..self.text.len() - padding.count()];
        let is_foreign = |byte: &&u8| value(**byte).is_none() && !is_blank(**byte);
        unpadded.iter().filter(is_foreign).count() * PURITY <= self.text.len()
    }

    /// Returns whether this line may follow padding, which should have been the end: it continues
    /// the padding, or is certainly base64.
    fn may_follow_padding(&self) -> bool {
        let is_padded = self.text.ends_with(b"=");
        let is_whole = self.text.len().is_multiple_of(4) && !self.has_blanks();
        self.text == b"=" || is_whole && (is_padded || self.text.len() >= LONG_WORD)
    }

    fn has_blanks(&self) -> bool {
        self.text.iter().any(|&byte| is_blank(byte))
    }
}

/// How many characters are decoded at once at most: more would not be in the nearest cache.
const JOINED: usize = 4096;

struct Decoder {
    view: View<'static>,
    fault: Option<Fault>,
    /// The decoded start of the current line, or lines; a buffer that is reused.
    bytes: Vec<u8>,
    /// The lines that are decoded at once, and of each its end in them, its start in the text and the next line's.
    joined: Vec<u8>,
    lines: Vec<(usize, usize, usize)>,
    /// How many characters are decoded at once: few after a line with something else.
    most: usize,
    /// The characters of the current group of four: the value and the offset of each.
    group: Vec<(u32, usize)>,
    /// Whether padding has been read, which should have ended the text.
    is_closed: bool,
}

impl Decoder {
    fn new(len: usize) -> Self {
        Decoder {
            view: View::with_capacity(Layer::Opaque, len / 4 * 3),
            fault: None,
            bytes: Vec::new(),
            joined: Vec::new(),
            lines: Vec::new(),
            most: JOINED,
            group: Vec::with_capacity(4),
            is_closed: false,
        }
    }

    /// Decodes lines from `from` on that are nothing but whole groups, as most are, many at once. Returns where they
    /// end.
    fn take_clean(&mut self, text: &[u8], from: usize) -> usize {
        let mut end = from;
        loop {
            self.joined.clear();
            self.lines.clear();
            let mut next = end;
            let is_open = self.group.is_empty() && !self.is_closed;
            while is_open && next < text.len() && self.joined.len() < self.most {
                let line = Line::at(text, next);
                // A padded line ends the text, so it is decoded apart: it would spoil the lines before it.
                if !line.text.len().is_multiple_of(4) || line.text.ends_with(b"=") {
                    break;
                }
                self.joined.extend_from_slice(line.text);
                next = line.next;
                self.lines.push((self.joined.len(), line.start, next));
            }
            self.bytes.resize(self.joined.len() / 4 * 3, 0);
            let is_clean = ENGINE.decode_slice(&self.joined, &mut self.bytes).is_ok();
            if !is_clean {
                let foreign = self.joined.iter().position(|&byte| value(byte).is_none());
                let clean = foreign.unwrap_or(0);
                self.lines.retain(|(joined, ..)| *joined <= clean);
                let joined = self.lines.last().map_or(0, |(joined, ..)| *joined);
                // In the alphabet, so that it can be decoded.
                let _ = ENGINE.decode_slice(&self.joined[..joined], &mut self.bytes);
            }
            let mut done = 0;
            for &(joined, start, next) in &self.lines {
                let bytes = done / 4 * 3..joined / 4 * 3;
                self.view.push_base64(&self.bytes[bytes], start as u64);
                (done, end) = (joined, next);
            }
            let is_full = self.joined.len() >= self.most;
            self.most = if is_clean { JOINED } else { 1 };
            if !is_clean || !is_full {
                return end;
            }
        }
    }

    /// Decodes `line` if it is a line of base64, and returns whether it is.
    fn take(&mut self, line: &Line<'_>) -> bool {
        if !line.is_base64() || (self.is_closed && !line.may_follow_padding()) {
            return false;
        }
        let mut passed = 0;
        loop {
            if self.group.is_empty() && !self.is_closed {
                let len = groups(&line.text[passed..], &mut self.bytes);
                let start = (line.start + passed) as u64;
                self.view.push_base64(&self.bytes, start);
                passed += len;
            }
            let Some(&byte) = line.text.get(passed) else {
                return true;
            };
            self.character(byte, line.start + passed);
            passed += 1;
        }
    }

    fn character(&mut self, byte: u8, at: usize) {
        match value(byte) {
            Some(value) => {
                if self.is_closed {
                    self.fault(at, "data after the padding of base64");
                    self.is_closed = false;
                }
                self.group.push((value, at));
                if self.group.len() == 4 {
                    self.end_group();
                }
            }
            None if byte == b'=' => {
                if !self.is_closed && self.group.len() < 2 {
                    self.fault(at, "padding where base64 needs none");
                }
                self.end_group();
                self.is_closed = true;
            }
            None if is_blank(byte) => {}
            None => self.fault(at, "a character outside of the alphabet of base64"),
        }
    }

    /// Adds as many bytes of the group as its characters allow.
    fn end_group(&mut self) {
        let values = self.group.iter().zip([18, 12, 6, 0]);
        let bits = values.fold(0, |bits, ((value, _), shift)| bits | value << shift);
        let [_, bytes @ ..] = bits.to_be_bytes();
        let pairs = self.group.windows(2);
        for (byte, pair) in bytes.into_iter().zip(pairs) {
            if let [(_, start), (_, last)] = *pair {
                let span = Span::new(start as u64, last as u64 + 1);
                self.view.push_together(&[byte], span);
            }
        }
        self.group.clear();
    }

    fn fault(&mut self, at: usize, message: &'static str) {
        self.fault.get_or_insert(Fault { at, message });
    }

    fn finish(&mut self) {
        if let Some(&(_, at)) = self.group.first() {
            self.fault(at, "base64 that ends without padding");
            self.end_group();
        }
    }
}

/// Decodes the groups of four at the start of `text` and returns their length.
fn groups(text: &[u8], bytes: &mut Vec<u8>) -> usize {
    let decoded = |group: &[u8]| {
        let add = |bits, &byte: &u8| Some(bits << 6 | value(byte)?);
        group.iter().try_fold(0, add).map(u32::to_be_bytes)
    };
    bytes.clear();
    for [_, three @ ..] in text.chunks_exact(4).map_while(decoded) {
        bytes.extend(three);
    }
    bytes.len() / 3 * 4
}

/// Decodes whole groups, in vectors where the processor has them.
static ENGINE: LazyLock<Vectors> = LazyLock::new(|| {
    let config =
        GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::RequireNone);
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    return Vectors::standard(config);
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    return Vectors::new(&::base64::alphabet::STANDARD, config);
});

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
use ::base64::engine::GeneralPurpose as Vectors;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use ::base64::engine::Simd as Vectors;

/// The value of a character of base64.
fn value(byte: u8) -> Option<u32> {
    Some(match byte {
        b'A'..=b'Z' => u32::from(byte - b'A'),
        b'a'..=b'z' => u32::from(byte - b'a') + 26,
        b'0'..=b'9' => u32::from(byte - b'0') + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use urlint_testing::tries;

    /// Encodes `bytes` in lines of `width` characters.
    fn encode(bytes: &[u8], width: usize, line_end: &str) -> String {
        let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut characters = String::new();
        for three in bytes.chunks(3) {
            let bits = three
                .iter()
                .fold(0, |bits, &byte| bits << 8 | u32::from(byte));
            let bits = bits << (8 * (3 - three.len()));
            for place in 0..4 {
                let value = (bits >> (6 * (3 - place)) & 63) as usize;
                let is_padding = place > three.len();
                characters.push(if is_padding {
                    '='
                } else {
                    alphabet[value].into()
                });
            }
        }
        let mut lines = String::new();
        for (at, character) in characters.chars().enumerate() {
            if at > 0 && at % width == 0 {
                lines.push_str(line_end);
            }
            lines.push(character);
        }
        lines
    }

    #[test]
    fn decodes() {
        // The source, the text, the rest, and the offset of the first fault.
        let cases: &[(&str, &str, &str, Option<usize>)] = &[
            ("", "", "", None),
            ("aHR0cDo=", "http:", "", None),
            ("aHR0cDovLw==\n", "http://", "", None),
            ("aH\r\nR0cD\r\novL\r\nw==\r\n", "http://", "", None),
            ("a\nH\nR\n0\n", "htt", "", None),
            ("  aHR0 \n\n\taHR0\n", "htthtt", "", None),
            ("aHR0cDovLw", "http://", "", Some(8)),
            ("aHR0c", "htt", "", Some(4)),
            ("aHR0=", "htt", "", Some(4)),
            ("aHR0c===", "htt", "", Some(5)),
            // Padding is the end, unless the next line is certainly base64.
            ("YQ==\nUnsubscribe\n", "a", "Unsubscribe\n", None),
            ("YQ==\nYg==\n", "ab", "", Some(5)),
            // A list's footer.
            ("aHR0\n____\nA list\n", "htt", "____\nA list\n", None),
            ("aHR0\n\n-- \nhttp://a/\n", "htt", "-- \nhttp://a/\n", None),
            ("aHR0\nMailing list\n", "htt", "Mailing list\n", None),
            (
                "aHR0\n http://lists.a.example/mailman/x\n",
                "htt",
                " http://lists.a.example/mailman/x\n",
                None,
            ),
            ("no base64", "", "no base64", None),
            // A stray character among many.
            ("aHR0aHR0aHR0!aHR0aHR0", "htthtthtthtthtt", "", Some(12)),
            (
                "aHR0aHR0aHR0aH\x00R0aHR0aHR0",
                "htthtthtthtthtthtt",
                "",
                Some(14),
            ),
        ];
        for &(source, text, rest, fault) in cases {
            let decoded = decode(source.as_bytes());
            let shown = String::from_utf8_lossy(decoded.view.text());
            assert_eq!(shown, text, "{source:?}");
            assert_eq!(&source[decoded.end..], rest, "{source:?}");
            assert_eq!(decoded.fault.map(|fault| fault.at), fault, "{source:?}");
        }
    }

    #[test]
    fn maps() {
        let view = base64(b"aHR0\r\naHR\n0aHR0");
        let cases = [
            (0..1, (0, 2)),
            (1..2, (1, 3)),
            (2..3, (2, 4)),
            (0..3, (0, 4)),
        ];
        for (range, (start, end)) in cases {
            assert_eq!(view.map(range), Span::new(start, end).into());
        }
        assert_eq!(view.map(5..6), Span::new(8, 11).into());
        assert_eq!(view.map(2..4).iter().count(), 2);
        assert_eq!(view.map(6..9), Span::new(11, 15).into());
    }

    /// The byte that the span holds, decoded by the position of its characters among all others.
    fn reread(source: &[u8], start: u64, end: u64) -> u8 {
        let is_character = |byte: &&u8| value(**byte).is_some();
        let before = source[..start as usize].iter().filter(is_character);
        let place = before.count() % 4;
        let part = &source[start as usize..end as usize];
        let values: Vec<_> = part.iter().filter_map(|&byte| value(byte)).collect();
        assert_eq!(values.len(), 2);
        ((values[0] << 6 | values[1]) >> (4 - 2 * place)) as u8
    }

    proptest! {
        #![proptest_config(tries(256))]

        /// Law 1: the source of each byte holds that byte.
        #[test]
        fn every_byte_knows_where_it_came_from(
            bytes in prop::collection::vec(any::<u8>(), 0..200),
            width in 1..80usize,
            line_end in prop::sample::select(vec!["\n", "\r\n", "\r", " \n"]),
        ) {
            let source = encode(&bytes, width, line_end);
            let Decoded { view, fault, end } = decode(source.as_bytes());
            prop_assert_eq!(view.text(), &bytes[..]);
            prop_assert_eq!((fault, end), (None, source.len()));
            for (at, &byte) in bytes.iter().enumerate() {
                let span = view.map(at..at + 1);
                prop_assert_eq!(span.iter().count(), 1);
                let again = reread(source.as_bytes(), span.start(), span.end());
                prop_assert_eq!(again, byte);
            }
        }

        /// Text after the end that is returned makes no difference.
        #[test]
        fn the_end_is_the_end(source in "[ab=+ _.\\n]{0,80}") {
            let whole = decode(source.as_bytes());
            let again = decode(&source.as_bytes()[..whole.end]);
            prop_assert_eq!(again.view, whole.view);
            prop_assert_eq!(again.end, whole.end);
        }
    }
}
