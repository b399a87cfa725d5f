//! Positions of the protocol: lines and characters, from 0, in UTF-8, UTF-16 or UTF-32.

use std::cell::OnceCell;
use std::ops;

use serde::{Deserialize, Serialize};
use urlint_standard::text::named::named;

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(super) struct Position {
    pub(super) line: u32,
    pub(super) character: u32,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(super) struct Range {
    pub(super) start: Position,
    pub(super) end: Position,
}

named! {
    /// The unit in which positions count characters, the best first.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Encoding {
        Utf8 = "utf-8",
        Utf32 = "utf-32",
        Utf16 = "utf-16",
    }
}

impl Encoding {
    /// Returns the best of the encodings that the editor offers. All editors support UTF-16.
    pub(super) fn best(offered: &[String]) -> Encoding {
        let is_offered = |best: &&Encoding| offered.iter().any(|name| name == best.name());
        let best = Encoding::ALL.iter().find(is_offered);
        best.copied().unwrap_or(Encoding::Utf16)
    }

    /// Returns how many units of the encoding are taken by the characters that begin in `bytes`.
    fn units(self, bytes: &[u8]) -> usize {
        let begins = |byte: &&u8| **byte & 0xC0 != 0x80;
        match self {
            Encoding::Utf8 => bytes.len(),
            Encoding::Utf32 => bytes.iter().filter(begins).count(),
            Encoding::Utf16 => {
                let pairs = bytes.iter().filter(|byte| **byte >= 0xF0);
                bytes.iter().filter(begins).count() + pairs.count()
            }
        }
    }
}

/// A text with its lines, which end with LF, CRLF or CR.
#[derive(Debug)]
pub(super) struct Text {
    text: String,
    encoding: Encoding,
    /// Where each line starts; after a line break at the end of the text there is an empty one.
    starts: Vec<usize>,
    /// How many units precede each block of bytes; computed for the first position in a long line.
    blocks: OnceCell<Vec<usize>>,
}

/// At most this many bytes are counted for each position in a long line.
const BLOCK: usize = 1024;

impl Text {
    pub(super) fn new(text: String, encoding: Encoding) -> Self {
        let breaks = memchr::memchr2_iter(b'\n', b'\r', text.as_bytes());
        let starts = breaks.map(|at| at + 1);
        let starts = starts.filter(|&at| is_start(text.as_bytes(), at));
        Text {
            starts: std::iter::once(0).chain(starts).collect(),
            text,
            encoding,
            blocks: OnceCell::new(),
        }
    }

    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    pub(super) fn bytes(&self) -> &[u8] {
        self.text.as_bytes()
    }

    /// Replaces the text at `range` with `new`.
    pub(super) fn replace(&mut self, range: Range, new: &str) {
        let start = self.offset(range.start);
        let end = self.offset(range.end).max(start);
        self.text.replace_range(start..end, new);
        *self = Text::new(std::mem::take(&mut self.text), self.encoding);
    }

    /// Returns the bytes of a line without its break.
    fn line(&self, line: usize) -> ops::Range<usize> {
        let start = self.starts[line];
        let end = self.starts.get(line + 1).copied();
        let end = end.unwrap_or(self.text.len());
        let content = self.text[start..end].trim_end_matches(['\r', '\n']);
        start..start + content.len()
    }

    /// Returns the offset of a position in bytes. A position beyond the end of its line counts as that end,
    /// one beyond the last line as the end of the text, and one within a character as its start.
    pub(super) fn offset(&self, position: Position) -> usize {
        let line = position.line as usize;
        if line >= self.starts.len() {
            return self.text.len();
        }
        let ops::Range { start, end } = self.line(line);
        let wanted = position.character as usize;
        let content = &self.text[start..end];
        let mut passed = 0;
        for (at, c) in content.char_indices() {
            let width = self
                .encoding
                .units(&content.as_bytes()[at..at + c.len_utf8()]);
            if passed + width > wanted {
                return start + at;
            }
            passed += width;
        }
        end
    }

    /// Returns the position of the byte at `offset`. A byte within a line break is at the end of its line,
    /// and one within a character at its start.
    pub(super) fn position(&self, offset: u64) -> Position {
        let mut offset = self.within(offset);
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|&start| start <= offset) - 1;
        let ops::Range { start, end } = self.line(line);
        let character = self.units(start..offset.min(end));
        let small = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Position {
            line: small(line),
            character: small(character),
        }
    }

    pub(super) fn range(&self, span: urlint_standard::Span) -> Range {
        // If the span ends inside a character, the whole character belongs to it.
        let mut end = self.within(span.end);
        while !self.text.is_char_boundary(end) {
            end += 1;
        }
        let start = self.position(span.start);
        Range {
            start,
            end: self.position(end as u64).max(start),
        }
    }

    /// Returns an offset, or the end of the text if that is less.
    fn within(&self, offset: u64) -> usize {
        usize::try_from(offset).map_or(self.text.len(), |offset| offset.min(self.text.len()))
    }

    fn units(&self, range: ops::Range<usize>) -> usize {
        let bytes = self.text.as_bytes();
        if self.encoding == Encoding::Utf8 || range.len() <= 2 * BLOCK {
            return self.encoding.units(&bytes[range]);
        }
        let blocks = self.blocks.get_or_init(|| {
            let mut before = 0;
            let blocks = bytes.chunks(BLOCK).map(|block| {
                let units = self.encoding.units(block);
                let here = before;
                before += units;
                here
            });
            let mut blocks: Vec<_> = blocks.collect();
            blocks.push(before);
            blocks
        });
        let before = |at: usize| {
            let block = at / BLOCK;
            blocks[block] + self.encoding.units(&bytes[block * BLOCK..at])
        };
        before(range.end) - before(range.start)
    }
}

/// Returns whether a line starts at the offset `at`, which is not 0, after a break.
fn is_start(text: &[u8], at: usize) -> bool {
    match text[at - 1] {
        b'\n' => true,
        b'\r' => text.get(at) != Some(&b'\n'),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    use urlint_testing::tries;

    fn position(line: u32, character: u32) -> Position {
        Position { line, character }
    }

    #[test]
    fn the_best_encoding_that_is_offered_is_chosen() {
        let best = |offered: &[&str]| {
            let offered: Vec<_> = offered.iter().map(|&name| name.to_owned()).collect();
            Encoding::best(&offered)
        };
        assert_eq!(best(&[]), Encoding::Utf16);
        assert_eq!(best(&["utf-16"]), Encoding::Utf16);
        assert_eq!(best(&["utf-16", "utf-32"]), Encoding::Utf32);
        assert_eq!(best(&["utf-16", "utf-32", "utf-8"]), Encoding::Utf8);
    }

    #[test]
    fn characters_count_in_units_of_the_encoding() {
        for (encoding, units) in [
            (Encoding::Utf8, [0, 1, 3, 7, 8]),
            (Encoding::Utf16, [0, 1, 2, 4, 5]),
            (Encoding::Utf32, [0, 1, 2, 3, 4]),
        ] {
            let text = Text::new("x\r\naé😀b\ry".to_owned(), encoding);
            for (offset, character) in [3, 4, 6, 10, 11].into_iter().zip(units) {
                let there = position(1, character);
                assert_eq!(text.position(offset), there, "{encoding:?}");
                assert_eq!(text.offset(there), offset as usize, "{encoding:?}");
            }
            assert_eq!(text.position(2), position(0, 1), "within a line break");
            assert_eq!(text.offset(position(0, 99)), 1, "beyond a line");
            assert_eq!(text.offset(position(9, 0)), 13, "beyond the text");
            assert_eq!(text.position(12), position(2, 0), "after a CR");
            assert_eq!(text.position(8), text.position(6), "within a character");
        }
        let text = Text::new("😀".to_owned(), Encoding::Utf16);
        assert_eq!(text.offset(position(0, 1)), 0, "between surrogates");
    }

    #[test]
    fn a_long_line_is_counted_in_blocks() {
        let line = "é😀a".repeat(2000);
        for (encoding, width) in [(Encoding::Utf16, 4), (Encoding::Utf32, 3)] {
            let text = Text::new(format!("x\n{line}"), encoding);
            for repeats in [0, 1, 500, 1999] {
                let there = position(1, repeats * width);
                assert_eq!(text.position(2 + u64::from(repeats) * 7), there);
                assert_eq!(text.offset(there), 2 + repeats as usize * 7);
            }
        }
    }

    proptest! {
        #![proptest_config(tries(2000))]

        #[test]
        fn lines_are_those_of_the_whole_text_after_any_edits(
            text in "[a\r\né😀]{0,12}",
            edits in prop::collection::vec(("[a\r\né😀]{0,4}", 0..14_u32, 0..6_u32, 0..14_u32, 0..6_u32), 0..4),
        ) {
            for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
                let mut edited = Text::new(text.clone(), encoding);
                for (new, a, b, c, d) in &edits {
                    let range = Range {
                        start: position(*a, *b),
                        end: position(*c, *d),
                    };
                    edited.replace(range, new);
                }
                let whole = Text::new(edited.text.clone(), encoding);
                prop_assert_eq!(&edited.starts, &whole.starts);
                for (at, _) in whole.text.char_indices() {
                    let there = whole.position(at as u64);
                    let is_in_break = whole.text[..at].ends_with('\r') && whole.text[at..].starts_with('\n');
                    prop_assert!(is_in_break || whole.offset(there) == at);
                }
            }
        }
    }
}
