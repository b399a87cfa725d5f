//! Messages of mail and news (RFC 5322), their bodies (RFC 2045 to 2049), and mailboxes.
//!
//! Everything is found as ranges of the text of a message or of a mailbox. Which kind of document a body is, and
//! how it is read, is decided by the readers of documents.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod attachment;
#[doc(hidden)]
pub mod entity;
#[doc(hidden)]
pub mod field;
mod lines;
#[doc(hidden)]
pub mod mbox;
mod outline;
#[doc(hidden)]
pub mod structure;

pub use attachment::Attachment;
pub use outline::Message;
#[doc(hidden)]
pub use outline::{LazyOutline, Letter};

/// Returns the number of a section, such as `1.2`.
fn numbered(section: &[u32]) -> String {
    let levels: Vec<_> = section.iter().map(u32::to_string).collect();
    levels.join(".")
}

/// Returns a name that a message contains, fit to be printed.
#[doc(hidden)]
pub fn shown(name: &[u8]) -> String {
    const MAX_LEN: usize = 60;
    let dots = if name.len() > MAX_LEN { "..." } else { "" };
    let name = &name[..name.len().min(MAX_LEN)];
    format!("{}{dots}", name.escape_ascii())
}
