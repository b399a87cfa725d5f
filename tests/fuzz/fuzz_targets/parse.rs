//! Judging never panics, keeps to the URL's bounds, and says the same in all its ways.

#![no_main]

use libfuzzer_sys::fuzz_target;
use urlint::standard::rfc1738::{is_valid, parse};

fuzz_target!(|url: &[u8]| {
    let parsed = parse(url);
    assert_eq!(is_valid(url), parsed.is_valid());
    for problem in &parsed.problems {
        let range = problem.part.range();
        assert!(range.start <= range.end && range.end <= url.len());
    }
    for (_, part) in parsed.components.named_parts() {
        let range = part.unwrap_or_default().range();
        assert!(range.start <= range.end && range.end <= url.len());
    }
});
