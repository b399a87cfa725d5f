//! Broken links: why readers see their markup.

/// Why a link is not a link: its URL was meant as a destination, but is running text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub enum BrokenLink {
    /// Markdown, inside a block of HTML.
    InHtml,
    /// `[text] (URL)`.
    Space,
    /// `(text)[URL]`.
    Swapped,
    /// `[text](URL`.
    Unclosed,
    /// `[text](URL more)`.
    SpaceInside,
    /// `[text]((URL))`.
    Doubled,
    /// `[text]（URL）`.
    Fullwidth,
    /// `[text](URL)`, but in a surplus cell of a table, or in the text of another link.
    Misplaced,
    /// `` `URL`_ ``.
    NoTarget,
    /// `` `text<URL>`_ ``.
    NoSpace,
    /// `` `text <URL>` ``.
    NoUnderscore,
    /// `.. _name URL`.
    NoColon,
}
