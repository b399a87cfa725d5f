//! Compares the claims of a survey with the productions.

use proptest::prelude::*;

use crate::standard::rfc3986::{
    Judge, Part, Repertoire, chars::CHARACTERS, chars::QUERY, is_clean,
};
use crate::standard::survey::survey;
use crate::standard::testing::{every_byte_at_every_place, is_surveyed, nearly_ordinary};
use urlint_testing::tries;

/// Returns whether the production of a query allows all characters, and `odd` is absent.
fn is_clean_by_the_production(url: &[u8], odd: u8) -> bool {
    let mut judge = Judge::new(url, Repertoire::Uri, |_| {});
    judge.characters(Part::all(url), &QUERY) && !url.contains(&odd)
}

fn check(url: &[u8], start: u32, odd: u8) {
    let shown = url.escape_ascii();
    let survey = survey(url, start, odd, &CHARACTERS);
    let clean = is_surveyed(url.len()) && is_clean_by_the_production(url, odd);
    assert_eq!(survey.clean, clean, "{shown} with {odd:#x}");
    let mut problems = 0;
    let components = Judge::new(url, Repertoire::Uri, |_| problems += 1).by_the_productions();
    assert!(!is_clean(url) || problems == 0, "{shown}");
    if let Some((host, port, rest)) = survey.hostport(Part::all(url).starting_at(start)) {
        let found = (components.host, components.port, components.user);
        assert_eq!(found, (Some(host), port, None), "{shown}");
        assert_eq!(components.path.map(|path| path.start), Some(rest.start));
        let mut problems = 0;
        let url = &url[..rest.range().start];
        Judge::new(url, Repertoire::Uri, |_| problems += 1).by_the_productions();
        assert_eq!(problems, 0, "{shown}");
    }
}

static STARTS: [(&str, u8); 3] = [
    ("http://", b'?'),
    ("ftp://", 0),
    ("as-long-as-a-block-is-in-bytes://", 0),
];

#[test]
fn every_byte() {
    for (start, odd) in STARTS {
        every_byte_at_every_place(start, |url| check(url, start.len() as u32, odd));
    }
}

#[test]
fn ordinary_urls_are_seen_to_be_valid() {
    let ordinary = [
        "http://www.ietf.org/",
        "http://www.example.com:8080/~a/b;c=d/e%20f?g=/h?",
        "ftp://192.0.2.7/pub/rfc/rfc1738.txt",
        "https://en.m.example.net/wiki/Main_Page?action=history&offset=100",
        "http://cdn-3.static.example.io",
    ];
    for url in ordinary {
        assert_eq!(is_clean(url.as_bytes()), is_surveyed(url.len()), "{url}");
    }
}

proptest! {
    #![proptest_config(tries(50_000))]

    #[test]
    fn a_survey_says_what_the_productions_say(
        (url, start, odd) in nearly_ordinary(&STARTS, "#"),
    ) {
        check(&url, start, odd);
    }
}
