//! The text of headers, as far as it is worth reading.

use memchr::memchr_iter;

use super::field::{Field, starts_with};
use super::words;
use crate::document::Parts;
use crate::span::Span;
use crate::view::{Layer, View};

/// Fields, or how their names begin, that hold no text but ids, traces and the like.
const UNREAD: [&str; 30] = [
    "arc-",
    "authentication-results",
    "autocrypt",
    "bcc",
    "cancel-",
    "content-transfer-encoding",
    "date",
    "delivered-to",
    "delivery-date",
    "dkim-",
    "domainkey-",
    "envelope-to",
    "face",
    "in-reply-to",
    "injection-info",
    "mime-version",
    "nntp-posting-",
    "path",
    "received",
    "references",
    "return-path",
    "supersedes",
    "thread-index",
    "x-face",
    "x-forefront-",
    "x-gm-",
    "x-google-",
    "x-ms-exchange-",
    "x-received",
    "xref",
];

/// How the names of fields end whose content is an id, as `Message-ID` and `Content-ID` do.
const IDS: [&str; 4] = ["-id", "-ids", "-uid", "-signature"];

/// What the headers of a message say to people, each in a text of its own: one without encoded
/// words, one with what they decode to.
#[derive(Debug, Default)]
pub(super) struct Header {
    plain: View<'static>,
    decoded: Option<View<'static>>,
    /// The first field with a word in a charset that nothing is known about.
    pub(super) unknown: Option<Span>,
}

impl Header {
    pub(super) fn add(&mut self, text: &[u8], field: &Field) {
        let (start, end) = (field.value.start, field.value.end);
        let span = Span::new(end as u64, field.end as u64);
        let value = &text[start..end];
        // `In-Reply-To: <URL:http://...>` is what archives on the web make.
        let is_wrapper = |at: usize| value[at..].starts_with(b"<URL:");
        let is_wrapped = || memchr_iter(b'<', value).any(is_wrapper);
        if !is_read(&text[field.name.clone()]) && !is_wrapped() {
            return;
        }
        let view = match words::is_in(value) {
            true => self.decoded.get_or_insert_with(|| View::new(Layer::Opaque)),
            false => &mut self.plain,
        };
        if !words::decode(value, start, view) && self.unknown.is_none() {
            self.unknown = Some(Span::new(start as u64, end as u64));
        }
        // No URL goes on in the next field.
        view.push_together(b"\n\n", span);
    }

    /// Adds the texts to the parts of the message.
    pub(super) fn finish(self, parts: &mut Parts<'_>) {
        // A fold stands for a space.
        parts.flow(self.plain);
        parts.flow(self.decoded.unwrap_or_default());
    }
}

fn is_read(name: &[u8]) -> bool {
    // Most names differ in the first letter, and this is asked of every field.
    let first = name.first().map(u8::to_ascii_lowercase);
    let is = |unread: &&str| {
        let is_like = unread.as_bytes().first().copied() == first && starts_with(name, unread);
        is_like && (unread.ends_with('-') || name.len() == unread.len())
    };
    let is_id = |end: &&str| {
        let at = name.len().checked_sub(end.len());
        at.is_some_and(|at| name[at..].eq_ignore_ascii_case(end.as_bytes()))
    };
    // `List-Id` is a name.
    let is_list = name.eq_ignore_ascii_case(b"list-id");
    !UNREAD.iter().any(is) && (is_list || !IDS.iter().any(is_id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read() {
        let read = "Subject From List-Archive List-Id List-Unsubscribe Archived-At X-URL X-Mailer \
                    Content-Location Content-Base Content-Type Comments X-Spam-Report Organization";
        let unread = "Message-ID References In-Reply-To Received DKIM-Signature ARC-Seal Path \
                      ARC-Authentication-Results Authentication-Results Return-Path Content-ID \
                      Resent-Message-Id X-Gm-Message-State X-Received X-Message-ID Date Xref";
        for name in read.split_ascii_whitespace() {
            assert!(is_read(name.as_bytes()), "{name}");
        }
        for name in unread.split_ascii_whitespace() {
            assert!(!is_read(name.as_bytes()), "{name}");
        }
    }
}
