//! Code actions: what can be done about the diagnostics of a range. They are computed from the document
//! alone; the diagnostics that the editor sends along are not used.

use std::path::Path;

use gen_lsp_types as lsp;
use lsp::CodeActionKind;
use urlint::document::Kind;
use urlint::find::Delimiter;
use urlint::lint::{Applicability, Fix};
use urlint::{Candidate, Diagnostic, Rule, Span};

use super::analysis::{Alternative, Analysis, Subject, Url};
use super::capabilities::{Client, FIX_ALL};
use super::changes::{self, Change};
use super::config::HYPHENS;
use super::diagnostics;
use super::document::Document;
use super::links::shown;
use crate::add_ignore;

/// The most diagnostics for which actions are offered at once.
const MOST: usize = 16;
/// The most bytes that are read for this: the document is read again for each diagnostic, so there are
/// fewer in a long one.
const MOST_READ: usize = 16 << 20;

/// The longest document in which all fixes are offered without being asked for, in bytes.
const MAX_UNASKED: usize = 1 << 20;

/// A document, and what was found in it.
pub(super) struct Actions<'a> {
    pub(super) document: &'a Document,
    pub(super) analysis: &'a Analysis,
    pub(super) subject: Subject<'a>,
    pub(super) client: &'a Client,
}

impl Actions<'_> {
    /// Returns the actions for `range`, only of these `kinds` if the editor asks for some.
    pub(super) fn all(
        &self,
        range: lsp::Range,
        kinds: Option<&[CodeActionKind]>,
    ) -> Vec<lsp::CodeAction> {
        let mut actions = Vec::new();
        let text = &self.document.text;
        let (start, end) = (text.offset(range.start), text.offset(range.end));
        let range = Span::new(start as u64, end.max(start) as u64);
        if is_wanted(&CodeActionKind::QuickFix, kinds) {
            let all = self.analysis.diagnostics.iter();
            let touched = all.filter(|diagnostic| touches(diagnostic, range));
            let most = (MOST_READ / text.bytes().len().max(1)).clamp(1, MOST);
            let touched: Vec<_> = touched.take(most).collect();
            for diagnostic in &touched {
                self.fixes(diagnostic, &mut actions);
            }
            let choices = self.analysis.choices.iter();
            let choices = choices.filter(|choice| {
                let mut pieces = choice.pieces.iter();
                pieces.any(|piece| piece.start <= range.end && range.start <= piece.end)
            });
            for choice in choices.take(most) {
                self.fixes(choice, &mut actions);
            }
            for diagnostic in &touched {
                actions.extend(self.ignore(diagnostic));
            }
        }
        if is_wanted(&CodeActionKind::RefactorRewrite, kinds) {
            actions.extend(self.wrap(range));
        }
        let fix_all = CodeActionKind::Custom(FIX_ALL.into());
        let is_short = self.document.text.bytes().len() <= MAX_UNASKED;
        if is_wanted(&fix_all, kinds) && (kinds.is_some() || is_short) {
            actions.extend(self.fix_all(fix_all));
        }
        actions
    }

    /// Adds the fix of a diagnostic, and the other readings of its URL.
    fn fixes(&self, diagnostic: &Diagnostic, actions: &mut Vec<lsp::CodeAction>) {
        let text = self.document.text.as_str();
        let Some(fix) = &diagnostic.fix else {
            return;
        };
        if fix.applicability == Applicability::DisplayOnly
            || !self.subject.would_make(text, diagnostic, fix)
        {
            return;
        }
        let Some(edits) = changes::of_edits(text, &fix.edits) else {
            return;
        };
        let title = title(fix, diagnostic.rule);
        let is_safe = fix.applicability == Applicability::Safe;
        actions.push(self.quick_fix(title, diagnostic, edits, is_safe));
        // The lines can be joined with the hyphen or without it.
        if HYPHENS.contains(&diagnostic.rule) {
            let is_same = |url: &&Url| url.outer == diagnostic.outer;
            let url = self.analysis.urls.iter().find(is_same);
            let others = url.into_iter().flat_map(|url| &url.alternatives);
            for other in others {
                actions.extend(self.reading(diagnostic, other));
            }
        }
    }

    /// Returns the action that joins the lines of a URL in another reading, if the URL is then found in
    /// that reading and no other URL changes.
    fn reading(&self, diagnostic: &Diagnostic, other: &Alternative) -> Option<lsp::CodeAction> {
        let pairs = other.pieces.iter().zip(other.pieces.iter().skip(1));
        let edits =
            pairs.map(|(before, after)| (before.end as usize..after.start as usize, String::new()));
        let edits: Vec<Change> = edits.collect();
        let becomes = |_: &Candidate<'_>| other.text.as_slice();
        if !self.finds_the_same(&edits, diagnostic.outer, becomes) {
            return None;
        }
        let title = format!(
            "Join the lines, read as {} [{}, unsafe]",
            shown(&other.text),
            diagnostic.rule
        );
        Some(self.quick_fix(title, diagnostic, edits, false))
    }

    /// Returns the action that wraps the bare URL at `range` as `<URL:…>`, if there is a bare URL and it is
    /// then found in the wrapper.
    fn wrap(&self, range: Span) -> Option<lsp::CodeAction> {
        let first = self
            .analysis
            .urls
            .partition_point(|url| url.outer.end < range.start);
        let url = self.analysis.urls.get(first)?;
        // In other languages the characters of a wrapper may mean something else.
        let is_text = match url.kind {
            Kind::Mail | Kind::Mbox => true,
            Kind::Plain => {
                let extension = Path::new(self.subject.name).extension();
                extension.is_none_or(|name| name == "txt" || name == "text")
            }
            _ => false,
        };
        if !is_text || url.delimiter != Delimiter::Bare || url.outer.start > range.end {
            return None;
        }
        let (start, end) = (url.pieces.start() as usize, url.pieces.end() as usize);
        let edits = vec![
            (start..start, "<URL:".to_owned()),
            (end..end, ">".to_owned()),
        ];
        let becomes = |now: &Candidate<'_>| match now.delimiter {
            Delimiter::Wrapper => url.text.as_slice(),
            _ => b"",
        };
        if !self.finds_the_same(&edits, url.outer, becomes) {
            return None;
        }
        let title = "Wrap as <URL:…>".to_owned();
        Some(self.action(title, CodeActionKind::RefactorRewrite, edits))
    }

    /// Returns whether after `edits` each URL is found as before, except the one at `outer`, whose text must
    /// then be what `becomes` returns.
    fn finds_the_same<'b>(
        &self,
        edits: &[Change],
        outer: Span,
        becomes: impl Fn(&Candidate<'_>) -> &'b [u8],
    ) -> bool {
        let mut new = self.document.text.as_str().to_owned();
        for (range, text) in edits.iter().rev() {
            if new.get(range.clone()).is_none() {
                return false;
            }
            new.replace_range(range.clone(), text);
        }
        let mut before = self.analysis.urls.iter();
        let mut is_same = true;
        self.subject.read(new.as_bytes(), &mut |found| {
            let now = &found.candidate;
            is_same &= before.next().is_some_and(|url| {
                let expected = if url.outer == outer {
                    becomes(now)
                } else {
                    &url.text
                };
                *now.text == *expected
            });
        });
        is_same && before.next().is_none()
    }

    /// Returns the action that adds a suppression comment, if the comment changes nothing else.
    fn ignore(&self, diagnostic: &Diagnostic) -> Option<lsp::CodeAction> {
        if diagnostic.rule == Rule::UnusedSuppression {
            return None;
        }
        let text = self.document.text.as_str();
        let subject = add_ignore::Subject {
            checker: &self.subject.checker(),
            reader: &self.subject.reader(),
            name: self.subject.name.as_bytes(),
        };
        let new = subject.with_one(text.as_bytes(), diagnostic)?;
        let new = String::from_utf8(new).ok()?;
        let edits = changes::between(text, &new);
        let title = format!("Ignore here [{}]", diagnostic.rule);
        Some(self.quick_fix(title, diagnostic, edits, false))
    }

    fn quick_fix(
        &self,
        title: String,
        diagnostic: &Diagnostic,
        edits: Vec<Change>,
        is_preferred: bool,
    ) -> lsp::CodeAction {
        let (document, client) = (self.document, self.client);
        let is_reported = !self.analysis.choices.contains(diagnostic);
        let of = || vec![diagnostics::of(diagnostic, document, client)];
        lsp::CodeAction {
            diagnostics: is_reported.then(of),
            is_preferred: is_preferred.then_some(true),
            ..self.action(title, CodeActionKind::QuickFix, edits)
        }
    }

    fn action(&self, title: String, kind: CodeActionKind, edits: Vec<Change>) -> lsp::CodeAction {
        let is_versioned = self.client.has_versioned_edits;
        lsp::CodeAction {
            title,
            kind: Some(kind),
            edit: Some(changes::edit(self.document, edits, is_versioned)),
            ..lsp::CodeAction::default()
        }
    }

    /// Returns the action that does what `urlint check --fix` does.
    fn fix_all(&self, kind: CodeActionKind) -> Option<lsp::CodeAction> {
        let least = if self.subject.rules.settings.resolved.unsafe_fixes() {
            Applicability::Unsafe
        } else {
            Applicability::Safe
        };
        let may_be_made = |diagnostic: &Diagnostic| {
            let fix = diagnostic.fix.as_ref();
            fix.is_some_and(|fix| fix.applicability >= least)
        };
        if !self.analysis.diagnostics.iter().any(may_be_made) {
            return None;
        }
        let text = self.document.text.as_str();
        let new = self.subject.mended(text, least)?;
        let edits = changes::between(text, &new);
        let title = "Make all safe fixes of URLs".to_owned();
        Some(self.action(title, kind, edits))
    }
}

/// Returns whether the editor wants actions of this kind: whether it asks for all, or for a kind that
/// includes this one.
fn is_wanted(kind: &CodeActionKind, kinds: Option<&[CodeActionKind]>) -> bool {
    let name = String::from(kind.clone());
    let belongs = |wanted: &CodeActionKind| {
        let wanted = String::from(wanted.clone());
        let rest = name.strip_prefix(&wanted);
        rest.is_some_and(|rest| wanted.is_empty() || rest.is_empty() || rest.starts_with('.'))
    };
    kinds.is_none_or(|kinds| kinds.iter().any(belongs))
}

/// Returns whether a span of the diagnostic touches the range.
fn touches(diagnostic: &Diagnostic, range: Span) -> bool {
    let touches = |span: Span| span.start <= range.end && range.start <= span.end;
    touches(diagnostic.first_place()) || diagnostic.spans.iter().any(touches)
}

fn title(fix: &Fix, rule: Rule) -> String {
    let mut message = fix.message.chars();
    let first: String = message
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .collect();
    let how = match fix.applicability {
        Applicability::Safe => "",
        _ => ", unsafe",
    };
    format!("{first}{} [{rule}{how}]", message.as_str())
}
