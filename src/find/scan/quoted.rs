//! URLs in quotation marks, which reach from one mark to the other.

use memchr::memmem;

use super::extent::{PLAIN, bracket, closes_markup, is_data, is_drive, is_in_word};
use super::near::begins_url;
use super::unicode;
use crate::candidate::Candidate;
use crate::text::Text;
use urlint_standard::text::utf8::code_point_len;
use urlint_standard::url::schemes::is_scheme_name;

/// Quotation marks and brackets, each with those that may close it.
const PAIRS: [(&str, &[&str]); 14] = [
    ("\"", &["\""]),
    ("'", &["'"]),
    ("`", &["`"]),
    ("“", &["”"]),
    ("‘", &["’"]),
    ("„", &["“", "”"]),
    ("‚", &["‘", "’"]),
    ("«", &["»"]),
    ("‹", &["›"]),
    ("「", &["」"]),
    ("『", &["』"]),
    ("(", &[")"]),
    ("[", &["]", " "]),
    // In `[[text|URL]]`.
    ("|", &["]"]),
];

/// Returns the offset of the quotation mark that closes the one directly before `start`, if there is only the
/// URL at `start` between them: no white space, control character, `<` or `>`, no second URL, and nothing
/// that only a parser of source code can read, such as an escape or an open bracket.
#[inline(never)]
pub(super) fn end(text: &Text<'_>, start: usize, floor: usize) -> Option<usize> {
    let before = &text.bytes[floor..start];
    let opens = |(opener, _): &&(&str, _)| before.ends_with(opener.as_bytes());
    let (opener, closers) = PAIRS.iter().find(opens)?;
    closed(text, start, Some(opener), closers)
}

/// Returns whether `value` is a URL with `//` after its scheme, as [`end`] reads the text in quotes.
/// Punctuation at its end shows that it is a sentence.
pub(crate) fn is_url(value: &[u8]) -> bool {
    let is_scheme = |colon| is_scheme_name(&value[..colon]);
    let is_sentence =
        value.last().is_none_or(|last| b".,:;!".contains(last)) || value.ends_with("。".as_bytes());
    !is_sentence && memmem::find(value, b"://").is_some_and(is_scheme) && {
        closed(&Text::new(value, true), 0, None, &[]) == Some(value.len())
    }
}

/// Returns where the first of `closers` is after `start`, or the end of the text if there are none, unless
/// the text before it is more than one URL.
fn closed(text: &Text<'_>, start: usize, opener: Option<&str>, closers: &[&str]) -> Option<usize> {
    let line = text.line_from(start, Candidate::MAX_LEN);
    let (mut at, mut open, mut in_query) = (0, [0_u32; 3], false);
    loop {
        at = PLAIN.skip(line, at);
        let Some(&byte) = line.get(at) else {
            break;
        };
        let rest = &line[at..];
        if closers
            .iter()
            .any(|closer| rest.starts_with(closer.as_bytes()))
            && !(byte == b'\'' && is_in_word(text, start + at))
        {
            return (open == [0; 3]).then_some(start + at);
        }
        let goes_on = match byte {
            0..=b' ' | 0x7F | b'<' | b'>' | b'\\' => false,
            b'?' | b'#' => {
                in_query = true;
                true
            }
            b'|' if in_query => is_data(text, start + at),
            b'|' => is_drive(text, start + at),
            b',' | b';' => !begins_url(text, start + at + 1),
            b'&' => !closes_markup(text, start + at),
            b'(' | b'[' | b'{' => {
                open[bracket(byte)] += 1;
                true
            }
            b')' | b']' | b'}' => {
                let open = &mut open[bracket(byte)];
                *open = open.saturating_sub(1);
                true
            }
            0x80.. => {
                let before = line[at - 1];
                at += code_point_len(rest) - 1;
                // After a second opener, the text would be read again for each of them.
                let is_opener = opener.is_some_and(|opener| rest.starts_with(opener.as_bytes()));
                let is_text = opener.is_some() && before.is_ascii() && unicode::begins_text(rest);
                !is_opener && !is_text && !unicode::is_blank(rest)
            }
            _ => true,
        };
        if !goes_on {
            return None;
        }
        at += 1;
    }
    (closers.is_empty() && open == [0; 3]).then_some(start + at)
}

/// Returns where a URL from `start` that a quotation mark at `close` closes ends: before the mark, but for
/// one full stop or comma of the sentence, unless the text is source code.
pub(super) fn trim(text: &Text<'_>, start: usize, close: usize, code: bool) -> usize {
    let url = &text.bytes[start..close];
    let is_of_sentence = !code && !url.ends_with(b"...") && matches!(url.last(), Some(b'.' | b','));
    close - usize::from(is_of_sentence)
}
