//! What a survey claims, held against the productions.

use proptest::prelude::*;

use crate::standard::rfc3986::{
    Judge, Part, Repertoire, chars::CHARACTERS, chars::QUERY, is_clean,
};
use crate::standard::survey::{SHORTEST, survey};
use crate::tries::tries;

/// Returns whether a survey says anything of a URL of `len` bytes here.
fn is_at_work(len: usize) -> bool {
    #[cfg(target_arch = "x86_64")]
    return len >= SHORTEST && crate::text::cpu::has_avx2();
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}

/// Whether all characters are admitted by the production of a query, and `odd` is absent.
fn is_clean_by_the_production(url: &[u8], odd: u8) -> bool {
    let mut judge = Judge::new(url, Repertoire::Uri, |_| {});
    judge.characters(Part::all(url), &QUERY) && !url.contains(&odd)
}

fn check(url: &[u8], start: u32, odd: u8) {
    let shown = url.escape_ascii();
    let survey = survey(url, start, odd, &CHARACTERS);
    let clean = is_at_work(url.len()) && is_clean_by_the_production(url, odd);
    assert_eq!(survey.clean, clean, "{shown} with {odd:#x}");
    let mut problems = 0;
    let components = Judge::new(url, Repertoire::Uri, |_| problems += 1).by_the_productions();
    assert!(!is_clean(url) || problems == 0, "{shown}");
    if let Some((host, port, rest)) = survey.hostport(Part::all(url).starting_at(start)) {
        let found = (components.host, components.port, components.userinfo);
        assert_eq!(found, (Some(host), port, None), "{shown}");
        assert_eq!(components.path.map(|path| path.start), Some(rest.start));
        let mut problems = 0;
        let url = &url[..rest.range().start];
        Judge::new(url, Repertoire::Uri, |_| problems += 1).by_the_productions();
        assert_eq!(problems, 0, "{shown}");
    }
}

const STARTS: [(&str, u8); 3] = [
    ("http://", b'?'),
    ("ftp://", 0),
    ("as-long-as-a-block-is-in-bytes://", 0),
];

#[test]
fn every_byte_at_every_place() {
    let ordinary = b"a-b.example:80/c%20d/e%2Ff/g.h-i_j~k/lm%7Eno/pq?r=s&t%20=u/vw/xyz/0123456789";
    for (scheme, odd) in STARTS {
        let whole: Vec<u8> = scheme.bytes().chain(*ordinary).collect();
        for len in scheme.len()..whole.len() {
            for at in scheme.len()..len {
                for byte in 0..=255 {
                    let mut url = whole[..len].to_vec();
                    url[at] = byte;
                    check(&url, scheme.len() as u32, odd);
                }
            }
        }
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
        assert_eq!(is_clean(url.as_bytes()), is_at_work(url.len()), "{url}");
    }
}

proptest! {
    #![proptest_config(tries(50_000))]

    #[test]
    fn a_survey_says_what_the_productions_say(
        (scheme, odd) in prop::sample::select(STARTS.to_vec()),
        authority in "[a-c0-9.:-]{0,26}|([a-c][a-c0-9-]{0,3}[.]){0,3}[a-c]{1,9}(:[0-9]{0,3})?|([0-9]{1,3}[.]){2,4}[0-9]{0,3}",
        path in "(/([a-z0-9]{1,20}|%[0-9A-G]{1,2}|[a-z_.,;?:@&=~#-]){0,9}){0,6}",
        misfit in prop::option::of((any::<u8>(), any::<prop::sample::Index>())),
    ) {
        let mut url = format!("{scheme}{authority}{path}").into_bytes();
        if let Some((byte, at)) = misfit && url.len() > scheme.len() {
            let at = scheme.len() + at.index(url.len() - scheme.len());
            url[at] = byte;
        }
        check(&url, scheme.len() as u32, odd);
    }
}
