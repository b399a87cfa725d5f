//! Readers of an output that follow the rules of its format, without urlint: each fails on an output that
//! breaks these rules.

use std::collections::BTreeMap;

use quick_xml::Reader;
use quick_xml::events::Event;

/// Fails if `shown` holds anything that controls a terminal, the direction of the text or a CI server.
pub(crate) fn assert_tame(what: &str, shown: &[u8]) {
    let text = str::from_utf8(shown).unwrap_or_else(|error| panic!("{what}: {error}"));
    for line in text.split('\n') {
        let is_wild = |c: char| {
            c.is_control() && c != '\t'
                || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}')
                || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        };
        assert!(!line.contains(is_wild), "{what}: {line:?}");
        assert!(!is_command(line), "{what}: {line:?}");
    }
}

/// Returns whether a CI server takes a line of a log for a command: GitHub where it begins with `::`, and it
/// and others where there is `##`, perhaps a word, and `[`.
fn is_command(line: &str) -> bool {
    let is_word = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphabetic());
    let mut marks = line.match_indices("##");
    line.trim_start().starts_with("::")
        || marks.any(|(at, _)| {
            let before = line[at + 2..].split_once('[');
            before.is_some_and(|(word, _)| is_word(word.trim_start_matches('#')))
        })
}

/// A workflow command of GitHub.
#[derive(Debug)]
pub(crate) struct Command {
    pub(crate) name: String,
    pub(crate) properties: Vec<(String, String)>,
    pub(crate) data: String,
}

impl Command {
    /// Reads a line as the runner of GitHub Actions does.
    pub(crate) fn of(line: &str) -> Self {
        let (head, data) = line
            .strip_prefix("::")
            .and_then(|rest| rest.split_once("::"))
            .unwrap_or_else(|| panic!("{line:?}"));
        let (name, properties) = head.split_once(' ').unwrap_or((head, ""));
        let property = |property: &str| {
            let (key, value) = property
                .split_once('=')
                .unwrap_or_else(|| panic!("{line:?}"));
            let value = value.replace("%0D", "\r").replace("%0A", "\n");
            let value = value
                .replace("%3A", ":")
                .replace("%2C", ",")
                .replace("%25", "%");
            (key.to_owned(), value)
        };
        Command {
            name: name.to_owned(),
            properties: properties.split(',').map(property).collect(),
            data: data
                .replace("%0D", "\r")
                .replace("%0A", "\n")
                .replace("%25", "%"),
        }
    }

    pub(crate) fn property(&self, key: &str) -> &str {
        let mut properties = self.properties.iter();
        let found = properties.find(|(other, _)| other == key);
        &found.unwrap_or_else(|| panic!("no {key}: {self:?}")).1
    }
}

/// An element of XML, with its attributes and the text in it.
#[derive(Debug)]
pub(crate) struct Element {
    pub(crate) name: String,
    pub(crate) attributes: Vec<(String, String)>,
    pub(crate) text: String,
}

impl Element {
    pub(crate) fn attribute(&self, key: &str) -> &str {
        let mut attributes = self.attributes.iter();
        let found = attributes.find(|(other, _)| other == key);
        &found.unwrap_or_else(|| panic!("no {key}: {self:?}")).1
    }
}

/// Reads an XML document. The reader accepts characters that XML does not allow, so they are searched
/// for separately.
pub(crate) fn elements(xml: &str) -> Vec<Element> {
    let is_allowed = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    let allowed = |text: &str| {
        let wrong = text.chars().find(|&c| !is_allowed(c));
        assert_eq!(wrong, None, "{text:?}");
    };
    allowed(xml);
    let mut reader = Reader::from_str(xml);
    reader.config_mut().check_comments = true;
    let (mut found, mut open) = (Vec::<Element>::new(), Vec::new());
    loop {
        let event = reader.read_event().unwrap();
        match event {
            Event::Eof => break,
            Event::Start(ref element) | Event::Empty(ref element) => {
                let attributes = element.attributes().map(|attribute| {
                    let attribute = attribute.unwrap();
                    assert!(!attribute.value.contains('<'), "{attribute:?}");
                    let value = quick_xml::escape::unescape(&attribute.value)
                        .unwrap()
                        .into_owned();
                    allowed(&value);
                    (attribute.key.as_ref().to_owned(), value)
                });
                let attributes = attributes.collect();
                found.push(Element {
                    name: element.name().as_ref().to_owned(),
                    attributes,
                    text: String::new(),
                });
                if matches!(event, Event::Start(_)) {
                    open.push(found.len() - 1);
                }
            }
            Event::End(_) => {
                open.pop().unwrap();
            }
            Event::Text(text) => {
                assert!(!text.contains("]]>"), "{text:?}");
                if let Some(&at) = open.last() {
                    found[at].text.push_str(&text);
                }
            }
            Event::GeneralRef(reference) => {
                let reference = format!("&{};", &*reference);
                let at = *open.last().unwrap();
                let text = quick_xml::escape::unescape(&reference).unwrap();
                allowed(&text);
                found[at].text.push_str(&text);
            }
            Event::Decl(_) => assert!(found.is_empty()),
            other => panic!("{other:?}"),
        }
    }
    assert!(open.is_empty());
    found
}

/// Reads the rows of a table whose cells are separated by tabs and have `\t`, `\n`, `\r` and `\\` for
/// characters that would end them. Each row ends with `end`.
pub(crate) fn rows(table: &[u8], end: u8) -> Vec<Vec<Vec<u8>>> {
    let Some(table) = table.strip_suffix(&[end]) else {
        assert!(table.is_empty());
        return Vec::new();
    };
    let rows = table.split(|&byte| byte == end);
    rows.map(|row| row.split(|&byte| byte == b'\t').map(unescaped).collect())
        .collect()
}

fn unescaped(cell: &[u8]) -> Vec<u8> {
    let mut bytes = cell.iter();
    let mut out = Vec::new();
    while let Some(&byte) = bytes.next() {
        out.push(match byte {
            b'\\' => match bytes.next() {
                Some(b't') => b'\t',
                Some(b'n') => b'\n',
                Some(b'r') => b'\r',
                Some(b'0') => b'\0',
                Some(b'\\') => b'\\',
                other => panic!("{other:?} in {:?}", cell.escape_ascii().to_string()),
            },
            byte => byte,
        });
    }
    out
}

/// Applies a unified diff as GNU patch does: returns the new text of each file that it names. `read` reads
/// the old one.
pub(crate) fn patched(diff: &[u8], read: impl Fn(&[u8]) -> Vec<u8>) -> BTreeMap<Vec<u8>, Vec<u8>> {
    let mut lines = diff.split_inclusive(|&byte| byte == b'\n').peekable();
    let mut files = BTreeMap::new();
    while let Some(head) = lines.next() {
        let name = name(
            head.strip_prefix(b"--- ")
                .unwrap_or_else(|| panic!("{}", head.escape_ascii())),
        );
        let new = lines.next().unwrap().strip_prefix(b"+++ ").unwrap();
        assert_eq!(self::name(new), name);
        let old = read(&name);
        let mut old = old.split_inclusive(|&byte| byte == b'\n');
        let (mut at, mut text) = (0, Vec::new());
        while let Some(hunk) = lines.next_if(|line| line.starts_with(b"@@ -")) {
            let hunk = str::from_utf8(hunk).unwrap();
            let [_, from, to, "@@"] = hunk.split_whitespace().collect::<Vec<_>>()[..] else {
                panic!("{hunk}");
            };
            let range = |range: &str| -> (usize, usize) {
                let (start, count) = range[1..].split_once(',').unwrap_or((&range[1..], "1"));
                (start.parse().unwrap(), count.parse().unwrap())
            };
            let ((start, mut olds), (_, mut news)) = (range(from), range(to));
            while at + 1 < start {
                text.extend_from_slice(old.next().unwrap());
                at += 1;
            }
            while olds + news > 0 {
                let line = lines.next().unwrap();
                let (&sign, rest) = line.split_first().unwrap();
                let is_cut = lines
                    .next_if(|line| line.starts_with(b"\\ No newline"))
                    .is_some();
                let rest = if is_cut {
                    rest.strip_suffix(b"\n").unwrap()
                } else {
                    rest
                };
                if sign != b'+' {
                    assert_eq!(
                        old.next().unwrap().escape_ascii().to_string(),
                        rest.escape_ascii().to_string()
                    );
                    (at, olds) = (at + 1, olds - 1);
                }
                if sign != b'-' {
                    text.extend_from_slice(rest);
                    news -= 1;
                }
                assert!(b" +-".contains(&sign));
            }
        }
        old.for_each(|line| text.extend_from_slice(line));
        assert!(files.insert(name, text).is_none());
    }
    files
}

/// Reads the name in the header of a diff: in quotes, up to a tab, or up to white space.
fn name(header: &[u8]) -> Vec<u8> {
    let header = header.strip_suffix(b"\n").unwrap();
    let Some(quoted) = header.strip_prefix(b"\"") else {
        let end = header.iter().position(|&byte| byte == b'\t');
        let name = &header[..end.unwrap_or(header.len())];
        assert!(
            end.is_some() || !name.contains(&b' '),
            "{}",
            header.escape_ascii()
        );
        return name.to_vec();
    };
    let mut bytes = quoted.strip_suffix(b"\"").unwrap();
    let mut name = Vec::new();
    while let Some((&byte, rest)) = bytes.split_first() {
        assert!(byte != b'"' && !byte.is_ascii_control());
        bytes = rest;
        name.push(match (byte, rest) {
            (b'\\', [quoted @ (b'"' | b'\\'), ..]) => {
                bytes = &rest[1..];
                *quoted
            }
            (b'\\', rest) => {
                bytes = &rest[3..];
                u8::from_str_radix(str::from_utf8(&rest[..3]).unwrap(), 8).unwrap()
            }
            (byte, _) => byte,
        });
    }
    name
}
