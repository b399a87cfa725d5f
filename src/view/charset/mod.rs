//! Charsets: decodes text of any charset to UTF-8, as the Encoding Standard (WHATWG) says.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Decoder, DecoderResult, Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE};

use memchr::memmem;

use super::{Layer, View};
use urlint_standard::text::Span;
use urlint_standard::text::ascii::{WordList, begins, ends};
use urlint_standard::text::utf8::utf_16;
use urlint_standard::url::schemes::MAX_SCHEME;

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
        encoding if encoding == UTF_16LE => units(text, mark, u16::from_le_bytes),
        encoding if encoding == UTF_16BE => units(text, mark, u16::from_be_bytes),
        encoding if encoding == ISO_2022_JP => Steps::new(text, encoding).all(),
        encoding if encoding.is_single_byte() => single_bytes(text, encoding),
        encoding => Steps::new(text, encoding).all(),
    })
}

/// Returns whether the charset that `label` names is known, so that its text can be decoded.
pub fn is_known(label: &[u8]) -> bool {
    from_label(label).is_ok()
}

/// Returns whether `label` says nothing about bytes outside ASCII, as `unknown-8bit` and `us-ascii` do.
pub fn is_open(label: &[u8]) -> bool {
    label.is_empty() || !matches!(from_label(label), Ok(Some(_)))
}

/// Returns the label of the charset of `document`: the one that it declares, or else the one that is guessed if bytes
/// that are not UTF-8 touch one of its URLs. `None` if it is UTF-8, or read as it is.
pub fn of(document: &[u8], is_markup: bool) -> Option<&[u8]> {
    if let Some(label) = utf_16(document) {
        return Some(label.as_bytes());
    }
    // Most documents are UTF-8, which is known soonest.
    let is_utf_8 = Encoding::utf8_valid_up_to(document) == document.len();
    if is_utf_8 && memchr::memchr(0x1B, document).is_none() {
        return None;
    }
    // In markup, an ISO-2022-JP letter may look like the beginning of a comment.
    let has_shift = || is_markup && memmem::find(document, SHIFT).is_some();
    let is_touched = is_touched(document) || has_shift();
    // A program that writes pages has `charset=utf-8` in its strings, whatever it is saved in itself.
    let is_own = |label: &&[u8]| is_markup || !is_open(label) && !begins(label, "utf");
    let declared = || declared(document, is_markup).filter(is_own);
    let label = (is_touched || is_markup).then(declared).flatten();
    label.or_else(|| Some(guess(document).filter(|_| is_touched)?.as_bytes()))
}

/// Returns whether bytes that are not UTF-8 touch a URL of `text`, or are in it.
fn is_touched(text: &[u8]) -> bool {
    memmem::find_iter(text, b"://").any(|colon| {
        // Bytes below `0` end a character in each charset.
        let before = text[..colon].iter().rev().take(MAX_SCHEME);
        let start = colon - before.take_while(|byte| **byte >= b'0').count();
        let is_of_url = |byte: &&u8| **byte > b' ' && !b"<>\"'()".contains(byte);
        let after = text[colon..].iter().take(TOUCHED);
        let near = &text[start..colon + after.take_while(is_of_url).count()];
        // Where the limits are, both ends may be in the middle of a character.
        let cut = near
            .iter()
            .take(if colon - start == MAX_SCHEME { 3 } else { 0 });
        let cut = cut.take_while(|byte| **byte & 0xC0 == 0x80).count();
        let near = std::str::from_utf8(&near[cut..]);
        near.is_err_and(|fault| fault.error_len().is_some())
    })
}

/// How much of a URL is looked at, in bytes.
const TOUCHED: usize = 256;

/// How much of a document may precede the charset that it declares, in bytes: in markup twice as much as pages have.
const DECLARED: usize = 8 << 10;

/// Returns the label of the charset that `document` declares. It cannot be UTF-16.
/// Markup says `<meta charset="koi8-r">` or `<?xml encoding="koi8-r"?>`, other documents `charset=koi8-r` (gettext),
/// `coding: koi8-r` (Emacs), `fileencoding=koi8-r` (Vim), `@charset "koi8-r"` (CSS) or `[koi8-r]{inputenc}` (TeX).
fn declared(document: &[u8], is_markup: bool) -> Option<&[u8]> {
    let head = &document[..document.len().min(DECLARED)];
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_:.".contains(byte);
    let mut labels = memchr::memchr3_iter(b'=', b':', b'"', head).filter_map(|sign| {
        let name = head[..sign].trim_ascii_end();
        let is_name = ends(name, "charset") || ends(name, "coding");
        let tag = &name[memchr::memrchr(b'<', name).unwrap_or(0)..];
        let is_of_head = begins(tag, "<meta") || begins(tag, "<?xml");
        if !is_name || is_markup && !is_of_head {
            return None;
        }
        let value = head[sign + 1..].trim_ascii_start();
        let value = value
            .strip_prefix(b"\"")
            .or(value.strip_prefix(b"'"))
            .unwrap_or(value);
        let end = value.iter().position(|byte| !is_part(byte));
        Some(&value[..end.unwrap_or(value.len())])
    });
    let of_tex = || {
        let (options, _) = head.split_at(memmem::find(head, b"]{inputenc}")?);
        options.rsplit(|byte| !is_part(byte)).next()
    };
    let label = labels.find(|label| is_known(label)).or_else(of_tex)?;
    (is_known(label) && !begins(label, "utf-16")).then_some(label)
}

/// How much of a text is examined to guess its charset, in bytes.
pub const GUESSED: usize = 64 << 10;

/// Guesses the charset of a text that declares none. Returns `None` if the text is ASCII or UTF-8, or if the guess
/// is known to be wrong.
pub fn guess(text: &[u8]) -> Option<&'static str> {
    let is_whole = text.len() <= GUESSED;
    let text = &text[..text.len().min(GUESSED)];
    if text.is_ascii() {
        return memmem::find(text, SHIFT).map(|_| ISO_2022_JP.name());
    }
    let lines = beyond_ascii(text);
    let others = lines.iter().filter(|byte| !byte.is_ascii()).count();
    if others <= FEW || is_mostly_utf_8(&lines) {
        return None;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(&lines, is_whole);
    let encoding = detector.guess(None, Utf8Detection::Deny);
    let is_possible = encoding.is_single_byte() || !is_latin(text);
    is_possible.then(|| encoding.name())
}

/// Returns the lines with bytes beyond ASCII. The others do not change the score of any charset.
fn beyond_ascii(text: &[u8]) -> Vec<u8> {
    let lines = text.split_inclusive(|byte| *byte == b'\n');
    let lines: Vec<_> = lines.filter(|line| !line.is_ascii()).collect();
    lines.concat()
}

/// How many bytes beyond ASCII tell nothing about the charset.
const FEW: usize = 6;

/// What begins Japanese letters in ISO-2022-JP.
const SHIFT: &[u8] = b"\x1B$";

/// Returns whether a byte that begins a character in each East Asian charset comes after ASCII and before a space or a
/// punctuation mark, which is valid in none of them.
fn is_latin(text: &[u8]) -> bool {
    let is_alone = |bytes: &[u8]| matches!(bytes, [..0x80, 0xE1..=0xFC, ..=b'/']);
    text.windows(3).any(is_alone)
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
    // Each surrogate is three faults. A text of Python has one for a byte that it could not decode.
    let is_surrogate = |bytes: &&[u8]| matches!(bytes, [0xED, 0xA0..=0xBF, 0x80..=0xBF]);
    let surrogates = text.windows(3).filter(is_surrogate).count();
    characters + 3 * surrogates >= faults
}

/// Returns the encoding that `label` names; `None` for US-ASCII. The standard reads US-ASCII as
/// windows-1252, but other bytes in such a text are just as often from another charset.
fn from_label(label: &[u8]) -> Result<Option<&'static Encoding>, UnknownCharset> {
    let known = Encoding::for_label_no_replacement(label);
    let label = label.trim_ascii();
    // Most labels are those of other encodings, which is known soonest.
    if known.is_none_or(|known| known.name() == "windows-1252") && US_ASCII.contains(label) {
        return Ok(None);
    }
    let is = |(name, _): &&(&str, &str)| label.eq_ignore_ascii_case(name.as_bytes());
    let alias = || ALIASES.iter().find(is).map(|(_, name)| name.as_bytes());
    let known = known.or_else(|| Encoding::for_label(alias()?));
    known.map(Some).ok_or(UnknownCharset)
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

/// Decodes UTF-16 after a byte order mark of `mark` bytes, if any.
fn units(text: &[u8], mark: usize, unit: fn([u8; 2]) -> u16) -> View<'static> {
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
