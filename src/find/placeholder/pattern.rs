//! The notations of regular expressions and of patterns with `*`.

use std::ops::Range;

use super::{Language, MAX_NAME, Url, balanced, hex_digits, name_len};

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

pub(super) fn group(url: &Url<'_>, at: usize) -> Option<Range<usize>> {
    let rest = url.from(at);
    let close = || balanced(rest, b'(', b')');
    if matches!(
        rest,
        [b'(', b'?', b':' | b'P' | b'<' | b'=' | b'!' | b'i', ..]
    ) {
        return Some(at..close().map_or(url.text.len(), |len| at + len));
    }
    // A choice of words: `(www|ftp)`.
    let len = close().filter(|&len| !url.is_in_query(at) && rest[..len].contains(&b'|'))?;
    Some(at..at + len)
}

/// Measures a `)?` after which a query cannot begin.
pub(super) fn optional_group(url: &Url<'_>, at: usize) -> Option<Range<usize>> {
    let is_optional = match url.from(at) {
        [_, b'?', next @ ..] => {
            url.host().contains(&at)
                || matches!(next, [] | [b'/' | b'\\' | b'$' | b'(' | b'[' | b'.', ..])
        }
        _ => false,
    };
    if !is_optional {
        return None;
    }
    Some(memchr::memrchr(b'(', &url.text[..at])?..at + 2)
}

/// Measures a `|` where a host would begin, or before another scheme.
pub(super) fn alternative(url: &Url<'_>, at: usize) -> Option<Range<usize>> {
    let (before, rest) = url.text.split_at(at);
    let name = name_len(&rest[1..]);
    let begins_url = name > 1 && rest[1 + name..].starts_with(b"://");
    (begins_url || before.ends_with(b"://")).then_some(at..at + 1)
}

pub(super) fn backslash(url: &Url<'_>, at: usize) -> Option<Range<usize>> {
    let scheme = url.text.get(..5).unwrap_or_default();
    // The path of a file on Windows.
    if scheme.eq_ignore_ascii_case(b"file:") && url.around.language != Language::Code {
        return None;
    }
    let rest = &url.from(at)[1..];
    let is_alone = rest
        .get(1)
        .is_none_or(|after| !after.is_ascii_alphanumeric());
    let is_pattern = match *rest.first()? {
        b'.' | b'?' | b'+' | b'*' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'|' | b'^'
        | b'$' | b'/' | b'-' | b':' | b'#' => true,
        // A quotation mark in a program, or in a shell a character that would end a command.
        b'\'' | b'"' | b'&' | b';' => url.around.language == Language::Code,
        b'd' | b'w' | b's' | b'D' | b'W' | b'S' => {
            matches!(rest.get(1), Some(sign) if b"+*?{)]/$.-".contains(sign))
        }
        b'0'..=b'9' => is_alone,
        // The end of a quoted text: `\Qhttp://a.example\E`.
        b'E' => rest.len() == 1,
        // How a program writes a character: `\u00E9`, `\u{E9}`, `\xE9`.
        b'u' => rest.get(1) == Some(&b'{') || hex_digits(&rest[1..]) >= 4,
        b'x' => hex_digits(&rest[1..]) >= 2,
        _ => false,
    };
    (is_pattern || is_macro(url, rest)).then_some(at..at + 2)
}

/// Returns whether `rest`, the text after a backslash, is a macro of TeX: if the document is TeX, or if a
/// parameter follows the name.
fn is_macro(url: &Url<'_>, rest: &[u8]) -> bool {
    let is_of_name = |byte: &&u8| byte.is_ascii_alphabetic() || b"@_:".contains(byte);
    let len = rest.iter().take_while(is_of_name).count();
    let is_before_parameter = matches!(rest[len..], [b'/', b'#', b'1'..=b'9']);
    len > 1 && (url.around.language == Language::Tex || is_before_parameter)
}

pub(super) fn asterisk(url: &Url<'_>, at: usize) -> Option<Range<usize>> {
    let before = url.before(at)?;
    if url.host().contains(&at) {
        return Some(at..at + 1);
    }
    // `/1.*/` is a version.
    let previous = at.checked_sub(2).and_then(|at| url.at(at));
    let is_version = previous.is_some_and(|byte| byte.is_ascii_digit());
    (before == b'.' && !is_version).then(|| at - 1..at + 1)
}

pub(super) fn plus(url: &Url<'_>, at: usize) -> Option<Range<usize>> {
    // A program puts a value between two strings: `'+x+'`.
    if url.around.language == Language::Code
        && let Some(quote @ (b'\'' | b'"')) = url.before(at)
    {
        let rest = url.from(at + 1);
        let near = rest[..rest.len().min(MAX_NAME)].windows(2);
        let len = near.into_iter().position(|pair| pair == [b'+', quote])?;
        return Some(at - 1..at + len + 3);
    }
    let is_any = url.before(at) == Some(b'.')
        && at
            .checked_sub(2)
            .and_then(|at| url.at(at))
            .is_some_and(|byte| b"/(=".contains(&byte))
        && matches!(
            url.at(at + 1),
            None | Some(b'/' | b')' | b'$' | b'?' | b'\\')
        );
    is_any.then(|| at - 1..at + 1)
}
