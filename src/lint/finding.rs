//! The findings of checks.

use super::diagnostic::Fix;
use super::rule::{Place, Rule, Severity};
use urlint_standard::standard::{Part, ProblemKind};
use urlint_standard::text::Spans;

/// A sentence of a message, about one or more places of a URL.
pub(super) struct Sentence {
    subjects: Vec<String>,
    /// Whether there are more subjects than `subjects` holds.
    has_more: bool,
    /// The sentence after its subjects; the whole sentence if it has none.
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
        // A quotation may be any text.
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

/// A finding of a check: the parts of a diagnostic that differ between the diagnostics of a
/// candidate.
///
/// A check finds one place at a time; everything that a rule finds in a URL becomes one diagnostic.
pub(super) struct Finding {
    pub(super) rule: Rule,
    /// The kind of problem, if it is one of the standard.
    pub(super) kind: Option<ProblemKind>,
    /// The greatest severity that it may have: that of the place decides.
    pub(super) severity: Severity,
    /// The place whose severity it has, once it is reported.
    pub(super) place: Option<Place>,
    /// The reported places: in the source and, if the finding is about the candidate's text, in the
    /// text.
    pub(super) places: Vec<(Spans, Option<Part>)>,
    /// The message: nearly always one sentence.
    pub(super) sentences: Vec<Sentence>,
    pub(super) label: String,
    pub(super) notes: Vec<String>,
    pub(super) fix: Option<Fix>,
    /// Whether another finding is about the same mistake.
    pub(super) is_covered: bool,
}

/// The greatest number of sentences in a message.
const MOST_SENTENCES: usize = 3;

impl Finding {
    /// A finding at `spans` of the source, which the `label` names.
    pub(super) fn new(
        rule: Rule,
        spans: Spans,
        message: impl Into<Sentence>,
        label: impl Into<String>,
    ) -> Self {
        Finding {
            rule,
            kind: None,
            severity: Severity::Error,
            place: None,
            places: vec![(spans, None)],
            sentences: vec![message.into()],
            label: label.into(),
            notes: Vec::new(),
            fix: None,
            is_covered: false,
        }
    }

    /// The same finding, but at `part` of the candidate's text.
    pub(super) fn at(mut self, part: Part) -> Self {
        for (_, own) in &mut self.places {
            *own = Some(part);
        }
        self
    }

    pub(super) fn at_most(mut self, severity: Severity) -> Self {
        self.severity = self.severity.min(severity);
        self
    }

    /// The same finding, but a hint if `is_minor`: everything works, whatever the letter says.
    pub(super) fn hint_if(self, is_minor: bool) -> Self {
        if is_minor {
            self.at_most(Severity::Hint)
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
    pub(super) fn take_in(&mut self, other: Finding) {
        self.severity = self.severity.max(other.severity);
        self.place = self.place.or(other.place);
        for place in other.places {
            if self.places.last() != Some(&place) {
                self.places.push(place);
            }
        }
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
    pub(super) fn is_within(&self, other: &Finding) -> bool {
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

    pub(super) fn start(&self) -> u64 {
        let starts = self.places.iter().map(|(spans, _)| spans.start());
        starts.min().unwrap_or_default()
    }

    pub(super) fn message(&self) -> String {
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
