//! The outline of a message: the header field or the part that each offset is in, and the header
//! fields that describe the message.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

use super::lines::is_break;
use super::structure::{Item, Section, walk};
use urlint_standard::text::Window;
use urlint_standard::text::beginning::beginning;
use urlint_view::encoded_words;
use urlint_view::{Layer, View, charset};

/// The outline of a message of mail or news, and of the messages in it that are not encoded.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    /// The items of the message, in order.
    items: Vec<OutlineItem>,
    /// The header of each message, the outermost first.
    headers: Vec<Header>,
}

/// An item of a message: a header field or a body.
#[derive(Clone, Debug, PartialEq, Eq)]
struct OutlineItem {
    start: usize,
    /// The name of the header field, or `None` in a body.
    field: Option<Range<usize>>,
    /// The number of the part: `[2, 1]`.
    part: Vec<u32>,
    /// The index of the header of its message.
    message: usize,
}

/// The values of the fields in [`NAMES`].
type Header = [Option<Range<usize>>; NAMES.len()];

/// The names of the fields that describe a message.
const NAMES: [&str; 6] = ["message-id", "date", "from", "to", "subject", "list-id"];

/// The message that a URL was found in, and where in it.
///
/// The first of several fields with the same name counts. An attached message has fields of its
/// own, unless it is encoded as a whole. A field longer than 8,192 bytes is returned up to the last
/// whole word within that length.
#[derive(Clone, Copy, Debug)]
pub struct Message<'m> {
    text: &'m [u8],
    header: &'m Header,
    item: &'m OutlineItem,
}

impl Outline {
    /// The outline of the message `text`.
    pub(crate) fn of(text: &[u8]) -> Self {
        let mut outline = Outline::default();
        walk(text, &mut |item, section| outline.add(text, &item, section));
        outline
    }

    fn add(&mut self, text: &[u8], item: &Item<'_>, section: Section<'_>) {
        let message = section.message();
        if self.headers.len() <= message {
            self.headers.resize(message + 1, Header::default());
        }
        let (start, field, part) = match item {
            Item::Field(field) => {
                let name = &text[field.name.clone()];
                let is = |known: &&str| name.eq_ignore_ascii_case(known.as_bytes());
                // Parts of a multipart may have such fields too, but those say nothing about the
                // message.
                let part = section.of_header();
                if section.is_of_message()
                    && let Some(index) = NAMES.iter().position(is)
                {
                    let value = &mut self.headers[message][index];
                    value.get_or_insert_with(|| {
                        let Range { start, .. } = field.value;
                        let words = beginning(&text[field.value.clone()]);
                        start..start + words.map_or(0, <[u8]>::len)
                    });
                }
                (field.name.start, Some(field.name.clone()), part)
            }
            Item::Body { range, .. } => (range.start, None, section.of_body()),
            Item::Between(range) => (range.start, None, section.of_header()),
            Item::Fault { .. } => return,
        };
        self.items.push(OutlineItem {
            start,
            field,
            part,
            message,
        });
    }

    /// Returns the message and the item at the offset `at` of `text`, the text of this outline.
    pub(crate) fn at<'m>(&'m self, text: &'m [u8], at: usize) -> Option<Message<'m>> {
        let next = self.items.partition_point(|item| item.start <= at);
        let item = self.items.get(next.checked_sub(1)?)?;
        Some(Message {
            text,
            header: self.headers.get(item.message)?,
            item,
        })
    }
}

/// The outline of a message, computed on first use.
#[derive(Debug)]
pub struct LazyOutline<'t> {
    /// The message, and where it is in its source.
    window: Window<'t>,
    outline: OnceCell<Outline>,
}

impl<'t> LazyOutline<'t> {
    /// The outline of the message in `window`, the bytes of a message and its offset in the source.
    pub fn new(window: Window<'t>) -> Self {
        LazyOutline {
            window,
            outline: OnceCell::new(),
        }
    }

    /// Returns the message and the item at `offset` of the source.
    pub fn at(&self, offset: u64) -> Option<Message<'_>> {
        let Window { start, bytes } = self.window;
        let outline = self.outline.get_or_init(|| Outline::of(bytes));
        outline.at(bytes, usize::try_from(offset.checked_sub(start)?).ok()?)
    }
}

impl<'m> Message<'m> {
    /// The value of the header field `name`, decoded, on one line: of `message-id`, with its angle brackets, `date`
    /// (RFC 5322, section 3.3), `from`, `to`, `subject` or `list-id` (RFC 2919).
    pub fn field(&self, name: &str) -> Option<Cow<'m, [u8]>> {
        let index = NAMES.iter().position(|known| *known == name)?;
        let value = self.header[index].clone()?;
        Some(decoded(self.text.get(value)?))
    }

    /// The number of the part that the URL is in, as in IMAP (RFC 9051, section 6.4.5.1): `2.1` is the
    /// first part of the second. `None` in the header of the message itself.
    pub fn part(&self) -> Option<String> {
        let part = &self.item.part;
        (!part.is_empty()).then(|| super::numbered(part))
    }

    /// The name of the header field that the URL is in, as it is written, or `None` if it is in a
    /// body.
    pub fn header_field(&self) -> Option<&'m [u8]> {
        let name = self.item.field.clone()?;
        self.text.get(name)
    }
}

/// The header of a message, for the documents that are attached to it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub struct Letter {
    text: Vec<u8>,
    header: Header,
    item: OutlineItem,
}

impl Letter {
    pub(crate) fn of(message: Message<'_>) -> Self {
        let mut text = Vec::new();
        let header = message.header.clone().map(|value| {
            let start = text.len();
            text.extend_from_slice(message.text.get(value?)?);
            Some(start..text.len())
        });
        let item = message.item.clone();
        Letter { text, header, item }
    }

    /// The message, at the place of the attachment.
    pub fn message(&self) -> Message<'_> {
        let Letter { text, header, item } = self;
        Message { text, header, item }
    }
}

/// The value of a field, decoded, on one line.
fn decoded(value: &[u8]) -> Cow<'_, [u8]> {
    let value = value.trim_ascii();
    let value = if memchr::memchr2(b'\n', b'\r', value).is_some() {
        Cow::Owned(unfolded(value))
    } else {
        Cow::Borrowed(value)
    };
    if encoded_words::is_in(&value) {
        let mut view = View::new(Layer::Opaque);
        encoded_words::decode(&value, 0, &mut view);
        return Cow::Owned(unfolded(view.text()));
    }
    if std::str::from_utf8(&value).is_ok() {
        return value;
    }
    // The header is older than encoded words, or its program did not support them.
    let label = charset::guess(&value).unwrap_or("windows-1252");
    match charset::decode(&value, label.as_bytes()) {
        Ok(view) => Cow::Owned(view.text().to_vec()),
        Err(_) => value,
    }
}

/// Returns `value` unfolded: each line break, with the blanks after it, becomes a space.
fn unfolded(value: &[u8]) -> Vec<u8> {
    let lines = value.split(is_break).map(<[u8]>::trim_ascii);
    let lines: Vec<_> = lines.filter(|line| !line.is_empty()).collect();
    lines.join(&b' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    const MESSAGE: &str = "\
From joe Mon Jan  1 00:00:00 2001
Message-ID: <1@a.example>
From: =?utf-8?Q?Jos=C3=A9?= <jose@a.example>
Subject: a long
 =?utf-8?Q?subject_=E2=80=94?= indeed
Content-Type: multipart/mixed; boundary=x

preamble
--x
Content-Type: text/plain; from=nobody
Subject: of a part

one
--x
Content-Type: multipart/alternative; boundary=y

--y

two
--y
Content-Type: text/html

three
--y--
after
--x
Content-Type: message/rfc822

Message-ID: <2@a.example>
Subject: inner

four
--x
Content-Type: message/rfc822

Message-ID: <3@a.example>
Content-Type: multipart/mixed; boundary=z

--z

five
--z
Content-Type: message/rfc822

Message-ID: <4@a.example>
Content-Type: message/rfc822

Message-ID: <5@a.example>

six
--z--
--x--
end
";

    fn place(text: &str, of: &str) -> String {
        let outline = Outline::of(text.as_bytes());
        let at = text.find(of).unwrap_or(text.len());
        let Some(message) = outline.at(text.as_bytes(), at) else {
            return "none".to_owned();
        };
        let shown = |text: Option<Cow<'_, [u8]>>| {
            text.map_or_else(String::new, |text| {
                String::from_utf8_lossy(&text).into_owned()
            })
        };
        let field = message.header_field().map(Cow::Borrowed);
        [
            message.part().unwrap_or_default(),
            shown(field),
            shown(message.field("message-id")),
        ]
        .join(" ")
    }

    #[test]
    fn parts_are_numbered_as_in_imap() {
        let cases = [
            ("1@a", " Message-ID <1@a.example>"),
            ("indeed", " Subject <1@a.example>"),
            ("preamble", "  <1@a.example>"),
            ("of a part", "1 Subject <1@a.example>"),
            ("one", "1  <1@a.example>"),
            ("two", "2.1  <1@a.example>"),
            ("text/html", "2.2 Content-Type <1@a.example>"),
            ("three", "2.2  <1@a.example>"),
            ("after", "2  <1@a.example>"),
            ("inner", "3 Subject <2@a.example>"),
            ("four", "3.1  <2@a.example>"),
            ("five", "4.1  <3@a.example>"),
            ("<4@", "4.2 Message-ID <4@a.example>"),
            ("<5@", "4.2.1 Message-ID <5@a.example>"),
            ("six", "4.2.1.1  <5@a.example>"),
            ("end\n", "  <1@a.example>"),
        ];
        for (of, expected) in cases {
            assert_eq!(place(MESSAGE, of), expected, "{of}");
        }
        assert_eq!(place("Subject: x\n\nbody", "body"), "1  ");
        let wrapped = "Content-Type: message/rfc822\n\nMessage-ID: <1>\n\nbody";
        assert_eq!(place(wrapped, "body"), "1.1  <1>");
    }

    #[test]
    fn fields_are_decoded() {
        let outline = Outline::of(MESSAGE.as_bytes());
        let fields = outline
            .at(MESSAGE.as_bytes(), MESSAGE.len())
            .map(|message| {
                let fields = ["from", "subject", "to"].map(|name| message.field(name));
                fields.map(|field| field.map(|text| String::from_utf8_lossy(&text).into_owned()))
            });
        let expected = [
            Some("José <jose@a.example>"),
            Some("a long subject — indeed"),
            None,
        ];
        assert_eq!(fields, Some(expected.map(|field| field.map(str::to_owned))));
        assert_eq!(&*decoded(b" caf\xe9 \r\n\t bar"), "café bar".as_bytes());
    }
}
