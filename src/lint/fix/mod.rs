//! Making fixes: edits of source bytes that leave all other bytes as they are, and make no URL
//! worse.
//!
//! [`apply()`] makes the fixes it is given; [`mend()`] makes all fixes of a source, except those
//! that would do harm.

mod mend;
mod replacement;
mod structure;
mod url;

use std::collections::BTreeMap;

pub use mend::{Mended, mend, would_make};
pub use replacement::Replacement;
#[doc(hidden)]
pub use structure::adds_only_comments;
pub use url::Left;

use crate::diagnostic::{Edit, Fix};
use urlint_standard::text::Span;

/// A source after fixes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Applied {
    /// The bytes of the source now.
    pub bytes: Vec<u8>,
    /// The indices of the fixes that were made, in the order of the source.
    pub taken: Vec<usize>,
    /// The edits of these fixes, in the order of the source.
    pub replacements: Vec<Replacement>,
}

/// Makes `fixes` in `source`. A fix is made as a whole or not at all. If two fixes overlap or
/// insert at the same offset, only the one that begins first is made, or the first in the list if
/// both begin there; the other can be made once the source has been checked again. A fix that
/// changes nothing, or reaches beyond the source, is not made.
///
/// ```
/// use urlint::{Settings, fix};
///
/// let source = b"<URL:http://a.example/~joe> and <URL:http://b.example/x}>";
/// let diagnostics = urlint::check(source, &Settings::default());
/// let fixes = diagnostics.iter().filter_map(|diagnostic| diagnostic.fix.as_ref());
/// let fixed = fix::apply(source, fixes);
/// assert_eq!(fixed.bytes, b"<URL:http://a.example/%7Ejoe> and <URL:http://b.example/x%7D>");
/// assert_eq!(fixed.taken, [0, 1]);
/// ```
#[must_use]
pub fn apply<'f>(source: &[u8], fixes: impl IntoIterator<Item = &'f Fix>) -> Applied {
    let mut fixes: Vec<_> = fixes.into_iter().enumerate().collect();
    fixes.retain(|(_, fix)| is_possible(source, fix));
    fixes.sort_by_key(|(_, fix)| fix.edits.first().map(|edit| edit.span.start));
    let mut edits: BTreeMap<u64, &Edit> = BTreeMap::new();
    let mut taken = Vec::new();
    for (index, fix) in fixes {
        if fix.edits.iter().all(|edit| is_free(&edits, edit.span)) {
            edits.extend(fix.edits.iter().map(|edit| (edit.span.start, edit)));
            taken.push(index);
        }
    }
    let mut bytes = Vec::with_capacity(source.len());
    let mut replacements = Vec::with_capacity(edits.len());
    let mut at = 0;
    for edit in edits.values() {
        bytes.extend_from_slice(Span::new(at, edit.span.start).slice(source));
        let start = bytes.len() as u64;
        bytes.extend_from_slice(edit.replacement.as_bytes());
        replacements.push(Replacement {
            old: edit.span,
            new: Span::new(start, bytes.len() as u64),
        });
        at = edit.span.end;
    }
    bytes.extend_from_slice(Span::new(at, source.len() as u64).slice(source));
    Applied {
        bytes,
        taken,
        replacements,
    }
}

/// Returns whether the edits are in order, lie in the source and change something.
fn is_possible(source: &[u8], fix: &Fix) -> bool {
    let mut pairs = fix.edits.iter().zip(fix.edits.iter().skip(1));
    let ordered = pairs.all(|(a, b)| a.span.end <= b.span.start && a.span.start < b.span.start);
    let inside = |edit: &Edit| edit.span.end <= source.len() as u64;
    let changes = |edit: &Edit| edit.span.slice(source) != edit.replacement.as_bytes();
    ordered && fix.edits.iter().all(inside) && fix.edits.iter().any(changes)
}

/// Returns whether none of `edits`, which are disjoint, overlaps `span`, begins where it begins, or touches
/// it where one of the two is an insertion.
fn is_free(edits: &BTreeMap<u64, &Edit>, span: Span) -> bool {
    let apart = |left: Span, right: Span| {
        left.start != right.start
            && (left.end < right.start
                || (left.end == right.start && !left.is_empty() && !right.is_empty()))
    };
    let before = edits.range(..=span.start).next_back();
    let after = edits.range(span.start..).next();
    before.is_none_or(|(_, edit)| apart(edit.span, span))
        && after.is_none_or(|(_, edit)| apart(span, edit.span))
}

#[cfg(test)]
mod tests;
