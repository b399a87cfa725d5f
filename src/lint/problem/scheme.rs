//! The scheme, and the slashes after it.

use super::case::Case;
use crate::diagnostic::Applicability::{DisplayOnly, Safe, Unsafe};
use crate::diagnostic::Fix;
use crate::finding::Finding;
use urlint_find::Delimiter;
use urlint_standard::standard::Part;
use urlint_standard::standard::rfc1738::Predefined;
use urlint_standard::url::schemes::{MAX_KNOWN, lookup_known};

pub(super) fn missing(case: &Case<'_>) -> Finding {
    let finding = if let Some(scheme) = before_slashes(case) {
        let message = format!("`:` is missing after {}", case.url.quoted(scheme));
        case.finding(message, "no scheme")
    } else if case.url.text.contains(&b'@') {
        let message = "`mailto:` is missing before the mail address";
        case.finding(message, "a scheme is missing")
    } else {
        case.finding("the URL has no scheme", "a scheme is missing")
    };
    finding.fix(insert_colon(case))
}

/// Returns the name of a scheme that is followed by slashes without a colon: `http//host`.
fn before_slashes(case: &Case<'_>) -> Option<Part> {
    let text = case.url.text;
    let mut head = text.iter().take(MAX_KNOWN + 1);
    let (name, rest) = text.split_at(head.position(|&byte| byte == b'/')?);
    let is_scheme = rest.starts_with(b"//") && lookup_known(name).is_some();
    is_scheme.then(|| Part::new(0, name.len()))
}

/// Inserts the colon that is missing after the scheme.
pub(super) fn insert_colon(case: &Case<'_>) -> Option<Fix> {
    let scheme = before_slashes(case)?;
    let is_there = case.part.start == 0 || case.part.start == scheme.end;
    let end = is_there.then_some(Part::at(scheme.end))?;
    case.url.fix("insert the colon", DisplayOnly, end, ":")
}

pub(super) fn missing_slashes(case: &Case<'_>) -> Finding {
    let (url, rest) = (case.url, case.url.after(case.part));
    let is_file = url.predefined == Some(Predefined::File);
    // What is missing, too, if nothing that follows can be it.
    let more = match rest {
        [] if is_file => Some("a path"),
        [] | [b'/'] if !is_file => Some("a host"),
        _ => None,
    };
    let scheme = url.scheme();
    // Browsers miss the slashes first.
    let message = match more.filter(|_| !case.is_whatwg()) {
        Some(more) => format!("`//` and {more} are missing after `{scheme}:`"),
        None => format!("`//` is missing after `{scheme}:`"),
    };
    let finding = case.finding(message, "`//` is missing here");
    // RFC 8089, appendix B.
    let is_allowed = case.is_rfc1738() && is_file && rest.starts_with(b"/");
    let finding = finding.hint_if(is_allowed);
    if case.is_whatwg() {
        return finding.fix(write_slashes(case, is_file));
    }
    let (slashes, applicability) = match rest {
        // Slashes alone would not make it a URL.
        _ if more.is_some() => return finding,
        // `file:/x` has an empty host (RFC 8089).
        _ if is_file => ("//", DisplayOnly),
        [b'/', ..] => ("/", Unsafe),
        // `http:x` may be intended as relative.
        _ => ("//", DisplayOnly),
    };
    finding.fix(case.fix("insert the slashes", applicability, slashes))
}

/// Writes the slashes before the authority as browsers read them. A file URL gets an empty authority.
fn write_slashes(case: &Case<'_>, is_file: bool) -> Option<Fix> {
    let rest = case.url.after(case.part);
    if rest.is_empty() && !is_file {
        return None;
    }
    let slashes = match rest {
        // The slash of the path, and the slashes before it.
        [b'/' | b'\\', ..] if is_file && case.part.is_empty() => "//",
        _ if is_file => "///",
        _ => "//",
    };
    // In a page with the same scheme it is relative, and `http:x` may be intended so elsewhere.
    let is_relative = case.part.is_empty() && !is_file;
    let applicability = match (case.url.is_wrapped(), is_relative) {
        _ if case.url.candidate.delimiter == Delimiter::Target => DisplayOnly,
        (true, false) => Safe,
        (false, true) => DisplayOnly,
        _ => Unsafe,
    };
    case.fix("write the slashes", applicability, slashes)
}

/// Drops slashes that are too many, as browsers do.
pub(super) fn drop_slashes(case: &Case<'_>) -> Option<Fix> {
    (case.is_whatwg()).then(|| case.fix("drop it", Safe, ""))?
}
