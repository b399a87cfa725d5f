//! Broken links: text that was meant to be a link, and is running text to the parser.

use memchr::{memchr, memmem, memrchr};

use crate::document::BrokenLink;
use crate::document::broken::line_before;

/// How far before the line of a label a link that uses it is looked for, in bytes.
const NEAR_USE: usize = 4096;

/// Returns why the URL at `start..end` of running text is not the destination of a link, although it was meant
/// to be. The destinations of links are not in running text.
pub(in crate::document) fn why_no_link(
    text: &[u8],
    start: usize,
    end: usize,
) -> Option<BrokenLink> {
    let (before, after) = (line_before(text, start)?, text.get(end..)?);
    // A template reads Markdown anywhere, also in the values of a shortcode.
    let templates: [&[u8]; 2] = [b"{%", b"{{"];
    if templates
        .iter()
        .any(|sign| memmem::find(before, sign).is_some())
    {
        return None;
    }
    let rest = before.trim_ascii_end();
    if rest.len() < before.len()
        && is_used_label(rest, &text[start.saturating_sub(NEAR_USE)..start])
    {
        return Some(BrokenLink::NoColon);
    }
    if let Some(between) = opened_destination(rest) {
        return Some(in_destination(between, after));
    }
    // `[URL]()`, `[text] (URL)`, `(text)[URL]` and others.
    match (rest, after.first()) {
        ([.., b'['], _) if after.starts_with(b"]()") => Some(BrokenLink::Empty),
        ([.., b']', b'(', b'('], _) => Some(BrokenLink::Doubled),
        ([tag @ .., b'"' | b'\''], Some(b'>')) => {
            let names: [&[u8]; 2] = [b"<a href=", b"<img src="];
            let is_attribute = names.iter().any(|name| tag.ends_with(name));
            is_attribute.then_some(BrokenLink::OpenAttribute)
        }
        (words, _) if words.ends_with("]（".as_bytes()) => Some(BrokenLink::Fullwidth),
        ([words @ .., b'('], Some(b')')) => {
            let is_apart = words.ends_with(b" ");
            let words = words.trim_ascii_end().strip_suffix(b"]")?;
            (is_apart && ends_in_text(words, b'[')).then_some(BrokenLink::Space)
        }
        ([words @ .., close @ (b')' | b']'), b'['], Some(b']')) => {
            let open = if *close == b')' { b'(' } else { b'[' };
            let is_other = matches!(after.get(1), Some(b'(' | b'[' | b':'));
            (ends_in_text(words, open) && !is_other).then_some(BrokenLink::Swapped)
        }
        _ => None,
    }
}

/// Returns whether `line` is a label alone, as in `[b]`, that a link in `before` uses: `[text][b]`.
fn is_used_label(line: &[u8], before: &[u8]) -> bool {
    let label = line
        .strip_prefix(b"[")
        .and_then(|rest| rest.strip_suffix(b"]"));
    label.is_some_and(|label| {
        let is_plain = !label.is_empty() && memchr::memchr2(b'[', b']', label).is_none();
        is_plain && memmem::find(before, &[b"][", label, b"]"].concat()).is_some()
    })
}

/// Returns the rest of `before` after the `](` of a link, if it is empty, `<` or the beginning of another URL.
fn opened_destination(before: &[u8]) -> Option<&[u8]> {
    let opened = memmem::rfind(before, b"](")?;
    let between = &before[opened + 2..];
    let is_escaped = before[..opened].ends_with(b"\\") || memchr(b'[', &before[..opened]).is_none();
    (!is_escaped && matches!(between, b"" | b"<" | b"http:" | b"https:")).then_some(between)
}

/// Returns the mistake in a destination that begins with `between` and the URL, before `after`.
fn in_destination(between: &[u8], after: &[u8]) -> BrokenLink {
    let line = &after[..memchr(b'\n', after).unwrap_or(after.len())];
    match memchr(b')', line) {
        None => BrokenLink::Unclosed,
        Some(_) if is_quoted(line.trim_ascii_start()) => BrokenLink::WrongQuotes,
        Some(end) if between.len() > 1 || line[..end].trim_ascii_end().contains(&b' ') => {
            BrokenLink::SpaceInside
        }
        Some(_) => BrokenLink::Misplaced,
    }
}

/// Returns whether `text` begins with a quotation mark that encloses no title.
fn is_quoted(text: &[u8]) -> bool {
    const MARKS: [&str; 5] = ["\u{201C}", "\u{201D}", "\u{201E}", "\u{2018}", "\u{AB}"];
    MARKS.iter().any(|mark| text.starts_with(mark.as_bytes()))
}

/// Returns whether words of a text follow the last `open`, in any script: not a number, a sign, or a note.
fn ends_in_text(before: &[u8], open: u8) -> bool {
    let Some(at) = memrchr(open, before) else {
        return false;
    };
    let words = &before[at + 1..];
    let is_text = words
        .iter()
        .filter(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii())
        .count()
        > 2;
    is_text && !words.starts_with(b"^") && !before[..at].ends_with(b"]")
}

#[cfg(test)]
mod tests {
    use super::why_no_link;
    use crate::document::BrokenLink::*;
    use crate::document::broken::testing::check;

    #[test]
    fn links_that_are_none() {
        let cases = [
            ("[the page] (http://h/x)", Some(Space)),
            ("see [the page]( http://h/x )", Some(Misplaced)),
            ("(the page)[http://h/x]", Some(Swapped)),
            ("[the page](https: http://h/x)", Some(SpaceInside)),
            ("[the page](http://h/x y)", Some(SpaceInside)),
            ("[the page](http://h/x “y”)", Some(WrongQuotes)),
            ("[the page](http://h/x", Some(Unclosed)),
            ("[the page](http://h/x\nmore)", Some(Unclosed)),
            ("see <a href=\"http://h/x>the page</a>", Some(OpenAttribute)),
            ("the text `\"http://h/x>`", None),
            ("see [a][b]\n\n[b] http://h/x", Some(NoColon)),
            ("see a[b]\n\n[b] http://h/x", None),
            ("see [a][b]\n\n[b], http://h/x", None),
            ("[the page]（http://h/x）", Some(Fullwidth)),
            ("[the page]((http://h/x))", Some(Doubled)),
            ("[http://h/x]()", Some(Empty)),
            ("![http://h/x]()", Some(Empty)),
            // The destination was taken out.
            ("[http://h/x]( )", None),
            ("[http://h/x] ()", None),
            ("[the page][http://h/x]", Some(Swapped)),
            ("[the page][http://h/x]: y", None),
            ("[1][http://h/x]", None),
            ("the page（http://h/x）", None),
            ("[1] (http://h/x)", None),
            ("[x] (http://h/x)", None),
            ("[^note] (http://h/x)", None),
            ("[the page] (see http://h/x)", None),
            ("(the page) [http://h/x]", None),
            ("{{% card text=\"[the page] (http://h/x)\" %}}", None),
            ("the page](http://h/x", None),
            ("[the\\](http://h/x", None),
            ("(see http://h/x)", None),
            ("http://h/x", None),
        ];
        check(why_no_link, &cases);
    }
}
