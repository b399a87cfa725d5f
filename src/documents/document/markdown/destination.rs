//! Locates the destination of a link: the parser returns only the destination itself, and the range
//! of the link.

use std::borrow::Cow;
use std::ops::Range;

use super::{Destination, text_of};
use crate::document::prose::Escapes;
use urlint_view::references;
use urlint_view::references::Context;

/// Backslashes before punctuation, and character references.
pub(in crate::document) const ESCAPES: Escapes = Escapes {
    signs: [b'\\', b'&', b'&'],
    read: |text| match text {
        [b'\\', next, ..] if next.is_ascii_punctuation() => Some((2, Cow::Borrowed(&text[1..2]))),
        [b'&', ..] => reference(text),
        _ => None,
    },
};

/// Character references alone.
pub(in crate::document) const REFERENCES: Escapes = Escapes {
    signs: [b'&'; 3],
    read: reference,
};

/// The character reference at the start of `text`; CommonMark requires the `;`.
fn reference(text: &[u8]) -> Option<(usize, Cow<'_, [u8]>)> {
    let found = references::html(text, Context::Text)?;
    let is_closed = text[..found.len].ends_with(b";");
    let decoded = found.meaning.bytes(&mut [0; 4]).to_vec();
    is_closed.then_some((found.len, Cow::Owned(decoded)))
}

/// How many offsets are tried.
const MAX_TRIES: usize = 4;

/// Finds the destination in `range`, directly after `]` and `opener`, that the parser read as `dest`.
pub(super) fn find(
    source: &[u8],
    range: Range<usize>,
    opener: u8,
    dest: &str,
) -> Option<Destination> {
    let text = source.get(range.clone())?;
    let is_opener = |at: &usize| text.get(at + 1) == Some(&opener);
    let openers = memchr::memchr_iter(b']', text).filter(is_opener);
    let starts = openers.take(MAX_TRIES).map(|at| range.start + at + 2);
    let mut found = starts.map(|start| at_start(&source[..range.end], start));
    found.find(|found| text_of(&ESCAPES.decode(&source[found.inner.clone()])) == dest)
}

/// The destination at `at`, after white space and quote marks.
fn at_start(source: &[u8], at: usize) -> Destination {
    let rest = &source[at..];
    let is_between = |byte: &&u8| byte.is_ascii_whitespace() || **byte == b'>';
    let start = at + rest.iter().take_while(is_between).count();
    let text = &source[start..];
    if let Some(bracketed) = text.strip_prefix(b"<") {
        let len = len_up_to(bracketed, |byte| byte == b'>' || byte == b'\n');
        return Destination {
            outer: start..(start + len + 2).min(source.len()),
            inner: start + 1..start + 1 + len,
        };
    }
    let mut depth = 0usize;
    let len = len_up_to(text, |byte| match byte {
        b'(' => {
            depth += 1;
            false
        }
        b')' if depth == 0 => true,
        b')' => {
            depth -= 1;
            false
        }
        _ => byte <= b' ',
    });
    Destination {
        outer: start..start + len,
        inner: start..start + len,
    }
}

/// The length of `text` up to the byte that `ends` it; escaped characters do not end it.
fn len_up_to(text: &[u8], mut ends: impl FnMut(u8) -> bool) -> usize {
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        if byte == b'\\' && text.get(at + 1).is_some_and(u8::is_ascii_punctuation) {
            at += 2;
        } else if ends(byte) {
            break;
        } else {
            at += 1;
        }
    }
    at.min(text.len())
}
