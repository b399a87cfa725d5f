//! Edits of a document, from what it is to what it should be.

use std::collections::HashMap;
use std::ops::Range;

use gen_lsp_types as lsp;
use similar::{Algorithm, DiffTag, capture_diff_slices};
use urlint::lint::Edit;

use super::document::Document;

/// A range of bytes and what replaces it.
pub(super) type Change = (Range<usize>, String);

/// Returns what turns `old` into `new`, in order and disjoint.
pub(super) fn between(old: &str, new: &str) -> Vec<Change> {
    let (old_lines, new_lines) = (lines(old), lines(new));
    let of = |lines: &[Range<usize>], wanted: Range<usize>, length: usize| {
        let at = |line: usize| lines.get(line).map_or(length, |range| range.start);
        at(wanted.start)..at(wanted.end)
    };
    let ops = capture_diff_slices(
        Algorithm::Myers,
        &texts(old, &old_lines),
        &texts(new, &new_lines),
    );
    let changed = ops.iter().filter(|op| op.tag() != DiffTag::Equal);
    changed
        .map(|op| {
            let from = of(&old_lines, op.old_range(), old.len());
            let to = of(&new_lines, op.new_range(), new.len());
            trimmed(old, from, &new[to])
        })
        .collect()
}

fn lines(text: &str) -> Vec<Range<usize>> {
    let mut start = 0;
    let lines = text.split_inclusive('\n').map(|line| {
        let range = start..start + line.len();
        start = range.end;
        range
    });
    lines.collect()
}

fn texts<'t>(text: &'t str, lines: &[Range<usize>]) -> Vec<&'t str> {
    lines.iter().map(|line| &text[line.clone()]).collect()
}

/// Returns the change without what is the same at its beginning and its end.
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

/// Returns the changes that `edits` of a fix make, or `None` if they part a character.
pub(super) fn of_edits(text: &str, edits: &[Edit]) -> Option<Vec<Change>> {
    let change = |edit: &Edit| {
        let start = usize::try_from(edit.span.start).ok()?;
        let end = usize::try_from(edit.span.end).ok()?;
        text.get(start..end)?;
        Some((start..end, edit.replacement.clone()))
    };
    edits.iter().map(change).collect()
}

/// Returns `changes`, which are in order and disjoint, as an edit of the document: of this version of
/// it, if the editor knows of versions.
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
