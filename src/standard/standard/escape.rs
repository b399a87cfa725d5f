//! Escapes: `%` and two hexadecimal digits (RFC 1738, section 2.2; RFC 3986, section 2.1).

use std::borrow::Cow;

use super::Part;

/// An escape of a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Escape {
    /// The offset of its `%`.
    pub at: u32,
    /// The byte that it stands for.
    pub byte: u8,
}

impl Escape {
    /// The length of an escape, in bytes.
    pub const LEN: u32 = 3;

    /// Returns the escape's part of the URL.
    pub const fn part(self) -> Part {
        Part {
            start: self.at,
            end: self.at + Escape::LEN,
        }
    }
}

/// Returns the escapes in `part` of `url`, in order. In `%%41%41` the first `%` begins no escape
/// and is skipped.
pub fn escapes(url: &[u8], part: Part) -> impl Iterator<Item = Escape> + '_ {
    let text = url.get(..part.range().end).unwrap_or(url);
    let mut next = part.start;
    std::iter::from_fn(move || {
        loop {
            let found = memchr::memchr(b'%', text.get(next as usize..)?)?;
            let at = next + found as u32;
            match escape_at(text, at as usize) {
                Some(byte) => {
                    next = at + Escape::LEN;
                    return Some(Escape { at, byte });
                }
                None => next = at + 1,
            }
        }
    })
}

/// Returns the byte that the escape at the offset `at` of `text` stands for, if there is one.
pub fn escape_at(text: &[u8], at: usize) -> Option<u8> {
    let &[b'%', high, low, ..] = text.get(at..)? else {
        return None;
    };
    let digit = |byte: u8| char::from(byte).to_digit(16);
    u8::try_from(digit(high)? << 4 | digit(low)?).ok()
}

/// Returns `text` with its escapes decoded.
pub fn decoded(text: &[u8]) -> Cow<'_, [u8]> {
    let mut bytes = Vec::new();
    let mut from = 0;
    for escape in escapes(text, Part::all(text)) {
        let range = escape.part().range();
        bytes.extend_from_slice(&text[from..range.start]);
        bytes.push(escape.byte);
        from = range.end;
    }
    if from == 0 {
        return Cow::Borrowed(text);
    }
    bytes.extend_from_slice(&text[from..]);
    Cow::Owned(bytes)
}

/// Returns whether `byte` is a letter, a digit, `-`, `.` or `_`, which mean the same encoded or
/// not.
pub fn is_needless(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._".contains(&byte)
}

/// Returns whether the escape at the offset `at` of `text`, which stands for a dot, is part of a
/// segment that is `.` or `..`: decoding it would cause the segment to be removed.
pub fn is_in_dot_segment(text: &[u8], at: usize) -> bool {
    // Only a few bytes on either side matter.
    let ends = |byte: &u8| b"/?;".contains(byte);
    let before = &text[at.saturating_sub(4)..at];
    let start = before.iter().rposition(ends).map_or(0, |at| at + 1);
    let start = at - before.len() + start;
    let after = &text[at + 3..text.len().min(at + 7)];
    let end = at + 3 + after.iter().position(ends).unwrap_or(after.len());
    is_dot_segment(&text[start..end])
}

/// Returns whether a path segment is `.` or `..`, encoded or not.
pub fn is_dot_segment(segment: &[u8]) -> bool {
    matches!(dots(segment), 1 | 2)
}

/// Returns how many dots, encoded or not, a path segment consists of; 0 if it has other characters.
pub(super) fn dots(segment: &[u8]) -> usize {
    let segment = decoded(segment);
    let is_dots = segment.iter().all(|&byte| byte == b'.');
    if is_dots { segment.len() } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_found() {
        type Case = (&'static [u8], &'static [(u32, u8)]);
        let cases: [Case; 6] = [
            (b"", &[]),
            (b"%4", &[]),
            (b"%41%4a", &[(0, b'A'), (3, b'J')]),
            (b"%%41%4", &[(1, b'A')]),
            (b"%4%41", &[(2, b'A')]),
            (b"%zz%00%FF", &[(3, 0), (6, 0xFF)]),
        ];
        for (text, expected) in cases {
            let found: Vec<_> = escapes(text, Part::all(text))
                .map(|escape| (escape.at, escape.byte))
                .collect();
            assert_eq!(found, expected, "{}", text.escape_ascii());
        }
        let text = b"%41%42%43";
        let inner: Vec<_> = escapes(text, Part::new(1, 8)).collect();
        assert_eq!(inner, [Escape { at: 3, byte: b'B' }], "within the part");
    }

    #[test]
    fn decoding() {
        assert_eq!(*decoded(b"a%20b%2%41"), *b"a b%2A");
        assert!(matches!(decoded(b"100%"), Cow::Borrowed(b"100%")));
    }

    #[test]
    fn dot_segments() {
        for segment in [".", "..", "%2e", ".%2E", "%2E%2e"] {
            assert!(is_dot_segment(segment.as_bytes()), "{segment}");
        }
        for segment in ["", "...", "a", ".a", "%2f", "%2"] {
            assert!(!is_dot_segment(segment.as_bytes()), "{segment}");
        }
        assert!(is_in_dot_segment(b"/a/.%2E/b", 4));
        assert!(!is_in_dot_segment(b"/a/x%2E/b", 4));
    }
}
