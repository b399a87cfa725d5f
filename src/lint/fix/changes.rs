//! The texts that fixes have changed, looked up by prefix.

/// A text that was changed, before and after: a URL, or anything else that was edited.
pub(super) type Changed<'c> = (&'c [u8], Vec<u8>);

/// The changed texts. There may be as many changes as URLs, so each offset of a text is compared
/// with only a few of them.
pub(super) struct Changes<'c> {
    /// In order, each once.
    sorted: Vec<Changed<'c>>,
    /// For each, the nearest one before it whose text before the change is a prefix of its own, or
    /// equal.
    beginnings: Vec<Option<usize>>,
}

impl<'c> Changes<'c> {
    pub(super) fn new(mut changed: Vec<Changed<'c>>) -> Self {
        changed.retain(|(before, _)| !before.is_empty());
        changed.sort_unstable();
        changed.dedup();
        let mut beginnings: Vec<Option<usize>> = Vec::with_capacity(changed.len());
        for (index, (text, _)) in changed.iter().enumerate() {
            let mut beginning = index.checked_sub(1);
            while let Some(at) = beginning.filter(|&at| !text.starts_with(changed[at].0)) {
                beginning = beginnings[at];
            }
            beginnings.push(beginning);
        }
        Changes {
            sorted: changed,
            beginnings,
        }
    }

    /// Returns whether `new` is `old` with only some of these changes made.
    pub(super) fn explain(&self, old: &[u8], new: &[u8]) -> bool {
        let (mut at, mut to) = (0, 0);
        while at < old.len() || to < new.len() {
            let (rest, other) = (&old[at..], &new[to..]);
            let (before, after) = match self.longest(rest, other) {
                Some((before, after)) => (before.len(), after.len()),
                None if !rest.is_empty() && rest.first() == other.first() => (1, 1),
                None => return false,
            };
            (at, to) = (at + before, to + after);
        }
        true
    }

    /// Returns the longest changed text that `old` begins with, such that `new` begins with its
    /// replacement.
    fn longest(&self, old: &[u8], new: &[u8]) -> Option<&Changed<'c>> {
        // The last one that is not greater than `old`, its longest prefix, and so on: no others can
        // fit.
        let after = self.sorted.partition_point(|(before, _)| *before <= old);
        let mut next = after.checked_sub(1);
        while let Some(at) = next {
            let changed @ (before, after) = &self.sorted[at];
            // If two fit, the longer one was changed.
            let is_same = before.len() > after.len() && new.starts_with(before);
            if old.starts_with(before) && new.starts_with(after) && !is_same {
                return Some(changed);
            }
            next = self.beginnings[at];
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use urlint_testing::tries;

    #[test]
    fn differences_match_the_changes() {
        let changes = [("ab", "b"), ("abc", "x"), ("abcd", "abcde"), ("b", "ab")];
        let changes = changes.map(|(before, after)| (before.as_bytes(), after.into()));
        let changes = Changes::new(changes.to_vec());
        for (old, new, expected) in [
            ("", "", true),
            ("zabz", "zbz", true),
            ("abc", "x", true),
            ("abc", "bc", true),
            ("abcd", "xd", true),
            ("abcd", "abcde", true),
            ("zz", "z", false),
            ("z", "zz", false),
            ("abc ab", "x x", false),
        ] {
            assert_eq!(
                changes.explain(old.as_bytes(), new.as_bytes()),
                expected,
                "{old} {new}"
            );
        }
    }

    proptest! {
        #![proptest_config(tries(20_000))]

        /// The prefixes of a text are the same as when each changed text is compared with it.
        #[test]
        fn the_longest_is_found(
            changed in prop::collection::vec(("[ab]{0,4}", "[ab]{0,3}"), 0..8),
            old in "[ab]{0,6}",
            new in "[ab]{0,6}",
        ) {
            let changed = changed.iter().map(|(before, after)| (before.as_bytes(), after.clone().into()));
            let changes = Changes::new(changed.clone().collect());
            let found = changes.longest(old.as_bytes(), new.as_bytes());
            let fits = |(before, after): &Changed<'_>| {
                let is_same = before.len() > after.len() && new.as_bytes().starts_with(before);
                !before.is_empty() && old.as_bytes().starts_with(before) && new.as_bytes().starts_with(after) && !is_same
            };
            let expected = changed.filter(fits).max();
            prop_assert_eq!(found, expected.as_ref());
        }
    }
}
