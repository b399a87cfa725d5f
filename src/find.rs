//! The two ways to find: in bytes that are all there, and in a stream.

use std::io::{self, Read};

use crate::candidate::Candidate;

/// How candidates are found. The default is what [`find`] does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Finder {
    /// When a URL is joined over a line break.
    pub rejoin: Rejoin,
    /// Whether hosts that start with `www.` or `ftp.` are found without a scheme.
    pub schemeless: bool,
}

/// When a URL is joined over a line break.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rejoin {
    /// Only inside wrappers and angles.
    Never,
    /// Also where the grammar or a hyphen asks for it, and in quotes and brackets up to the closer.
    Judged,
    /// Also on the evidence of how the lines are broken.
    #[default]
    Likely,
}

impl Finder {
    /// The candidates of `text`, in order; offsets count from its first byte.
    pub fn find<'t>(&self, text: &'t [u8]) -> impl Iterator<Item = Candidate<'t>> + use<'t> {
        crude(text).into_iter()
    }

    /// The candidates of what `reader` gives, in bounded memory.
    pub fn stream<R: Read>(&self, reader: R) -> Stream<R> {
        Stream {
            reader,
            text: None,
            next: 0,
        }
    }
}

/// The candidates of `text`, in order.
pub fn find(text: &[u8]) -> impl Iterator<Item = Candidate<'_>> {
    Finder::default().find(text)
}

/// The candidates of a reader.
#[derive(Debug)]
pub struct Stream<R> {
    reader: R,
    text: Option<Vec<u8>>,
    next: usize,
}

impl<R: Read> Stream<R> {
    /// Also counts lines and columns, and keeps the lines around each candidate.
    pub fn with_context(self) -> Self {
        self
    }

    /// The next candidate.
    pub fn next_found(&mut self) -> io::Result<Option<Found<'_>>> {
        if self.text.is_none() {
            let mut text = Vec::new();
            self.reader.read_to_end(&mut text)?;
            self.text = Some(text);
        }
        let text = self.text.as_deref().unwrap_or_default();
        let Some(candidate) = crude(text).into_iter().nth(self.next) else {
            return Ok(None);
        };
        self.next += 1;
        let before = &text[..candidate.outer.start as usize];
        let line = before.iter().filter(|&&byte| byte == b'\n').count() as u64 + 1;
        let start = before
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |at| at + 1);
        let column = String::from_utf8_lossy(&before[start..]).chars().count() as u64 + 1;
        Ok(Some(Found {
            candidate,
            position: Position { line, column },
            window: Window {
                start: 0,
                bytes: text,
            },
        }))
    }
}

/// A candidate and the text around it.
#[derive(Debug)]
pub struct Found<'w> {
    /// The candidate; its offsets count from the first byte of the source.
    pub candidate: Candidate<'w>,
    /// Where `candidate.outer` starts: line from 1, column in code points from 1.
    pub position: Position,
    /// The source bytes around the candidate.
    pub window: Window<'w>,
}

/// A line, from 1, and a column in it, in code points from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line.
    pub line: u64,
    /// The column.
    pub column: u64,
}

/// Some bytes of a source.
#[derive(Clone, Copy, Debug)]
pub struct Window<'w> {
    /// Offset of the first of them in the source.
    pub start: u64,
    /// The bytes.
    pub bytes: &'w [u8],
}

/// A stand-in until the scanner is there: wrappers (with dropped white space) and bare `scheme://`.
fn crude(text: &[u8]) -> Vec<Candidate<'_>> {
    use crate::{Delimiter, Flag, Flags, Span, Spans};
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        if text[at..].len() >= 5 && text[at..at + 5].eq_ignore_ascii_case(b"<URL:") {
            let mut flags = Flags::default();
            if &text[at..at + 5] != b"<URL:" {
                flags.set(Flag::PrefixCase);
            }
            let end = text[at..]
                .iter()
                .position(|&b| b == b'>')
                .map_or(text.len(), |n| at + n);
            let mut pieces: Option<Spans> = None;
            let mut url = Vec::new();
            for i in at + 5..end {
                if text[i].is_ascii_whitespace() {
                    continue;
                }
                url.push(text[i]);
                let span = Span::new(i as u64, i as u64 + 1);
                match &mut pieces {
                    None => pieces = Some(span.into()),
                    Some(spans) => spans.push(span),
                }
            }
            let outer = Span::new(at as u64, (end + 1).min(text.len()) as u64);
            let pieces = pieces.unwrap_or_else(|| Span::new(at as u64 + 5, at as u64 + 5).into());
            found.push(Candidate {
                text: url.into(),
                outer,
                pieces,
                delimiter: Delimiter::Wrapper,
                flags,
                alternatives: Vec::new(),
            });
            at = end;
        } else if text[at..].starts_with(b"://") {
            let start = text[..at]
                .iter()
                .rposition(|b| !b.is_ascii_alphanumeric())
                .map_or(0, |n| n + 1);
            let end = text[at..]
                .iter()
                .position(|&b| b <= b' ' || b"<>\"".contains(&b))
                .map_or(text.len(), |n| at + n);
            let outer = Span::new(start as u64, end as u64);
            found.push(Candidate {
                text: text[start..end].into(),
                outer,
                pieces: outer.into(),
                delimiter: Delimiter::Bare,
                flags: Flags::default(),
                alternatives: Vec::new(),
            });
            at = end;
        } else {
            at += 1;
        }
    }
    found
}
