//! Character sets: texts of any charset as UTF-8, after the Encoding Standard (WHATWG).

use encoding_rs::{Decoder, DecoderResult, Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE};

use super::{Layer, View};
use crate::text::span::Span;

/// A charset that nothing is known about, so that its text cannot be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UnknownCharset;

/// What stands in the place of bytes that stand for nothing: U+FFFD.
const REPLACEMENT: &[u8] = "\u{FFFD}".as_bytes();

/// `text`, which is in the charset that `label` names, as UTF-8. A byte order mark is right whatever
/// the label says. UTF-8 and US-ASCII stay as they are, with all that is not valid in them.
pub(crate) fn decode<'t>(text: &'t [u8], label: &[u8]) -> Result<View<'t>, UnknownCharset> {
    let told = Encoding::for_bom(text);
    let (encoding, mark) = match told {
        Some((encoding, mark)) => (Some(encoding), mark),
        None => (of_label(label)?, 0),
    };
    let Some(encoding) = encoding else {
        return Ok(View::same(text, 0));
    };
    let ascii = match encoding {
        encoding if encoding == UTF_8 => text.len(),
        encoding if encoding == UTF_16LE || encoding == UTF_16BE => 0,
        encoding if encoding == ISO_2022_JP => Encoding::iso_2022_jp_ascii_valid_up_to(text),
        _ => Encoding::ascii_valid_up_to(text),
    };
    Ok(match encoding {
        _ if ascii == text.len() => View::same(text, 0),
        encoding if encoding == UTF_16LE => utf_16(text, mark, u16::from_le_bytes),
        encoding if encoding == UTF_16BE => utf_16(text, mark, u16::from_be_bytes),
        encoding if encoding == ISO_2022_JP => Steps::new(text, encoding).all(),
        encoding if encoding.is_single_byte() => single_bytes(text, encoding),
        encoding => Steps::new(text, encoding).all(),
    })
}

/// Whether texts in the charset that `label` names can be decoded.
pub(crate) fn is_known(label: &[u8]) -> bool {
    of_label(label).is_ok()
}

/// The charset of a text that begins with a byte order mark of UTF-16.
pub(crate) fn of_bom(head: &[u8]) -> Option<&'static str> {
    let (encoding, _) = Encoding::for_bom(head)?;
    (encoding != UTF_8).then(|| encoding.name())
}

/// The encoding that `label` names; `None` for US-ASCII, which the standard takes for windows-1252:
/// what else stands in such a text is as often something else.
fn of_label(label: &[u8]) -> Result<Option<&'static Encoding>, UnknownCharset> {
    let label = label.trim_ascii().to_ascii_lowercase();
    let is = |(name, _): &&(&str, &str)| name.as_bytes() == label;
    if US_ASCII.iter().any(|name| name.as_bytes() == label) {
        return Ok(None);
    }
    let known = match ALIASES.iter().find(is) {
        Some((_, name)) => name.as_bytes(),
        None => &label,
    };
    let encoding = Encoding::for_label_no_replacement(known);
    encoding.map(Some).ok_or(UnknownCharset)
}

/// Names of US-ASCII that are met with in mail.
const US_ASCII: [&str; 7] = [
    "us-ascii",
    "ascii",
    "ansi_x3.4-1968",
    "iso-ir-6",
    "iso646-us",
    "cp367",
    "646",
];

/// Names that are met with in mail but not in the standard, and its names for them.
const ALIASES: [(&str, &str); 9] = [
    ("cp932", "shift_jis"),
    ("cp936", "gbk"),
    ("cp949", "euc-kr"),
    ("cp950", "big5"),
    ("cp1250", "windows-1250"),
    ("iso-2022-jp-1", "iso-2022-jp"),
    ("iso-2022-jp-ms", "iso-2022-jp"),
    ("latin-1", "iso-8859-1"),
    ("utf8mb4", "utf-8"),
];

/// `text` in UTF-16, behind a byte order mark of `mark` bytes.
fn utf_16(text: &[u8], mark: usize, unit: fn([u8; 2]) -> u16) -> View<'static> {
    let mut view = View::with_capacity(Layer::Opaque, text.len() / 2);
    let (pairs, rest) = text[mark..].as_chunks::<2>();
    let units = pairs.iter().map(|&pair| unit(pair));
    let mut at = mark as u64;
    for character in char::decode_utf16(units) {
        let character = character.unwrap_or(char::REPLACEMENT_CHARACTER);
        let width = 2 * character.len_utf16() as u8;
        let mut bytes = [0; 4];
        view.push_character(character.encode_utf8(&mut bytes).as_bytes(), at, width);
        at += u64::from(width);
    }
    if !rest.is_empty() {
        view.push_character(REPLACEMENT, at, 1);
    }
    view
}

/// `text` in an encoding of which each byte is a character.
fn single_bytes(text: &[u8], encoding: &'static Encoding) -> View<'static> {
    let upper: Vec<u8> = (0x80..=0xFF).collect();
    let (characters, _) = encoding.decode_without_bom_handling(&upper);
    let characters: Vec<char> = characters.chars().collect();
    let mut view = View::with_capacity(Layer::Ascii, text.len());
    let mut at = 0;
    while at < text.len() {
        let ascii = Encoding::ascii_valid_up_to(&text[at..]);
        view.copy(&text[at..at + ascii], at as u64);
        at += ascii;
        while let Some(upper) = text.get(at).and_then(|byte| byte.checked_sub(0x80)) {
            let character = characters.get(usize::from(upper));
            let character = character.copied().unwrap_or(char::REPLACEMENT_CHARACTER);
            let mut bytes = [0; 4];
            view.push_character(character.encode_utf8(&mut bytes).as_bytes(), at as u64, 1);
            at += 1;
        }
    }
    view
}

/// Decodes an encoding of which characters have any number of bytes, in steps so small that it is
/// seen which bytes make which character.
struct Steps<'t> {
    text: &'t [u8],
    view: View<'static>,
    encoding: &'static Encoding,
    decoder: Decoder,
    /// Up to where the decoder has been given the text.
    at: usize,
    /// Up to where the text has been seen to make characters.
    done: usize,
    /// Whether bytes below 0x80 stand for US-ASCII here.
    is_ascii: bool,
    /// Up to where the view has been looked at for a URL.
    looked_at: usize,
}

impl<'t> Steps<'t> {
    fn new(text: &'t [u8], encoding: &'static Encoding) -> Self {
        let layer = match encoding.is_ascii_compatible() {
            true => Layer::Ascii,
            false => Layer::Opaque,
        };
        Steps {
            text,
            view: View::with_capacity(layer, text.len()),
            encoding,
            decoder: encoding.new_decoder_without_bom_handling(),
            at: 0,
            done: 0,
            is_ascii: true,
            looked_at: 0,
        }
    }

    fn all(mut self) -> View<'static> {
        loop {
            if self.is_ascii && self.done == self.at {
                self.ascii();
            }
            if self.encoding == ISO_2022_JP && self.escape_or_line_end() {
                continue;
            }
            let (end, len) = (self.at + 1, self.text.len());
            let is_empty = self.step(end.min(len), end > len);
            if is_empty && end > len {
                return self.view;
            }
        }
    }

    /// Copies the US-ASCII that comes next.
    fn ascii(&mut self) {
        let rest = &self.text[self.at..];
        let len = match self.encoding == ISO_2022_JP {
            true => Encoding::iso_2022_jp_ascii_valid_up_to(rest),
            false => Encoding::ascii_valid_up_to(rest),
        };
        self.view.copy(&rest[..len], self.at as u64);
        self.at += len;
        self.done = self.at;
    }

    /// Gives the decoder the text up to `end`; returns whether it has nothing left to say.
    fn step(&mut self, end: usize, is_last: bool) -> bool {
        let mut character = [0; 32];
        let part = &self.text[self.at..end];
        let (result, read, written) =
            self.decoder
                .decode_to_utf8_without_replacement(part, &mut character, is_last);
        self.at += read;
        let (mut fault, mut upto) = (0, self.at);
        if let DecoderResult::Malformed(len, behind) = result {
            upto = upto.saturating_sub(behind.into());
            fault = usize::from(len).min(upto.saturating_sub(self.done));
            upto -= fault;
            if behind > 0 && self.encoding != ISO_2022_JP {
                self.decoder = self.encoding.new_decoder_without_bom_handling();
                self.at = upto + fault;
            }
        }
        if written > 0 {
            self.push(&character[..written], upto);
        }
        if fault > 0 {
            self.push(REPLACEMENT, upto + fault);
        }
        result == DecoderResult::InputEmpty
    }

    /// Adds what the bytes up to `end` that are not done are decoded to.
    fn push(&mut self, characters: &[u8], end: usize) {
        let width = (end - self.done) as u8;
        self.view
            .push_character(characters, self.done as u64, width);
        self.done = end;
    }

    /// Passes an escape, or begins anew at the end of a line, since none leaves US-ASCII behind it
    /// (RFC 1468). An escape vanishes; but one behind what may be a URL is shown as such, since that
    /// ends there.
    fn escape_or_line_end(&mut self) -> bool {
        let (begins_ascii, len) = match self.text[self.at..] {
            [b'\n' | b'\r', ..] if !self.is_ascii => (true, 0),
            [0x1B, b'(', b'B' | b'J', ..] => (true, 3),
            [0x1B, b'(', b'I', ..] | [0x1B, b'$', b'@' | b'B', ..] => (false, 3),
            _ => return false,
        };
        if self.done < self.at {
            self.push(REPLACEMENT, self.at);
        }
        let escape = &self.text[self.at..self.at + len];
        self.decoder = self.encoding.new_decoder_without_bom_handling();
        if !begins_ascii {
            let mut nothing = [0; 32];
            let _ = self
                .decoder
                .decode_to_utf8_without_replacement(escape, &mut nothing, false);
            let is_in_word = |byte: &&u8| byte.is_ascii_graphic();
            let new = &self.view.text()[self.looked_at..];
            self.looked_at += new.len();
            let mut word = new.iter().rev().take_while(is_in_word);
            if word.any(|&byte| byte == b':') {
                let span = Span::new(self.at as u64, (self.at + len) as u64);
                self.view.push_together(&escape[..1], span);
            }
        }
        self.is_ascii = begins_ascii;
        self.at += len;
        self.done = self.at;
        true
    }
}

#[cfg(test)]
mod tests;
