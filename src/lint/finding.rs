//! What a check has found, and how it becomes a diagnostic.

use super::diagnostic::{Diagnostic, Fix};
use super::rule::{Rule, Severity};
use super::settings::Selection;
use super::url::Url;
use crate::find::candidate::Candidate;
use crate::standard::Part;
use crate::text::span::Spans;

/// What a check has found: all of a diagnostic that differs between those of one candidate.
pub(super) struct Finding {
    rule: Rule,
    severity: Severity,
    spans: Spans,
    part: Option<Part>,
    message: String,
    label: String,
    notes: Vec<String>,
    fix: Option<Fix>,
}

impl Finding {
    /// A finding of the rule's own severity, at `spans` of the source.
    pub(super) fn new(rule: Rule, spans: Spans, message: impl Into<String>) -> Self {
        Finding {
            rule,
            severity: rule.severity(),
            spans,
            part: None,
            message: message.into(),
            label: String::new(),
            notes: Vec::new(),
            fix: None,
        }
    }

    /// A finding of the rule's own severity, at `part` of the candidate's text.
    pub(super) fn at(
        candidate: &Candidate<'_>,
        rule: Rule,
        part: Part,
        message: impl Into<String>,
    ) -> Self {
        let spans = candidate.pieces.slice(part.range());
        Finding {
            part: Some(part),
            ..Finding::new(rule, spans, message)
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

/// The findings about one candidate that are selected.
pub(super) struct Report<'s> {
    selection: &'s Selection,
    findings: Vec<Finding>,
    /// For each rule, in the order of the table, how many findings there are.
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

    /// Returns whether anything more of `rule` is reported; worth asking before the work of a
    /// message.
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

    /// Returns whether there is nothing to report.
    pub(super) fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }

    /// Hands the findings to `report` as diagnostics, in the order of their places, and at one place
    /// in the order of the table.
    pub(super) fn finish(mut self, url: &Url<'_>, mut report: impl FnMut(Diagnostic)) {
        if self.findings.is_empty() {
            return;
        }
        self.findings
            .sort_by_key(|finding| (finding.spans.start(), finding.rule));
        let shared = Shared::new(url);
        for finding in self.findings {
            report(shared.diagnostic(finding));
        }
    }
}

/// What the diagnostics of one candidate have in common.
struct Shared<'c> {
    candidate: &'c Candidate<'c>,
    url: String,
    alternatives: Vec<String>,
    password: Option<Spans>,
}

impl<'c> Shared<'c> {
    fn new(url: &Url<'c>) -> Self {
        let candidate = url.candidate;
        let mut password: Option<Spans> = None;
        for part in url.secrets() {
            let spans = candidate.pieces.slice(part.range());
            match &mut password {
                None => password = Some(spans),
                Some(all) => spans.iter().for_each(|span| all.push(span)),
            }
        }
        let alternatives = candidate.alternatives.iter();
        Shared {
            candidate,
            url: url.redacted(&candidate.text),
            alternatives: alternatives
                .map(|other| url.redacted(&other.text))
                .collect(),
            password,
        }
    }

    fn diagnostic(&self, finding: Finding) -> Diagnostic {
        Diagnostic {
            rule: finding.rule,
            severity: finding.severity,
            spans: finding.spans,
            part: finding.part,
            message: finding.message,
            label: finding.label,
            notes: finding.notes,
            fix: finding.fix,
            url: Some(self.url.clone()),
            alternatives: self.alternatives.clone(),
            outer: self.candidate.outer,
            pieces: self.candidate.pieces.clone(),
            password: self.password.clone(),
        }
    }
}
