//! The depth of nested quotes and lists. For each line the parser visits all blocks that the line
//! may be in, so that its time would not be linear without a limit.

use crate::document::prose::lines;

/// The greatest number of quote and list markers at the start of a line.
const MAX_MARKERS: usize = 250;
/// The greatest number of columns before the last marker.
const MAX_INDENT: usize = 500;

/// The start of the first line that is nested too deeply.
pub(super) fn too_deep(body: &[u8]) -> Option<usize> {
    // Markers and blanks, of which a tab takes four columns, fill one such part at least of a line that is too deep.
    let is_mark = |byte: &u8| byte.is_ascii_digit() || b" \t>-*+.)".contains(byte);
    let mut parts = body.chunks_exact(MAX_INDENT / 8);
    let mut deep = lines(body).filter(|line| begins_too_deep(&body[line.clone()]));
    let may_be = parts.any(|part| part.iter().all(is_mark));
    may_be.then(|| deep.next())?.map(|line| line.start)
}

fn begins_too_deep(line: &[u8]) -> bool {
    let (mut markers, mut quotes, mut indent, mut at) = (0, 0, 0, 0);
    let mut last = 0;
    while let Some(&byte) = line.get(at) {
        let width = match byte {
            b' ' => 1,
            b'\t' => {
                indent += 3;
                1
            }
            _ => marker(&line[at..]),
        };
        if width == 0 {
            break;
        }
        if byte != b' ' && byte != b'\t' {
            markers += 1;
            quotes += usize::from(byte == b'>');
            last = indent;
        }
        at += width;
        indent += width;
    }
    // A line of nothing but list markers is a thematic break.
    let is_deep = markers > MAX_MARKERS || last > MAX_INDENT;
    (at < line.len() && is_deep) || quotes > MAX_MARKERS
}

/// The length of the quote or list marker at the start of `text`; 0 if there is none.
fn marker(text: &[u8]) -> usize {
    let digits = text.iter().take(9).take_while(|byte| byte.is_ascii_digit());
    let digits = digits.count();
    let (marker, after) = text.split_at(text.len().min(digits + 1));
    let ends = matches!(after.first(), None | Some(b' ' | b'\t'));
    match marker {
        [b'>'] => 1,
        [b'-' | b'*' | b'+'] if ends => 1,
        [_, .., b'.' | b')'] if digits > 0 && ends => digits + 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths() {
        let cases = [
            (">".repeat(1000), true),
            ("> ".repeat(1000) + "x", true),
            ("- ".repeat(1000) + "x", true),
            ("17. ".repeat(1000) + "x", true),
            ("x\n\n".to_owned() + &" ".repeat(1000) + "* x", true),
            ("- ".repeat(100) + "x", false),
            (">".repeat(100), false),
            ("* ".repeat(1000), false),
            (" ".repeat(1000) + "x", false),
            (" ".repeat(1000), false),
            ("-".repeat(1000), false),
            ("1".repeat(1000) + ".", false),
            (String::new(), false),
        ];
        for (text, expected) in cases {
            assert_eq!(too_deep(text.as_bytes()).is_some(), expected, "{text:?}");
        }
    }
}
