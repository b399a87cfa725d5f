//! Faults of archives.

use std::fmt;

/// Why a source could not be read, or not completely.
///
/// Its text is a phrase that follows the name of the source, such as
/// `longer than 10 bytes, so the rest is not read`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The members have more bytes than [`Limits::size`](super::Limits::size), which is this.
    TooLong(u64),
    /// The members are more than [`Limits::ratio`](super::Limits::ratio) times as long as the
    /// part of the file that has been read.
    TooDense(u64),
    /// The source is an archive nested in this many others, and is not opened.
    TooDeep(u8),
    /// The source has a known format that is not supported, described in words such as `a RAR
    /// archive`.
    Unsupported(&'static str),
    /// The source is damaged or cut off, with a description.
    Damaged(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::TooLong(1) => f.write_str("longer than 1 byte, so the rest is not read"),
            Fault::TooLong(size) => write!(f, "longer than {size} bytes, so the rest is not read"),
            Fault::TooDense(1) => f.write_str("longer than the file, so the rest is not read"),
            Fault::TooDense(ratio) => {
                write!(
                    f,
                    "more than {ratio} times as long as the file, so the rest is not read"
                )
            }
            Fault::TooDeep(depth) => write!(f, "inside more than {depth} archives, so not opened"),
            Fault::Unsupported(format) => write!(f, "{format}, which is not opened"),
            Fault::Damaged(how) => f.write_str(how),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Fault;

    #[test]
    fn limits_in_the_singular() {
        for (fault, text) in [
            (
                Fault::TooLong(1),
                "longer than 1 byte, so the rest is not read",
            ),
            (
                Fault::TooLong(2),
                "longer than 2 bytes, so the rest is not read",
            ),
            (
                Fault::TooDense(1),
                "longer than the file, so the rest is not read",
            ),
        ] {
            assert_eq!(fault.to_string(), text);
        }
    }
}
