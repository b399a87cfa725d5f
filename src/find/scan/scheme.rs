//! Determines which scheme ends at a colon.

use super::unicode;
use crate::Finder;
use crate::mistake::follows_letter;
use urlint_standard::url::schemes::{
    HTTP, HTTPS, MAX_SCHEME, OWN, Scheme, is_scheme_character, lookup_known,
};

/// Returns the start of the scheme that ends at `colon`, and the entry of the scheme if it is known. The scheme
/// is the first of these:
///
/// - the longest known name that begins at a word boundary, but not at a `+`, which makes one scheme of two,
///   or after the letter of a `\n` in source code;
/// - a scheme of the web that ends the word and precedes `//`;
/// - the whole word, if it has a letter.
///
/// The finder's schemes count as known. `word` is the start of the word, as returned by [`word_start`].
pub(crate) fn start(
    text: &[u8],
    word: usize,
    colon: usize,
    finder: &Finder,
) -> Option<(usize, Option<&'static Scheme>)> {
    let own = |name: &[u8]| finder.schemes.contains(name).then_some(&OWN);
    let known = |name: &[u8]| lookup_known(name).or_else(|| own(name));
    let name = &text[word..colon];
    if let Some(known) = known(name) {
        return Some((word, Some(known)));
    }
    // `\nhttp:` is an escaped line break and a scheme, and `\Qhttp:` a quoted one in a regular expression.
    let written = word > 0 && text[word - 1] == b'\\';
    if written
        && let [b'n' | b'r' | b't' | b'f' | b'v' | b'0' | b'Q', rest @ ..] = name
        && let Some(known) = known(rest)
    {
        return Some((word + 1, Some(known)));
    }
    // A font of roff, in the string of a program that writes a manual page.
    if written
        && let [b'f', b'B' | b'I' | b'R' | b'P', rest @ ..] = name
        && let Some(known) = known(rest)
    {
        return Some((word + 2, Some(known)));
    }
    let boundaries = (word + 1..colon).filter(|at| matches!(text[at - 1], b'.' | b'-'));
    for at in boundaries {
        if let Some(known) = known(&text[at..colon]) {
            return Some((at, Some(known)));
        }
    }
    // In `fromhttp://` the blank is missing: in unseen lists 330 times, and no such scheme.
    // Where mistakes are found, this is reported as one after a word of letters.
    if text[colon..].starts_with(b"://") && !name.contains(&b'+') {
        for len in [5, 4, 3] {
            let at = colon.saturating_sub(len).max(word);
            let is_mistake = || text[word..at].iter().all(u8::is_ascii_alphabetic);
            if finder.mistakes && is_mistake() {
                continue;
            }
            if let Some(known) = lookup_known(&text[at..colon]).filter(|known| known.is_web) {
                return Some((at, Some(known)));
            }
        }
    }
    if name.len() >= MAX_SCHEME {
        return None;
    }
    // A number may precede it without a blank.
    let letters = name.iter().position(u8::is_ascii_alphabetic)?;
    if letters > 0
        && let Some(known) = lookup_known(&name[letters..]).filter(|known| known.is_web)
    {
        return Some((word + letters, Some(known)));
    }
    let first = name.iter().position(u8::is_ascii_alphanumeric)?;
    let has_letter = name.iter().any(u8::is_ascii_alphabetic);
    let is_cut = || {
        let host = text[colon..].strip_prefix(b"://");
        finder.mistakes && host.is_some_and(follows_letter)
    };
    (has_letter && (name.len() - first > 1 || is_cut())).then_some((word + first, None))
}

/// Returns whether the name at `start` is part of a longer word or of a path of names, as in
/// `check_for_news:x`, `x.file:name` and `std::file:x`. If it is, it is a scheme only before `//`.
pub(crate) fn is_in_word(text: &[u8], floor: usize, start: usize) -> bool {
    let before = &text[floor.min(start)..start];
    match before {
        [.., b':', b':'] => true,
        [.., previous, b'_' | b'.' | b'-'] => previous.is_ascii_alphanumeric(),
        [.., 0x80..=0xFF] => unicode::ends_in_letter(before),
        _ => false,
    }
}

/// Returns where the `http` or `https` that ends at `colon` begins, if it is a whole word. Most
/// URLs have one of these schemes, so they are found without a loop.
pub(crate) fn web(text: &[u8], floor: usize, colon: usize) -> Option<(usize, &'static Scheme)> {
    let word = |len: usize, name: &[u8], scheme: &'static Scheme| {
        let start = colon.checked_sub(len).filter(|&start| start >= floor)?;
        let whole = start == floor || !is_scheme_character(text[start - 1]);
        (whole && text[start..colon] == *name).then_some((start, scheme))
    };
    word(4, b"http", HTTP).or_else(|| word(5, b"https", HTTPS))
}

/// Returns where the run of scheme characters that ends at `colon` begins.
pub(crate) fn word_start(text: &[u8], floor: usize, colon: usize) -> usize {
    let floor = floor.max(colon.saturating_sub(MAX_SCHEME));
    let mut at = colon;
    while at > floor && is_scheme_character(text[at - 1]) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start_in(text: &[u8]) -> Option<(usize, Option<&'static Scheme>)> {
        let finder = Finder::default().with_schemes(["own"]);
        let colon = memchr::memchr(b':', text).unwrap_or(text.len());
        start(text, word_start(text, 0, colon), colon, &finder)
    }

    #[test]
    fn parts_of_words() {
        for (before, expected) in [
            ("", false),
            (" ", false),
            ("(", false),
            ("URL:", false),
            ("_", false),
            (" _", false),
            ("...", false),
            ("a_", true),
            ("a.", true),
            ("a-", true),
            ("std::", true),
            ("é", true),
            ("網址", false),
            ("«", false),
        ] {
            let at = before.len();
            let text = format!("{before}news:a.b");
            assert_eq!(is_in_word(text.as_bytes(), 0, at), expected, "{before}");
            assert!(!is_in_word(text.as_bytes(), at, at), "{before}");
        }
    }

    #[test]
    fn the_longest_known_name_at_a_word_boundary() {
        let cases: &[(&str, Option<&str>)] = &[
            ("see http", Some("http")),
            ("post.https", Some("https")),
            ("xhttp", Some("xhttp")),
            ("svn+ssh", Some("svn+ssh")),
            ("git+weird", Some("git+weird")),
            ("z39.50r", Some("z39.50r")),
            ("a\\nhttp", Some("http")),
            ("\\thttp", Some("http")),
            ("\\0ftp", Some("ftp")),
            ("\\telnet", Some("telnet")),
            ("\\nfs", Some("nfs")),
            ("\\nxyz", Some("nxyz")),
            ("nhttp", Some("nhttp")),
            ("...foo", Some("foo")),
            ("3com", Some("3com")),
            ("12", None),
            ("x", None),
            ("", None),
            ("網址http", Some("http")),
            ("(HTTP", Some("HTTP")),
            ("an own", Some("own")),
            ("post.OWN", Some("OWN")),
            ("example.comhttp://", Some("http://")),
            ("fromHTTPS://", Some("HTTPS://")),
            ("xftp://", Some("ftp://")),
            ("xhttp:/", Some("xhttp:/")),
            ("sftp://", Some("sftp://")),
            ("x+http://", Some("x+http://")),
            ("unown", Some("unown")),
        ];
        for (text, expected) in cases {
            let found = start_in(text.as_bytes()).map(|(at, _)| &text[at..]);
            assert_eq!(found, *expected, "{text}");
        }
        let long = [b'a'; 100];
        assert!(start_in(&long).is_none());
    }
}
