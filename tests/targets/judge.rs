//! The judges: those of RFC 1738 and RFC 3986 agree with their grammars, and all of them stay
//! within the URL and return the same from all their functions.

use std::cell::RefCell;
use std::collections::HashSet;

use urlint::Standard;
use urlint::standard::{Part, rfc1738, rfc3986, whatwg};
use urlint::url::{Split, normalize_under};

use crate::oracle;

/// The maximum length of a URL that is checked against the grammars, in bytes: they take more time
/// than the judges.
const LONGEST: usize = 256;

thread_local! {
    // Reading a grammar takes longer than applying it.
    static RFC_1738: RefCell<oracle::Oracle> = RefCell::new(oracle::Oracle::new());
    static RFC_3986: RefCell<oracle::uri::Oracle> = RefCell::new(oracle::uri::Oracle::new());
}

/// The input is a URL.
pub(super) fn judge(url: &[u8]) {
    by_rfc1738(url);
    by_rfc3986(url);
    by_whatwg(url);
    for &standard in Standard::ALL {
        let mut is_clean = true;
        standard.judge(url, |problem| {
            is_clean = false;
            assert_inside(url, problem.part);
        });
        assert_eq!(standard.is_valid(url), is_clean, "{standard:?}");
        let normal = normalize_under(standard, url);
        assert_eq!(normalize_under(standard, &normal), normal, "{standard:?}");
        let split = Split::under(standard, url);
        let parts = [
            split.scheme,
            split.authority,
            split.userinfo,
            split.host,
            split.port,
        ];
        let parts = parts.into_iter().flatten();
        for part in parts
            .chain([split.path])
            .chain(split.query)
            .chain(split.fragment)
        {
            assert_inside(url, part);
        }
    }
}

#[track_caller]
fn assert_inside(url: &[u8], part: Part) {
    let range = part.range();
    assert!(
        range.start <= range.end && range.end <= url.len(),
        "{range:?}"
    );
}

fn by_rfc1738(url: &[u8]) {
    let parsed = rfc1738::parse(url);
    let is_valid = rfc1738::is_valid(url);
    assert_eq!(is_valid, parsed.is_valid());
    for (_, part) in parsed.named_parts() {
        assert_inside(url, part.unwrap_or_default());
    }
    if url.len() <= LONGEST {
        let expected = RFC_1738.with_borrow_mut(|oracle| oracle.accepts(url));
        assert_eq!(is_valid, expected, "RFC 1738");
    }
}

fn by_rfc3986(url: &[u8]) {
    let (uri, iri) = (rfc3986::parse(url), Standard::Rfc3987.parse(url));
    let (is_uri, is_iri) = (rfc3986::is_valid(url), Standard::Rfc3987.is_valid(url));
    assert_eq!((is_uri, is_iri), (uri.is_valid(), iri.is_valid()));
    assert_eq!(uri.components, iri.components);
    for (_, part) in uri.named_parts() {
        assert_inside(url, part.unwrap_or_default());
    }
    if url.len() <= LONGEST {
        let expected = RFC_3986.with_borrow_mut(|oracle| (oracle.is_uri(url), oracle.is_iri(url)));
        assert_eq!((is_uri, is_iri), expected, "RFC 3986");
    }
}

fn by_whatwg(url: &[u8]) {
    let parsed = whatwg::parse(url);
    assert_eq!(whatwg::is_valid(url), parsed.is_valid());
    assert!(parsed.parses() || !parsed.is_valid());
    let mut last = Part::at(0);
    for problem in &parsed.problems {
        assert_inside(url, problem.part);
        assert!(problem.part >= last);
        last = problem.part;
    }
    let problems = parsed.problems.iter();
    let unique: HashSet<_> = problems
        .map(|problem| (problem.kind, problem.part))
        .collect();
    assert_eq!(unique.len(), parsed.problems.len());
    let mut end = 0;
    for (name, part) in parsed.named_parts() {
        let Some(part) = part else { continue };
        assert!(part.start >= end && part.end >= part.start, "{name}");
        end = part.end;
    }
    assert!(end as usize <= url.len());
    let href = whatwg::href(url);
    assert_eq!(href.is_some(), parsed.parses());
    if let Some(href) = href {
        assert_eq!(whatwg::href(href.as_bytes()).as_deref(), Some(&*href));
    }
}
