//! Which bytes of a source were replaced by fixes that were made one after another.

use urlint_standard::text::Span;

/// Bytes of a source that fixes have replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Replacement {
    /// Where they were in the source. An empty span is a place where something was inserted.
    pub old: Span,
    /// Where their replacement is in the fixed text; empty if they were deleted.
    pub new: Span,
}

/// Returns the replacements `first` in a text, and `then` in the text after them, as replacements
/// in the first text. All are in order, and those that touch become one.
pub(super) fn composed(first: &[Replacement], then: &[Replacement]) -> Vec<Replacement> {
    // Offsets in the text between the two.
    let made = first.iter().map(|replacement| replacement.new);
    let replaced = then.iter().map(|replacement| replacement.old);
    let mut touched: Vec<_> = made.chain(replaced).collect();
    touched.sort_unstable_by_key(|span| (span.start, span.end));
    touched.dedup_by(|next, kept| {
        let touches = next.start <= kept.end;
        if touches {
            kept.end = kept.end.max(next.end);
        }
        touches
    });
    let back = first.iter().map(|made| (made.new.end, made.old.end));
    let forth = then.iter().map(|made| (made.old.end, made.new.end));
    let (back, forth): (Vec<_>, Vec<_>) = (back.collect(), forth.collect());
    let composed = touched.into_iter().map(|span| Replacement {
        old: moved(span, &back),
        new: moved(span, &forth),
    });
    composed.collect()
}

/// Returns where `span` of a text is in another text. `ends` are the offsets after each place at
/// which the two differ, in this text and in the other; `span` covers such places or is apart from
/// them.
fn moved(span: Span, ends: &[(u64, u64)]) -> Span {
    let moved = |at: u64, passed: usize| match ends[..passed].last() {
        Some((here, there)) => at - here + there,
        None => at,
    };
    let before = ends.partition_point(|(here, _)| *here < span.start);
    let within = ends.partition_point(|(here, _)| *here <= span.end);
    Span::new(moved(span.start, before), moved(span.end, within))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::diagnostic::{Applicability, Edit, Fix};
    use crate::fix::apply;
    use urlint_testing::tries;

    /// Returns `old` with the replaced parts taken from `new`.
    fn rebuilt(old: &[u8], new: &[u8], replacements: &[Replacement]) -> Vec<u8> {
        let (mut bytes, mut at) = (Vec::new(), 0);
        for replacement in replacements {
            assert!(at == 0 || at < replacement.old.start, "{replacements:?}");
            bytes.extend_from_slice(Span::new(at, replacement.old.start).slice(old));
            bytes.extend_from_slice(replacement.new.slice(new));
            at = replacement.old.end;
        }
        bytes.extend_from_slice(Span::new(at, old.len() as u64).slice(old));
        bytes
    }

    #[test]
    fn a_replacement_in_a_replacement_is_one() {
        let replacement = |old: (u64, u64), new: (u64, u64)| Replacement {
            old: Span::new(old.0, old.1),
            new: Span::new(new.0, new.1),
        };
        // `abcdef`, `aXYef`, `aXZf!`.
        let first = [replacement((1, 4), (1, 3))];
        let then = [replacement((2, 4), (2, 3)), replacement((5, 5), (4, 5))];
        let both = [replacement((1, 5), (1, 3)), replacement((6, 6), (4, 5))];
        assert_eq!(composed(&first, &then), both);
    }

    proptest! {
        #![proptest_config(tries(20_000))]

        #[test]
        fn all_passes_together_give_the_last_text(
            old in "[ab]{0,12}",
            passes in prop::collection::vec(
                prop::collection::vec((0..14u64, 0..4u64, "[a-d]{0,3}"), 0..4), 0..4),
        ) {
            let old = old.as_bytes();
            let (mut bytes, mut replacements) = (old.to_vec(), Vec::new());
            for edits in &passes {
                let fixes = edits.iter().map(|(at, length, text)| {
                    let edit = Edit::new(Span::new(*at, at + length), text.as_str());
                    Fix::new("", Applicability::Safe, vec![edit])
                });
                let fixes: Vec<_> = fixes.collect();
                let applied = apply(&bytes, &fixes);
                replacements = composed(&replacements, &applied.replacements);
                bytes = applied.bytes;
            }
            prop_assert_eq!(rebuilt(old, &bytes, &replacements), bytes);
        }
    }
}
