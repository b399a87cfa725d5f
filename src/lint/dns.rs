//! Whether a host that is looked up in the DNS is a valid DNS name.

use super::diagnostic::Applicability::Safe;
use super::finding::Sentence;
use super::report::Report;
use super::rule::{Rule, Severity};
use super::url::Url;
use urlint_standard::standard::Part;
use urlint_standard::url::escape::escape_at;

/// Reports characters and labels that DNS names cannot have: RFC 1034, section 3.5, and RFC 1123, section 2.1.
pub(super) fn not_dns(url: &Url<'_>, report: &mut Report<'_>) {
    for label in url.labels() {
        if !report.wants(Rule::BadHost) {
            break;
        }
        if !characters(url, label, report) {
            edges(url, label, report);
        }
    }
}

/// Reports the characters of `label` that are not allowed in a name; returns whether there are any.
fn characters(url: &Url<'_>, label: Part, report: &mut Report<'_>) -> bool {
    let mut found = false;
    let mut at = label.start;
    while at < label.end {
        let text = url.slice(label.starting_at(at));
        let escaped = escape_at(url.text, at as usize);
        let end = at + if escaped.is_some() { 3 } else { 1 };
        let part = Part { start: at, end };
        at = end;
        let is_of_name = match escaped {
            // UTF-8, which becomes `xn--` (RFC 3986, section 3.2.2).
            Some(byte) => !byte.is_ascii(),
            None => text[0].is_ascii_alphanumeric() || text[0] == b'-' || !text[0].is_ascii(),
        };
        if is_of_name {
            continue;
        }
        found = true;
        let message = Sentence::about(url.quoted(part), "is|are not allowed in a DNS name");
        let decoded = escaped.filter(|byte| byte.is_ascii_alphanumeric() || *byte == b'-');
        let fix = decoded.and_then(|byte| {
            let c = char::from(byte).to_string();
            url.fix("decode it", Safe, part, &c)
        });
        let finding = url.finding(Rule::BadHost, part, message, "not valid in the DNS");
        // Some servers have names with `_`.
        report.add(
            finding
                .at_most(Severity::Warning)
                .hint_if(text[0] == b'_')
                .fix(fix),
        );
    }
    found
}

/// Reports a label that is empty, or has a hyphen at an edge. A dot at the end of the name is allowed.
fn edges(url: &Url<'_>, label: Part, report: &mut Report<'_>) {
    let is_last = url.split.host.is_some_and(|host| host.end == label.end);
    let message = match url.slice(label) {
        [] if is_last && label.start > url.split.host.map_or(0, |host| host.start) => return,
        [] => "the host has an empty label".into(),
        [b'-', ..] | [.., b'-'] => Sentence::about(
            format!("the label {}", url.quoted(label)),
            "begins|begin or ends|end with a hyphen",
        ),
        _ => return,
    };
    let finding = url.finding(Rule::BadHost, label, message, "not valid in the DNS");
    report.add(finding.at_most(Severity::Warning));
}
