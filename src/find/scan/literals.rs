//! String literals of source code that continue the literal before them.

use super::extent::open_quote;
use crate::Strings;
use crate::text::Text;
use urlint_standard::text::window::is_blank;

/// Returns the start of the text of the next literal, if it continues the literal with the closing quote
/// at `close`: if it is on the next line, in the same quotes. `line` is the line of the first literal, up
/// to a place inside that literal.
pub(super) fn next(text: &Text<'_>, line: &[u8], close: usize, strings: Strings) -> Option<usize> {
    let quote = text.at(close)?;
    let operator = match strings {
        Strings::Adjacent => None,
        Strings::LogicalLine => Some(b'+'),
        Strings::Operator(operator) => Some(operator),
    };
    let mut operators = 0;
    let mut skip = |at: usize| {
        let at = text.skip(at, is_blank);
        match operator {
            Some(operator) if text.at(at) == Some(operator) => {
                operators += 1;
                text.skip(at + 1, is_blank)
            }
            _ => at,
        }
    };
    let mut end = skip(close + 1);
    let is_python = strings == Strings::LogicalLine;
    let has_backslash = text.at(end) == Some(b'\\') && !matches!(strings, Strings::Operator(_));
    end += usize::from(has_backslash);
    let start = text.after_break(end)?;
    let first = text.skip(start, is_blank);
    let mut opener = skip(first);
    let is_joined = match strings {
        Strings::Adjacent => true,
        // A string at the start of a logical line is a statement: the documentation of the lines
        // before it.
        Strings::LogicalLine => {
            let indentation = line.iter().take_while(|&&byte| is_blank(byte)).count();
            let begins_with_string = open_quote(&line[..line.len().min(indentation + 3)]).is_some();
            let goes_on =
                first - start > indentation || (first - start == indentation && begins_with_string);
            operators == 1 || (operators == 0 && (has_backslash || goes_on))
        }
        Strings::Operator(_) => operators == 1,
    };
    if is_python {
        // A prefix, as in `f"..."`.
        opener = text
            .skip(opener, |byte| b"bBfFrRuU".contains(&byte))
            .min(opener + 2);
    }
    // Three quotes open another kind of string.
    let is_long = text.at(opener + 1) == Some(quote) && text.at(opener + 2) == Some(quote);
    (is_joined && text.at(opener) == Some(quote) && !is_long).then_some(opener + 1)
}
