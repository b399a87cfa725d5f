//! Quoted-printable, RFC 2045, section 6.7.

use super::Decoded;
use crate::view::{Layer, View};

/// Decodes quoted-printable (RFC 2045, section 6.7). `=` and two hexadecimal digits, in either
/// case, are a byte; `=` at a line's end is a soft break and vanishes with it; blanks at a line's
/// end vanish too, since they were put there on the way. An `=` that is neither is left as it is.
///
/// ```
/// let view = urlint::view::quoted_printable(b"caf=C3=A9, if not =\nclosed =ZZ  \n");
/// assert_eq!(view.text(), "café, if not closed =ZZ\n".as_bytes());
/// ```
pub fn quoted_printable(source: &[u8]) -> View<'static> {
    let mut view = View::new(Layer::QuotedPrintable);
    let mut at = 0;
    while let Some(&byte) = source.get(at) {
        let rest = &source[at + 1..];
        match byte {
            b'=' => {
                if let Some(decoded) = escaped(rest) {
                    view.push(decoded, at as u64, 3);
                    at += 3;
                } else if let Some(soft_break) = blanks_and_break(rest) {
                    at += 1 + soft_break;
                } else {
                    view.push(byte, at as u64, 1);
                    at += 1;
                }
            }
            b' ' | b'\t' => {
                let blanks = 1 + rest
                    .iter()
                    .take_while(|&&byte| byte == b' ' || byte == b'\t')
                    .count();
                let end = at + blanks;
                if !matches!(source.get(end), None | Some(b'\n' | b'\r')) {
                    (at..end).for_each(|at| view.push(source[at], at as u64, 1));
                }
                at = end;
            }
            _ => {
                view.push(byte, at as u64, 1);
                at += 1;
            }
        }
    }
    view
}

pub(super) fn decode(text: &[u8]) -> Decoded {
    Decoded {
        view: quoted_printable(text),
        fault: None,
        end: text.len(),
    }
}

fn escaped(rest: &[u8]) -> Option<u8> {
    let digits = rest
        .first_chunk::<2>()
        .filter(|pair| pair.iter().all(u8::is_ascii_hexdigit))?;
    let digits = std::str::from_utf8(digits).ok()?;
    u8::from_str_radix(digits, 16).ok()
}

/// How long the blanks and the line break are with which `rest` begins.
fn blanks_and_break(rest: &[u8]) -> Option<usize> {
    let blanks = rest
        .iter()
        .take_while(|&&byte| byte == b' ' || byte == b'\t')
        .count();
    match &rest[blanks..] {
        [b'\r', b'\n', ..] => Some(blanks + 2),
        [b'\n' | b'\r', ..] => Some(blanks + 1),
        [] => Some(blanks),
        _ => None,
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may fail")]
mod tests {
    use super::*;
    use crate::{Finder, Span};
    use proptest::prelude::*;

    #[test]
    fn decodes() {
        let cases = [
            ("a=3Db", "a=b"),
            ("a=3db", "a=b"),
            ("a=\nb", "ab"),
            ("a= \t\r\nb", "ab"),
            ("a=\rb", "ab"),
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
        /// Law 1: reading the spans of a part anew gives the part.
        #[test]
        fn every_byte_knows_where_it_came_from(source in "[a= \r\n3DEé]{0,60}", cut in 0..60usize) {
            let view = quoted_printable(source.as_bytes());
            let cut = cut.min(view.text().len());
            for range in [0..cut, cut..view.text().len()] {
                let mut reread = Vec::new();
                for span in view.map(range.clone()).iter() {
                    // A blank is only dropped at a line's end, so a byte more keeps it.
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
