//! Lists of URLs, one a line: what comes next wherever speed matters most.
//!
//! Nothing is decided here that would be decided otherwise elsewhere: where a line is a URL and
//! nothing else, and so begins the next, there is no need to search for its scheme, for what marks
//! it off, for what trails it, or for how it may go on.

use super::extent::closes_markup;
use crate::find::candidate::Candidate;
use crate::text::byteset::ByteSet;
use crate::text::window::Text;

/// What goes on with a URL whatever stands around it. That a query begins matters only to brackets
/// and bars, which are not among these.
static PLAIN: ByteSet = ByteSet::alphanumeric_and(b"-._~/:=%+$!*@^?#");

/// How long the scheme of the next of a list is, its slashes included, where a line ends at `end`.
#[inline(always)]
pub(super) fn next_scheme(text: &[u8], end: usize) -> Option<usize> {
    match text.get(end..)?.first_chunk::<9>()? {
        b"\nhttps://" => Some(b"https://".len()),
        [b'\n', b'h', b't', b't', b'p', b':', b'/', b'/', _] => Some(b"http://".len()),
        [b'\n', b'f', b't', b'p', b':', b'/', b'/', ..] => Some(b"ftp://".len()),
        _ => None,
    }
}

/// Where the URL stands that is all of the line behind `end`, with the next of a list behind it.
#[inline(always)]
pub(super) fn next(text: &Text<'_>, end: usize) -> Option<(usize, usize)> {
    let start = end + 1;
    let rest = start + next_scheme(text.bytes, end)?;
    let mut end = rest;
    loop {
        end = PLAIN.skip(text.bytes, end);
        if text.bytes.get(end) != Some(&b'&') || closes_markup(text, end) {
            break;
        }
        end += 1;
    }
    next_scheme(text.bytes, end)?;
    let (first, last) = (text.bytes[rest], text.bytes[end - 1]);
    let has_content = first.is_ascii_alphanumeric();
    let has_no_trail = last.is_ascii_alphanumeric() || last == b'/';
    (has_content && has_no_trail && end - start < Candidate::MAX_LEN).then_some((start, end))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::find::Finder;
    use crate::find::scan::{Find, Scanner, Step};
    use crate::tries::tries;

    fn found(text: &[u8], step: impl Fn(&mut Scanner, &Text<'_>) -> Step) -> Vec<Find> {
        let text = Text::new(text, true);
        let mut scanner = Scanner::new(Finder::default());
        let next = || match step(&mut scanner, &text) {
            Step::Found(found) => Some(found),
            Step::More | Step::End => None,
        };
        std::iter::from_fn(next).collect()
    }

    #[test]
    fn what_is_one_of_a_list() {
        let cases: &[(&str, Option<&str>)] = &[
            ("http://a.example/", Some("http://a.example/")),
            ("https://a", Some("https://a")),
            ("ftp://a.example/b?c&d#e", Some("ftp://a.example/b?c&d#e")),
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
            let url = next(&text, 0).map(|(start, end)| &text.bytes[start..end]);
            assert_eq!(url, expected.map(str::as_bytes), "{line}");
        }
    }

    proptest! {
        #![proptest_config(tries(20_000))]

        #[test]
        fn lists_are_read_as_any_text(
            lines in prop::collection::vec(
                "(https?|ftp|HTTP|x|)(://|:/|:)[a-c.:\\[]{0,3}([a-c0-9.,;/?&#%()|~_<>\"'é*-]|&gt;|&quot|https?://|URL:){0,8}[ \r>]?",
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
