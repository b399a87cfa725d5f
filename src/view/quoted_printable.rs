//! Quoted-printable (RFC 2045, section 6.7).

use super::decoded::{Decoded, Fault};
use super::{Layer, View};
use urlint_standard::text::window::{blanks, split_blanks_at_end};

/// Decodes quoted-printable (RFC 2045, section 6.7). `=` and two hexadecimal digits, in either
/// case, are a byte. `=` at the end of a line is a soft line break and is removed with the line end,
/// even between the `=` and the digits of a byte. Blanks at the end of a line are removed, since
/// they were added in transit. Any other `=` is left as it is.
///
/// ```
/// let view = urlint::view::quoted_printable(b"caf=C3=A9, if not =\nclosed =ZZ  \n");
/// assert_eq!(view.text(), "café, if not closed =ZZ\n".as_bytes());
/// ```
pub fn quoted_printable(source: &[u8]) -> View<'static> {
    decode(source).view
}

/// Decodes `text`, all of it.
pub(super) fn decode(text: &[u8]) -> Decoded {
    let mut view = View::with_capacity(Layer::QuotedPrintable, text.len());
    let mut fault = None;
    let mut from = 0;
    while let Some(len) = memchr::memchr3(b'=', b'\n', b'\r', &text[from..]) {
        let at = from + len;
        if text[at] != b'=' {
            view.copy(split_blanks_at_end(&text[from..at]).0, from as u64);
            from = after_breaks(text, at);
            view.copy(&text[at..from], at as u64);
            continue;
        }
        view.copy(&text[from..at], from as u64);
        match Equals::of(&text[at + 1..]) {
            Equals::Byte(byte, len) => {
                from = at + 1 + len;
                view.push(byte, at as u64, 1 + len as u64);
                // One encoded byte is often followed by more.
                while let [b'=', digits @ ..] = &text[from..]
                    && let Some(byte) = plain_byte(digits)
                {
                    view.push(byte, from as u64, 3);
                    from += 3;
                }
            }
            Equals::SoftBreak(len) => from = at + 1 + len,
            Equals::Broken => {
                fault.get_or_insert(Fault {
                    at,
                    message: "`=` without two hexadecimal digits or a line break",
                });
                view.copy(b"=", at as u64);
                from = at + 1;
            }
        }
    }
    view.copy(split_blanks_at_end(&text[from..]).0, from as u64);
    Decoded {
        view,
        fault,
        end: text.len(),
    }
}

/// The meaning of an `=`.
enum Equals {
    /// An encoded byte, and the number of source bytes after the `=` that belong to it.
    Byte(u8, usize),
    /// A soft line break, and the number of source bytes after the `=` that belong to it.
    SoftBreak(usize),
    /// Neither.
    Broken,
}

impl Equals {
    /// The meaning of an `=` that is followed by `rest`.
    fn of(rest: &[u8]) -> Equals {
        if let Some(byte) = plain_byte(rest) {
            return Equals::Byte(byte, 2);
        }
        if let Some(len) = blanks_and_break(rest) {
            return Equals::SoftBreak(len);
        }
        let Some((high, after)) = digit(rest, 0) else {
            return Equals::Broken;
        };
        match digit(rest, after) {
            Some((low, end)) => Equals::Byte(high << 4 | low, end),
            None => Equals::Broken,
        }
    }
}

/// The byte that is encoded by the two digits at the start of `rest`.
pub fn plain_byte(rest: &[u8]) -> Option<u8> {
    match *rest {
        [high, low, ..] => Some(value(high)? << 4 | value(low)?),
        _ => None,
    }
}

/// The value of the hexadecimal digit at `at`, or after a soft line break at `at`, and its end.
fn digit(rest: &[u8], at: usize) -> Option<(u8, usize)> {
    let at = match rest.get(at..)? {
        [b'=', after @ ..] => at + 1 + blanks_and_break(after)?,
        _ => at,
    };
    Some((value(*rest.get(at)?)?, at + 1))
}

/// The value of a hexadecimal digit.
fn value(digit: u8) -> Option<u8> {
    Some(char::from(digit).to_digit(16)? as u8)
}

/// The length of the blanks and the line break at the start of `rest`, if there is a line break. The
/// end of the text counts as one.
fn blanks_and_break(rest: &[u8]) -> Option<usize> {
    let blanks = blanks(rest);
    match &rest[blanks..] {
        [b'\r', b'\n', ..] => Some(blanks + 2),
        [b'\n' | b'\r', ..] => Some(blanks + 1),
        [] => Some(blanks),
        _ => None,
    }
}

/// The end of the line breaks at `at`.
fn after_breaks(text: &[u8], at: usize) -> usize {
    let is_break = |byte: &&u8| matches!(byte, b'\n' | b'\r');
    at + text[at..].iter().take_while(is_break).count()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may fail")]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use urlint_find::Finder;
    use urlint_standard::Span;
    use urlint_testing::tries;

    #[test]
    fn decodes() {
        let cases = [
            ("a=3Db", "a=b"),
            ("a=3db", "a=b"),
            ("a=\nb", "ab"),
            ("a= \t\r\nb", "ab"),
            ("a=\rb", "ab"),
            ("a=\r\n\r\nb", "a\r\nb"),
            ("=3=\nD", "="),
            ("=3= \r\nd.", "=."),
            ("==\n3D", "="),
            ("==\n3=\nDx", "=x"),
            ("==3D", "=="),
            ("=3=D", "=3=D"),
            ("==\n", "="),
            ("=3=\n", "=3"),
            ("=20 \n", " \n"),
            ("=\n  \nb", "\nb"),
            (" \t", ""),
            ("", ""),
            ("a=", "a"),
            ("a=3", "a=3"),
            ("a=G0", "a=G0"),
            ("a \t\nb  ", "a\nb"),
            ("a =\n b", "a  b"),
        ];
        for (source, text) in cases {
            let view = quoted_printable(source.as_bytes());
            assert_eq!(view.text(), text.as_bytes(), "{source:?}");
        }
    }

    #[test]
    fn faults() {
        let cases = [
            ("a=3Db=\n", None),
            ("==\n3D", None),
            ("a=b, c=d", Some(1)),
            ("=3D=Z", Some(3)),
            ("==\n", Some(0)),
        ];
        for (source, at) in cases {
            let fault = decode(source.as_bytes()).fault;
            assert_eq!(fault.map(|fault| fault.at), at, "{source:?}");
        }
    }

    #[test]
    fn a_byte_that_a_soft_break_cuts() {
        let view = quoted_printable(b"a=3=\r\nDb");
        assert_eq!(view.map(1..2), Span::new(1, 7).into());
        assert_eq!(view.map(0..3), Span::new(0, 8).into());
    }

    #[test]
    fn a_url_that_a_soft_break_cuts() {
        let source = b"<URL:http://a.example/=\r\nx=7E=C3=A9>";
        let view = quoted_printable(source);
        let found = view.find(&Finder::default()).next().unwrap();
        assert_eq!(found.text, "http://a.example/x~é".as_bytes());
        assert_eq!(found.outer, Span::new(0, source.len() as u64));
        let tilde = found.pieces.iter().collect::<Vec<_>>();
        assert_eq!(tilde, [Span::new(5, 22), Span::new(25, 35)]);
        assert_eq!(view.map(23..24), Span::new(26, 29).into());
    }

    proptest! {
        #![proptest_config(tries(256))]

        /// Law 1: decoding the spans of a range again gives the range.
        #[test]
        fn every_byte_knows_where_it_came_from(source in "[a= \r\n3DEé]{0,60}", cut in 0..60usize) {
            let view = quoted_printable(source.as_bytes());
            let cut = cut.min(view.text().len());
            for range in [0..cut, cut..view.text().len()] {
                let mut reread = Vec::new();
                for span in view.map(range.clone()).iter() {
                    // Blanks are removed only at the end of a line, so one more byte keeps them.
                    let mut part = span.slice(source.as_bytes()).to_vec();
                    part.push(b'.');
                    reread.extend_from_slice(quoted_printable(&part).text());
                    reread.pop();
                }
                prop_assert_eq!(&reread[..], &view.text()[range]);
            }
        }
    }
}
