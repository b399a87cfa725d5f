//! Rules about paths.

use super::diagnostic::Applicability;
use super::rule::Rule;
use crate::standard::rfc1738::{Components, Part};
use crate::url::schemes::lookup;

use super::finding::Report;
use super::url::Url;

/// The path of a URL that names a host, without the slash before it.
fn path(url: &Url<'_>) -> Option<Part> {
    match &url.parsed.components {
        Components::Ftp { path, .. }
        | Components::File { path, .. }
        | Components::Http { path, .. } => path.clone(),
        Components::Other { .. } if url.authority.is_some() => {
            let rest = url.slice(&url.rest);
            rest.strip_prefix(b"/")?;
            let end = memchr::memchr(b'?', rest).unwrap_or(rest.len());
            Some(url.rest.start + 1..url.rest.start + end)
        }
        _ => None,
    }
}

/// `.` or `..`, encoded or not.
pub(super) fn dot_segments(url: &Url<'_>, report: &mut Report<'_>) {
    let Some(path) = path(url) else { return };
    let mut start = path.start;
    for segment in url.slice(&path).split(|&byte| byte == b'/') {
        if !report.wants(Rule::DotSegments) {
            break;
        }
        let range = start..start + segment.len();
        start = range.end + 1;
        if is_dots(segment) {
            let message = format!(
                "the segment {} is a name by RFC 1738 and removed by RFC 3986",
                url.quoted(&range)
            );
            report.add(url.finding(Rule::DotSegments, range, message).label("dots"));
        }
    }
}

/// Whether a segment is `.` or `..`, encoded or not.
pub(super) fn is_dots(segment: &[u8]) -> bool {
    let mut rest = segment;
    let mut dots = 0;
    while !rest.is_empty() {
        rest = match rest {
            [b'.', rest @ ..] | [b'%', b'2', b'E' | b'e', rest @ ..] => rest,
            _ => return false,
        };
        dots += 1;
    }
    dots == 1 || dots == 2
}

/// A `?` where section 5 sees a character of a name.
pub(super) fn question(url: &Url<'_>, report: &mut Report<'_>) {
    let (Components::Ftp {
        path: Some(path), ..
    }
    | Components::File {
        path: Some(path), ..
    }) = &url.parsed.components
    else {
        return;
    };
    if let Some(at) = memchr::memchr(b'?', url.slice(path)) {
        let range = path.start + at..path.start + at + 1;
        let message = "`?` belongs to the path by RFC 1738, and begins a query by RFC 3986";
        report.add(
            url.finding(Rule::QuestionInPath, range, message)
                .label("path or query?"),
        );
    }
}

/// Nothing behind the host.
pub(super) fn http_empty(url: &Url<'_>, report: &mut Report<'_>) {
    let rooted = lookup(url.scheme().as_bytes()).is_some_and(|scheme| scheme.is_rooted);
    let empty = rooted && url.rest.is_empty() && !url.host().is_empty();
    if empty {
        let end = url.text.len()..url.text.len();
        // `http://www.` is what a URL begins with, and may be talked about.
        let host = url.host();
        let applicability = match host.contains(&b'.') || host.eq_ignore_ascii_case(b"localhost") {
            true => Applicability::Safe,
            false => Applicability::Display,
        };
        let fix = url.fix("add the slash", applicability, &[(end.clone(), "/")]);
        report.add(
            url.finding(Rule::HttpEmptyPath, end, "the URL ends with its host")
                .label("`/` goes here")
                .fix(fix),
        );
    }
}
