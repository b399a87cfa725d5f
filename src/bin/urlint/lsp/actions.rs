//! Code actions: what can be done about the diagnostics of a range. They are computed from the document
//! alone; the diagnostics that the editor sends along are not used.

use std::collections::HashMap;

use gen_lsp_types as lsp;
use lsp::CodeActionKind;
use urlint::lint::{Applicability, Edit, Fix};
use urlint::{Diagnostic, Rule, Span};

use super::analysis::{Analysis, Subject};
use super::capabilities::{Client, FIX_ALL};
use super::diagnostics;
use super::document::Document;
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
            let fixes = touched.iter().filter_map(|diagnostic| self.fix(diagnostic));
            let comments = touched
                .iter()
                .filter_map(|diagnostic| self.ignore(diagnostic));
            actions.extend(fixes.chain(comments));
        }
        let fix_all = CodeActionKind::Custom(FIX_ALL.into());
        let is_short = self.document.text.bytes().len() <= MAX_UNASKED;
        if is_wanted(&fix_all, kinds) && (kinds.is_some() || is_short) {
            actions.extend(self.fix_all(fix_all));
        }
        actions
    }

    /// Returns the action that makes the fix of a diagnostic.
    fn fix(&self, diagnostic: &Diagnostic) -> Option<lsp::CodeAction> {
        let text = self.document.text.as_str();
        let fix = diagnostic.fix.as_ref()?;
        if fix.applicability == Applicability::DisplayOnly
            || !self.subject.would_make(text, diagnostic, fix)
        {
            return None;
        }
        let is_safe = fix.applicability == Applicability::Safe;
        let title = title(fix, diagnostic.rule);
        self.quick_fix(title, diagnostic, &fix.edits, is_safe)
    }

    /// Returns the action that adds a suppression comment, if the comment changes nothing else.
    fn ignore(&self, diagnostic: &Diagnostic) -> Option<lsp::CodeAction> {
        if diagnostic.rule == Rule::UnusedSuppression {
            return None;
        }
        let subject = add_ignore::Subject {
            settings: &self.subject.rules.settings,
            reader: &self.subject.reader(),
            name: self.subject.name.as_bytes(),
        };
        let comment = subject.with_one(self.document.text.bytes(), diagnostic)?;
        let title = format!("Ignore here [{}]", diagnostic.rule);
        self.quick_fix(title, diagnostic, &comment.edits, false)
    }

    fn quick_fix(
        &self,
        title: String,
        diagnostic: &Diagnostic,
        edits: &[Edit],
        is_preferred: bool,
    ) -> Option<lsp::CodeAction> {
        let about = diagnostics::of(diagnostic, self.document, self.client);
        Some(lsp::CodeAction {
            diagnostics: Some(vec![about]),
            is_preferred: is_preferred.then_some(true),
            ..self.action(title, CodeActionKind::QuickFix, edits)?
        })
    }

    /// Returns an action that makes `edits`, which are in order; `None` if one would split a character.
    fn action(
        &self,
        title: String,
        kind: CodeActionKind,
        edits: &[Edit],
    ) -> Option<lsp::CodeAction> {
        let text = &self.document.text;
        let edits = edits.iter().map(|edit| {
            let Span { start, end } = edit.span;
            text.as_str().get(start as usize..end as usize)?;
            Some(lsp::TextEdit {
                range: text.range(edit.span),
                new_text: edit.replacement.clone(),
            })
        });
        let edits = edits.collect::<Option<Vec<_>>>()?;
        Some(lsp::CodeAction {
            title,
            kind: Some(kind),
            edit: Some(self.workspace_edit(edits)),
            ..lsp::CodeAction::default()
        })
    }

    /// Returns `edits` of the document, for its current version if the editor knows versions.
    fn workspace_edit(&self, edits: Vec<lsp::TextEdit>) -> lsp::WorkspaceEdit {
        let (uri, version) = (self.document.uri.clone(), self.document.version);
        if !self.client.has_versioned_edits {
            return lsp::WorkspaceEdit {
                changes: Some(HashMap::from([(uri, edits)])),
                ..lsp::WorkspaceEdit::default()
            };
        }
        let change = lsp::TextDocumentEdit {
            text_document: lsp::OptionalVersionedTextDocumentIdentifier {
                version: Some(version),
                text_document_identifier: lsp::TextDocumentIdentifier { uri },
            },
            edits: edits.into_iter().map(lsp::Edit::TextEdit).collect(),
        };
        lsp::WorkspaceEdit {
            document_changes: Some(vec![lsp::DocumentChange::TextDocumentEdit(change)]),
            ..lsp::WorkspaceEdit::default()
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
        let edits = self.subject.mended(self.document.text.as_str(), least)?;
        self.action("Make all safe fixes of URLs".to_owned(), kind, &edits)
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
