//! JSON that is safe to print: anything that acts on a terminal is escaped.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::ser::{Serialize, Serializer};
use serde_json::ser::Formatter;

use super::{Fingerprints, PlacedDiagnostic, Report};
use crate::terminal;

/// Writes `value` as JSON without white space.
pub fn write(out: impl Write, value: &(impl Serialize + ?Sized)) -> io::Result<()> {
    let mut serializer = serde_json::Serializer::with_formatter(out, EscapeControls);
    value.serialize(&mut serializer).map_err(io::Error::from)
}

/// Writes `value` as JSON without white space on a line of its own.
pub fn write_line(mut out: impl Write, value: &(impl Serialize + ?Sized)) -> io::Result<()> {
    write(&mut out, value)?;
    out.write_all(b"\n")
}

/// Writes `text` as a JSON string to `out`. JSON has no bytes: each one that is not UTF-8 becomes
/// U+FFFD.
#[inline]
pub fn write_text(out: &mut Vec<u8>, text: &[u8]) {
    // There is no branch for each byte, so this is vectorized.
    let is_escaped = |byte: u8| !(0x20..0x7f).contains(&byte) || matches!(byte, b'"' | b'\\');
    let is_plain = !text.iter().fold(false, |any, &byte| any | is_escaped(byte));
    if !is_plain || may_command(text) {
        // Writing to memory never fails.
        let _ = write(out, &Text(text));
        return;
    }
    out.reserve(text.len() + 2);
    out.push(b'"');
    out.extend_from_slice(text);
    out.push(b'"');
}

/// Returns whether `text` has `##`, and so may have a command for a CI server.
#[inline]
fn may_command(text: &[u8]) -> bool {
    let from = memchr::memchr(b'#', text);
    from.is_some_and(|at| text[at..].windows(2).any(|two| two == b"##"))
}

/// Writes JSON without white space, and escapes characters that control a terminal or the direction
/// of the text, or make a command for a CI server, beyond what JSON requires.
struct EscapeControls;

impl Formatter for EscapeControls {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        // JSON itself escapes the characters below the space.
        let mut fragment = Cow::Borrowed(fragment);
        if may_command(fragment.as_bytes()) {
            // A string is not at the start of a line, so its colons make no command.
            let escape = |byte| if byte == b'#' { "\\u0023" } else { ":" };
            fragment = Cow::Owned(terminal::replaced(&fragment, escape).into_owned());
        }
        if fragment.bytes().all(|byte| byte < 0x7f) {
            return out.write_all(fragment.as_bytes());
        }
        let mut from = 0;
        for (at, harmful) in fragment.match_indices(terminal::is_harmful) {
            out.write_all(&fragment.as_bytes()[from..at])?;
            // All of these are below U+10000, so one escape is enough.
            for c in harmful.chars() {
                write!(out, "\\u{:04x}", u32::from(c))?;
            }
            from = at + harmful.len();
        }
        out.write_all(&fragment.as_bytes()[from..])
    }
}

/// Bytes as a JSON string. JSON has no bytes: each one that is not UTF-8 becomes U+FFFD.
pub struct Text<B>(pub B);

impl<B: AsRef<[u8]>> Serialize for Text<B> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&in_utf8(self.0.as_ref()))
    }
}

/// Returns `bytes` as text: each byte that is not UTF-8 becomes U+FFFD.
pub fn in_utf8(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = str::from_utf8(bytes) {
        return text.into();
    }
    let mut text = String::with_capacity(bytes.len());
    terminal::each_char(bytes, |_, c| text.push(c));
    text.into()
}

/// A value whose objects keep the order of their keys.
pub enum Value<'v> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Number(u64),
    /// A string.
    Text(Cow<'v, str>),
    /// An array.
    Array(Vec<Value<'v>>),
    /// An object.
    Object(Vec<(&'static str, Value<'v>)>),
}

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::Number(number) => serializer.serialize_u64(*number),
            Value::Text(text) => serializer.serialize_str(text),
            Value::Array(values) => serializer.collect_seq(values),
            Value::Object(members) => {
                serializer.collect_map(members.iter().map(|(key, value)| (key, value)))
            }
        }
    }
}

/// An array that is written item by item, each on a line of its own.
pub struct Items {
    opening: String,
    any: bool,
}

impl Items {
    /// Creates an array that begins with `opening`, whose last character is the opening bracket.
    pub fn new(opening: impl Into<String>) -> Self {
        Items {
            opening: opening.into(),
            any: false,
        }
    }

    /// Writes the next item.
    pub fn add(&mut self, out: &mut dyn Write, item: &impl Serialize) -> io::Result<()> {
        if std::mem::replace(&mut self.any, true) {
            out.write_all(b",\n")?;
        } else {
            writeln!(out, "{}", self.opening)?;
        }
        write(out, item)
    }

    /// Writes `closing` after the last item.
    pub fn end(&mut self, out: &mut dyn Write, closing: &str) -> io::Result<()> {
        let before = if self.any { "\n" } else { &self.opening };
        writeln!(out, "{before}{closing}")
    }
}

/// Returns the item for a diagnostic.
type Item = for<'d> fn(&PlacedDiagnostic<'d>, &mut Fingerprints) -> Value<'d>;

/// A report that is an array with an item for each diagnostic.
pub(super) struct ArrayReport {
    items: Items,
    item: Item,
    fingerprints: Fingerprints,
}

impl ArrayReport {
    pub(super) fn new(item: Item) -> Self {
        ArrayReport {
            items: Items::new("["),
            item,
            fingerprints: Fingerprints::default(),
        }
    }
}

impl Report for ArrayReport {
    fn report(&mut self, out: &mut dyn Write, placed: &PlacedDiagnostic<'_>) -> io::Result<()> {
        let item = (self.item)(placed, &mut self.fingerprints);
        self.items.add(out, &item)
    }

    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.items.end(out, "]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_escaped() {
        let cases: [(&[u8], &str); 7] = [
            (b"plain", r#""plain""#),
            (b"a\"b\\c\n\x1b", r#""a\"b\\c\n\u001b""#),
            (b"a\xff\xfe", "\"a\u{fffd}\u{fffd}\""),
            (
                "é\u{9b}\u{202e}\x7f".as_bytes(),
                "\"é\\u009b\\u202e\\u007f\"",
            ),
            ("\u{7f}a\u{2028}b".as_bytes(), "\"\\u007fa\\u2028b\""),
            (b"a##[b]##c", r#""a#\u0023[b]##c""#),
            (b"", r#""""#),
        ];
        for (bytes, expected) in cases {
            let mut out = Vec::new();
            assert!(write(&mut out, &Text(bytes)).is_ok());
            assert_eq!(String::from_utf8_lossy(&out), expected);
            let mut direct = Vec::new();
            write_text(&mut direct, bytes);
            assert_eq!(direct, out);
        }
    }
}
