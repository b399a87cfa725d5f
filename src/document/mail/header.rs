//! The text of headers, as far as it is worth reading.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::{memchr_iter, memchr2, memmem};

use super::field::{Field, starts_with};
use super::words;
use crate::document::Parts;
use crate::find::scan::next_trigger;
use crate::text::span::Span;
use crate::view::{Layer, View};

/// Fields, or how their names begin, that hold no text but ids, traces and the like: those whose
/// first letter is `first`, in lower case.
fn unread(first: u8) -> &'static [&'static str] {
    match first {
        b'a' => &["arc-", "authentication-results", "autocrypt"],
        b'b' => &["bcc"],
        b'c' => &["cancel-", "content-transfer-encoding"],
        b'd' => &[
            "date",
            "delivered-to",
            "delivery-date",
            "dkim-",
            "domainkey-",
        ],
        b'e' => &["envelope-to"],
        b'f' => &["face"],
        b'i' => &["in-reply-to", "injection-info"],
        b'm' => &["mime-version"],
        b'n' => &["nntp-posting-"],
        b'p' => &["path"],
        b'r' => &["received", "references", "return-path"],
        b's' => &["supersedes"],
        b't' => &["thread-index"],
        b'x' => &[
            "x-face",
            "x-forefront-",
            "x-gm-",
            "x-google-",
            "x-ms-exchange-",
            "x-received",
            "xref",
        ],
        _ => &[],
    }
}

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
    /// As [`Look::marks`](crate::document::Look::marks).
    marks: bool,
    ahead: Ahead,
}

impl Header {
    pub(super) fn new(marks: bool) -> Self {
        Header {
            marks,
            ..Header::default()
        }
    }

    pub(super) fn add(&mut self, text: &[u8], field: &Field) {
        // Most fields can hold nothing, and that is sooner seen of many than of each.
        if !self.marks && !self.ahead.has(text, &field.value) {
            return;
        }
        let (start, end) = (field.value.start, field.value.end);
        let span = Span::new(end as u64, field.end as u64);
        let value = &text[start..end];
        // `In-Reply-To: <URL:http://...>` is what archives on the web make.
        let is_wrapper = |at: usize| value[at..].starts_with(b"<URL:");
        let is_wrapped = || memchr_iter(b'<', value).any(is_wrapper);
        if !is_read(&text[field.name.clone()]) && !is_wrapped() {
            return;
        }
        let has_words = words::is_in(value);
        // No host does without a dot.
        if !has_words && memchr2(b':', b'.', value).is_none() {
            return;
        }
        if has_words && !self.marks && !words::may_matter(value) {
            return;
        }
        let view = if has_words {
            let view = self.decoded.get_or_insert_with(|| View::new(Layer::Opaque));
            if !words::decode(value, start, view) && self.unknown.is_none() {
                self.unknown = Some(Span::new(start as u64, end as u64));
            }
            view
        } else {
            self.plain.copy(value, start as u64);
            &mut self.plain
        };
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

/// How far a message was looked through for what makes a field worth a look.
#[derive(Debug, Default)]
struct Ahead {
    /// Where the next colon stands that may be a URL's, or before which none does.
    trigger: usize,
    /// The same of encoded words.
    word: usize,
}

/// Begins every encoded word.
static WORD: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new("=?"));

impl Ahead {
    /// How many bytes are looked at in one go.
    const STEP: usize = 2048;

    /// Whether a URL or an encoded word may begin in that range of `text`, which is behind those
    /// that were asked for before.
    fn has(&mut self, text: &[u8], range: &Range<usize>) -> bool {
        let word = |text: &[u8], from: usize| Some(from + WORD.find(text.get(from..)?)?);
        Self::reaches(&mut self.trigger, text, range, next_trigger)
            || Self::reaches(&mut self.word, text, range, word)
    }

    fn reaches(
        next: &mut usize,
        text: &[u8],
        range: &Range<usize>,
        find: impl Fn(&[u8], usize) -> Option<usize>,
    ) -> bool {
        while *next < range.end {
            let from = range.start.max(*next);
            let limit = text.len().min(from + Self::STEP);
            match find(&text[..limit], from) {
                Some(at) => {
                    *next = at;
                    return at < range.end;
                }
                // The last byte may begin something.
                None if limit < text.len() => *next = limit - 1,
                None => *next = limit,
            }
        }
        false
    }
}

fn is_read(name: &[u8]) -> bool {
    let is = |unread: &&str| {
        starts_with(name, unread) && (unread.ends_with('-') || name.len() == unread.len())
    };
    // This is asked of every field.
    let first = name.first().map_or(0, u8::to_ascii_lowercase);
    let is_id = |end: &&str| {
        let at = name.len().checked_sub(end.len());
        at.is_some_and(|at| name[at..].eq_ignore_ascii_case(end.as_bytes()))
    };
    // `List-Id` is a name.
    let is_list = name.eq_ignore_ascii_case(b"list-id");
    !unread(first).iter().any(is) && (is_list || !IDS.iter().any(is_id))
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

    #[test]
    fn only_what_can_hold_a_url_makes_a_text() {
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
