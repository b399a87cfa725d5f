//! Names of rules and groups in the brackets of a suppression comment.

use gen_lsp_types as lsp;
use urlint::lint::Group;
use urlint::{Rule, Span};

use super::document::Document;

/// The keywords that may precede the brackets.
const KEYWORDS: [&str; 4] = ["ignore", "file-ignore", "disable", "enable"];

/// Returns the names that are possible at `position`: none outside of a suppression comment.
pub(super) fn at(position: lsp::Position, document: &Document) -> Vec<lsp::CompletionItem> {
    let at = document.text.offset(position);
    let Some(name) = name_before(document.text.line_before(at)) else {
        return Vec::new();
    };
    let range = Span::new((at - name.len()) as u64, at as u64);
    let range = document.text.range(range);
    let item = |name: &str, detail: String, kind| lsp::CompletionItem {
        label: name.to_owned(),
        kind: Some(kind),
        detail: Some(detail),
        text_edit: Some(lsp::CompletionItemTextEdit::TextEdit(lsp::TextEdit {
            range,
            new_text: name.to_owned(),
        })),
        ..lsp::CompletionItem::default()
    };
    let rule = |rule: &Rule| {
        let kind = lsp::CompletionItemKind::EnumMember;
        item(rule.name(), rule.summary().to_owned(), kind)
    };
    let group = |group: &Group| {
        let detail = format!("all rules of the group {group}");
        item(group.name(), detail, lsp::CompletionItemKind::Enum)
    };
    let rules = Rule::ALL.iter().map(rule);
    rules.chain(Group::ALL.iter().map(group)).collect()
}

/// Returns the part of a name before the cursor, if the cursor is in the brackets of a suppression
/// comment. `line` ends at the cursor.
fn name_before(line: &str) -> Option<&str> {
    let (_, comment) = line.rsplit_once("urlint:")?;
    let comment = comment.strip_prefix(' ').unwrap_or(comment);
    let (keyword, names) = comment.split_once('[')?;
    if !KEYWORDS.contains(&keyword) || names.contains(']') {
        return None;
    }
    names.rsplit(',').next().map(str::trim_start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_expected_only_in_brackets() {
        for (line, expected) in [
            ("# urlint: ignore[", Some("")),
            ("<!-- urlint:file-ignore[bad-p", Some("bad-p")),
            ("# urlint: disable[a, b", Some("b")),
            ("# urlint: disable[a]", None),
            ("# urlint: ignore", None),
            ("# urlint: other[", None),
            ("x[", None),
        ] {
            assert_eq!(name_before(line), expected, "{line}");
        }
    }
}
