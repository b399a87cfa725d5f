//! Rules about paths.

use super::finding::{Finding, Sentence};
use super::report::Report;
use super::rule::Rule;
use super::url::Url;
use urlint_standard::standard::rfc1738::Predefined;
use urlint_standard::standard::{Part, ProblemKind, Standard};
use urlint_standard::url::escape::is_dot_segment;

/// The path of a URL that names a host, without the slash before it.
fn path(url: &Url<'_>) -> Option<Part> {
    if url.standard == Standard::Rfc1738 && url.predefined.is_some() {
        return url.components.path;
    }
    let path = url.split.path;
    let is_after_host = url.split.authority.is_some() && url.slice(path).starts_with(b"/");
    is_after_host.then(|| path.skip(1))
}

/// Reports `.` or `..`, encoded or not.
pub(super) fn dot_segments(url: &Url<'_>, report: &mut Report<'_>) {
    let Some(path) = path(url) else { return };
    let may_have = |mark: &[u8]| memchr::memmem::find(url.text, mark).is_some();
    if !may_have(b"/.") && !may_have(b"%2") {
        return;
    }
    let predicate = match url.standard {
        Standard::Rfc1738 => "is|are a| name|names by RFC 1738 and removed by RFC 3986",
        Standard::Whatwg => "is|are removed by browsers",
        _ => "is|are removed before the URI is used",
    };
    let segments = url.parts_between(path, b'/');
    let segments = segments.filter(|&part| is_dot_segment(url.slice(part)));
    report.add_all(segments.map(|part| {
        let subject = format!("the segment {}", url.quoted(part));
        let message = Sentence::about(subject, predicate);
        url.finding(Rule::DotSegments, part, message, "dots")
    }));
}

/// Reports a `?` that is part of a name by RFC 1738, and begins a query by later standards; and one in ftp, which has no
/// query.
pub(super) fn question(url: &Url<'_>, report: &mut Report<'_>) {
    let is_rfc1738 = url.standard == Standard::Rfc1738;
    let query = url.split.query.map(|query| query.start - 1);
    let in_path = |path: Part| path.find(url.text, b'?');
    let (mark, message) = match url.predefined {
        Some(Predefined::Mailto) if is_rfc1738 => (
            query,
            "RFC 1738 reads `?` as part of the address; headers came with RFC 2368",
        ),
        Some(Predefined::Ftp | Predefined::File) if is_rfc1738 => (
            url.components.path.and_then(in_path),
            "`?` belongs to the path by RFC 1738, and begins a query by RFC 3986",
        ),
        Some(Predefined::Ftp) => (
            query,
            "`?` begins a query, which ftp does not have; in a name, write `%3F`",
        ),
        _ => return,
    };
    if let Some(at) = mark {
        let mark = Part::at(at).before(at + 1);
        report.add(url.finding(Rule::QuestionInPath, mark, message, "path or query?"));
    }
}

/// Reports a typecode of ftp that is not in RFC 1738, section 3.2.2.
pub(super) fn typecode(url: &Url<'_>, report: &mut Report<'_>) {
    const MARK: &[u8] = b";type=";
    let path = url.split.path;
    let is_ftp = url.predefined == Some(Predefined::Ftp);
    let mark = memchr::memmem::rfind(url.slice(path), MARK).filter(|_| is_ftp);
    let Some(code) = mark.map(|at| path.skip((at + MARK.len()) as u32)) else {
        return;
    };
    if !matches!(url.slice(code), [b'a' | b'i' | b'd' | b'A' | b'I' | b'D']) {
        let message = format!("the typecode {} is not `a`, `i` or `d`", url.quoted(code));
        let finding = url.finding(Rule::BadComponent, code, message, "unknown typecode");
        report.add(Finding {
            kind: Some(ProblemKind::BadTypecode),
            ..finding
        });
    }
}
