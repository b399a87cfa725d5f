//! Tests the problems of URLs and their places, the components of valid ones, and properties of all
//! URLs.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::{
    HostKind, Part, Predefined, Problem, ProblemKind, Repertoire, is_valid, judge, judge_fragment,
    parse, zone_id,
};
use crate::standard::Standard;
use crate::standard::testing::{Case, NamedProblem, cases, named};
use urlint_testing::tries;

/// URLs, each followed by its problems.
const CASES: &str = include_str!("tests/problems.txt");

/// URLs that cannot be shown in a table, with their problems.
const UNPRINTABLE: &[Case] = &[
    (b"", &[("no-scheme", 0..0)]),
    (b" x:", &[("bad-scheme", 0..1)]),
    (b"x: ", &[("raw-space", 2..3)]),
    (
        b"x:a\t\0\x7f\r\n",
        &[
            ("control-character", 3..4),
            ("control-character", 4..5),
            ("control-character", 5..6),
            ("control-character", 6..7),
            ("control-character", 7..8),
        ],
    ),
    (
        "x:é?€#😀".as_bytes(),
        &[
            ("non-ascii", 2..4),
            ("non-ascii", 5..8),
            ("non-ascii", 9..13),
        ],
    ),
    (
        b"x:\xE9t\xE2\x82",
        &[
            ("non-ascii", 2..3),
            ("non-ascii", 4..5),
            ("non-ascii", 5..6),
        ],
    ),
    (
        "http://é@ü:８/".as_bytes(),
        &[
            ("non-ascii", 7..9),
            ("non-ascii", 10..12),
            ("non-ascii", 13..16),
        ],
    ),
    ("x://[é]/".as_bytes(), &[("bad-ip-literal", 4..8)]),
    ("é:x".as_bytes(), &[("bad-scheme", 0..2)]),
    ("mailto:é@b".as_bytes(), &[("non-ascii", 7..9)]),
];

/// IRIs, each with its problems.
const IRIS: &[(&str, &[NamedProblem])] = &[
    ("http://é@ü.example/é?\u{E000}#é", &[]),
    ("mailto:é@ü?é=\u{E000}", &[]),
    ("urn:ab:é?+\u{E000}", &[]),
    ("nntp://é/é", &[]),
    ("news:é.*", &[]),
    (
        "x:\u{A0}\u{D7FF}\u{F900}\u{FDF0}\u{FFEF}\u{10000}\u{1FFFD}\u{E1000}\u{EFFFD}",
        &[],
    ),
    ("x:?\u{F8FF}\u{F0000}\u{10FFFD}", &[]),
    ("x:\u{9F}", &[("non-ascii", 2..4)]),
    (
        "x:\u{FDD0}\u{FFF0}",
        &[("non-ascii", 2..5), ("non-ascii", 5..8)],
    ),
    (
        "x:\u{1FFFE}\u{E0FFF}",
        &[("non-ascii", 2..6), ("non-ascii", 6..10)],
    ),
    (
        "x:\u{E000}#\u{E000}",
        &[("non-ascii", 2..5), ("non-ascii", 6..9)],
    ),
    (
        "x:?\u{FFFFE}\u{10FFFF}",
        &[("non-ascii", 3..7), ("non-ascii", 7..11)],
    ),
    (
        "é:é\u{E000}\u{FFFF}",
        &[("bad-scheme", 0..2), ("non-ascii", 8..11)],
    ),
    ("x://[é]", &[("bad-ip-literal", 4..8)]),
    ("x://[::1]é", &[("bad-host", 9..11)]),
    ("x://h:８/", &[("non-ascii", 6..9)]),
    (
        "file://h:８/",
        &[("port-not-allowed", 8..12), ("non-ascii", 9..12)],
    ),
    ("urn:é:x", &[("non-ascii", 4..6)]),
    ("news:é@b", &[("non-ascii", 5..7)]),
    ("nntp://h/a/é", &[("non-ascii", 11..13)]),
    ("mailto:a@é.", &[("mailto-addr-spec", 7..12)]),
];

/// Valid URLs and their components; an absent part is not shown, an empty one has nothing after
/// `=`.
const COMPONENTS: &[(&str, &str)] = &[
    ("x:", "scheme=x path="),
    ("x:a/b:c@d", "scheme=x path=a/b:c@d"),
    ("x:?#", "scheme=x path= query= fragment="),
    ("x://", "scheme=x host= path="),
    ("x://@:", "scheme=x userinfo= host= port= path="),
    ("x:///a", "scheme=x host= path=/a"),
    (
        "X://u:p:q@h:8//a",
        "scheme=X userinfo=u:p:q host=h port=8 path=//a",
    ),
    (
        "x://[::1]:8?a/?b#c/?d",
        "scheme=x host=[::1] port=8 path= query=a/?b fragment=c/?d",
    ),
    ("http://a.example", "scheme=http host=a.example path="),
    ("http://a.example/", "scheme=http host=a.example path=/"),
    (
        "https://a.example:/b",
        "scheme=https host=a.example port= path=/b",
    ),
    (
        "https://a.example:443/b/c?d=e",
        "scheme=https host=a.example port=443 path=/b/c query=d=e",
    ),
    (
        "http://a_b.example?c#d",
        "scheme=http host=a_b.example path= query=c fragment=d",
    ),
    (
        "ftp://u@1.2.3.4/a;type=i",
        "scheme=ftp userinfo=u host=1.2.3.4 path=/a;type=i",
    ),
    ("file:/a#b", "scheme=file path=/a fragment=b"),
    ("file:///a", "scheme=file host= path=/a"),
    ("telnet://h/", "scheme=telnet host=h path=/"),
    ("nntp://h/a/1", "scheme=nntp host=h path=/a/1"),
    ("news:a@b#c", "scheme=news path=a@b fragment=c"),
    ("news://h/*", "scheme=news host=h path=/*"),
    (
        "mailto:a@b,c@d?e=f&g=h",
        "scheme=mailto path=a@b,c@d query=e=f&g=h",
    ),
    (
        "urn:ab:c:d?+e?=f#g",
        "scheme=urn path=ab:c:d query=+e?=f fragment=g",
    ),
];

fn problems(url: &[u8]) -> Vec<NamedProblem> {
    named(parse(url).problems)
}

#[test]
fn problems_and_their_places() {
    for (url, expected) in cases(CASES) {
        assert_eq!(problems(url.as_bytes()), expected, "{url}");
        assert_eq!(
            named(Standard::Rfc3987.parse(url.as_bytes()).problems),
            expected,
            "{url}"
        );
    }
    for (url, expected) in UNPRINTABLE {
        assert_eq!(problems(url), *expected, "{}", url.escape_ascii());
    }
}

#[test]
fn problems_of_iris() {
    for (iri, expected) in IRIS {
        assert_eq!(
            named(Standard::Rfc3987.parse(iri.as_bytes()).problems),
            *expected,
            "{iri}"
        );
        assert!(!is_valid(iri.as_bytes()), "{iri}");
    }
}

#[test]
fn the_table_has_every_kind_of_problem_that_there_is_here() {
    let printable = cases(CASES).into_iter().flat_map(|(_, problems)| problems);
    let unprintable = UNPRINTABLE
        .iter()
        .flat_map(|(_, problems)| problems.iter().cloned());
    let kinds: BTreeSet<_> = printable.chain(unprintable).map(|(kind, _)| kind).collect();
    let all = ProblemKind::ALL.iter();
    let expected: BTreeSet<_> = all
        .filter(|kind| Standard::Rfc3986.reference(**kind).is_some())
        .map(|kind| kind.name())
        .collect();
    assert_eq!(kinds, expected);
}

#[test]
fn valid_urls_are_taken_apart() {
    for (url, expected) in COMPONENTS {
        let parsed = parse(url.as_bytes());
        assert_eq!(problems(url.as_bytes()), [], "{url}");
        let parts = parsed.named_parts().into_iter();
        let found: Vec<_> = parts
            .filter_map(|(name, part)| Some(format!("{name}={}", &url[part?.range()])))
            .collect();
        assert_eq!(found.join(" "), *expected, "{url}");
    }
}

#[test]
fn hosts_have_a_kind() {
    let cases = [
        ("0.0.0.0", Some(HostKind::Ipv4)),
        ("255.249.199.99", Some(HostKind::Ipv4)),
        ("256.0.0.0", Some(HostKind::RegName)),
        ("01.2.3.4", Some(HostKind::RegName)),
        ("1.2.3", Some(HostKind::RegName)),
        ("1.2.3.4.", Some(HostKind::RegName)),
        ("", Some(HostKind::RegName)),
        ("[::]", Some(HostKind::Ipv6)),
        ("[::1%25a]", Some(HostKind::Ipv6)),
        ("[V0.:]", Some(HostKind::IpvFuture)),
        ("[1]", None),
        ("[::1]a", None),
    ];
    for (host, kind) in cases {
        let url = format!("x://u@{host}:80/");
        assert_eq!(
            parse(url.as_bytes()).host().and_then(HostKind::of),
            kind,
            "{host}"
        );
    }
    let zone = |url: &'static str| {
        let parsed = parse(url.as_bytes());
        parsed.host().and_then(zone_id)
    };
    assert_eq!(zone("x://u@[fe80::1%25%65n]:8/"), Some(&b"%65n"[..]));
    assert_eq!(zone("x://[fe80::1%25]/"), None);
    assert_eq!(zone("x://[v1.a]/"), None);
}

#[test]
fn the_common_components() {
    let url = b"ftp://u:p:q@h:21/a?b#c";
    let found = Standard::Rfc3986.judge(url, |_| {});
    let text = |part: Option<Part>| str::from_utf8(part.unwrap().of(url)).unwrap();
    assert_eq!(text(found.scheme), "ftp");
    assert_eq!((text(found.user), text(found.password)), ("u", "p:q"));
    assert_eq!((text(found.host), text(found.port)), ("h", "21"));
    assert_eq!((text(found.path), text(found.query)), ("/a", "b"));
    assert_eq!(text(found.fragment), "c");
    let found = Standard::Rfc3987.judge("ws://u@é#".as_bytes(), |_| {});
    assert_eq!((found.user, found.password), (Some(Part::new(5, 6)), None));
    assert_eq!(found.fragment, Some(Part::new(10, 10)));
}

#[test]
fn schemes_are_known_in_any_case() {
    for name in [
        "http", "https", "ws", "wss", "ftp", "telnet", "gopher", "file", "nntp", "news", "mailto",
        "urn",
    ] {
        let found = Predefined::of(name.to_ascii_uppercase().as_bytes());
        assert_eq!(found.unwrap().name(), name);
        let url = format!("{}:a@b", name.to_ascii_uppercase());
        assert_eq!(parse(url.as_bytes()).scheme().as_deref(), Some(name));
    }
    assert_eq!(Predefined::of(b"x"), None);
    assert_eq!(parse(b"://").scheme(), None);
}

/// A scheme, and anything after it: bytes with a meaning more often than others.
fn anything() -> impl Strategy<Value = Vec<u8>> {
    let start = prop::sample::select(vec![
        "",
        "http://",
        "https://h/",
        "ws://",
        "ftp://",
        "file:",
        "file://",
        "gopher://h/",
        "mailto:",
        "mailto:a@b?",
        "news:",
        "nntp://h/",
        "telnet://",
        "urn:",
        "urn:ab:",
        "x:",
        "x://[",
    ]);
    let token = prop_oneof![
        4 => prop::sample::select(b";/?:@&=#%~[]<>.-_*aZ09 \t\0,+".to_vec()).prop_map(|b| vec![b]),
        1 => any::<u8>().prop_map(|byte| vec![byte]),
        1 => any::<char>().prop_map(|character| character.to_string().into_bytes()),
    ];
    (start, prop::collection::vec(token, 0..40))
        .prop_map(|(start, rest)| [start.as_bytes(), &rest.concat()].concat())
}

fn is_about_a_character(kind: ProblemKind) -> bool {
    kind <= ProblemKind::MisplacedCharacter || kind == ProblemKind::BadScheme
}

proptest! {
    #![proptest_config(tries(100_000))]

    #[test]
    fn problems_are_in_order_and_within_the_url(url in anything()) {
        for parsed in [parse(&url), Standard::Rfc3987.parse(&url)] {
            let mut last = None;
            let mut character_end = 0;
            for problem in &parsed.problems {
                let range = problem.part.range();
                prop_assert!(range.start <= range.end && range.end <= url.len());
                let place = Some((problem.part, problem.kind));
                prop_assert!(last < place, "{:?}", parsed.problems);
                last = place;
                if is_about_a_character(problem.kind) {
                    prop_assert!(!range.is_empty() && range.start >= character_end, "{:?}", parsed.problems);
                    character_end = range.end;
                }
            }
        }
    }

    #[test]
    fn all_ways_to_judge_agree(url in anything()) {
        let mut met = Vec::new();
        let components = judge(&url, Repertoire::Uri, |problem| met.push(problem));
        let parsed = parse(&url);
        prop_assert_eq!(components, parsed.components);
        met.sort_by_key(|problem| (problem.part, problem.kind));
        prop_assert_eq!(&met, &parsed.problems);
        prop_assert_eq!(is_valid(&url), met.is_empty());
        let mut count = 0;
        prop_assert_eq!(components, judge(&url, Repertoire::Iri, |_| count += 1));
        prop_assert_eq!(Standard::Rfc3987.is_valid(&url), count == 0);
        prop_assert!(count <= met.len());
    }

    /// Judging a URL and its fragment separately may miss only that its scheme has no fragments.
    #[test]
    fn a_fragment_can_be_judged_apart(url in anything()) {
        let mut whole = Vec::new();
        let components = judge(&url, Repertoire::Uri, |problem| whole.push(problem));
        whole.retain(|problem| problem.kind != ProblemKind::FragmentNotAllowed);
        let Some(fragment) = components.fragment else { return Ok(()) };
        let mut apart = Vec::new();
        judge(&url[..fragment.range().start - 1], Repertoire::Uri, |problem| apart.push(problem));
        judge_fragment(fragment.of(&url), Repertoire::Uri, |problem| {
            let part = fragment.within(problem.part);
            apart.push(Problem { part, ..problem });
        });
        for problems in [&mut whole, &mut apart] {
            problems.sort_by_key(|problem| (problem.part, problem.kind));
        }
        prop_assert_eq!(whole, apart);
        let mut clean = true;
        judge_fragment(fragment.of(&url), Repertoire::Iri, |_| clean = false);
        prop_assert!(clean || !Standard::Rfc3987.is_valid(&url));
    }

    #[test]
    fn components_are_in_order_and_disjoint(url in anything()) {
        let mut end = 0;
        for part in parse(&url).named_parts().into_iter().filter_map(|(_, part)| part) {
            prop_assert!(part.start >= end && part.end >= part.start && part.end as usize <= url.len());
            end = part.end;
        }
    }
}
