//! Unified diffs. To files and pipes, bytes are written as they are, so that `patch` can use them; to
//! a terminal, without control characters. Passwords are always hidden.

use std::ops::Range;

use urlint_find::hidden_in_lines;
use urlint_lint::fix::Replacement;
use urlint_standard::Span;
use urlint_standard::url::password::{MASK, redacted_part};

use crate::stdout::Output;
use urlint_report::terminal;

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
        let lines = bytes.split_inclusive(|&byte| byte == b'\n');
        let ends = lines.scan(0, |end, line| {
            *end += line.len();
            Some(*end)
        });
        Side {
            bytes,
            bounds: std::iter::once(0).chain(ends).collect(),
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
        let last = self.len() - usize::from(is_in_last);
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
        let mut shown = if is_hidden {
            MASK.as_bytes().to_vec()
        } else {
            redacted_part(self.bytes, body, self.hidden(&(line..line + 1)))
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

/// Old lines, and the new lines that replace them.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Change {
    old: Range<usize>,
    new: Range<usize>,
}

/// Returns the lines that `replacements` change, in order. Adjacent lines are one change. To compare the lines of both
/// texts instead would not be linear where many of them are equal.
fn changes(old: &Side<'_>, new: &Side<'_>, replacements: &[Replacement]) -> Vec<Change> {
    let mut changes: Vec<Change> = Vec::new();
    for made in replacements {
        let (old, new) = (old.touched(made.old), new.touched(made.new));
        match changes.last_mut() {
            Some(last) if old.start <= last.old.end => {
                (last.old.end, last.new.end) = (old.end, new.end);
            }
            _ => changes.push(Change { old, new }),
        }
    }
    changes
}

/// Writes the changes that `replacements` make in `old`, which they turn into `new`.
pub(super) fn write(
    out: &mut Vec<u8>,
    style: DiffStyle,
    name: &[u8],
    [old, new]: [&[u8]; 2],
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
    let are_near = |one: &Change, next: &Change| next.old.start - one.old.end <= 2 * CONTEXT;
    for hunk in changes(old, new, replacements).chunk_by(are_near) {
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
    /// Writes changes that are near each other, and the lines around them.
    fn hunk(&mut self, changes: &[Change]) {
        let (Some(first), Some(last)) = (changes.first(), changes.last()) else {
            return;
        };
        let before = first.old.start.min(CONTEXT);
        let after = (self.old.len() - last.old.end).min(CONTEXT);
        let old = first.old.start - before..last.old.end + after;
        let new = first.new.start - before..last.new.end + after;
        let header = format!("@@ -{} +{} @@\n", numbers(&old), numbers(&new));
        self.line("36", header.as_bytes());
        let mut shown = old.start;
        for Change { old, new } in changes {
            self.lines(" ", self.old, shown..old.start, false);
            // A fix may have removed the text by which a login is recognized.
            let is_hidden = self.new.hidden(new).len() < self.old.hidden(old).len();
            self.lines("-", self.old, old.clone(), false);
            self.lines("+", self.new, new.clone(), is_hidden);
            shown = old.end;
        }
        self.lines(" ", self.old, shown..old.end, false);
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

/// Returns the numbers of `lines` in the header of a hunk: the first, or the one before if there are none, and how many
/// there are, unless it is one.
fn numbers(lines: &Range<usize>) -> String {
    match lines.len() {
        0 => format!("{},0", lines.start),
        1 => format!("{}", lines.start + 1),
        len => format!("{},{len}", lines.start + 1),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use urlint_lint::fix::{Applied, apply};
    use urlint_lint::{Applicability, Edit, Fix};

    use super::*;
    use urlint_testing::tries;

    /// Makes edits, each of which has a start, a length and a replacement.
    fn edited(old: &str, edits: &[(u64, u64, String)]) -> Applied {
        let edits = edits.iter().map(|(at, length, text)| {
            let edit = Edit::new(Span::new(*at, at + length), text.as_str());
            Fix::new("", Applicability::Safe, vec![edit])
        });
        apply(old.as_bytes(), &edits.collect::<Vec<_>>())
    }

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
            edits in prop::collection::vec((0..11_u64, 0..4_u64, "[a\n]{0,3}"), 1..4),
        ) {
            let applied = edited(&old, &edits);
            let new = String::from_utf8_lossy(&applied.bytes);
            prop_assume!(old != new);
            let style = DiffStyle { terminal: false, color: false };
            let mut diff = Vec::new();
            let texts = [old.as_bytes(), &applied.bytes];
            write(&mut diff, style, b"a", texts, &applied.replacements);
            let diff = String::from_utf8_lossy(&diff);
            prop_assert_eq!(shown(&diff, '-'), old);
            prop_assert_eq!(shown(&diff, '+'), new);
        }
    }

    #[test]
    fn lines_between_distant_changes_are_left_out() {
        let old = "a\n".repeat(9) + "b\n" + &"c\n".repeat(7) + "d";
        let edits = [
            (0, 1, "x".into()),
            (18, 2, String::new()),
            (34, 1, "y\nz".into()),
        ];
        let applied = edited(&old, &edits);
        let (mut diff, style) = (
            Vec::new(),
            DiffStyle {
                terminal: false,
                color: false,
            },
        );
        write(
            &mut diff,
            style,
            b"a",
            [old.as_bytes(), &applied.bytes],
            &applied.replacements,
        );
        let expected = "--- a\n+++ a\n\
            @@ -1,4 +1,4 @@\n-a\n+x\n a\n a\n a\n\
            @@ -7,12 +7,12 @@\n a\n a\n a\n-b\n-c\n+c\n c\n c\n c\n c\n c\n c\n\
            -d\n\\ No newline at end of file\n+y\n+z\n\\ No newline at end of file\n";
        assert_eq!(String::from_utf8_lossy(&diff), expected);
    }

    #[test]
    fn lines_are_not_compared() {
        // Every line that changes becomes one that is there many times.
        const LINES: u64 = 50_000;
        let old = "a\nb\nb\n".repeat(LINES as usize);
        let edits: Vec<_> = (0..LINES).map(|line| (6 * line, 1, "b".into())).collect();
        let applied = edited(&old, &edits);
        let (old, new) = (Side::new(old.as_bytes()), Side::new(&applied.bytes));
        let changes = changes(&old, &new, &applied.replacements);
        assert_eq!(changes.len() as u64, LINES);
        for (line, Change { old, new }) in changes.into_iter().enumerate() {
            assert_eq!((old, new), (3 * line..3 * line + 1, 3 * line..3 * line + 1));
        }
    }
}
