//! The rule about URLs that are not in their normal form.

use super::diagnostic::Applicability::{DisplayOnly, Safe, Unsafe};
use super::diagnostic::Fix;
use super::finding::Sentence;
use super::report::Report;
use super::rule::Rule;
use super::url::Url;
use urlint_standard::standard::Part;
use urlint_standard::url::normal_edits;

/// Reports the parts of the URL that are not normal. One that has a problem is reported for that.
pub(super) fn not_normal(url: &Url<'_>, report: &mut Report<'_>) {
    let mut edits: Vec<(Part, String)> = Vec::new();
    normal_edits(url.standard, url.text, &mut |part, by| {
        let beside = u32::from(part.is_empty());
        let place = Part {
            start: part.start - beside,
            end: part.end + beside,
        };
        let is_left = url.has_problem_in(place) || url.is_secret(part) || url.slice(part) == b":";
        if let (false, Ok(by)) = (is_left, std::str::from_utf8(by)) {
            edits.push((part, by.to_owned()));
        }
    });
    let mut fix = fix(url, &edits);
    report.add_all(edits.iter().map(|(part, by)| {
        let shown = url.quoted(*part);
        let (message, label) = match (part.is_empty(), by.as_str()) {
            (true, _) => ("`/` is missing after the host".into(), "`/` goes here"),
            (_, "") => (Sentence::about(shown, "is|are not needed"), "not needed"),
            _ => {
                let message = Sentence::about(shown, "is|are not in the normal form");
                (message, "not normal")
            }
        };
        let finding = url.finding(Rule::NotNormal, *part, message, label);
        finding.fix(fix.take())
    }));
}

/// Returns the fix that makes `edits`. Escapes are left alone if there are others, since browsers keep them as they
/// are.
fn fix(url: &Url<'_>, edits: &[(Part, String)]) -> Option<Fix> {
    let is_escape = |part: Part| url.slice(part).starts_with(b"%");
    let has_others = edits.iter().any(|(part, _)| !is_escape(*part));
    let edits = edits.iter().map(|(part, by)| (*part, by.as_str()));
    let edits: Vec<_> = edits
        .filter(|(part, _)| !has_others || !is_escape(*part))
        .collect();
    let end = url.candidate.text.len();
    let is_sign = |(part, by): &(Part, &str)| {
        part.range().end == end
            && by
                .bytes()
                .last()
                .is_some_and(|byte| !byte.is_ascii_alphanumeric())
    };
    let last = edits
        .last()
        .filter(|edit| is_sign(edit) && !url.is_wrapped());
    let host = url.host();
    let is_name = host.contains(&b'.') || host.eq_ignore_ascii_case(b"localhost");
    let applicability = match last {
        None if !has_others => Unsafe,
        // An unknown scheme may have something else in the place of the host.
        None if url.scheme_facts().is_none() && edits.iter().any(|(part, _)| part.start > 0) => {
            DisplayOnly
        }
        None => Safe,
        // The text may mean an origin, which has no slash.
        Some((part, _)) if part.is_empty() && is_name => Unsafe,
        // The text may mention `http://www.` as the way URLs begin, and a sign would be taken for a part of the text.
        Some(_) => DisplayOnly,
    };
    let message = match edits.as_slice() {
        [(part, "/")] if part.is_empty() => "add the slash",
        _ => "write the normal form",
    };
    url.fix_all(message, applicability, &edits)
}
