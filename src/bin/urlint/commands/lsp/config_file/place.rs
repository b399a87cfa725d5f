//! Where in a text in TOML the cursor is. The text is being written, so it need not be right: what is
//! read of it is only which keys lead to a place.

use std::ops::Range;

/// A place in a text in TOML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// What leads here.
    pub(super) path: Vec<Step>,
    pub(super) role: Role,
    /// What is written here, without quotation marks: what may stand instead of it replaces this.
    pub(super) written: Range<usize>,
    pub(super) quotes: Quotes,
}

/// A step on the way to a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// To the value of this key.
    Key(String),
    /// To an item of an array.
    Item,
}

/// What stands at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A key in the brackets of a header, `[key]`.
    Header,
    /// A key with a value.
    Key,
    Value,
}

/// The quotation marks around what is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quotes {
    None,
    /// Both are there.
    Closed,
    /// This one begins it, and none ends it.
    Open(char),
}

/// What the places in a text have in common.
#[derive(Debug, Default)]
pub(super) struct Outline {
    /// The place at the cursor; none in a comment, and where something is complete.
    pub(super) place: Option<Place>,
    /// The keys that have values, and the tables that have headers, as far as [`DEEPEST`].
    pub(super) keys: Vec<Vec<Step>>,
}

/// How many steps lead to a key of the configuration at most: `tool.urlint.select`.
const DEEPEST: usize = 3;

/// Reads `text`, in which the cursor is at the offset `at`.
pub(super) fn outline(text: &str, at: usize) -> Outline {
    let mut reader = Reader {
        text,
        at,
        header: Vec::new(),
        in_header: None,
        frames: vec![Frame::default()],
        is_placed: false,
        outline: Outline::default(),
    };
    let mut tokens = Tokens { text, next: 0 };
    let mut is_first = true;
    while let Some((token, range)) = tokens.token() {
        reader.place_before(&token, &range);
        reader.take(&token, &range, is_first);
        is_first = token == Token::Break;
    }
    reader.place_before(&Token::Break, &(text.len()..text.len()));
    reader.outline
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    /// Letters, digits, `-` and `_`.
    Bare,
    /// A string, and how many quotation marks begin and end it.
    String {
        begin: usize,
        end: usize,
    },
    Mark(char),
    Comment,
    Break,
}

struct Tokens<'t> {
    text: &'t str,
    next: usize,
}

impl Tokens<'_> {
    fn token(&mut self) -> Option<(Token, Range<usize>)> {
        let rest = &self.text[self.next..];
        let rest = rest.trim_start_matches([' ', '\t', '\u{feff}']);
        let start = self.text.len() - rest.len();
        let first = rest.chars().next()?;
        let length = |end: Option<usize>| end.unwrap_or(rest.len());
        let is_bare = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
        let (token, length) = match first {
            '\n' | '\r' => (Token::Break, 1),
            '#' => (Token::Comment, length(rest.find(['\n', '\r']))),
            '"' | '\'' => string(rest, first),
            c if is_bare(c) => (Token::Bare, length(rest.find(|c| !is_bare(c)))),
            c => (Token::Mark(c), c.len_utf8()),
        };
        self.next = start + length;
        Some((token, start..self.next))
    }
}

/// Returns the string that begins `text` with `quote`, and its length.
fn string(text: &str, quote: char) -> (Token, usize) {
    let is_multiline = text.bytes().take(3).filter(|&byte| byte == quote as u8);
    let begin = if is_multiline.count() == 3 { 3 } else { 1 };
    let mut is_escaped = false;
    let mut run = 0;
    for (at, c) in text.char_indices().skip(begin) {
        if begin == 1 && (c == '\n' || c == '\r') {
            return (Token::String { begin, end: 0 }, at);
        }
        if std::mem::take(&mut is_escaped) {
            run = 0;
        } else if c == quote {
            run += 1;
            if run == begin {
                return (Token::String { begin, end: begin }, at + 1);
            }
        } else {
            is_escaped = quote == '"' && c == '\\';
            run = 0;
        }
    }
    (Token::String { begin, end: 0 }, text.len())
}

/// A table or an array within which the reader is.
#[derive(Debug, Default)]
struct Frame {
    is_array: bool,
    /// The key whose value is read, or that is being read.
    key: Vec<Step>,
    /// Whether the next key belongs to the one before it.
    is_dotted: bool,
    in_value: bool,
    /// Whether the value is complete.
    is_done: bool,
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    header: Vec<Step>,
    /// The keys of the header that is being read, and whether the next one belongs to them.
    in_header: Option<Vec<Step>>,
    frames: Vec<Frame>,
    is_placed: bool,
    outline: Outline,
}

impl Reader<'_> {
    /// Notes the place of the cursor if it is in this token or before it.
    fn place_before(&mut self, token: &Token, range: &Range<usize>) {
        if self.is_placed {
            return;
        }
        let at = self.at;
        let (written, quotes) = match *token {
            Token::Bare if range.start <= at && at <= range.end => (range.clone(), Quotes::None),
            Token::String { begin, end }
                if range.start < at && (at < range.end || end == 0 && at == range.end) =>
            {
                let written = range.start + begin..range.end - end;
                if !(written.start..=written.end).contains(&at) {
                    self.is_placed = true;
                    return;
                }
                let quote = self.text[range.start..].chars().next();
                match quote.filter(|_| end == 0) {
                    // What follows may belong to something else.
                    Some(quote) => (written.start..at, Quotes::Open(quote)),
                    None => (written, Quotes::Closed),
                }
            }
            Token::Comment if range.start < at && at <= range.end => {
                self.is_placed = true;
                return;
            }
            _ if at <= range.start => (at..at, Quotes::None),
            _ => return,
        };
        self.is_placed = true;
        self.outline.place = self.place(written, quotes);
    }

    fn place(&self, written: Range<usize>, quotes: Quotes) -> Option<Place> {
        let is_empty = written.is_empty() && quotes == Quotes::None;
        let frame = self.frames.last()?;
        if is_empty && self.in_header.is_none() && frame.in_value && frame.is_done {
            return None;
        }
        let (role, path) = if let Some(header) = &self.in_header {
            (Role::Header, header.clone())
        } else if frame.in_value {
            (Role::Value, self.path())
        } else {
            let is_next = is_empty && !frame.key.is_empty() && !frame.is_dotted;
            if is_next {
                return None;
            }
            (Role::Key, self.path())
        };
        Some(Place {
            path,
            role,
            written,
            quotes,
        })
    }

    /// Returns what leads to the value that is read, or to the table whose key is read.
    fn path(&self) -> Vec<Step> {
        let mut path = self.header.clone();
        for frame in &self.frames {
            if frame.is_array {
                path.push(Step::Item);
            } else {
                path.extend_from_slice(&frame.key);
            }
        }
        path
    }

    fn take(&mut self, token: &Token, range: &Range<usize>, is_first: bool) {
        if is_first && *token == Token::Mark('[') && self.begins_header(range.start) {
            self.frames = vec![Frame::default()];
            self.in_header = Some(Vec::new());
            return;
        }
        if let Some(header) = &mut self.in_header {
            match token {
                Token::Bare | Token::String { .. } => header.push(key(self.text, token, range)),
                Token::Mark('.' | '[') => {}
                _ => {
                    self.header = std::mem::take(header);
                    self.in_header = None;
                    if self.header.len() <= DEEPEST {
                        self.outline.keys.push(self.header.clone());
                    }
                }
            }
            return;
        }
        let is_inner = self.frames.len() > 1;
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        match token {
            Token::Comment => {}
            Token::Break => {
                // The bracket of an array that is being written may be missing.
                if !is_inner || self.begins_entry(range.end) {
                    self.frames = vec![Frame::default()];
                }
            }
            Token::Bare | Token::String { .. } if !frame.in_value => {
                if !std::mem::take(&mut frame.is_dotted) {
                    frame.key.clear();
                }
                frame.key.push(key(self.text, token, range));
            }
            Token::Bare | Token::String { .. } => frame.is_done = true,
            Token::Mark('.') if !frame.in_value => frame.is_dotted = true,
            Token::Mark('=') if !frame.in_value => {
                frame.in_value = true;
                if !is_inner && self.header.len() + frame.key.len() <= DEEPEST {
                    let path = self.path();
                    self.outline.keys.push(path);
                }
            }
            Token::Mark(',') if frame.is_array => frame.is_done = false,
            Token::Mark(',') if is_inner => *frame = Frame::default(),
            Token::Mark(mark @ ('[' | '{')) if frame.in_value => {
                let is_array = *mark == '[';
                self.frames.push(Frame {
                    is_array,
                    in_value: is_array,
                    ..Frame::default()
                });
            }
            Token::Mark(']' | '}') => {
                if is_inner {
                    self.frames.pop();
                }
                if let Some(frame) = self.frames.last_mut() {
                    frame.is_done = true;
                }
            }
            Token::Mark(_) => {}
        }
    }

    /// Returns whether the bracket at `start` begins a header: within an array, only if the line looks
    /// like nothing else.
    fn begins_header(&self, start: usize) -> bool {
        if self.frames.len() == 1 {
            return true;
        }
        let line = self.text[start..].lines().next().unwrap_or_default();
        let name = line.trim_start_matches('[').split(']').next();
        let mut name = name.unwrap_or_default().chars();
        name.next().is_some_and(|c| c.is_ascii_alphabetic())
            && name.all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
    }

    /// Returns whether an entry of a table begins at `start`, though it should be an item of an array.
    fn begins_entry(&self, start: usize) -> bool {
        let is_array = self.frames.last().is_some_and(|frame| frame.is_array);
        let line = self.text[start..].lines().next().unwrap_or_default();
        let after =
            line.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || "-_".contains(c));
        is_array && after.len() < line.len() && after.trim_start().starts_with('=')
    }
}

fn key(text: &str, token: &Token, range: &Range<usize>) -> Step {
    let inner = match *token {
        Token::String { begin, end } => range.start + begin..range.end - end,
        _ => range.clone(),
    };
    Step::Key(text[inner].to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tries::tries;

    /// Returns the path of the place at `|`, the role, what is written, and the quotation marks.
    fn place(marked: &str) -> Option<(String, Role, String, Quotes)> {
        let at = marked.find('|').unwrap_or(marked.len());
        let text = marked.replace('|', "");
        let place = outline(&text, at).place?;
        let path: Vec<_> = place
            .path
            .iter()
            .map(|step| match step {
                Step::Key(key) => key.as_str(),
                Step::Item => "[]",
            })
            .collect();
        let written = text[place.written].to_owned();
        Some((path.join("."), place.role, written, place.quotes))
    }

    #[test]
    fn keys_lead_to_a_place() {
        use Quotes::{Closed, None as Bare, Open};
        use Role::{Header, Key, Value};
        for (text, path, role, written, quotes) in [
            ("|", "", Key, "", Bare),
            ("dee|p = true", "", Key, "deep", Bare),
            ("deep =|", "deep", Value, "", Bare),
            ("deep = tr|", "deep", Value, "tr", Bare),
            ("deep = true\n|", "", Key, "", Bare),
            ("rejoin = \"nev|er\" # x", "rejoin", Value, "never", Closed),
            ("rejoin = \"n|e x", "rejoin", Value, "n", Open('"')),
            ("rejoin = '|\nx = 1", "rejoin", Value, "", Open('\'')),
            ("ignore = [|", "ignore.[]", Value, "", Bare),
            (
                "ignore = [\n  # x\n  'a',\n  |\n]",
                "ignore.[]",
                Value,
                "",
                Bare,
            ),
            ("ignore = [\n  'a'\ndeep = |", "deep", Value, "", Bare),
            ("ignore = [\n[severity]\n|", "severity", Key, "", Bare),
            ("severity.pass|", "severity", Key, "pass", Bare),
            (
                "severity = { password = '|' }",
                "severity.password",
                Value,
                "",
                Closed,
            ),
            (
                "severity = { password = 'off', |",
                "severity",
                Key,
                "",
                Bare,
            ),
            (
                "[severity]\npassword = |",
                "severity.password",
                Value,
                "",
                Bare,
            ),
            (
                "[tool.urlint]\n[tool.urlint.sev|]",
                "tool.urlint",
                Header,
                "sev",
                Bare,
            ),
            (
                "[per-file-ignores]\n\"a.*\" = ['|']",
                "per-file-ignores.a.*.[]",
                Value,
                "",
                Closed,
            ),
            ("ignore-urls = ['x', { |", "ignore-urls.[]", Key, "", Bare),
            ("x = \"\"\"\n[a]\n\"\"\"\ny = |", "y", Value, "", Bare),
            ("x = 'a\\'\ny = |", "y", Value, "", Bare),
        ] {
            let expected = (path.to_owned(), role, written.to_owned(), quotes);
            assert_eq!(place(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn nothing_is_expected_where_something_is_complete() {
        for text in [
            "# x|",
            "deep = true |",
            "ignore = ['a' |]",
            "deep |",
            "x = ''|'a'''",
        ] {
            assert_eq!(place(text), None, "{text}");
        }
    }

    #[test]
    fn nesting_takes_no_stack() {
        let deep = "{ a = ".repeat(100_000);
        let long = format!("[{}b]", "a.".repeat(100_000));
        for text in [deep, long, "[".repeat(500_000), "x = [\n".repeat(100_000)] {
            outline(&text, text.len());
        }
    }

    #[test]
    fn keys_and_tables_are_collected() {
        let text = "a.b = 1\nc = [1, { d = 2 }]\n[e]\nf = 3\n";
        let steps = |path: &[&str]| -> Vec<Step> {
            let steps = path.iter().map(|&key| Step::Key(key.to_owned()));
            steps.collect()
        };
        let expected: [&[&str]; 4] = [&["a", "b"], &["c"], &["e"], &["e", "f"]];
        assert_eq!(outline(text, 0).keys, expected.map(steps));
    }

    proptest! {
        #![proptest_config(tries(500))]

        #[test]
        fn any_text_has_places(text in "[a=\\.\\[\\]{}\"'#,\n\\\\ é]{0,40}", at in 0..60_usize) {
            let mut at = at.min(text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            if let Some(place) = outline(&text, at).place {
                prop_assert!(text.get(place.written.clone()).is_some());
                prop_assert!(place.written.contains(&at) || place.written.end == at);
            }
        }
    }
}
