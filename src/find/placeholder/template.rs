//! The notations of templates, format strings and shells, and those for the reader to replace.

use std::ops::Range;

use super::pattern::class;
use super::{Language, MAX_NAME, MAX_TEMPLATE, Url, balanced, hex_digits, is_name_byte, name_len};

/// Returns the range of `{x}` and of everything else that begins with `{`.
pub(super) fn braces(url: &Url<'_>, at: usize) -> Option<Range<usize>> {
    let rest = url.from(at);
    let start = match url.before(at) {
        Some(b'$' | b'#' | b'%') => at - 1,
        _ => at,
    };
    if let Some(len) = in_braces(rest) {
        return Some(start..at + len);
    }
    // A template, even if its end is outside the URL.
    let begins_template = match (url.before(at), rest) {
        (Some(b'$'), [_, _, ..]) | (_, [_, b'{' | b'%', ..]) => true,
        // Ruby's `#{x["y"]}`.
        (Some(b'#'), [_, first, ..]) => first.is_ascii_alphabetic() || b"@_:".contains(first),
        _ => false,
    };
    begins_template.then_some(start..url.text.len())
}

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

pub(super) fn dollar(url: &Url<'_>, at: usize) -> Option<Range<usize>> {
    let rest = &url.from(at)[1..];
    let before = url.before(at);
    let end = match rest {
        [] => (url.around.before == Some(b'^')).then_some(0),
        [b'(', b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'/', ..] => balanced(rest, b'(', b')'),
        // `$\sim$` of TeX.
        [b'\\', next, ..] => next.is_ascii_alphabetic().then_some(1),
        // `${` is measured at its brace.
        [b'1'..=b'9', next @ ..] => {
            let is_price = matches!(next, [b'0'..=b'9', ..] | [b'.' | b',', b'0'..=b'9', ..]);
            (!is_price).then_some(1)
        }
        [first, ..] if first.is_ascii_alphabetic() || *first == b'_' => {
            let len = name_len(rest);
            // `file://a.example/disk$user` is a path of VMS.
            let is_file = before.is_some_and(|byte| byte.is_ascii_alphanumeric())
                && (url.text.get(..5)).is_some_and(|scheme| scheme.eq_ignore_ascii_case(b"file:"));
            (!is_file && is_variable(&rest[..len], before, rest.get(len))).then_some(len)
        }
        _ => None,
    }?;
    Some(at..at + 1 + end)
}

/// Returns whether `name` after a `$` is a variable. In `Map$Entry` and `a$b` the `$` is part of a
/// name, and `?$top=5` is an OData parameter.
fn is_variable(name: &[u8], before: Option<u8>, next: Option<&u8>) -> bool {
    let is_upper = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
    let is_lower = |byte: &u8| byte.is_ascii_lowercase();
    let odata: [&[u8]; 5] = [b"metadata", b"batch", b"count", b"value", b"ref"];
    match before {
        Some(b'?' | b'&') if next == Some(&b'=') => false,
        Some(b'/') => !odata.contains(&name),
        Some(before) if before.is_ascii_alphanumeric() => {
            name.len() > 1 && (name.iter().all(is_upper) || name.first().is_some_and(is_lower))
        }
        _ => true,
    }
}

pub(super) fn percent(url: &Url<'_>, at: usize) -> Option<Range<usize>> {
    let rest = &url.from(at)[1..];
    let is_escape = matches!(rest, [a, b, ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit());
    let len = match rest {
        [b'(', ..] => {
            let len = balanced(rest, b'(', b')')?;
            rest.get(len)?.is_ascii_alphabetic().then_some(len + 1)
        }
        // The rest of the line is a comment.
        [] if url.around.language == Language::Tex => Some(0),
        // `%02d`, read as an escape, would be a control character followed by a letter.
        [b'0', b'2'..=b'8', b'd' | b'x' | b'X' | b'u' | b'i', ..] => Some(3),
        _ if is_escape => lower_variable(rest),
        [b'1'..=b'9', b'$', b's' | b'd', ..] => Some(3),
        [b'0', b'$', digit, ..] if digit.is_ascii_digit() => Some(3),
        // A whole segment, as the language of a page.
        [letter, next @ ..]
            if url.before(at) == Some(b'/')
                && letter.is_ascii_alphabetic()
                && matches!(next, [] | [b'/', ..]) =>
        {
            Some(1)
        }
        // A percent sign in formats and settings of programs.
        [b'%', a, b, ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit() => Some(3),
        _ => (variable_of_windows(rest))
            .or_else(|| lower_variable(rest))
            .or_else(|| word(rest))
            .or_else(|| conversion(rest, url.before(at))),
    }?;
    Some(at..at + 1 + len)
}

/// Returns the length of `APPDATA%`, or `TMPL:END%`.
fn variable_of_windows(text: &[u8]) -> Option<usize> {
    let is_name_byte = |byte: &&u8| byte.is_ascii_uppercase() || b"_:".contains(*byte);
    let len = text.iter().take_while(is_name_byte).count();
    (len > 2 && text.get(len) == Some(&b'%')).then_some(len + 1)
}

/// Returns the length of `action_name%`, `kernel.cache_dir%` or `env(HOST)%`, if no escape is at its end.
fn lower_variable(text: &[u8]) -> Option<usize> {
    let is_of_name = |byte: &&u8| byte.is_ascii_lowercase() || b"_.".contains(*byte);
    let name = text.iter().take_while(is_of_name).count();
    let len = name
        + match text.get(name) {
            Some(b'(') => balanced(&text[name..], b'(', b')')?,
            _ => 0,
        };
    let ends = text.get(len) == Some(&b'%') && hex_digits(&text[len + 1..]) < 2;
    let is_name = text[..len].iter().any(|byte| b"_.(".contains(byte));
    (ends && is_name && text[0].is_ascii_lowercase()).then_some(len + 1)
}

/// Returns the length of `commit%`, if no escape is at its end, or of `file;`, a parameter entity of a DTD.
fn word(text: &[u8]) -> Option<usize> {
    let len = text
        .iter()
        .take_while(|byte| byte.is_ascii_lowercase())
        .count();
    let ends = match text.get(len) {
        Some(b'%') => hex_digits(&text[len + 1..]) < 2,
        Some(b';') => true,
        _ => false,
    };
    (len > 2 && ends).then_some(len + 1)
}

/// Returns the length of the conversion of a format string, without its `%`: `s`, `.2f`, `ld`.
fn conversion(text: &[u8], before: Option<u8>) -> Option<usize> {
    let skip = |at: usize, most: usize, signs: &[u8]| {
        let rest = text[at..].iter().take(most);
        at + rest.take_while(|byte| signs.contains(byte)).count()
    };
    let mut at = skip(0, 1, b"-");
    at = skip(at, 3, b"0123456789");
    if matches!(text[at..], [b'.', b'0'..=b'9', ..]) {
        at += 2;
    }
    // `%ld`; but `%h` has no length modifier.
    if matches!(text[at..], [b'l' | b'z' | b'h', b'd' | b'u' | b'x', ..]) {
        at += 1;
    }
    let next = text.get(at + 1).copied();
    let is_end = next.is_none_or(|next| !next.is_ascii_alphanumeric());
    let follows_sign = before.is_some_and(|before| b"/=:@.-_%&".contains(&before));
    let is_conversion = match text.get(at)? {
        b's' | b'S' | b'i' | b'v' | b'q' => is_end || follows_sign,
        // Two of these may be the digits of an escape, but then they have already been read as one.
        b'd' | b'c' | b'f' | b'x' | b'X' => {
            is_end
                || (follows_sign && !next.is_some_and(|next| next.is_ascii_lowercase()))
                || text[at..].starts_with(b"dx%")
        }
        // `%H` and `%T` come from git and from date formats.
        b'u' | b'o' | b'p' | b'r' | b'g' | b'h' | b'H' | b'T' | b'Y' | b'n' | b't' => is_end,
        _ => false,
    };
    is_conversion.then_some(at + 1)
}

pub(super) fn bracket(url: &Url<'_>, at: usize) -> Option<Range<usize>> {
    let rest = url.from(at);
    if let Some(len) = class(rest) {
        return Some(at..at + len);
    }
    let before = url.before(at);
    // A class of characters, which no host has: `https://is[1-9].a.example`.
    if url.host().start < at
        && url.host().contains(&at)
        && matches!(rest, [_, _, b'-', _, b']', ..])
    {
        return Some(at..at + 5);
    }
    let len = name_in_brackets(rest, before)?;
    let is_segment = match before {
        Some(b'/' | b'~') => {
            !url.is_in_query(at) && matches!(rest.get(len), None | Some(b'/' | b'?' | b'.' | b':'))
        }
        // The value of a parameter may well be in brackets, but not a constant such as
        // `[YOUR_KEY]`.
        _ => {
            let name = &rest[1..len - 1];
            let is_constant = name
                .iter()
                .all(|byte| byte.is_ascii_uppercase() || *byte == b'_');
            is_constant && name.contains(&b'_')
        }
    };
    is_segment.then_some(at..at + len)
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

pub(super) fn at_signs(url: &Url<'_>, at: usize) -> Option<Range<usize>> {
    let rest = &url.from(at)[1..];
    let is_name_byte =
        |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || b"_-".contains(byte);
    let len = rest.iter().position(|byte| !is_name_byte(byte))?;
    let is_name = rest[len] == b'@' && rest[..len].iter().any(u8::is_ascii_uppercase);
    is_name.then_some(at..at + len + 2)
}

pub(super) fn segment(url: &Url<'_>, at: usize) -> Option<Range<usize>> {
    let rest = &url.from(at)[1..];
    let len = name_len(rest);
    let is_segment = url.around.language == Language::Code
        && url.before(at) == Some(b'/')
        && rest
            .first()
            .is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
        && matches!(rest.get(len), None | Some(b'/' | b'?' | b'.' | b'(' | b':'));
    is_segment.then_some(at..at + 1 + len)
}

pub(super) fn parameter(url: &Url<'_>, at: usize) -> Option<Range<usize>> {
    let rest = &url.from(at)[1..];
    let is_parameter = url.around.language == Language::Tex
        && matches!(rest, [b'1'..=b'9', next @ ..] if !next.first().is_some_and(u8::is_ascii_digit));
    is_parameter.then_some(at..at + 2)
}
