//! JSON, whether a file is one value or has one on each line.
//!
//! Strings, names as well as values, are read with their escapes decoded, and each by itself: a URL
//! ends at the end of its string. A string that is one URL is a target. Text between strings that
//! is not JSON, such as a comment, is read as it is.
//!
//! The Markdown of a notebook is read as such.
//!
//! No token continues past a line that begins with `{`: records are read independently of one
//! another, and records without a URL are skipped almost unread.

pub(crate) mod fields;
pub(crate) mod notebook;
mod strings;
mod tokens;

use std::ops::Range;

use super::{Parts, Scope};
pub(crate) use strings::{Strings, decoded, is_target};
use tokens::Tokens;
pub(crate) use tokens::string_end;
use urlint_view::View;

/// Adds the parts of a document of JSON.
pub(super) fn parts<'s>(source: &'s [u8], scope: Scope, parts: &mut Parts<'s>) {
    if notebook::is_notebook(source) {
        return notebook::parts(source, scope, parts);
    }
    let mut tokens = Tokens::new(source);
    let mut strings = Strings::new(source, scope);
    while let Some(place) = strings.next_place(tokens.at()) {
        tokens.skip_to(place);
        let Some(token) = tokens.find(|token| token.range.end > place) else {
            break;
        };
        if token.is_string {
            strings.add(token.range, parts);
        } else {
            let start = token.range.start as u64;
            parts.lines(View::borrowed(&source[token.range], start));
        }
    }
    strings.finish(parts);
}

/// Returns the ranges of the strings of JSON, without their quotes.
pub(super) fn strings(source: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    let strings = Tokens::new(source).filter(|token| token.is_string);
    strings.map(|token| token.range)
}

/// Returns the names of the values of JSON, each on a line, as they are written.
pub(super) fn names(source: &[u8]) -> String {
    let mut names = String::new();
    for range in strings(source) {
        let after = source.get(range.end + 1..).unwrap_or_default();
        if after.trim_ascii_start().starts_with(b":") {
            names.push_str(&String::from_utf8_lossy(&source[range]));
            names.push('\n');
        }
    }
    names
}

/// Returns how much of JSON that is still arriving can be read as if it were complete: up to the
/// start of a record, or else the end of a line, or a place between two strings.
pub(crate) fn cut(source: &[u8]) -> usize {
    let record = tokens::last_record(source, 0..source.len());
    record.unwrap_or_else(|| Tokens::new(source).certain())
}

#[cfg(test)]
mod tests;
