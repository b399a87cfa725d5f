//! Placeholders and patterns: text that a program, a template or a reader replaces with something
//! else.
//!
//! A URL that holds one is not yet a URL, so its characters cannot be judged. `notations` is the table of
//! those that [`find`] looks for, besides names and expressions in brackets; `span` measures those
//! that may hold characters which would otherwise end a URL. Only certain cases count: a stray `}`
//! is a problem, and `%de` is an escape.

mod angles;
mod notations;
mod template;

use std::ops::Range;

#[doc(hidden)]
pub use angles::is_name_in_url;
pub(crate) use angles::name_in_angles;

use crate::text::Text;
use urlint_standard::text::byteset::ByteSet;

/// The text around a URL.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Around<'t> {
    /// The byte before the URL; `None` if the URL begins its text, or if the byte is not known.
    pub(crate) before: Option<u8>,
    /// The text after the URL on its line: up to [`MAX_AFTER`] bytes.
    pub(crate) after: &'t [u8],
    pub(crate) language: Language,
}

/// The languages that have their own notations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    #[default]
    Any,
    /// Source code: `/:id` is a parameter of a route.
    Code,
    /// TeX: `#1` is a parameter of a macro.
    Tex,
}

/// The number of bytes after a URL that are looked at.
pub(crate) const MAX_AFTER: usize = 64;
/// The maximum length of a template, in bytes.
pub(crate) const MAX_TEMPLATE: usize = 256;
/// The maximum length of a name in a placeholder, in bytes.
const MAX_NAME: usize = 64;

/// The bytes that are not a sign in a text of no particular language.
static PLAIN: ByteSet = ByteSet::alphanumeric_and(b"-._~/:=!&'?#,;\"`^}>]");
/// The bytes that are not a sign in any language.
static PLAIN_IN_LANGUAGES: ByteSet = ByteSet::alphanumeric_and(b"-._~/=!&'?,;\"`^}>]");

impl Language {
    fn plain(self) -> &'static ByteSet {
        match self {
            Language::Any => &PLAIN,
            Language::Code | Language::Tex => &PLAIN_IN_LANGUAGES,
        }
    }

    /// Returns whether the bytes of `url` rule out a placeholder.
    #[inline]
    pub(crate) fn has_no_sign(self, url: &[u8]) -> bool {
        self.has_no_sign_in(url, 0..url.len())
    }

    /// Returns whether the bytes at `range` of `text` rule out a placeholder.
    #[inline]
    pub(crate) fn has_no_sign_in(self, text: &[u8], range: Range<usize>) -> bool {
        // Bytes are read in blocks, and the last block may go beyond the URL; nothing after that is
        // looked at.
        let near = &text[..text.len().min(range.end + ByteSet::BLOCK)];
        self.plain().skip(near, range.start) >= range.end
    }
}

/// Returns whether `next`, which directly follows `last`, the last byte of a URL, may show that a
/// placeholder was cut off there, although the URL itself has no sign of one.
#[inline]
pub(crate) fn may_be_cut(last: u8, next: u8) -> bool {
    match next {
        b'{' | b'[' => true,
        b'<' => !last.is_ascii_alphanumeric(),
        _ => false,
    }
}

/// Returns whether `url` or the text around it shows a placeholder.
pub(crate) fn is_in(url: &[u8], around: &Around<'_>) -> bool {
    find_after(url, around.before, around.language).is_some() || goes_on_after(url, around)
}

/// Returns the range of the first placeholder in `url`, whatever is around it.
#[doc(hidden)]
pub fn find(url: &[u8], language: Language) -> Option<Range<usize>> {
    find_after(url, None, language)
}

fn find_after(url: &[u8], before: Option<u8>, language: Language) -> Option<Range<usize>> {
    let plain = language.plain();
    // The sign of most URLs is that of an escape.
    let mut sign = 0;
    loop {
        sign = plain.skip(url, sign);
        sign += match url.get(sign..)? {
            [] => return None,
            [b'%', b'1'..=b'9' | b'A'..=b'F', low, ..] if low.is_ascii_hexdigit() => 3,
            [b':', ..] if !url[..sign].ends_with(b"/") => 1,
            [b'#', ..] if language == Language::Code => 1,
            _ => break,
        };
    }
    // `s@http://@https://@` replaces one with the other.
    let sign = before.filter(|byte| !plain.has(*byte));
    let again = sign.and_then(|sign| {
        let mut again = memchr::memmem::find_iter(url, b"http");
        let at = again.find(|&at| url[..at].last() == Some(&sign))?;
        Some(at - 1)
    });
    // The end of a regular expression.
    let is_ended = before == Some(b'^') && url.ends_with(b"$");
    let end = is_ended.then(|| url.len() - 1);
    let single = again.into_iter().chain(end).map(|at| at..at + 1);
    let enclosed = memchr::memchr3_iter(b'{', b'<', b'[', url).find_map(|at| enclosed(url, at));
    let all = single
        .chain(enclosed)
        .chain(notations::first(url, language));
    all.min_by_key(|range| range.start)
}

/// Returns the range of the placeholder in brackets that begins at `at`: `{x}`, `${x}`, `<x>`, `[^/]`.
fn enclosed(url: &[u8], at: usize) -> Option<Range<usize>> {
    let rest = &url[at..];
    let (start, len) = match rest[0] {
        b'{' => {
            let has_sign = matches!(url[..at].last(), Some(b'$' | b'#' | b'%'));
            (at - usize::from(has_sign), template::in_braces(rest))
        }
        b'<' if rest.starts_with(b"<<") && rest.ends_with(b">>") => (at, Some(rest.len())),
        b'<' => (
            at,
            angles::embedded(rest).or_else(|| angles::named(url, 0, at)),
        ),
        _ => (at, template::class(rest)),
    };
    Some(start..at + len?)
}

/// Returns whether the text before or after `url` shows a placeholder that was cut off, or that contains
/// the URL.
fn goes_on_after(url: &[u8], around: &Around<'_>) -> bool {
    let after = around.after;
    let unclosed = |open: u8, close: u8| {
        let opened = memchr::memrchr(open, url);
        opened.is_some_and(|at| memchr::memchr(close, &url[at..]).is_none())
    };
    let closes = |close: u8| {
        let is_end = |byte: &u8| matches!(*byte, b'\n' | b'\r' | b'{' | b';');
        let line = after.iter().position(is_end).unwrap_or(after.len());
        memchr::memchr(close, &after[..line]).is_some()
    };
    let name = memchr::memchr(b':', url).unwrap_or(0);
    if around.before == Some(b'$') && is_placeholder_scheme(&url[..name]) {
        return true;
    }
    match after.first() {
        Some(b'{') => around.language != Language::Tex && template::in_braces(after).is_some(),
        Some(b'<') => {
            let is_sign = |byte: &u8| !byte.is_ascii_alphanumeric();
            angles::loose_name(after) && url.last().is_some_and(is_sign)
        }
        Some(b'|') if unclosed(b'(', b')') => closes(b')'),
        Some(b'[') => template::class(after).is_some(),
        // `"+x+"` in a string that has other quotes.
        Some(b'"') if after.starts_with(b"\"+") => {
            memchr::memmem::find(&after[2..], b"+\"").is_some_and(|at| at > 0)
        }
        _ => around.language != Language::Tex && unclosed(b'{', b'}') && closes(b'}'),
    }
}

/// Returns whether a scheme is a word for one: `protocol://host`.
pub(crate) fn is_word_for_scheme(name: &[u8]) -> bool {
    let names: [&[u8]; 4] = [b"scheme", b"proto", b"protocol", b"url"];
    names.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// Returns whether a scheme after a `$` is the name of a variable: `$scheme://a.example/`.
fn is_placeholder_scheme(name: &[u8]) -> bool {
    let names: [&[u8]; 2] = [b"method", b"prefix"];
    is_word_for_scheme(name) || names.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// Returns whether a [span] may begin at `at`, judging by the bytes on either side.
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

/// Returns the length of the template at `at` in `bytes`, if it certainly is one and may hold
/// characters that would otherwise end a URL: white space, `<`, `>`, `[`, `]`, `|`. `start` is
/// where the URL begins, and `quote` its delimiter, which the template must not cross.
///
/// Looks only at the same line, and at a few hundred bytes at most.
pub(crate) fn span(bytes: &[u8], start: usize, at: usize, quote: Option<u8>) -> Option<usize> {
    let rest = &bytes[at..bytes.len().min(at + MAX_TEMPLATE)];
    let before = bytes[start..at].last().copied();
    let is_whole = |len: &usize| quote.is_none_or(|quote| keeps(quote, &rest[..*len]));
    let len = match rest.first()? {
        b'{' => template::in_braces(rest).or_else(|| {
            matches!(before, Some(b'$' | b'#'))
                .then(|| balanced(rest, b'{', b'}'))
                .flatten()
        }),
        b'(' if before == Some(b'$') => balanced(rest, b'(', b')'),
        b'<' => angles::embedded(rest).or_else(|| angles::named(bytes, start, at)),
        b'[' => {
            let named =
                template::name_in_brackets(rest, before).filter(|&len| match rest.get(len) {
                    Some(b'/') => rest.get(len + 1) != Some(&b'/'),
                    // The place of a host.
                    Some(b':') => rest.get(len + 1).is_some_and(u8::is_ascii_digit),
                    next => next.is_some() && next.copied() == quote,
                });
            named.or_else(|| template::class(rest).filter(|_| quote.is_some()))
        }
        _ => None,
    };
    len.filter(is_whole)
}

/// Returns whether each `quote` in `template` belongs to the template, as in `{{ md5 "x" }}`. In
/// `{{" + x + "}}` they end and begin strings of the surrounding program.
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

/// Returns the length of `text` up to the bracket that closes its first one, if that is on the
/// first line and there is something in between.
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

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_'
}

/// Returns the length of the run of letters, digits and `_` at the start of `text`.
fn name_len(text: &[u8]) -> usize {
    let is_name_byte = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    text.iter()
        .position(|byte| !is_name_byte(byte))
        .unwrap_or(text.len())
}

fn hex_digits(text: &[u8]) -> usize {
    text.iter()
        .take_while(|byte| byte.is_ascii_hexdigit())
        .count()
}

#[cfg(test)]
mod tests;
