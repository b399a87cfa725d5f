//! Tables of separated values (RFC 4180): each field is a text of its own.
//!
//! The separator is that of most of the first records, a comma if in doubt, and a tab in a table that is named so. A
//! record with more fields than most has an unquoted separator in its last one, as URLs and notes have it.

use std::ops::Range;

use memchr::memmem;

use super::html;
use super::prose::Escapes;
use super::texts::Texts;
use super::{Kind, Parts, Scope, is_one_url, json};
use urlint_view::{Layer, View};

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

/// Adds the fields of a table whose separator is one of `separators`.
pub(super) fn parts<'s>(separators: &[u8], source: &'s [u8], scope: Scope, parts: &mut Parts<'s>) {
    let (separator, columns) = dialect(source, separators);
    let (mut fields, mut targets) = (Vec::new(), Vec::new());
    let [mut unescaped, mut pages] = [(); 2].map(|()| Texts::new(Layer::AsciiBut(b"\"")));
    let records = Records {
        source,
        at: 0,
        separator,
    };
    for mut record in records {
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
            let is_escaped = is_quoted && text.contains(&b'"');
            if is_escaped || text.trim_ascii_start().starts_with(b"<") {
                let mut view = View::new(Layer::Opaque);
                ESCAPES.add(&mut view, source, field.clone());
                if pages.take_html(&view) {
                    continue;
                } else if is_escaped {
                    unescaped.add(&view);
                    continue;
                }
            }
            if is_url_to_its_end(text) {
                targets.push(field);
            } else {
                fields.push(field);
            }
        }
    }
    parts.strings(View::borrowed(source, 0), fields);
    parts.targets(View::borrowed(source, 0), targets);
    parts.strings(unescaped.view, unescaped.ranges);
    html::add_strings(pages, scope, parts);
}

/// Returns whether `field` is one URL that would end sooner in text, at a bar or before a punctuation mark.
fn is_url_to_its_end(field: &[u8]) -> bool {
    let may_end = |byte: &u8| byte.is_ascii_punctuation() && !b"-._~:/?#@!$&*+,;=%".contains(byte);
    let ends = field.last().is_some_and(|byte| b".,:;!?".contains(byte));
    let has_more = || memmem::find_iter(field, b"://").nth(1).is_some();
    (ends || field.iter().any(may_end))
        && json::is_target(field)
        && !has_more()
        && !is_one_url(field)
}

/// Returns the separator of a table, one of `separators`, and its number of columns.
///
/// Semicolons and tabs are certain if all records have as many. Those in URLs alone are no separators, and neither are
/// commas in URLs below the name of a single column.
fn dialect(source: &[u8], separators: &[u8]) -> (u8, usize) {
    let (records, outside) = counted(source, separators);
    let of = |(index, &separator): (usize, &u8)| {
        let same = |columns| {
            let alike = records.iter().filter(|record| record[index] == columns);
            alike.count()
        };
        // Of two that are as common, the first one is taken.
        let lengths = records.iter().map(|record| record[index]);
        let columns = lengths.rev().max_by_key(|&columns| same(columns))?;
        let names_columns = separator == b',' && records[0][index] > 1;
        let is_separator = columns > 1 && (outside[index] || names_columns);
        let is_even = separator != b',' && records.len() > 1 && same(columns) == records.len();
        let weight = if is_even { columns } else { same(columns) };
        is_separator.then_some((is_even, weight, separator, columns))
    };
    let all = separators.iter().enumerate().rev().filter_map(of);
    all.max_by_key(|&(is_even, weight, ..)| (is_even, weight))
        .map_or((b'\n', 1), |(.., separator, columns)| (separator, columns))
}

/// Returns how many fields each of the first records has by each of `separators`, and which of these occur outside of
/// URLs.
fn counted(source: &[u8], separators: &[u8]) -> (Vec<[usize; 3]>, [bool; 3]) {
    let head = &source[..source.len().min(Kind::HEAD)];
    let (mut records, mut outside) = (Vec::new(), [false; 3]);
    let mut record = [1; 3];
    let (mut at, mut start) = (0, 0);
    let (mut begins_field, mut is_in_url) = (true, false);
    while at < head.len() && records.len() < MOST_RECORDS {
        if begins_field && let Some((_, end)) = quoted(head, at, separators) {
            (at, begins_field, is_in_url) = (end, false, false);
            continue;
        }
        let byte = head[at];
        let separator = separators.iter().position(|&other| other == byte);
        let ends_record = matches!(byte, b'\n' | b'\r');
        is_in_url = byte > b' ' && (is_in_url || head[at..].starts_with(b"://"));
        begins_field = separator.is_some() || ends_record;
        if let Some(index) = separator {
            record[index] += 1;
            outside[index] |= !is_in_url;
        }
        at += 1;
        if ends_record {
            if start + 1 < at {
                records.push(record);
            }
            (record, start) = ([1; 3], at);
        }
    }
    // The last record may be cut.
    if start < at && (records.is_empty() || at == source.len()) {
        records.push(record);
    }
    (records, outside)
}

/// Returns the quoted field at `at`, without its quotes, and its end with them. One of `separators` follows, or the
/// end of the record.
fn quoted(source: &[u8], at: usize, separators: &[u8]) -> Option<(Range<usize>, usize)> {
    let blanks = source[at..].iter().take_while(|byte| **byte == b' ');
    let start = at + blanks.count();
    let text = source[start..].strip_prefix(b"\"")?;
    let start = start + 1;
    let mut quotes = memchr::memchr_iter(b'"', text);
    while let Some(quote) = quotes.next() {
        match text.get(quote + 1) {
            Some(b'"') => drop(quotes.next()),
            Some(next) if !separators.contains(next) && !b"\r\n".contains(next) => return None,
            _ => return Some((start..start + quote, start + quote + 1)),
        }
    }
    None
}

/// The records of a table: the ranges of their fields, without quotes and without blanks around them.
struct Records<'s> {
    source: &'s [u8],
    at: usize,
    separator: u8,
}

impl Records<'_> {
    /// Takes the next field.
    fn field(&mut self) -> Range<usize> {
        if let Some((field, end)) = quoted(self.source, self.at, &[self.separator]) {
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
                "url,n\nhttp://a.example/x|y,1\n\"http://b.example/,http://c.example/\",2\n",
                &[
                    "ta http://a.example/x|y",
                    "ba http://b.example/",
                    "ba http://c.example/",
                ],
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

    /// A guess cuts no URL, and gives way to the name of the kind.
    #[test]
    fn separators() {
        const IN_URL: &str = "http://a.example/x;p=1?q=1,2";
        for (kind, source) in [
            (Kind::Tsv, "URL\tname, or title\nURL\tb\n"),
            (Kind::Tsv, "URL\n"),
            (Kind::Csv, "url\nURL\nURL\nURL\n"),
            (Kind::Csv, "name;url\na;\"URL\"\nb;\"URL\"\n"),
            (Kind::Csv, "\"a, b\";\"URL\"\n\"c\";\"URL\"\n"),
            (Kind::Csv, "a, b\tURL\nc\tURL\n"),
            (Kind::Csv, "\"URL\",\"3.5\"\n"),
            (Kind::Csv, "\"\"\t\"URL\"\t\"3.5\"\n"),
            (Kind::Plain, "a, b, c, d\nURL\nURL\nURL\n"),
        ] {
            let source = source.replace("URL", IN_URL);
            let found = shown(source.as_bytes(), kind, Depth::default());
            let urls: Vec<_> = found.iter().map(|url| &url[3..]).collect();
            assert!(
                !urls.is_empty() && urls.iter().all(|url| *url == IN_URL),
                "{source:?}: {urls:?}"
            );
        }
        for (source, url) in [
            ("name,URL;v=1\nb,URL;v=2\n", "http://a.example/x;v=1"),
            ("a; b,URL,1\n", "http://a.example/x"),
            ("1,5;URL;3,5\n2,5;URL;4,5\n", "http://a.example/x"),
            ("URL,ok\nURL,ok\n", "http://a.example/x"),
            ("url;name\nURL;Joe\nURL;Ann\n", "http://a.example/x"),
        ] {
            let source = source.replace("URL", "http://a.example/x");
            let found = shown(source.as_bytes(), Kind::Csv, Depth::default());
            assert_eq!(found[0], format!("ba {url}"), "{source:?}: {found:?}");
        }
    }
}
