//! The fate of a diagnostic.

use urlint_standard::text::named::named;

named! {
    /// What becomes of a diagnostic. [`Checker::judge`](crate::Checker::judge) decides it, and nothing else does:
    /// every command, and each field of a list, reads it there.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Fate {
        /// It is reported, and its fix may be made.
        Reported = "reported",
        /// Another diagnostic is about the same mistake.
        Covered = "covered",
        /// Another diagnostic leaves open which URL is intended.
        Uncertain = "uncertain",
        /// A [suppression comment](crate::Suppressions) is about it.
        Suppressed = "suppressed",
        /// It is less severe than wanted.
        Minor = "minor",
        /// It is [known](crate::Known).
        Known = "known",
    }
}

/// How many diagnostics have each fate.
///
/// ```
/// use urlint::lint::{Fate, Fates};
///
/// let mut fates = Fates::default();
/// fates.add(Fate::Known);
/// let mut both = fates;
/// both += fates;
/// assert_eq!((both.of(Fate::Known), both.of(Fate::Reported)), (2, 0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fates([u64; Fate::ALL.len()]);

impl Fates {
    /// Counts a diagnostic.
    pub fn add(&mut self, fate: Fate) {
        self.0[fate as usize] += 1;
    }

    /// Returns how many diagnostics have this fate.
    #[must_use]
    pub fn of(self, fate: Fate) -> u64 {
        self.0[fate as usize]
    }
}

impl std::ops::AddAssign for Fates {
    fn add_assign(&mut self, other: Fates) {
        self.0
            .iter_mut()
            .zip(other.0)
            .for_each(|(all, more)| *all += more);
    }
}
