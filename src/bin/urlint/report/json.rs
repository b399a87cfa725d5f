//! JSON with its keys in the order they are written, from bytes that may not be UTF-8.

use std::fmt::Write as _;
use std::io::{self, Write};

use urlint::Span;

use crate::terminal;

/// Writes an object, whose fields `fill` adds.
pub(crate) fn object(out: &mut Vec<u8>, fill: impl FnOnce(&mut Object<'_>)) {
    out.push(b'{');
    fill(&mut Object { out, first: true });
    out.push(b'}');
}

/// Writes a list of what `write` makes of each item.
pub(crate) fn list<T>(
    out: &mut Vec<u8>,
    items: impl IntoIterator<Item = T>,
    mut write: impl FnMut(&mut Vec<u8>, T),
) {
    out.push(b'[');
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        write(out, item);
    }
    out.push(b']');
}

/// Items of a list that is written as they come, a line each.
#[derive(Default)]
pub(crate) struct Items {
    any: bool,
}

impl Items {
    /// What stands before the next item; before the first one `opening`.
    pub(crate) fn next(&mut self, out: &mut dyn Write, opening: &[u8]) -> io::Result<()> {
        if std::mem::replace(&mut self.any, true) {
            out.write_all(b",\n")
        } else {
            out.write_all(opening)?;
            out.write_all(b"\n")
        }
    }

    /// What stands behind the last item; `opening` too if there was none.
    pub(crate) fn end(
        &mut self,
        out: &mut dyn Write,
        opening: &[u8],
        closing: &[u8],
    ) -> io::Result<()> {
        out.write_all(if self.any { b"\n" } else { opening })?;
        out.write_all(closing)
    }
}

/// Writes a string. JSON knows no bytes: each that is not UTF-8 becomes U+FFFD.
///
/// What acts on a terminal is escaped, beyond what JSON asks for.
pub(crate) fn string(out: &mut Vec<u8>, bytes: &[u8]) {
    let plain = |byte: &u8| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\');
    if bytes.iter().all(plain) {
        out.push(b'"');
        out.extend_from_slice(bytes);
        out.push(b'"');
        return;
    }
    let mut text = String::with_capacity(bytes.len());
    terminal::each_char(bytes, |_, c| text.push(c));
    let quoted = serde_json::Value::from(text).to_string();
    let mut safe = String::with_capacity(quoted.len());
    for c in quoted.chars() {
        if terminal::is_harmful(c) {
            // All of them are below U+10000, so one escape is enough; a `String` never fails.
            let _ = write!(safe, "\\u{:04x}", u32::from(c));
        } else {
            safe.push(c);
        }
    }
    out.extend_from_slice(safe.as_bytes());
}

/// Writes a number.
pub(crate) fn number(out: &mut Vec<u8>, number: u64) {
    // A `Vec` never fails.
    let _ = write!(out, "{number}");
}

/// Writes a span as a pair.
pub(crate) fn pair(out: &mut Vec<u8>, span: Span) {
    list(out, [span.start, span.end], number);
}

/// An object that is being written.
pub(crate) struct Object<'o> {
    out: &'o mut Vec<u8>,
    first: bool,
}

impl Object<'_> {
    /// Starts a field; the caller writes its value. The name has nothing in it that is escaped.
    pub(crate) fn field(&mut self, name: &str) -> &mut Vec<u8> {
        if !std::mem::take(&mut self.first) {
            self.out.push(b',');
        }
        self.out.push(b'"');
        self.out.extend_from_slice(name.as_bytes());
        self.out.extend_from_slice(b"\":");
        self.out
    }

    pub(crate) fn string(&mut self, name: &str, value: &[u8]) {
        string(self.field(name), value);
    }

    /// A string, or `null`.
    pub(crate) fn optional(&mut self, name: &str, value: Option<&[u8]>) {
        match value {
            Some(value) => self.string(name, value),
            None => self.null(name),
        }
    }

    pub(crate) fn number(&mut self, name: &str, value: u64) {
        number(self.field(name), value);
    }

    pub(crate) fn boolean(&mut self, name: &str, value: bool) {
        let value = if value { "true" } else { "false" };
        self.field(name).extend_from_slice(value.as_bytes());
    }

    pub(crate) fn null(&mut self, name: &str) {
        self.field(name).extend_from_slice(b"null");
    }

    pub(crate) fn strings<S: AsRef<[u8]>>(
        &mut self,
        name: &str,
        values: impl IntoIterator<Item = S>,
    ) {
        list(self.field(name), values, |out, value| {
            string(out, value.as_ref());
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_escaped() {
        let cases: [(&[u8], &str); 5] = [
            (b"plain", r#""plain""#),
            (b"a\"b\\c\n\x1b", r#""a\"b\\c\n\u001b""#),
            (b"a\xff\xfe", "\"a\u{fffd}\u{fffd}\""),
            (
                "é\u{9b}\u{202e}\x7f".as_bytes(),
                "\"é\\u009b\\u202e\\u007f\"",
            ),
            (b"", r#""""#),
        ];
        for (bytes, expected) in cases {
            let mut out = Vec::new();
            string(&mut out, bytes);
            assert_eq!(String::from_utf8_lossy(&out), expected);
        }
    }
}
