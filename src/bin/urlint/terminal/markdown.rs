//! Markdown as a terminal shows it: wrapped, with styles and with tables in columns.

use std::io::{self, Write};
use std::process::{Command, Stdio};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::Style;

/// The widest lines, in columns.
const WIDEST: usize = 100;

/// The narrowest column of a table that is wrapped.
const NARROWEST: usize = 20;

const BOLD: &str = "\x1b[1m";
const ITALIC: &str = "\x1b[3m";
const CODE: &str = "\x1b[36m";
const PLAIN: &str = "\x1b[0m";

/// Returns `text`, in Markdown, for a terminal.
pub(crate) fn rendered(text: &str, style: Style) -> String {
    let mut page = Page {
        width: style.width.unwrap_or(WIDEST).clamp(NARROWEST, WIDEST),
        color: style.color,
        ..Page::default()
    };
    Parser::new_ext(text, Options::ENABLE_TABLES).for_each(|event| page.add(event));
    page.out.truncate(page.out.trim_end().len());
    page.out + "\n"
}

/// Shows `text` with the program that `PAGER` names, or with `less`, which returns at once if there is less
/// than a screen. Returns whether it was shown.
pub(crate) fn paged(text: &str) -> bool {
    let pager = std::env::var("PAGER").unwrap_or_else(|_| "less".to_owned());
    let mut words = pager.split_whitespace();
    let Some(program) = words.next() else {
        return false;
    };
    let mut command = Command::new(program);
    command.args(words).stdin(Stdio::piped());
    if std::env::var_os("LESS").is_none() {
        command.env("LESS", "FRX");
    }
    let Ok(mut child) = command.spawn() else {
        return false;
    };
    // Whoever leaves the pager early has seen enough.
    let _: Option<io::Result<()>> = child
        .stdin
        .take()
        .map(|mut pipe| pipe.write_all(text.as_bytes()));
    child.wait().is_ok_and(|status| status.success())
}

/// Characters, each with the sequence that begins its style.
type Styled = Vec<(char, &'static str)>;

/// A page that is being rendered.
#[derive(Default)]
struct Page {
    out: String,
    width: usize,
    color: bool,
    /// The text of the paragraph, of the heading or of the cell.
    line: Styled,
    /// The styles around what comes next.
    styles: Vec<&'static str>,
    /// How far lines are indented, and the mark of the item that begins.
    indent: usize,
    mark: String,
    /// The number of the next item of each list around; `None` if its items have no numbers.
    lists: Vec<Option<u64>>,
    is_code: bool,
    /// The rows of the table.
    rows: Vec<Vec<Styled>>,
}

impl Page {
    fn add(&mut self, event: Event<'_>) {
        match event {
            Event::Start(Tag::Heading { .. } | Tag::Strong | Tag::TableHead) => {
                self.styles.push(BOLD);
            }
            Event::Start(Tag::Emphasis) => self.styles.push(ITALIC),
            Event::Start(Tag::CodeBlock(_)) => self.is_code = true,
            Event::Start(Tag::List(first)) => {
                self.end_paragraph(false);
                self.lists.push(first);
            }
            Event::Start(Tag::Item) => {
                let number = self.lists.last_mut().and_then(Option::as_mut);
                self.mark = match number {
                    Some(number) => {
                        *number += 1;
                        format!("{}. ", *number - 1)
                    }
                    None => "- ".to_owned(),
                };
                self.indent += self.mark.len();
            }
            Event::Text(text) if self.is_code => self.block(&text),
            Event::Text(text) => self.text(&text, self.styles.last().copied().unwrap_or_default()),
            Event::Code(text) => self.text(&text, CODE),
            Event::SoftBreak | Event::HardBreak => self.text(" ", ""),
            Event::End(TagEnd::Strong | TagEnd::Emphasis) => drop(self.styles.pop()),
            Event::End(TagEnd::Heading(_)) => {
                self.styles.pop();
                self.end_paragraph(true);
            }
            Event::End(TagEnd::Paragraph) => self.end_paragraph(true),
            Event::End(TagEnd::CodeBlock) => {
                self.is_code = false;
                self.out.truncate(self.out.trim_end().len());
                self.out.push_str("\n\n");
            }
            Event::End(TagEnd::Item) => {
                self.end_paragraph(false);
                let mark = self.lists.last().copied().flatten();
                let mark = mark.map_or("- ".len(), |next| format!("{}. ", next - 1).len());
                self.indent = self.indent.saturating_sub(mark);
            }
            Event::End(TagEnd::List(_)) => {
                self.lists.pop();
                if self.lists.is_empty() {
                    self.out.push('\n');
                }
            }
            Event::End(TagEnd::TableCell) => {
                let cell = std::mem::take(&mut self.line);
                if let Some(row) = self.rows.last_mut() {
                    row.push(cell);
                }
            }
            Event::Start(Tag::Table(_)) | Event::End(TagEnd::TableRow) => {
                self.rows.push(Vec::new());
            }
            Event::End(TagEnd::TableHead) => {
                self.styles.pop();
                self.rows.push(Vec::new());
            }
            Event::End(TagEnd::Table) => self.table(),
            _ => {}
        }
    }

    fn text(&mut self, text: &str, style: &'static str) {
        self.line.extend(text.chars().map(|c| (c, style)));
    }

    /// Writes the paragraph that was collected, and the empty line after it.
    fn end_paragraph(&mut self, is_spaced: bool) {
        let line = std::mem::take(&mut self.line);
        if line.is_empty() {
            return;
        }
        let mark = std::mem::take(&mut self.mark);
        let first = self.indent - mark.len().min(self.indent);
        for (index, part) in wrapped(&line, self.width.saturating_sub(self.indent))
            .into_iter()
            .enumerate()
        {
            let before = if index == 0 { first } else { self.indent };
            self.out.extend(std::iter::repeat_n(' ', before));
            if index == 0 {
                self.out.push_str(&mark);
            }
            self.styled(part);
            self.out.push('\n');
        }
        if is_spaced {
            self.out.push('\n');
        }
    }

    /// Writes the lines of a code block. Exit codes of examples are no output.
    fn block(&mut self, text: &str) {
        for line in text.lines().filter(|line| !line.starts_with("? ")) {
            self.out.extend(std::iter::repeat_n(' ', self.indent + 4));
            self.styled(&line.chars().map(|c| (c, CODE)).collect::<Styled>());
            self.out.push('\n');
        }
    }

    /// Writes the table that was collected: the last column takes the width that the others leave.
    fn table(&mut self) {
        let rows = std::mem::take(&mut self.rows);
        let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
        let widest = |column| {
            rows.iter()
                .filter_map(|row: &Vec<Styled>| row.get(column))
                .map(Vec::len)
                .max()
        };
        let mut widths: Vec<_> = (0..columns)
            .map(|column| widest(column).unwrap_or_default())
            .collect();
        let all = widths.iter().sum::<usize>() + 2 * columns;
        if let Some((last, others)) = widths.split_last_mut() {
            let mut over = all.saturating_sub(self.width);
            for width in std::iter::once(last).chain(others.iter_mut().rev()) {
                let taken = over.min(width.saturating_sub(NARROWEST));
                *width -= taken;
                over -= taken;
            }
        }
        for row in rows.iter().filter(|row| !row.is_empty()) {
            let cells: Vec<_> = row
                .iter()
                .zip(&widths)
                .map(|(cell, &width)| wrapped(cell, width))
                .collect();
            for line in 0..cells.iter().map(Vec::len).max().unwrap_or_default() {
                for (cell, &width) in cells.iter().zip(&widths) {
                    let part = cell.get(line).copied().unwrap_or_default();
                    self.styled(part);
                    self.out.extend(std::iter::repeat_n(
                        ' ',
                        width.saturating_sub(part.len()) + 2,
                    ));
                }
                self.out.truncate(self.out.trim_end_matches(' ').len());
                self.out.push('\n');
            }
        }
        self.out.push('\n');
    }

    fn styled(&mut self, text: &[(char, &'static str)]) {
        let mut now = "";
        for &(c, style) in text {
            if style != now && self.color {
                self.out.push_str(if now.is_empty() { "" } else { PLAIN });
                self.out.push_str(style);
                now = style;
            }
            self.out.push(c);
        }
        self.out.push_str(if now.is_empty() { "" } else { PLAIN });
    }
}

/// Splits `text` at spaces into lines of at most `width` characters, unless a word is longer.
fn wrapped<'t>(text: &'t [(char, &'static str)], width: usize) -> Vec<&'t [(char, &'static str)]> {
    let is_space = |&(c, _): &(char, &str)| c == ' ';
    let (mut lines, mut rest) = (Vec::new(), text);
    while rest.len() > width {
        let within = rest[..=width.min(rest.len() - 1)]
            .iter()
            .rposition(is_space);
        let beyond = || rest.iter().position(is_space);
        let Some(end) = within.filter(|&end| end > 0).or_else(beyond) else {
            break;
        };
        lines.push(&rest[..end]);
        rest = &rest[end + 1..];
    }
    lines.push(rest);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_rendered(text: &str, width: usize, color: bool, expected: &str) {
        let style = Style {
            color,
            width: Some(width),
            hyperlinks: false,
        };
        assert_eq!(rendered(text, style), expected);
    }

    #[test]
    fn blocks_are_laid_out() {
        let cases = [
            (
                "# A\n\none two\nthree four five six\n",
                "A\n\none two three four\nfive six\n",
            ),
            (
                "- a\n- b c d e f g h i j k l m\n\nx",
                "- a\n- b c d e f g h i j\n  k l m\n\nx\n",
            ),
            ("9. a\n10. b\n    - c\n", "9. a\n10. b\n    - c\n"),
            (
                "```console\n$ a  b\n? 1\nc\n```\nx",
                "    $ a  b\n    c\n\nx\n",
            ),
            (
                "| a | b |\n|---|---|\n| one | two three four five six seven |\n| 1 | 2 |\n",
                "a    b\none  two three four five\n     six seven\n1    2\n",
            ),
            (
                "[x](y.md) a-very-long-word-that-does-not-fit b",
                "x\na-very-long-word-that-does-not-fit\nb\n",
            ),
        ];
        for (text, expected) in cases {
            assert_rendered(
                text,
                if text.starts_with('|') { 27 } else { 20 },
                false,
                expected,
            );
        }
    }

    #[test]
    fn styles_end() {
        assert_rendered(
            "# A\n\nb `c` **d** *e*",
            80,
            true,
            "\x1b[1mA\x1b[0m\n\nb \x1b[36mc\x1b[0m \x1b[1md\x1b[0m \x1b[3me\x1b[0m\n",
        );
    }
}
