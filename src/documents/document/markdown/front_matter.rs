//! Front matter: YAML or TOML before the text, between fences.

use crate::document::prose::lines;

/// The end of the byte order mark and the front matter: the start of the text.
pub(super) fn end(source: &[u8]) -> usize {
    let mark = if source.starts_with(b"\xEF\xBB\xBF") {
        3
    } else {
        0
    };
    let text = &source[mark..];
    let mut lines = lines(text).map(|line| (&text[line.clone()], mark + line.end));
    let fence = match lines.next().map(|(line, _)| line.trim_ascii_end()) {
        Some(b"---") => b"---",
        Some(b"+++") => b"+++",
        // The fence of mmark.
        Some(b"%%%") => b"%%%",
        _ => return mark,
    };
    let is_end = |line: &[u8]| {
        let line = line.trim_ascii_end();
        line == fence || (fence == b"---" && (line == b"..." || is_section(line)))
    };
    let mut is_first = true;
    for (line, end) in lines {
        // The first line was a thematic break and not a fence.
        if is_first && line.trim_ascii().is_empty() {
            return mark;
        }
        is_first = false;
        if is_section(line) {
            return end - line.len();
        }
        if is_end(line) {
            return end;
        }
    }
    mark
}

/// Returns whether `line` is like `--- abstract`, which begins a section in kramdown-rfc.
fn is_section(line: &[u8]) -> bool {
    matches!(line, [b'-', b'-', b'-', b' ', letter, ..] if letter.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends() {
        let cases = [
            ("---\ntitle: x\n---\n\ntext", "\n\ntext"),
            ("---\r\ntitle: x\r\n...\r\ntext", "\r\ntext"),
            ("\u{FEFF}---\ntitle: x\n---\ntext", "\ntext"),
            ("+++\ntitle = 1\n---\n+++\ntext", "\ntext"),
            ("---\ntitle: x\n\n--- abstract\ntext", "--- abstract\ntext"),
            ("---\n\ntext\n\n---\n", "---\n\ntext\n\n---\n"),
            ("---\ntext", "---\ntext"),
            ("\u{FEFF}text", "text"),
            ("text\n---\n", "text\n---\n"),
            ("", ""),
        ];
        for (source, text) in cases {
            assert_eq!(&source[end(source.as_bytes())..], text, "{source:?}");
        }
    }
}
