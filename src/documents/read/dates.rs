//! The dates of entries: bookmarks, entries of feeds, and objects of JSON such as messages.

use std::ops::Range;

use memchr::{memchr, memchr2, memchr3, memmem};

use crate::document::Kind;
use crate::document::json::string_end;

/// The dates of the entries of a document.
#[derive(Debug, Default)]
pub(super) struct Dates {
    /// The offsets where another date begins to apply, or none, in order.
    starts: Vec<(usize, Option<Range<usize>>)>,
    /// The entries that have not ended: the index of the first of their starts, and their date.
    open: Vec<(usize, Option<Range<usize>>)>,
    /// How many more there are that are too deep.
    deeper: usize,
}

/// How many entries are in one another at most.
const DEEPEST: usize = 16;

impl Dates {
    /// Finds the entries of `text`.
    pub(super) fn of(text: &[u8], kind: Kind) -> Self {
        let mut dates = Dates::default();
        match kind {
            Kind::Json => dates.in_json(text),
            Kind::Xml | Kind::Html => dates.in_markup(text, kind),
            _ => {}
        }
        (0..dates.open.len()).for_each(|_| dates.close(text.len()));
        dates
    }

    /// Returns the date of the innermost entry around the offset `at` that has one.
    pub(super) fn at<'t>(&self, text: &'t [u8], at: usize) -> Option<&'t [u8]> {
        let next = self.starts.partition_point(|(start, _)| *start <= at);
        let (_, date) = self.starts.get(next.checked_sub(1)?)?;
        text.get(date.clone()?)
    }

    fn open(&mut self, start: usize) {
        if self.open.len() == DEEPEST {
            self.deeper += 1;
            return;
        }
        self.open.push((self.starts.len(), None));
        self.starts.push((start, None));
    }

    fn close(&mut self, end: usize) {
        if self.deeper > 0 {
            self.deeper -= 1;
        } else if let Some((first, date)) = self.open.pop() {
            // Most objects have no date, and no others in them.
            if date.is_none() && first + 1 == self.starts.len() {
                self.starts.pop();
                return;
            }
            let inside = self.starts.iter_mut().skip(first);
            inside
                .filter(|(_, own)| own.is_none())
                .for_each(|(_, own)| *own = date.clone());
            self.starts.push((end, None));
        }
    }

    /// Takes the date that begins at `start` and goes on to one of `ends`.
    fn date(&mut self, text: &[u8], start: usize, ends: &[u8]) {
        let len = text[start..]
            .iter()
            .take(64)
            .position(|byte| ends.contains(byte));
        if self.deeper == 0
            && let (Some((_, date @ None)), Some(len)) = (self.open.last_mut(), len)
        {
            *date = Some(start..start + len);
        }
    }

    /// `{"text": "<http://a.example/>", "ts": "1355517523.000005"}`
    fn in_json(&mut self, text: &[u8]) {
        const NAMES: [&[u8]; 5] = [b"ts", b"date", b"created_at", b"published", b"timestamp"];
        let mut at = 0;
        while let Some(found) = memchr3(b'{', b'}', b'"', &text[at..]) {
            let start = at + found;
            at = start + 1;
            match text[start] {
                b'{' => self.open(start),
                b'}' => self.close(at),
                _ => {
                    let (len, _) = string_end(&text[at..]);
                    let name = &text[at..at + len];
                    at = text.len().min(at + len + 1);
                    let value = text[at..].trim_ascii_start().strip_prefix(b":");
                    if let Some(value) = value.filter(|_| NAMES.contains(&name)) {
                        let value = value.trim_ascii_start();
                        let value = value.strip_prefix(b"\"").unwrap_or(value);
                        self.date(text, text.len() - value.len(), b"\",}\r\n");
                    }
                }
            }
        }
    }

    /// `<item><link>http://a.example/</link><pubDate>Mon, 3 Mar 2003 12:00:00 GMT</pubDate></item>`, or
    /// `<A HREF="http://a.example/" ADD_DATE="1041379200">`
    fn in_markup(&mut self, text: &[u8], kind: Kind) {
        let (entries, dates): (&[&[u8]], &[&[u8]]) = match kind {
            Kind::Html => (&[b"a"], &[]),
            _ => (
                &[b"item", b"entry"],
                &[b"pubdate", b"updated", b"published", b"dc:date"],
            ),
        };
        let mut at = 0;
        while let Some(found) = memchr(b'<', &text[at..]) {
            let start = at + found;
            let rest = &text[start + 1..];
            let tag = &rest[..memchr2(b'<', b'>', rest).unwrap_or(rest.len())];
            at = start + 1 + tag.len();
            let tag = tag.to_ascii_lowercase();
            let name = tag.strip_prefix(b"/").unwrap_or(&tag);
            let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b':';
            let name = &name[..name.iter().take_while(is_name).count()];
            if dates.contains(&name) {
                self.date(text, text.len().min(at + 1), b"<");
            } else if entries.contains(&name) {
                self.close(start);
                if !tag.starts_with(b"/") {
                    self.open(start);
                }
                if let Some(mark) = memmem::find(&tag, ADD_DATE) {
                    self.date(text, start + 1 + mark + ADD_DATE.len(), b"\"");
                }
            }
        }
    }
}

/// The attribute of bookmarks.
const ADD_DATE: &[u8] = b" add_date=\"";

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the dates at each `*` of the text.
    fn dates(text: &str, kind: Kind) -> Vec<&str> {
        let dates = Dates::of(text.as_bytes(), kind);
        let stars = text.match_indices('*');
        let date = |at| {
            dates
                .at(text.as_bytes(), at)
                .map(|date| str::from_utf8(date).unwrap_or("?"))
        };
        stars.map(|(at, _)| date(at).unwrap_or("-")).collect()
    }

    #[test]
    fn json() {
        for (text, expected) in [
            (
                r#"[{"a": "*", "ts": "1.2", "b": {"c": "*"}}, "*", {"ts": 3, "a": "*"}, {"a": "*"}]"#,
                &["1.2", "1.2", "-", "3", "-"][..],
            ),
            (
                r#"{"date": "2001-02-03", "a": [{"date": null}, {"x": "}\"{*", "date": "2"}]} *"#,
                &["2", "-"],
            ),
            (
                "{\"created_at\" :\n 12}*\n{\"published\":\"1\",\"x\":\"*\"}",
                &["-", "1"],
            ),
            ("}}*{\"ts\":1", &["-"]),
            ("\"*", &["-"]),
        ] {
            assert_eq!(dates(text, Kind::Json), expected, "{text}");
        }
        let deep = ["{\"ts\":1,", &"{".repeat(99), "*", &"}".repeat(99), "*} *"].concat();
        assert_eq!(dates(&deep, Kind::Json), ["1", "1", "-"]);
    }

    #[test]
    fn markup() {
        let bookmarks =
            "*<DT><A HREF=\"*\" ADD_DATE=\"12\">*</A>*<DT><a href='*'>*<A ADD_DATE=\"3\">*";
        assert_eq!(
            dates(bookmarks, Kind::Html),
            ["-", "12", "12", "-", "-", "-", "3"]
        );
        let feed = "<pubDate>1</pubDate>*<item>*<pubDate>2</pubDate><updated>3</updated></item>*<entry/>*<dc:date>4<";
        assert_eq!(dates(feed, Kind::Xml), ["-", "2", "-", "4"]);
        assert_eq!(
            dates("1 < 2 <a add_date=\"3\">*<a <a*", Kind::Html),
            ["3", "-"]
        );
        assert_eq!(dates("<item>*<updated", Kind::Xml), ["-"]);
    }
}
