//! Tables of separated values (RFC 4180): each field is a text of its own.
//!
//! The separator and the number of columns are those of most of the first records. A record with more fields has an
//! unquoted separator in its last one, as URLs and notes have it.

use std::ops::Range;

use super::prose::Escapes;
use super::{Kind, Parts, Scope, is_absolute, is_one_url};
use urlint_view::{Layer, View};

const SEPARATORS: [u8; 3] = [b',', b';', b'\t'];

/// How many first records tell the separator.
const MOST_RECORDS: usize = 64;

/// A quotation mark in a quoted field.
pub(super) const ESCAPES: Escapes = Escapes {
    signs: [b'"'; 3],
    read: |text| {
        text.starts_with(b"\"\"")
            .then_some((2, (&b"\""[..]).into()))
    },
};

/// Adds the fields of a table.
pub(super) fn parts<'s>(source: &'s [u8], scope: Scope, parts: &mut Parts<'s>) {
    let (separator, columns) = dialect(source);
    let (mut fields, mut targets) = (Vec::new(), Vec::new());
    let mut unescaped = View::new(Layer::AsciiBut(b"\""));
    let mut unescaped_fields = Vec::new();
    for mut record in Records::new(source, separator) {
        if let Some(last) = record.get(columns - 1..)
            && let [first, .., end] = last
        {
            let rest = first.start..end.end;
            record.truncate(columns - 1);
            record.push(rest);
        }
        for field in record {
            let text = &source[field.clone()];
            if !scope.unknown_schemes && !text.contains(&b':') {
                continue;
            }
            let is_quoted = field.start > 0 && source[field.start - 1] == b'"';
            if is_quoted && text.contains(&b'"') {
                let start = unescaped.text().len();
                ESCAPES.add(&mut unescaped, source, field);
                unescaped_fields.push(start..unescaped.text().len());
            } else if is_url_with_mark(text) {
                targets.push(field);
            } else {
                fields.push(field);
            }
        }
    }
    parts.strings(View::borrowed(source, 0), fields);
    parts.targets(View::borrowed(source, 0), targets);
    parts.strings(unescaped, unescaped_fields);
}

/// Returns whether `field` is one URL that ends in a punctuation mark: it is no sentence, in which words stand before.
fn is_url_with_mark(field: &[u8]) -> bool {
    let is_mark = |byte: &u8| b".,:;!".contains(byte);
    let end = field.iter().rposition(|byte| !is_mark(byte));
    end.is_some_and(|end| end + 1 < field.len() && is_one_url(&field[..=end]))
}

/// Returns whether `head` begins a table with a column of URLs: it has names of columns, and each record has as many
/// fields. The last record may be cut.
pub(super) fn begins_table(head: &[u8]) -> bool {
    let first = &head[..memchr::memchr(b'\n', head).unwrap_or(0)];
    if !first.iter().any(|byte| SEPARATORS.contains(byte)) {
        return false;
    }
    let is_url = |field: &Range<usize>| is_absolute(&head[field.clone()]);
    let has_url = |row: Vec<_>| row.iter().any(is_url);
    let may_be = |separator: &u8| Records::new(head, *separator).nth(1).is_some_and(has_url);
    if !SEPARATORS.iter().any(may_be) {
        return false;
    }
    let (separator, columns) = dialect(head);
    let mut records: Vec<_> = Records::new(head, separator).collect();
    if !head.ends_with(b"\n") {
        records.pop();
    }
    let [names, rows @ ..] = &*records else {
        return false;
    };
    let is_of_urls = |column: usize| rows.iter().all(|row| row.get(column).is_some_and(is_url));
    columns > 1
        && rows.len() > 1
        && records.iter().all(|record| record.len() == columns)
        && !names.iter().any(is_url)
        && (0..columns).any(is_of_urls)
}

/// Returns the separator of a table, and its number of columns.
fn dialect(source: &[u8]) -> (u8, usize) {
    let head = &source[..source.len().min(Kind::HEAD)];
    let of = |separator| {
        let lengths: Vec<_> = Records::new(head, separator)
            .take(MOST_RECORDS)
            .map(|record| record.len())
            .collect();
        let same = |length| lengths.iter().filter(|&&other| other == length).count();
        // Of two that are as common, the first one is taken.
        let most = lengths.iter().rev().max_by_key(|&&length| same(length));
        let columns = *most.filter(|&&columns| columns > 1)?;
        Some((same(columns), columns, separator))
    };
    let best = SEPARATORS.into_iter().rev().filter_map(of).max();
    best.map_or((b'\n', 1), |(_, columns, separator)| (separator, columns))
}

/// The records of a table: the ranges of their fields, without quotes and without blanks around them.
struct Records<'s> {
    source: &'s [u8],
    at: usize,
    separator: u8,
}

impl<'s> Records<'s> {
    fn new(source: &'s [u8], separator: u8) -> Self {
        Records {
            source,
            at: 0,
            separator,
        }
    }

    /// Takes the next field.
    fn field(&mut self) -> Range<usize> {
        if let Some((field, end)) = self.quoted() {
            self.at = end;
            return field;
        }
        let rest = &self.source[self.at..];
        let len = memchr::memchr3(self.separator, b'\n', b'\r', rest).unwrap_or(rest.len());
        let start = self.at + len - rest[..len].trim_ascii_start().len();
        let field = start..start + rest[..len].trim_ascii().len();
        self.at += len;
        field
    }

    /// Returns the quoted field that is next, without its quotes, and its end with them.
    fn quoted(&self) -> Option<(Range<usize>, usize)> {
        let blanks = self.source[self.at..]
            .iter()
            .take_while(|byte| **byte == b' ');
        let start = self.at + blanks.count();
        let text = self.source[start..].strip_prefix(b"\"")?;
        let start = start + 1;
        let mut quotes = memchr::memchr_iter(b'"', text);
        while let Some(quote) = quotes.next() {
            match text.get(quote + 1) {
                Some(b'"') => drop(quotes.next()),
                Some(&next) if next != self.separator && next != b'\n' && next != b'\r' => {
                    return None;
                }
                _ => return Some((start..start + quote, start + quote + 1)),
            }
        }
        None
    }
}

impl Iterator for Records<'_> {
    type Item = Vec<Range<usize>>;

    fn next(&mut self) -> Option<Self::Item> {
        let is_break = |byte: &u8| matches!(byte, b'\n' | b'\r');
        while self.source.get(self.at).is_some_and(is_break) {
            self.at += 1;
        }
        let mut record = Vec::new();
        while self.at < self.source.len() {
            record.push(self.field());
            if self.source.get(self.at) != Some(&self.separator) {
                break;
            }
            self.at += 1;
        }
        (!record.is_empty()).then_some(record)
    }
}

#[cfg(test)]
mod tests {
    use crate::document::prose::testing::shown;
    use crate::document::{Depth, Kind};

    #[test]
    fn a_field_is_a_text() {
        let cases: &[(&str, &[&str])] = &[
            (
                "id,url,name\n1,http://a.example/x,Joe\n2, http://b.example/ ,Ann\n",
                &["ba http://a.example/x", "ba http://b.example/"],
            ),
            (
                "url,n\nhttp://a.example/x.,1\nsee http://b.example/.,2\n",
                &["ta http://a.example/x.", "ba http://b.example/"],
            ),
            (
                "http://a.example/x,,ok\r\nhttp://b.example/y,2,ok\r\n",
                &["ba http://a.example/x", "ba http://b.example/y"],
            ),
            (
                "name\turl\nx,y\thttp://a.example/,;z\nx\thttp://b.example/\n",
                &["ba http://a.example/,;z", "ba http://b.example/"],
            ),
            // A quoted field may hold separators, quotation marks and line breaks.
            (
                "n;url\n1;\"http://a.example/;x\"\n2;\"see \"\"http://b.example/\"\",\nor http://c.example/x;\"\n",
                &[
                    "ba http://a.example/;x",
                    "qu http://b.example/",
                    "ba http://c.example/x",
                ],
            ),
            (
                "n,url\n1,\"a\" http://a.example/,y\n",
                &["ba http://a.example/,y"],
            ),
            (
                "n,url\n1,\"http://a.example/,y\n",
                &["ba http://a.example/,y"],
            ),
            // More fields than columns: the last one has separators.
            (
                "id;url\n1;http://a.example/?p=x.git;a=summary\n",
                &["ba http://a.example/?p=x.git;a=summary"],
            ),
            // One column.
            (
                "url\nhttp://a.example/1,2.html\n",
                &["ba http://a.example/1,2.html"],
            ),
            ("", &[]),
            (",\n\n,\",", &[]),
        ];
        for (source, urls) in cases {
            let found = shown(source.as_bytes(), Kind::Csv, Depth::default());
            assert_eq!(found, *urls, "{source:?}");
        }
    }

    #[test]
    fn a_table_has_names_of_columns_and_urls() {
        let table = "id,url,name\n1,http://a.example/x,Joe\n2,http://b.example/,Ann\n3,\"http";
        assert!(super::begins_table(table.as_bytes()));
        for text in [
            "",
            "id,url\n1,http://a.example/x\n",
            "http://a.example/1,2.html\nhttp://a.example/2,3.html\nhttp://a.example/3,4.html\n",
            "a, b\nsee, http://a.example/\nand, c\n",
            "id,url\n1,http://a.example/x\n2,http://b.example/,3\n",
        ] {
            assert!(!super::begins_table(text.as_bytes()), "{text:?}");
        }
    }
}
