//! The text of headers that may hold URLs.

use std::sync::LazyLock;

use memchr::{memchr_iter, memchr2, memmem};

use crate::document::Parts;
use crate::document::ahead::Ahead;
use urlint_find::scan::next_trigger;
use urlint_mail::field::{Field, Names};
use urlint_standard::text::Span;
use urlint_standard::text::ascii::{WordList, ends};
use urlint_view::encoded_words;
use urlint_view::{Layer, View};

/// The names of fields that hold ids, traces and the like instead of text.
const UNREAD: Names = Names(WordList(
    "arc- authentication-results autocrypt bcc cancel- content-transfer-encoding date delivered-to delivery-date \
    dkim- domainkey- envelope-to face in-reply-to injection-info mime-version nntp-posting- path received \
    references return-path supersedes thread-index x-face x-forefront- x-gm- x-google- x-ms-exchange- x-received \
    xref",
));

/// The suffixes of the names of fields that hold an id, such as `Message-ID` and `Content-ID`.
const IDS: [&str; 4] = ["-id", "-ids", "-uid", "-signature"];

/// The text of the headers of a message that people read: one view of the fields without encoded
/// words, and one of the fields with encoded words, decoded.
#[derive(Debug)]
pub(super) struct Header {
    plain: View<'static>,
    decoded: Option<View<'static>>,
    /// The first field with an encoded word in an unknown charset.
    pub(super) unknown: Option<Span>,
    /// As [`Scope::unknown_schemes`](crate::document::Scope::unknown_schemes).
    unknown_schemes: bool,
    ahead: Ahead<2>,
}

impl Header {
    pub(super) fn new(unknown_schemes: bool) -> Self {
        Header {
            plain: View::default(),
            decoded: None,
            unknown: None,
            unknown_schemes,
            ahead: Ahead::new([next_trigger, next_word], unknown_schemes),
        }
    }

    /// Adds a field of the message `text`, if it may hold a URL.
    pub(super) fn add(&mut self, text: &[u8], field: &Field) {
        // Most fields hold neither a URL nor an encoded word; searching many fields at once is
        // faster than searching each.
        if self.ahead.next(text, field.value.clone()).is_none() {
            return;
        }
        let (start, end) = (field.value.start, field.value.end);
        let span = Span::new(end as u64, field.end as u64);
        let value = &text[start..end];
        // Web archives write `In-Reply-To: <URL:http://...>`.
        let is_wrapper = |at: usize| value[at..].starts_with(b"<URL:");
        let is_wrapped = || memchr_iter(b'<', value).any(is_wrapper);
        if !is_read(&text[field.name.clone()]) && !is_wrapped() {
            return;
        }
        let has_words = encoded_words::is_in(value);
        // Every host has a dot.
        if !has_words && memchr2(b':', b'.', value).is_none() {
            return;
        }
        if has_words && !self.unknown_schemes && !encoded_words::may_matter(value) {
            return;
        }
        let view = if has_words {
            let view = self.decoded.get_or_insert_with(|| View::new(Layer::Opaque));
            if !encoded_words::decode(value, start, view) && self.unknown.is_none() {
                self.unknown = Some(Span::new(start as u64, end as u64));
            }
            view
        } else {
            self.plain.copy(value, start as u64);
            &mut self.plain
        };
        // No URL continues in the next field.
        view.push_together(b"\n\n", span);
    }

    /// Adds the text to the parts of the message.
    pub(super) fn finish(self, parts: &mut Parts<'_>) {
        // The line break of a folded field is a space.
        parts.flow(self.plain);
        parts.flow(self.decoded.unwrap_or_default());
    }
}

/// Finds the start of an encoded word.
fn next_word(text: &[u8], from: usize) -> Option<usize> {
    static WORD: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new("=?"));
    Some(from + WORD.find(text.get(from..)?)?)
}

/// Returns whether a field of that name holds text.
fn is_read(name: &[u8]) -> bool {
    // `List-Id` is a name.
    let is_list = name.eq_ignore_ascii_case(b"list-id");
    !UNREAD.contains(name) && (is_list || !IDS.iter().any(|end| ends(name, end)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_with_identifiers_are_skipped() {
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

    #[test]
    fn only_fields_that_may_hold_a_url_are_added() {
        let cases: [(&str, bool, &[u8], &[u8]); 7] = [
            ("Subject: none at all", true, b"", b""),
            ("Subject: Re: at 12:30", false, b"", b""),
            ("Subject: http://a", false, b" http://a\n\n", b""),
            ("Subject: www.a.example", false, b"", b""),
            ("Subject: www.a.example", true, b" www.a.example\n\n", b""),
            (
                "Subject: =?utf-8?q?http=3A//a?=",
                false,
                b"",
                b" http://a\n\n",
            ),
            ("References: <URL:x>", false, b" <URL:x>\n\n", b""),
        ];
        for (text, hosts, plain, decoded) in cases {
            let text = text.as_bytes();
            let colon = memchr::memchr(b':', text).unwrap_or_default();
            let field = Field {
                name: 0..colon,
                value: colon + 1..text.len(),
                end: text.len(),
            };
            let mut header = Header::new(hosts);
            header.add(text, &field);
            assert_eq!(header.plain.text(), plain);
            assert_eq!(header.decoded.unwrap_or_default().text(), decoded);
        }
    }
}
