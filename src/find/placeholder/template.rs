//! Names and expressions in braces and square brackets.

use super::{MAX_NAME, MAX_TEMPLATE, hex_digits, is_name_byte};

/// Returns the length of `{{ x }}`, `{{{ x }}}`, `{% x %}`, `{# x #}` or `{x}` at the start of
/// `text`.
pub(super) fn in_braces(text: &[u8]) -> Option<usize> {
    let text = &text[..text.len().min(MAX_TEMPLATE)];
    match text {
        [b'{', b'{', b'{', ..] => until(text, b"}}}"),
        [b'{', b'{', ..] => until(text, b"}}").map(|len| {
            // An inner brace may end there as well: `{{ {a} }}` and `{{a}}}`.
            len + usize::from(text.get(len) == Some(&b'}') && text[2..len].contains(&b'{'))
        }),
        [b'{', b'%', ..] => until(text, b"%}"),
        [b'{', b'#', b' ', ..] => until(text, b"#}"),
        [b'{', content @ ..] => {
            let len = content
                .iter()
                .take(2 * MAX_NAME)
                .position(|&byte| byte == b'}')?;
            is_expression(&content[..len]).then_some(len + 2)
        }
        _ => None,
    }
}

/// Returns the length of `text` up to the end of the first `closer`, if that is on the first line.
pub(super) fn until(text: &[u8], closer: &[u8]) -> Option<usize> {
    let line = &text[..memchr::memchr2(b'\n', b'\r', text).unwrap_or(text.len())];
    let at = memchr::memmem::find(line.get(2..)?, closer)?;
    Some(2 + at + closer.len())
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

/// Returns whether `text` is an identifier of 32 hexadecimal digits, which Windows writes in `{…}`.
fn is_guid(text: &[u8]) -> bool {
    let digits = text.iter().filter(|byte| byte.is_ascii_hexdigit()).count();
    let hyphens = text.iter().filter(|&&byte| byte == b'-').count();
    digits == 32 && digits + hyphens == text.len()
}

/// Returns the length of `[name]` at the start of `text`, after a `/` or a `=`.
pub(super) fn name_in_brackets(text: &[u8], before: Option<u8>) -> Option<usize> {
    let text = &text[..text.len().min(MAX_NAME)];
    let name = text[1..].strip_prefix(b"...").unwrap_or(&text[1..]);
    let len = name.iter().position(|&byte| !is_name_byte(byte))?;
    let is_name = matches!(before, Some(b'/' | b'=' | b'~'))
        && name[len] == b']'
        && name.first()?.is_ascii_alphabetic();
    is_name.then_some(text.len() - name.len() + len + 1)
}

/// Returns the length of a character class of a regular expression at the start of `text`: `[^/]`,
/// `[a-z]+`, `[0-9]{4}`.
pub(super) fn class(text: &[u8]) -> Option<usize> {
    let text = &text[..text.len().min(MAX_NAME)];
    let close = 2 + memchr::memchr(b']', text.get(2..)?)?;
    let inside = &text[1..close];
    if inside.iter().any(|byte| *byte <= b' ') {
        return None;
    }
    let is_negated = inside[0] == b'^';
    let has_range = inside.windows(3).any(|range| {
        range[1] == b'-'
            && range[0].is_ascii_alphanumeric()
            && range[2].is_ascii_alphanumeric()
            && range[0] < range[2]
    }) || inside.contains(&b'\\');
    let has_quantifier = matches!(text.get(close + 1), Some(b'+' | b'*' | b'{'));
    (is_negated || (has_range && has_quantifier)).then_some(close + 1)
}
