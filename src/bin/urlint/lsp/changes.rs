//! Edits that turn a document into what it should be.

use std::collections::HashMap;
use std::ops::Range;

use gen_lsp_types as lsp;
use similar::{Algorithm, DiffTag, capture_diff_slices};
use urlint::lint::Edit;

use super::document::Document;

/// A range of bytes and what replaces it.
pub(super) type Change = (Range<usize>, String);

/// Returns the changes that turn `old` into `new`, in order and disjoint.
pub(super) fn between(old: &str, new: &str) -> Vec<Change> {
    let old_lines: Vec<_> = old.split_inclusive('\n').collect();
    let new_lines: Vec<_> = new.split_inclusive('\n').collect();
    let length = |lines: &[&str]| lines.iter().map(|line| line.len()).sum::<usize>();
    let (mut from, mut to) = (0, 0);
    let mut changes = Vec::new();
    for op in capture_diff_slices(Algorithm::Myers, &old_lines, &new_lines) {
        let old_end = from + length(&old_lines[op.old_range()]);
        let new_end = to + length(&new_lines[op.new_range()]);
        if op.tag() != DiffTag::Equal {
            changes.push(trimmed(old, from..old_end, &new[to..new_end]));
        }
        (from, to) = (old_end, new_end);
    }
    changes
}

/// Returns the change without the text that stays the same at its beginning and its end.
fn trimmed(old: &str, range: Range<usize>, new: &str) -> Change {
    let text = &old[range.clone()];
    let same = |(a, b): &(char, char)| a == b;
    let head = text.chars().zip(new.chars()).take_while(same);
    let head: usize = head.map(|(c, _)| c.len_utf8()).sum();
    let (text, new) = (&text[head..], &new[head..]);
    let tail = text.chars().rev().zip(new.chars().rev()).take_while(same);
    let tail: usize = tail.map(|(c, _)| c.len_utf8()).sum();
    let replaced = range.start + head..range.end - tail;
    (replaced, new[..new.len() - tail].to_owned())
}

/// Returns the changes of a fix's `edits`, or `None` if one would split a character.
pub(super) fn of_edits(text: &str, edits: &[Edit]) -> Option<Vec<Change>> {
    let change = |edit: &Edit| {
        let start = usize::try_from(edit.span.start).ok()?;
        let end = usize::try_from(edit.span.end).ok()?;
        text.get(start..end)?;
        Some((start..end, edit.replacement.clone()))
    };
    edits.iter().map(change).collect()
}

/// Returns `changes`, which are in order and disjoint, as an edit of the document, for its current version
/// if `is_versioned`.
pub(super) fn edit(
    document: &Document,
    changes: Vec<Change>,
    is_versioned: bool,
) -> lsp::WorkspaceEdit {
    let edits = changes.into_iter().map(|(range, new_text)| {
        let span = urlint::Span::new(range.start as u64, range.end as u64);
        lsp::TextEdit {
            range: document.text.range(span),
            new_text,
        }
    });
    if !is_versioned {
        return lsp::WorkspaceEdit {
            changes: Some(HashMap::from([(document.uri.clone(), edits.collect())])),
            ..lsp::WorkspaceEdit::default()
        };
    }
    let text_document = lsp::OptionalVersionedTextDocumentIdentifier {
        version: Some(document.version),
        text_document_identifier: lsp::TextDocumentIdentifier {
            uri: document.uri.clone(),
        },
    };
    let edits = edits.map(lsp::Edit::TextEdit).collect();
    let change = lsp::TextDocumentEdit {
        text_document,
        edits,
    };
    lsp::WorkspaceEdit {
        document_changes: Some(vec![lsp::DocumentChange::TextDocumentEdit(change)]),
        ..lsp::WorkspaceEdit::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    use crate::tries::tries;

    fn applied(old: &str, changes: &[Change]) -> String {
        let mut new = old.to_owned();
        for (range, text) in changes.iter().rev() {
            new.replace_range(range.clone(), text);
        }
        new
    }

    proptest! {
        #![proptest_config(tries(2000))]

        #[test]
        fn the_changes_between_two_texts_turn_one_into_the_other(
            old in "[ab\nñ]{0,20}", new in "[ab\nñ]{0,20}",
        ) {
            let changes = between(&old, &new);
            prop_assert_eq!(applied(&old, &changes), new);
        }
    }
}
