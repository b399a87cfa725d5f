//! Placeholders and patterns: text that a program, a template or a reader replaces with something
//! else.
//!
//! A URL that holds one is not yet a URL, so its characters cannot be judged. [`find`] looks for names
//! and expressions in brackets and for `NOTATIONS`; `span` measures those that may hold characters
//! which would otherwise end a URL. Only certain cases count: a stray `}` is a problem, and `%de` is an
//! escape.

mod angles;
mod template;

use std::ops::Range;
use std::sync::OnceLock;

use regex::bytes::Regex;

#[doc(hidden)]
pub use angles::is_name_in_url;
pub(crate) use angles::name_in_angles;

use urlint_standard::text::byteset::ByteSet;

/// The maximum length of a template, in bytes.
pub(crate) const MAX_TEMPLATE: usize = 256;
/// The maximum length of a name in a placeholder, in bytes.
const MAX_NAME: usize = 64;

/// The bytes that are not a sign of a placeholder.
static PLAIN: ByteSet = ByteSet::alphanumeric_and(b"-._~/:=!&'?#,;\"`^}>]()|@+");
/// Those that are not one in source code.
static PLAIN_IN_CODE: ByteSet = ByteSet::alphanumeric_and(b"-._~/=!&'?#,;\"`^}>]()|@+");

/// The notations besides brackets, by a sign that each has, and whether only source code has them; 0x80 stands for all
/// bytes outside of ASCII. An expression is compiled when a URL has its sign, since that takes longer than most texts take.
/// Of those of a sign that begin at the same place, the first counts. The group is the placeholder; a row without a group
/// is none, and is passed over. White space is for the reader. `%H` is a hexadecimal digit.
#[rustfmt::skip]
const NOTATIONS: [(u8, bool, &[&str]); 7] = [
    (b'$', false, &[
        // `$(cmd)`, and `$1`, but not a price.
        r"(\$\((?:[^()]*\)s?)?)",
        r"\$[1-9](?:[0-9] | [.,][0-9])",
        r"(\$[1-9])",
        // `$X`. In `Map$Entry` and `a$b` the `$` is part of a name, and `?$top=5` is an OData parameter.
        r"[?&]\$\w+=",
        r"[A-Za-z0-9](\$(?:[A-Z_][A-Z0-9_]+\b | [a-z]\w+ | _\b))",
        r"[A-Za-z0-9](?:\$[A-Za-z_]\w*)+",
        r"(\$[A-Za-z_]\w*)",
    ]),
    (b'%', false, &[
        // `%(x)s`.
        r"(%\((?:[^()]*\)s?)?)",
        // `%02d`, read as an escape, would be a control character followed by a letter.
        r"(%0[2-8][dxXui])",
        r"(?:%[1-9A-F]%H)+",
        // `%NAME%` and `%name;`, without an escape at the end, `%1$s`, `%1`, and `%%` in a format.
        r"(%[A-Za-z_][\w.:()]{2,}[%;])%H?(?:$ | [^0-9A-Fa-f])",
        r"(%[0-9]\$[a-z0-9]? | %%)",
        r"[/=:@.\-_%&](%[0-9G-Zg-z])(?:$ | [^0-9A-Za-z$])",
        // The conversions of format strings: `%s`, `%.2f`, `%ld`, `%T`.
        r"%%H%H",
        r"(%-?[0-9]{0,3}(?:\.[0-9])?(?:[lzh][dux] | [sSivqdcfxXuoprghHTYntl]))(?:$ | [^A-Za-z0-9])",
        r"[/=:@.\-_%&](%[sSivq])",
    ]),
    (b'*', false, &[
        // A `*` in the place of a label of a host, and `.*`, but not in a version, `/1.*/`.
        r"^[^/?\#]*://(?:[^/?\#]*@)?[^/?\#@]*?(\*)[^/?\#@]*(?:$ | [/?\#])",
        r"(?:^ | [^0-9])(\.\*)",
    ]),
    (b'\\', false, &[
        // `\.`, `\E`, all escapes where no slash can be meant, a group, a macro, and the link of a terminal, which
        // ends in `\a`.
        r"(\\[.?+*()\[\]{}|^$/\-:\#] | \\E\$?$)",
        r"^[a-z]+:[^/\\]+(\\.)",
        r"(?:^[a-z]+: | [/=])(\\\\?[0-9])",
        r"/(\\\\?[A-Za-z@_]{2,})",
        r"(\\a)[^\\]*\\(?:e | 033 | x1[Bb])",
    ]),
    // Prose between the names of two schemes.
    (0x80, false, &[r"^[^/?\#]*://([\x80-\xFF]+)[a-z]+://"]),
    // An escaped quotation mark or sign of a shell, and the parameter of a route.
    (b'\\', true, &[r#"(\\['"&;])"#]),
    (b':', true, &[r"/(:[A-Za-z_]\w*)(?:$ | [/?.(:])"]),
];

/// Regular expressions that always compile, as a test checks.
static EXPRESSIONS: [OnceLock<Option<Regex>>; NOTATIONS.len()] =
    [const { OnceLock::new() }; NOTATIONS.len()];

fn expression(notations: &str) -> Option<Regex> {
    let notations = notations.replace("%H", "[0-9A-Fa-f]");
    Regex::new(&format!("(?xs-u){notations}")).ok()
}

fn plain(is_code: bool) -> &'static ByteSet {
    if is_code { &PLAIN_IN_CODE } else { &PLAIN }
}

/// Returns whether the bytes at `range` of `text`, a URL, rule out a placeholder.
#[inline]
pub(crate) fn has_no_sign_in(text: &[u8], range: Range<usize>, is_code: bool) -> bool {
    // Bytes are read in blocks, and the last block may go beyond the URL; nothing after that is
    // looked at.
    let near = &text[..text.len().min(range.end + ByteSet::BLOCK)];
    plain(is_code).skip(near, range.start) >= range.end
}

/// Returns the range of the first placeholder in `url`, of a text that is source code or not.
#[doc(hidden)]
pub fn find(url: &[u8], is_code: bool) -> Option<Range<usize>> {
    // The sign of most URLs is that of an escape.
    let mut sign = 0;
    loop {
        sign = plain(is_code).skip(url, sign);
        sign += match url.get(sign..)? {
            [] => return None,
            [b'%', b'1'..=b'9' | b'A'..=b'F', low, ..] if low.is_ascii_hexdigit() => 3,
            [b':', ..] if !url[..sign].ends_with(b"/") => 1,
            _ => break,
        };
    }
    let bracketed = memchr::memchr3_iter(b'{', b'<', b'[', url).find_map(|at| enclosed(url, at));
    let has = |sign: u8| url.iter().any(|&byte| byte.min(0x80) == sign);
    let tables = NOTATIONS.iter().zip(&EXPRESSIONS);
    let noted = tables.filter_map(|(&(sign, of_code, rows), compiled)| {
        let may_be = has(sign) && (is_code || !of_code);
        let compiled = may_be.then(|| compiled.get_or_init(|| expression(&rows.join("|"))))?;
        notation(url, compiled.as_ref()?, is_code)
    });
    let all = bracketed.into_iter().chain(noted);
    all.min_by_key(|range| range.start)
}

/// Returns the range of the placeholder in brackets that begins at `at`: `{x}`, `${x}`, `<x>`, `[x]`.
fn enclosed(url: &[u8], at: usize) -> Option<Range<usize>> {
    let rest = &url[at..];
    let before = url[..at].last().copied();
    match rest[0] {
        b'{' => {
            let start = at - usize::from(matches!(before, Some(b'$' | b'#' | b'%')));
            let len = template::in_braces(rest, before);
            // A template whose end is not in the URL.
            let open = || template::begins(rest, before).then_some(rest.len());
            Some(start..at + len.or_else(open)?)
        }
        // `<%= x %>`, `<?php x ?>`, `<<x>>`.
        b'<' if rest.len() > 1 && b"%?<!".contains(&rest[1]) => Some(at..url.len()),
        b'<' => Some(at..at + angles::named(url, 0, at)?),
        // `[^/]` of a regular expression.
        _ if rest.starts_with(b"[^") => Some(at..at + 1 + memchr::memchr(b']', rest)?),
        _ => {
            let len = template::name_in_brackets(rest, before)?;
            matches!(rest.get(len), None | Some(b'/' | b'?' | b'.' | b':')).then_some(at..at + len)
        }
    }
}

/// Returns the range of the first notation of `expression` in `url`.
fn notation(url: &[u8], expression: &Regex, is_code: bool) -> Option<Range<usize>> {
    let is_file = url
        .get(..5)
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case(b"file:"));
    // The path of a file on Windows, or of VMS: `disk$user`.
    let is_of_path = |range: &Range<usize>| match url[range.start] {
        b'\\' => !is_code,
        b'$' => url[..range.start]
            .last()
            .is_some_and(u8::is_ascii_alphanumeric),
        _ => false,
    };
    // Nothing is allocated unless there is a placeholder.
    if !expression.is_match(url) {
        return None;
    }
    expression.captures_iter(url).find_map(|found| {
        let group = found.iter().skip(1).flatten().next()?.range();
        (!is_file || !is_of_path(&group)).then_some(group)
    })
}

/// Returns the length of the template at `at` in `bytes`, if it certainly is one and may hold
/// characters that would otherwise end a URL: white space, `<`, `>`, `[`, `]`, `|`. `start` is
/// where the URL begins, and `quote` its delimiter, which the template must not cross.
///
/// Looks only at the same line, and at a few hundred bytes at most.
pub(crate) fn span(bytes: &[u8], start: usize, at: usize, quote: Option<u8>) -> Option<usize> {
    let rest = &bytes[at..bytes.len().min(at + MAX_TEMPLATE)];
    let before = bytes[start..at].last().copied();
    let len = match rest.first()? {
        b'{' => template::in_braces(rest, before),
        b'(' if before == Some(b'$') => template::balanced(rest, b'(', b')'),
        b'<' => angles::named(bytes, start, at),
        b'[' => template::name_in_brackets(rest, before).filter(|&len| match rest.get(len) {
            Some(b'/') => rest.get(len + 1) != Some(&b'/'),
            // The place of a host.
            Some(b':') => rest.get(len + 1).is_some_and(u8::is_ascii_digit),
            next => next.is_some() && next.copied() == quote,
        }),
        _ => None,
    };
    len.filter(|&len| quote.is_none_or(|quote| keeps(quote, &rest[..len])))
}

/// Returns whether each `quote` in `template` belongs to the template, as in `{{ md5 "x" }}`. In
/// `{{" + x + "}}` they end and begin strings of the surrounding program.
fn keeps(quote: u8, template: &[u8]) -> bool {
    let mut quotes = memchr::memchr_iter(quote, template);
    let opens = |at: usize| b" (,=[".contains(&template[at - 1]);
    quotes
        .next()
        .is_none_or(|first| opens(first) && quotes.count() % 2 == 1)
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_'
}

#[cfg(test)]
mod tests;
