//! A URL before and after its fixes.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::ops::Deref;

use super::apply;
use crate::checker::Checker;
use crate::diagnostic::{Applicability, Diagnostic, Edit, Fix};
use crate::fate::Fate;
use crate::fix_safety::Before;
use crate::found::lint_found;
use crate::ignore_urls::IgnoredUrls;
use crate::rule::{Rule, Severity};
use crate::selection::Selection;
use crate::settings::Settings;
use urlint_documents::document::Kind;
use urlint_documents::read::Found;
use urlint_find::{Candidate, Delimiter};
use urlint_standard::standard::Standard;
use urlint_standard::text::Span;

/// A fix that may be made.
#[derive(Clone, Debug)]
pub(super) struct Proposal {
    pub(super) fix: Fix,
    /// The same fix in the URL's own text; `None` if that stays the same.
    in_text: Option<Fix>,
    /// Whether the user has said how safe it is.
    is_users: bool,
}

/// The facts about a URL that show whether fixes make it worse.
#[derive(Debug)]
pub(super) struct UrlState {
    /// The standard by which it is judged.
    standard: Standard,
    /// A hash of its text.
    hash: u64,
    delimiter: Delimiter,
    /// Its text, if there are proposals.
    text: Vec<u8>,
    /// How many errors of each rule it has.
    errors: Vec<(Rule, u32)>,
    pub(super) proposals: Vec<Proposal>,
}

/// The URLs of a source, and the fixes that may be made in it.
#[derive(Debug, Default)]
pub(super) struct Urls {
    /// The kind of the document.
    pub(super) kind: Kind,
    pub(super) urls: Vec<UrlState>,
    pub(super) left: Left,
}

/// How many of the diagnostics that are reported have no fix that is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Left {
    /// Those with a fix that is [`Applicability::Unsafe`], if only safe ones are made.
    pub unsafe_ones: usize,
    /// Those without a fix, with one that is [`Applicability::DisplayOnly`], and hints of rules that are not
    /// [named](Selection::name).
    pub by_hand: usize,
}

/// Returns `settings` that find everything that may be an error, with the rules' own severities, as well as
/// everything that `settings` report. By these, a fix is verified.
pub(super) fn verifying(settings: &Settings) -> Settings {
    let selection = Selection::from_least(|rule| {
        let is_read =
            rule.severity() == Severity::Error || settings.selection.least(rule).is_some();
        is_read.then_some(Severity::Hint)
    });
    let all = settings.clone().with_selection(selection);
    all.with_ignored(IgnoredUrls::default())
}

impl Urls {
    /// Adds a candidate. Candidates are added in the order in which they are found. Of its diagnostics that
    /// `checker` reports, those are fixed that `is_fixed` accepts and whose fixes are at least `least`.
    pub(super) fn add<S: Deref<Target = Settings>>(
        &mut self,
        found: &Found<'_>,
        checker: &Checker<S>,
        verifying: &Settings,
        least: Applicability,
        is_fixed: &dyn Fn(&Diagnostic) -> bool,
    ) {
        if self.urls.is_empty() {
            self.kind = found.kind;
        }
        let mut errors: BTreeMap<Rule, u32> = BTreeMap::new();
        let mut proposals = Vec::new();
        let all = lint_found(found, verifying);
        if !all.is_empty() {
            let reported = checker.judge(found).into_reported();
            proposals.extend(reported.filter_map(|one| self.proposal(one, least, is_fixed)));
        }
        for (diagnostic, fate) in all {
            if diagnostic.severity == Severity::Error && fate != Fate::Covered {
                *errors.entry(diagnostic.rule).or_default() += 1;
            }
        }
        let standard = verifying.standard;
        let url = UrlState::new(&found.candidate, standard, errors, proposals);
        self.urls.push(url);
    }

    /// Returns the fix of a diagnostic, if it may be made.
    fn proposal(
        &mut self,
        diagnostic: Diagnostic,
        least: Applicability,
        is_fixed: &dyn Fn(&Diagnostic) -> bool,
    ) -> Option<Proposal> {
        let is_fixed = is_fixed(&diagnostic);
        let is_makeable = |fix: &Fix| is_fixed && fix.applicability > Applicability::DisplayOnly;
        let Some(fix) = diagnostic.fix.filter(is_makeable) else {
            self.left.by_hand += 1;
            return None;
        };
        if fix.applicability < least {
            self.left.unsafe_ones += 1;
            return None;
        }
        // Fixes of the context leave the URL itself as it is.
        let in_text = (!fix.url_edits.is_empty()).then(|| in_text(&fix));
        let is_users = diagnostic.rule == Rule::RestrictedUrl;
        Some(Proposal {
            fix,
            in_text,
            is_users,
        })
    }
}

impl UrlState {
    fn new(
        candidate: &Candidate<'_>,
        standard: Standard,
        errors: BTreeMap<Rule, u32>,
        proposals: Vec<Proposal>,
    ) -> Self {
        let text = if proposals.is_empty() {
            Vec::new()
        } else {
            candidate.text.to_vec()
        };
        UrlState {
            standard,
            hash: hash(&candidate.text),
            delimiter: candidate.delimiter,
            text,
            errors: errors.into_iter().collect(),
            proposals,
        }
    }

    /// Returns whether the fixes `taken` together are as safe as each of them alone.
    fn stay_safe(&self, taken: Option<&Vec<&Proposal>>) -> bool {
        let taken = taken.into_iter().flatten();
        let wanted = taken.clone().map(|proposal| {
            if proposal.is_users {
                Applicability::Unsafe
            } else {
                proposal.fix.applicability
            }
        });
        let wanted = wanted.min();
        let fixes = taken.map(|proposal| &proposal.fix);
        let edits = fixes.flat_map(|fix| &fix.url_edits);
        let mut edits: Vec<_> = edits
            .map(|edit| (edit.part, edit.replacement.as_str()))
            .collect();
        edits.sort_by_key(|(part, _)| *part);
        let before = Before::new(self.standard, &self.text);
        wanted.is_none_or(|wanted| before.highest(&edits, wanted) >= wanted)
    }

    /// Returns whether `now` is exactly this URL after the fixes `taken`, without a new error.
    pub(super) fn became(&self, now: &UrlState, taken: Option<&Vec<&Proposal>>) -> bool {
        let edits: Vec<_> = taken
            .into_iter()
            .flatten()
            .filter_map(|proposal| proposal.in_text.as_ref())
            .collect();
        let expected = if edits.is_empty() {
            self.hash
        } else {
            if !self.stay_safe(taken) {
                return false;
            }
            let applied = apply(&self.text, edits.iter().copied());
            if applied.taken.len() < edits.len() {
                return false;
            }
            hash(&applied.bytes)
        };
        let had = |rule| {
            let found = self.errors.binary_search_by_key(&rule, |&(rule, _)| rule);
            found.map_or(0, |at| self.errors[at].1)
        };
        // A bare URL that was wrapped must be read as wrapped: `<URL:` at the start of a message
        // looks like the name of a header field.
        let mut fixes = taken
            .into_iter()
            .flatten()
            .flat_map(|proposal| &proposal.fix.edits);
        let is_wrapped = fixes.any(|edit| edit.replacement.contains("<URL:"));
        let is_delimited = match (self.delimiter, now.delimiter) {
            (Delimiter::Bare, Delimiter::Wrapper) => true,
            (before, now) => before == now && (before == Delimiter::Wrapper || !is_wrapped),
        };
        is_delimited
            && now.hash == expected
            && now.errors.iter().all(|&(rule, count)| count <= had(rule))
    }
}

fn hash(text: &[u8]) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(text)
}

/// Returns `fix` as a fix of the URL's own text.
fn in_text(fix: &Fix) -> Fix {
    let edits = fix.url_edits.iter().map(|edit| {
        let span = Span::new(edit.part.start.into(), edit.part.end.into());
        Edit::new(span, edit.replacement.as_str())
    });
    Fix::new(fix.message.as_str(), fix.applicability, edits.collect())
}
