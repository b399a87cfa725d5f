//! How mailboxes of different programs separate their messages.

use std::sync::LazyLock;

use memchr::memchr;
use memchr::memmem::Finder;

use super::{is_after_empty_line, is_postmark};
use crate::lines::is_break;

/// The separator before each message of a mailbox, detected from the first bytes of the mailbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Separator {
    /// A line that begins with `From `, after an empty line.
    From,
    /// A line of `#! rnews` and the length of the article, in a batch of Usenet.
    Rnews,
}

/// How many first bytes are enough to detect the separator.
pub(super) const HEAD: usize = 32;

/// The line before each article in a batch, up to its length.
const RNEWS: &[u8] = b"#! rnews ";

// Most messages are short, so the searchers are built only once.
static FROM: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("From "));
static RNEWS_FINDER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(RNEWS));

impl Separator {
    /// Returns the separator of a mailbox that begins with `head`; [`Separator::From`] unless it is
    /// another one.
    pub fn of(head: &[u8]) -> Self {
        match article(head) {
            Some(_) => Separator::Rnews,
            None => Separator::From,
        }
    }

    /// Returns a searcher for the start of the separator.
    pub(super) fn finder(self) -> &'static Finder<'static> {
        match self {
            Separator::From => &FROM,
            Separator::Rnews => &RNEWS_FINDER,
        }
    }

    /// Returns whether the separator may come after `text`, which is not the start of the mailbox.
    pub(super) fn is_after(self, text: &[u8]) -> bool {
        match self {
            Separator::From => is_after_empty_line(text),
            Separator::Rnews => text.last().is_some_and(is_break),
        }
    }

    /// Returns whether a message begins with `text`.
    pub(super) fn begins(self, text: &[u8]) -> bool {
        match self {
            Separator::From => is_postmark(text),
            Separator::Rnews => article(text).is_some(),
        }
    }
}

/// Returns the length of the line before an article of a batch, and the length of the article.
pub(crate) fn article(text: &[u8]) -> Option<(usize, usize)> {
    let rest = text.strip_prefix(RNEWS)?;
    let rest = &rest[..rest.len().min(HEAD - RNEWS.len())];
    let end = memchr(b'\n', rest)?;
    let digits = rest[..end].trim_ascii();
    let is_number = digits.iter().all(u8::is_ascii_digit);
    let length = std::str::from_utf8(digits).ok()?.parse().ok();
    Some((RNEWS.len() + end + 1, length.filter(|_| is_number)?))
}
