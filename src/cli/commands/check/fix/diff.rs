//! Unified diffs. To files and pipes, bytes are written as they are, so that `patch` can use them; to
//! a terminal, without control characters. Passwords are always hidden.

use std::ops::Range;

use urlint_find::hidden_in_lines;
use urlint_lint::fix::Replacement;
use urlint_standard::Span;
use urlint_standard::url::password::{MASK, redacted_part};

use urlint_report::terminal;
use urlint_report::terminal::Output;

/// How many unchanged lines are shown around changes.
const CONTEXT: usize = 3;

/// The old or the new text of a source.
struct Side<'t> {
    bytes: &'t [u8],
    /// Where each line starts, and the end of the text.
    bounds: Vec<usize>,
    /// Possible passwords, in order.
    hidden: Vec<Range<usize>>,
}

impl<'t> Side<'t> {
    fn new(bytes: &'t [u8]) -> Self {
        let after_breaks = memchr::memchr_iter(b'\n', bytes).map(|at| at + 1);
        let mut bounds: Vec<_> = std::iter::once(0).chain(after_breaks).collect();
        if bounds.last() != Some(&bytes.len()) {
            bounds.push(bytes.len());
        }
        Side {
            bytes,
            bounds,
            hidden: hidden_in_lines(bytes),
        }
    }

    /// Returns how many lines there are.
    fn len(&self) -> usize {
        self.bounds.len() - 1
    }

    /// Returns the lines that `span` touches, up to the one in which it ends.
    fn touched(&self, span: Span) -> Range<usize> {
        let line = |at| self.bounds.partition_point(|&bound| bound as u64 <= at);
        // At the end of a text without a line break, the last line is touched.
        let is_in_last = self.bytes.last().is_some_and(|&byte| byte != b'\n');
        let last = self.len().saturating_sub(usize::from(is_in_last));
        (line(span.start) - 1).min(last)..line(span.end).min(self.len())
    }

    /// Returns the possible passwords in `lines`.
    fn hidden(&self, lines: &Range<usize>) -> &[Range<usize>] {
        let (start, end) = (self.bounds[lines.start], self.bounds[lines.end]);
        let first = self.hidden.partition_point(|hidden| hidden.end <= start);
        let last = self.hidden.partition_point(|hidden| hidden.start < end);
        &self.hidden[first..last.max(first)]
    }

    /// Returns a line without passwords, or without anything if `is_hidden`, and for a terminal without
    /// control characters.
    fn shown(&self, line: usize, is_hidden: bool, terminal: bool) -> Vec<u8> {
        let (start, end) = (self.bounds[line], self.bounds[line + 1]);
        let is_ended = self.bytes[start..end].ends_with(b"\n");
        let body = start..end - usize::from(is_ended);
        let mut shown = match is_hidden {
            true => MASK.as_bytes().to_vec(),
            false => redacted_part(self.bytes, body, self.hidden(&(line..line + 1))),
        };
        if terminal {
            let mut harmless = String::with_capacity(shown.len());
            terminal::each_char(&shown, |_, c| {
                harmless.push(if c == '\t' { c } else { terminal::harmless(c) });
            });
            shown = harmless.into_bytes();
        }
        if is_ended {
            shown.push(b'\n');
        }
        shown
    }
}

/// Returns the name of a file as `patch` and `git apply` read it: with a tab after it if there is a space
/// in it, or in quotes if it has control characters or begins with a quote.
fn in_header(name: &[u8]) -> Vec<u8> {
    if !name.starts_with(b"\"") && !name.iter().any(u8::is_ascii_control) {
        let end: &[u8] = if name.contains(&b' ') { b"\t" } else { b"" };
        return [name, end].concat();
    }
    let mut quoted = vec![b'"'];
    for &byte in name {
        match byte {
            b'"' | b'\\' => quoted.extend([b'\\', byte]),
            byte if byte.is_ascii_control() => quoted.extend(format!("\\{byte:03o}").bytes()),
            byte => quoted.push(byte),
        }
    }
    quoted.push(b'"');
    quoted
}

/// Lines that differ, and the lines that they become.
struct Block {
    old: Range<usize>,
    new: Range<usize>,
}

/// Returns the lines that `replacements` change, in order. No line is in two blocks, and adjacent lines
/// are in one.
fn blocks(old: &Side<'_>, new: &Side<'_>, replacements: &[Replacement]) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for replacement in replacements {
        let block = Block {
            old: old.touched(replacement.old),
            new: new.touched(replacement.new),
        };
        match blocks.last_mut() {
            Some(last) if block.old.start <= last.old.end => {
                last.old.end = block.old.end;
                last.new.end = block.new.end;
            }
            _ => blocks.push(block),
        }
    }
    blocks
}

/// How changes are shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DiffStyle {
    terminal: bool,
    color: bool,
}

impl DiffStyle {
    /// Returns the style for `output`.
    pub(crate) fn of(output: &Output) -> Self {
        DiffStyle {
            terminal: output.terminal,
            color: output.color,
        }
    }
}

/// Writes the changes that `replacements` make in `old`, which they turn into `new`.
pub(super) fn write(
    out: &mut Vec<u8>,
    style: DiffStyle,
    name: &[u8],
    old: &[u8],
    new: &[u8],
    replacements: &[Replacement],
) {
    let (old, new) = (&Side::new(old), &Side::new(new));
    let name = if style.terminal {
        terminal::line(name).into_owned().into_bytes()
    } else {
        in_header(name)
    };
    let mut writer = Writer {
        out,
        style,
        old,
        new,
    };
    writer.line("1", &[b"--- ", &name[..], b"\n"].concat());
    writer.line("1", &[b"+++ ", &name[..], b"\n"].concat());
    let blocks = blocks(old, new, replacements);
    let is_near = |block: &Block, next: &Block| next.old.start - block.old.end <= 2 * CONTEXT;
    for hunk in blocks.chunk_by(is_near) {
        writer.hunk(hunk);
    }
}

struct Writer<'w, 't> {
    out: &'w mut Vec<u8>,
    style: DiffStyle,
    old: &'w Side<'t>,
    new: &'w Side<'t>,
}

impl Writer<'_, '_> {
    /// Writes blocks that are near each other, and the lines around them.
    fn hunk(&mut self, blocks: &[Block]) {
        let (Some(first), Some(last)) = (blocks.first(), blocks.last()) else {
            return;
        };
        let before = first.old.start.min(CONTEXT);
        let after = (self.old.len() - last.old.end).min(CONTEXT);
        let old = first.old.start - before..last.old.end + after;
        let new = first.new.start - before..last.new.end + after;
        let header = format!("@@ -{} +{} @@\n", place(&old), place(&new));
        self.line("36", header.as_bytes());
        let mut written = old.start;
        for Block { old, new } in blocks {
            self.lines(" ", self.old, written..old.start, false);
            // A fix may have removed the text by which a login is recognized.
            let is_hidden = self.new.hidden(new).len() < self.old.hidden(old).len();
            self.lines("-", self.old, old.clone(), false);
            self.lines("+", self.new, new.clone(), is_hidden);
            written = old.end;
        }
        self.lines(" ", self.old, written..old.end, false);
    }

    fn lines(&mut self, sign: &str, side: &Side<'_>, lines: Range<usize>, is_hidden: bool) {
        let color = match sign {
            "-" => "31",
            "+" => "32",
            _ => "",
        };
        for line in lines {
            let shown = side.shown(line, is_hidden, self.style.terminal);
            self.line(color, &[sign.as_bytes(), &shown].concat());
            if !shown.ends_with(b"\n") {
                self.line("", b"\n\\ No newline at end of file\n");
            }
        }
    }

    /// Writes a line, in a colour if the output has colours.
    fn line(&mut self, color: &str, line: &[u8]) {
        if color.is_empty() || !self.style.color {
            return self.out.extend_from_slice(line);
        }
        // The colour must end before the line break.
        let body = line.strip_suffix(b"\n").unwrap_or(line);
        self.out.extend(format!("\x1b[{color}m").bytes());
        self.out.extend_from_slice(body);
        self.out.extend_from_slice(b"\x1b[0m");
        self.out.extend_from_slice(&line[body.len()..]);
    }
}

/// Returns the number of the first line, from 1, and the number of lines. If there are no lines, returns
/// the number of the line before them.
fn place(lines: &Range<usize>) -> String {
    match lines.len() {
        0 => format!("{},0", lines.start),
        1 => format!("{}", lines.start + 1),
        len => format!("{},{len}", lines.start + 1),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use urlint_lint::fix::apply;
    use urlint_lint::{Applicability, Edit, Fix};

    use super::*;
    use urlint_testing::tries;

    proptest! {
        #![proptest_config(tries(20_000))]

        #[test]
        fn blocks_are_all_lines_that_differ(
            old in "[ab\n]{0,12}",
            edits in prop::collection::vec((0..14u64, 0..4u64, "[a\n]{0,3}"), 0..4),
        ) {
            let edits = edits.iter().map(|(at, length, text)| {
                let edit = Edit::new(Span::new(*at, at + length), text.as_str());
                Fix::new("", Applicability::Safe, vec![edit])
            });
            let applied = apply(old.as_bytes(), &edits.collect::<Vec<_>>());
            let (old, new) = (Side::new(old.as_bytes()), Side::new(&applied.bytes));
            let blocks = blocks(&old, &new, &applied.replacements);
            let (mut at, mut text) = (0, Vec::new());
            for block in &blocks {
                prop_assert!(at == 0 || at < block.old.start);
                text.extend_from_slice(&old.bytes[old.bounds[at]..old.bounds[block.old.start]]);
                text.extend_from_slice(&new.bytes[new.bounds[block.new.start]..new.bounds[block.new.end]]);
                at = block.old.end;
            }
            text.extend_from_slice(&old.bytes[old.bounds[at]..]);
            prop_assert_eq!(text.escape_ascii().to_string(), new.bytes.escape_ascii().to_string());
        }
    }
}
