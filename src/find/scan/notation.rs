//! Signs that end a URL in notations for text: BBCode, notes, and the links of wikis.

use memchr::memmem;

use super::near::{MAX_BRACKETS, begins_url, line_before};
use crate::text::Text;

/// Returns whether the `[` at `at`, in the query or fragment of the URL from `start`, begins a tag of BBCode or
/// a note, rather than data: `?x=1[/url]`, `?x=1[img]http://…`, `?x=1[1]`, `#a[citation needed].`
pub(super) fn begins_tag_or_note(text: &Text<'_>, start: usize, at: usize) -> bool {
    let rest = text.line_from(at + 1, MAX_BRACKETS);
    let len = memchr::memchr(b']', rest).unwrap_or(0);
    match &rest[..len] {
        [b'/', b'*'] => true,
        [b'/', name @ ..] => !name.is_empty() && name.iter().all(u8::is_ascii_alphabetic),
        b"*" if !rest.get(2).is_some_and(|next| b"=&[].%".contains(next)) => true,
        [b'*' | b'a'..=b'z' | b'A'..=b'Z', ..] if begins_url(text, at + len + 2) => true,
        _ => is_note(rest) && is_after_value(&text.bytes[start..at]),
    }
}

/// Returns whether `rest`, which follows a `[`, is the number of a note or a remark of several words, and the
/// word before it ends there, perhaps with more notes or punctuation.
fn is_note(rest: &[u8]) -> bool {
    let (name, after) = rest.split_at(memchr::memchr(b']', rest).unwrap_or(0));
    let is_number = name.len() <= 3 && name.iter().all(u8::is_ascii_digit);
    let is_of_remark = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b' ';
    let is_remark = name.contains(&b' ') && name.iter().all(is_of_remark);
    let ends = || match after {
        [b']', b'[', more @ ..] => is_note(more),
        _ => after[1..]
            .iter()
            .find(|byte| !b".,;:!?)".contains(byte))
            .is_none_or(u8::is_ascii_whitespace),
    };
    (is_number || is_remark) && !matches!(name, [] | [b'0' | b' ', ..]) && ends()
}

/// Returns whether `url` ends in a value or a fragment, rather than in the name of a parameter, which may have
/// an index, or before data.
fn is_after_value(url: &[u8]) -> bool {
    let is_word = url.last().is_some_and(u8::is_ascii_alphanumeric);
    let begin = url.iter().rposition(|byte| b"?&#".contains(byte));
    let begins_name = |at: usize| url[at] != b'#' && url[at + 1].is_ascii_alphabetic();
    is_word && begin.is_some_and(|at| !begins_name(at) || url[at..].contains(&b'='))
}

/// Returns whether the `|` at `at` ends the URL from `start` in a link or a picture of a wiki:
/// `[text|URL|smart-link]`, `[URL|URL]`, `!URL|width=300!`.
pub(super) fn ends_link(text: &Text<'_>, start: usize, at: usize) -> bool {
    let is_before = |closer: u8, signs: &[u8]| {
        let rest = text.line_from(at + 1, MAX_BRACKETS);
        let len = memchr::memchr(closer, rest).unwrap_or(0);
        let is_of_option = |byte: &u8| byte.is_ascii_alphanumeric() || signs.contains(byte);
        len > 0 && rest[..len].iter().all(is_of_option)
    };
    match text.bytes[..start].last() {
        Some(b'!') => is_before(b'!', b"=,%-_\" "),
        Some(b'[' | b'|') => begins_url(text, at + 1) || is_before(b']', b"-_. "),
        _ => false,
    }
}

/// Returns whether `mark` encloses `url`, and perhaps words before it: `=URL=` of Org, `+URL+`, `[role]#URL#`
/// and `^URL^` of AsciiDoc, `@URL@` and `%URL%` of Textile.
pub(super) fn is_marked(bytes: &[u8], url: usize, mark: u8) -> bool {
    let near = match mark {
        b'+' | b'=' | b'#' | b'^' | b'@' | b'%' => line_before(bytes, url).unwrap_or_default(),
        _ => return false,
    };
    // A name before the sign makes this a setting: `key=URL?q=`.
    let begins_word = |before: Option<&u8>| match before {
        Some(&byte) if byte == mark => mark != b'=',
        Some(byte) => byte.is_ascii_whitespace() || b"([{|\"'`>*_".contains(byte),
        None => true,
    };
    near.strip_suffix(&[mark])
        .is_some_and(|before| begins_word(before.last()))
        || (mark == b'#' && memmem::find(near, b"]#").is_some())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may fail")]
mod tests {
    use crate::{Finder, StreamOptions};

    /// Returns the URLs in `text`.
    fn urls(text: &str) -> Vec<String> {
        let found = crate::find(text.as_bytes());
        found
            .map(|found| String::from_utf8_lossy(&found.text).into_owned())
            .collect()
    }

    #[test]
    fn where_notations_end_a_url() {
        // Each URL ends before `‸`.
        for text in [
            "[url]http://a.example/?x=1‸[/url]",
            "[URL=http://a.example/?x=1‸][IMG]http://a.example/#x‸[/IMG]",
            "http://a.example/?x=1‸[/*]",
            "[img]http://a.example/?x=1‸[/img][img]http://b.example/?x=1‸[/img]",
            "[*]http://a.example/?x=1‸[*]http://b.example/‸",
            "http://a.example/?x=1‸[size=9]http://b.example/‸",
            "http://a.example/?a[b]=1‸ http://a.example/?a[]=[*]&b=[a]‸",
            "http://a.example/?a[*]=1‸ http://a.example/?a[*].b=1‸",
            "http://a.example/?x=1‸[1] http://a.example/#x‸[2]. http://a.example/?x=1‸[1][2],",
            "http://a.example/?id=1‸[citation needed]",
            "http://a.example/?a[1]‸ http://a.example/?x=[1]‸ http://a.example/?x=a[0]‸",
            "http://a.example/?x=1[1]&y=2‸ http://a.example/?x=a[b]‸",
            "[http://a.example/?x=1‸|http://b.example/?x=1‸|smart-link]",
            "[t|http://a.example/?x=1‸|a tip] [t|http://a.example/?x=1‸]",
            "[http://a.example/?x=1|2|a=3‸] (http://a.example/?x=1|y=2‸)",
            "!http://a.example/?x=1‸|width=300,alt=\"t\"! !http://a.example/x‸|thumbnail!",
            "http://a.example/?x=1|thumbnail‸!",
            "=http://a.example/x‸= (=http://a.example/x‸=), =http://a.example/x‸=.",
            "key=http://a.example/?q=‸ http://a.example/?q=‸ x=(=http://a.example/?q‸=)",
            "http://a.example/x‸[http://a.example/x‸^] http://a.example/^‸",
            "[role]#http://a.example/x‸# [role]#see http://a.example/x‸#.",
            "#http://a.example/x‸# ^http://a.example/x‸^ ^^http://a.example/x‸^^",
            "@http://a.example/x‸@ %http://a.example/x‸% ++http://a.example/x‸++",
            "a url=http://a.example/x;jsessionid=0A1B?q=1‸ a url=http://a.example/x‸;user=joe;password=y",
            "[url=http://a.example/x;v=1‸]t[/url] [url=http://a.example/x;JSESSIONID=9F‸]t[/url]",
            "see http://a.example/x#‸ and http://a.example/x@‸",
            "a url=http://a.example/x;p=1‸ [x|url=http://a.example/x;p=1‸|t] x; url=http://a.example/‸;path=x",
            "<http://a.example/?b=1‸|two words> <http://a.example/?b‸|a <b c>> <http://a.example/x‸ y|two words>",
            "<http://a.example/?a=1|b=2‸> <http://a.example/?a=1‸|b>",
            "\"http://a.example/...‸\" \"http://a.example/x‸.\"",
        ] {
            let expected: Vec<_> = text
                .split('‸')
                .filter_map(|before| before.rfind("http").map(|at| &before[at..]))
                .collect();
            let text = text.replace('‸', "");
            assert_eq!(urls(&text), expected, "{text}");
            for size in 1..8 {
                let options = StreamOptions::default().with_read_size(size);
                let stream = Finder::default().stream_with(text.as_bytes(), options);
                let read = stream.map(|found| found.unwrap().text);
                let read: Vec<_> = read
                    .map(|url| String::from_utf8_lossy(&url).into_owned())
                    .collect();
                assert_eq!(read, expected, "{text}, {size} bytes at a time");
            }
        }
    }
}
