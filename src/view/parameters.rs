//! The parameters of header fields (RFC 2045, section 5.1; RFC 2231, sections 3 and 4).

use std::collections::BTreeMap;

use urlint_standard::url::unescaped;

/// The parameters of a field: their values by their names in lower case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parameters(BTreeMap<Vec<u8>, Vec<u8>>);

impl Parameters {
    /// Takes the value of the parameter `name`.
    pub fn take(&mut self, name: &str) -> Option<Vec<u8>> {
        self.0.remove(name.as_bytes())
    }

    /// Adds a parameter, or the next section of one: `name*2*=...`.
    fn add(&mut self, name: &[u8], value: Vec<u8>) {
        let mut sections = name.split(|&byte| byte == b'*');
        let name = sections.next().unwrap_or_default().to_ascii_lowercase();
        let section = sections.next();
        // The name is written `name*` or `name*0*`.
        let is_encoded = section == Some(b"") || sections.next() == Some(b"");
        let is_first = !matches!(section, Some([b'1'..=b'9', ..]));
        let value = if is_encoded {
            unescape(&value, is_first)
        } else {
            value
        };
        let entry = self.0.entry(name);
        if is_first {
            entry.or_insert(value);
        } else {
            entry.or_default().extend(value);
        }
    }
}

/// Decodes a percent-encoded value, without the charset and language at the start of the first
/// section.
fn unescape(value: &[u8], is_first: bool) -> Vec<u8> {
    let mut quotes = memchr::memchr_iter(b'\'', value).skip(1);
    let start = if is_first { quotes.next() } else { None };
    let rest = &value[start.map_or(0, |quote| quote + 1)..];
    unescaped(rest).into_owned()
}

/// The first word of the value of a field, in lower case, and the parameters after it.
pub fn parameters(value: &[u8]) -> (Vec<u8>, Parameters) {
    let mut rest = Scanner { text: value };
    let first = rest.token(|byte| byte.is_ascii_whitespace() || matches!(byte, b';' | b'('));
    let first = first.to_ascii_lowercase();
    let mut parameters = Parameters::default();
    loop {
        rest.skip();
        if rest.text.is_empty() {
            return (first, parameters);
        }
        let name =
            rest.token(|byte| byte.is_ascii_whitespace() || matches!(byte, b'=' | b';' | b'('));
        rest.blanks();
        if let Some(after) = rest.text.strip_prefix(b"=") {
            rest.text = after;
            let value = rest.value();
            parameters.add(name, value);
        }
    }
}

/// Scans the value of a field.
struct Scanner<'v> {
    /// The rest of the value.
    text: &'v [u8],
}

impl<'v> Scanner<'v> {
    fn blanks(&mut self) {
        self.text = self.text.trim_ascii_start();
    }

    /// Skips blanks, comments and semicolons.
    fn skip(&mut self) {
        let mut nesting = 0_usize;
        let mut len = 0;
        while let Some(&byte) = self.text.get(len) {
            match byte {
                b'\\' if nesting > 0 => len += 1,
                b'(' => nesting += 1,
                b')' => nesting = nesting.saturating_sub(1),
                b';' | b'=' => {}
                _ if byte.is_ascii_whitespace() || nesting > 0 => {}
                _ => break,
            }
            len += 1;
        }
        self.text = self.text.get(len..).unwrap_or_default();
    }

    /// Takes everything before the first byte that `ends` the token.
    fn token(&mut self, ends: impl Fn(u8) -> bool) -> &'v [u8] {
        self.skip();
        let end = self.text.iter().position(|&byte| ends(byte));
        let (token, rest) = self.text.split_at(end.unwrap_or(self.text.len()));
        self.text = rest;
        token
    }

    /// Takes the value of a parameter, a quoted string or a token.
    fn value(&mut self) -> Vec<u8> {
        self.blanks();
        let Some(quoted) = self.text.strip_prefix(b"\"") else {
            let end = self
                .text
                .iter()
                .position(|&byte| matches!(byte, b';' | b'(' | b'\r' | b'\n'));
            let (value, rest) = self.text.split_at(end.unwrap_or(self.text.len()));
            self.text = rest;
            return value.trim_ascii().to_vec();
        };
        let mut value = Vec::new();
        let mut at = 0;
        while let Some(&byte) = quoted.get(at) {
            match byte {
                b'"' => break,
                b'\\' => {
                    at += 1;
                    value.extend(quoted.get(at));
                }
                b'\r' | b'\n' => {}
                _ => value.push(byte),
            }
            at += 1;
        }
        self.text = quoted.get(at + 1..).unwrap_or_default();
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_content_type() {
        let cases = [
            ("Text/HTML; charset=utf-8", "text/html", None, Some("utf-8")),
            (
                "text/plain charset=\"utf-8\"",
                "text/plain",
                None,
                Some("utf-8"),
            ),
            (
                "a/b; BOUNDARY = \"x y\\\"\r\n z\"; c",
                "a/b",
                Some("x y\" z"),
                None,
            ),
            ("a/b;boundary=--=_x (c;d)", "a/b", Some("--=_x"), None),
            (
                "a/b; boundary*0=ab; boundary*1=\"c;d\"",
                "a/b",
                Some("abc;d"),
                None,
            ),
            (
                "a/b; charset*=us-ascii'en'utf%2D8",
                "a/b",
                None,
                Some("utf-8"),
            ),
            (
                "a/b; charset*0*=''utf%2D; charset*1=8",
                "a/b",
                None,
                Some("utf-8"),
            ),
            ("a/b (a (b) \\) c) ; charset=x", "a/b", None, Some("x")),
            ("a/b; charset=x; charset=y", "a/b", None, Some("x")),
            ("a/b; boundary=\"x", "a/b", Some("x"), None),
            ("a/b; boundary=", "a/b", Some(""), None),
            ("a/b; =; = ; ;;", "a/b", None, None),
            ("", "", None, None),
        ];
        for (value, media, boundary, charset) in cases {
            let (first, mut found) = parameters(value.as_bytes());
            let text = |value: Option<Vec<u8>>| {
                value.map(|value| String::from_utf8_lossy(&value).into_owned())
            };
            assert_eq!(String::from_utf8_lossy(&first), media, "{value:?}");
            assert_eq!(
                text(found.take("boundary")).as_deref(),
                boundary,
                "{value:?}"
            );
            assert_eq!(text(found.take("charset")).as_deref(), charset, "{value:?}");
        }
    }
}
