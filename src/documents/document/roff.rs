//! roff: manual pages with the macros of man and mdoc, and memos.
//!
//! Targets are the arguments of the macros that take a URL. Everything else is running text,
//! comments included, with its escapes decoded.

use std::borrow::Cow;
use std::ops::Range;

use super::prose::{Escapes, Prose, lines};
use super::{Parts, Scope};
use urlint_view::Layer;

/// Escapes of characters, and escapes that show nothing.
pub(super) const ESCAPES: Escapes = Escapes {
    signs: [b'\\'; 3],
    read: escape,
};

/// The macros whose first argument is a URL.
const MACROS: [&[u8]; 6] = [b"UR", b"URL", b"MT", b"MTO", b"Lk", b"%U"];

/// The macros and requests before and after text that is not filled, as examples are.
const BEGINNINGS: [&[u8]; 3] = [b"nf", b"EX", b"Bd"];
const ENDS: [&[u8]; 3] = [b"fi", b"EE", b"Ed"];

/// The names of special characters.
#[rustfmt::skip]
const CHARACTERS: &[(&[u8], &str)] = &[
    (b"ti", "~"), (b"aq", "'"), (b"dq", "\""), (b"ha", "^"), (b"rs", "\\"), (b"sl", "/"),
    (b"at", "@"), (b"sh", "#"), (b"Do", "$"), (b"ba", "|"), (b"or", "|"), (b"ul", "_"),
    (b"ru", "_"), (b"ga", "`"), (b"hy", "-"), (b"mi", "-"), (b"lB", "["), (b"rB", "]"),
    (b"lC", "{"), (b"rC", "}"), (b"la", "⟨"), (b"ra", "⟩"), (b"lq", "“"), (b"rq", "”"),
    (b"oq", "‘"), (b"cq", "’"), (b"Fo", "«"), (b"Fc", "»"), (b"en", "–"), (b"em", "—"),
    (b"bu", "•"), (b"Aq", "'"),
];

/// Adds the parts of a manual page.
pub(super) fn parts<'s>(source: &'s [u8], _: Scope, parts: &mut Parts<'s>) {
    let mut prose = Prose::new(source, Layer::AsciiBut(b"\\\"'.-~^`"));
    let mut example = None;
    for line in lines(source) {
        let name = macro_name(&source[line.clone()]);
        if BEGINNINGS.contains(&name) && example.is_none() {
            prose.unescape(line.start, &ESCAPES);
            example = Some(prose.len());
        } else if let Some(start) = example.take_if(|_| ENDS.contains(&name)) {
            prose.unescape(line.start, &ESCAPES);
            prose.end_example(start);
        }
        if let Some(argument) = argument(source, &line) {
            prose.unescape(argument.start, &ESCAPES);
            prose.target(argument.clone(), &ESCAPES);
            prose.replace(argument.end, b" ");
        }
    }
    prose.unescape(source.len(), &ESCAPES);
    prose.finish(parts);
}

/// The name of the macro or request that a line calls; empty if it calls none.
fn macro_name(line: &[u8]) -> &[u8] {
    let text = line
        .strip_prefix(b".")
        .unwrap_or_default()
        .trim_ascii_start();
    let end = text.iter().position(u8::is_ascii_whitespace);
    &text[..end.unwrap_or(text.len())]
}

/// The range of the first argument of a macro that takes a URL, if it has a scheme.
fn argument(source: &[u8], line: &Range<usize>) -> Option<Range<usize>> {
    let text = source[line.clone()].strip_prefix(b".")?.trim_ascii_start();
    let name = macro_name(&source[line.clone()]);
    if !MACROS.contains(&name) {
        return None;
    }
    let rest = text[name.len()..].trim_ascii_start();
    let (value, quote) = match rest.strip_prefix(b"\"") {
        Some(quoted) => (quoted, b'"'),
        None => (rest, b' '),
    };
    let ends = |byte: &&u8| **byte != quote && **byte != b'\t';
    let len = value.iter().take_while(ends).count();
    let start = line.end - value.len();
    let begins_url = !value.starts_with(b"<") && value[..len].contains(&b':');
    begins_url.then_some(start..start + len)
}

/// The escapes of groff_char(7) and mdoc(7) that may be in a URL or next to one.
fn escape(text: &[u8]) -> Option<(usize, Cow<'_, [u8]>)> {
    let nothing = |len| Some((len, Cow::Borrowed(&b""[..])));
    match *text.get(1)? {
        // A comment, which is read as well.
        b'"' | b'#' => None,
        b'-' | b'.' | b'\'' | b'`' => Some((2, Cow::Borrowed(&text[1..2]))),
        // Escapes are escaped in the definition of a macro.
        b'\\' => match text.get(2) {
            Some(b'*' | b'$' | b'n') => nothing(3 + name_len(text, 3)?),
            _ => Some((2, Cow::Borrowed(b"\\"))),
        },
        b'e' | b'E' => Some((2, Cow::Borrowed(b"\\"))),
        b' ' | b'~' | b'0' | b't' => Some((2, Cow::Borrowed(b" "))),
        b'&' | b':' | b'%' | b')' | b'/' | b',' | b'^' | b'|' | b'c' | b'\n' | b'u' | b'd'
        | b'{' | b'}' | b'p' => nothing(2),
        b'\r' => nothing(if text.get(2) == Some(&b'\n') { 3 } else { 2 }),
        b'(' => Some((4, character(text.get(2..4)?))),
        b'[' => {
            let (len, name) = bracketed(text, 2)?;
            Some((len, character(name)))
        }
        b'f' | b'F' | b'*' | b'm' | b'M' | b'n' | b'k' | b'$' => nothing(2 + name_len(text, 2)?),
        b's' => {
            let sign = usize::from(matches!(text.get(2), Some(b'+' | b'-')));
            nothing(2 + sign + name_len(text, 2 + sign)?)
        }
        b'h' | b'v' | b'w' | b'l' | b'L' | b'D' | b'X' | b'Z' => quoted(text).and_then(nothing),
        _ => None,
    }
}

/// The length of the name at `at`: `x`, `(xx` or `[xxx]`.
fn name_len(text: &[u8], at: usize) -> Option<usize> {
    match text.get(at)? {
        b'(' => text.get(at..at + 3).map(<[u8]>::len),
        b'[' => bracketed(text, at + 1).map(|(end, _)| end - at),
        b'\n' | b'\r' => None,
        _ => Some(1),
    }
}

/// The end of the bracket that is open before `from`, and its content.
fn bracketed(text: &[u8], from: usize) -> Option<(usize, &[u8])> {
    let near = text.get(from..text.len().min(from + 32))?;
    let len = memchr::memchr2(b']', b'\n', near)?;
    (near[len] == b']').then_some((from + len + 1, &near[..len]))
}

/// The length of an escape with an argument in quotes.
fn quoted(text: &[u8]) -> Option<usize> {
    let near = text.get(3..text.len().min(64))?;
    let len = memchr::memchr2(b'\'', b'\n', near)?;
    (text[2] == b'\'' && near[len] == b'\'').then_some(3 + len + 1)
}

/// Returns the character called `name`. An unknown character is not part of a URL, and becomes a
/// space.
fn character(name: &[u8]) -> Cow<'static, [u8]> {
    let known = CHARACTERS.iter().find(|(known, _)| *known == name);
    if let Some((_, character)) = known {
        return Cow::Borrowed(character.as_bytes());
    }
    let hexadecimal = name.strip_prefix(b"u").unwrap_or_default();
    let digits = std::str::from_utf8(hexadecimal).unwrap_or_default();
    let number = u32::from_str_radix(digits, 16).ok();
    match number.and_then(char::from_u32) {
        Some(character) => Cow::Owned(character.to_string().into_bytes()),
        None => Cow::Borrowed(b" "),
    }
}

#[cfg(test)]
mod tests {
    use crate::document::prose::testing::shown;
    use crate::document::{Depth, Kind};

    #[test]
    fn documents() {
        let cases: &[(&str, &[&str])] = &[
            (
                ".UR http://a.example/\ntext\n.UE .\n",
                &["ta http://a.example/"],
            ),
            (".UR \"http://a.example/\" \"b\"", &["ta http://a.example/"]),
            (
                ".UR http://a.\\:example/x\\-y\\(tiz",
                &["ta http://a.example/x-y~z"],
            ),
            (".UR <http://a.example/>\r\n.UE", &["an http://a.example/"]),
            (".MT joe@a.example\n.ME", &[]),
            (
                ".MT mailto:joe@a.example\n.ME",
                &["ta mailto:joe@a.example"],
            ),
            (
                ".Lk https://a.example/ \"b c\"\n",
                &["ta https://a.example/"],
            ),
            (".%U http://a.example/ .", &["ta http://a.example/"]),
            (".BR http://a.example/ ,", &["ba http://a.example/"]),
            (".URX http://a.example/", &["ba http://a.example/"]),
            ("\\fBhttp://a.example/\\fP.", &["ba http://a.example/"]),
            ("http://a.example/ \\f(C", &["ba http://a.example/"]),
            ("http://a.example/ \\*(", &["ba http://a.example/"]),
            (
                "\\f[CR]http://a.example/\\f[] \\f(CWhttp://b.example/\\fR.",
                &["ba http://a.example/", "ba http://b.example/"],
            ),
            (
                "\\s-1http://a.example/\\s+1\\s0 x",
                &["ba http://a.example/"],
            ),
            (
                "http://a.example/x\\-y\\&\\%z\\[ti]",
                &["ba http://a.example/x-yz~"],
            ),
            (
                "http://a.example/x\\-y\\[ti]z\\[u00E9]",
                &["ba http://a.example/x-y~zé"],
            ),
            (
                "\\(lqhttp://a.example/\\(rq \\(aqhttp://b.example/\\(aq",
                &["ba http://a.example/", "qu http://b.example/"],
            ),
            ("http://a.example/\\\nx", &["ba http://a.example/x"]),
            ("http://\\:a.example/", &["ba http://a.example/"]),
            (
                ".\\\" See <http://a.example/\n.\\\" x>\n",
                &["an http://a.example/x"],
            ),
            (
                "http://a.example/\\|x\\h'3'y\\(zz",
                &["ba http://a.example/xy"],
            ),
            ("\\", &[]),
            ("\\(t http://a.example/\\f", &["ba http://a.example/\\f"]),
        ];
        for (source, urls) in cases {
            let found = shown(source.as_bytes(), Kind::Roff, Depth::default());
            assert_eq!(found, *urls, "{source:?}");
        }
    }
}
