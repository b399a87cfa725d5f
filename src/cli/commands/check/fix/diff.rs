//! Unified diffs. To files and pipes, bytes are written as they are, so that `patch` can use them; to
//! a terminal, without control characters. Passwords are always hidden.

use std::ops::Range;

use similar::udiff::UnifiedHunkHeader;
use similar::{Algorithm, DiffOp, DiffTag, capture_diff_slices, group_diff_ops};
use urlint_find::hidden_in_lines;
use urlint_standard::url::password::{MASK, redacted_part};

use crate::stdout::Output;
use urlint_report::terminal;

/// How many unchanged lines are shown around changes.
const CONTEXT: usize = 3;

/// The old or the new text of a source.
struct Side<'t> {
    bytes: &'t [u8],
    /// The lines, each with its line break.
    lines: Vec<&'t [u8]>,
    /// Where each line starts, and the end of the text.
    bounds: Vec<usize>,
    /// Possible passwords, in order.
    hidden: Vec<Range<usize>>,
}

impl<'t> Side<'t> {
    fn new(bytes: &'t [u8]) -> Self {
        let lines: Vec<_> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
        let ends = lines.iter().scan(0, |end, line| {
            *end += line.len();
            Some(*end)
        });
        Side {
            bytes,
            bounds: std::iter::once(0).chain(ends).collect(),
            lines,
            hidden: hidden_in_lines(bytes),
        }
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

/// Writes the changes that turn `old` into `new`.
pub(super) fn write(out: &mut Vec<u8>, style: DiffStyle, name: &[u8], old: &[u8], new: &[u8]) {
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
    let changes = capture_diff_slices(Algorithm::Myers, &old.lines, &new.lines);
    for hunk in group_diff_ops(changes, CONTEXT) {
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
    /// Writes changes that are near each other, and the lines around them.
    fn hunk(&mut self, changes: &[DiffOp]) {
        let header = format!("{}\n", UnifiedHunkHeader::new(changes));
        self.line("36", header.as_bytes());
        for change in changes {
            let (tag, old, new) = change.as_tag_tuple();
            if tag == DiffTag::Equal {
                self.lines(" ", self.old, old, false);
                continue;
            }
            // A fix may have removed the text by which a login is recognized. Lines that are only added
            // stand apart from those which they replace.
            let is_hidden = match tag {
                DiffTag::Insert => self.new.hidden.len() < self.old.hidden.len(),
                _ => self.new.hidden(&new).len() < self.old.hidden(&old).len(),
            };
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use urlint_testing::tries;

    /// Returns the old text that `diff` shows, if `sign` is `-`, or the new one, if it is `+`.
    fn shown(diff: &str, sign: char) -> String {
        let mut text = String::new();
        let mut is_shown = false;
        for line in diff.split_inclusive('\n').skip(3) {
            if is_shown && line.starts_with('\\') {
                text.pop();
            }
            is_shown = line.starts_with([' ', sign]);
            if is_shown {
                text.push_str(&line[1..]);
            }
        }
        text
    }

    proptest! {
        #![proptest_config(tries(20_000))]

        // All lines are near each other, so the diff shows them all.
        #[test]
        fn a_diff_has_the_old_text_and_the_new(
            old in "([ab]{0,2}\n){0,3}[ab]{0,2}",
            new in "([ab]{0,2}\n){0,3}[ab]{0,2}",
        ) {
            prop_assume!(old != new);
            let style = DiffStyle { terminal: false, color: false };
            let mut diff = Vec::new();
            write(&mut diff, style, b"a", old.as_bytes(), new.as_bytes());
            let diff = String::from_utf8_lossy(&diff);
            prop_assert_eq!(shown(&diff, '-'), old);
            prop_assert_eq!(shown(&diff, '+'), new);
        }
    }
}
