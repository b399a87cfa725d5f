//! The beginning of a line before its text: quote marks and comment signs.
//!
//! On each line where a URL continues, the leader of the line on which it begins is dropped, and
//! only that one.

use crate::options::Syntax;
use crate::text::Text;
use urlint_standard::text::window::is_blank;

/// The maximum length of a leader, in bytes.
pub(crate) const MAX_LEADER: usize = 64;

/// The leader of the line that a URL begins on.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Leader<'t> {
    lines: LineSign,
    /// The quote marks `>` and `|`, with the blanks between them.
    quote: &'t [u8],
    /// Whether the `+` of a line of a patch follows them.
    is_added: bool,
    /// The comment sign, without blanks.
    pub(super) comment: &'t [u8],
    /// Where the text begins after the comment sign, counted from the quote marks.
    indentation: usize,
    /// The cells of a table before the URL, which begins the last one.
    cells: &'t [u8],
}

/// The lines on which a URL can continue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum LineSign {
    /// The next line, whatever it is.
    #[default]
    Any,
    /// No line.
    None,
    /// A line of a diff with this sign in its first column.
    Signed(u8),
    /// A line of a diff without a sign.
    Unsigned,
}

/// A line whose leader has been skipped.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Stripped {
    /// Where the line continues after the leader.
    pub(crate) at: usize,
    /// The number of quote marks that were skipped.
    pub(crate) marks: usize,
    /// The number of quote marks that the line lacks.
    pub(crate) missing: usize,
    /// Whether the comment sign was skipped.
    pub(crate) has_comment: bool,
    /// Whether the comment sign is missing, and is not the bullet of a list.
    pub(crate) other_comment: bool,
    /// Whether no URL can continue on the line.
    pub(crate) apart: bool,
}

impl<'t> Leader<'t> {
    /// Returns the leader of a line in which `head` precedes the URL and its opener.
    #[cfg(test)]
    pub(crate) fn of(head: &'t [u8]) -> Self {
        Leader::in_syntax(head, Syntax::Text)
    }

    /// Returns the leader of a line in which `head` precedes the URL and its opener, in a text of
    /// `syntax`.
    pub(crate) fn in_syntax(head: &'t [u8], syntax: Syntax) -> Self {
        let mut head = &head[..head.len().min(MAX_LEADER)];
        let begins_cell = head.ends_with(b"|") && head.iter().any(u8::is_ascii_alphabetic);
        let cells = if begins_cell { head } else { b"" };
        let lines = match (syntax, head) {
            (Syntax::Text, _) => LineSign::Any,
            (Syntax::Entries, _) | (Syntax::Diff, [b'@' | b'\\', ..]) => LineSign::None,
            (Syntax::Diff, &[sign, ref rest @ ..]) if is_sign(sign) => {
                head = rest;
                LineSign::Signed(sign)
            }
            (Syntax::Diff, _) => LineSign::Unsigned,
        };
        let mark = head
            .iter()
            .take_while(|&&byte| is_blank(byte) || is_mark(byte));
        let marks = mark.count();
        let quote_len = head[..marks].iter().rposition(|&byte| is_mark(byte));
        let (quote, mut rest) = head.split_at(quote_len.map_or(0, |last| last + 1));
        // Before a blank it is a bullet.
        let added = rest.strip_prefix(b" ").unwrap_or(rest).strip_prefix(b"+");
        let is_sign = |after: &&[u8]| !matches!(after, [b'+' | b' ' | b'\t', ..]);
        let added = added.filter(|after| !quote.is_empty() && is_sign(after));
        rest = added.unwrap_or(rest);
        let blanks = |text: &[u8]| text.iter().take_while(|&&byte| is_blank(byte)).count();
        let before = blanks(rest);
        let (comment, text) = rest[before..].split_at(comment_len(&rest[before..]));
        Leader {
            lines,
            quote,
            is_added: added.is_some(),
            comment,
            indentation: before + comment.len() + blanks(text),
            cells,
        }
    }

    /// Returns whether the comment sign may also be the bullet of a list, as with `*`.
    pub(crate) fn may_be_bullet(&self) -> bool {
        matches!(self.comment, b"*" | b"--" | b"#")
    }

    /// Drops the quote marks after the first `count`.
    pub(crate) fn keep_marks(&mut self, count: usize) {
        let mut marks = (self.quote.iter())
            .enumerate()
            .filter(|(_, byte)| is_mark(**byte));
        let end = marks.nth(count).map_or(self.quote.len(), |(at, _)| at);
        self.quote = &self.quote[..end];
    }

    /// Skips as much of this leader as there is at the start of the line at `line`. Quote marks are
    /// compared without the blanks between them.
    pub(crate) fn strip(&self, text: &Text<'_>, line: usize) -> Stripped {
        let mut at = line;
        // The line goes on with the last cell only: the others are empty there.
        let below = text.line_from(line, self.cells.len());
        let is_empty = |&byte: &u8| is_blank(byte) || byte == b'|';
        if below.len() == self.cells.len() && below.ends_with(b"|") && below.iter().all(is_empty) {
            at += below.len();
        }
        let apart = match self.lines {
            LineSign::Any => false,
            LineSign::None => true,
            // A second sign belongs to a combined diff, or begins the next file.
            LineSign::Signed(sign) => {
                text.at(line) != Some(sign) || matches!(text.at(line + 1), Some(b'+' | b'-'))
            }
            LineSign::Unsigned => {
                (text.at(line)).is_some_and(|byte| is_sign(byte) || b"@\\".contains(&byte))
            }
        };
        if !apart && matches!(self.lines, LineSign::Signed(_)) {
            at += 1;
        }
        let wanted = self.quote.iter().copied().filter(|&byte| is_mark(byte));
        let (mut marks, mut missing) = (0, 0);
        for mark in wanted {
            let next = text.skip(at, is_blank);
            if missing == 0 && text.at(next) == Some(mark) {
                at = next + 1;
                marks += 1;
            } else {
                missing += 1;
            }
        }
        let sign = at + usize::from(text.at(at) == Some(b' '));
        if self.is_added && text.at(sign) == Some(b'+') {
            at = sign + 1;
        }
        let (mut has_comment, mut other_comment) = (false, false);
        if !self.comment.is_empty() {
            let sign = text.skip(at, is_blank);
            let after = sign + self.comment.len();
            let is_sign = text.has(sign, self.comment);
            if is_sign && matches!(text.at(after), None | Some(b' ' | b'\t' | b'\n' | b'\r')) {
                at = after;
                has_comment = true;
            } else {
                // A list has its bullet only once, and the item goes on below the item's text.
                other_comment = self.comment != b"*" || sign - at > self.indentation;
            }
        }
        Stripped {
            at,
            marks,
            missing,
            has_comment,
            other_comment,
            apart,
        }
    }
}

/// Returns whether `byte` is a sign in the first column of a diff.
fn is_sign(byte: u8) -> bool {
    matches!(byte, b'+' | b'-' | b' ' | b'!')
}

fn is_mark(byte: u8) -> bool {
    byte == b'>' || byte == b'|'
}

/// Returns the length of the comment sign that `text` begins with, in bytes; a blank must follow
/// it.
fn comment_len(text: &[u8]) -> usize {
    let run = |sign: u8| text.iter().take_while(|&&byte| byte == sign).count();
    let len = match text {
        [sign @ (b'#' | b';' | b'%'), ..] => run(*sign),
        [b'/', b'/', ..] => match run(b'/') {
            len if matches!(text.get(len), Some(b'!')) => len + 1,
            len => len,
        },
        [b'.' | b'\'', b'\\', b'"', ..] => 3,
        [b'-', b'-', ..] => 2,
        [b'*', ..] => 1,
        [b':', b':', ..] | [b'@', b'c', ..] => 2,
        [b'!' | b'\'', ..] => 1,
        // `＞`, with which Japanese mail quotes.
        [0xEF, 0xBC, 0x9E, ..] => 3,
        [b'd', b'n', b'l', ..] | [b'R', b'E', b'M', ..] | [b'r', b'e', b'm', ..] => 3,
        _ => 0,
    };
    if text.get(len).is_some_and(|&byte| is_blank(byte)) {
        len
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaders() {
        let cases: &[(&str, &str, &str)] = &[
            ("see ", "", ""),
            ("> see ", ">", ""),
            (" > >see ", " > >", ""),
            ("| ", "|", ""),
            ("# see ", "", "#"),
            ("    /// see ", "", "///"),
            ("//! see ", "", "//!"),
            (" * ", "", "*"),
            (".\\\" see ", "", ".\\\""),
            ("> ;; ", ">", ";;"),
            ("dnl see ", "", "dnl"),
            ("REM see ", "", "REM"),
            ("REMARKS ", "", ""),
            ("#include ", "", ""),
            ("- ", "", ""),
        ];
        for (head, quote, comment) in cases {
            let leader = Leader::of(head.as_bytes());
            assert_eq!(leader.quote, quote.as_bytes(), "{head}");
            assert_eq!(leader.comment, comment.as_bytes(), "{head}");
        }
    }

    #[test]
    fn stripping() {
        // The head of the first line, the line to strip, the rest of it, marks skipped, marks
        // missing.
        let cases: &[(&str, &str, &str, usize, usize)] = &[
            ("", "> x", "> x", 0, 0),
            ("> ", "> x", " x", 1, 0),
            ("> > ", ">> x", " x", 2, 0),
            (">> ", "> x", " x", 1, 1),
            ("> ", ">> x", "> x", 1, 0),
            ("> ", "x", "x", 0, 1),
            ("> ", "| x", "| x", 0, 1),
            ("# ", "# x", " x", 0, 0),
            ("# ", "x", "x", 0, 0),
            ("// ", "//x", "//x", 0, 0),
        ];
        for (head, line, rest, marks, missing) in cases {
            let text = Text::new(line.as_bytes(), true);
            let stripped = Leader::of(head.as_bytes()).strip(&text, 0);
            assert_eq!(&line[stripped.at..], *rest, "{head:?} on {line:?}");
            assert_eq!(
                (stripped.marks, stripped.missing),
                (*marks, *missing),
                "{head:?} {line:?}"
            );
        }
    }
}
