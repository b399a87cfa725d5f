//! What a rule has found, and how it becomes a diagnostic.

use super::diagnostic::{Diagnostic, Fix};
use super::rule::{Rule, Severity};
use super::settings::Selection;
use crate::text::span::Spans;

use super::url::Url;

/// What a rule has found: all of a diagnostic that differs between those of one candidate.
pub(super) struct Finding {
    rule: Rule,
    severity: Severity,
    spans: Spans,
    message: String,
    label: String,
    notes: Vec<String>,
    fix: Option<Fix>,
}

impl Finding {
    /// A finding of the rule's own severity.
    pub(super) fn new(rule: Rule, spans: Spans, message: impl Into<String>) -> Self {
        Finding {
            rule,
            severity: rule.severity(),
            spans,
            message: message.into(),
            label: String::new(),
            notes: Vec::new(),
            fix: None,
        }
    }

    pub(super) fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity.min(self.rule.severity());
        self
    }

    pub(super) fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    pub(super) fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    pub(super) fn fix(mut self, fix: Option<Fix>) -> Self {
        self.fix = fix;
        self
    }
}

/// The most findings of one rule about one candidate: each becomes a diagnostic with a copy of the
/// URL, which would take quadratic space where every byte of a long URL is at fault.
const MOST: u8 = 100;

/// The findings about one candidate, as far as they are selected.
pub(super) struct Report<'s> {
    selection: &'s Selection,
    findings: Vec<Finding>,
    /// How many there are of each rule, in the table's order.
    counts: [u8; Rule::ALL.len()],
}

impl<'s> Report<'s> {
    pub(super) fn new(selection: &'s Selection) -> Self {
        Report {
            selection,
            findings: Vec::new(),
            counts: [0; Rule::ALL.len()],
        }
    }

    /// Whether anything more of `rule` is reported; worth asking before the work of a message.
    pub(super) fn wants(&self, rule: Rule) -> bool {
        self.selection.reports(rule, rule.severity()) && self.counts[rule as usize] < MOST
    }

    pub(super) fn add(&mut self, mut finding: Finding) {
        let rule = finding.rule;
        if !self.selection.reports(rule, finding.severity) || !self.wants(rule) {
            return;
        }
        finding.severity = self.selection.severity(rule, finding.severity);
        self.counts[rule as usize] += 1;
        if self.counts[rule as usize] == MOST {
            let note = format!("only the first {MOST} of this rule are reported in one URL");
            finding.notes.push(note);
        }
        self.findings.push(finding);
    }

    /// Whether there is nothing to report.
    pub(super) fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }

    /// The findings as diagnostics, in the order of their places, and at one place in the order of
    /// the table.
    pub(super) fn diagnostics(mut self, url: &Url<'_>) -> impl Iterator<Item = Diagnostic> {
        self.findings
            .sort_by_key(|finding| (finding.spans.start(), finding.rule));
        let shared = (!self.findings.is_empty()).then(|| Shared::new(url));
        self.findings
            .into_iter()
            .zip(std::iter::repeat(shared))
            .filter_map(|(finding, shared)| Some(shared?.diagnostic(finding)))
    }
}

/// What the diagnostics of one candidate have in common.
#[derive(Clone)]
struct Shared {
    url: String,
    alternatives: Vec<String>,
    outer: crate::Span,
    pieces: Spans,
    password: Option<Spans>,
}

impl Shared {
    fn new(url: &Url<'_>) -> Self {
        let candidate = url.candidate;
        let mut password: Option<Spans> = None;
        for range in url.secrets() {
            let spans = candidate.pieces.slice(range.clone());
            match &mut password {
                None => password = Some(spans),
                Some(all) => spans.iter().for_each(|span| all.push(span)),
            }
        }
        let alternatives = candidate.alternatives.iter();
        Shared {
            url: url.redacted(&candidate.text),
            alternatives: alternatives
                .map(|other| url.redacted(&other.text))
                .collect(),
            outer: candidate.outer,
            pieces: candidate.pieces.clone(),
            password,
        }
    }

    fn diagnostic(self, finding: Finding) -> Diagnostic {
        Diagnostic {
            rule: finding.rule,
            severity: finding.severity,
            spans: finding.spans,
            message: finding.message,
            label: finding.label,
            notes: finding.notes,
            fix: finding.fix,
            url: self.url,
            alternatives: self.alternatives,
            outer: self.outer,
            pieces: self.pieces,
            password: self.password,
        }
    }
}
