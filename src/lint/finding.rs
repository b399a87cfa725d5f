//! Findings of checks, and how they become diagnostics.

use super::covered::{COVERED, Extent};
use super::diagnostic::{Diagnostic, Fix, within_limit};
use super::fix_safety::Before;
use super::rule::{Rule, Severity};
use super::selection::Selection;
use super::standing::Surroundings;
use super::tree::Tree;
use super::url::Url;
use crate::find::candidate::Candidate;
use crate::standard::{Part, Standard};
use crate::text::span::{Span, Spans};
use crate::url::password::redacted;

/// What a message says about one place of a URL, or about several of which the same is true.
pub(super) struct Sentence {
    subjects: Vec<String>,
    /// Whether there are more subjects than `subjects` holds.
    has_more: bool,
    /// What the subjects are or do; the whole sentence if there are none.
    predicate: String,
}

impl Sentence {
    /// The greatest number of subjects in a message.
    const MOST_SUBJECTS: usize = 8;

    /// A sentence with a subject, to which others with the same predicate may be added.
    ///
    /// A word that depends on the number of subjects has both forms, as in `is|are too great`. One of
    /// them may be empty, as in `is|are a| number|numbers`. Nothing after a backquote is changed.
    pub(super) fn about(subject: impl Into<String>, predicate: impl Into<String>) -> Self {
        Sentence {
            subjects: vec![subject.into()],
            has_more: false,
            predicate: predicate.into(),
        }
    }

    /// Returns whether `other` differs at most in its subjects.
    fn is_like(&self, other: &Sentence) -> bool {
        self.predicate == other.predicate && self.subjects.is_empty() == other.subjects.is_empty()
    }

    /// Adds the subjects of `other`, which is [like](Self::is_like) this one.
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
        let subjects = match self.subjects.as_slice() {
            [] => return self.predicate.clone(),
            [one] => one.clone(),
            all if self.has_more => format!("{} and others", all.join(", ")),
            [others @ .., last] => format!("{} and {last}", others.join(", ")),
        };
        // What is quoted may be any text.
        let quote = self.predicate.find('`').unwrap_or(self.predicate.len());
        let (words, quoted) = self.predicate.split_at(quote);
        let words = words.split(' ').map(|word| match word.split_once('|') {
            Some((one, _)) if self.subjects.len() == 1 => one,
            Some((_, many)) => many,
            None => word,
        });
        let words = words.chain([quoted]).filter(|word| !word.is_empty());
        words.fold(subjects, |text, word| text + " " + word)
    }
}

impl From<String> for Sentence {
    fn from(text: String) -> Self {
        Sentence {
            subjects: Vec::new(),
            has_more: false,
            predicate: text,
        }
    }
}

impl From<&str> for Sentence {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

/// What a check has found: the parts of a diagnostic that differ between the diagnostics of a
/// candidate.
///
/// A check finds one place at a time; everything that a rule finds in a URL becomes one diagnostic.
pub(super) struct Finding {
    rule: Rule,
    severity: Severity,
    /// The reported places: in the source and, if the finding is about the candidate's text, in the
    /// text.
    places: Vec<(Spans, Option<Part>)>,
    /// What is wrong: nearly always one sentence.
    sentences: Vec<Sentence>,
    label: String,
    notes: Vec<String>,
    fix: Option<Fix>,
}

/// The greatest number of sentences in a message.
const MOST_SENTENCES: usize = 3;

impl Finding {
    /// A finding of the rule's own severity, at `spans` of the source, which the `label` names.
    pub(super) fn new(
        rule: Rule,
        spans: Spans,
        message: impl Into<Sentence>,
        label: impl Into<String>,
    ) -> Self {
        Finding {
            rule,
            severity: rule.severity(),
            places: vec![(spans, None)],
            sentences: vec![message.into()],
            label: label.into(),
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

    /// The same finding, but a hint if `is_minor`.
    pub(super) fn hint_if(self, is_minor: bool) -> Self {
        if is_minor {
            self.severity(Severity::Hint)
        } else {
            self
        }
    }

    pub(super) fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    pub(super) fn fix(mut self, fix: Option<Fix>) -> Self {
        self.fix = fix;
        self
    }

    /// Adds a finding of the same rule at another place.
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

    /// Returns whether each place of this finding touches one of the other's.
    fn is_within(&self, other: &Finding) -> bool {
        let mut others: Vec<_> = other.places.iter().filter_map(|(_, part)| *part).collect();
        others.sort_unstable();
        let mut places = self.places.iter();
        places.all(|(_, part)| {
            part.is_some_and(|part| {
                // Places of one rule do not overlap.
                let next = others.partition_point(|other| other.end <= part.start);
                others.get(next).is_some_and(|other| other.touches(part))
            })
        })
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

/// Adds the edits of `other` to `fix`; they are then made together or not at all.
fn take_in_fix(fix: &mut Fix, other: Fix) {
    if !fix.message.contains(&other.message) {
        fix.message = format!("{}, {}", fix.message, other.message);
    }
    fix.applicability = fix.applicability.min(other.applicability);
    fix.edits.extend(other.edits);
    fix.url_edits.extend(other.url_edits);
}

/// The selected findings about a candidate.
pub(super) struct Report<'s> {
    selection: &'s Selection,
    around: Surroundings<'s>,
    /// The hosts of the tree that the source is in.
    tree: Option<&'s Tree>,
    /// At most one for each rule.
    findings: Vec<Finding>,
}

impl<'s> Report<'s> {
    pub(super) fn new(selection: &'s Selection, around: Surroundings<'s>) -> Self {
        Report {
            selection,
            around,
            tree: None,
            findings: Vec::new(),
        }
    }

    /// Sets the hosts of the tree that the source is in.
    pub(super) fn beside(self, tree: Option<&'s Tree>) -> Self {
        Report { tree, ..self }
    }

    /// Returns what is around the URL.
    pub(super) fn around(&self) -> Surroundings<'s> {
        self.around
    }

    pub(super) fn tree(&self) -> Option<&'s Tree> {
        self.tree
    }

    /// Returns which of the [checks](super::rule::checks) under `standard` report something, a bit for
    /// each.
    pub(super) fn checks(&self, standard: Standard) -> u128 {
        self.selection.checks(standard)
    }

    /// Returns whether findings of `rule` with the severity `most` are reported.
    pub(super) fn selects(&self, rule: Rule, most: Severity) -> bool {
        self.selection.reports(rule, most)
    }

    /// Returns each rule that reports something, its severity, and the number of places.
    pub(super) fn counts(&self) -> impl Iterator<Item = (Rule, Severity, usize)> {
        let findings = self.findings.iter();
        findings.map(|finding| (finding.rule, finding.severity, finding.places.len()))
    }

    /// Returns whether any further finding of `rule` is reported; worth checking before building a
    /// message.
    pub(super) fn wants(&self, rule: Rule) -> bool {
        let is_full =
            |one: &Finding| one.rule == rule && one.places.len() == Diagnostic::MAX_PLACES;
        self.selects(rule, rule.severity()) && !self.findings.iter().any(is_full)
    }

    pub(super) fn add(&mut self, mut finding: Finding) {
        let rule = finding.rule;
        finding.severity = finding.severity.min(self.around.standing.most(rule));
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

    /// Adds findings of one rule, and makes no more of them than are reported.
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

    /// Returns the findings as diagnostics, in the order of their places; at the same place, in the
    /// order of the table.
    pub(super) fn finish(mut self, url: &Url<'_>) -> Vec<Diagnostic> {
        if self.findings.len() > 1 {
            self.drop_covered(url);
        }
        self.findings
            .sort_by_cached_key(|finding| (finding.start(), finding.rule));
        let common = Common::new(url);
        let findings = self.findings.into_iter();
        findings.map(|finding| common.diagnostic(finding)).collect()
    }
}

impl Report<'_> {
    /// Drops what another finding makes needless. That one is as severe as both.
    fn drop_covered(&mut self, url: &Url<'_>) {
        for (rule, covered, extent) in COVERED {
            let index = |rule: Rule| self.findings.iter().position(|one| one.rule == rule);
            let (Some(main), Some(other)) = (index(rule), index(covered)) else {
                continue;
            };
            let is_needless = match extent {
                Extent::Anywhere => true,
                Extent::Here => self.findings[other].is_within(&self.findings[main]),
                Extent::Backslashes => url.after(url.scheme_part()).starts_with(b":\\"),
            };
            if !is_needless {
                continue;
            }
            let dropped = self.findings.remove(other);
            let main = &mut self.findings[main - usize::from(other < main)];
            main.severity = main.severity.max(dropped.severity);
            if main.fix.is_none() || extent == Extent::Backslashes {
                main.fix = dropped.fix;
            }
        }
    }
}

/// What the diagnostics of one candidate have in common.
struct Common<'c> {
    standard: Standard,
    candidate: &'c Candidate<'c>,
    url: String,
    alternatives: Vec<String>,
    password: Option<Spans>,
    /// The URL before its fixes.
    before: Before<'c>,
}

impl<'c> Common<'c> {
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
        Common {
            standard: url.standard,
            candidate,
            url: within_limit(url.redacted()),
            alternatives: alternatives
                .map(|other| within_limit(String::from_utf8_lossy(&redacted(&other.text)).into()))
                .collect(),
            password,
            before: Before::new(url.standard, &candidate.text),
        }
    }

    fn diagnostic(&self, mut finding: Finding) -> Diagnostic {
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
                .map(|fix| self.before.capped(finding.rule, fix)),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_agrees_with_the_number_of_its_subjects() {
        let sentence = |subject: &str| Sentence::about(subject, "is|are a| name|names in `x y|z`");
        let mut all = sentence("a");
        assert_eq!(all.text(), "a is a name in `x y|z`");
        all.take_in(sentence("b"));
        assert_eq!(all.text(), "a and b are names in `x y|z`");
        ('c'..='z').for_each(|more| all.take_in(sentence(&more.to_string())));
        assert_eq!(
            all.text(),
            "a, b, c, d, e, f, g, h and others are names in `x y|z`"
        );
    }
}
