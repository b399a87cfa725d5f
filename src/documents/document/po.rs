//! Catalogues of messages of gettext.
//!
//! The strings of a message are read as gettext reads them: adjacent ones are one string, and
//! escapes are decoded. Then the markup in them is read: escapes of reStructuredText and Markdown,
//! targets of reStructuredText, and references of HTML. Each string and each comment is a text of
//! its own. Only translations can be mended here, so everything else is an aside; in a template,
//! the messages themselves are not asides.

use std::borrow::Cow;
use std::ops::Range;

use super::prose::{Escapes, Prose, lines};
use super::texts::Texts;
use super::{Content, Links, Parts, Scope, json};
use urlint_standard::text::Span;
use urlint_standard::text::window::blanks;
use urlint_view::{Layer, View, references};

/// The escapes of C.
pub(super) const ESCAPES: Escapes = Escapes {
    signs: [b'\\'; 3],
    read: |text| {
        let (byte, len) = escape(text)?;
        Some((len, Cow::Owned(vec![byte])))
    },
};

/// The escapes of reStructuredText and Markdown that a URL may have, and the references of HTML.
const MARKUP: Escapes = Escapes {
    signs: [b'\\', b'&', b'&'],
    read: |text| match text {
        [b'\\', b'_' | b'*' | b'`' | b'|', ..] => Some((2, Cow::Borrowed(&text[1..2]))),
        _ => {
            let reference = references::xml(text).filter(|_| text.starts_with(b"&"))?;
            let meaning = reference.meaning.bytes(&mut [0; 4]).to_vec();
            Some((reference.len, Cow::Owned(meaning)))
        }
    },
};

/// The characters that have an escape.
const LAYER: Layer = Layer::AsciiBut(b"\"\\");

/// The greatest length of a target of reStructuredText, in bytes.
const MAX_TARGET: usize = 2048;

/// The keywords that precede strings. A number in brackets may follow the last one.
const KEYWORDS: [&[u8]; 5] = [b"msgid_plural", b"msgctxt", b"domain", b"msgid", b"msgstr"];

/// Adds the parts of a catalogue.
pub(super) fn parts<'s>(source: &'s [u8], scope: Scope, parts: &mut Parts<'s>) {
    let mut catalogue = Catalogue {
        source,
        keeps_all: scope.unknown_schemes,
        judged: if scope.template { b"msgid" } else { b"msgstr" },
        texts: (Texts::new(LAYER), Vec::new()),
        targets: (Texts::new(LAYER), Vec::new()),
        text: View::new(Layer::Opaque),
        open: Open::Nothing,
        is_judged: false,
    };
    for line in lines(source) {
        catalogue.line(line);
    }
    catalogue.finish(parts);
}

/// Collects the texts of a catalogue.
struct Catalogue<'s> {
    source: &'s [u8],
    /// Whether texts without a colon are kept, too.
    keeps_all: bool,
    /// The keyword of the strings that are judged.
    judged: &'static [u8],
    /// The texts, and the ranges of those that are not judged.
    texts: (Texts, Vec<Range<usize>>),
    /// Those that consist of one URL.
    targets: (Texts, Vec<Range<usize>>),
    /// The text that is open.
    text: View<'static>,
    open: Open,
    /// Whether it is judged.
    is_judged: bool,
}

/// The text that may continue in the next line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Nothing,
    /// A string, after this marker.
    String(Marker),
    /// A comment.
    Comment(Marker),
}

/// The character that tells the kind of a comment or an obsolete line: `#`, or the sign after it,
/// as in `#.` and `#~`. Any other line has none.
type Marker = Option<u8>;

impl Catalogue<'_> {
    /// Takes a line.
    fn line(&mut self, line: Range<usize>) {
        let (marker, text) = marker(self.source, &line);
        let rest = &self.source[text..line.end];
        let may_be_string = matches!(marker, None | Some(b'~' | b'|'));
        if may_be_string && rest.starts_with(b"\"") {
            if self.open != Open::String(marker) {
                self.open(Open::String(marker));
            }
            self.literals(text..line.end);
        } else if may_be_string && let Some(len) = keyword(rest) {
            self.open(Open::String(marker));
            self.is_judged = marker.is_none() && rest.starts_with(self.judged);
            self.literals(text + len..line.end);
        } else if rest.is_empty() {
            self.open(Open::Nothing);
        } else {
            // References and flags do not span lines.
            let goes_on = self.open == Open::Comment(marker);
            if !goes_on || matches!(marker, Some(b':' | b',')) {
                self.open(Open::Comment(marker));
            }
            self.text.copy(rest, text as u64);
            let end = Span::new(line.end as u64, line.end as u64);
            self.text.push_together(b"\n", end);
        }
    }

    /// Ends the text that is open, and begins another.
    fn open(&mut self, open: Open) {
        let closed = std::mem::replace(&mut self.text, View::new(Layer::Opaque));
        let closed = match marked_up(closed.text()) {
            Some(inner) => closed.compose(inner),
            None => closed,
        };
        let text = closed.text();
        // `http://a.example/:` is a title rather than a URL.
        let is_sentence = matches!(text, [.., b'.' | b',' | b';' | b':' | b'!' | b'?' | b'\\']);
        let is_target = matches!(self.open, Open::String(_)) && !is_sentence;
        if is_target && json::is_target(text) {
            Self::add(&mut self.targets, &closed, self.is_judged);
        } else if self.keeps_all || memchr::memchr(b':', text).is_some() {
            Self::add(&mut self.texts, &closed, self.is_judged);
        }
        self.is_judged = false;
        self.open = open;
    }

    fn add((texts, asides): &mut (Texts, Vec<Range<usize>>), text: &View<'_>, is_judged: bool) {
        texts.add(text);
        asides.extend(texts.ranges.last().filter(|_| !is_judged).cloned());
    }

    /// Adds the string literals in `range`, up to anything else between them.
    fn literals(&mut self, range: Range<usize>) {
        let mut at = range.start;
        loop {
            let line = &self.source[at..range.end];
            let blanks = blanks(line);
            let Some(text) = line[blanks..].strip_prefix(b"\"") else {
                return;
            };
            let start = at + blanks + 1;
            let end = start + json::string_end(text).0;
            ESCAPES.add(&mut self.text, self.source, start..end);
            at = (end + 1).min(range.end);
        }
    }

    fn finish(mut self, parts: &mut Parts<'_>) {
        self.open(Open::Nothing);
        for ((texts, asides), content) in [
            (self.texts, Content::Strings as fn(_) -> _),
            (self.targets, Content::Targets),
        ] {
            let content = content(texts.ranges);
            parts.add(texts.view, content, asides, Links::default());
        }
    }
}

/// Reads the markup in a string; returns `None` if it has none. In `` `text <target>`_ ``, white
/// space is not part of the target: the lines of the message were joined there.
fn marked_up(text: &[u8]) -> Option<View<'static>> {
    let has_sign = memchr::memchr2(b'\\', b'&', text).is_some();
    let mut ends = memchr::memmem::find_iter(text, b">`_").peekable();
    if !has_sign && ends.peek().is_none() {
        return None;
    }
    let mut prose = Prose::new(text, Layer::Opaque);
    for end in ends {
        let floor = prose.at().max(end.saturating_sub(MAX_TARGET));
        let Some(open) = memchr::memrchr(b'<', &text[floor..end]) else {
            continue;
        };
        let mut at = floor + open;
        for word in text[at..end].split(u8::is_ascii_whitespace) {
            prose.unescape(at + word.len(), &MARKUP);
            at = end.min(at + word.len() + 1);
            prose.replace(at, b"");
        }
    }
    prose.unescape(text.len(), &MARKUP);
    Some(prose.take_view())
}

/// The marker that a line begins with, and where the text after it begins.
fn marker(source: &[u8], line: &Range<usize>) -> (Marker, usize) {
    let skip = |at: usize| at + blanks(&source[at..line.end]);
    let start = skip(line.start);
    match source[start..line.end] {
        // The previous string of a message that is obsolete.
        [b'#', b'~', b'|', ..] => (Some(b'|'), skip(start + 3)),
        [b'#', sign @ (b'.' | b':' | b',' | b'~' | b'|' | b'='), ..] => {
            (Some(sign), skip(start + 2))
        }
        [b'#', ..] => (Some(b'#'), skip(start + 1)),
        _ => (None, start),
    }
}

/// The length of the keyword at the start of a line before its string, in bytes.
fn keyword(line: &[u8]) -> Option<usize> {
    let name = KEYWORDS.iter().find(|name| line.starts_with(name))?;
    let mut len = name.len();
    if line[len..].starts_with(b"[") {
        len += memchr::memchr(b']', &line[len..])? + 1;
    }
    len += blanks(&line[len..]);
    line[len..].starts_with(b"\"").then_some(len)
}

/// The byte that the escape at the start of `text` stands for, and the length of the escape.
fn escape(text: &[u8]) -> Option<(u8, usize)> {
    let byte = match text.get(1)? {
        b'n' => b'\n',
        b't' => b'\t',
        b'r' => b'\r',
        b'a' => 0x07,
        b'b' => 0x08,
        b'v' => 0x0B,
        b'f' => 0x0C,
        &byte @ (b'"' | b'\\') => byte,
        b'x' => return number(text, 2, 2, 16),
        _ => return number(text, 1, 3, 8),
    };
    Some((byte, 2))
}

/// The byte whose number is written at `at`, in at most `most` digits of base `radix`.
fn number(text: &[u8], at: usize, most: usize, radix: u32) -> Option<(u8, usize)> {
    let digits = text.get(at..)?.iter().take(most);
    let digits = digits.map_while(|&digit| char::from(digit).to_digit(radix));
    let (number, len) = digits.fold((0, 0), |(number, len), digit| {
        (number * radix + digit, len + 1)
    });
    let byte = u8::try_from(number).ok()?;
    (len > 0).then_some((byte, at + len))
}

#[cfg(test)]
mod tests {

    use crate::document::prose::testing::shown;
    use crate::document::{Depth, Kind};

    #[test]
    fn catalogues() {
        let cases: &[(&str, &[&str])] = &[
            (
                "msgid \"\"\n\"see http://a.example/b-\"\n\"c/d.html\\n\"\n\"and so on\"\n",
                &["ba http://a.example/b-c/d.html"],
            ),
            (
                "msgid \"see http://a.example/b-\"\nmsgid_plural \"c\"\nmsgstr[0] \"http://b.example/\"\n\
                 msgstr[1] \"<http://c.exa\"\r\n\"mple/>`_\"",
                &[
                    "ba http://a.example/b-",
                    "ta http://b.example/",
                    "an http://c.example/",
                ],
            ),
            (
                "msgid \"<http://a.example/\"\nmsgstr \"b>\"\n",
                &["ba http://a.example/"],
            ),
            ("msgid \"http://a.example:\"", &["ba http://a.example"]),
            (
                "msgctxt \"<a href=\\\"http://a.example/\\\">\"\n",
                &["qu http://a.example/"],
            ),
            (
                "msgid \"http://\" \"a.example/\"",
                &["ta http://a.example/"],
            ),
            (
                "msgid \"x \\150ttp:\\57\\x2fa.example/\\0\"",
                &["ba http://a.example/"],
            ),
            // The markup in strings.
            (
                "msgstr \"`x\\\\_y <http://a.example/x/ y\\\\_z.html>`_ http://b.example/c\\\\_d/\"",
                &["an http://a.example/x/y_z.html", "ba http://b.example/c_d/"],
            ),
            (
                "msgstr \"<a href=\\\"http://a.example/?b=1&amp;c=2\\\">x</a>\"",
                &["qu http://a.example/?b=1&c=2"],
            ),
            ("msgstr \"<x y\\\\n>`_ <>`_ \\\\ &\"", &[]),
            // Lines of comments, each kind by itself.
            (
                "# see http://a.example/b-\n# cd\n#. see http://b.example/-\n#: http://c.example/-\n\
                 #: http://d.example/x-\n#: e\n#, fuzzy\n",
                &[
                    "ba http://a.example/b-cd",
                    "ba http://b.example/-",
                    "ba http://c.example/-",
                    "ba http://d.example/x-",
                ],
            ),
            (
                "#| msgid \"see http://a.example/b-\"\n#| \"c\"\n#~ msgid \"http://b.example/-\"\n\
                 #~ \"d\"\n#~| msgid \"http://c.example/\"\n",
                &[
                    "ba http://a.example/b-c",
                    "ta http://b.example/-d",
                    "ta http://c.example/",
                ],
            ),
            // Not a catalogue.
            (
                "see http://a.example/b-\n\"c\"\n",
                &["ba http://a.example/b-"],
            ),
            ("msgid http://a.example/", &["ba http://a.example/"]),
            ("msgid \"http://a.example/\\\nb", &["ba http://a.example/"]),
            ("\"\nmsgstr[", &[]),
        ];
        for (source, urls) in cases {
            let found = shown(source.as_bytes(), Kind::Po, Depth::default());
            assert_eq!(found, *urls, "{source:?}");
        }
    }
}
