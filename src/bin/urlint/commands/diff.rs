//! Unified diffs. To files and pipes, bytes are written as they are, so that `patch` can use them; to
//! a terminal, without control characters. Passwords are always hidden.

use std::io::{self, Write};
use std::ops::Range;

use similar::{Algorithm, DiffOp, DiffTag, capture_diff_slices, group_diff_ops};
use urlint::url::password::redacted_part;

use crate::terminal;
use crate::terminal::Output;

/// How many unchanged lines are shown around changes.
const CONTEXT: usize = 3;

/// The old or the new text of a source.
pub(super) struct Side<'t> {
    bytes: &'t [u8],
    /// The offset after the line break of each line.
    ends: Vec<usize>,
    /// The passwords, in order.
    passwords: Vec<Range<usize>>,
}

impl<'t> Side<'t> {
    pub(super) fn new(bytes: &'t [u8], mut passwords: Vec<Range<usize>>) -> Self {
        let mut ends: Vec<_> = memchr::memchr_iter(b'\n', bytes).map(|at| at + 1).collect();
        if ends.last().copied().unwrap_or(0) < bytes.len() {
            ends.push(bytes.len());
        }
        passwords.sort_by_key(|range| range.start);
        Side {
            bytes,
            ends,
            passwords,
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

    /// Returns a line without passwords, and for a terminal without control characters.
    fn shown(&self, line: usize, terminal: bool) -> Vec<u8> {
        let range = self.range(line);
        let first = self
            .passwords
            .partition_point(|password| password.end <= range.start);
        let last = self
            .passwords
            .partition_point(|password| password.start < range.end);
        let passwords = &self.passwords[first..last.max(first)];
        let shown = redacted_part(self.bytes, range, passwords);
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

/// Writes the changes from `old` to `new`.
pub(super) fn write(
    out: &mut Output,
    name: &[u8],
    old: &Side<'_>,
    new: &Side<'_>,
) -> io::Result<()> {
    let ops = capture_diff_slices(Algorithm::Myers, &old.lines(), &new.lines());
    let name = if out.terminal {
        terminal::line(name).into_owned().into_bytes()
    } else {
        in_header(name)
    };
    let mut writer = Writer { out, old, new };
    writer.line("1", &[b"--- ", &name[..], b"\n"])?;
    writer.line("1", &[b"+++ ", &name[..], b"\n"])?;
    for hunk in group_diff_ops(ops, CONTEXT) {
        writer.hunk(&hunk)?;
    }
    Ok(())
}

struct Writer<'w, 't> {
    out: &'w mut Output,
    old: &'w Side<'t>,
    new: &'w Side<'t>,
}

impl Writer<'_, '_> {
    fn hunk(&mut self, ops: &[DiffOp]) -> io::Result<()> {
        let (Some(first), Some(last)) = (ops.first(), ops.last()) else {
            return Ok(());
        };
        let old = first.old_range().start..last.old_range().end;
        let new = first.new_range().start..last.new_range().end;
        let header = format!("@@ -{} +{} @@\n", place(&old), place(&new));
        self.line("36", &[header.as_bytes()])?;
        for op in ops {
            let (tag, old, new) = op.as_tag_tuple();
            if tag == DiffTag::Equal {
                self.lines(None, " ", true, old)?;
                continue;
            }
            self.lines(Some("31"), "-", true, old)?;
            self.lines(Some("32"), "+", false, new)?;
        }
        Ok(())
    }

    fn lines(
        &mut self,
        color: Option<&str>,
        sign: &str,
        is_old: bool,
        lines: Range<usize>,
    ) -> io::Result<()> {
        for line in lines {
            let side = if is_old { self.old } else { self.new };
            let shown = side.shown(line, self.out.terminal);
            self.line(color.unwrap_or_default(), &[sign.as_bytes(), &shown])?;
            if !shown.ends_with(b"\n") {
                self.line("", &[b"\n\\ No newline at end of file\n"])?;
            }
        }
        Ok(())
    }

    /// Writes the parts of a line, in a colour if the output has colours.
    fn line(&mut self, color: &str, parts: &[&[u8]]) -> io::Result<()> {
        let colored = self.out.color && !color.is_empty();
        let stream = &mut self.out.stream;
        if colored {
            write!(stream, "\x1b[{color}m")?;
        }
        for part in parts {
            match part.strip_suffix(b"\n") {
                // The colour must end before the line break.
                Some(body) if colored => {
                    stream.write_all(body)?;
                    stream.write_all(b"\x1b[0m\n")?;
                }
                _ => stream.write_all(part)?,
            }
        }
        match parts.last() {
            Some(last) if colored && !last.ends_with(b"\n") => stream.write_all(b"\x1b[0m"),
            _ => Ok(()),
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
