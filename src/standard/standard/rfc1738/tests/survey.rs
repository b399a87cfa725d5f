//! Compares the claims of a survey with the productions.

use proptest::prelude::*;

use crate::standard::rfc1738::{Judge, Part, XCHARS};
use crate::standard::survey::survey;
use crate::standard::testing::{every_byte_at_every_place, is_surveyed, nearly_ordinary};
use urlint_testing::tries;

/// The claims of a survey: whether all characters are allowed; host, port, and the text after them.
type Claims = (bool, Option<(Part, Option<Part>, Part)>);

/// The claims that a survey should make according to the productions.
fn by_the_productions(url: &[u8], start: u32, odd: u8) -> Claims {
    let rest = Part::all(url).starting_at(start);
    let mut problems = 0;
    let mut judge = Judge::new(url, |_| problems += 1, |_| {});
    let (authority, rest) = judge.ip_schemepart(rest, b"/");
    let parts = judge.hostport(authority);
    let is_hostport = problems == 0 && authority.end < 32;
    problems = 0;
    Judge::new(url, |_| problems += 1, |_| {}).xchars(Part::all(url));
    let clean = problems == 0 && !url.contains(&odd);
    let host = parts.host.filter(|_| is_hostport);
    (clean, host.map(|host| (host, parts.port, rest)))
}

fn check(url: &[u8], start: u32, odd: u8) {
    let expected = if is_surveyed(url.len()) {
        by_the_productions(url, start, odd)
    } else {
        (false, None)
    };
    let survey = survey(url, start, odd, &XCHARS);
    let claims = (
        survey.clean,
        survey.hostport(Part::all(url).starting_at(start)),
    );
    assert_eq!(claims, expected, "{} with {odd:#x}", url.escape_ascii());
}

static STARTS: [(&str, u8); 5] = [
    ("http://", b'?'),
    ("ftp://", b';'),
    ("https://", 0),
    ("as-long-as-a-block-is-in-bytes://", b'/'),
    (
        "more-than-there-are-bits-in-the-mask-of-two-blocks-of-such-bytes://",
        0,
    ),
];

#[test]
fn every_byte() {
    for (start, odd) in STARTS {
        every_byte_at_every_place(start, |url| check(url, start.len() as u32, odd));
    }
}

#[test]
fn ordinary_urls_are_seen_to_be() {
    let ordinary = [
        "http://www.ietf.org/",
        "http://www.example.com:8080/a/b;c=d/e%20f",
        "ftp://192.0.2.7/pub/rfc/rfc1738.txt",
        "https://en.m.example.net/wiki/Main_Page?action=history&offset=100#",
        "http://cdn-3.static.example.io",
    ];
    for url in ordinary.map(|url| url.trim_end_matches('#').as_bytes()) {
        let start = memchr::memmem::find(url, b"//").map_or(0, |at| at as u32 + 2);
        let survey = survey(url, start, b'~', &XCHARS);
        let seen = survey.clean && survey.hostport(Part::all(url)).is_some();
        assert_eq!(seen, is_surveyed(url.len()), "{}", url.escape_ascii());
    }
}

proptest! {
    #![proptest_config(tries(50_000))]

    #[test]
    fn a_survey_says_what_the_productions_say(
        (url, start, odd) in nearly_ordinary(&STARTS, ""),
    ) {
        check(&url, start, odd);
    }
}
