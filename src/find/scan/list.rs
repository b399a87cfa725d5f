//! Lists of URLs, one on each line: the texts where speed matters most.
//!
//! The general search would find the same. But if a line consists of a URL, and the next line
//! begins with a scheme, there is no need to search for the scheme, a delimiter, trailing
//! punctuation or a continuation of the URL.
//!
//! The functions to inline here and in [`Scanner`](super::Scanner) were chosen by measuring with
//! `cargo bench --bench find -- dense`; run it when you change this.

use super::extent::closes_markup;
use crate::candidate::Candidate;
use crate::placeholder;
use crate::rejoin::is_before_archived;
use crate::text::Text;
use urlint_standard::text::byteset::ByteSet;

/// The bytes that belong to a URL in any context, and to no placeholder. `?` may be included
/// because the beginning of a query affects only brackets and bars.
static SIGNLESS: ByteSet = ByteSet::alphanumeric_and(b"-._~/:=!^?#+@");

/// Returns the length of the scheme and its slashes at the beginning of the line after the one that
/// ends at `end`, if the line is the next URL of a list.
#[inline(always)]
pub(super) fn next_scheme(text: &[u8], end: usize) -> Option<usize> {
    match text.get(end..)?.first_chunk::<9>()? {
        b"\nhttps://" => Some(b"https://".len()),
        [b'\n', b'h', b't', b't', b'p', b':', b'/', b'/', _] => Some(b"http://".len()),
        [b'\n', b'f', b't', b'p', b':', b'/', b'/', ..] => Some(b"ftp://".len()),
        _ => None,
    }
}

/// Returns where the URL begins and ends that makes up the line after `end`, if the next URL of a list follows
/// it, and if it holds no placeholder, in source code or not. `scheme` is the length of its scheme; the length of
/// the next URL's scheme is returned, too.
#[inline(always)]
pub(super) fn next(
    text: &Text<'_>,
    end: usize,
    scheme: usize,
    is_code: bool,
) -> Option<(usize, usize, usize)> {
    let start = end + 1;
    let rest = start + scheme;
    let (end, has_sign) = end_of_line(text, rest);
    let next = next_scheme(text.bytes, end)?;
    let (first, last) = (text.bytes[rest], text.bytes[end - 1]);
    let has_content = first.is_ascii_alphanumeric();
    let has_no_trail = last.is_ascii_alphanumeric() || last == b'/';
    let is_url = has_content && has_no_trail && end - start < Candidate::MAX_LEN;
    let may_hold_placeholder = has_sign || is_code;
    let find = || placeholder::find(&text.bytes[start..end], is_code);
    let is_template = || may_hold_placeholder && find().is_some();
    let is_cut = || last == b'/' && is_before_archived(&text.bytes[start..end]);
    (is_url && !is_template() && !is_cut()).then_some((start, end, next))
}

/// Returns where the URL that has been read up to `at` ends, and whether it has a sign of a
/// placeholder. A `%` that begins an escape is not one.
#[inline(always)]
fn end_of_line(text: &Text<'_>, at: usize) -> (usize, bool) {
    let bytes = text.bytes;
    let (mut end, mut has_sign) = (at, false);
    loop {
        end = SIGNLESS.skip(bytes, end);
        match bytes.get(end) {
            Some(b'&') if !closes_markup(text, end) => {}
            Some(b'%') => has_sign |= !is_escape(bytes, end),
            Some(b'$' | b'*') => has_sign = true,
            _ => return (end, has_sign),
        }
        end += 1;
    }
}

/// Returns whether an escape is at `at`, rather than a conversion such as `%02d`.
fn is_escape(bytes: &[u8], at: usize) -> bool {
    matches!(bytes.get(at + 1..at + 3), Some([high, low])
        if high.is_ascii_hexdigit() && *high != b'0' && low.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Finder;
    use crate::scan::{Match, Scanner, Step};
    use urlint_standard::url::schemes;
    use urlint_testing::tries;

    fn found(text: &[u8], step: impl Fn(&mut Scanner, &Text<'_>) -> Step) -> Vec<Match> {
        let text = Text::new(text, true);
        let mut scanner = Scanner::new(Finder::default());
        let next = || match step(&mut scanner, &text) {
            Step::Found(found) => Some(found),
            Step::More | Step::End => None,
        };
        std::iter::from_fn(next).collect()
    }

    #[test]
    fn urls_of_a_list() {
        let cases: &[(&str, Option<&str>)] = &[
            ("http://a.example/", Some("http://a.example/")),
            ("https://a", Some("https://a")),
            ("ftp://a.example/b?c&d#e", Some("ftp://a.example/b?c&d#e")),
            (
                "http://a.example/b%20c+d$e",
                Some("http://a.example/b%20c+d$e"),
            ),
            ("http://a.example/%s/b", None),
            ("http://a.example/%02d/b", None),
            ("http://a.example/b.", None),
            ("http://a.example/b ", None),
            ("http://a.example/b&gt;c", None),
            ("http:///", None),
            ("http://", None),
            ("news:a", None),
            (" http://a", None),
        ];
        for (line, expected) in cases {
            let text = format!("\n{line}\nhttp://z");
            let text = Text::new(text.as_bytes(), true);
            let next = |scheme| next(&text, 0, scheme, false);
            let url = next_scheme(text.bytes, 0).and_then(next);
            let url = url.map(|(start, end, _)| &text.bytes[start..end]);
            assert_eq!(url, expected.map(str::as_bytes), "{line}");
        }
    }

    #[test]
    fn the_schemes_of_a_list_are_those_of_the_web() {
        for scheme in schemes::all() {
            let line = format!("\n{}://a.example", scheme.name);
            let len = next_scheme(line.as_bytes(), 0);
            let expected = scheme.is_web.then_some(scheme.name.len() + "://".len());
            assert_eq!(len, expected, "{}", scheme.name);
        }
    }

    proptest! {
        #![proptest_config(tries(20_000))]

        #[test]
        fn lists_are_read_as_any_text(
            lines in prop::collection::vec(
                "(https?|ftp|HTTP|x|)(://|:/|:)[a-c.:\\[]{0,3}([a-c0-9.,;/?&#%()|~_<>\"'é*${}\\\\\\[-]|&gt;|&quot|https?://|URL:){0,8}[ \r>]?",
                0..6,
            ),
        ) {
            let text = format!("\n{}\nhttp://z", lines.join("\n"));
            let listed = found(text.as_bytes(), Scanner::step);
            let searched = found(text.as_bytes(), Scanner::search);
            prop_assert_eq!(format!("{listed:?}"), format!("{searched:?}"), "{}", text);
        }
    }
}
