//! Files and folders that are passed over, and why.

use std::fmt;

/// Why a file or a folder is passed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// A file for ignoring files matches.
    Ignored,
    /// The name begins with a dot.
    Hidden,
    /// `--exclude` or the configuration matches.
    Excluded,
    /// It is not text.
    Binary,
    /// It is a symbolic link.
    Link,
    /// It is neither a file nor a folder, but a pipe or a device, for instance.
    Special,
    /// It is an output of the run, or its baseline.
    Own,
}

impl Reason {
    const ALL: [Reason; 7] = [
        Reason::Ignored,
        Reason::Hidden,
        Reason::Excluded,
        Reason::Binary,
        Reason::Link,
        Reason::Special,
        Reason::Own,
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
            Reason::Own => "written by urlint",
        }
    }

    /// Returns the reason after a number.
    fn counted(self, count: u64) -> &'static str {
        match self {
            Reason::Link if count > 1 => "symbolic links",
            Reason::Special if count > 1 => "no regular files",
            _ => self.name(),
        }
    }
}

/// What is said of the files and folders that are passed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shows {
    /// Nothing, so that they need not be looked for.
    Nothing,
    /// How many there are.
    Numbers,
    /// Each of them, and how many there are.
    Each,
}

/// How many files and folders were passed over, for each reason. A folder counts as one, whatever
/// is in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PassedOver([u64; Reason::ALL.len()]);

impl PassedOver {
    pub(super) const NONE: PassedOver = PassedOver([0; Reason::ALL.len()]);

    /// One file or folder.
    pub(super) fn one(reason: Reason) -> Self {
        let mut passed = PassedOver::NONE;
        passed.0[reason as usize] = 1;
        passed
    }

    pub(super) fn add(&mut self, other: PassedOver) {
        for (count, more) in self.0.iter_mut().zip(other.0) {
            *count += more;
        }
    }

    pub(crate) fn is_empty(self) -> bool {
        self == PassedOver::NONE
    }
}

impl fmt::Display for PassedOver {
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
        let mut passed = PassedOver::default();
        assert!(passed.is_empty());
        let reasons = [Reason::Link, Reason::Hidden, Reason::Ignored, Reason::Link];
        reasons
            .iter()
            .for_each(|&reason| passed.add(PassedOver::one(reason)));
        assert_eq!(passed.to_string(), "1 ignored, 1 hidden, 2 symbolic links");
    }
}
