//! Shortened URLs: the text of a link, where the target of the link is the whole URL.

use std::borrow::Cow;
use std::iter::Peekable;

use memchr::memmem::find;

use super::merge::{Located, Merged};
use crate::document::Part;
use urlint_find::{Candidate, Delimiter};

/// The signs in place of the rest of a URL.
const ELLIPSES: [&str; 6] = ["…", "...", "[…]", "[...]", "(…)", "(...)"];

/// The candidates of a document, except shortened URLs beside the links whose targets are the whole ones.
pub(super) struct Shortened<'p> {
    merged: Peekable<Merged<'p>>,
    parts: &'p [Part<'p>],
    /// The last target.
    target: Option<Cow<'p, [u8]>>,
}

impl<'p> Shortened<'p> {
    pub(super) fn new(merged: Merged<'p>, parts: &'p [Part<'p>]) -> Self {
        Shortened {
            merged: merged.peekable(),
            parts,
            target: None,
        }
    }

    /// Returns whether the target before or after a candidate goes on where it ends.
    fn is_shortened(&mut self, located: &Located<'_>) -> bool {
        let text = self.parts[located.part].view.text();
        let end = located.candidate.pieces.end() as usize;
        let after = text.get(end..).unwrap_or_default();
        let Some(beginning) = beginning(&located.candidate, after) else {
            return false;
        };
        let next = self.merged.peek().map(|next| &next.candidate);
        let next = next.filter(|next| next.delimiter == Delimiter::Target);
        let mut beside = self.target.iter().chain(next.map(|next| &next.text));
        beside.any(|target| goes_on(target, beginning))
    }
}

impl<'p> Iterator for Shortened<'p> {
    type Item = Located<'p>;

    fn next(&mut self) -> Option<Located<'p>> {
        let mut located = self.merged.next()?;
        while self.is_shortened(&located) {
            located = self.merged.next()?;
        }
        if located.candidate.delimiter == Delimiter::Target {
            self.target = Some(located.candidate.text.clone());
        }
        Some(located)
    }
}

/// Returns the part of `candidate` before an ellipsis, which is in it or in the text `after` it.
fn beginning<'c>(candidate: &'c Candidate<'_>, after: &[u8]) -> Option<&'c [u8]> {
    let text = &candidate.text[..];
    if candidate.delimiter == Delimiter::Target {
        return None;
    }
    let after = after.strip_prefix(b" ").unwrap_or(after);
    let follows = || {
        ELLIPSES
            .iter()
            .any(|sign| after.starts_with(sign.as_bytes()))
    };
    match find(text, b"...") {
        Some(at) => Some(&text[..at]),
        None => follows().then_some(text),
    }
}

/// Returns whether the URL `target` is more than its `beginning`, whatever the schemes are.
fn goes_on(target: &[u8], beginning: &[u8]) -> bool {
    fn rest(url: &[u8]) -> &[u8] {
        find(url, b"://").map_or(url, |colon| &url[colon + 3..])
    }
    let (whole, beginning) = (rest(target), rest(beginning));
    !beginning.is_empty() && whole.len() > beginning.len() && whole.starts_with(beginning)
}
