//! What a check has found, and how it becomes a diagnostic.

use super::diagnostic::{Diagnostic, Fix, within_limit};
use super::promise::Before;
use super::rule::{Rule, Severity};
use super::settings::Selection;
use super::url::Url;
use crate::find::candidate::Candidate;
use crate::standard::{Part, Standard};
use crate::text::span::{Span, Spans};

/// What is said about one place of a URL, or about several of which the same can be said: subjects,
/// and what they do or are.
pub(super) struct Sentence {
    subjects: Vec<String>,
    /// Whether there are more subjects than are named.
    has_more: bool,
    /// What one subject does; all of the sentence if there is none.
    one: String,
    /// What several subjects do.
    many: String,
}

impl Sentence {
    /// The most subjects that are named.
    const MOST_SUBJECTS: usize = 8;

    /// `subject` and what it does, such as `is greater than 255`; `many` says the same of several.
    pub(super) fn about(
        subject: impl Into<String>,
        one: impl Into<String>,
        many: impl Into<String>,
    ) -> Self {
        Sentence {
            subjects: vec![subject.into()],
            has_more: false,
            one: one.into(),
            many: many.into(),
        }
    }

    /// Returns whether `other` says the same, if of another subject.
    fn is_like(&self, other: &Sentence) -> bool {
        self.one == other.one && self.subjects.is_empty() == other.subjects.is_empty()
    }

    /// Adds the subjects of `other`, which says the same.
    fn take_in(&mut self, other: Sentence) {
        for subject in other.subjects {
            if self.subjects.contains(&subject) {
                continue;
            }
            if self.subjects.len() == Sentence::MOST_SUBJECTS {
                self.has_more = true;
                break;
            }
            self.subjects.push(subject);
        }
    }

    fn text(&self) -> String {
        let (verb, last) = match self.subjects.as_slice() {
            [] => return self.one.clone(),
            [one] => return format!("{one} {}", self.one),
            _ if self.has_more => (&self.many, "others"),
            [.., last] => (&self.many, last.as_str()),
        };
        let named = self.subjects.len() - usize::from(!self.has_more);
        let named = self.subjects[..named].join(", ");
        format!("{named} and {last} {verb}")
    }
}

impl From<String> for Sentence {
    fn from(text: String) -> Self {
        Sentence {
            subjects: Vec::new(),
            has_more: false,
            one: text,
            many: String::new(),
        }
    }
}

impl From<&str> for Sentence {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

/// What a check has found: all of a diagnostic that differs between those of one candidate.
///
/// A check finds one place after the other; all that one rule finds in one URL becomes one
/// diagnostic.
pub(super) struct Finding {
    rule: Rule,
    severity: Severity,
    /// The places at fault: in the source, and in the candidate's text if it is about that.
    places: Vec<(Spans, Option<Part>)>,
    /// What is wrong: nearly always one sentence.
    sentences: Vec<Sentence>,
    label: String,
    notes: Vec<String>,
    fix: Option<Fix>,
}

/// The most sentences of one message.
const MOST_SENTENCES: usize = 3;

impl Finding {
    /// A finding of the rule's own severity, at `spans` of the source.
    pub(super) fn new(rule: Rule, spans: Spans, message: impl Into<Sentence>) -> Self {
        Finding {
            rule,
            severity: rule.severity(),
            places: vec![(spans, None)],
            sentences: vec![message.into()],
            label: String::new(),
            notes: Vec::new(),
            fix: None,
        }
    }

    /// The same finding, but at `part` of the candidate's text.
    pub(super) fn at(mut self, part: Part) -> Self {
        for (_, own) in &mut self.places {
            *own = Some(part);
        }
        self
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

    /// Adds what the same rule has found at another place.
    fn take_in(&mut self, other: Finding) {
        self.severity = self.severity.max(other.severity);
        self.places.extend(other.places);
        for sentence in other.sentences {
            match self.sentences.iter().position(|one| one.is_like(&sentence)) {
                Some(same) => self.sentences[same].take_in(sentence),
                None if self.sentences.len() < MOST_SENTENCES => self.sentences.push(sentence),
                None => {}
            }
        }
        for note in other.notes {
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
        match (&mut self.fix, other.fix) {
            (Some(fix), Some(other)) => take_in_fix(fix, other),
            (fix @ None, other) => *fix = other,
            (Some(_), None) => {}
        }
    }

    fn start(&self) -> u64 {
        let starts = self.places.iter().map(|(spans, _)| spans.start());
        starts.min().unwrap_or_default()
    }

    fn message(&self) -> String {
        let sentences: Vec<_> = self.sentences.iter().map(Sentence::text).collect();
        sentences.join("; ")
    }
}

/// Adds the edits of `other` to `fix`, which is then made with all of them or not at all.
fn take_in_fix(fix: &mut Fix, other: Fix) {
    if !fix.message.contains(&other.message) {
        fix.message = format!("{}, {}", fix.message, other.message);
    }
    fix.applicability = fix.applicability.min(other.applicability);
    fix.edits.extend(other.edits);
    fix.url_edits.extend(other.url_edits);
}

/// The most places of one rule in one URL that are reported. With so many of them no fix is made: what is
/// wrong everywhere was not meant as a URL.
const MOST: usize = 1000;

/// The findings about one candidate that are selected.
pub(super) struct Report<'s> {
    selection: &'s Selection,
    /// One for each rule at most.
    findings: Vec<Finding>,
}

impl<'s> Report<'s> {
    pub(super) fn new(selection: &'s Selection) -> Self {
        Report {
            selection,
            findings: Vec::new(),
        }
    }

    /// Returns which of the [checks](super::rule::checks) under `standard` report something, a bit for
    /// each.
    pub(super) fn checks(&self, standard: Standard) -> u128 {
        self.selection.checks(standard)
    }

    /// Returns whether anything of `rule` is reported to which it gives the severity `most`.
    pub(super) fn selects(&self, rule: Rule, most: Severity) -> bool {
        self.selection.reports(rule, most)
    }

    /// How serious what each rule reports is, and at how many places.
    pub(super) fn counts(&self) -> impl Iterator<Item = (Rule, Severity, usize)> {
        let findings = self.findings.iter();
        findings.map(|finding| (finding.rule, finding.severity, finding.places.len()))
    }

    /// Returns whether anything more of `rule` is reported; worth asking before the work of a
    /// message.
    pub(super) fn wants(&self, rule: Rule) -> bool {
        let is_full = |one: &Finding| one.rule == rule && one.places.len() == MOST;
        self.selects(rule, rule.severity()) && !self.findings.iter().any(is_full)
    }

    pub(super) fn add(&mut self, mut finding: Finding) {
        let rule = finding.rule;
        if !self.selection.reports(rule, finding.severity) || !self.wants(rule) {
            return;
        }
        finding.severity = self.selection.severity(rule, finding.severity);
        // What is added belongs to one of the last rules.
        match self.findings.iter_mut().rev().find(|one| one.rule == rule) {
            Some(same) => same.take_in(finding),
            None => self.findings.push(finding),
        }
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
            .sort_by_cached_key(|finding| (finding.start(), finding.rule));
        let shared = Shared::new(url);
        for finding in self.findings {
            report(shared.diagnostic(finding));
        }
    }
}

/// What the diagnostics of one candidate have in common.
struct Shared<'c> {
    standard: Standard,
    candidate: &'c Candidate<'c>,
    url: String,
    alternatives: Vec<String>,
    password: Option<Spans>,
    is_cut: bool,
    /// The URL, as fixes find it.
    before: Before<'c>,
}

impl<'c> Shared<'c> {
    fn new(url: &Url<'c>) -> Self {
        let candidate = url.candidate;
        let mut password: Option<Spans> = None;
        for part in url.hidden() {
            let spans = candidate.pieces.slice(part.range());
            match &mut password {
                None => password = Some(spans),
                Some(all) => spans.iter().for_each(|span| all.push(span)),
            }
        }
        let alternatives = candidate.alternatives.iter();
        Shared {
            standard: url.standard,
            candidate,
            url: within_limit(url.redacted()),
            alternatives: alternatives
                .map(|other| within_limit(url.redacted_reading(&other.text)))
                .collect(),
            password,
            is_cut: url.hidden().iter().any(|&part| url.is_cut(part)),
            before: Before::new(url.standard, &candidate.text),
        }
    }

    fn diagnostic(&self, mut finding: Finding) -> Diagnostic {
        let mut message = finding.message();
        if self.is_cut {
            // What was taken for a port or a path may be a part of the password.
            message = finding.rule.summary().to_owned();
            if let Some(first) = message.get_mut(..1) {
                first.make_ascii_lowercase();
            }
            finding.notes.clear();
        }
        if finding.places.len() == MOST {
            finding.fix = None;
            let note = format!("only the first {MOST} places are reported");
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
            standard: self.standard,
            severity: finding.severity,
            spans,
            parts,
            message,
            label: finding.label,
            notes: finding.notes,
            fix: finding
                .fix
                .and_then(in_order)
                .map(|fix| self.before.checked(fix)),
            url: Some(self.url.clone()),
            alternatives: self.alternatives.clone(),
            outer: self.candidate.outer,
            pieces: self.candidate.pieces.clone(),
            password: self.password.clone(),
        }
    }
}

/// `fix` with its edits in order; `None` if two of them overlap.
fn in_order(mut fix: Fix) -> Option<Fix> {
    fix.edits.sort_by_key(|edit| edit.span.start);
    fix.url_edits.sort_by_key(|edit| edit.part);
    let mut pairs = fix.edits.iter().zip(fix.edits.iter().skip(1));
    pairs
        .all(|(a, b)| a.span.end <= b.span.start)
        .then_some(fix)
}
