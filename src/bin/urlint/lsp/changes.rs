//! Edits of a document in the form of the protocol.

use std::collections::HashMap;
use std::ops::Range;

use gen_lsp_types as lsp;
use urlint::lint::Edit;

use super::document::Document;

/// A range of bytes and what replaces it.
pub(super) type Change = (Range<usize>, String);

/// Returns `edits` of a text as changes of it, or `None` if one would split a character.
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
