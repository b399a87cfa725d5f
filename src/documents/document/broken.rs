//! Broken links: why readers see their markup.

/// How much of the text before a URL is looked at, in bytes.
pub(super) const NEAR: usize = 256;

/// The text from the beginning of its line up to `start` of `text`; of a long line only the last part.
pub(super) fn line_before(text: &[u8], start: usize) -> Option<&[u8]> {
    let near = &text.get(..start)?[start.saturating_sub(NEAR)..];
    Some(&near[memchr::memrchr(b'\n', near).map_or(0, |at| at + 1)..])
}

/// Why a link is not a link: its URL was meant as a destination, but is running text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub enum BrokenLink {
    /// Markdown, inside a block of HTML.
    InHtml,
    /// `[text] (URL)`.
    Space,
    /// `(text)[URL]`, `[text][URL]`.
    Swapped,
    /// `[text](URL`.
    Unclosed,
    /// `<a href="URL>`.
    OpenAttribute,
    /// `[text](URL more)`.
    SpaceInside,
    /// `[text](URL “title”)`.
    WrongQuotes,
    /// `[text]((URL))`.
    Doubled,
    /// `[text]（URL）`.
    Fullwidth,
    /// `[text](URL)`, but in a surplus cell of a table, or in the text of another link.
    Misplaced,
    /// `[URL]()`.
    Empty,
    /// `` `URL`_ ``.
    NoTarget,
    /// `` `text<URL>`_ ``.
    NoSpace,
    /// `` `text <URL>` ``.
    NoUnderscore,
    /// `.. _name URL`.
    NoColon,
    /// `[text](URL)`, in AsciiDoc.
    Markdown,
}

#[cfg(test)]
pub(crate) mod testing {
    #![expect(clippy::unwrap_used, reason = "a test may fail")]

    use super::BrokenLink;

    /// Compares the results of `why_no_link` for the URL `http://h/x` in each text with the expected ones.
    pub(crate) fn check(
        why_no_link: fn(&[u8], usize, usize) -> Option<BrokenLink>,
        cases: &[(&str, Option<BrokenLink>)],
    ) {
        for (text, expected) in cases {
            let start = text.find("http://").unwrap();
            let end = start + "http://h/x".len();
            let found = why_no_link(text.as_bytes(), start, end);
            assert_eq!(found, *expected, "{text}");
        }
    }
}
