//! Placeholders and patterns: what a program, a template or a reader puts something else in place of.
//!
//! A URL that holds one is not a URL yet, so nothing can be said about its characters. [`NOTATIONS`]
//! is the table of all notations, and [`find`] the one pass that looks for them; [`span`] says how far
//! those reach that may hold characters which otherwise end a URL. Only what is certain counts: a
//! stray `}` is a fault, and `%de` is an escape.

use std::cell::OnceCell;
use std::ops::Range;

use crate::text::byteset::ByteSet;
use crate::text::window::Text;

/// A text that holds a URL, and what is known of it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Around<'t> {
    /// The byte before the URL; `None` if the URL begins its text, or if that is not known.
    pub(crate) before: Option<u8>,
    /// What follows the URL in its line, as far as that matters: at most [`MAX_AFTER`] bytes.
    pub(crate) after: &'t [u8],
    pub(crate) language: Language,
}

/// The languages that have notations of their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Language {
    #[default]
    Any,
    /// Source code: `/:id` is a parameter of a route.
    Code,
    /// TeX: `#1` is a parameter of a macro.
    Tex,
}

/// How many bytes after a URL are looked at.
pub(crate) const MAX_AFTER: usize = 64;
/// The longest template that is read as one, in bytes.
pub(crate) const MAX_TEMPLATE: usize = 256;
/// The longest name of something, in bytes.
const MAX_NAME: usize = 64;

/// A notation: the byte by which it is noticed, and what measures it.
struct Notation {
    sign: u8,
    /// The range of the placeholder of which the byte at the offset is the sign.
    measure: fn(&Url<'_>, usize) -> Option<Range<usize>>,
}

const fn notation(sign: u8, measure: fn(&Url<'_>, usize) -> Option<Range<usize>>) -> Notation {
    Notation { sign, measure }
}

/// All notations.
static NOTATIONS: [Notation; 14] = [
    // `{x}`, `{?q,lang}`, `{x!r}`, `{{ x }}`, `{% if x %}`, `#{x}`.
    notation(b'{', braces),
    // `$X`, `${X}`, `$(cmd)`, `$1`, and the `$` at the end of a regular expression.
    notation(b'$', dollar),
    // `%s`, `%(x)s`, `%{x}`, `%APPDATA%`.
    notation(b'%', percent),
    // `<x>`, `<%= x %>`, `<?php … ?>`.
    notation(b'<', angle),
    // `/[name]/`, and the classes of regular expressions: `[^/]+`.
    notation(b'[', bracket),
    // The groups of regular expressions: `(?:www)`, `(www\.)?`.
    notation(b'(', group),
    notation(b')', optional_group),
    // Alternatives of a regular expression: `http://|https://`.
    notation(b'|', alternative),
    // `@HOST@`.
    notation(b'@', at_signs),
    // `\.`, `\d+`, `\1`.
    notation(b'\\', backslash),
    // `.*`, `//*.a.example`, `/*/`.
    notation(b'*', asterisk),
    // `/.+`.
    notation(b'+', plus),
    // `/:id/` in source code.
    notation(b':', segment),
    // `#1` in TeX.
    notation(b'#', parameter),
];

/// The bytes that are no sign, whatever the language is.
static PLAIN: ByteSet = ByteSet::alphanumeric_and(b"-._~/:=!&'?#,;\"`^}>]");
/// The bytes that are no sign where every language has its notations.
static PLAIN_IN_LANGUAGES: ByteSet = ByteSet::alphanumeric_and(b"-._~/=!&'?,;\"`^}>]");

impl Language {
    fn plain(self) -> &'static ByteSet {
        match self {
            Language::Any => &PLAIN,
            Language::Code | Language::Tex => &PLAIN_IN_LANGUAGES,
        }
    }

    /// Returns whether `url` certainly holds no placeholder, as far as its own bytes say.
    #[inline]
    pub(crate) fn has_no_sign(self, url: &[u8]) -> bool {
        self.plain().skip(url, 0) == url.len()
    }
}

/// Returns whether `byte`, which follows a URL directly, may say that a placeholder was cut there.
#[inline]
pub(crate) fn is_sign_after(byte: u8) -> bool {
    matches!(byte, b'{' | b'<' | b'|' | b'[')
}

/// The range of the first placeholder in `url`. It is empty, and at the end, if only what follows the
/// URL shows that there is one.
pub(crate) fn find(url: &[u8], around: &Around<'_>) -> Option<Range<usize>> {
    let url = Url {
        text: url,
        around,
        host: OnceCell::new(),
        query: OnceCell::new(),
    };
    let plain = around.language.plain();
    let mut at = 0;
    loop {
        at = plain.skip(url.text, at);
        let Some(&sign) = url.text.get(at) else {
            break;
        };
        let mut notations = NOTATIONS.iter();
        if let Some(notation) = notations.find(|notation| notation.sign == sign)
            && let Some(found) = (notation.measure)(&url, at)
        {
            return Some(found);
        }
        at += 1;
    }
    url.goes_on_after()
        .then_some(url.text.len()..url.text.len())
}

/// A URL in which placeholders are looked for.
struct Url<'u> {
    text: &'u [u8],
    around: &'u Around<'u>,
    host: OnceCell<Range<usize>>,
    /// Where the query or the fragment begins.
    query: OnceCell<usize>,
}

impl Url<'_> {
    fn at(&self, at: usize) -> Option<u8> {
        self.text.get(at).copied()
    }

    fn before(&self, at: usize) -> Option<u8> {
        at.checked_sub(1).and_then(|at| self.at(at))
    }

    fn from(&self, at: usize) -> &[u8] {
        self.text.get(at..).unwrap_or_default()
    }

    /// Where the host and its port lie, in a URL with `//`.
    fn host(&self) -> &Range<usize> {
        self.host.get_or_init(|| self.find_host())
    }

    fn find_host(&self) -> Range<usize> {
        let Some(start) = memchr::memmem::find(self.text, b"://").map(|at| at + 3) else {
            return 0..0;
        };
        let is_end = |byte: &u8| matches!(byte, b'/' | b'?' | b'#');
        let rest = &self.text[start..];
        let len = rest.iter().position(is_end).unwrap_or(rest.len());
        let login = memchr::memrchr(b'@', &rest[..len]).map_or(0, |at| at + 1);
        start + login..start + len
    }

    fn is_in_query(&self, at: usize) -> bool {
        let find = || memchr::memchr2(b'?', b'#', self.text).unwrap_or(usize::MAX);
        *self.query.get_or_init(find) < at
    }

    /// Returns whether what precedes and follows the URL shows a placeholder that was cut off or that
    /// it is part of.
    fn goes_on_after(&self) -> bool {
        let after = self.around.after;
        let unclosed = |open: u8, close: u8| {
            let opened = memchr::memrchr(open, self.text);
            opened.is_some_and(|at| memchr::memchr(close, &self.text[at..]).is_none())
        };
        let closes = |close: u8| {
            let is_end = |byte: &u8| matches!(*byte, b'\n' | b'\r' | b'{' | b';');
            let line = after.iter().position(is_end).unwrap_or(after.len());
            memchr::memchr(close, &after[..line]).is_some()
        };
        let is_variable = || {
            let name = memchr::memchr(b':', self.text).unwrap_or(0);
            self.around.before == Some(b'$') && is_placeholder_scheme(&self.text[..name])
        };
        if is_variable() {
            return true;
        }
        match after.first() {
            Some(b'{') => self.around.language != Language::Tex && in_braces(after).is_some(),
            Some(b'<') => {
                let before = self.text.last().copied();
                loose_name(after) && before.is_some_and(|byte| !byte.is_ascii_alphanumeric())
            }
            Some(b'|') if unclosed(b'(', b')') => closes(b')'),
            Some(b'[') => class(after).is_some(),
            _ => self.around.language != Language::Tex && unclosed(b'{', b'}') && closes(b'}'),
        }
    }
}

/// Returns whether a scheme after a `$` is the name of a variable: `$scheme://a.example/`.
fn is_placeholder_scheme(name: &[u8]) -> bool {
    let names: [&[u8]; 5] = [b"scheme", b"proto", b"protocol", b"method", b"prefix"];
    names.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// Returns whether a [span] may begin at `at`, as far as the bytes on either side say.
#[inline]
pub(crate) fn may_begin_span(text: &Text<'_>, at: usize) -> bool {
    match text.bytes.get(at) {
        Some(b'(') => at
            .checked_sub(1)
            .is_some_and(|before| text.bytes[before] == b'$'),
        Some(b'<') => (text.at(at + 1))
            .is_some_and(|next| next.is_ascii_alphabetic() || matches!(next, b'%' | b'?')),
        Some(b'[' | b'{') => true,
        _ => false,
    }
}

/// The length of the template at `at` in `bytes`, if it is certainly one that holds, or may hold,
/// characters which otherwise end a URL: white space, `<`, `>`, `[`, `]`, `|`. `start` is where the URL
/// begins, and `quote` what delimits it, which the template does not reach over.
///
/// What is looked at is in the same line, and at most a few hundred bytes.
pub(crate) fn span(bytes: &[u8], start: usize, at: usize, quote: Option<u8>) -> Option<usize> {
    let rest = &bytes[at..bytes.len().min(at + MAX_TEMPLATE)];
    let before = bytes[start..at].last().copied();
    let is_whole = |len: &usize| quote.is_none_or(|quote| keeps(quote, &rest[..*len]));
    let len = match rest.first()? {
        b'{' => in_braces(rest).or_else(|| {
            matches!(before, Some(b'$' | b'#'))
                .then(|| balanced(rest, b'{', b'}'))
                .flatten()
        }),
        b'(' if before == Some(b'$') => balanced(rest, b'(', b')'),
        b'<' => embedded(rest).or_else(|| named(bytes, start, at)),
        b'[' => {
            let named = name_in_brackets(rest, before).filter(|&len| match rest.get(len) {
                Some(b'/') => rest.get(len + 1) != Some(&b'/'),
                next => next.is_some() && next.copied() == quote,
            });
            named.or_else(|| class(rest).filter(|_| quote.is_some()))
        }
        _ => None,
    };
    len.filter(is_whole)
}

/// Returns whether each `quote` in `template` belongs to the template: `{{ md5 "x" }}`. In
/// `{{" + x + "}}` they end and begin strings of the program around it.
fn keeps(quote: u8, template: &[u8]) -> bool {
    let mut is_open = false;
    for at in memchr::memchr_iter(quote, template) {
        let (before, after) = (template.get(at.wrapping_sub(1)), template.get(at + 1));
        let stands = if is_open {
            after.is_some_and(|after| b" ),|]}".contains(after))
        } else {
            before.is_some_and(|before| b" (,=[".contains(before))
                && after.is_some_and(|&after| after != b' ')
        };
        if !stands {
            return false;
        }
        is_open = !is_open;
    }
    !is_open
}

/// The range of `{x}` and all that begins with `{`.
fn braces(url: &Url<'_>, at: usize) -> Option<Range<usize>> {
    let rest = url.from(at);
    let start = match url.before(at) {
        Some(b'$' | b'#' | b'%') => at - 1,
        _ => at,
    };
    if let Some(len) = in_braces(rest) {
        return Some(start..at + len);
    }
    // It is one although its end is not in the URL.
    let begins_template = matches!(rest, [b'{', b'{' | b'%', ..]) || url.before(at) == Some(b'$');
    (begins_template && rest.len() > 1).then_some(start..url.text.len())
}

/// The length of `{{ x }}`, `{{{ x }}}`, `{% x %}`, `{# x #}` or `{x}` at the start of `text`.
fn in_braces(text: &[u8]) -> Option<usize> {
    let text = &text[..text.len().min(MAX_TEMPLATE)];
    match text {
        [b'{', b'{', b'{', ..] => until(text, b"}}}"),
        [b'{', b'{', ..] => until(text, b"}}").map(|len| {
            // An inner brace may end there too: `{{ {a} }}` and `{{a}}}`.
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

/// The length of `text` up to the end of the first `closer`, if that is in the first line.
fn until(text: &[u8], closer: &[u8]) -> Option<usize> {
    let line = &text[..memchr::memchr2(b'\n', b'\r', text).unwrap_or(text.len())];
    let at = memchr::memmem::find(line.get(2..)?, closer)?;
    Some(2 + at + closer.len())
}

/// The length of `text` up to the closer of the bracket that it begins with, if that is in the first
/// line and there is something between them.
fn balanced(text: &[u8], open: u8, close: u8) -> Option<usize> {
    let mut depth = 0usize;
    for (at, &byte) in text.iter().enumerate().take(MAX_TEMPLATE) {
        if byte == b'\n' || byte == b'\r' {
            return None;
        } else if byte == open {
            depth += 1;
        } else if byte == close {
            depth -= 1;
            if depth == 0 {
                return (at > 1).then_some(at + 1);
            }
        }
    }
    None
}

/// Returns whether what is between `{` and `}` is an expression, and not a part of a URL that has
/// braces, such as a GUID, a date or JSON.
fn is_expression(text: &[u8]) -> bool {
    let Some(&first) = text.first() else {
        return true;
    };
    if first.is_ascii_digit() {
        let is_of_number = |byte: &u8| byte.is_ascii_digit() || b",.:$".contains(byte);
        return text.len() < 8 && hex_digits(text) < 4 && text.iter().all(is_of_number);
    }
    let begins = first.is_ascii_alphabetic() || first >= 0x80 || b"_+#./;?&$:*@=!".contains(&first);
    let is_inside = |byte: &u8| *byte > b' ' && *byte != 0x7F && !b"{<>\"`".contains(byte);
    let has_word = text.iter().any(u8::is_ascii_alphanumeric) || matches!(first, b'.' | b':');
    begins && (has_word || first >= 0x80) && text.iter().all(is_inside) && !is_guid(text)
}

/// Returns whether `text` is an identifier of 32 hexadecimal digits: `{…}` around it is that of Windows.
fn is_guid(text: &[u8]) -> bool {
    let digits = text.iter().filter(|byte| byte.is_ascii_hexdigit()).count();
    let hyphens = text.iter().filter(|&&byte| byte == b'-').count();
    digits == 32 && digits + hyphens == text.len()
}

fn dollar(url: &Url<'_>, at: usize) -> Option<Range<usize>> {
    let rest = &url.from(at)[1..];
    let before = url.before(at);
    let end = match rest {
        [] => (url.around.before == Some(b'^')).then_some(0),
        [b'(', b'A'..=b'Z' | b'a'..=b'z' | b'_', ..] => balanced(rest, b'(', b')'),
        // `${` is measured by its brace.
        [b'1'..=b'9', next @ ..] => {
            let is_price = matches!(next, [b'0'..=b'9', ..] | [b'.' | b',', b'0'..=b'9', ..]);
            (!is_price).then_some(1)
        }
        [first, ..] if first.is_ascii_alphabetic() || *first == b'_' => {
            let len = name_len(rest);
            is_variable(&rest[..len], before, rest.get(len)).then_some(len)
        }
        _ => None,
    }?;
    Some(at..at + 1 + end)
}

/// Returns whether `name` after a `$` is that of a variable. In `Map$Entry` the `$` is part of a name,
/// and `?$top=5` is a parameter of OData.
fn is_variable(name: &[u8], before: Option<u8>, next: Option<&u8>) -> bool {
    let is_upper = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
    let is_constant = name.len() > 1 && name.iter().all(is_upper);
    let odata: [&[u8]; 5] = [b"metadata", b"batch", b"count", b"value", b"ref"];
    match before {
        Some(b'?' | b'&') if next == Some(&b'=') => false,
        Some(b'/') => !odata.contains(&name),
        Some(before) if before.is_ascii_alphanumeric() => {
            is_constant || name.contains(&b'_') && !name.iter().any(u8::is_ascii_uppercase)
        }
        _ => true,
    }
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_'
}

/// The length of the run of letters, digits and `_` at the start of `text`.
fn name_len(text: &[u8]) -> usize {
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    text.iter()
        .position(|byte| !is_of_name(byte))
        .unwrap_or(text.len())
}

fn percent(url: &Url<'_>, at: usize) -> Option<Range<usize>> {
    let rest = &url.from(at)[1..];
    let is_escape = matches!(rest, [a, b, ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit());
    let len = match rest {
        [b'(', ..] => {
            let len = balanced(rest, b'(', b')')?;
            rest.get(len)?.is_ascii_alphabetic().then_some(len + 1)
        }
        // `%02d` would be an escape of a control character with a letter after it.
        [b'0', b'2'..=b'8', b'd' | b'x' | b'X' | b'u' | b'i', ..] => Some(3),
        _ if is_escape => None,
        [b'1'..=b'9', b'$', b's' | b'd', ..] => Some(3),
        _ => variable_of_windows(rest).or_else(|| conversion(rest, url.before(at))),
    }?;
    Some(at..at + 1 + len)
}

/// The length of `APPDATA%`.
fn variable_of_windows(text: &[u8]) -> Option<usize> {
    let is_of_name = |byte: &&u8| byte.is_ascii_uppercase() || **byte == b'_';
    let len = text.iter().take_while(is_of_name).count();
    (len > 2 && text.get(len) == Some(&b'%')).then_some(len + 1)
}

/// The length of the conversion of a format string, without its `%`: `s`, `.2f`, `ld`.
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
    // `%ld`, but `%h` has no length.
    if matches!(text[at..], [b'l' | b'z' | b'h', b'd' | b'u' | b'x', ..]) {
        at += 1;
    }
    let next = text.get(at + 1).copied();
    let is_end = next.is_none_or(|next| !next.is_ascii_alphanumeric());
    let follows_sign = before.is_some_and(|before| b"/=:@.-_%&".contains(&before));
    let is_conversion = match text.get(at)? {
        b's' | b'S' | b'i' | b'v' | b'q' => is_end || follows_sign,
        // Two of these may be the digits of an escape, but then they have been read as one.
        b'd' | b'c' | b'f' | b'x' | b'X' => {
            is_end
                || (follows_sign && !next.is_some_and(|next| next.is_ascii_lowercase()))
                || text[at..].starts_with(b"dx%")
        }
        // `%H` and `%T` are those of git and of dates.
        b'u' | b'o' | b'p' | b'r' | b'g' | b'h' | b'H' | b'T' | b'Y' | b'n' | b't' => is_end,
        _ => false,
    };
    is_conversion.then_some(at + 1)
}

fn angle(url: &Url<'_>, at: usize) -> Option<Range<usize>> {
    let rest = url.from(at);
    if let Some(len) = embedded(rest).or_else(|| named(url.text, 0, at)) {
        return Some(at..at + len);
    }
    // What a program writes, although its end is not in the URL.
    let begins_program = matches!(rest, [b'<', b'%', b'=', ..]) || rest.starts_with(b"<?php");
    begins_program.then_some(at..url.text.len())
}

/// The length of `<%= x %>`, `<?php x ?>` or `<?= x ?>` at the start of `text`.
fn embedded(text: &[u8]) -> Option<usize> {
    let text = &text[..text.len().min(MAX_TEMPLATE)];
    match text {
        [b'<', b'%', ..] => until(text, b"%>"),
        [b'<', b'?', b'p' | b'=' | b' ', ..] => until(text, b"?>"),
        _ => None,
    }
}

/// The length of `<name>` at `at`, if that is a part of the URL that begins at `start`, and not a tag
/// after the URL.
fn named(bytes: &[u8], start: usize, at: usize) -> Option<usize> {
    let text = &bytes[at + 1..bytes.len().min(at + 1 + MAX_NAME)];
    let len = text.iter().position(|&byte| !is_of_name(byte))?;
    let name = &text[..len];
    if text[len] != b'>' || !name.first()?.is_ascii_alphabetic() {
        return None;
    }
    let before = *bytes[start..at].last()?;
    let next = bytes.get(at + len + 2).copied();
    let goes_on = next.is_some_and(|next| b"/.:?&=-_@<".contains(&next));
    let has_word_after = || bytes.get(at + len + 3).is_some_and(|byte| *byte > b' ');
    let is_of_url = b"/.:?&=-_@%+~#>".contains(&before);
    let is_placeholder = if is_tag(name) {
        is_of_url && goes_on && next != Some(b'<') && has_word_after()
    } else {
        is_of_url || (goes_on && next != Some(b'<') && has_word_after())
    };
    is_placeholder.then_some(len + 2)
}

/// The length of `<name>` at `at` of a text in which that is a part of the URL before it.
pub(crate) fn name_in_angles(text: &Text<'_>, at: usize) -> Option<usize> {
    let close =
        (at + 1..at + MAX_NAME).find(|&at| text.at(at).is_none_or(|byte| !is_of_name(byte)))?;
    // What follows is looked at too.
    let _ = (text.at(close + 1), text.at(close + 2));
    named(text.bytes, at.saturating_sub(1), at)
}

/// Returns whether the `<` at `at` begins a placeholder in a URL, and not a tag: `http://host/<x>/`.
pub(crate) fn is_name_in_url(text: &[u8], at: usize) -> bool {
    let before = &text[at.saturating_sub(MAX_TEMPLATE)..at];
    let word = before
        .iter()
        .rposition(|byte| *byte <= b' ')
        .map_or(0, |space| space + 1);
    memchr::memmem::find(&before[word..], b"://").is_some_and(|colon| {
        let start = at - before.len() + word + colon;
        named(text, start, at).is_some()
    })
}

/// Returns whether `text` begins with what a person would replace: `<your name>`, `<user@host>`.
fn loose_name(text: &[u8]) -> bool {
    let text = &text[1..text.len().min(MAX_NAME)];
    let is_of_name =
        |byte: &u8| byte.is_ascii_alphanumeric() || b" _-.|".contains(byte) || *byte >= 0x80;
    let len = text.iter().position(|byte| !is_of_name(byte));
    let Some((name, b'>')) = len.map(|len| (&text[..len], text[len])) else {
        return false;
    };
    name.first().is_some_and(u8::is_ascii_alphabetic) && !is_tag(&name[..name_len(name)])
}

/// Returns whether `name` is that of an element of HTML that texts have in them.
fn is_tag(name: &[u8]) -> bool {
    const TAGS: &[&[u8]] = &[
        b"a",
        b"abbr",
        b"address",
        b"article",
        b"b",
        b"blockquote",
        b"body",
        b"br",
        b"center",
        b"cite",
        b"code",
        b"dd",
        b"del",
        b"div",
        b"dl",
        b"dt",
        b"em",
        b"font",
        b"footer",
        b"form",
        b"h1",
        b"h2",
        b"h3",
        b"h4",
        b"h5",
        b"h6",
        b"head",
        b"header",
        b"hr",
        b"html",
        b"i",
        b"img",
        b"input",
        b"ins",
        b"kbd",
        b"li",
        b"link",
        b"meta",
        b"nobr",
        b"ol",
        b"option",
        b"p",
        b"pre",
        b"q",
        b"s",
        b"samp",
        b"script",
        b"small",
        b"span",
        b"strike",
        b"strong",
        b"style",
        b"sub",
        b"sup",
        b"svg",
        b"table",
        b"tbody",
        b"td",
        b"th",
        b"thead",
        b"title",
        b"tr",
        b"tt",
        b"u",
        b"ul",
        b"var",
        b"wbr",
    ];
    TAGS.iter().any(|tag| name.eq_ignore_ascii_case(tag))
}

fn bracket(url: &Url<'_>, at: usize) -> Option<Range<usize>> {
    let rest = url.from(at);
    if let Some(len) = class(rest) {
        return Some(at..at + len);
    }
    let before = url.before(at);
    let len = name_in_brackets(rest, before)?;
    let is_segment = match before {
        Some(b'/') => {
            !url.is_in_query(at) && matches!(rest.get(len), None | Some(b'/' | b'?' | b'.' | b':'))
        }
        // The value of a parameter may well be in brackets, but not this.
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

/// The length of `[name]` at the start of `text`, after a `/`, or after `=`.
fn name_in_brackets(text: &[u8], before: Option<u8>) -> Option<usize> {
    let text = &text[..text.len().min(MAX_NAME)];
    let name = text[1..].strip_prefix(b"...").unwrap_or(&text[1..]);
    let len = name.iter().position(|&byte| !is_of_name(byte))?;
    let is_name = matches!(before, Some(b'/' | b'='))
        && name[len] == b']'
        && name.first()?.is_ascii_alphabetic();
    is_name.then_some(text.len() - name.len() + len + 1)
}

/// The length of a class of a regular expression at the start of `text`: `[^/]`, `[a-z]+`, `[0-9]{4}`.
fn class(text: &[u8]) -> Option<usize> {
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

fn group(url: &Url<'_>, at: usize) -> Option<Range<usize>> {
    let rest = url.from(at);
    let close = || balanced(rest, b'(', b')');
    if matches!(
        rest,
        [b'(', b'?', b':' | b'P' | b'<' | b'=' | b'!' | b'i', ..]
    ) {
        return Some(at..close().map_or(url.text.len(), |len| at + len));
    }
    // Of several words one: `(www|ftp)`.
    let len = close().filter(|&len| !url.is_in_query(at) && rest[..len].contains(&b'|'))?;
    Some(at..at + len)
}

/// `)?` after which a query cannot begin.
fn optional_group(url: &Url<'_>, at: usize) -> Option<Range<usize>> {
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

/// `|` where a host would begin, or before another scheme.
fn alternative(url: &Url<'_>, at: usize) -> Option<Range<usize>> {
    let (before, rest) = url.text.split_at(at);
    let name = name_len(&rest[1..]);
    let begins_url = name > 1 && rest[1 + name..].starts_with(b"://");
    (begins_url || before.ends_with(b"://")).then_some(at..at + 1)
}

fn at_signs(url: &Url<'_>, at: usize) -> Option<Range<usize>> {
    let rest = &url.from(at)[1..];
    let is_of_name =
        |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || b"_-".contains(byte);
    let len = rest.iter().position(|byte| !is_of_name(byte))?;
    let is_name = rest[len] == b'@' && rest[..len].iter().any(u8::is_ascii_uppercase);
    is_name.then_some(at..at + len + 2)
}

fn backslash(url: &Url<'_>, at: usize) -> Option<Range<usize>> {
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
        | b'$' | b'/' | b'-' | b':' => true,
        // What a program writes for a quotation mark.
        b'\'' | b'"' => url.around.language == Language::Code,
        b'd' | b'w' | b's' | b'D' | b'W' | b'S' => {
            matches!(rest.get(1), Some(sign) if b"+*?{)]/$.-".contains(sign))
        }
        b'1'..=b'9' => is_alone,
        // What a program writes for a character: `\u00E9`, `\u{E9}`, `\xE9`.
        b'u' => rest.get(1) == Some(&b'{') || hex_digits(&rest[1..]) >= 4,
        b'x' => hex_digits(&rest[1..]) >= 2,
        _ => false,
    };
    is_pattern.then_some(at..at + 2)
}

fn hex_digits(text: &[u8]) -> usize {
    text.iter()
        .take_while(|byte| byte.is_ascii_hexdigit())
        .count()
}

fn asterisk(url: &Url<'_>, at: usize) -> Option<Range<usize>> {
    let before = url.before(at)?;
    if url.host().contains(&at) {
        return Some(at..at + 1);
    }
    // `/1.*/` is a version.
    let previous = at.checked_sub(2).and_then(|at| url.at(at));
    let is_version = previous.is_some_and(|byte| byte.is_ascii_digit());
    (before == b'.' && !is_version).then(|| at - 1..at + 1)
}

fn plus(url: &Url<'_>, at: usize) -> Option<Range<usize>> {
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

fn segment(url: &Url<'_>, at: usize) -> Option<Range<usize>> {
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

fn parameter(url: &Url<'_>, at: usize) -> Option<Range<usize>> {
    let rest = &url.from(at)[1..];
    let is_parameter = url.around.language == Language::Tex
        && matches!(rest, [b'1'..=b'9', next @ ..] if !next.first().is_some_and(u8::is_ascii_digit));
    is_parameter.then_some(at..at + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(url: &str, around: &Around<'_>) -> Option<String> {
        find(url.as_bytes(), around).map(|range| url[range].to_owned())
    }

    #[test]
    fn every_notation() {
        let cases: &[(&str, &str)] = &[
            ("http://a/{x}", "{x}"),
            ("http://a/{}", "{}"),
            ("http://a/{0}/{1}", "{0}"),
            ("http://a/{x!r}", "{x!r}"),
            ("http://a/{x:d}", "{x:d}"),
            ("http://a/{?q,lang}", "{?q,lang}"),
            ("http://a/{+path}", "{+path}"),
            ("http://a/{#frag}", "{#frag}"),
            ("http://a/{x.y[0]}", "{x.y[0]}"),
            ("http://{user}.a.example:{port}/", "{user}"),
            ("http://a/{{ x }}/b", "{{ x }}"),
            ("http://a/{{x}}/b", "{{x}}"),
            ("http://a/{{{x}}}/b", "{{{x}}}"),
            ("http://a/{% if x %}b{% endif %}", "{% if x %}"),
            ("http://a/{{#each}}b", "{{#each}}"),
            ("http://a/{{range .X}}{{.}}{{end}}", "{{range .X}}"),
            ("http://a/{{ url_for(", "{{ url_for("),
            ("http://a/${X}/b", "${X}"),
            ("http://a/${{ github.x }}", "${{ github.x }}"),
            ("http://a/${X", "${X"),
            ("http://a/$X", "$X"),
            ("http://a/$x.html", "$x"),
            ("http://$host/", "$host"),
            ("http://a.example$request_uri", "$request_uri"),
            ("http://a/v$VERSION.tar", "$VERSION"),
            ("http://a/$1", "$1"),
            ("http://a.example$1", "$1"),
            ("http://a/$(cmd)/b", "$(cmd)"),
            ("http://a/$(uname -s)", "$(uname -s)"),
            ("http://a/%s", "%s"),
            ("http://a/%s/b", "%s"),
            ("http://%s:%d/", "%s"),
            ("http://a:%d/", "%d"),
            ("http://a/%d.html", "%d"),
            ("http://a/%02d.html", "%02d"),
            ("http://a/%.2f", "%.2f"),
            ("http://a/%ld/", "%ld"),
            ("http://a/%1$s", "%1$s"),
            ("http://a/%(x)s/b", "%(x)s"),
            ("http://a/%{x}", "%{x}"),
            ("http://a/%APPDATA%", "%APPDATA%"),
            ("http://<host>:<port>/", "<host>"),
            ("http://a/<yyyy>-<mm>", "<yyyy>"),
            ("http://a/v<version>/b", "<version>"),
            ("http://a/<a>/b", "<a>"),
            ("http://a/<%= x %>/b", "<%= x %>"),
            ("http://a/<?php echo $x ?>", "<?php echo $x ?>"),
            ("http://a/<?= $x ?>", "<?= $x ?>"),
            ("http://a/[name]", "[name]"),
            ("http://a/[name]/b", "[name]"),
            ("http://a/[...rest]/b", "[...rest]"),
            ("http://a/?k=[YOUR_KEY]", "[YOUR_KEY]"),
            ("http://a/#{x}", "#{x}"),
            ("http://@HOST@/b", "@HOST@"),
            ("http://a/@MY_NAME@", "@MY_NAME@"),
            ("http://a\\.example/", "\\."),
            ("http://a/.*", ".*"),
            ("http://a/.*\\.js", ".*"),
            ("http://a/[^/]+", "[^/]"),
            ("http://a/[a-z]+/b", "[a-z]"),
            ("http://a/[0-9]{4}", "[0-9]"),
            ("http://a/\\d+", "\\d"),
            ("http://a/(?:b)", "(?:b)"),
            ("http://(www|ftp).a.example/", "(www|ftp)"),
            ("http://(www.)?a.example/", "(www.)?"),
            ("http://a/(b)?", "(b)?"),
            ("http://a/\\1", "\\1"),
            ("http://*.a.example/", "*"),
            ("http://a/\\u00E9", "\\u"),
            ("http://a/\\u{E9}", "\\u"),
            ("http://a/\\xE9", "\\x"),
            ("http://a/{1,3}", "{1,3}"),
            ("http://a/%H", "%H"),
            ("http://a/.+", ".+"),
            ("http://|https://", "|"),
            ("http://a/|https://b/", "|"),
            ("http://\\:a.example/\\:b", "\\:"),
        ];
        for (url, expected) in cases {
            let read = found(url, &Around::default());
            assert_eq!(read.as_deref(), Some(*expected), "{url}");
        }
    }

    #[test]
    fn what_is_certain_stays_certain() {
        let urls = [
            "http://a/x}",
            "http://a/*/b",
            "http://a/*",
            "http://a/1.*/b",
            "http://joe:a*b@a.example/",
            "http://a/x@{20080101}",
            "http://a/{2024-08-01-x.md}",
            "http://a/%.c",
            "http://a/?x#y=[NGINX]",
            "http://a/{",
            "http://a/{x",
            "http://a/?x|y",
            "http://a/x|y",
            "http://a|b/",
            "http://a/|x://",
            "http://a/x|y:z",
            "http://a/{3F2504E0-4F89-11D3-9A0C-0305E82C3301}",
            "http://a/?x={\"a\":1}",
            "http://a/%41%de%5D",
            "http://a/100%",
            "http://a/50%off",
            "http://a/%zz",
            "http://a/%u20AC",
            "http://[::1]/",
            "http://[2001:db8::1]:80/x",
            "http://a/x$y",
            "http://a/Map$Entry.html",
            "http://a/$",
            "http://a/a$",
            "http://a/x?$top=5&$filter=y",
            "http://a/$metadata",
            "http://a/$5.00",
            "http://a/$100",
            "http://joe@a.example/",
            "http://a/@joe/",
            "http://a/@joe@b.example",
            "mailto:joe@a.example",
            "http://a/?a[]=1&b[x]=2",
            "http://a/?a=[x]",
            "http://a/x[1]",
            "http://a/x_(y)",
            "http://a/x_(y)?action=z",
            "http://a/?q=(a)+(b)",
            "http://a/a+b.+c",
            "http://a/a*b",
            "http://a/b<br>",
            "http://a/:id",
            "http://a/#1",
            "http://a\\b\\c",
            "file://a/b\\.c",
            "http://a/x~y^z",
        ];
        for url in urls {
            assert_eq!(found(url, &Around::default()), None, "{url}");
        }
    }

    #[test]
    fn notations_of_one_language() {
        let of = |language| Around {
            language,
            ..Around::default()
        };
        for (url, code, tex) in [
            ("http://a/:id", Some(":id"), None),
            ("http://a/:id/b", Some(":id"), None),
            ("http://a/x:id/", None, None),
            ("http://a:80/", None, None),
            ("http://a/#1", None, Some("#1")),
            ("http://a/#12", None, None),
            ("http://a/\\'b\\'", Some("\\'"), None),
            ("http://a/{x}", Some("{x}"), Some("{x}")),
        ] {
            assert_eq!(found(url, &of(Language::Code)).as_deref(), code, "{url}");
            assert_eq!(found(url, &of(Language::Tex)).as_deref(), tex, "{url}");
        }
    }

    #[test]
    fn what_is_around_shows_it() {
        let cases: &[(Option<u8>, &str, &str, bool)] = &[
            (None, "http://a/", "{ x }", false),
            (None, "http://a/", "{x} b", true),
            (None, "http://a/{user", " name}/b", true),
            (None, "http://a/{user", " name\n}", false),
            (None, "http://a/{x[", "\"b\"]}", true),
            (None, "http://a/", "<your name>", true),
            (None, "http://a/", "<br>", false),
            (None, "http://a/", "</a>", false),
            (None, "http://a/", "<http://b/>", false),
            (None, "http://a/(b", "|c)/", true),
            (None, "http://a/b", "|c", false),
            (None, "http://a/", "[a-z]+", true),
            (None, "http://a/", "[1]", false),
            (Some(b'$'), "scheme://a/", "", true),
            (Some(b'$'), "http://a/", "", false),
            (Some(b'^'), "http://a/$", "", true),
            (Some(b'"'), "http://a/$", "", false),
        ];
        for &(before, url, after, expected) in cases {
            let around = Around {
                before,
                after: after.as_bytes(),
                language: Language::Any,
            };
            let read = find(url.as_bytes(), &around).is_some();
            assert_eq!(read, expected, "{before:?} {url} {after}");
        }
    }

    #[test]
    fn spans_of_templates() {
        let cases: &[(&str, Option<u8>, Option<&str>)] = &[
            ("http://a/|{{ x }}/b", None, Some("{{ x }}")),
            (
                "http://a/|{{ md5 \"x\" }}/b",
                Some(b'"'),
                Some("{{ md5 \"x\" }}"),
            ),
            ("http://a/|{{\" + x + \"}}/b", Some(b'"'), None),
            ("http://a/|{{ x\n}}", None, None),
            ("http://a/|{x|y}", None, Some("{x|y}")),
            ("http://a/|{x y}", None, None),
            ("http://a/$|{x:-a b}", None, Some("{x:-a b}")),
            ("http://a/$|(uname -s)", None, Some("(uname -s)")),
            ("http://a/|(uname -s)", None, None),
            ("http://a/|<x>/b", None, Some("<x>")),
            ("http://a/b|<x>", None, None),
            ("http://a/|<br>", None, None),
            ("http://a/|<br> b", None, None),
            ("http://a/|<http://b/>", None, None),
            ("http://a/|</a>", None, None),
            ("http://a/|<%= x %>/b", None, Some("<%= x %>")),
            ("http://a/|[x]/b", None, Some("[x]")),
            ("http://a/|[x]", None, None),
            ("http://a/|[x]\"", Some(b'"'), Some("[x]")),
            ("http://a/|[a-z]+\"", Some(b'"'), Some("[a-z]")),
            ("http://a/|[1]/b", None, None),
        ];
        for (text, quote, expected) in cases {
            let (before, after) = text.split_once('|').unwrap_or_default();
            let bytes = [before, after].concat();
            let len = span(bytes.as_bytes(), 0, before.len(), *quote);
            assert_eq!(len.map(|len| &after[..len]), *expected, "{text}");
        }
    }

    #[test]
    fn hostile_urls_take_linear_time() {
        for part in [
            "{{", "{%", "${", "$(a", "<%", "<?", "(?", ")?x", ")?/", "@A", "[^", "[a-", "/[a",
            "%(", "%A", "\\", "*", "$a", "<a", "{a",
        ] {
            let url = format!("mailto:{}", part.repeat(30_000));
            find(url.as_bytes(), &Around::default());
        }
    }

    #[test]
    fn every_sign_is_noticed() {
        for notation in &NOTATIONS {
            let language = Language::Code;
            assert!(!language.has_no_sign(&[notation.sign]));
            let is_of_any = !matches!(notation.sign, b':' | b'#');
            assert_eq!(!Language::Any.has_no_sign(&[notation.sign]), is_of_any);
        }
    }
}
