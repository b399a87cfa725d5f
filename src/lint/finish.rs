//! From the findings about a candidate to diagnostics.

use super::covered::find_uncertain;
use super::diagnostic::{Applicability, Diagnostic, Fix, within_limit};
use super::fate::Fate;
use super::finding::Finding;
use super::fix_safety::Before;
use super::report::Report;
use super::role::is_quoted_example;
use super::rule::Rule;
use super::understood::{is_understood, replaces_url};
use super::url::Url;
use urlint_documents::document::Kind;
use urlint_find::Candidate;
use urlint_standard::standard::{Part, Standard};
use urlint_standard::text::{Span, Spans};

/// Returns the findings as diagnostics with their fates, as far as these depend on the URL alone, in the order
/// of their places.
pub(super) fn finish(report: Report<'_>, url: &Url<'_>) -> Vec<(Diagnostic, Fate)> {
    let common = Common::new(report.around().kind, url);
    let findings = report.into_findings(url).into_iter();
    let diagnostics = findings.map(|finding| {
        let fate = if finding.is_covered {
            Fate::Covered
        } else {
            Fate::Reported
        };
        (common.diagnostic(finding, url), fate)
    });
    let mut diagnostics: Vec<_> = diagnostics.collect();
    find_uncertain(&mut diagnostics);
    diagnostics
}

/// The common fields of the diagnostics of one candidate.
struct Common<'c> {
    standard: Standard,
    candidate: &'c Candidate<'c>,
    url: String,
    alternatives: Vec<String>,
    password: Option<Spans>,
    kind: Kind,
    /// Whether its fixes may be made: it is understood, and no example in quotes, where the text is about its form.
    is_fixed: bool,
    /// The URL before its fixes.
    before: Before<'c>,
}

impl<'c> Common<'c> {
    fn new(kind: Kind, url: &Url<'c>) -> Self {
        let candidate = url.candidate;
        let hidden = url.hidden().iter();
        let hidden = hidden.map(|part| candidate.pieces.slice(part.range()));
        let hidden: Vec<_> = hidden.collect();
        let alternatives = candidate.redacted_alternatives().into_iter();
        Common {
            standard: url.standard,
            candidate,
            url: within_limit(url.redacted()),
            alternatives: alternatives
                .map(|other| within_limit(String::from_utf8_lossy(&other).into()))
                .collect(),
            password: Spans::of(hidden.iter().flat_map(Spans::iter)),
            kind,
            is_fixed: is_understood(url) && !is_quoted_example(kind, url),
            before: Before::new(url.standard, &candidate.text),
        }
    }

    /// Returns the fix of `rule` with its applicability here.
    fn in_document(&self, rule: Rule, url: &Url<'_>, mut fix: Fix) -> Fix {
        let is_made = self.is_fixed && replaces_url(self.kind, url, &fix);
        if !is_made && rule != Rule::RestrictedUrl {
            fix.applicability = Applicability::DisplayOnly;
        }
        fix
    }

    fn diagnostic(&self, mut finding: Finding, url: &Url<'_>) -> Diagnostic {
        let message = finding.message();
        if finding.places.len() == Diagnostic::MAX_PLACES {
            finding.fix = None;
            let most = Diagnostic::MAX_PLACES;
            let note = format!("only the first {most} places are reported");
            finding.notes.push(note);
        }
        finding.places.sort_by_key(|(spans, _)| spans.start());
        let mut places = finding.places.into_iter();
        let nowhere = (Span::default().into(), None);
        let (mut spans, first) = places.next().unwrap_or(nowhere);
        let mut parts: Vec<Part> = first.into_iter().collect();
        for (more, part) in places {
            more.iter().for_each(|span| spans.push(span));
            parts.extend(part);
        }
        Diagnostic {
            rule: finding.rule,
            kind: finding.kind,
            standard: self.standard,
            severity: finding.severity,
            place: finding.place,
            spans,
            parts,
            message,
            label: finding.label,
            notes: finding.notes,
            fix: finding
                .fix
                .and_then(in_order)
                .map(|fix| self.before.capped(finding.rule, fix))
                .map(|fix| self.in_document(finding.rule, url, fix)),
            url: Some(self.url.clone()),
            alternatives: self.alternatives.clone(),
            outer: self.candidate.outer,
            pieces: self.candidate.pieces.clone(),
            password: self.password.clone(),
        }
    }
}

/// Returns `fix` with its edits in order; `None` if two of them overlap.
fn in_order(mut fix: Fix) -> Option<Fix> {
    fix.edits.sort_by_key(|edit| edit.span.start);
    fix.url_edits.sort_by_key(|edit| edit.part);
    let mut pairs = fix.edits.iter().zip(fix.edits.iter().skip(1));
    pairs
        .all(|(a, b)| a.span.end <= b.span.start)
        .then_some(fix)
}
