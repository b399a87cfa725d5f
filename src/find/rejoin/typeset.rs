//! Typeset text, whose hyphens at line ends were added: in a magazine, but not in mail, they follow words of
//! every kind.

use memchr::memmem;

use crate::text::Text;

/// How much of the text to look at on either side of a hyphen, in bytes.
const NEAR: usize = 3072;
/// How much of a page to look at for its end, in bytes.
const PAGE: usize = 2 * NEAR;
/// How much of a page its last lines take, in bytes.
const EDGE: usize = 256;
/// The minimum number of lines that end in a hyphen.
const MIN_LINES: usize = 3;
/// The minimum width of a full line, in columns.
const FULL: usize = 60;

/// Returns whether the text around the hyphen of a URL at `at` is typeset: at least an eighth of its full lines end
/// in a word of letters and a hyphen, and none is quoted. So lines of URLs and of other names do not count.
///
/// Of 50 URLs with such a hyphen in unseen magazines this mends 33 and breaks 2; of 165 elsewhere
/// it breaks none.
pub(super) fn is_typeset(text: &Text<'_>, at: usize) -> bool {
    let (_, near) = around(text, at, NEAR);
    // Lines that end otherwise are not looked at, which takes most of the time on texts that are not typeset.
    let is_crlf = text.bytes.get(at + 1) == Some(&b'\r');
    let ends = if is_crlf { b"-\r" } else { b"-\n" };
    let is_of_word = |byte: &u8| byte.is_ascii_alphabetic() || *byte >= 0x80;
    let is_hyphenated = |&hyphen: &usize| {
        let before = &near[..hyphen];
        let start = before.iter().rposition(|byte| !is_of_word(byte));
        let opens = start.is_none_or(|at| b" \t\n(\"'".contains(&before[at]));
        opens && before.last().is_some_and(is_of_word)
    };
    let hyphenated = memmem::find_iter(near, ends).filter(is_hyphenated).count();
    let is_reply = || memmem::find(near, b"\n>").is_some();
    hyphenated >= MIN_LINES && !is_paged(text, at) && !is_reply() && {
        let mut start = 0;
        let lines = memchr::memchr_iter(b'\n', near).chain([near.len()]);
        let lens = lines.map(|end| end - std::mem::replace(&mut start, end + 1));
        hyphenated * 8 >= lens.filter(|&len| len >= FULL).count()
    }
}

/// Returns whether the text near `at` is quoted-printable: it has encoded `=`, and a third of its lines end in one.
pub(super) fn is_quoted_printable(text: &Text<'_>, at: usize) -> bool {
    let (_, near) = around(text, at, NEAR);
    if memmem::find(near, super::ENCODED).is_none() {
        return false;
    }
    let lines = near
        .split(|&byte| byte == b'\n')
        .map(<[u8]>::trim_ascii_end);
    let broken = lines.clone().filter(|line| line.ends_with(b"=")).count();
    broken * 3 >= lines.count()
}

/// Returns whether a comment of C opens or closes near `at`.
pub(super) fn has_comments(text: &Text<'_>, at: usize) -> bool {
    let (_, near) = around(text, at, NEAR);
    let signs: [&[u8]; 2] = [b"/*", b"*/"];
    (signs.iter()).any(|sign| memmem::find(near, sign).is_some())
}

/// Returns whether a line near `at` begins with a form feed, as in text from PDF and in RFCs.
///
/// Most programs that typeset documents add no hyphens to URLs: of those at line ends 174 are the URL's own, and 5
/// were added. [Others](is_after_slash) add them after slashes.
pub(super) fn is_paged(text: &Text<'_>, at: usize) -> bool {
    let (_, near) = around(text, at, PAGE);
    near.first() == Some(&0x0C) || memmem::find(near, b"\n\x0C").is_some()
}

/// Returns whether the hyphen at `at` follows a slash that ends a line near form feeds, where dblatex adds one: of 112
/// that it added all do, and of 67 of URLs none, unless the next line begins with a slash.
pub(super) fn is_after_slash(text: &Text<'_>, at: usize) -> bool {
    let next = text.skip(at + 1, |byte| byte.is_ascii_whitespace());
    text.bytes[..at].ends_with(b"/") && text.at(next) != Some(b'/') && is_paged(text, at)
}

/// Returns whether a digit is beside the hyphen at `at`.
pub(super) fn is_beside_digit(text: &Text<'_>, at: usize) -> bool {
    let next = text.skip(at + 1, |byte| byte.is_ascii_whitespace());
    let is_digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    is_digit(text.bytes[..at].last()) || is_digit(text.bytes.get(next))
}

/// Returns whether the line at `at` is at the end of a page: it ends in a number and is the last, or at the end of
/// another page near it is one that is the same but for its numbers.
pub(super) fn is_furniture(text: &Text<'_>, at: usize) -> bool {
    let (start, near) = around(text, at, PAGE);
    let Some((line, is_last)) = edge(near, at - start) else {
        return false;
    };
    let is_kept = |byte: &&u8| !byte.is_ascii_digit();
    let is_same = |&(other, _): &(&[u8], bool)| {
        let others = other.iter().filter(is_kept);
        others.eq(line.iter().filter(is_kept))
    };
    let starts = memchr::memchr_iter(b'\n', near).map(|end| end + 1);
    let edges = starts.filter_map(|start| edge(near, start));
    line.iter().any(u8::is_ascii_digit)
        && ((is_last && line.last().is_some_and(u8::is_ascii_digit))
            || edges.filter(is_same).count() > 1)
}

/// Returns the line at `at`, if a page ends a little below it, and whether it is the last with words.
fn edge(text: &[u8], at: usize) -> Option<(&[u8], bool)> {
    let below = &text[at..text.len().min(at + EDGE)];
    let page = &below[..memchr::memchr(0x0C, below)?];
    let end = memchr::memchr(b'\n', page).unwrap_or(page.len());
    Some((
        page[..end].trim_ascii(),
        !page[end..].iter().any(u8::is_ascii_alphabetic),
    ))
}

/// Returns whether the hyphen at `at` was added in text from PDF: the word that it breaks is whole near it, perhaps
/// with a capital, and its beginning is no word there.
pub(super) fn is_in_word(text: &Text<'_>, at: usize) -> bool {
    let letters = text.bytes[..at].iter().rev();
    let len = letters
        .take_while(|byte| byte.is_ascii_alphabetic())
        .count();
    let next = text.skip(at + 1, |byte| byte.is_ascii_whitespace());
    let end = text.skip(next, |byte| byte.is_ascii_alphabetic());
    let (before, after) = (&text.bytes[at - len..at], &text.bytes[next..end]);
    let (start, near) = around(text, at, PAGE);
    let is_letter = |at: usize| near.get(at).is_some_and(u8::is_ascii_alphabetic);
    // `rest` is where the letters after the first of the beginning are.
    let is_word = |rest: usize| {
        let end = rest + len - 1;
        let is_inside = is_letter(end) || (rest > 1 && is_letter(rest - 2));
        start + end != at && !is_inside
    };
    before.len() > 1
        && after.len() > 1
        && is_paged(text, at)
        && memmem::find(near, &[&before[1..], after].concat()).is_some()
        && !memmem::find_iter(near, &before[1..]).any(is_word)
}

/// Returns the text from a little before `at` up to `len` bytes after it, and where it begins.
fn around<'t>(text: &Text<'t>, at: usize, len: usize) -> (usize, &'t [u8]) {
    let (start, end) = (at.saturating_sub(NEAR), at + len);
    if end > text.bytes.len() {
        text.starve();
    }
    (start, &text.bytes[start..end.min(text.bytes.len())])
}

#[cfg(test)]
mod tests {
    use crate::Finder;
    use crate::Hyphen;

    #[test]
    fn the_text_around_decides_about_soft_breaks() {
        let url = "http://a.example/1234=\n5678.html\n";
        let encoded = "<p class=3D\"x\">=\n";
        for (before, expected) in [
            (encoded.to_owned(), "http://a.example/12345678.html"),
            (
                "a line\n".repeat(2) + &encoded.repeat(2),
                "http://a.example/12345678.html",
            ),
            (
                "a line\n".repeat(9) + encoded,
                "http://a.example/1234=5678.html",
            ),
            ("<p>=\n".repeat(9), "http://a.example/1234=5678.html"),
        ] {
            let text = before + url;
            let found: Vec<_> = Finder::default().find(text.as_bytes()).collect();
            assert_eq!(String::from_utf8_lossy(&found[0].text), expected, "{text}");
        }
    }

    #[test]
    fn the_text_around_decides_about_hyphens() {
        let full = "A line of text that is as long as the others, and not hyphenated\n";
        let split = "A line of text that is as long as the others, and is one of hyphen-\n";
        let url = "At http://www.va-\npor.example/ and so on.\n";
        for (lines, expected) in [
            (split.repeat(3), "http://www.vapor.example/"),
            (split.repeat(2), "http://www.va-por.example/"),
            (
                split.repeat(3) + &full.repeat(21),
                "http://www.vapor.example/",
            ),
            (
                split.repeat(3) + &full.repeat(22),
                "http://www.va-por.example/",
            ),
            (
                split.replace("hyphen-", "draft-a-name-").repeat(3),
                "http://www.va-por.example/",
            ),
            (
                "> Quoted.\n".to_owned() + &split.repeat(3) + "> Quoted.\n",
                "http://www.va-por.example/",
            ),
        ] {
            for text in [format!("{lines}{url}"), format!("{url}{lines}")] {
                let found = Finder::default().find(text.as_bytes()).next();
                let found = found.map(|found| String::from_utf8_lossy(&found.text).into_owned());
                assert_eq!(found.as_deref(), Some(expected), "{text}");
                let angled = text
                    .replace("http", "<http")
                    .replace("por.example/", "por.example/>");
                let found = Finder::default().find(angled.as_bytes()).next();
                assert!(found.is_some_and(|found| found.text.contains(&b'-')));
                let finder = Finder::default().with_hyphen(Hyphen::Keep);
                let kept = finder.find(text.as_bytes()).next();
                assert!(kept.is_some_and(|kept| kept.text.contains(&b'-')));
            }
        }
    }
}
