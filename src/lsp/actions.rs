//! Code actions for the diagnostics of a range. They are computed from the document
//! alone; the diagnostics that the editor sends along are not used.

use serde_json::{Value, json};
use urlint_lint::{Applicability, Diagnostic, Edit, Fix, Rule};
use urlint_standard::Span;

use super::analysis::{Analysis, Subject};
use super::capabilities::{Client, FIX_ALL, QUICK_FIX};
use super::diagnostics;
use super::document::Document;
use super::positions::Range;
use urlint_lint::add_ignore;

/// The most diagnostics for which actions are offered at once.
const MOST: usize = 16;
/// The most bytes that are read for this: the document is read again for each diagnostic, so there are
/// fewer in a long one.
const MOST_READ: usize = 16 << 20;

/// The longest document in which all fixes are offered without being asked for, in bytes.
const MAX_UNASKED: usize = 1 << 20;

/// A document, and its URLs and diagnostics.
pub(super) struct Actions<'a> {
    pub(super) document: &'a Document,
    pub(super) analysis: &'a Analysis,
    pub(super) subject: Subject<'a>,
    pub(super) client: &'a Client,
}

impl Actions<'_> {
    /// Returns the actions for `range`, only of these `kinds` if the editor asks for some.
    pub(super) fn all(&self, range: Range, kinds: Option<&[String]>) -> Vec<Value> {
        let mut actions = Vec::new();
        let text = &self.document.text;
        let (start, end) = (text.offset(range.start), text.offset(range.end));
        let range = Span::new(start as u64, end.max(start) as u64);
        if is_wanted(QUICK_FIX, kinds) {
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
        let is_short = self.document.text.bytes().len() <= MAX_UNASKED;
        if is_wanted(FIX_ALL, kinds) && (kinds.is_some() || is_short) {
            actions.extend(self.fix_all());
        }
        actions
    }

    /// Returns the action that makes the fix of a diagnostic.
    fn fix(&self, diagnostic: &Diagnostic) -> Option<Value> {
        let text = self.document.text.as_str();
        let fix = diagnostic.fix.as_ref()?;
        if fix.applicability == Applicability::DisplayOnly
            || !self.subject.would_make(text, diagnostic)
        {
            return None;
        }
        let is_safe = fix.applicability == Applicability::Safe;
        let title = title(fix, diagnostic.rule);
        self.quick_fix(&title, diagnostic, &fix.edits, is_safe)
    }

    /// Returns the action that adds a suppression comment, if the comment changes nothing else.
    fn ignore(&self, diagnostic: &Diagnostic) -> Option<Value> {
        if diagnostic.rule == Rule::UnusedSuppression {
            return None;
        }
        let (checker, reader) = (self.subject.checker(), self.subject.reader());
        let (name, text) = (self.subject.name.as_bytes(), self.document.text.bytes());
        let comment = add_ignore::insertion(&checker, &reader, name, text, diagnostic)?;
        let title = format!("Ignore here [{}]", diagnostic.rule);
        self.quick_fix(&title, diagnostic, &comment.edits, false)
    }

    fn quick_fix(
        &self,
        title: &str,
        diagnostic: &Diagnostic,
        edits: &[Edit],
        is_preferred: bool,
    ) -> Option<Value> {
        let mut action = self.action(title, QUICK_FIX, edits)?;
        action["diagnostics"] = json!([diagnostics::of(diagnostic, self.document, self.client)]);
        if is_preferred {
            action["isPreferred"] = json!(true);
        }
        Some(action)
    }

    /// Returns an action that makes `edits`, which are in order, in the current version of the document;
    /// `None` if one would split a character.
    fn action(&self, title: &str, kind: &str, edits: &[Edit]) -> Option<Value> {
        let Document {
            uri, version, text, ..
        } = self.document;
        let edits = edits.iter().map(|edit| {
            let Span { start, end } = edit.span;
            text.as_str().get(start as usize..end as usize)?;
            Some(json!({ "range": text.range(edit.span), "newText": edit.replacement }))
        });
        let edits = edits.collect::<Option<Vec<_>>>()?;
        let edit = if self.client.has_versioned_edits {
            let document = json!({ "uri": uri, "version": version });
            json!({ "documentChanges": [{ "textDocument": document, "edits": edits }] })
        } else {
            json!({ "changes": { uri: edits } })
        };
        Some(json!({ "title": title, "kind": kind, "edit": edit }))
    }

    /// Returns the action that does what `urlint check --fix` does.
    fn fix_all(&self) -> Option<Value> {
        let least = Applicability::least(self.subject.rules.settings.resolved.unsafe_fixes());
        let fixes = self.analysis.diagnostics.iter();
        let fixes = fixes.filter_map(|diagnostic| Some(diagnostic.fix.as_ref()?.applicability));
        let lowest = fixes
            .filter(|applicability| *applicability >= least)
            .min()?;
        let edits = self.subject.mended(self.document.text.as_str(), least)?;
        let title = match lowest {
            Applicability::Safe => "Make all safe fixes of URLs",
            _ => "Make all fixes of URLs, unsafe ones too",
        };
        self.action(title, FIX_ALL, &edits)
    }
}

/// Returns whether the editor wants actions of this kind: whether it asks for all, or for a kind that
/// includes this one.
fn is_wanted(kind: &str, kinds: Option<&[String]>) -> bool {
    let includes = |wanted: &String| {
        let rest = kind.strip_prefix(wanted.as_str());
        rest.is_some_and(|rest| wanted.is_empty() || rest.is_empty() || rest.starts_with('.'))
    };
    kinds.is_none_or(|kinds| kinds.iter().any(includes))
}

/// Returns whether a span of the diagnostic touches the range.
fn touches(diagnostic: &Diagnostic, range: Span) -> bool {
    let touches = |span: Span| span.start <= range.end && range.start <= span.end;
    touches(diagnostic.first_place()) || diagnostic.spans.iter().any(touches)
}

fn title(fix: &Fix, rule: Rule) -> String {
    let how = match fix.applicability {
        Applicability::Safe => "",
        _ => ", unsafe",
    };
    let mut title = format!("{} [{rule}{how}]", fix.message);
    if let Some(first) = title.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    title
}
