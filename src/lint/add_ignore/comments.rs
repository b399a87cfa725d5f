//! Writes a comment into a text, in the place that is usual in its language. The caller checks whether
//! it changes the document. Only source code is not parsed, so a place there that may be inside a
//! string is refused.

use crate::{Applicability, Edit, Fix};
use memchr::memmem;
use urlint_documents::document::{Kind, LineComments, line_comments};
use urlint_standard::Span;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A text and its lines.
pub(super) struct Lines<'t> {
    text: &'t [u8],
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub(super) fn of(text: &'t [u8]) -> Self {
        let after_breaks = memchr::memchr_iter(b'\n', text).map(|at| at + 1);
        let starts = std::iter::once(0).chain(after_breaks);
        Lines {
            text,
            starts: starts.filter(|&at| at == 0 || at < text.len()).collect(),
        }
    }

    /// Returns the number of the line that the offset `at` is in.
    pub(super) fn number(&self, at: u64) -> usize {
        let after = self.starts.partition_point(|&start| start as u64 <= at);
        after.max(1) - 1
    }

    /// Returns a line without the white space at its end, or an empty one beyond the last.
    fn line(&self, number: usize) -> &'t [u8] {
        let at = |number| self.starts.get(number).copied().unwrap_or(self.text.len());
        self.text[at(number)..at(number + 1)].trim_ascii_end()
    }

    /// Returns the insertion of a comment that suppresses `rule` on the line `number`, from 0: in the line in markup,
    /// before the line elsewhere. Returns `None` without a place: `kind` has no comments, or the place may be inside a
    /// string.
    pub(super) fn insertion(
        &self,
        number: usize,
        rule: &str,
        kind: Kind,
        name: &[u8],
    ) -> Option<Fix> {
        let line_break = match memchr::memchr(b'\n', self.text) {
            Some(end) if self.text[..end].ends_with(b"\r") => "\r\n",
            _ => "\n",
        };
        let (start, line) = (*self.starts.get(number)?, self.line(number));
        // A mark that says how to read the file must stay at its start.
        let has_to_be_first = |sign: &&[u8]| line.starts_with(sign);
        if number == 0 && [b"<?", b"#!", BYTE_ORDER_MARK].iter().any(has_to_be_first) {
            return None;
        }
        let indent = line.len() - line.trim_ascii_start().len();
        let comment = format!("urlint: ignore[{rule}]");
        let (at, comment) = match kind {
            // After the indentation, and without a line of its own: white space may be content here.
            Kind::Html | Kind::Xml => (start + indent, format!("<!-- {comment} -->")),
            // MDX refuses comments of HTML, and its own are code in an expression.
            Kind::Mdx => return None,
            Kind::Markdown | Kind::Kramdown if self.is_of_paragraph(number) => {
                (start + line.len(), format!(" <!-- {comment} -->"))
            }
            Kind::Markdown | Kind::Kramdown => (start, format!("<!-- {comment} -->{line_break}")),
            Kind::Plain => {
                let language = line_comments(name)?;
                if number > self.last_outside_of_strings(language)
                    || !self.is_free(number, language)
                {
                    return None;
                }
                let indent = String::from_utf8_lossy(&line[..indent]);
                let sign = language.sign;
                (start, format!("{indent}{sign} {comment}{line_break}"))
            }
            _ => return None,
        };
        let edit = Edit::new(Span::new(at as u64, at as u64), comment);
        Some(Fix::new("", Applicability::Safe, vec![edit]))
    }

    /// Returns whether a line of Markdown looks like part of a paragraph, so that it may end with a comment,
    /// and not like a heading or the definition of a reference.
    fn is_of_paragraph(&self, number: usize) -> bool {
        let line = self.line(number).trim_ascii_start();
        let is_underline = |next: &[u8]| {
            let is_same = |mark: u8| next.iter().all(|&byte| byte == mark);
            !next.is_empty() && (is_same(b'=') || is_same(b'-'))
        };
        let is_definition = line.starts_with(b"[") && memmem::find(line, b"]:").is_some();
        !line.starts_with(b"#") && !is_definition && !is_underline(self.line(number + 1))
    }

    /// Returns whether a comment may precede this line of source code, given that the line begins outside
    /// of strings.
    fn is_free(&self, number: usize, language: &LineComments) -> bool {
        let line = self.line(number).trim_ascii_start();
        let goes_on = number > 0 && self.line(number - 1).ends_with(b"\\");
        // A line of YAML with a key begins an entry; any other line may continue the text before it.
        let is_entry = line.starts_with(b"#") || memmem::find(line, b": ").is_some();
        // In Python, one of the first two lines names the encoding.
        let names_encoding = |number| memmem::find(self.line(number), b"coding").is_some();
        let is_head = (number..2).any(names_encoding);
        !goes_on && !is_head && (is_entry || !language.needs_key)
    }

    /// Returns the last line before which each line begins where a comment is not content: outside of
    /// strings and the like. If that is hard to tell, it returns an earlier line.
    fn last_outside_of_strings(&self, language: &LineComments) -> usize {
        // Elements of JSX contain text.
        if language.openers.contains(&"`") && memmem::find(self.text, b"</").is_some() {
            return 0;
        }
        let mut lines = (0..self.starts.len()).map(|number| self.line(number));
        let first = lines.position(|line| may_go_on(line, language));
        first.unwrap_or(self.starts.len())
    }
}

/// Returns whether something in which a comment would be content may continue after `line`.
fn may_go_on(line: &[u8], language: &LineComments) -> bool {
    let has = |opener: &&str| memmem::find(line, opener.as_bytes()).is_some();
    if language.openers.iter().any(has) {
        return true;
    }
    let mut open = None;
    for (at, &byte) in line.iter().enumerate() {
        let is_word = at > 0 && !line[at - 1].is_ascii_whitespace();
        match open {
            Some(quote) if quote == byte => open = None,
            Some(_) => {}
            None if language.quotes.as_bytes().contains(&byte) => open = Some(byte),
            None if !is_word && line[at..].starts_with(language.sign.as_bytes()) => break,
            None => {}
        }
    }
    open.is_some()
}
