//! How mailboxes of different programs separate their messages.

use std::sync::LazyLock;

use memchr::memchr;
use memchr::memmem::Finder;

use super::{is_after_empty_line, is_postmark};
use crate::document::mail::lines::is_break;

/// The separator before each message of a mailbox, detected from the first bytes of the mailbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Separator {
    /// A line that begins with `From `, after an empty line.
    From,
    /// A line of four `^A`, in MMDF; another one comes after each message.
    Mmdf,
    /// A line of `^_^L` and a line of labels, in Babyl, the format of Emacs Rmail. Options come
    /// before the first message.
    Babyl,
    /// A line of `#! rnews` and the length of the article, in a batch of Usenet.
    Rnews,
}

/// How many first bytes are enough to detect the separator.
pub(super) const HEAD: usize = 32;

/// The line before and after each message in MMDF.
pub(crate) const MMDF: &[u8] = b"\x01\x01\x01\x01";

/// How a file of Babyl begins.
pub(crate) const BABYL: &[u8] = b"BABYL OPTIONS:";

/// The line before each message in Babyl.
pub(crate) const BABYL_MESSAGE: &[u8] = b"\x1f\x0c";

/// The line before each article in a batch, up to its length.
pub(crate) const RNEWS: &[u8] = b"#! rnews ";

// Most messages are short, so the searchers are built only once.
static FROM: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("From "));
static MMDF_FINDER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(MMDF));
static BABYL_FINDER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(BABYL_MESSAGE));
static RNEWS_FINDER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(RNEWS));

impl Separator {
    /// Returns the separator of a mailbox that begins with `head`; [`Separator::From`] unless it is
    /// another one.
    pub(crate) fn of(head: &[u8]) -> Self {
        if is_line(head, MMDF) {
            Separator::Mmdf
        } else if head.starts_with(BABYL) {
            Separator::Babyl
        } else if article(head).is_some() {
            Separator::Rnews
        } else {
            Separator::From
        }
    }

    /// Returns a searcher for the start of the separator.
    pub(super) fn finder(self) -> &'static Finder<'static> {
        match self {
            Separator::From => &FROM,
            Separator::Mmdf => &MMDF_FINDER,
            Separator::Babyl => &BABYL_FINDER,
            Separator::Rnews => &RNEWS_FINDER,
        }
    }

    /// The length of the string that is searched for.
    pub(super) fn len(self) -> usize {
        self.finder().needle().len()
    }

    /// Returns whether the separator may come after `text`, which is not the start of the mailbox.
    pub(super) fn is_after(self, text: &[u8]) -> bool {
        match self {
            Separator::From => is_after_empty_line(text),
            _ => text.last().is_some_and(is_break),
        }
    }

    /// Returns whether a message begins with `text`.
    pub(super) fn begins(self, text: &[u8]) -> bool {
        match self {
            Separator::From => is_postmark(text),
            Separator::Mmdf => {
                let rest = text.strip_prefix(MMDF).unwrap_or_default();
                // The line after a message is followed by the line before the next message, or by
                // nothing.
                is_line(text, MMDF)
                    && !rest.iter().all(is_break)
                    && !after_break(rest).starts_with(MMDF)
            }
            Separator::Babyl => is_line(text, BABYL_MESSAGE),
            Separator::Rnews => article(text).is_some(),
        }
    }

    /// Returns whether `text`, the mailbox up to the first separator that is not at its start,
    /// holds no message.
    pub(super) fn is_preamble(self, text: &[u8]) -> bool {
        self == Separator::Babyl && text.starts_with(BABYL)
    }
}

/// Returns whether `text` begins with `line` and a line break.
pub(crate) fn is_line(text: &[u8], line: &[u8]) -> bool {
    let rest = text.strip_prefix(line);
    rest.is_some_and(|rest| matches!(rest, [b'\n', ..] | [b'\r', b'\n', ..]))
}

/// `text` without the line break at its start.
fn after_break(text: &[u8]) -> &[u8] {
    let rest = text.strip_prefix(b"\r").unwrap_or(text);
    rest.strip_prefix(b"\n").unwrap_or(text)
}

/// Returns the length of the line before an article of a batch, and the length of the article.
pub(super) fn article(text: &[u8]) -> Option<(usize, usize)> {
    let rest = text.strip_prefix(RNEWS)?;
    let rest = &rest[..rest.len().min(HEAD - RNEWS.len())];
    let end = memchr(b'\n', rest)?;
    let digits = rest[..end].trim_ascii();
    let is_number = digits.iter().all(u8::is_ascii_digit);
    let length = std::str::from_utf8(digits).ok()?.parse().ok();
    Some((RNEWS.len() + end + 1, length.filter(|_| is_number)?))
}
