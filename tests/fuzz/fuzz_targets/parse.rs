//! Judging never panics, keeps to the URL's bounds, and says the same in all its ways.

#![no_main]

use libfuzzer_sys::fuzz_target;
use urlint::rfc1738::{is_valid, parse};

fuzz_target!(|url: &[u8]| {
    let parsed = parse(url);
    assert_eq!(is_valid(url), parsed.is_valid());
    for problem in &parsed.problems {
        assert!(problem.range.start <= problem.range.end && problem.range.end <= url.len());
    }
    for (_, part) in parsed.named_parts() {
        assert!(part.is_none_or(|part| part.start <= part.end && part.end <= url.len()));
    }
});
