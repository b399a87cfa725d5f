//! Shortened URLs: the text of a link, where the target of the link is the whole URL.

use memchr::memmem::find;
use urlint_find::{Candidate, Delimiter};

/// The signs in place of the rest of a URL.
const ELLIPSES: [&str; 6] = ["…", "...", "[…]", "[...]", "(…)", "(...)"];

/// Returns the part of `candidate` before an ellipsis, which is in it or in the text `after` it.
pub(super) fn beginning<'c>(candidate: &'c Candidate<'_>, after: &[u8]) -> Option<&'c [u8]> {
    let text = &candidate.text[..];
    if candidate.delimiter == Delimiter::Target {
        return None;
    }
    let after = after.strip_prefix(b" ").unwrap_or(after);
    let follows = || {
        ELLIPSES
            .iter()
            .any(|sign| after.starts_with(sign.as_bytes()))
    };
    match find(text, b"...") {
        Some(at) => Some(&text[..at]),
        None => follows().then_some(text),
    }
}

/// Returns whether the URL `target` is more than its `beginning`, whatever the schemes are.
pub(super) fn goes_on(target: &Candidate<'_>, beginning: &[u8]) -> bool {
    let rest = |url| find(url, b"://").map_or(url, |colon| &url[colon + 3..]);
    let (whole, beginning) = (rest(&target.text), rest(beginning));
    target.delimiter == Delimiter::Target
        && !beginning.is_empty()
        && whole.len() > beginning.len()
        && whole.starts_with(beginning)
}
