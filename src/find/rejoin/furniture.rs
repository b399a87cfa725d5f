//! The lines that a page break inserts into a text: a footer, a form feed, a header.

use std::sync::LazyLock;

use regex::bytes::Regex;

use crate::text::Text;
use urlint_standard::text::window::is_blank;

/// The maximum number of lines in a page break.
const MAX_LINES: usize = 64;
/// The maximum length of a line of page furniture, in bytes.
const MAX_LINE: usize = 256;

/// A regular expression that always compiles, as a test checks.
type Shape = LazyLock<Option<Regex>>;

/// `[Page 7]` at the end of a line.
static FOOTER: Shape =
    LazyLock::new(|| Regex::new(r"(?-u)\[[Pp]age [0-9ivxlcIVXLC]+(?:-[0-9]+)?\]$").ok());

/// `RFC 1738` or `Internet-Draft` at the start of a line.
static HEADER: Shape =
    LazyLock::new(|| Regex::new(r"(?-u)^(?:RFC [0-9]+|I(?i:nternet[- ]draft))[ \t]").ok());

/// The kinds of line between two pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    Blank,
    FormFeed,
    /// Ends in `[Page 7]`.
    Footer,
    /// Ends in a month and a year.
    Dated,
    /// Ends in a month and a year, and begins with `RFC` or `Internet-Draft`.
    Header,
    Text,
}

/// Skips a page break at the start of the line at `line`; returns where the text continues.
///
/// A page break is a footer with the blank lines, form feeds and header after it, a form feed with
/// or without a header, or a header alone.
pub(super) fn page_break(text: &Text<'_>, line: usize) -> Option<usize> {
    let mut at = line;
    let mut seen_break = false;
    let mut seen_header = false;
    for _ in 0..MAX_LINES {
        let end = text.line_end(at);
        let next = text.after_break(end);
        match classify(&text.bytes[at..end]) {
            Line::Footer if !seen_break => seen_break = true,
            Line::FormFeed => seen_break = true,
            Line::Blank => {}
            Line::Header if !seen_header => (seen_header, seen_break) = (true, true),
            Line::Dated if seen_break && !seen_header => seen_header = true,
            _ => return seen_break.then_some(at),
        }
        at = next?;
    }
    None
}

fn is(shape: &Shape, line: &[u8]) -> bool {
    shape.as_ref().is_some_and(|shape| shape.is_match(line))
}

/// Returns whether `line` ends in a month and a year: `December 1994`, `Aug. 13, 1982`. Lines that end in a number are
/// frequent, and an expression for months takes as long to compile as three megabytes to search.
fn is_dated(line: &[u8]) -> bool {
    const MONTHS: &str =
        "January February March April May June July August September October November December";
    let is_number = |word: &[u8]| word.iter().all(u8::is_ascii_digit);
    let mut words = line.rsplit(|&byte| is_blank(byte)).peekable();
    let is_year = words
        .next()
        .is_some_and(|word| word.len() == 4 && is_number(word));
    words.next_if(|day| day.len() < 4 && is_number(day.strip_suffix(b",").unwrap_or(day)));
    let month = words.next().unwrap_or_default();
    let month = month.strip_suffix(b".").unwrap_or(month);
    let mut months = MONTHS.split(' ').map(str::as_bytes);
    is_year && month.len() > 2 && months.any(|name| name.starts_with(month))
}

fn classify(line: &[u8]) -> Line {
    let text = line.trim_ascii();
    if text.is_empty() {
        return if line.contains(&0x0C) {
            Line::FormFeed
        } else {
            Line::Blank
        };
    }
    // Few lines end as a footer does, so most need no regular expression.
    if line.len() > MAX_LINE {
        Line::Text
    } else if text.ends_with(b"]") && is(&FOOTER, text) {
        Line::Footer
    } else if is_dated(text) {
        if is(&HEADER, text) {
            Line::Header
        } else {
            Line::Dated
        }
    } else {
        Line::Text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_compiles() {
        for (shape, line) in [(&FOOTER, "Doe    [Page iv]"), (&HEADER, "RFC 1738    URL")] {
            assert!(is(shape, line.as_bytes()), "{line}");
        }
    }

    #[test]
    fn lines() {
        let cases = [
            ("", Line::Blank),
            (" \t", Line::Blank),
            ("\x0C", Line::FormFeed),
            (
                "Berners-Lee, Masinter & McCahill                  [Page 22]",
                Line::Footer,
            ),
            ("Doe          Informational       [Page iv]", Line::Footer),
            (
                "RFC 1738     Uniform Resource Locators (URL)     December 1994",
                Line::Header,
            ),
            ("\x0CRFC 822      Mail      August 13, 1982", Line::Header),
            ("INTERNET-DRAFT    Things   Sep 1999", Line::Header),
            ("Network Working Group        May 1996", Line::Dated),
            ("see [Page 22] of it", Line::Text),
            ("RFC 1738", Line::Text),
            ("1994", Line::Text),
            ("Doe    Expires Sept. 1999", Line::Dated),
            ("Expires\t3 June 1999", Line::Dated),
            ("Expires Ma 1999", Line::Text),
            ("Expires May 19990", Line::Text),
        ];
        for (line, expected) in cases {
            assert_eq!(classify(line.as_bytes()), expected, "{line:?}");
        }
    }

    #[test]
    fn page_breaks() {
        let footer = "Doe    [Page 1]\n";
        let header = "RFC 1738    URL    December 1994\n";
        let cases = [
            (format!("\n\n{footer}\x0C\n{header}\n\nx"), true),
            (format!("{footer}{header}\nx"), true),
            (format!("{footer}\nx"), true),
            (format!("{header}x"), true),
            ("\x0C\nx".to_owned(), true),
            (format!("\x0C{header}\nx"), true),
            ("\n\nx".to_owned(), false),
            ("Things    December 1994\nx".to_owned(), false),
            ("x".to_owned(), false),
        ];
        for (lines, expected) in cases {
            let text = Text::new(lines.as_bytes(), true);
            let found = page_break(&text, 0).map(|at| &lines[at..]);
            assert_eq!(found, expected.then_some("x"), "{lines:?}");
        }
    }
}
