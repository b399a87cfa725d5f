//! Unified diffs. To files and pipes, bytes are written as they are, so that `patch` can use them; to
//! a terminal, without control characters. Passwords are always hidden.

use std::ops::Range;

use similar::{Algorithm, DiffOp, DiffTag, capture_diff_slices, group_diff_ops};
use urlint::url::password::{MASK, hidden_in_text, redacted_part};

use crate::terminal;
use crate::terminal::Output;

/// How many unchanged lines are shown around changes.
const CONTEXT: usize = 3;

/// The old or the new text of a source.
pub(super) struct Side<'t> {
    bytes: &'t [u8],
    /// The offset after the line break of each line.
    ends: Vec<usize>,
    /// What may be passwords, in order.
    hidden: Vec<Range<usize>>,
}

impl<'t> Side<'t> {
    pub(super) fn new(bytes: &'t [u8]) -> Self {
        let mut ends: Vec<_> = memchr::memchr_iter(b'\n', bytes).map(|at| at + 1).collect();
        if ends.last().copied().unwrap_or(0) < bytes.len() {
            ends.push(bytes.len());
        }
        Side {
            bytes,
            ends,
            hidden: hidden_in_text(bytes),
        }
    }

    fn range(&self, line: usize) -> Range<usize> {
        let start = line.checked_sub(1).map_or(0, |before| self.ends[before]);
        start..self.ends[line]
    }

    fn lines(&self) -> Vec<&'t [u8]> {
        let bytes = self.bytes;
        (0..self.ends.len())
            .map(|line| &bytes[self.range(line)])
            .collect()
    }

    /// Returns what may be passwords in `lines`.
    fn hidden(&self, lines: &Range<usize>) -> &[Range<usize>] {
        let start = lines.start.checked_sub(1).map_or(0, |last| self.ends[last]);
        let end = lines.end.checked_sub(1).map_or(0, |last| self.ends[last]);
        let first = self.hidden.partition_point(|hidden| hidden.end <= start);
        let last = self.hidden.partition_point(|hidden| hidden.start < end);
        &self.hidden[first..last.max(first)]
    }

    /// Returns a line without passwords, or without anything if `is_hidden`, and for a terminal without
    /// control characters.
    fn shown(&self, line: usize, is_hidden: bool, terminal: bool) -> Vec<u8> {
        let Range { start, end } = self.range(line);
        let is_ended = self.bytes[start..end].ends_with(b"\n");
        let body = start..end - usize::from(is_ended);
        let mut shown = match is_hidden {
            true => MASK.as_bytes().to_vec(),
            false => redacted_part(self.bytes, body, self.hidden(&(line..line + 1))),
        };
        if is_ended {
            shown.push(b'\n');
        }
        if terminal { harmless(&shown) } else { shown }
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

fn harmless(line: &[u8]) -> Vec<u8> {
    let body = line.strip_suffix(b"\n").unwrap_or(line);
    let mut shown = String::with_capacity(line.len());
    terminal::each_char(body, |_, c| match c {
        '\t' => shown.push(c),
        c => shown.push(terminal::harmless(c)),
    });
    if body.len() < line.len() {
        shown.push('\n');
    }
    shown.into_bytes()
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

/// Writes the changes from `old` to `new`.
pub(super) fn write(
    out: &mut Vec<u8>,
    style: DiffStyle,
    name: &[u8],
    old: &Side<'_>,
    new: &Side<'_>,
) {
    let ops = capture_diff_slices(Algorithm::Myers, &old.lines(), &new.lines());
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
    writer.line("1", &[b"--- ", &name[..], b"\n"]);
    writer.line("1", &[b"+++ ", &name[..], b"\n"]);
    for hunk in group_diff_ops(ops, CONTEXT) {
        writer.hunk(&hunk);
    }
}

struct Writer<'w, 't> {
    out: &'w mut Vec<u8>,
    style: DiffStyle,
    old: &'w Side<'t>,
    new: &'w Side<'t>,
}

impl Writer<'_, '_> {
    fn hunk(&mut self, ops: &[DiffOp]) {
        let (Some(first), Some(last)) = (ops.first(), ops.last()) else {
            return;
        };
        let old = first.old_range().start..last.old_range().end;
        let new = first.new_range().start..last.new_range().end;
        let header = format!("@@ -{} +{} @@\n", place(&old), place(&new));
        self.line("36", &[header.as_bytes()]);
        for op in ops {
            let (tag, old, new) = op.as_tag_tuple();
            if tag == DiffTag::Equal {
                self.lines(" ", self.old, old, false);
                continue;
            }
            // A fix may have taken away what a login is known by.
            let is_hidden = self.new.hidden(&new).len() < self.old.hidden(&old).len();
            self.lines("-", self.old, old, false);
            self.lines("+", self.new, new, is_hidden);
        }
    }

    fn lines(&mut self, sign: &str, side: &Side<'_>, lines: Range<usize>, is_hidden: bool) {
        let color = match sign {
            "-" => "31",
            "+" => "32",
            _ => "",
        };
        for line in lines {
            let shown = side.shown(line, is_hidden, self.style.terminal);
            self.line(color, &[sign.as_bytes(), &shown]);
            if !shown.ends_with(b"\n") {
                self.line("", &[b"\n\\ No newline at end of file\n"]);
            }
        }
    }

    /// Writes the parts of a line, in a colour if the output has colours.
    fn line(&mut self, color: &str, parts: &[&[u8]]) {
        let colored = self.style.color && !color.is_empty();
        if colored {
            self.out.extend(format!("\x1b[{color}m").bytes());
        }
        for part in parts {
            match part.strip_suffix(b"\n") {
                // The colour must end before the line break.
                Some(body) if colored => {
                    self.out.extend_from_slice(body);
                    self.out.extend_from_slice(b"\x1b[0m\n");
                }
                _ => self.out.extend_from_slice(part),
            }
        }
        if colored && parts.last().is_some_and(|last| !last.ends_with(b"\n")) {
            self.out.extend_from_slice(b"\x1b[0m");
        }
    }
}

/// Returns the first line, from 1, and how many there are; for no lines, the line before.
fn place(lines: &Range<usize>) -> String {
    match lines.len() {
        0 => format!("{},0", lines.start),
        1 => format!("{}", lines.start + 1),
        len => format!("{},{len}", lines.start + 1),
    }
}
