//! Files and folders that are skipped, and why.

use std::fmt;

use urlint_standard::text::named::named;

named! {
    /// Why a file or a folder is skipped; its name is a word or two.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Reason {
        /// An ignore file matches.
        Ignored = "ignored",
        /// The name begins with a dot.
        Hidden = "hidden",
        /// `--exclude` or the configuration matches.
        Excluded = "excluded",
        /// It is a document or an archive of a format that is not read.
        Document = "unread document",
        /// It is not text.
        Binary = "binary",
        /// It is compressed or an archive, and is in a folder.
        Archive = "archive",
        /// It is a symbolic link.
        Link = "symbolic link",
        /// It is neither a file nor a folder, but for example a pipe or a device.
        Special = "special file",
        /// It is an output or the baseline of the run.
        Output = "written by urlint",
    }
}

impl Reason {
    /// Returns the reason as it is written after a number.
    fn counted(self, count: u64) -> &'static str {
        match self {
            Reason::Document if count > 1 => "unread documents",
            Reason::Archive if count > 1 => "archives",
            Reason::Link if count > 1 => "symbolic links",
            Reason::Special if count > 1 => "special files",
            _ => self.name(),
        }
    }
}

/// How many files and folders were skipped, for each reason. A folder counts as one, whatever is in
/// it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Skipped([u64; Reason::ALL.len()]);

impl Skipped {
    /// Counts one file or folder.
    pub(super) fn one(reason: Reason) -> Self {
        let mut skipped = Skipped::default();
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
        self == Skipped::default()
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
