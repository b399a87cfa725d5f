//! Openers that a line break separates from their URL: `<`, `<UR` or `<htt` at the end of a line,
//! and the rest on the next.

use super::Scanner;
use super::matched::Match;
use crate::candidate::{Delimiter, Flag};
use crate::rejoin::{Body, Closed, MAX_LEADER, body, bytes_of, without_start};
use crate::text::Text;
use urlint_standard::text::window::{is_blank, split_blanks_at_end};
use urlint_standard::url::schemes::{MAX_KNOWN, is_scheme_character, lookup_known};

const PREFIX: &[u8] = b"URL:";

impl Scanner {
    /// Returns the URL whose scheme, or the rest of it, is between `start` and `colon`, if the line
    /// before ends in `<`, perhaps followed by the first letters of `URL:` or of the scheme, and if
    /// a `>` closes it.
    #[inline]
    pub(super) fn split_opener(
        &self,
        text: &Text<'_>,
        start: usize,
        colon: usize,
    ) -> Option<Match> {
        let before = self.before(text, start)?;
        let may_begin_line = matches!(before, b'\n' | b'\r' | b' ' | b'\t' | b'>' | b'|' | b':');
        if !may_begin_line {
            return None;
        }
        let near = &text.bytes[self.floor.max(start.saturating_sub(MAX_LEADER))..start];
        // Most URLs have a word before them on their line.
        if let [.., last, b' '] = *near
            && !is_leader(last)
            && !matches!(last, b'\n' | b'\r')
        {
            return None;
        }
        let open = opener_before(near, &text.bytes[start..colon])?;
        self.split(text, start - near.len() + open)
    }

    /// Returns the URL after the `<` at `open`, if a `>` closes it.
    fn split(&self, text: &Text<'_>, open: usize) -> Option<Match> {
        let leader = || self.leader(text, open);
        let Closed { joined, close } = body(text, open + 1, Body::Wrapper, leader)?;
        let whole = bytes_of(text.bytes, &joined.pieces);
        let prefix = whole.get(..PREFIX.len()).unwrap_or_default();
        if !prefix.eq_ignore_ascii_case(PREFIX) {
            return self.in_angles(text, open, lookup_known);
        }
        let has_prefix_case = prefix != PREFIX;
        let joined = without_start(joined, PREFIX.len());
        let mut found = self.joined(text, joined, (open, close + 1), Delimiter::Wrapper);
        if has_prefix_case {
            found.flags.set(Flag::PrefixCase);
        }
        Some(found)
    }
}

/// Returns the offset of the `<` in `near`, the text before a URL whose scheme ends in `name`, if
/// the `<` is at the end of its line, perhaps followed by the first letters of `URL:` or of the
/// scheme, and if only a leader and indentation follow on the next line.
#[inline(never)]
fn opener_before(near: &[u8], name: &[u8]) -> Option<usize> {
    let prefix = if near.ends_with(b":") {
        prefix_len(near)
    } else {
        0
    };
    let (head, prefix) = near.split_at(near.len() - prefix);
    let line_break = head.iter().rposition(|&byte| !is_leader(byte))?;
    let line = match head[..=line_break] {
        [ref line @ .., b'\r', b'\n'] | [ref line @ .., b'\n' | b'\r'] => line,
        _ => return None,
    };
    let (line, _) = split_blanks_at_end(line);
    let is_name = |&&byte: &&u8| is_scheme_character(byte);
    let len = line
        .iter()
        .rev()
        .take(MAX_KNOWN)
        .take_while(is_name)
        .count();
    let open = (line.len() - len).checked_sub(1)?;
    let (before, opened) = line.split_at(open + 1);
    let is_opened = before.ends_with(b"<")
        && if prefix.is_empty() {
            // A whole scheme has two letters or more.
            (opened.is_empty() && name.len() > 1)
                || lookup_known(&[opened, name].concat()).is_some()
        } else {
            [opened, prefix].concat().eq_ignore_ascii_case(PREFIX)
        };
    is_opened.then_some(open)
}

fn is_leader(byte: u8) -> bool {
    is_blank(byte) || b">|#*/;%".contains(&byte)
}

/// Returns how many bytes at the end of `near` belong to a `URL:` that may begin on the line
/// before.
fn prefix_len(near: &[u8]) -> usize {
    let at = |len: &usize| near.len().checked_sub(*len);
    let is_end = |len: &usize| {
        at(len).is_some_and(|at| near[at..].eq_ignore_ascii_case(&PREFIX[PREFIX.len() - len..]))
    };
    (1..=PREFIX.len()).rev().find(is_end).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openers_before_a_line_break() {
        let cases: &[(&str, &str, Option<usize>)] = &[
            ("see <\n", "http", Some(4)),
            ("see <  \r\n  ", "http", Some(4)),
            ("> see <\n> ", "http", Some(6)),
            ("<\nURL:", "http", Some(0)),
            ("<U\nRL:", "http", Some(0)),
            ("<url\n:", "http", Some(0)),
            ("<htt\n", "p", Some(0)),
            ("<http\n", "", Some(0)),
            ("<http\n  ", "s", Some(0)),
            ("<see\n", "", None),
            ("<\n", "", None),
            ("<\n", "p", None),
            ("<ab\n", "http", None),
            ("<abc\n", "p", None),
            ("a < b\n", "http", None),
            ("<\n\n", "http", None),
            ("<\nsee ", "http", None),
            ("a\nURL:", "http", None),
            ("\n", "http", None),
            ("", "http", None),
        ];
        for (near, name, expected) in cases {
            let open = opener_before(near.as_bytes(), name.as_bytes());
            assert_eq!(open, *expected, "{near:?} {name}");
        }
    }
}
