//! Fields of records: the strings under certain names, in JSON with a record on each line.

use std::ops::Range;

use super::strings::decoded;
use super::tokens::{is_literal, string_end, word};

/// The greatest depth of nested values. A line with deeper nesting is not read as JSON.
const MAX_DEPTH: usize = 1024;

/// Finds the strings under certain names, line by line. A value may take several lines, so that
/// pretty-printed arrays of records are read as well.
#[derive(Debug)]
pub(crate) struct Fields<'f> {
    names: &'f [String],
    /// The length of the longest name.
    longest: usize,
    /// The objects and arrays that are open.
    open: Vec<Level>,
    /// The path of the open objects and arrays, joined by dots, as long as it may lead to a field.
    path: Vec<u8>,
    next: Next,
}

/// An object or array that is open.
#[derive(Clone, Copy, Debug)]
struct Level {
    is_object: bool,
    /// The length of the path to it.
    path: usize,
    /// Which strings directly in it are taken.
    taken: Strings,
    /// Which strings of its next value are taken.
    now: Strings,
}

/// Which strings of a value are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Strings {
    All,
    /// None directly, but perhaps some that are nested in it.
    Some,
    None,
}

/// The parts of the grammar that may come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// A value, or the end of the array.
    Value,
    /// A name, or the end of the object.
    Name,
    Colon,
    /// A comma, or an end.
    Comma,
}

/// The kind of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineKind {
    /// JSON.
    Record,
    /// JSON, after a record without its end.
    AfterOpenRecord,
    /// Not JSON.
    Text,
}

impl<'f> Fields<'f> {
    /// Finds the fields called `names`: the names of nested objects are joined by dots, and arrays
    /// have no name.
    pub(crate) fn new(names: &'f [String]) -> Self {
        Fields {
            names,
            longest: names.iter().map(String::len).max().unwrap_or(0),
            open: Vec::new(),
            path: Vec::new(),
            next: Next::Value,
        }
    }

    /// Reads a line, and adds the text of each string that is taken to `strings`, in order.
    pub(crate) fn line(&mut self, line: &[u8], strings: &mut Vec<Range<usize>>) -> LineKind {
        let is_inside = self.is_inside();
        if self.read(line, strings).is_some() {
            return LineKind::Record;
        }
        strings.clear();
        self.reset();
        if is_inside && self.read(line, strings).is_some() {
            return LineKind::AfterOpenRecord;
        }
        strings.clear();
        self.reset();
        LineKind::Text
    }

    /// Returns whether a record is open that `line` cannot continue, since it begins with a value
    /// where a comma is missing.
    pub(crate) fn is_closed_by(&self, line: &[u8]) -> bool {
        self.is_inside() && self.next == Next::Comma && matches!(line, [b'{' | b'[', ..])
    }

    /// Returns whether a record is open.
    pub(crate) fn is_inside(&self) -> bool {
        !self.open.is_empty()
    }

    /// Forgets the open record.
    pub(crate) fn reset(&mut self) {
        self.open.clear();
        self.path.clear();
        self.next = Next::Value;
    }

    /// Reads a line; returns `None` if it is not JSON.
    fn read(&mut self, line: &[u8], strings: &mut Vec<Range<usize>>) -> Option<()> {
        let mut at = 0;
        // A value that is neither an object nor an array is alone on its line.
        let (mut is_first, mut is_alone) = (true, false);
        loop {
            let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x1e);
            at += line[at..].iter().take_while(is_blank).count();
            let Some(&byte) = line.get(at) else {
                return Some(());
            };
            if self.open.is_empty() {
                let is_scalar = !matches!(byte, b'{' | b'[');
                if is_alone || (is_scalar && !is_first) {
                    return None;
                }
                (is_first, is_alone) = (false, is_scalar);
            }
            at += match (self.next, byte) {
                (Next::Value, b'{' | b'[') => self.enter(byte == b'{')?,
                (Next::Name | Next::Comma, b'}') => self.leave(true)?,
                (Next::Value | Next::Comma, b']') => self.leave(false)?,
                (Next::Comma, b',') => {
                    let is_object = self.open.last()?.is_object;
                    self.next = if is_object { Next::Name } else { Next::Value };
                    1
                }
                (Next::Colon, b':') => {
                    self.next = Next::Value;
                    1
                }
                (Next::Name, b'"') => {
                    let text = string(line, at)?;
                    self.name(&line[text.clone()]);
                    text.len() + 2
                }
                (Next::Value, b'"') => {
                    let text = string(line, at)?;
                    let len = text.len() + 2;
                    if self.taken() == Strings::All {
                        strings.push(text);
                    }
                    self.end_value();
                    len
                }
                (Next::Value, _) => {
                    let word = word(&line[at..]);
                    self.end_value();
                    is_literal(word).then_some(word.len())?
                }
                _ => return None,
            };
        }
    }

    fn enter(&mut self, is_object: bool) -> Option<usize> {
        let taken = self.taken();
        self.open.push(Level {
            is_object,
            path: self.path.len(),
            taken,
            now: taken,
        });
        self.next = if is_object { Next::Name } else { Next::Value };
        (self.open.len() <= MAX_DEPTH).then_some(1)
    }

    fn leave(&mut self, is_object: bool) -> Option<usize> {
        let level = self.open.pop()?;
        self.path.truncate(level.path);
        self.end_value();
        (level.is_object == is_object).then_some(1)
    }

    /// Which strings of the next value are taken.
    fn taken(&self) -> Strings {
        self.open.last().map_or(Strings::Some, |level| level.now)
    }

    fn end_value(&mut self) {
        self.next = if self.open.is_empty() {
            Next::Value
        } else {
            Next::Comma
        };
    }

    /// Takes the name of the next value.
    fn name(&mut self, name: &[u8]) {
        self.next = Next::Colon;
        let Some(level) = self.open.last_mut() else {
            return;
        };
        if level.taken != Strings::Some {
            return;
        }
        self.path.truncate(level.path);
        if !self.path.is_empty() {
            self.path.push(b'.');
        }
        // An escape of six bytes may stand for one.
        if name.len() > 6 * self.longest {
            level.now = Strings::None;
            return;
        }
        match memchr::memchr(b'\\', name) {
            None => self.path.extend_from_slice(name),
            Some(_) => self.path.extend_from_slice(decoded(name, 0).text()),
        }
        let path = &self.path;
        let is_nested = |field: &String| {
            let below = field.as_bytes().strip_prefix(&path[..]);
            below.is_some_and(|below| path.is_empty() || below.starts_with(b"."))
        };
        level.now = if self.names.iter().any(|field| field.as_bytes() == path) {
            Strings::All
        } else if self.names.iter().any(is_nested) {
            Strings::Some
        } else {
            Strings::None
        };
    }
}

/// The text of the string whose opening quote is at `at`.
fn string(line: &[u8], at: usize) -> Option<Range<usize>> {
    let (len, _) = string_end(&line[at + 1..]);
    let end = at + 1 + len;
    (line.get(end) == Some(&b'"')).then_some(at + 1..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The strings that are taken from each line.
    fn taken(names: &[&str], text: &str) -> Vec<String> {
        let names: Vec<String> = names.iter().map(ToString::to_string).collect();
        let mut fields = Fields::new(&names);
        let mut all = Vec::new();
        for line in text.split_inclusive('\n') {
            let mut strings = Vec::new();
            match fields.line(line.as_bytes(), &mut strings) {
                LineKind::Record => {}
                LineKind::AfterOpenRecord => all.push("OPEN".into()),
                LineKind::Text => all.push("TEXT".into()),
            }
            all.extend(strings.into_iter().map(|range| line[range].to_owned()));
        }
        all
    }

    #[test]
    fn strings_under_names() {
        let cases: &[(&[&str], &str, &[&str])] = &[
            (&["a"], r#"{"a": "1", "b": "2", "c": {"a": "3"}}"#, &["1"]),
            (&["c.a"], r#"{"a": "1", "c": {"a": "3", "b": "4"}}"#, &["3"]),
            (
                &["b", "a"],
                r#"{"a": "1", "b": ["2", {"x": "3"}], "z": "4"}"#,
                &["1", "2", "3"],
            ),
            (
                &["e.urls.u"],
                r#"{"e": {"urls": [{"u": "1", "v": "2"}, {"u": "3"}]}}"#,
                &["1", "3"],
            ),
            (&["a.b"], r#"{"a.b": "1"}"#, &["1"]),
            (
                &["a.b"],
                r#"{"a": {"bc": "1", "b": "2"}, "ab": "3"}"#,
                &["2"],
            ),
            (&["body"], r#"{"b\u006fdy": "x\"y"}"#, &[r#"x\"y"#]),
            (
                &["a"],
                "[{\"a\": \"1\"},\n {\"a\": \"2\"}\n]\n",
                &["1", "2"],
            ),
            (&["a"], "{\"a\": \"1\"}{\"a\": \"2\"}\n", &["1", "2"]),
            (
                &["a"],
                "{\"a\": null, \"b\": -1.5e+3, \"c\": [], \"d\": {}}",
                &[],
            ),
            (&["a"], "{\"a\": NaN}\n\n17\n\"x\"\n", &[]),
        ];
        for (names, text, strings) in cases {
            assert_eq!(&taken(names, text), strings, "{text}");
        }
    }

    #[test]
    fn only_the_broken_line_is_lost() {
        let good = "{\"a\": \"1\"}\n";
        for broken in [
            "GET http://a.example/ 200\n",
            "\"a\" 200\n",
            "1 2\n",
            "{\"a\": \"2\" \"b\"}\n",
            "{\"a\": \"2}\n",
            "{\"a\": \"2\"]\n",
            "{\"a\" \"2\"}\n",
            "{\"a\": 2x}\n",
            "{a: \"2\"}\n",
            "[\"a\",}\n",
            "}\n",
        ] {
            let text = [good, broken, good].concat();
            assert_eq!(taken(&["a"], &text), ["1", "TEXT", "1"], "{broken}");
        }
        let cut = [good, "{\"a\": \"2\"\n", good].concat();
        assert_eq!(taken(&["a"], &cut), ["1", "2", "OPEN", "1"]);
        let deep = "[".repeat(MAX_DEPTH + 1);
        assert_eq!(taken(&["a"], &deep), ["TEXT"]);
    }
}
