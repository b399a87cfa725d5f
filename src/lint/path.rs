//! Rules about paths.

use super::diagnostic::Applicability;
use super::finding::{Report, Sentence};
use super::rule::{Rule, Severity};
use super::url::Url;
use crate::standard::Part;
use crate::standard::rfc1738::Predefined;
use crate::url::escape::is_dot_segment;

/// The path of a URL that names a host, without the slash before it.
fn path(url: &Url<'_>) -> Option<Part> {
    if url.predefined.is_some() {
        return url.components.path;
    }
    url.split.authority?;
    let path = url.split.path;
    url.slice(path).starts_with(b"/").then(|| path.skip(1))
}

/// `.` or `..`, encoded or not.
pub(super) fn dot_segments(url: &Url<'_>, report: &mut Report<'_>) {
    let Some(path) = path(url) else { return };
    let mut start = path.start;
    for segment in url.slice(path).split(|&byte| byte == b'/') {
        if !report.wants(Rule::DotSegments) {
            break;
        }
        let part = Part {
            start,
            end: start + segment.len() as u32,
        };
        start = part.end + 1;
        if is_dot_segment(segment) {
            let message = Sentence::about(
                format!("the segment {}", url.quoted(part)),
                "is a name by RFC 1738 and removed by RFC 3986",
                "are names by RFC 1738 and removed by RFC 3986",
            );
            report.add(url.finding(Rule::DotSegments, part, message).label("dots"));
        }
    }
}

/// A `?` where section 5 sees a character of a name.
pub(super) fn question(url: &Url<'_>, report: &mut Report<'_>) {
    let (Some(Predefined::Ftp | Predefined::File), Some(path)) =
        (url.predefined, url.components.path)
    else {
        return;
    };
    if let Some(at) = path.find(url.text, b'?') {
        let mark = Part::at(at).before(at + 1);
        let message = "`?` belongs to the path by RFC 1738, and begins a query by RFC 3986";
        report.add(
            url.finding(Rule::QuestionInPath, mark, message)
                .label("path or query?"),
        );
    }
}

/// The typecode of ftp, if it is not one of RFC 1738, section 3.2.2.
pub(super) fn typecode(url: &Url<'_>, report: &mut Report<'_>) {
    const MARK: &[u8] = b";type=";
    let path = url.split.path;
    let text = url.slice(path);
    let at = memchr::memmem::rfind(text, MARK).filter(|_| url.predefined == Some(Predefined::Ftp));
    let Some(at) = at else { return };
    let code = path.skip((at + MARK.len()) as u32);
    if matches!(url.slice(code), [b'a' | b'i' | b'd' | b'A' | b'I' | b'D']) {
        return;
    }
    let message = format!("the typecode {} is not `a`, `i` or `d`", url.quoted(code));
    report.add(
        url.finding(Rule::BadTypecode, code, message)
            .severity(Severity::Warning)
            .label("unknown typecode"),
    );
}

/// Nothing after the host.
pub(super) fn http_empty(url: &Url<'_>, report: &mut Report<'_>) {
    let empty = url.scheme_facts().is_some_and(|scheme| scheme.is_rooted)
        && url.split.rest() == Part::at(url.split.path.end)
        && !url.host().is_empty();
    if empty {
        let end = Part::at(url.split.path.end);
        // `http://www.` is how URLs begin, and a text may speak of it.
        let host = url.host();
        let is_name = host.contains(&b'.') || host.eq_ignore_ascii_case(b"localhost");
        let is_special = url.scheme_facts().is_some_and(|scheme| scheme.is_special);
        let applicability = if is_name && is_special && url.is_wrapped() {
            Applicability::Safe
        } else if is_name {
            // Text may speak of an origin, which has no slash.
            Applicability::Unsafe
        } else {
            Applicability::DisplayOnly
        };
        let fix = url.fix("add the slash", applicability, &[(end, "/")]);
        report.add(
            url.finding(Rule::HttpEmptyPath, end, "the URL ends with its host")
                .label("`/` goes here")
                .fix(fix),
        );
    }
}
