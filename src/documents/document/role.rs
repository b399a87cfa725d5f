//! The role of a URL in its document.

/// The role of a URL in its document, on which the reports about it depend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[doc(hidden)]
pub enum Role {
    /// Someone wrote the URL to be used.
    #[default]
    Used,
    /// It is in source code, where one on a host for examples is only shown.
    Code,
    /// It is shown: in code of a document, or in the prompt of a program.
    Shown,
    /// It is test data, which may be wrong on purpose.
    Tested,
    /// It is not to be mended here: in a minified line, or in a message that is to be translated.
    Elsewhere,
}
