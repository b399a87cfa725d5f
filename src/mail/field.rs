//! Header fields (RFC 5322, section 2.2).

use std::ops::Range;

use memchr::memchr_iter;

use super::lines::Lines;
use urlint_standard::text::ascii::{WordList, begins};
use urlint_standard::text::byteset::ByteSet;
use urlint_standard::text::window::blanks;

/// A field of a header, as ranges of the text of the message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    pub name: Range<usize>,
    /// Everything after the colon, except the last line break.
    pub value: Range<usize>,
    /// The start of the line after the field.
    pub end: usize,
}

/// A line of a header, with all its folded lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HeaderLine {
    Field(Field),
    /// The line that begins with `From `, added by a mailbox; it ends at this offset.
    Postmark(usize),
    /// An empty line, the end of the header; it ends at this offset.
    Blank(usize),
    /// Any other line.
    Other,
}

/// Field names that are so common that a line with one certainly belongs to a header.
const USUAL: Names = Names(WordList(
    "cc content- date errors-to from in-reply-to lines list- message-id mime- newsgroups organization received \
    references reply-to return-path sender subject to x-",
));

/// Names of fields; one that ends with a hyphen, and has at most three, is a prefix.
#[derive(Clone, Copy, Debug)]
pub struct Names(pub WordList);

/// The characters of field names: all visible ones except the colon.
static NAME: ByteSet = ByteSet::alphanumeric_and(b"!\"#$%&'()*+,-./;<=>?@[\\]^_`{|}~");

/// The line of a header that begins at `at`.
pub(crate) fn line(text: &[u8], at: usize, lines: Lines) -> HeaderLine {
    let (end, next) = lines.line(text, at);
    if end == at {
        return HeaderLine::Blank(next);
    }
    let rest = &text[at..end];
    if rest.starts_with(b"From ") || rest.starts_with(b">From ") {
        return HeaderLine::Postmark(next);
    }
    // In all of the text, since a long one is read in vectors.
    let Some((name, value)) = name(&text[at..]) else {
        return HeaderLine::Other;
    };
    let (mut end, mut next) = (end, next);
    loop {
        let is_folded = matches!(text.get(next), Some(b' ' | b'\t'));
        // Few fields are folded, so that the end of the next line is rarely needed.
        if !(is_folded || text[..end].ends_with(b";") && begins(rest, "content-")) {
            break;
        }
        let line = lines.line(text, next);
        // Some programs forget to indent the parameters.
        if !is_folded && !is_parameter(&text[next..line.0]) {
            break;
        }
        (end, next) = line;
    }
    HeaderLine::Field(Field {
        name: at..at + name,
        value: at + value..end.max(at + value),
        end: next,
    })
}

/// Returns whether a line that is not indented is a parameter of the field before it:
/// `boundary="x"`.
fn is_parameter(line: &[u8]) -> bool {
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'*';
    let len = line.iter().take_while(is_name).count();
    len > 0 && line.get(len) == Some(&b'=')
}

/// The length of the name at the start of `line`, and the start of the value.
fn name(line: &[u8]) -> Option<(usize, usize)> {
    let len = NAME.skip(line, 0);
    let blanks = blanks(&line[len..]);
    let value = line[len + blanks..].strip_prefix(b":")?;
    // A URL at the start of a line looks like a field.
    let is_url = value.starts_with(b"//") || line[..len].eq_ignore_ascii_case(b"mailto");
    (len > 0 && !is_url).then_some((len, len + blanks + 1))
}

/// Returns whether a field with a usual name begins at `at`.
pub(crate) fn is_usual(text: &[u8], at: usize) -> bool {
    let rest = text.get(at..).unwrap_or_default();
    name(rest).is_some_and(|(len, _)| USUAL.contains(&rest[..len]))
}

impl Names {
    /// Returns whether the name of a field is one of them, or begins with a prefix among them.
    pub fn contains(self, name: &[u8]) -> bool {
        let mut hyphens = memchr_iter(b'-', name).take(3);
        self.0.contains(name) || hyphens.any(|hyphen| self.0.contains(&name[..=hyphen]))
    }
}
