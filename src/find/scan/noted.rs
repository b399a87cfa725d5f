//! Notes about a candidate whose end is known.

use super::{Match, Scanner};
use crate::candidate::Flag;
use crate::placeholder;
use crate::placeholder::{Around, MAX_AFTER};
use crate::text::Text;

impl Scanner {
    /// Notes whether the URL holds a placeholder. Most URLs have none of the characters that are
    /// signs of one.
    #[inline]
    pub(super) fn note_placeholder(&self, text: &Text<'_>, found: &mut Match) {
        let (start, end) = found.url();
        let before = self.before(text, start);
        if self.is_part_of_other(text, start, before) {
            return found.flags.set(Flag::Placeholder);
        }
        let is_cut = || match text.bytes.get(..=end) {
            Some([.., _, b'"']) if self.finder.code => text.at(end + 1) == Some(b'+'),
            Some([.., last, next]) => placeholder::may_be_cut(*last, *next),
            _ => false,
        };
        let language = self.finder.language();
        let has_no_sign = if found.is_in_one_piece() {
            language.has_no_sign_in(text.bytes, start..end)
        } else {
            language.has_no_sign(&found.bytes(text.bytes))
        };
        if !has_no_sign || before == Some(b'$') || is_cut() {
            self.look_for_placeholder(text, found, before);
        }
    }

    /// Returns whether the URL that begins at `start` is part of something else: of the name of a
    /// setting, as in `credential.https://a.example.helper`, or of a regular expression; or its
    /// scheme is a word for one.
    #[inline]
    fn is_part_of_other(&self, text: &Text<'_>, start: usize, before: Option<u8>) -> bool {
        match (before, text.bytes.get(start)) {
            (Some(b'.'), _) => {
                const OF_GIT: [&[u8]; 4] = [b"credential", b"http", b"sideband", b"url"];
                let line = &text.bytes[start.saturating_sub(MAX_AFTER)..start - 1];
                let is_outside = |byte: &u8| !byte.is_ascii_alphanumeric();
                let word = line.rsplit(is_outside).next().unwrap_or_default();
                OF_GIT.contains(&word) || self.finder.code && !word.is_empty()
            }
            (Some(b'^'), _) => self.finder.code,
            // `jar:file:///x.jar!/y` names a member of an archive.
            (Some(b':'), _) => text.bytes[..start].ends_with(b"jar:"),
            (_, Some(b'p' | b's' | b'u')) => {
                let name = text.bytes[start..].iter().position(|&byte| byte == b':');
                name.is_some_and(|len| {
                    placeholder::is_word_for_scheme(&text.bytes[start..start + len])
                })
            }
            _ => false,
        }
    }

    #[inline(never)]
    fn look_for_placeholder(&self, text: &Text<'_>, found: &mut Match, before: Option<u8>) {
        let (_, end) = found.url();
        let most = if found.is_closed() { 0 } else { MAX_AFTER };
        let around = Around {
            before,
            after: text.line_from(end, most),
            language: self.finder.language(),
        };
        if placeholder::is_in(&found.bytes(text.bytes), &around) {
            found.flags.set(Flag::Placeholder);
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may fail")]
mod tests {
    use super::*;
    use crate::{Candidate, Finder, StreamOptions};

    /// Returns the URL, with `!` before it if it holds a placeholder.
    fn shown(found: &Candidate<'_>) -> String {
        let mark = if found.flags.has(Flag::Placeholder) {
            "!"
        } else {
            ""
        };
        format!("{mark}{}", String::from_utf8_lossy(&found.text))
    }

    #[test]
    fn placeholders_in_text() {
        let cases: &[(&str, &[&str])] = &[
            ("at http://a/{{ x }}/b, and", &["!http://a/{{ x }}/b"]),
            (
                "\"http://a/{% if x %}b{% endif %}\"",
                &["!http://a/{% if x %}b{% endif %}"],
            ),
            ("'http://a/${{ x.y }}/b'", &["!http://a/${{ x.y }}/b"]),
            (
                "`http://a/${b ? \"c\" : d}/e`",
                &["!http://a/${b ? \"c\" : d}/e"],
            ),
            (
                "curl http://a/$(uname -s)/b x",
                &["!http://a/$(uname -s)/b"],
            ),
            (
                "http://<host>:<port>/<path>?<x>.",
                &["!http://<host>:<port>/<path>?<x>"],
            ),
            ("<http://<host>/x>", &["!http://<host>/x"]),
            ("<URL:http://<host>:<port>/x>", &["!http://<host>:<port>/x"]),
            (
                "http://a/<br>http://b/<b>x</b>",
                &["http://a/", "http://b/"],
            ),
            ("<http://a/><http://b/>", &["http://a/", "http://b/"]),
            ("http://a/<http://b/>", &["http://a/", "http://b/"]),
            (
                "http://a/[x]/b [http://c/d]/",
                &["!http://a/[x]/b", "http://c/d"],
            ),
            (
                "see http://a/[1] and http://a/{b",
                &["http://a/", "http://a/{b"],
            ),
            ("http://a/(b|c)/", &["!http://a/(b"]),
            ("\"http://a/{{\" + x + \"}}/\"", &["!http://a/"]),
            ("http://a/{{ x\ny }}", &["http://a/"]),
            (
                "git config credential.https://a.example.helper x",
                &["!https://a.example.helper"],
            ),
            ("the end.https://a.example", &["https://a.example"]),
            (
                "jar:file://x.jar!/ at:http://a.example/",
                &["!file://x.jar!/", "http://a.example/"],
            ),
            (
                "protocol://host/ url://x/ snews://a.example/",
                &["!protocol://host/", "!url://x/", "snews://a.example/"],
            ),
            (
                "url=http://a/,name=x http://a/,b=c",
                &["http://a/", "http://a/,b=c"],
            ),
            ("url=http://a/?b=c,d=e", &["http://a/?b=c,d=e"]),
            (
                "tag:{a:b,c} tag:a.example,2020:x",
                &["tag:a.example,2020:x"],
            ),
            (
                "http://a/%s\nhttp://b/\nhttp://c/$d\nhttp://e/\n",
                &["!http://a/%s", "http://b/", "!http://c/$d", "http://e/"],
            ),
        ];
        for (text, expected) in cases {
            let whole: Vec<_> = crate::find(text.as_bytes())
                .map(|found| shown(&found))
                .collect();
            assert_eq!(whole, *expected, "{text}");
            for size in 1..8 {
                let options = StreamOptions::default().with_read_size(size);
                let stream = Finder::default().stream_with(text.as_bytes(), options);
                let read: Vec<_> = stream.map(|found| shown(&found.unwrap())).collect();
                assert_eq!(read, *expected, "{text}, {size} bytes at a time");
            }
        }
    }
}
