//! Secrets that stand elsewhere than in the place of a password.

use std::iter;
use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};

use super::{is_slash, run};

/// The parameters whose values are secret, as the page `limits` of the manual lists them.
const NAMES: [&str; 18] = [
    "access_token",
    "api_key",
    "apikey",
    "auth_token",
    "client_secret",
    "id_token",
    "passwd",
    "password",
    "pwd",
    "refresh_token",
    "secret",
    "sig",
    "signature",
    "token",
    "x-amz-credential",
    "x-amz-security-token",
    "x-amz-signature",
    "x-goog-signature",
];

/// What finds them. A test sees to it that it can be made.
static PARAMETERS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let automaton = AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::LeftmostLongest)
        .build(NAMES);
    automaton.ok()
});

/// The shortest token that is known by its form, in bytes.
const TOKEN: usize = 20;

/// Returns the values of secret parameters in `text`: of `?access_token=x`, `&sig=x` and `;password=x`.
pub(super) fn parameters(text: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    let begins = |text: &[u8]| {
        let is_escaped =
            |escape: &[u8]| text[text.len().saturating_sub(3)..].eq_ignore_ascii_case(escape);
        text.last().is_some_and(|byte| b"?&;#".contains(byte))
            || [b"%3f", b"%26", b"%3b"]
                .iter()
                .any(|escape| is_escaped(*escape))
    };
    let found = PARAMETERS
        .iter()
        .flat_map(move |names| names.find_iter(text));
    let mut searched = 0;
    found.filter_map(move |found| {
        // What is in a value is not looked at again, so that the time is linear.
        if found.start() < searched || !begins(&text[..found.start()]) {
            return None;
        }
        let sign = match &text[found.end()..] {
            [b'=', ..] => 1,
            [b'%', b'3', b'd' | b'D', ..] => 3,
            _ => return None,
        };
        let start = found.end() + sign;
        let in_value = |byte: &u8| *byte > b' ' && !b"&;#\"'<>`".contains(byte);
        searched = start + run(&text[start..], in_value);
        (start < searched).then_some(start..searched)
    })
}

/// Returns the names of users in `text` that are tokens: long, with letters and digits and without a dot,
/// as in `https://ghp_0123456789abcdefghij@a.example`.
pub(super) fn tokens(text: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    after_slashes(text).filter_map(|start| {
        let of_token = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-".contains(byte);
        let name = &text[start..start + run(&text[start..], of_token)];
        let end = start + name.len();
        let is_login = match text.get(end) {
            Some(b'@') => true,
            Some(b':') => word(&text[end..]).contains(&b'@'),
            _ => false,
        };
        let has = |test: fn(&u8) -> bool| name.iter().any(test);
        let is_token =
            name.len() >= TOKEN && has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic);
        (is_login && is_token).then_some(start..end)
    })
}

/// Returns where two or more slashes in `text` end.
fn after_slashes(text: &[u8]) -> impl Iterator<Item = usize> + '_ {
    let mut at = 0;
    iter::from_fn(move || {
        loop {
            at += memchr::memchr2(b'/', b'\\', &text[at..])?;
            let slashes = run(&text[at..], is_slash);
            at += slashes;
            if slashes > 1 {
                return Some(at);
            }
        }
    })
}

/// Returns the start of `text` up to white space or a slash.
fn word(text: &[u8]) -> &[u8] {
    &text[..run(text, |byte| *byte > b' ' && !is_slash(byte))]
}

#[cfg(test)]
mod tests {
    use super::super::{redacted, redacted_text};

    #[test]
    fn secrets_are_hidden_wherever_they_stand() {
        for (text, shown) in [
            (
                r"https:\/\/ghp_0123456789abcdefghij@a.example",
                r"https:\/\/***@a.example",
            ),
            (
                "https://a.example/?sig=a%2Fb&x=1",
                "https://a.example/?sig=***&x=1",
            ),
            (
                "https://a.example/?x=1&amp;Access_Token=ab#c",
                "https://a.example/?x=1&amp;Access_Token=***#c",
            ),
            (
                "ftp://a.example/x;password=ab",
                "ftp://a.example/x;password=***",
            ),
            (
                "http://a.example/?u=http%3A//b.example/%3Ftoken%3Dab",
                "http://a.example/?u=http%3A//b.example/%3Ftoken%3D***",
            ),
            ("https://a.example/?token=", "https://a.example/?token="),
            (
                "https://a.example/token=ab?tokens=ab&design=ab",
                "https://a.example/token=ab?tokens=ab&design=ab",
            ),
            (
                "https://ghp_0123456789abcdefghij@a.example/b",
                "https://***@a.example/b",
            ),
            (
                "https://0123456789abcdefghij:x-oauth-basic@a.example/b",
                "https://***:***@a.example/b",
            ),
            (
                "https://averyveryverylongname@a.example/1",
                "https://averyveryverylongname@a.example/1",
            ),
            (
                "https://0123456789abcdefghij:80/a",
                "https://0123456789abcdefghij:80/a",
            ),
        ] {
            assert_eq!(redacted(text.as_bytes()), shown.as_bytes(), "{text}");
            let (text, shown) = (
                format!("see <{text}> there"),
                format!("see <{shown}> there"),
            );
            assert_eq!(redacted_text(text.as_bytes()), shown.as_bytes(), "{text}");
        }
    }
}
