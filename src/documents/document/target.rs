//! Targets of links as candidates.

use std::borrow::Cow;
use std::ops::Range;

use urlint_find::Finder;
use urlint_find::mistake::{Mistake, split_host};
use urlint_find::placeholder;
use urlint_find::scan::has_content;
use urlint_find::{Candidate, Flag, Flags};
use urlint_standard::standard::Standard;
use urlint_standard::text::ascii::WordList;
use urlint_standard::text::{Span, Spans};
use urlint_standard::url::schemes::{is_scheme_character, is_scheme_name, lookup_known};
use urlint_standard::url::split::scheme;

use urlint_standard::url::{resolve, resolve_in_browser};

/// Returns the target at `range` of `text` as a candidate, if it is a URL with a scheme, or a relative URL that
/// `base` resolves. As in browsers, white space around it and tabs and line breaks in it are ignored.
/// `finder` knows the user's schemes, and recognizes placeholders.
pub(super) fn candidate<'t>(
    text: &'t [u8],
    range: Range<usize>,
    base: Option<&[u8]>,
    finder: &Finder,
) -> Option<Candidate<'t>> {
    let value = text.get(range.clone())?;
    let is_around = |byte: &u8| *byte <= b' ';
    let before = value.iter().take_while(|byte| is_around(byte)).count();
    let after = value[before..]
        .iter()
        .rev()
        .take_while(|byte| is_around(byte))
        .count();
    let (start, mut end) = (range.start + before, range.end - after);
    let mut flags = Flags::default();
    if end - start > Candidate::MAX_LEN {
        end = start + Candidate::MAX_LEN;
        flags.set(Flag::TooLong);
    }
    // A file of a wiki.
    let file = text[start..end].strip_prefix(b"File:");
    if file.is_some_and(|name| !name.starts_with(b"/")) {
        return None;
    }
    if let Some(inner) = surrounded(&text[start..end]) {
        let (url, pieces) = without_breaks(text, start + inner.start..start + inner.end);
        // In a string of another language, the marks have backslashes before them.
        if !matches!(text[start..end], [b'\\', b'"' | b'\'', ..]) {
            flags.set(Flag::BrokenLink);
        }
        let outer = Span::new(start as u64, end as u64);
        return Some(Candidate::target(url, outer, pieces, flags));
    }
    let (mut url, pieces) = without_breaks(text, start..end);
    // Only Markdown's reader keeps an empty one so.
    if range.is_empty() && finder.mistakes && text[..start].ends_with(b"(") {
        flags.set(Flag::BrokenLink);
        let outer = Span::new(start as u64, end as u64);
        return Some(Candidate::target(url, outer, pieces, flags));
    }
    let has_own =
        || memchr::memchr(b':', &url).is_some_and(|at| finder.schemes.contains(&url[..at]));
    let is_mistaken = || finder.mistakes && is_meant_as_absolute(&url);
    if !is_absolute(&url) && !has_own() && !is_mistaken() {
        let own = scheme(&url).filter(|name| name.of(&url)[0].is_ascii_alphabetic());
        let known = own.map(|name| lookup_known(name.of(&url)));
        url = match (known, base, finder.standard) {
            _ if url.is_empty() => return None,
            (Some(None), ..) => {
                Some(url).filter(|url| is_of_other_scheme(url) || is_script(url))?
            }
            (Some(Some(known)), ..) if !known.is_special && known.name != "file" => return None,
            (_, Some(base), Standard::Whatwg) => resolve_in_browser(base, &url)?.into(),
            (Some(_), ..) => Some(url).filter(|url| !url.contains(&b' '))?,
            (None, base, _) => resolve(base?, &url)?.into(),
        };
    }
    if placeholder::find(&url, finder.code).is_some() {
        flags.set(Flag::Placeholder);
    }
    let outer = Span::new(range.start as u64, range.end as u64);
    Some(Candidate::target(url, outer, pieces, flags))
}

/// Returns the place of the URL of the web in `target` that was pasted with quotation marks, brackets, `URL:`,
/// `./` or `#` around it. The target of such a link is relative, and leads nowhere.
fn surrounded(target: &[u8]) -> Option<Range<usize>> {
    const BEFORE: [&str; 31] = [
        "“", "”", "‘", "’", "„", "«", "»", "\"", "'", "`", "(", "[", "<", "*", "\\", " ", "//",
        "&quot;", "&lt;", "%22", "%20", "URL:", "url:", "url(", "href=", "./", "#", "mailto:",
        "\u{200B}", "\u{200E}", "\u{FEFF}",
    ];
    const AFTER: [&str; 21] = [
        "“", "”", "‘", "’", "»", "«", "\"", "'", "`", ")", "]", ">", "*", "\\", "&quot;", "&gt;",
        "%22", "%20", ",", " ", "\u{200B}",
    ];
    let is_web = |at: &usize| {
        [&b"http://"[..], b"https://"]
            .iter()
            .any(|web| target[*at..].starts_with(web))
    };
    let start = memchr::memchr_iter(b'h', target)
        .take(8)
        .find(is_web)
        .filter(|start| *start > 0)?;
    let mut before = &target[..start];
    while !before.is_empty() {
        before = BEFORE
            .iter()
            .find_map(|sign| before.strip_prefix(sign.as_bytes()))?;
    }
    let mut end =
        memchr::memmem::find(&target[start..], b"](").map_or(target.len(), |at| start + at);
    let ends = |end: usize| {
        AFTER
            .iter()
            .find(|sign| target[start..end].ends_with(sign.as_bytes()))
    };
    while let Some(sign) = ends(end) {
        end -= sign.len();
    }
    is_complete(&target[start..end]).then_some(start..end)
}

/// Returns whether `url` is a program that the reader of a link runs, and not empty.
pub(super) fn is_script(url: &[u8]) -> bool {
    const SCRIPTS: WordList = WordList("javascript vbscript");
    if !matches!(url, [b'j' | b'J' | b'v' | b'V', ..]) {
        return false;
    }
    let colon = url.iter().take(11).position(|byte| *byte == b':');
    colon.is_some_and(|at| SCRIPTS.contains(&url[..at]) && url.len() > at + 1)
}

/// Returns whether `url`, whose scheme is not known, is more than a script, a document of its own or a host
/// with a port.
fn is_of_other_scheme(url: &[u8]) -> bool {
    const OWN: WordList = WordList("javascript vbscript data about");
    let Some(colon) = memchr::memchr(b':', url) else {
        return false;
    };
    let (name, rest) = (&url[..colon], &url[colon + 1..]);
    // `std::fmt` is a name of Rust or C++.
    let is_port = rest
        .first()
        .is_none_or(|byte| byte.is_ascii_digit() || *byte == b':');
    let is_word = name.len() > 2
        && name
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+-".contains(byte));
    is_word
        && !is_port
        && !OWN.contains(name)
        && rest
            .iter()
            .all(|byte| *byte > b' ' && !b"{}$<>".contains(byte))
}

/// The text at `range` without tabs and line breaks, and its spans.
fn without_breaks(text: &[u8], range: Range<usize>) -> (Cow<'_, [u8]>, Spans) {
    let value = &text[range.clone()];
    let span =
        |from: usize, to: usize| Span::new((range.start + from) as u64, (range.start + to) as u64);
    let mut breaks = memchr::memchr3_iter(b'\t', b'\n', b'\r', value).peekable();
    if breaks.peek().is_none() {
        return (Cow::Borrowed(value), span(0, value.len()).into());
    }
    let mut url = Vec::with_capacity(value.len());
    let mut pieces = Spans::from(span(0, 0));
    let mut from = 0;
    for at in breaks.chain([value.len()]) {
        url.extend_from_slice(&value[from..at]);
        pieces.push(span(from, at));
        from = at + 1;
    }
    (Cow::Owned(url), pieces)
}

/// Returns where the characters of a scheme begin that `text` ends in.
pub(super) fn scheme_start(text: &[u8]) -> usize {
    let start = text.iter().rposition(|byte| !is_scheme_character(*byte));
    start.map_or(0, |at| at + 1)
}

/// Returns whether `url` has a scheme: any before `//`, or a known one.
pub(super) fn is_absolute(url: &[u8]) -> bool {
    let Some(colon) = memchr::memchr(b':', url) else {
        return false;
    };
    let (name, rest) = (&url[..colon], &url[colon + 1..]);
    if !is_scheme_name(name) {
        return false;
    }
    rest.starts_with(b"//")
        || lookup_known(name).is_some_and(|scheme| scheme.accepts_as_target(name, rest))
}

/// Returns whether `target`, where markup expects a URL, was meant to be one with a scheme, perhaps that of its
/// page: by its beginning, or since it is the name of a host or the address of a mailbox and nothing else.
pub(super) fn is_meant_as_absolute(target: &[u8]) -> bool {
    /// Top-level domains that are not extensions of files.
    const DOMAINS: [&[u8]; 6] = [b"com", b"org", b"edu", b"gov", b"io", b"dev"];
    /// Extensions of files whose names may have a `@`.
    const FILES: [&[u8]; 12] = [
        b"png", b"jpg", b"jpeg", b"gif", b"svg", b"webp", b"html", b"htm", b"md", b"css", b"js",
        b"json",
    ];
    let is_of_user = |byte: &u8| byte.is_ascii_alphanumeric() || b"._%+-".contains(byte);
    let name = target.strip_suffix(b".").unwrap_or(target);
    let is_whole = || match memchr::memchr2(b'@', b'/', name) {
        Some(at) if name[at] == b'@' => {
            at > 0
                && name[..at].iter().all(is_of_user)
                && domain(&name[at + 1..]).is_some_and(|last| !FILES.contains(&last))
        }
        end => {
            domain(&name[..end.unwrap_or(name.len())]).is_some_and(|last| DOMAINS.contains(&last))
        }
    };
    is_meant_to_begin(target) || (target.starts_with(b"//") && target.contains(&b'.')) || is_whole()
}

/// Returns whether `target` was meant to begin with a scheme of the web and `//`.
fn is_meant_to_begin(target: &[u8]) -> bool {
    let is_of_name = |byte: &&u8| byte.is_ascii_alphabetic();
    let name = target.iter().take(6).take_while(is_of_name).count();
    let is_web = [&b"http"[..], b"https"]
        .iter()
        .any(|known| target[..name].eq_ignore_ascii_case(known));
    // `//` may also be two backslashes, or one slash, or nothing.
    let lacks_slashes = matches!(
        &target[name..],
        [b':', b'\\', b'\\', next, ..] | [b':', b'/' | b'\\', next, ..] | [b':', next, ..]
            if next.is_ascii_alphanumeric()
    );
    (is_web && (lacks_slashes || Mistake::at_start(target).is_some())) || begins_with_host(target)
}

/// Returns whether a relative target begins as hosts do and folders do not: with `www.`, or with a name in
/// one of the oldest domains and a path.
fn begins_with_host(target: &[u8]) -> bool {
    const DOMAINS: [&[u8]; 4] = [b"com", b"org", b"net", b"edu"];
    let (name, last, rest) = split_host(target);
    let has_domain = last.len() < name.len() && DOMAINS.contains(&last);
    let has_path = matches!(rest, [b'/', _, ..]);
    let ends = matches!(rest.first(), None | Some(b'/' | b'?' | b'#'));
    let is_www = |start: &[u8]| start.eq_ignore_ascii_case(b"www.");
    let is_of_web = name.get(..4).is_some_and(is_www) && name[4..].contains(&b'.');
    ends && (is_of_web || (has_domain && has_path))
}

/// Returns the last label of `host`, if that is letters and others precede it.
fn domain(host: &[u8]) -> Option<&[u8]> {
    let mut labels = host.rsplit(|byte| *byte == b'.');
    let last = labels.next()?;
    let is_of_label = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
    let is_label = |label: &[u8]| !label.is_empty() && label.iter().all(is_of_label);
    let is_host = last.len() < host.len() && labels.all(is_label);
    (is_host && last.len() > 1 && last.iter().all(u8::is_ascii_lowercase)).then_some(last)
}

/// Returns whether `target` leads to another document, by a relative reference.
pub(super) fn is_relative(target: &[u8]) -> bool {
    let target = target.trim_ascii_start();
    scheme(target).is_none() && !matches!(target.first(), None | Some(b'#'))
}

/// Returns whether `url` has more than a scheme and punctuation. `http://` alone is usually
/// completed by a form or a program; it is a problem only as the target of a link.
pub(super) fn is_complete(url: &[u8]) -> bool {
    let colon = url.iter().position(|&byte| byte == b':');
    has_content(colon.map_or(url, |colon| &url[colon + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complete_urls() {
        let cases = [
            ("http://", false),
            ("mailto:", false),
            ("http:///", false),
            ("http://a", true),
            ("mailto:a?subject=b:", true),
            ("http://a.example:/", true),
        ];
        for (url, expected) in cases {
            assert_eq!(is_complete(url.as_bytes()), expected, "{url}");
        }
    }

    #[test]
    fn targets() {
        let cases: [(&str, Option<&str>); 16] = [
            ("own:a", Some("own:a")),
            ("other:a", Some("other:a")),
            ("std::fmt", None),
            ("localhost:8080/x", None),
            ("“http://a.example/x”", Some("http://a.example/x")),
            ("./https://a.example/", Some("https://a.example/")),
            ("/web/2020/https://a.example/", None),
            ("http://a.example/x", Some("http://a.example/x")),
            (" \n http://a.example/ ", Some("http://a.example/")),
            ("http://a.exa\r\nmple/\tx", Some("http://a.example/x")),
            ("http://a.example/a b", Some("http://a.example/a b")),
            ("mailto:joe@a.example", Some("mailto:joe@a.example")),
            ("x-own://a", Some("x-own://a")),
            ("/relative:x", None),
            ("about:blank", None),
            ("", None),
        ];
        let finder = Finder::default().with_schemes(["own"]);
        for (value, url) in cases {
            let text = format!("..{value}..");
            let found = candidate(text.as_bytes(), 2..2 + value.len(), None, &finder);
            let read = found.map(|found| {
                let bytes = found.pieces.iter().map(|span| span.slice(text.as_bytes()));
                assert_eq!(
                    bytes.collect::<Vec<_>>().concat(),
                    &*found.text,
                    "{value:?}"
                );
                String::from_utf8_lossy(&found.text).into_owned()
            });
            assert_eq!(read.as_deref(), url, "{value:?}");
        }
    }

    #[test]
    fn what_was_meant_to_be_absolute() {
        for (target, expected) in [
            ("//a.example/x", true),
            ("//10.0.0.1:80", true),
            ("//a/b", false),
            ("joe@a.example", true),
            ("joe.b+c@a-b.example.", true),
            ("@a/b", false),
            ("@joe", false),
            ("logo@2x.png", false),
            ("a@1.2.3", false),
            ("a@b", false),
            ("a.io/develop", true),
            ("joe.github.io", true),
            ("a.com", true),
            ("a.com.", true),
            ("x/a.com", false),
            ("io", false),
            (".dev", false),
            ("a b.com", false),
            ("a.md", false),
            ("node.js", false),
            ("lib.rs/x", false),
        ] {
            let is_meant = is_meant_as_absolute(target.as_bytes());
            assert_eq!(is_meant, expected, "{target}");
        }
    }

    #[test]
    fn beginnings() {
        for (target, expected) in [
            ("https:/a.example", true),
            ("https:a.example", true),
            ("http:\\\\a.example\\b", true),
            ("https//a.example", true),
            ("https:", false),
            ("http/a.html", false),
            ("mailto:a", false),
            ("//a.example", false),
            ("www.a.example/x", true),
            ("www.a", false),
            ("www.d/index.html", false),
            ("a-b.com/x", true),
            ("a-b.com/", false),
            ("a-b.com", false),
            ("a b.com/x", false),
            ("docs/a.com/x", false),
            ("", false),
        ] {
            assert_eq!(is_meant_to_begin(target.as_bytes()), expected, "{target}");
        }
    }

    #[test]
    fn relative_targets_are_resolved_by_the_base() {
        let cases = [
            (
                " ../x\n.html ",
                Some("http://a.example/x.html"),
                "../x.html",
            ),
            ("#top", Some("http://a.example/b/c#top"), "#top"),
            (
                "http://b.example/./x",
                Some("http://b.example/./x"),
                "http://b.example/./x",
            ),
            ("about:blank", None, ""),
            ("x-unknown:1", None, ""),
            (" ", None, ""),
            (
                "10.0.0.7:8080/x",
                Some("http://a.example/b/10.0.0.7:8080/x"),
                "10.0.0.7:8080/x",
            ),
        ];
        let base = Some(&b"http://a.example/b/c"[..]);
        for (value, url, written) in cases {
            let text = value.as_bytes();
            let found = candidate(text, 0..text.len(), base, &Finder::default());
            assert_eq!(found.as_ref().and_then(Candidate::as_str), url, "{value:?}");
            let bytes = |found: Candidate<'_>| {
                let pieces = found.pieces.iter().map(|span| span.slice(text));
                pieces.collect::<Vec<_>>().concat()
            };
            assert_eq!(found.map(bytes).unwrap_or_default(), written.as_bytes());
        }
    }

    #[test]
    fn misspelt_urls_need_the_flag() {
        for value in ["https//a.example/x", "http:: //a"] {
            let found = |mistakes| {
                let finder = Finder::default().with_mistakes(mistakes);
                candidate(value.as_bytes(), 0..value.len(), None, &finder).is_some()
            };
            assert!(!found(false), "{value}");
            assert_eq!(found(true), value != "http:: //a", "{value}");
        }
    }
}
