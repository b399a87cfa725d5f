//! The findings about a candidate that are reported.

use super::covered::{COVERED, Scope};
use super::diagnostic::Diagnostic;
use super::finding::Finding;
use super::rule::{Rule, Severity};
use super::selection::{RuleSet, Selection};
use super::surroundings::Surroundings;
use super::url::Url;
use urlint_standard::standard::Standard;

/// The selected findings about a candidate.
pub(super) struct Report<'s> {
    selection: &'s Selection,
    around: Surroundings<'s>,
    /// At most one for each rule.
    findings: Vec<Finding>,
}

impl<'s> Report<'s> {
    pub(super) fn new(selection: &'s Selection, around: Surroundings<'s>) -> Self {
        Report {
            selection,
            around,
            findings: Vec::new(),
        }
    }

    /// Returns the surroundings of the URL.
    pub(super) fn around(&self) -> Surroundings<'s> {
        self.around
    }

    /// Returns the rules whose [checks](super::checks) under `standard` report something.
    pub(super) fn checks(&self, standard: Standard) -> RuleSet {
        self.selection.checks(standard)
    }

    /// Returns each rule that reports something, with its severity and the number of places.
    pub(super) fn counts(&self) -> impl Iterator<Item = (Rule, (Severity, usize))> {
        let findings = self.findings.iter();
        findings.map(|one| (one.rule, (one.severity, one.places.len())))
    }

    /// Returns whether any further finding of `rule` is reported; worth checking before building a
    /// message.
    pub(super) fn wants(&self, rule: Rule) -> bool {
        let is_full =
            |one: &Finding| one.rule == rule && one.places.len() == Diagnostic::MAX_PLACES;
        self.selection.reports(rule, rule.severity()) && !self.findings.iter().any(is_full)
    }

    pub(super) fn add(&mut self, mut finding: Finding) {
        let rule = finding.rule;
        let place = self.around.place;
        finding.place = (finding.severity > Severity::Hint).then_some(place);
        finding.severity = finding.severity.min(rule.severity_at(place));
        if !self.selection.reports(rule, finding.severity) || !self.wants(rule) {
            return;
        }
        finding.severity = self.selection.severity(rule, finding.severity);
        // Usually the finding belongs to one of the last rules.
        match self.findings.iter_mut().rev().find(|one| one.rule == rule) {
            Some(same) => same.take_in(finding),
            None => self.findings.push(finding),
        }
    }

    /// Adds findings of one rule, until the rule has as many as are reported.
    pub(super) fn add_all(&mut self, findings: impl IntoIterator<Item = Finding>) {
        for finding in findings {
            let rule = finding.rule;
            self.add(finding);
            if !self.wants(rule) {
                break;
            }
        }
    }

    /// Returns whether there is nothing to report.
    pub(super) fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }

    /// Returns the findings in the order of their places; at the same place, in the order of the table.
    pub(super) fn into_findings(mut self, url: &Url<'_>) -> Vec<Finding> {
        if self.findings.len() > 1 {
            self.find_covered(url);
        }
        self.findings
            .sort_by_cached_key(|finding| (finding.start(), finding.rule));
        self.findings
    }

    /// Decides which findings another one makes needless.
    fn find_covered(&mut self, url: &Url<'_>) {
        for &(rule, covered, scope) in COVERED {
            let index = |rule: Rule| {
                let mut findings = self.findings.iter();
                findings.position(|one| one.rule == rule && !one.is_covered)
            };
            let (Some(main), Some(other)) = (index(rule), index(covered)) else {
                continue;
            };
            let is_needless = match scope {
                Scope::Anywhere => true,
                Scope::Here => self.findings[other].is_within(&self.findings[main]),
                Scope::Backslashes => url.after(url.scheme_part()).starts_with(b":\\"),
            };
            if !is_needless {
                continue;
            }
            let covered = &mut self.findings[other];
            covered.is_covered = true;
            let fix = covered.fix.take();
            let main = &mut self.findings[main];
            if main.fix.is_none() || scope == Scope::Backslashes {
                main.fix = fix;
            }
        }
    }
}
