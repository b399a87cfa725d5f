//! Blocks of HTML whose content is Markdown all the same: kramdown and MkDocs read it so where a tag has the
//! attribute `markdown`, and a row of a table may begin with a tag.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memmem};

use crate::document::prose::lines;

/// Returns `text` for the parser, with every byte at its place. Characters that begin a block of HTML for
/// CommonMark, but not for its reader, are overwritten.
pub(super) fn opened(text: Cow<'_, str>) -> Cow<'_, str> {
    let edits = edits(text.as_bytes());
    if edits.is_empty() {
        return text;
    }
    let mut changed = text.into_owned().into_bytes();
    for (range, byte) in edits {
        changed[range].fill(byte);
    }
    String::from_utf8_lossy(&changed).into_owned().into()
}

/// Returns whether the program that reads `text` reads Markdown in blocks of HTML: some have the attribute or an element
/// of that name, or the text is MDX, which imports components and has their tags.
pub(super) fn is_read(text: &[u8]) -> bool {
    let has = |sign: &[u8]| memmem::find(text, sign).is_some();
    let is_component = |line: &[u8]| matches!(line.trim_ascii_start(), [b'<', name, ..] if name.is_ascii_uppercase());
    let is_import =
        |line: &[u8]| line.starts_with(b"import ") && memmem::find(line, b" from ").is_some();
    has(b" markdown=\"1\"")
        || has(b" markdown=1")
        || has(b"<markdown>")
        || lines(text).any(|line| is_component(&text[line.clone()]) || is_import(&text[line]))
}

/// Returns the ranges to overwrite, each with the byte to write. After a tag with the attribute, those that end
/// an element end the block as well.
fn edits(text: &[u8]) -> Vec<(Range<usize>, u8)> {
    let mut edits = Vec::new();
    let mut is_in_element = false;
    let mut all = lines(text).peekable();
    while let Some(line) = all.next() {
        let row = text[line.clone()].trim_ascii_start();
        let start = line.end - row.len();
        let end = memchr(b'>', row).map_or(0, |end| end + 1);
        if !row.starts_with(b"<") || end == 0 {
            continue;
        }
        let has_attribute = is_for_markdown(&row[..end]);
        is_in_element |= has_attribute;
        let is_read = has_attribute || is_in_element && row.starts_with(b"</") && !ends_raw(row);
        let next = all.peek().map(|next| text[next.clone()].trim_ascii());
        if is_read && row[end..].trim_ascii().is_empty() {
            // A blank line, after which anything may begin.
            edits.push((start..start + end, b' '));
        } else if is_read || row.contains(&b'|') && next.is_some_and(is_border) {
            edits.push((start..start + 1, b'x'));
        }
    }
    edits
}

/// Returns whether `row` begins with the end of an element whose text has no blank line as its end.
fn ends_raw(row: &[u8]) -> bool {
    let names: [&[u8]; 4] = [b"</script", b"</style", b"</pre", b"</textarea"];
    names.iter().any(|name| row.starts_with(name))
}

/// Returns whether `tag` has the attribute `markdown`, with any value but `0`.
fn is_for_markdown(tag: &[u8]) -> bool {
    let Some(at) = memmem::find(tag, b" markdown") else {
        return false;
    };
    let value = &tag[at + " markdown".len()..];
    matches!(value, [b'>' | b' ', ..]) || (value.starts_with(b"=") && !value.starts_with(b"=\"0\""))
}

/// Returns whether `line` separates the head of a table from its body.
fn is_border(line: &[u8]) -> bool {
    matches!(line.first(), Some(b'|' | b'-' | b':'))
        && line.contains(&b'|')
        && memmem::find(line, b"---").is_some()
}

#[cfg(test)]
mod tests {
    use super::opened;

    #[test]
    fn elements_open_to_markdown() {
        for (text, expected) in [
            (
                "<p markdown=\"1\">\nx\n</p>\n",
                "                \nx\n    \n",
            ),
            ("<p markdown>x</p>\n", "xp markdown>x</p>\n"),
            (
                "<p markdown=\"0\">\nx\n</p>\n",
                "<p markdown=\"0\">\nx\n</p>\n",
            ),
            ("<p class=\"markdown\">\nx\n", "<p class=\"markdown\">\nx\n"),
            ("<b>x</b> | y\n--- | ---\n", "xb>x</b> | y\n--- | ---\n"),
            ("<b>x</b> | y\nz\n", "<b>x</b> | y\nz\n"),
            ("<p markdown=\"1\"\n", "<p markdown=\"1\"\n"),
            (
                "<p markdown=\"1\">\n\n<style>\nx\n</style>\n",
                "                \n\n<style>\nx\n</style>\n",
            ),
        ] {
            assert_eq!(opened(text.into()), expected, "{text:?}");
        }
    }
}
