//! Files and folders that are skipped, and why.

use std::fmt;

/// Why a file or a folder is skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// An ignore file matches.
    Ignored,
    /// The name begins with a dot.
    Hidden,
    /// `--exclude` or the configuration matches.
    Excluded,
    /// It is not text.
    Binary,
    /// It is a symbolic link.
    Link,
    /// It is neither a file nor a folder, but for example a pipe or a device.
    Special,
    /// It is an output or the baseline of the run.
    Output,
}

impl Reason {
    const ALL: [Reason; 7] = [
        Reason::Ignored,
        Reason::Hidden,
        Reason::Excluded,
        Reason::Binary,
        Reason::Link,
        Reason::Special,
        Reason::Output,
    ];

    /// Returns the reason in a word or two.
    pub(super) fn name(self) -> &'static str {
        match self {
            Reason::Ignored => "ignored",
            Reason::Hidden => "hidden",
            Reason::Excluded => "excluded",
            Reason::Binary => "binary",
            Reason::Link => "symbolic link",
            Reason::Special => "no regular file",
            Reason::Output => "written by urlint",
        }
    }

    /// Returns the reason as it is written after a number.
    fn counted(self, count: u64) -> &'static str {
        match self {
            Reason::Link if count > 1 => "symbolic links",
            Reason::Special if count > 1 => "no regular files",
            _ => self.name(),
        }
    }
}

/// How many files and folders were skipped, for each reason. A folder counts as one, whatever is in
/// it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Skipped([u64; Reason::ALL.len()]);

impl Skipped {
    pub(super) const NONE: Skipped = Skipped([0; Reason::ALL.len()]);

    /// Counts one file or folder.
    pub(super) fn one(reason: Reason) -> Self {
        let mut skipped = Skipped::NONE;
        skipped.0[reason as usize] = 1;
        skipped
    }

    pub(super) fn add(&mut self, other: Skipped) {
        for (count, more) in self.0.iter_mut().zip(other.0) {
            *count += more;
        }
    }

    /// Returns whether nothing was skipped.
    pub fn is_empty(self) -> bool {
        self == Skipped::NONE
    }
}

impl fmt::Display for Skipped {
    /// `12 ignored, 3 hidden, 40 binary`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = Reason::ALL
            .iter()
            .zip(self.0)
            .filter(|(_, count)| *count > 0);
        let counts: Vec<_> = counts
            .map(|(reason, count)| format!("{count} {}", reason.counted(count)))
            .collect();
        f.write_str(&counts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_reason_is_counted() {
        let mut skipped = Skipped::default();
        assert!(skipped.is_empty());
        let reasons = [Reason::Link, Reason::Hidden, Reason::Ignored, Reason::Link];
        reasons
            .iter()
            .for_each(|&reason| skipped.add(Skipped::one(reason)));
        assert_eq!(skipped.to_string(), "1 ignored, 1 hidden, 2 symbolic links");
    }
}
