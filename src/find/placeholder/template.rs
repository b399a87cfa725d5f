//! Names and expressions in braces and square brackets.

use super::{MAX_NAME, MAX_TEMPLATE, is_name_byte};

/// Returns the length of `{x}`, `${x}`, `{{ x }}`, `{% x %}` or `#{x}` at the start of `text`, without the sign
/// `before` it.
pub(super) fn in_braces(text: &[u8], before: Option<u8>) -> Option<usize> {
    let len = balanced(&text[..text.len().min(MAX_TEMPLATE)], b'{', b'}')?;
    (begins(text, before) || is_expression(&text[1..len - 1])).then_some(len)
}

/// Returns whether a template begins with the brace at the start of `text`, whatever it holds.
pub(super) fn begins(text: &[u8], before: Option<u8>) -> bool {
    match (before, text.get(1)) {
        (_, Some(b'{' | b'%')) => true,
        (Some(b'$'), next) => next.is_some_and(|&next| next != b'}'),
        (Some(b'#'), Some(next)) => next.is_ascii_alphabetic() || b"@_:".contains(next),
        _ => false,
    }
}

/// Returns the length of `text` up to the bracket that closes its first one, if that is on the first line.
pub(super) fn balanced(text: &[u8], open: u8, close: u8) -> Option<usize> {
    let mut depth = 0;
    let is_end = |&byte: &u8| {
        depth += i32::from(byte == open) - i32::from(byte == close);
        depth == 0 || byte == b'\n' || byte == b'\r'
    };
    let end = text.iter().position(is_end)?;
    (text[end] == close).then_some(end + 1)
}

/// Returns whether the text between `{` and `}` is an expression, rather than part of a URL that
/// has braces, such as a GUID, a date or JSON.
fn is_expression(text: &[u8]) -> bool {
    let Some(&first) = text.first() else {
        return true;
    };
    if first.is_ascii_digit() {
        let is_number_byte = |byte: &u8| byte.is_ascii_digit() || b",.:$".contains(byte);
        return text.len() < 8 && hex_digits(text) < 4 && text.iter().all(is_number_byte);
    }
    let begins = first.is_ascii_alphabetic() || first >= 0x80 || b"_+#./;?&$:*@=!".contains(&first);
    let is_inside = |byte: &u8| *byte > b' ' && *byte != 0x7F && !b"{<>\"`".contains(byte);
    let has_word = text.iter().any(u8::is_ascii_alphanumeric) || matches!(first, b'.' | b':');
    begins && (has_word || first >= 0x80) && text.iter().all(is_inside) && !is_guid(text)
}

fn hex_digits(text: &[u8]) -> usize {
    let digits = text.iter().take_while(|byte| byte.is_ascii_hexdigit());
    digits.count()
}

/// Returns whether `text` is an identifier of 32 hexadecimal digits, which Windows writes in `{…}`.
fn is_guid(text: &[u8]) -> bool {
    let digits = text.iter().filter(|byte| byte.is_ascii_hexdigit()).count();
    let hyphens = text.iter().filter(|&&byte| byte == b'-').count();
    digits == 32 && digits + hyphens == text.len()
}

/// Returns the length of `[name]` at the start of `text`, after a `/` or a `~`, or of `[% name %]`.
pub(super) fn name_in_brackets(text: &[u8], before: Option<u8>) -> Option<usize> {
    if text.starts_with(b"[% ") {
        return memchr::memmem::find(&text[..text.len().min(MAX_NAME)], b" %]").map(|at| at + 3);
    }
    let len = text.iter().take(MAX_NAME).position(|&byte| byte == b']')?;
    let name = &text[1..len];
    let name = name.strip_prefix(b"...").unwrap_or(name);
    let is_name = matches!(before, Some(b'/' | b'~' | b':'))
        && name.first()?.is_ascii_alphabetic()
        && name.iter().all(|&byte| is_name_byte(byte));
    is_name.then_some(len + 1)
}
