//! Generated messages with URLs planted in them, and where each byte of these went.

use std::ops::Range;

use encoding_rs::Encoding;
use proptest::prelude::*;
use proptest::sample::select;
use urlint::Span;
use urlint::text::Spans;

/// Bytes, and for each which bytes of which URLs it takes part in.
type Carried = Vec<(u8, Vec<(usize, usize)>)>;

/// A message, or a mailbox.
#[derive(Debug)]
pub(crate) struct Message {
    pub(crate) source: Vec<u8>,
    pub(crate) urls: Vec<Planted>,
    /// The bodies, but not those that are in an encoded message.
    pub(crate) bodies: Vec<Body>,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Planted {
    pub(crate) url: String,
    /// The source bytes that stand for it.
    pub(crate) pieces: Spans,
}

#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) range: Range<usize>,
    pub(crate) transfer: Transfer,
    pub(crate) charset: &'static str,
    /// Whether it is a message, which may be encoded further.
    pub(crate) is_message: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Transfer {
    None,
    QuotedPrintable,
    Base64,
}

#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) line_end: &'static str,
    pub(crate) messages: Vec<Node>,
    pub(crate) is_mailbox: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum Node {
    Leaf(Leaf),
    Multipart {
        subtype: &'static str,
        parts: Vec<Node>,
        boundary: String,
    },
    /// A message in a message, perhaps encoded.
    Message(Box<Node>, Transfer),
}

#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    charset: usize,
    transfer: Transfer,
    flowed: Flowed,
    lines: Vec<Line>,
    /// How wide the lines of base64 are.
    width: usize,
    /// How each byte is written where there is a choice.
    choices: Vec<u8>,
    /// Whether a list has put its footer under the text, whatever its encoding is.
    has_footer: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flowed {
    No,
    Yes,
    DelSp,
}

#[derive(Clone, Debug)]
struct Line {
    path: String,
    delimiters: (&'static str, &'static str),
    /// Where the line is broken, if the delimiters allow it.
    broken_at: Option<usize>,
    word: bool,
}

/// Charsets and words in them.
const CHARSETS: [(&str, &str); 11] = [
    ("us-ascii", "word"),
    ("utf-8", "café中"),
    ("iso-8859-1", "déjà"),
    ("windows-1252", "‘ß’"),
    ("koi8-r", "привет"),
    ("gbk", "中国"),
    ("big5", "中文"),
    ("shift_jis", "日本ｱ"),
    ("euc-jp", "日本"),
    ("iso-2022-jp", "これ"),
    ("utf-16le", "é中"),
];

const UTF_16: usize = 10;
const DELIMITERS: [(&str, &str); 4] = [("<URL:", ">"), ("<", ">"), ("\"", "\""), ("", "")];

pub(crate) fn plan() -> impl Strategy<Value = Plan> {
    let messages = prop::collection::vec(node(), 1..4);
    (select(vec!["\n", "\r\n"]), messages, any::<bool>()).prop_map(
        |(line_end, mut messages, is_mailbox)| {
            if !is_mailbox {
                messages.truncate(1);
            }
            Plan {
                line_end,
                messages,
                is_mailbox,
            }
        },
    )
}

fn node() -> impl Strategy<Value = Node> {
    leaf().prop_map(Node::Leaf).prop_recursive(3, 8, 3, |node| {
        let subtypes = select(vec!["mixed", "alternative", "related", "digest-less"]);
        let parts = prop::collection::vec(node.clone(), 1..4);
        let transfer = select(vec![
            Transfer::None,
            Transfer::None,
            Transfer::QuotedPrintable,
            Transfer::Base64,
        ]);
        let multipart = (subtypes, parts, "[a-zA-Z'()+_,./=?-]{0,8}[a-z]").prop_map(
            |(subtype, parts, boundary)| Node::Multipart {
                subtype,
                parts,
                boundary,
            },
        );
        let message =
            (node, transfer).prop_map(|(node, transfer)| Node::Message(Box::new(node), transfer));
        prop_oneof![2 => multipart, 1 => message]
    })
}

fn leaf() -> impl Strategy<Value = Leaf> {
    let transfer = select(vec![
        Transfer::None,
        Transfer::QuotedPrintable,
        Transfer::QuotedPrintable,
        Transfer::Base64,
        Transfer::Base64,
    ]);
    let flowed = select(vec![Flowed::No, Flowed::No, Flowed::Yes, Flowed::DelSp]);
    let lines = prop::collection::vec(line(), 1..4);
    let width = prop_oneof![Just(76), Just(64), 20..80usize];
    let choices = prop::collection::vec(any::<u8>(), 1..30);
    let footer = prop::bool::weighted(0.2);
    (
        0..CHARSETS.len(),
        transfer,
        flowed,
        lines,
        width,
        choices,
        footer,
    )
        .prop_map(
            |(charset, transfer, flowed, lines, width, choices, has_footer)| Leaf {
                charset,
                transfer: if charset == UTF_16 {
                    Transfer::Base64
                } else {
                    transfer
                },
                flowed,
                lines,
                width,
                choices,
                has_footer,
            },
        )
}

fn line() -> impl Strategy<Value = Line> {
    let path = "[a-z0-9/=~%&.]{0,30}[a-z0-9]";
    let broken_at = prop::option::of(12..30usize);
    (path, select(DELIMITERS.to_vec()), broken_at, any::<bool>()).prop_map(
        |(path, delimiters, broken_at, word)| Line {
            path,
            delimiters,
            broken_at,
            word,
        },
    )
}

fn plain(text: &str) -> Carried {
    text.bytes().map(|byte| (byte, Vec::new())).collect()
}

impl Plan {
    pub(crate) fn message(&self) -> Message {
        let mut writer = Writer {
            line_end: self.line_end,
            urls: Vec::new(),
            bodies: Vec::new(),
        };
        let mut carried = Carried::new();
        for node in &self.messages {
            if self.is_mailbox {
                carried.extend(writer.lines(&["From joe@a.example Mon Mar  3 12:00:00 2003"]));
            }
            let url = writer.url("archive");
            carried.extend(writer.lines(&["From: joe@a.example", "MIME-Version: 1.0"]));
            carried.extend(plain("Archived-At: <"));
            carried.extend(url);
            carried.extend(writer.lines(&[">"]));
            let start = carried.len();
            let entity = writer.entity(node, start, false);
            carried.extend(entity);
            if self.is_mailbox {
                carried.extend(writer.lines(&["", ""]));
            }
        }
        writer.finish(carried)
    }
}

struct Writer {
    line_end: &'static str,
    urls: Vec<String>,
    bodies: Vec<Body>,
}

impl Writer {
    fn lines(&self, lines: &[&str]) -> Carried {
        let lines = lines.iter().map(|line| format!("{line}{}", self.line_end));
        plain(&lines.collect::<String>())
    }

    /// A URL of its own, to be planted.
    fn url(&mut self, path: &str) -> Carried {
        let number = self.urls.len();
        let url = format!("http://h{number}.example/{path}");
        let mark = |(at, byte)| (byte, vec![(number, at)]);
        let carried = url.bytes().enumerate().map(mark).collect();
        self.urls.push(url);
        carried
    }

    /// Returns the fields of an entity that describe its content, and the content, which will begin at
    /// `start`.
    fn entity(&mut self, node: &Node, start: usize, nested: bool) -> Carried {
        match node {
            Node::Leaf(leaf) => self.leaf(leaf, start, nested),
            Node::Multipart {
                subtype,
                parts,
                boundary,
            } => {
                let boundary = format!("{boundary}{}", self.urls.len());
                let field = format!("Content-Type: multipart/{subtype}; boundary=\"{boundary}\"");
                let mut carried = self.lines(&[&field, ""]);
                for part in parts {
                    carried.extend(self.lines(&[&format!("--{boundary}")]));
                    let here = start + carried.len();
                    carried.extend(self.entity(part, here, nested));
                    carried.extend(self.lines(&[""]));
                }
                carried.extend(self.lines(&[&format!("--{boundary}--")]));
                let line = Line {
                    path: "epilogue".to_owned(),
                    delimiters: DELIMITERS[3],
                    broken_at: None,
                    word: false,
                };
                carried.extend(self.line(&line, "behind", None));
                carried
            }
            Node::Message(node, transfer) => {
                let mut carried = self.lines(&["Content-Type: message/rfc822"]);
                carried.extend(self.transfer(*transfer));
                let is_encoded = *transfer != Transfer::None;
                let from = start + carried.len();
                let mut inner = self.lines(&["From: joe@a.example", "MIME-Version: 1.0"]);
                let entity = self.entity(node, from + inner.len(), nested || is_encoded);
                inner.extend(entity);
                let encoded = self.encoded(inner, *transfer, 76, &[1]);
                if is_encoded && !nested {
                    self.bodies.push(Body {
                        range: from..from + encoded.len(),
                        transfer: *transfer,
                        charset: "utf-8",
                        is_message: true,
                    });
                }
                carried.extend(encoded);
                carried
            }
        }
    }

    fn leaf(&mut self, leaf: &Leaf, start: usize, nested: bool) -> Carried {
        let (charset, word) = CHARSETS[leaf.charset];
        let flowed = match leaf.flowed {
            Flowed::No => "",
            Flowed::Yes => "; format=flowed",
            Flowed::DelSp => "; format=flowed; delsp=yes",
        };
        let field = format!("Content-Type: text/plain; charset={charset}{flowed}");
        let mut carried = self.lines(&[&field]);
        carried.extend(self.transfer(leaf.transfer));
        let mut text = Vec::new();
        let flows = (leaf.flowed == Flowed::DelSp).then_some(&leaf.choices[..]);
        for line in &leaf.lines {
            text.extend(self.line(line, word, flows));
        }
        let text = in_charset(&text, charset);
        let encoded = self.encoded(text, leaf.transfer, leaf.width, &leaf.choices);
        let from = start + carried.len();
        if !nested {
            self.bodies.push(Body {
                range: from..from + encoded.len(),
                transfer: leaf.transfer,
                charset,
                is_message: false,
            });
        }
        carried.extend(encoded);
        if leaf.has_footer && leaf.flowed == Flowed::No && charset != "iso-2022-jp" {
            carried.extend(self.lines(&["", "_______________", "The list"]));
            let url = self.url("list");
            carried.extend(url);
            carried.extend(self.lines(&["", "--"]));
        }
        carried
    }

    /// A line of text, in UTF-8, with a URL.
    fn line(&mut self, line: &Line, word: &str, flows: Option<&[u8]>) -> Carried {
        let (open, close) = line.delimiters;
        let mut text = if line.word {
            plain(&format!("{word} see {open}"))
        } else {
            plain(&format!("x {open}"))
        };
        let mut url = self.url(&line.path);
        if let Some(at) = line
            .broken_at
            .filter(|&at| at < url.len() && open.starts_with('<'))
        {
            let line_break = plain(&format!("{}  ", self.line_end));
            url.splice(at..at, line_break);
        }
        text.extend(url);
        text.extend(plain(&format!("{close} {word}. End")));
        let mut choices = flows.unwrap_or_default().iter().cycle();
        let mut flowed = Carried::new();
        for (byte, marks) in text {
            // Nothing may begin a line that would have to be written otherwise there.
            let may_begin = byte.is_ascii_alphanumeric() || byte == b'/';
            if may_begin && choices.next().is_some_and(|choice| choice & 15 == 0) {
                flowed.extend(plain(&format!(" {}", self.line_end)));
            }
            flowed.push((byte, marks));
        }
        flowed.extend(plain(self.line_end));
        flowed
    }

    /// The field that tells the encoding, and the end of the header.
    fn transfer(&self, transfer: Transfer) -> Carried {
        let name = match transfer {
            Transfer::None => "8bit",
            Transfer::QuotedPrintable => "Quoted-Printable",
            Transfer::Base64 => "base64",
        };
        self.lines(&[&format!("Content-Transfer-Encoding: {name}"), ""])
    }

    fn encoded(&self, text: Carried, transfer: Transfer, width: usize, choices: &[u8]) -> Carried {
        match transfer {
            Transfer::None => text,
            Transfer::QuotedPrintable => in_quoted_printable(&text, self.line_end, choices),
            Transfer::Base64 => in_base64(&text, self.line_end, width),
        }
    }

    fn finish(self, carried: Carried) -> Message {
        let mut hulls: Vec<Vec<Option<Span>>> =
            self.urls.iter().map(|url| vec![None; url.len()]).collect();
        for (at, (_, marks)) in carried.iter().enumerate() {
            for &(url, byte) in marks {
                let hull = &mut hulls[url][byte];
                let start = hull.map_or(at as u64, |hull| hull.start);
                *hull = Some(Span::new(start, at as u64 + 1));
            }
        }
        let planted = |(url, hulls): (String, Vec<Option<Span>>)| {
            let mut spans = hulls.into_iter().map(Option::unwrap);
            let mut pieces = Spans::from(spans.next().unwrap());
            spans.for_each(|span| pieces.push(span));
            Planted { url, pieces }
        };
        Message {
            source: carried.into_iter().map(|(byte, _)| byte).collect(),
            urls: self.urls.into_iter().zip(hulls).map(planted).collect(),
            bodies: self.bodies,
        }
    }
}

fn in_charset(text: &Carried, charset: &str) -> Carried {
    let bytes: Vec<u8> = text.iter().map(|&(byte, _)| byte).collect();
    let characters = String::from_utf8(bytes).unwrap();
    let encoding = Encoding::for_label(charset.as_bytes()).unwrap();
    let mut encoded = Carried::new();
    for (at, character) in characters.char_indices() {
        let marks = &text[at].1;
        if charset == "utf-16le" {
            let units = character.encode_utf16(&mut [0; 2]).to_vec();
            let bytes = units.iter().flat_map(|unit| unit.to_le_bytes());
            encoded.extend(bytes.map(|byte| (byte, marks.clone())));
        } else {
            let mut utf_8 = [0; 4];
            let (bytes, _, is_lossy) = encoding.encode(character.encode_utf8(&mut utf_8));
            assert!(!is_lossy, "{character}");
            encoded.extend(bytes.iter().map(|&byte| (byte, marks.clone())));
        }
    }
    encoded
}

fn in_base64(text: &Carried, line_end: &str, width: usize) -> Carried {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut encoded = Carried::new();
    for three in text.chunks(3) {
        let byte = |place: usize| three.get(place).map_or(0, |&(byte, _)| u32::from(byte));
        let marks = |place: usize| three.get(place).map(|(_, marks)| &marks[..]);
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4_usize {
            let value = (bits >> (6 * (3 - place)) & 63) as usize;
            let before = place.checked_sub(1).and_then(marks).unwrap_or_default();
            let carries = [before, marks(place).unwrap_or_default()].concat();
            encoded.push(if place > three.len() {
                (b'=', Vec::new())
            } else {
                (alphabet[value], carries)
            });
        }
    }
    let mut lines = Carried::new();
    for line in encoded.chunks(width) {
        lines.extend_from_slice(line);
        lines.extend(plain(line_end));
    }
    lines
}

fn in_quoted_printable(text: &Carried, line_end: &str, choices: &[u8]) -> Carried {
    let mut encoded = Carried::new();
    let mut choices = choices.iter().cycle();
    let mut rest = &text[..];
    while let Some(((byte, marks), behind)) = rest.split_first() {
        let is_break = |text: &Carried| text.iter().all(|(byte, _)| matches!(byte, b'\r' | b'\n'));
        let choice = choices.next().copied().unwrap_or_default();
        if let Some(end) = rest
            .get(..line_end.len())
            .filter(|end| is_break(&end.to_vec()))
        {
            encoded.extend_from_slice(end);
            rest = &rest[line_end.len()..];
            continue;
        }
        if choice & 12 == 0 {
            encoded.extend(plain(&format!("={line_end}")));
        }
        let is_plain = matches!(byte, b'!'..=b'<' | b'>'..=b'~');
        let is_inner_blank = *byte == b' ' && behind.first().is_some_and(|next| next.0 > b' ');
        // The beginning of an encoded line may be taken for something else.
        let begins = encoded
            .last()
            .is_none_or(|&(last, _)| matches!(last, b'\r' | b'\n'));
        if (is_plain && choice & 3 != 0) || (is_inner_blank && choice & 3 != 0 && !begins) {
            encoded.push((*byte, marks.clone()));
        } else {
            let escape = match choice & 16 {
                0 => format!("={byte:02X}"),
                _ => format!("={byte:02x}"),
            };
            encoded.extend(escape.bytes().map(|digit| (digit, marks.clone())));
        }
        rest = behind;
    }
    encoded
}
