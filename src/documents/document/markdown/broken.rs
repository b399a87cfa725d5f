//! Links that are no links: what was meant to be one, and is running text to the parser.

use memchr::{memchr, memmem, memrchr};

/// How much of the line before a URL is looked at, in bytes.
const NEAR: usize = 256;

/// Returns whether the URL at `start..end` of running text was meant to be the destination of a link.
/// The destinations of links are not in running text.
pub(in crate::document) fn was_meant_as_link(text: &[u8], start: usize, end: usize) -> bool {
    let (Some(before), Some(after)) = (text.get(..start), text.get(end..)) else {
        return false;
    };
    let before = &before[start.saturating_sub(NEAR)..];
    let before = &before[memrchr(b'\n', before).map_or(0, |at| at + 1)..];
    let rest = before.trim_ascii_end();
    let is_doubled = rest
        .strip_suffix(b"(")
        .is_some_and(|rest| rest.ends_with(b"]("));
    if has_opened_destination(rest) || is_doubled || rest.ends_with("]（".as_bytes()) {
        return true;
    }
    // `[text] (URL)` and `(text)[URL]`.
    match (rest, after.first()) {
        ([words @ .., b'('], Some(b')')) => {
            let is_apart = words.ends_with(b" ");
            let words = words.trim_ascii_end().strip_suffix(b"]");
            is_apart && words.is_some_and(|words| ends_in_text(words, b'['))
        }
        ([words @ .., b'['], Some(b']')) => {
            let words = words.strip_suffix(b")");
            words.is_some_and(|words| ends_in_text(words, b'(')) && after.get(1) != Some(&b'(')
        }
        _ => false,
    }
}

/// Returns whether `](` precedes, perhaps with the beginning of another URL.
fn has_opened_destination(before: &[u8]) -> bool {
    let Some(opened) = memmem::rfind(before, b"](") else {
        return false;
    };
    let between = &before[opened + 2..];
    let is_escaped = before[..opened].ends_with(b"\\") || memchr(b'[', &before[..opened]).is_none();
    !is_escaped && matches!(between, b"" | b"<" | b"http:" | b"https:")
}

/// Returns whether words of a text follow the last `open`: not a number, a sign, or a note.
fn ends_in_text(before: &[u8], open: u8) -> bool {
    let Some(at) = memrchr(open, before) else {
        return false;
    };
    let words = &before[at + 1..];
    let is_text = words
        .iter()
        .filter(|byte| byte.is_ascii_alphabetic())
        .count()
        > 2;
    is_text && !words.starts_with(b"^") && !before[..at].ends_with(b"]")
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail")]

    use super::was_meant_as_link;

    #[test]
    fn what_was_meant_as_link() {
        let cases = [
            ("[the page] (http://h/x)", true),
            ("see [the page]( http://h/x )", true),
            ("(the page)[http://h/x]", true),
            ("[the page](https: http://h/x)", true),
            ("[the page](http://h/x", true),
            ("[the page]（http://h/x）", true),
            ("[the page]((http://h/x))", true),
            ("the page（http://h/x）", false),
            ("[1] (http://h/x)", false),
            ("[x] (http://h/x)", false),
            ("[^note] (http://h/x)", false),
            ("[the page] (see http://h/x)", false),
            ("(the page) [http://h/x]", false),
            ("the page](http://h/x", false),
            ("[the\\](http://h/x", false),
            ("(see http://h/x)", false),
            ("http://h/x", false),
        ];
        for (text, expected) in cases {
            let start = text.find("http://").unwrap();
            let end = start + "http://h/x".len();
            assert_eq!(
                was_meant_as_link(text.as_bytes(), start, end),
                expected,
                "{text}"
            );
        }
    }
}
