//! Mailboxes: messages one after the other, each behind a line that begins with `From `.
//!
//! RFC 4155 describes them, and no two programs agree on them. A message begins at the start of the
//! file, or behind an empty line, at a line that begins with `From ` and ends in a date; where a
//! message says how long it is (`Content-Length`), and another begins there, such lines inside it
//! begin none.

use std::io::{self, Read};
use std::ops::Range;
use std::sync::LazyLock;

use memchr::{memchr, memchr2, memmem, memrchr2};

use crate::document::MAX_DOCUMENT;
use crate::find::stream::read_once;

/// How many bytes are asked of the reader at once.
const CHUNK: usize = 256 * 1024;

/// How much is looked at to tell whether a message begins at a line.
const AHEAD: usize = 1024;

/// The longest piece of a message that is too long.
const MOST_OF_PIECE: usize = 4 << 20;

/// How much of what is in front of a line is looked at for that.
const BEHIND: usize = 4;

/// A message of a mailbox, or a piece of one that is too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Message<'b> {
    /// Where it begins in the mailbox.
    pub(crate) start: u64,
    /// All of it, its `From ` line and the empty line behind it included.
    pub(crate) bytes: &'b [u8],
    /// Which of the mailbox's messages it is, from 1.
    pub(crate) number: u64,
    /// Of a message that is longer than [`MAX_DOCUMENT`], which piece.
    pub(crate) piece: Option<Piece>,
}

/// Which piece of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    First,
    Other,
}

/// The messages of a mailbox, in memory bounded by the longest of them.
#[derive(Debug)]
pub(crate) struct Mbox<R> {
    reader: R,
    /// What has been read is `buffer[..filled]`.
    buffer: Vec<u8>,
    filled: usize,
    /// Where the buffer begins in the mailbox.
    base: u64,
    /// Where what has not been handed out begins in the buffer.
    start: usize,
    number: u64,
    /// Whether a message has been handed out without its end.
    is_inside: bool,
    complete: bool,
    limit: usize,
    /// No more than `limit`.
    limit_of_piece: usize,
    chunk: usize,
}

impl<R: Read> Mbox<R> {
    /// The messages of the mailbox that `reader` gives.
    pub(crate) fn new(reader: R) -> Self {
        Mbox {
            reader,
            buffer: Vec::new(),
            filled: 0,
            base: 0,
            start: 0,
            number: 0,
            is_inside: false,
            complete: false,
            limit: MAX_DOCUMENT,
            limit_of_piece: MOST_OF_PIECE,
            chunk: CHUNK,
        }
    }

    /// The next message, or `None` at the end. Fails when the reader fails.
    pub(crate) fn next_message(&mut self) -> io::Result<Option<Message<'_>>> {
        let end = self.next_end()?;
        if end == self.start {
            return Ok(None);
        }
        let from = self.start;
        let is_long = end - from > self.most();
        let end = match is_long {
            true => self.cut(),
            false => end,
        };
        let piece = match (self.is_inside, is_long) {
            (false, false) => None,
            (false, true) => Some(Piece::First),
            (true, _) => Some(Piece::Other),
        };
        self.number += u64::from(!self.is_inside);
        self.is_inside = is_long;
        self.start = end;
        Ok(Some(Message {
            start: self.base + from as u64,
            bytes: &self.buffer[from..end],
            number: self.number,
            piece,
        }))
    }

    /// The most that is handed out at once.
    fn most(&self) -> usize {
        match self.is_inside {
            true => self.limit_of_piece,
            false => self.limit,
        }
    }

    /// Where the message ends that begins at `start`, in the buffer; if it is too long, somewhere
    /// beyond the limit.
    fn next_end(&mut self) -> io::Result<usize> {
        let mut from = self.start + usize::from(!self.is_inside);
        let mut claim = None;
        loop {
            // What is beyond matters only when this has been handed out.
            let enough = self.start + self.most() + AHEAD;
            let text = &self.buffer[..self.filled.min(enough)];
            let complete = self.complete && self.filled <= enough;
            match search(text, from, self.base == 0, complete) {
                Search::Found(at) if at == self.start => {
                    self.is_inside = false;
                    from = at + 1;
                }
                Search::Found(at) if text[self.start..at].iter().all(is_break) => from = at + 1,
                Search::Found(at) => {
                    let claim = *claim.get_or_insert_with(|| claimed(&text[self.start..at]));
                    let end = claim.map(|claim| self.start.saturating_add(claim));
                    let Some(end) = end.filter(|&end| end > at && !self.is_inside) else {
                        return Ok(at);
                    };
                    // Everything moves when more is read.
                    let len = at - self.start;
                    let claimed = self.at_claim(end)?;
                    return Ok(claimed.unwrap_or(self.start + len));
                }
                Search::End => return Ok(self.filled),
                Search::More(_) if self.filled >= enough => return Ok(enough),
                Search::More(at) => {
                    let passed = self.fill()?;
                    from = at - passed;
                }
            }
        }
    }

    /// The end of the message, if its claim to end at `end` is true: another one begins there, or
    /// nothing follows.
    fn at_claim(&mut self, end: usize) -> io::Result<Option<usize>> {
        if end - self.start > self.limit {
            return Ok(None);
        }
        let mut end = end;
        while !self.complete && self.filled < end + AHEAD + BEHIND {
            end -= self.fill()?;
        }
        let Some(rest) = self.buffer[..self.filled].get(end..) else {
            return Ok(None);
        };
        let breaks = rest
            .iter()
            .take(BEHIND)
            .take_while(|byte| is_break(byte))
            .count();
        let is_true = breaks == rest.len() || is_postmark(&rest[breaks..]);
        Ok(is_true.then_some(end + breaks))
    }

    /// Where a message that is too long is cut: behind a line, if it has one.
    fn cut(&self) -> usize {
        let piece = &self.buffer[self.start..self.start + self.limit_of_piece];
        let last = memrchr2(b'\n', b'\r', &piece[..piece.len() - 1]);
        self.start + last.map_or(self.limit_of_piece, |last| last + 1)
    }

    /// Reads once. Forgets what has been handed out, and returns by how much everything has moved
    /// forward in the buffer for that.
    fn fill(&mut self) -> io::Result<usize> {
        let done = self.start.saturating_sub(BEHIND);
        let mut passed = 0;
        if done > self.filled / 2 {
            self.buffer.copy_within(done..self.filled, 0);
            self.filled -= done;
            self.start -= done;
            self.base += done as u64;
            passed = done;
        }
        let read = read_once(&mut self.reader, &mut self.buffer, self.filled, self.chunk)?;
        self.complete = read == 0;
        self.filled += read;
        Ok(passed)
    }
}

/// Where the messages of `text` stand, all of which is a mailbox.
pub(crate) fn split(text: &[u8]) -> Vec<Range<usize>> {
    let mut mbox = Mbox::new(text);
    let mut found = Vec::new();
    while let Ok(Some(message)) = mbox.next_message() {
        let start = message.start as usize;
        found.push(start..start + message.bytes.len());
    }
    found
}

/// What became of the search for a message.
enum Search {
    /// One begins here.
    Found(usize),
    /// None does, as far as this.
    More(usize),
    /// None does, and nothing follows.
    End,
}

/// Begins every postmark. Most messages are short, so the searcher is made once for all.
static FROM: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new("From "));

fn search(text: &[u8], from: usize, is_start: bool, complete: bool) -> Search {
    let mut from = from.min(text.len());
    while let Some(at) = FROM.find(&text[from..]).map(|at| from + at) {
        let is_first = is_start && at < BEHIND && text[..at].iter().all(is_break);
        if is_first || is_behind_empty_line(&text[..at]) {
            if text.len() - at < AHEAD && !complete {
                return Search::More(at);
            }
            if is_postmark(&text[at..]) {
                return Search::Found(at);
            }
        }
        from = at + 1;
    }
    match complete {
        true => Search::End,
        false => Search::More(from.max(text.len().saturating_sub("From ".len() - 1))),
    }
}

fn is_break(byte: &u8) -> bool {
    matches!(byte, b'\r' | b'\n')
}

fn is_behind_empty_line(text: &[u8]) -> bool {
    text.ends_with(b"\n\n") || text.ends_with(b"\n\r\n") || text.ends_with(b"\r\r")
}

/// Whether `text` begins with the line that stands in front of a message: it ends in a date, or has
/// only a number, and a header follows.
fn is_postmark(text: &[u8]) -> bool {
    let text = &text[..text.len().min(AHEAD)];
    let end = memchr2(b'\r', b'\n', text).unwrap_or(text.len());
    let (line, rest) = text.split_at(end);
    let Some(line) = line.strip_prefix(b"From ") else {
        return false;
    };
    let words = || {
        line.split(u8::is_ascii_whitespace)
            .filter(|word| !word.is_empty())
    };
    let (mut time, mut month, mut day) = (false, false, false);
    for word in words() {
        time |= is_time(word);
        month |= is_month(word);
        day |= is_year(word) || is_weekday(word);
    }
    let is_dated = time && month && day;
    // So Google keeps what was said on Usenet.
    let is_numbered = || words().count() == 1 && words().all(is_number);
    (is_dated || is_numbered()) && is_header(rest.trim_ascii_start(), rest.is_empty())
}

fn is_header(text: &[u8], is_end: bool) -> bool {
    let name = text
        .iter()
        .take_while(|byte| matches!(byte, b'!'..=b'9' | b';'..=b'~'));
    let len = name.count();
    let rest = text[len..]
        .iter()
        .find(|byte| !matches!(byte, b' ' | b'\t'));
    let is_empty = is_end || text.is_empty();
    let is_postmark = text.starts_with(b"From ") || text.starts_with(b">From ");
    is_empty || is_postmark || (len > 0 && rest == Some(&b':'))
}

/// `9:30` or `09:30:00`.
fn is_time(word: &[u8]) -> bool {
    let mut parts = word.split(|&byte| byte == b':');
    let is_hour = parts
        .next()
        .is_some_and(|hour| hour.len() <= 2 && is_digits(hour));
    let mut others = 0;
    is_hour
        && parts.all(|part| {
            others += 1;
            part.len() == 2 && is_digits(part)
        })
        && (1..=2).contains(&others)
}

fn is_month(word: &[u8]) -> bool {
    matches!(
        word,
        b"Jan"
            | b"Feb"
            | b"Mar"
            | b"Apr"
            | b"May"
            | b"Jun"
            | b"Jul"
            | b"Aug"
            | b"Sep"
            | b"Oct"
            | b"Nov"
            | b"Dec"
    )
}

fn is_weekday(word: &[u8]) -> bool {
    let word = word.strip_suffix(b",").unwrap_or(word);
    matches!(
        word,
        b"Mon" | b"Tue" | b"Wed" | b"Thu" | b"Fri" | b"Sat" | b"Sun"
    )
}

fn is_year(word: &[u8]) -> bool {
    word.len() == 4 && is_digits(word) && matches!(&word[..2], b"19" | b"20")
}

fn is_number(word: &[u8]) -> bool {
    is_digits(word.strip_prefix(b"-").unwrap_or(word))
}

fn is_digits(word: &[u8]) -> bool {
    !word.is_empty() && word.iter().all(u8::is_ascii_digit)
}

/// Ends most headers.
static EMPTY_LINE: LazyLock<memmem::Finder<'static>> =
    LazyLock::new(|| memmem::Finder::new("\n\n"));

/// Ends `Content-Length:`.
static LENGTH: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new("ength:"));

/// How long a message says that it is, header included. `text` is its beginning, with all of its
/// header.
fn claimed(text: &[u8]) -> Option<usize> {
    let mut body = EMPTY_LINE.find(text).map(|at| at + "\n\n".len());
    if memchr(b'\r', &text[..body.unwrap_or(text.len())]).is_some() {
        for end in [&b"\n\r\n"[..], b"\r\r"] {
            // What ends the header otherwise ends it before.
            let header = &text[..body.unwrap_or(text.len())];
            body = memmem::find(header, end).map(|at| at + end.len()).or(body);
        }
    }
    let body = body?;
    let header = &text[..body];
    let at = LENGTH.find_iter(header).find(|&at| {
        let line = &header[..at];
        let from = memrchr2(b'\n', b'\r', line).map_or(0, |last| last + 1);
        line[from..].eq_ignore_ascii_case(b"content-l")
    })?;
    let value = &header[at + "ength:".len()..];
    let value = value[..memchr2(b'\r', b'\n', value)?].trim_ascii();
    let len: usize = std::str::from_utf8(value).ok()?.parse().ok()?;
    body.checked_add(len)
}

#[cfg(test)]
mod tests;
