//! Tests the problems of URLs and their places, the components of valid ones, and properties of all
//! URLs.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::{ProblemKind, Standard, is_valid, judge, parse};
use crate::standard::testing::{Case, NamedProblem, cases, named};
use urlint_testing::tries;

/// URLs, each followed by its problems.
const CASES: &str = include_str!("tests/problems.txt");

/// URLs that cannot be shown in a table, with their problems.
const UNPRINTABLE: &[Case] = &[
    (b"", &[("no-scheme", 0..0)]),
    (b"http://h/a\tb", &[("control-character", 10..11)]),
    (
        b"http://h/a\0\x7f",
        &[("control-character", 10..11), ("control-character", 11..12)],
    ),
    (
        b"http://h/a\r\n",
        &[("control-character", 10..11), ("control-character", 11..12)],
    ),
    (
        "http://h/é€😀".as_bytes(),
        &[
            ("non-ascii", 9..11),
            ("non-ascii", 11..14),
            ("non-ascii", 14..18),
        ],
    ),
    (
        b"http://h/\xE9t\xE9",
        &[("non-ascii", 9..10), ("non-ascii", 11..12)],
    ),
    (
        b"http://h/\xE2\x82",
        &[("non-ascii", 9..10), ("non-ascii", 10..11)],
    ),
    ("http://é.example/".as_bytes(), &[("non-ascii", 7..9)]),
    (
        "http://h:８０/".as_bytes(),
        &[("non-ascii", 9..12), ("non-ascii", 12..15)],
    ),
    ("é:x".as_bytes(), &[("bad-scheme", 0..2)]),
    ("news:é".as_bytes(), &[("non-ascii", 5..7)]),
    (b"ftp://h/a;type=\xFF", &[("non-ascii", 15..16)]),
    (b" http://h/", &[("bad-scheme", 0..1)]),
    (b"http://h/ ", &[("raw-space", 9..10)]),
];

/// Valid URLs and their components; an absent part is not shown, an empty one has nothing after
/// `=`.
const COMPONENTS: &[(&str, &str)] = &[
    ("http://a.example", "host=a.example"),
    ("http://a.example/", "host=a.example path="),
    (
        "http://a.example:80/a/b;c=d?e;f:g@h&i=j",
        "host=a.example port=80 path=a/b;c=d search=e;f:g@h&i=j",
    ),
    ("http://1.2.3.4/?", "host=1.2.3.4 path= search="),
    ("ftp://h", "host=h"),
    ("ftp://h/", "host=h path="),
    (
        "ftp://u:p@h:21/a/b;type=i",
        "user=u password=p host=h port=21 path=a/b typecode=i",
    ),
    ("ftp://@h/", "user= host=h path="),
    ("ftp://:@h//etc", "user= password= host=h path=/etc"),
    (
        "ftp://u?;&=:p@h/a?b:c@d&e=f",
        "user=u?;&= password=p host=h path=a?b:c@d&e=f",
    ),
    ("file:///x", "host= path=x"),
    ("file://localhost/a?b", "host=localhost path=a?b"),
    ("file://a.example/", "host=a.example path="),
    ("gopher://h", "host=h"),
    ("gopher://h/", "host=h"),
    ("gopher://h/1", "host=h gtype=1 selector="),
    ("gopher://h/%31a", "host=h gtype=%31 selector=a"),
    (
        "gopher://h/7sel%09se/ar?ch%09+%09str",
        "host=h gtype=7 selector=sel search=se/ar?ch gopher_plus=+%09str",
    ),
    (
        "gopher://h/7%09%09",
        "host=h gtype=7 selector= search= gopher_plus=",
    ),
    ("mailto:a@b.example", "addr=a@b.example"),
    ("mailto:?subject=x", "addr=?subject=x"),
    ("news:*", "group=*"),
    ("news:comp.lang.c++", "group=comp.lang.c++"),
    ("news:a/b?c@d.example", "article=a/b?c host=d.example"),
    ("news://h/a@b", "article=//h/a host=b"),
    (
        "nntp://h:119/comp.risks/12",
        "host=h port=119 group=comp.risks article=12",
    ),
    ("nntp://h/a", "host=h group=a"),
    ("telnet://u:p@h:23/", "user=u password=p host=h port=23"),
    ("telnet://h", "host=h"),
    ("wais://h/", "host=h database="),
    ("wais://h/d?", "host=h database=d search="),
    ("wais://h/d?s;t", "host=h database=d search=s;t"),
    ("wais://h/d/t/p", "host=h database=d wtype=t wpath=p"),
    ("wais://h/d//", "host=h database=d wtype= wpath="),
    ("prospero://h/", "host=h hsoname="),
    (
        "prospero://h:1525/a//b?c;d=e;=;f=",
        "host=h port=1525 hsoname=a//b?c fieldname=d fieldvalue=e fieldname= fieldvalue= fieldname=f fieldvalue=",
    ),
    ("about:", "schemepart="),
    ("3COM:x", "schemepart=x"),
    ("x-y://u@h:port/", "schemepart=//u@h:port/"),
    ("HTTP://A/", "host=A path="),
    ("ftp://a/b@h/", "host=a path=b@h/"),
    (
        "prospero://h/a;=;=",
        "host=h hsoname=a fieldname= fieldvalue= fieldname= fieldvalue=",
    ),
    (
        "gopher://h/1/a?b%09c?d/e%09+%09f",
        "host=h gtype=1 selector=/a?b search=c?d/e gopher_plus=+%09f",
    ),
];

fn problems(url: &[u8]) -> Vec<NamedProblem> {
    named(parse(url).problems)
}

#[test]
fn problems_and_their_places() {
    for (url, expected) in cases(CASES) {
        assert_eq!(problems(url.as_bytes()), expected, "{url}");
    }
    for (url, expected) in UNPRINTABLE {
        assert_eq!(problems(url), *expected, "{}", url.escape_ascii());
    }
}

#[test]
fn the_table_has_every_kind_of_problem() {
    let printable = cases(CASES).into_iter().flat_map(|(_, problems)| problems);
    let unprintable = UNPRINTABLE
        .iter()
        .flat_map(|(_, problems)| problems.iter().cloned());
    let kinds: BTreeSet<_> = printable.chain(unprintable).map(|(kind, _)| kind).collect();
    let all = ProblemKind::ALL.iter();
    let known = all.filter(|kind| Standard::Rfc1738.reference(**kind).is_some());
    assert_eq!(kinds.len(), known.count(), "{kinds:?}");
}

#[test]
fn valid_urls_are_taken_apart() {
    for (url, expected) in COMPONENTS {
        let parsed = parse(url.as_bytes());
        assert_eq!(problems(url.as_bytes()), [], "{url}");
        let found: Vec<_> = parsed
            .named_parts()
            .into_iter()
            .filter_map(|(name, part)| Some(format!("{name}={}", &url[part?.range()])))
            .collect();
        assert_eq!(found.join(" "), *expected, "{url}");
    }
}

/// A scheme, and anything after it: bytes with a meaning more often than others.
fn anything() -> impl Strategy<Value = Vec<u8>> {
    let scheme = prop::sample::select(vec![
        "",
        "http://",
        "ftp://",
        "file://",
        "gopher://h/",
        "mailto:",
        "news:",
        "nntp://h/",
        "telnet://",
        "wais://h/",
        "prospero://h/",
        "x:",
        "http://u@",
        "ftp://h/;type=",
    ]);
    let byte = prop_oneof![
        4 => prop::sample::select(b";/?:@&=#%~[]<>.-_*aZ09 \t\0".to_vec()),
        1 => any::<u8>(),
    ];
    (scheme, prop::collection::vec(byte, 0..40))
        .prop_map(|(scheme, rest)| [scheme.as_bytes(), &rest].concat())
}

fn is_about_a_character(kind: ProblemKind) -> bool {
    kind <= ProblemKind::MisplacedCharacter || kind == ProblemKind::BadScheme
}

proptest! {
    #![proptest_config(tries(100_000))]

    #[test]
    fn problems_are_in_order_and_within_the_url(url in anything()) {
        let parsed = parse(&url);
        prop_assert_eq!(is_valid(&url), parsed.problems.is_empty());
        let mut last = (0, 0);
        let mut character_end = 0;
        for problem in &parsed.problems {
            let range = problem.part.range();
            prop_assert!(range.start <= range.end && range.end <= url.len());
            prop_assert!((range.start, range.end) >= last);
            last = (range.start, range.end);
            if is_about_a_character(problem.kind) {
                prop_assert!(!range.is_empty() && range.start >= character_end, "{:?}", parsed.problems);
                character_end = range.end;
            }
        }
    }

    #[test]
    fn judge_and_parse_tell_the_same(url in anything()) {
        let mut met = Vec::new();
        let components = judge(&url, |problem| met.push(problem));
        let parsed = parse(&url);
        prop_assert_eq!(&components, &parsed.components);
        met.sort_by_key(|problem| problem.part);
        prop_assert_eq!(&met, &parsed.problems);
        let unique: std::collections::HashSet<_> = met.iter().collect();
        prop_assert_eq!(unique.len(), met.len(), "a problem is reported twice");
    }

    #[test]
    fn components_are_in_order_and_disjoint(url in anything()) {
        let parsed = parse(&url);
        let mut end = 0;
        for part in parsed.named_parts().into_iter().filter_map(|(_, part)| part) {
            prop_assert!(part.start >= end && part.end >= part.start && part.end as usize <= url.len());
            end = part.end;
        }
    }
}
