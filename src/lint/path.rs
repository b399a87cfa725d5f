//! Rules about paths.

use super::diagnostic::Applicability::{Safe, Unsafe};
use super::diagnostic::Fix;
use super::finding::Sentence;
use super::problem::is_drive;
use super::report::Report;
use super::rule::{Rule, Severity};
use super::url::Url;
use urlint_standard::standard::rfc1738::Predefined;
use urlint_standard::standard::{Part, Standard};
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
    let segments = url.parts_between(path, b'/');
    let segments = segments.filter(|&part| is_dot_segment(url.slice(part)));
    report.add_all(segments.enumerate().map(|(number, part)| {
        let (severity, predicate) = dots(url, url.slice(part));
        let subject = format!("the segment {}", url.quoted(part));
        let message = Sentence::about(subject, predicate);
        let finding = url.finding(Rule::DotSegments, part, message, "dots");
        // One fix removes all of them.
        let fix = (number == 0).then(|| without_dots(url, path));
        finding.severity(severity).fix(fix.flatten())
    }));
}

/// Returns the severity of the dot segment `segment`, and the predicate of the message about it.
fn dots(url: &Url<'_>, segment: &[u8]) -> (Severity, &'static str) {
    match url.standard {
        Standard::Rfc1738 => (
            Severity::Hint,
            "is|are a| name|names by RFC 1738 and removed by RFC 3986",
        ),
        Standard::Whatwg if segment.contains(&b'%') => (
            Severity::Warning,
            "is|are removed by browsers, while a check that does not decode it|them sees a| name|names",
        ),
        Standard::Whatwg => (Severity::Hint, "is|are removed by browsers"),
        _ if url.predefined == Some(Predefined::Ftp) => (
            Severity::Warning,
            "is|are removed from a URI, while a client of ftp may send it|them as a| name|names",
        ),
        _ => (Severity::Hint, "is|are removed before the URI is used"),
    }
}

/// Replaces `path`, which follows a slash, by the same path without dot segments. Under RFC 1738
/// they are names.
fn without_dots(url: &Url<'_>, path: Part) -> Option<Fix> {
    let applicability = match url.standard {
        Standard::Rfc1738 => return None,
        Standard::Whatwg => Safe,
        // The same by RFC 3986, section 6.2.2.3, but not if a server follows links.
        _ => Unsafe,
    };
    let text = std::str::from_utf8(url.slice(path)).ok()?;
    // Browsers do not go beyond a drive.
    let is_file = url.standard == Standard::Whatwg && url.predefined == Some(Predefined::File);
    let is_drive = |kept: &[&str]| matches!(kept, [one] if is_file && is_drive(one.as_bytes()));
    let mut kept = Vec::new();
    let mut segments = text.split('/').peekable();
    while let Some(segment) = segments.next() {
        let is_last = segments.peek().is_none();
        if !is_dot_segment(segment.as_bytes()) {
            kept.push(segment);
            continue;
        }
        if segment.to_ascii_lowercase().replace("%2e", ".") == ".." && !is_drive(&kept) {
            kept.pop();
        }
        if is_last {
            kept.push("");
        }
    }
    let short = kept.join("/");
    url.fix("remove the dots", applicability, path, &short)
}

/// Reports a `?` that by section 5 belongs to a name.
pub(super) fn question(url: &Url<'_>, report: &mut Report<'_>) {
    if url.standard != Standard::Rfc1738 {
        return query_of_ftp(url, report);
    }
    let (Some(Predefined::Ftp | Predefined::File), Some(path)) =
        (url.predefined, url.components.path)
    else {
        return;
    };
    if let Some(at) = path.find(url.text, b'?') {
        let mark = Part::at(at).before(at + 1);
        let message = "`?` belongs to the path by RFC 1738, and begins a query by RFC 3986";
        report.add(url.finding(Rule::QuestionInPath, mark, message, "path or query?"));
    }
}

/// Reports a query of ftp, which has none.
fn query_of_ftp(url: &Url<'_>, report: &mut Report<'_>) {
    let (Some(Predefined::Ftp), Some(query)) = (url.predefined, url.split.query) else {
        return;
    };
    let mark = Part::at(query.start - 1).before(query.start);
    let message = "`?` begins a query, which ftp does not have; in a name, write `%3F`";
    report.add(url.finding(Rule::QuestionInPath, mark, message, "path or query?"));
}

/// Reports a typecode of ftp that is not in RFC 1738, section 3.2.2.
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
    let finding = url.finding(Rule::BadTypecode, code, message, "unknown typecode");
    report.add(finding.severity(Severity::Warning));
}
