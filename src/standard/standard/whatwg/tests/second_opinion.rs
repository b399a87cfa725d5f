//! Compares with the crate `url`, which follows an older text of the standard.

use std::cell::RefCell;

use proptest::prelude::*;
use url::{SyntaxViolation, Url};

use super::properties::anything;
use crate::standard::whatwg::{Parsed, href, parse};
use urlint_testing::tries;

/// Known differences of crate `url` 2.5.8 from the standard.
fn is_known_to_differ(parsed: &Parsed<'_>, url: &str) -> bool {
    let components = &parsed.components;
    let text = |part: Option<crate::standard::Part>| part.unwrap_or_default().of(parsed.url);
    let path = text(components.path);
    let host = text(components.host).to_ascii_lowercase();
    let scheme = text(components.scheme);
    // File URLs with several slashes, or with the letter of a drive.
    scheme.eq_ignore_ascii_case(b"file")
        // The letter of a drive, which `..` removes unless the scheme is `file`.
        || path.split(|byte| b"/\\".contains(byte)).any(|segment| matches!(segment, [b'A'..=b'Z' | b'a'..=b'z', b'|' | b':']))
        // Not encoded in a path.
        || path.contains(&b'^')
        // Rejected if IDNA rejects them, even in an ASCII name.
        || host.windows(4).any(|four| four == b"xn--")
        || memchr::memmem::find(&host, b"%").is_some()
        // Spaces at the end of an opaque path.
        || path.ends_with(b" ") && components.host.is_none()
        // Credentials without a host at the very end of a URL.
        || components.user.is_some() && host.is_empty()
        // A port ends at it in any scheme.
        || memchr::memchr(b'\\', text(components.port)).is_some()
        || url.contains(['\t', '\n', '\r'])
}

/// Returns the URL's serialization by the crate `url`, and whether the crate objects to anything
/// other than its host.
fn is_refused(url: &str) -> Option<(String, bool)> {
    let refused = RefCell::new(false);
    let note = |violation: SyntaxViolation| {
        *refused.borrow_mut() |= violation != SyntaxViolation::FileWithHostAndWindowsDrive;
    };
    let options = Url::options().syntax_violation_callback(Some(&note));
    let parsed = options.parse(url).ok()?;
    Some((parsed.into(), refused.into_inner()))
}

proptest! {
    #![proptest_config(tries(100_000))]

    #[test]
    fn crate_url_makes_the_same_of_urls(url in anything()) {
        let url = String::from_utf8_lossy(&url);
        let parsed = parse(url.as_bytes());
        if is_known_to_differ(&parsed, &url) {
            return Ok(());
        }
        let theirs = is_refused(&url);
        prop_assert_eq!(href(url.as_bytes()), theirs.as_ref().map(|(href, _)| href.clone()), "{:?}", url);
        if let Some((_, true)) = theirs {
            prop_assert!(!parsed.is_valid(), "{:?}", url);
        }
    }
}
