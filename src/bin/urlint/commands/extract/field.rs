//! The columns of a list.

use std::borrow::Cow;

use clap::ValueEnum;
use serde::{Serialize, Serializer};
use urlint::text::Spans;

use crate::report::json::{Pairs, Text};

/// What a list can tell about a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Field {
    /// The file
    Path,
    /// The part of the file: the member of an archive, or the number of a message in a mailbox
    Member,
    /// The URL with its fragment
    Url,
    /// The URL as it was found, before `--normalize`
    Found,
    /// The fragment: what follows the first `#`
    Fragment,
    /// Other readings, if a hyphen may or may not belong to the URL
    Alternatives,
    /// The scheme in lower case
    Scheme,
    /// The host in lower case
    Host,
    /// How the URL is delimited in the text
    Delimiter,
    /// The offset of the first byte, including the delimiter
    Start,
    /// The offset after the last byte, including the delimiter
    End,
    /// The line of the start, from 1
    Line,
    /// The column of the start in characters, from 1
    Column,
    /// The byte ranges of the pieces of the URL
    Pieces,
    /// What says that the URL goes on after each line break at which it was joined
    Evidence,
    /// Why the URL ends where it does
    Ending,
    /// Whether the URL is valid by the standard; nothing if it holds a placeholder
    Valid,
    /// The rules of the grammar that the URL breaks; none if it holds a placeholder
    Problems,
    /// Whether the URL holds a placeholder or a pattern
    Placeholder,
    /// The standard by which the URL is judged
    Standard,
    /// The rules that report something about the URL, among those of `--rule` or the configuration
    Rules,
}

impl Field {
    /// What is told if nothing else is asked for.
    pub(super) const USUAL: [Field; 16] = [
        Field::Path,
        Field::Member,
        Field::Url,
        Field::Fragment,
        Field::Alternatives,
        Field::Scheme,
        Field::Delimiter,
        Field::Start,
        Field::End,
        Field::Line,
        Field::Column,
        Field::Pieces,
        Field::Valid,
        Field::Problems,
        Field::Placeholder,
        Field::Standard,
    ];

    /// What `--explain` adds.
    pub(super) const EXPLAINING: [Field; 3] = [Field::Delimiter, Field::Evidence, Field::Ending];

    /// What heads its column.
    pub(super) fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

/// What stands in a column.
pub(super) enum Value<'v> {
    Absent,
    Text(Cow<'v, [u8]>),
    Texts(Vec<Cow<'v, [u8]>>),
    Number(u64),
    Flag(bool),
    Ranges(&'v Spans),
}

impl<'v> Value<'v> {
    /// A text that may not be there.
    pub(super) fn optional(text: Option<impl Into<Cow<'v, [u8]>>>) -> Self {
        text.map_or(Value::Absent, |text| Value::Text(text.into()))
    }

    /// What stands in a cell of a table.
    pub(super) fn cell(self) -> Cow<'v, [u8]> {
        match self {
            Value::Absent => Cow::Borrowed(b""),
            Value::Text(text) => text,
            Value::Texts(texts) => Cow::Owned(texts.join(&b' ')),
            Value::Number(number) => Cow::Owned(number.to_string().into_bytes()),
            Value::Flag(flag) => Cow::Owned(flag.to_string().into_bytes()),
            Value::Ranges(spans) => {
                let range = |span: urlint::Span| format!("{}-{}", span.start, span.end);
                let ranges: Vec<_> = spans.iter().map(range).collect();
                Cow::Owned(ranges.join(" ").into_bytes())
            }
        }
    }
}

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Absent => serializer.serialize_none(),
            Value::Text(text) => Text(text).serialize(serializer),
            Value::Texts(texts) => serializer.collect_seq(texts.iter().map(Text)),
            Value::Number(number) => serializer.serialize_u64(*number),
            Value::Flag(flag) => serializer.serialize_bool(*flag),
            Value::Ranges(spans) => Pairs(spans).serialize(serializer),
        }
    }
}

/// Writes the cells of a row of comma-separated values, as RFC 4180 describes them but with LF. A
/// cell is quoted only if it has to be.
pub(super) fn comma_separated<'c>(
    out: &mut Vec<u8>,
    cells: impl IntoIterator<Item = Cow<'c, [u8]>>,
) {
    let start = out.len();
    let mut count = 0;
    for cell in cells {
        if count > 0 {
            out.push(b',');
        }
        count += 1;
        if !cell.iter().any(|byte| b",\"\r\n".contains(byte)) {
            out.extend_from_slice(&cell);
            continue;
        }
        out.push(b'"');
        for &byte in &*cell {
            if byte == b'"' {
                out.push(b'"');
            }
            out.push(byte);
        }
        out.push(b'"');
    }
    // A row of one empty cell would be an empty line, which readers skip.
    if count == 1 && out.len() == start {
        out.extend_from_slice(b"\"\"");
    }
    out.push(b'\n');
}

/// Writes the cells of a row that tabs separate; in them tabs, line breaks and backslashes are
/// written `\t`, `\n`, `\r` and `\\`.
pub(super) fn tab_separated<'c>(
    out: &mut Vec<u8>,
    cells: impl IntoIterator<Item = Cow<'c, [u8]>>,
    end: &[u8],
) {
    for (index, cell) in cells.into_iter().enumerate() {
        if index > 0 {
            out.push(b'\t');
        }
        let mut rest = &cell[..];
        while let Some(at) = rest.iter().position(|byte| b"\t\n\r\\".contains(byte)) {
            out.extend_from_slice(&rest[..at]);
            out.extend_from_slice(match rest[at] {
                b'\t' => b"\\t",
                b'\n' => b"\\n",
                b'\r' => b"\\r",
                _ => b"\\\\",
            });
            rest = &rest[at + 1..];
        }
        out.extend_from_slice(rest);
    }
    out.extend_from_slice(end);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_hold_what_would_end_them() {
        let cases: [(&[&[u8]], &str, &str); 5] = [
            (&[b""], "\n", "\"\"\n"),
            (&[b"a", b"b"], "a\tb\n", "a,b\n"),
            (&[b"a\tb", b"c\\d"], "a\\tb\tc\\\\d\n", "a\tb,c\\d\n"),
            (&[b"a\r\nb", b""], "a\\r\\nb\t\n", "\"a\r\nb\",\n"),
            (
                &[b"x,y", b"\"q\""],
                "x,y\t\"q\"\n",
                "\"x,y\",\"\"\"q\"\"\"\n",
            ),
        ];
        for (cells, tabs, commas) in cases {
            let cells = || cells.iter().map(|&cell| Cow::Borrowed(cell));
            let mut out = Vec::new();
            tab_separated(&mut out, cells(), b"\n");
            assert_eq!(String::from_utf8_lossy(&out), tabs);
            out.clear();
            comma_separated(&mut out, cells());
            assert_eq!(String::from_utf8_lossy(&out), commas);
        }
    }
}
