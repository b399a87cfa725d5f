//! A URL before and after its fixes.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use super::apply;
use crate::find::candidate::Delimiter;
use crate::lint::diagnostic::{Applicability, Diagnostic, Fix};
use crate::lint::lint;
use crate::lint::rule::{Group, Rule, Severity};
use crate::lint::settings::{Selection, Selector, Settings};
use crate::read::Found;
use crate::text::span::{Span, Spans};

/// A fix that may be made.
#[derive(Clone, Debug)]
pub(super) struct Proposal {
    pub(super) fix: Fix,
    /// What it does to the text of the URL, if anything.
    in_text: Option<Fix>,
}

/// What has to be known of a URL to tell whether it has become worse.
#[derive(Debug)]
pub(super) struct Url {
    /// A hash of its text.
    hash: u64,
    delimiter: Delimiter,
    /// Its text, if there are proposals.
    text: Vec<u8>,
    /// How many errors it has of each rule.
    errors: Vec<(Rule, u32)>,
    pub(super) proposals: Vec<Proposal>,
}

impl Url {
    pub(super) fn new(
        found: &Found<'_>,
        diagnostics: Vec<Diagnostic>,
        least: Applicability,
        settings: &Settings,
    ) -> Self {
        let mut errors: BTreeMap<Rule, u32> = BTreeMap::new();
        found.lint(settings, &mut |diagnostic| {
            if diagnostic.severity == Severity::Error {
                *errors.entry(diagnostic.rule).or_default() += 1;
            }
        });
        let proposals = proposed(found, diagnostics, least);
        let text = match proposals.is_empty() {
            true => Vec::new(),
            false => found.candidate.text.to_vec(),
        };
        Url {
            hash: hash(&found.candidate.text),
            delimiter: found.candidate.delimiter,
            text,
            errors: errors.into_iter().collect(),
            proposals,
        }
    }

    /// Whether `now` is this URL after `taken` and nothing else, with no error that this has not.
    pub(super) fn became(&self, now: &Url, taken: Option<&Vec<&Proposal>>) -> bool {
        let edits: Vec<_> = taken
            .into_iter()
            .flatten()
            .filter_map(|proposal| proposal.in_text.as_ref())
            .collect();
        let expected = match edits.is_empty() {
            true => self.hash,
            false => {
                let applied = apply(&self.text, edits.iter().copied());
                if applied.taken.len() < edits.len() {
                    return false;
                }
                hash(&applied.bytes)
            }
        };
        let had = |rule| {
            let found = self.errors.binary_search_by_key(&rule, |&(rule, _)| rule);
            found.map_or(0, |at| self.errors[at].1)
        };
        // What is bare may have been wrapped.
        let marked_off = now.delimiter == self.delimiter
            || (self.delimiter, now.delimiter) == (Delimiter::Bare, Delimiter::Wrapper);
        marked_off
            && now.hash == expected
            && now.errors.iter().all(|&(rule, count)| count <= had(rule))
    }
}

fn hash(text: &[u8]) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(text)
}

/// The fixes that may be made, each with what it does to the text of the URL.
fn proposed(
    found: &Found<'_>,
    diagnostics: Vec<Diagnostic>,
    least: Applicability,
) -> Vec<Proposal> {
    let mut diagnostics = diagnostics;
    diagnostics.retain(|diagnostic| {
        let fix = diagnostic.fix.as_ref();
        fix.is_some_and(|fix| fix.applicability >= least)
    });
    if diagnostics.is_empty() {
        return Vec::new();
    }
    let own = own_fixes(found, &diagnostics);
    let pieces = match found.origin {
        None => &found.candidate.pieces,
        Some(origin) => &origin.candidate.pieces,
    };
    let proposal = |(diagnostic, own): (Diagnostic, Option<Fix>)| {
        let fix = diagnostic.fix?;
        // How a URL stands in its text is mended without touching the URL.
        let in_text = match diagnostic.rule.group() {
            Group::Context => None,
            _ => Some(in_text(own?, pieces)?),
        };
        Some(Proposal { fix, in_text })
    };
    diagnostics
        .into_iter()
        .zip(own)
        .filter_map(proposal)
        .collect()
}

/// The fixes of `diagnostics` as edits of what the candidate was found in: the source or a view.
fn own_fixes(found: &Found<'_>, diagnostics: &[Diagnostic]) -> Vec<Option<Fix>> {
    let Some(origin) = found.origin else {
        return diagnostics
            .iter()
            .map(|diagnostic| diagnostic.fix.clone())
            .collect();
    };
    let mut selection = Selection::none();
    for diagnostic in diagnostics {
        selection.add(Selector::Rule(diagnostic.rule));
    }
    let settings = Settings {
        selection,
        ..Settings::default()
    };
    let mut own: BTreeMap<(u64, Rule), Fix> = BTreeMap::new();
    lint(origin.candidate, &settings, &mut |diagnostic| {
        let place = origin.view.spans(&diagnostic.spans).start();
        if let Some(fix) = diagnostic.fix {
            own.entry((place, diagnostic.rule)).or_insert(fix);
        }
    });
    let of = |diagnostic: &Diagnostic| own.remove(&(diagnostic.spans.start(), diagnostic.rule));
    diagnostics.iter().map(of).collect()
}

/// `fix` as edits of the text that stands at `pieces`.
fn in_text(mut fix: Fix, pieces: &Spans) -> Option<Fix> {
    for edit in &mut fix.edits {
        let mut passed = 0;
        let mut place = None;
        for piece in pieces.iter() {
            if place.is_none() && piece.start <= edit.span.start && edit.span.end <= piece.end {
                place = Some(passed + edit.span.start - piece.start);
            }
            passed += piece.len();
        }
        let start = place?;
        edit.span = Span::new(start, start + edit.span.len());
    }
    Some(fix)
}
