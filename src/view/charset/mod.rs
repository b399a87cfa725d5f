//! Charsets: decodes text of any charset to UTF-8, as the Encoding Standard (WHATWG) says.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{BIG5, EUC_JP, EUC_KR, GBK, SHIFT_JIS};
use encoding_rs::{Decoder, DecoderResult, Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE};

use super::{Layer, View};
use urlint_standard::text::Span;
use urlint_standard::text::ascii::{WordList, begins, ends};

/// The error for an unknown charset, whose text cannot be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownCharset;

/// The replacement for bytes that are not valid in their charset: U+FFFD.
const REPLACEMENT: &[u8] = "\u{FFFD}".as_bytes();

/// Decodes `text`, whose charset is named by `label`, to UTF-8. A byte order mark takes precedence
/// over the label. UTF-8 and ASCII are left as they are, even if they are not valid.
///
/// Fails if the charset is unknown.
pub fn decode<'t>(text: &'t [u8], label: &[u8]) -> Result<View<'t>, UnknownCharset> {
    let (encoding, mark) = match Encoding::for_bom(text) {
        Some((encoding, mark)) => (Some(encoding), mark),
        None => (from_label(label)?, 0),
    };
    let Some(encoding) = encoding else {
        return Ok(View::borrowed(text, 0));
    };
    let ascii = match encoding {
        encoding if encoding == UTF_8 => text.len(),
        encoding if encoding == UTF_16LE || encoding == UTF_16BE => 0,
        encoding if encoding == ISO_2022_JP => Encoding::iso_2022_jp_ascii_valid_up_to(text),
        _ => Encoding::ascii_valid_up_to(text),
    };
    Ok(match encoding {
        _ if ascii == text.len() => View::borrowed(text, 0),
        encoding if encoding == UTF_16LE => utf_16(text, mark, u16::from_le_bytes),
        encoding if encoding == UTF_16BE => utf_16(text, mark, u16::from_be_bytes),
        encoding if encoding == ISO_2022_JP => Steps::new(text, encoding).all(),
        encoding if encoding.is_single_byte() => single_bytes(text, encoding),
        encoding => Steps::new(text, encoding).all(),
    })
}

/// Returns whether the charset that `label` names is known, so that its text can be decoded.
pub fn is_known(label: &[u8]) -> bool {
    from_label(label).is_ok()
}

/// The charset of a text that begins with a byte order mark of UTF-16.
pub fn from_bom(head: &[u8]) -> Option<&'static str> {
    let (encoding, _) = Encoding::for_bom(head)?;
    (encoding != UTF_8).then(|| encoding.name())
}

/// How much of markup may precede the charset that it declares, in bytes, as in browsers.
const DECLARED: usize = 1024;

/// Returns the label of the charset that markup declares, `<meta charset="koi8-r">` or
/// `<?xml encoding="koi8-r"?>`, unless it is in UTF-8 all the same. It cannot be UTF-16.
pub fn declared(markup: &[u8]) -> Option<&[u8]> {
    let head = &markup[..markup.len().min(DECLARED)];
    let is_coded =
        || std::str::from_utf8(markup).is_err() || memchr::memchr(0x1B, markup).is_some();
    let mut labels = memchr::memchr_iter(b'=', head).filter_map(|equals| {
        let name = head[..equals].trim_ascii_end();
        let names = ["charset", "encoding"];
        names.iter().find(|known| ends(name, known))?;
        let value = head[equals + 1..].trim_ascii_start();
        let value = value
            .strip_prefix(b"\"")
            .or(value.strip_prefix(b"'"))
            .unwrap_or(value);
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_:.".contains(byte);
        let end = value.iter().position(|byte| !is_part(byte));
        Some(&value[..end.unwrap_or(value.len())])
    });
    let label = labels.next()?;
    (!begins(label, "utf-16") && is_coded()).then_some(label)
}

/// How much of a text is examined to guess its charset, in bytes.
const GUESSED: usize = 64 << 10;

/// Guesses the charset of a text that declares none, if it looks East Asian: there, a character
/// that is misread may run into a URL. Returns `None` if the text is ASCII, UTF-8, or anything
/// else.
pub fn guess(text: &[u8]) -> Option<&'static str> {
    let text = &text[..text.len().min(GUESSED)];
    if text.is_ascii() {
        let is_shift = |at| text[at + 1..].starts_with(b"$");
        let is_japanese = memchr::memchr_iter(0x1B, text).any(is_shift);
        return is_japanese.then(|| ISO_2022_JP.name());
    }
    if is_latin(text) || is_mostly_utf_8(text) {
        return None;
    }
    detect(text)
}

/// Returns whether a byte that begins a character in each East Asian charset comes after ASCII and before a space or a
/// punctuation mark, which is valid in none of them.
fn is_latin(text: &[u8]) -> bool {
    let is_alone = |bytes: &[u8]| matches!(bytes, [..0x80, 0xE1..=0xFC, ..=b'/']);
    text.windows(3).any(is_alone)
}

/// Returns the charset that the detector guesses, if it is East Asian.
fn detect(text: &[u8]) -> Option<&'static str> {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(text, true);
    let encoding = detector.guess(None, Utf8Detection::Deny);
    let is_asian = [BIG5, EUC_JP, EUC_KR, GBK, SHIFT_JIS].contains(&encoding);
    is_asian.then(|| encoding.name())
}

/// Returns whether `text` has at least as many characters outside ASCII as faults of UTF-8.
fn is_mostly_utf_8(text: &[u8]) -> bool {
    let (mut characters, mut faults) = (0, 0);
    for chunk in text.utf8_chunks() {
        characters += chunk
            .valid()
            .chars()
            .filter(|character| !character.is_ascii())
            .count();
        faults += usize::from(!chunk.invalid().is_empty());
    }
    characters >= faults
}

/// Returns the encoding that `label` names; `None` for US-ASCII. The standard reads US-ASCII as
/// windows-1252, but other bytes in such a text are just as often from another charset.
fn from_label(label: &[u8]) -> Result<Option<&'static Encoding>, UnknownCharset> {
    let label = label.trim_ascii().to_ascii_lowercase();
    let is = |(name, _): &&(&str, &str)| name.as_bytes() == label;
    if US_ASCII.contains(&label) {
        return Ok(None);
    }
    let known = match ALIASES.iter().find(is) {
        Some((_, name)) => name.as_bytes(),
        None => &label,
    };
    let encoding = Encoding::for_label_no_replacement(known);
    encoding.map(Some).ok_or(UnknownCharset)
}

/// Names of US-ASCII that mail uses.
// In `utf-7`, nearly all characters, including those of URLs, stand for themselves (RFC 2152).
const US_ASCII: WordList = WordList(
    "us-ascii us_ascii ascii ansi_x3.4-1968 ansi_x3.4-1986 iso-ir-6 iso646-us cp367 646 utf-7",
);

/// Names that mail uses but the standard does not have, and the standard's names.
const ALIASES: [(&str, &str); 10] = [
    ("chinesebig5", "big5"),
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

/// Decodes UTF-16 after a byte order mark of `mark` bytes.
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

/// Decodes an encoding in which each byte is a character.
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

/// Decodes an encoding whose characters have varying lengths. The decoder gets one byte at a time,
/// which shows which bytes make which character.
struct Steps<'t> {
    text: &'t [u8],
    view: View<'static>,
    encoding: &'static Encoding,
    decoder: Decoder,
    /// The end of the text that has been passed to the decoder.
    at: usize,
    /// The end of the text whose characters are in the view.
    done: usize,
    /// Whether bytes below 0x80 are ASCII here.
    is_ascii: bool,
    /// The end of the part of the view that has been searched for a URL.
    searched: usize,
}

impl<'t> Steps<'t> {
    fn new(text: &'t [u8], encoding: &'static Encoding) -> Self {
        let layer = if encoding.is_ascii_compatible() {
            Layer::Ascii
        } else {
            Layer::Opaque
        };
        Steps {
            text,
            view: View::with_capacity(layer, text.len()),
            encoding,
            decoder: encoding.new_decoder_without_bom_handling(),
            at: 0,
            done: 0,
            is_ascii: true,
            searched: 0,
        }
    }

    /// Decodes all of the text.
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

    /// Copies the ASCII text that comes next.
    fn ascii(&mut self) {
        let rest = &self.text[self.at..];
        let len = if self.encoding == ISO_2022_JP {
            Encoding::iso_2022_jp_ascii_valid_up_to(rest)
        } else {
            Encoding::ascii_valid_up_to(rest)
        };
        self.view.copy(&rest[..len], self.at as u64);
        self.at += len;
        self.done = self.at;
    }

    /// Passes the text up to `end` to the decoder; returns whether it has read all of it.
    fn step(&mut self, end: usize, is_last: bool) -> bool {
        let mut character = [0; 32];
        let part = &self.text[self.at..end];
        let (result, read, written) =
            self.decoder
                .decode_to_utf8_without_replacement(part, &mut character, is_last);
        self.at += read;
        let (mut fault, mut upto) = (0, self.at);
        if let DecoderResult::Malformed(len, after) = result {
            upto = upto.saturating_sub(after.into());
            fault = usize::from(len).min(upto.saturating_sub(self.done));
            upto -= fault;
            if after > 0 && self.encoding != ISO_2022_JP {
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

    /// Adds the characters that the bytes from `done` to `end` are decoded to.
    fn push(&mut self, characters: &[u8], end: usize) {
        let width = (end - self.done) as u8;
        self.view
            .push_character(characters, self.done as u64, width);
        self.done = end;
    }

    /// Reads an escape sequence, or resets the decoder at the end of a line, where the text returns
    /// to ASCII (RFC 1468). An escape sequence is removed, except that the ESC after a possible URL
    /// is kept, since the URL ends there.
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
            let new = &self.view.text()[self.searched..];
            self.searched += new.len();
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
