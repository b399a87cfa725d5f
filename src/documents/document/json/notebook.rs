//! Notebooks of Jupyter: JSON with a list of cells, some of which are Markdown, and with results, some of which are HTML.

use super::strings::{LAYER, Strings, decoded};
use super::tokens::Tokens;
use crate::document::{Kind, Parts, Scope, markdown};
use urlint_view::View;

/// Returns whether JSON that begins with `head` is a notebook: its first value is a list of cells.
pub(crate) fn is_notebook(head: &[u8]) -> bool {
    let mut rest = Some(head);
    for sign in ["{", "\"cells\"", ":", "[", "{"] {
        rest = rest.and_then(|rest| rest.trim_ascii_start().strip_prefix(sign.as_bytes()));
    }
    rest.is_some()
}

/// Adds the parts of a notebook. All lines of a cell of Markdown or of HTML are one text; other strings are those of JSON.
pub(super) fn parts<'s>(source: &'s [u8], scope: Scope, parts: &mut Parts<'s>) {
    let mut tokens = Tokens::new(source).peekable();
    let mut strings = Strings::new(source, scope);
    // Programs write the type of a cell before its source.
    let mut is_markdown = false;
    while let Some(token) = tokens.next() {
        let rest = &source[token.range.end..];
        let after = rest
            .strip_prefix(b"\"")
            .unwrap_or_default()
            .trim_ascii_start();
        let value = after.strip_prefix(b":").filter(|_| token.is_string);
        let is_name = value.is_some();
        match &source[token.range.clone()] {
            b"cell_type" if is_name => {
                let next = tokens.peek().map(|next| &source[next.range.clone()]);
                is_markdown = next == Some(b"markdown");
            }
            name @ (b"source" | b"text/html") if is_name && (is_markdown || name != b"source") => {
                let is_list = value.is_some_and(|value| value.trim_ascii_start().starts_with(b"["));
                let mut text = View::new(LAYER);
                let (mut end, mut sign) = (token.range.end + 1, if is_list { ":[" } else { ":" });
                while let Some(line) =
                    tokens.next_if(|next| next.is_string && is(&source[end..next.start], sign))
                {
                    let range = line.range.clone();
                    text.append(&decoded(&source[range], line.range.start as u64));
                    (end, sign) = (line.range.end + 1, if is_list { "," } else { "]" });
                }
                if name != b"source" {
                    strings.html.add(&text);
                    continue;
                }
                let mut inner = Parts::default();
                markdown::parts(Kind::Markdown, text.text(), scope, &mut inner);
                inner.set_kind(Kind::Markdown);
                parts.add_within(&text, inner);
            }
            _ if token.is_string => strings.add(token.range, parts),
            _ => parts.lines(View::borrowed(
                &source[token.range.clone()],
                token.start as u64,
            )),
        }
    }
    strings.finish(parts);
    (parts.parts.iter_mut()).for_each(|part| part.is_carried = true);
}

/// Returns whether the text between two strings is `sign`, but for white space.
fn is(between: &[u8], sign: &str) -> bool {
    let signs = between.iter().filter(|byte| !byte.is_ascii_whitespace());
    signs.eq(sign.as_bytes())
}
