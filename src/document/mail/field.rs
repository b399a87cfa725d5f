//! Header fields: RFC 5322, section 2.2.

use std::ops::Range;

use super::lines::Lines;
use crate::text::byteset::ByteSet;
use crate::url::schemes::lookup;

/// A field of a header, its ranges in the text of the message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) name: Range<usize>,
    /// What follows the colon, without the last line break.
    pub(super) value: Range<usize>,
    /// Where the line behind the field begins.
    pub(super) end: usize,
}

/// What a line of a header is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line {
    Field(Field),
    /// `From ` and more, put there by a mailbox: behind it.
    Postmark(usize),
    /// An empty line, which ends the header: behind it.
    Blank(usize),
    /// None of them.
    Other,
}

/// The names, or how they begin, that are so usual that a line with one surely belongs to a header.
const USUAL: [&str; 20] = [
    "cc",
    "content-",
    "date",
    "errors-to",
    "from",
    "in-reply-to",
    "lines",
    "list-",
    "message-id",
    "mime-",
    "newsgroups",
    "organization",
    "received",
    "references",
    "reply-to",
    "return-path",
    "sender",
    "subject",
    "to",
    "x-",
];

/// What names of fields are made of: all that is visible, but for the colon.
static NAME: ByteSet = ByteSet::alphanumeric_and(b"!\"#$%&'()*+,-./;<=>?@[\\]^_`{|}~");

/// What stands at `at`, where a line begins.
pub(super) fn line(text: &[u8], at: usize, lines: Lines) -> Line {
    let (end, next) = lines.line(text, at);
    if end == at {
        return Line::Blank(next);
    }
    let rest = &text[at..end];
    if rest.starts_with(b"From ") || rest.starts_with(b">From ") {
        return Line::Postmark(next);
    }
    let Some((name, value)) = name(rest) else {
        return Line::Other;
    };
    let is_content = starts_with(rest, "content-");
    let (mut end, mut next) = (end, next);
    loop {
        let is_folded = matches!(text.get(next), Some(b' ' | b'\t'));
        // Few fields are folded, and most lines need not be looked for here.
        if !(is_folded || is_content && text[..end].ends_with(b";")) {
            break;
        }
        let line = lines.line(text, next);
        // Some programs forget to indent the parameters.
        if !is_folded && !is_parameter(&text[next..line.0]) {
            break;
        }
        (end, next) = line;
    }
    Line::Field(Field {
        name: at..at + name,
        value: at + value..end.max(at + value),
        end: next,
    })
}

/// Whether a line that is not indented is a parameter of the field before: `boundary="x"`.
fn is_parameter(line: &[u8]) -> bool {
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'*';
    let len = line.iter().take_while(is_name).count();
    len > 0 && line.get(len) == Some(&b'=')
}

/// How long the name is with which a line begins, and where its value begins.
fn name(line: &[u8]) -> Option<(usize, usize)> {
    let len = NAME.skip(line, 0);
    let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
    let blanks = line[len..].iter().take_while(is_blank).count();
    let value = line[len + blanks..].strip_prefix(b":")?;
    // A URL at the start of a line looks like a field.
    let is_url =
        value.starts_with(b"//") || lookup(&line[..len]).is_some_and(|scheme| scheme.is_no_label);
    (len > 0 && !is_url).then_some((len, len + blanks + 1))
}

/// Whether a field with a usual name stands at `at`.
pub(super) fn is_usual(text: &[u8], at: usize) -> bool {
    let rest = text.get(at..).unwrap_or_default();
    name(rest).is_some_and(|(len, _)| {
        let name = &rest[..len];
        USUAL.iter().any(|usual| match usual.ends_with('-') {
            true => starts_with(name, usual),
            false => name.eq_ignore_ascii_case(usual.as_bytes()),
        })
    })
}

/// Whether `text` begins with `start`, in any case.
pub(super) fn starts_with(text: &[u8], start: &str) -> bool {
    let begins = text.get(..start.len());
    begins.is_some_and(|begins| begins.eq_ignore_ascii_case(start.as_bytes()))
}
