//! How deeply quotes and lists are nested: for each line the parser goes through all that it may
//! be nested in, so that without a limit its time is not linear.

use crate::document::prose::lines;

/// The most marks of quotes and lists that a line may begin with.
const MAX_MARKS: usize = 250;
/// The most columns in front of the last of them.
const MAX_INDENT: usize = 500;

/// The first line that is nested too deeply.
pub(super) fn too_deep(body: &[u8]) -> Option<usize> {
    lines(body)
        .find(|line| begins_too_deep(&body[line.clone()]))
        .map(|line| line.start)
}

fn begins_too_deep(line: &[u8]) -> bool {
    let (mut marks, mut quotes, mut indent, mut at) = (0, 0, 0, 0);
    let mut last = 0;
    while let Some(&byte) = line.get(at) {
        let width = match byte {
            b' ' => 1,
            b'\t' => {
                indent += 3;
                1
            }
            _ => mark(&line[at..]),
        };
        if width == 0 {
            break;
        }
        if byte != b' ' && byte != b'\t' {
            marks += 1;
            quotes += usize::from(byte == b'>');
            last = indent;
        }
        at += width;
        indent += width;
    }
    // Nothing but marks of lists is a rule.
    let is_deep = marks > MAX_MARKS || last > MAX_INDENT;
    (at < line.len() && is_deep) || quotes > MAX_MARKS
}

/// How long the mark of a quote or a list is with which `text` begins, if one does.
fn mark(text: &[u8]) -> usize {
    let digits = text.iter().take(9).take_while(|byte| byte.is_ascii_digit());
    let digits = digits.count();
    let (mark, behind) = text.split_at(text.len().min(digits + 1));
    let ends = matches!(behind.first(), None | Some(b' ' | b'\t'));
    match mark {
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
