//! Properties that hold for all bytes.

use std::collections::HashSet;

use proptest::prelude::*;

use crate::standard::Standard;
use crate::standard::whatwg::{Part, href, is_valid, judge, parse};
use urlint_testing::tries;

/// A scheme, and anything after it: bytes with a meaning more often than others.
pub(super) fn anything() -> impl Strategy<Value = Vec<u8>> {
    let start = prop::sample::select(vec![
        "",
        " ",
        "http://",
        "https://a.example",
        "HTTP:",
        "ftp://u:p@",
        "ws:\\\\",
        "file://",
        "file:/",
        "file:///C|/",
        "mailto:",
        "foo:",
        "foo:/",
        "foo://",
        "http://[",
        "http://1.2.",
        "http://xn--",
        "http://a.example:",
        "http://a.example/",
        "http://a.example/?",
        "http://a.example/#",
    ]);
    let byte = prop_oneof![
        6 => prop::sample::select(b"/\\?:@#.%~[]<>|^-_*aCx028 \t\n\0".to_vec()).prop_map(|byte| vec![byte]),
        3 => prop::sample::select(vec!["..", "%2e", "%41", "::", "C|", "é", "ß", "１", "。", "א", "\u{AD}", "\u{200D}", "xn--"])
            .prop_map(|text| text.as_bytes().to_vec()),
        1 => any::<u8>().prop_map(|byte| vec![byte]),
    ];
    (start, prop::collection::vec(byte, 0..30))
        .prop_map(|(start, rest)| [start.as_bytes(), &rest.concat()].concat())
}

/// URLs that are valid more often than not.
fn ordinary() -> impl Strategy<Value = Vec<u8>> {
    let scheme = "(https?|ftp|HTTP|file|foo)://";
    let host =
        "([a-z][a-z0-9-]{0,3}[.]){0,9}[a-z-]{1,9}(:[0-9]{0,6})?|([0-9]{1,3}[.]){2,4}[0-9]{0,3}";
    let path = "(/([a-z0-9~]{1,20}|%[0-9A-G]{1,2}|[a-z_.,;?:@&=~^#-]){0,9}){0,6}";
    (scheme, host, path).prop_map(|(scheme, host, path)| [scheme, host, path].concat().into_bytes())
}

#[test]
fn invalid_utf_8_stays_invalid() {
    let url = b"http://\xc3\t\x80..";
    assert_eq!(href(url), None);
    assert!(!parse(url).parses());
    let escaped = b"http://\xc3%80/";
    assert_eq!(href(escaped), None);
    assert!(!parse(escaped).parses());
    let path = b"http://h/\xc3\t\x80";
    assert_eq!(href(path).as_deref(), Some("http://h/%EF%BF%BD%EF%BF%BD"));
    assert!(parse(path).parses());
}

proptest! {
    #![proptest_config(tries(100_000))]

    #[test]
    fn problems_are_in_order_and_within_the_url(url in anything()) {
        let parsed = parse(&url);
        prop_assert_eq!(is_valid(&url), parsed.is_valid());
        prop_assert!(parsed.parses() || !parsed.is_valid());
        let mut last = Part::at(0);
        for problem in &parsed.problems {
            let part = problem.part;
            prop_assert!(part.start <= part.end && part.end as usize <= url.len());
            prop_assert!(part >= last, "{}", url.escape_ascii());
            last = part;
        }
        let all = parsed.problems;
        let unique: HashSet<_> = all.iter().map(|problem| (problem.kind, problem.part)).collect();
        prop_assert_eq!(unique.len(), all.len(), "a problem is reported twice: {}: {:?}", url.escape_ascii(), all);
        let mut judged = Vec::new();
        let components = judge(&url, |problem| judged.push(problem));
        judged.sort_by_key(|problem| (problem.part, problem.kind.name()));
        prop_assert_eq!(judged, all, "{}", url.escape_ascii());
        prop_assert_eq!(components, parsed.components);
    }

    #[test]
    fn components_are_in_order_and_disjoint(url in anything()) {
        let mut end = 0;
        for (name, part) in parse(&url).named_parts() {
            let Some(part) = part else { continue };
            prop_assert!(part.start >= end && part.end >= part.start, "{}", name);
            end = part.end;
        }
        prop_assert!(end as usize <= url.len());
    }

    #[test]
    fn hrefs_are_stable(url in anything()) {
        let found = href(&url);
        prop_assert_eq!(found.is_some(), parse(&url).parses());
        if let Some(found) = found {
            prop_assert_eq!(href(found.as_bytes()), Some(found.clone()));
            let fails = parse(found.as_bytes()).problems.iter().any(|problem| problem.is_failure);
            prop_assert!(!fails, "{found}");
        }
    }

    #[test]
    fn a_fragment_apart_is_the_fragment_as_part(url in ordinary(), fragment in ".{0,20}") {
        let url: Vec<_> = url.into_iter().filter(|&byte| byte != b'#').collect();
        // Characters that the parser drops at the end are reported either way.
        let whole = [&url[..], b"#", fragment.as_bytes()].concat();
        let mut expected = Vec::new();
        Standard::Whatwg.judge(&whole, |problem| expected.push((problem.kind, problem.part)));
        let mut apart = Vec::new();
        Standard::Whatwg.judge(&url, |problem| apart.push((problem.kind, problem.part)));
        let start = url.len() as u32 + 1;
        Standard::Whatwg.judge_fragment(fragment.as_bytes(), |problem| {
            apart.push((problem.kind, Part::at(start).within(problem.part)));
        });
        expected.sort_unstable();
        apart.sort_unstable();
        prop_assert_eq!(apart, expected);
    }
}
