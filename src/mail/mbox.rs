//! Mailboxes: messages one after the other, each after a [separator](Separator), usually a line
//! that begins with `From `.
//!
//! RFC 4155 describes such lines, but no two programs agree on them. A message begins at a line
//! that begins with `From ` and ends in a date, at the start of the file or after an empty line.
//! Such a line inside a message begins no other message if the message states its length
//! (`Content-Length`) and another one does begin at that end. All articles of a Usenet batch state
//! theirs.

pub(crate) mod separator;

use std::io::{self, Read};
use std::ops::Range;
use std::sync::LazyLock;

use memchr::{memchr, memchr2, memmem, memrchr2};
pub use separator::Separator;

use super::lines::{breaks, is_break};
use urlint_standard::text::buffer::Buffer;
use urlint_standard::text::{Span, Window};

/// How many bytes are requested from the reader at once.
const READ_SIZE: usize = 256 * 1024;

/// How many bytes are needed to decide whether a message begins at a line.
const AHEAD: usize = 1024;

/// The longest piece of a message that is too long, in bytes.
const MAX_PIECE: usize = 4 << 20;

/// How many bytes before a line are needed to decide whether a message begins at it.
const BEFORE: usize = 4;

/// A message of a mailbox, or a piece of one that is too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message<'b> {
    /// Its offset in the mailbox.
    pub start: u64,
    /// All of its bytes, from the separator before it up to the next separator.
    pub bytes: &'b [u8],
    /// Its number in the mailbox, from 1.
    pub number: u64,
    /// Which piece it is, if the message is longer than the limit.
    pub piece: Option<Piece>,
}

/// Whether a piece of a message is the first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    First,
    Other,
}

/// The messages of a mailbox, in memory bounded by the longest of them. All offsets count from the
/// start of the mailbox.
#[derive(Debug)]
pub struct Mbox<R> {
    buffer: Buffer<R>,
    /// The separator of the messages, once the first bytes have been read.
    separator: Option<Separator>,
    /// The start of the bytes that have not been returned.
    start: u64,
    /// The number of the last message that was returned.
    number: u64,
    /// Whether the last message was returned without its end.
    is_inside: bool,
    /// The greatest length of a message, in bytes.
    limit: usize,
    /// The greatest length of a piece of a message; at most `limit`.
    limit_of_piece: usize,
    read_size: usize,
}

impl<R: Read> Mbox<R> {
    /// Reads the mailbox from `reader`. A message of more than `limit` bytes is returned in pieces.
    pub fn new(reader: R, limit: usize) -> Self {
        Mbox {
            buffer: Buffer::new(reader),
            separator: None,
            start: 0,
            number: 0,
            is_inside: false,
            limit,
            limit_of_piece: MAX_PIECE.min(limit),
            read_size: READ_SIZE,
        }
    }

    /// The next message, or `None` at the end. Fails when the reader fails.
    pub fn next_message(&mut self) -> io::Result<Option<Message<'_>>> {
        let end = self.next_end()?;
        let start = self.start;
        if end == start {
            return Ok(None);
        }
        let is_long = end - start > self.max_len() as u64;
        let end = if is_long { self.cut() } else { end };
        let piece = match (self.is_inside, is_long) {
            (false, false) => None,
            (false, true) => Some(Piece::First),
            (true, _) => Some(Piece::Other),
        };
        self.number += u64::from(!self.is_inside);
        self.is_inside = is_long;
        self.start = end;
        Ok(Some(Message {
            start,
            bytes: self.buffer.window().slice(Span::new(start, end)),
            number: self.number,
            piece,
        }))
    }

    /// The separator of the messages. Fails when the reader fails.
    pub fn separator(&mut self) -> io::Result<Separator> {
        if let Some(separator) = self.separator {
            return Ok(separator);
        }
        while !self.buffer.is_complete() && self.buffer.end() < separator::HEAD as u64 {
            self.fill()?;
        }
        let separator = Separator::of(self.buffer.bytes());
        self.separator = Some(separator);
        Ok(separator)
    }

    /// Returns the greatest number of bytes that are returned at once.
    fn max_len(&self) -> usize {
        if self.is_inside {
            self.limit_of_piece
        } else {
            self.limit
        }
    }

    /// Returns the end of the message at `start`, or any offset beyond the limit if the message is
    /// too long.
    fn next_end(&mut self) -> io::Result<u64> {
        let separator = self.separator()?;
        let mut from = self.start + u64::from(!self.is_inside);
        let mut claim = None;
        loop {
            // Later bytes matter only when this message has been returned.
            let enough = self.start + (self.max_len() + AHEAD) as u64;
            let is_all = self.buffer.is_complete() && self.buffer.end() <= enough;
            let window = self.buffer.window().up_to(enough);
            match search(separator, window, from, is_all) {
                Search::Found(at) if at == self.start => {
                    self.is_inside = false;
                    from = at + 1;
                }
                Search::Found(at) => {
                    let text = window.slice(Span::new(self.start, at));
                    if text.iter().all(is_break) {
                        from = at + 1;
                        continue;
                    }
                    let claim = *claim.get_or_insert_with(|| match separator {
                        Separator::From => claimed(text),
                        Separator::Rnews => separator::article(text)
                            .and_then(|(line, length)| line.checked_add(length)),
                    });
                    let end = claim.map(|claim| self.start.saturating_add(claim as u64));
                    let end = end.filter(|&end| end > at && !self.is_inside);
                    let claimed = end.map(|end| self.at_claim(separator, end)).transpose()?;
                    return Ok(claimed.flatten().unwrap_or(at));
                }
                Search::End => return Ok(self.buffer.end()),
                Search::More(_) if self.buffer.end() >= enough => return Ok(enough),
                Search::More(at) => {
                    self.fill()?;
                    from = at;
                }
            }
        }
    }

    /// Returns the end of the message if its claim to end at `end` is true: another message begins
    /// there, or nothing follows.
    fn at_claim(&mut self, separator: Separator, end: u64) -> io::Result<Option<u64>> {
        if end - self.start > self.limit as u64 {
            return Ok(None);
        }
        while !self.buffer.is_complete() && self.buffer.end() < end + (AHEAD + BEFORE) as u64 {
            self.fill()?;
        }
        if end > self.buffer.end() {
            return Ok(None);
        }
        let rest = self.buffer.window().from(end);
        let breaks = breaks(&rest[..rest.len().min(BEFORE)]);
        let is_true = breaks == rest.len() || separator.begins(&rest[breaks..]);
        Ok(is_true.then_some(end + breaks as u64))
    }

    /// Returns the offset at which a message that is too long is cut: the end of a line, if there
    /// is one.
    fn cut(&self) -> u64 {
        let text = self.buffer.window().from(self.start);
        let piece = &text[..self.limit_of_piece.min(text.len())];
        let last = memrchr2(b'\n', b'\r', &piece[..piece.len().saturating_sub(1)]);
        self.start + last.map_or(piece.len(), |last| last + 1) as u64
    }

    /// Reads once. Before that, drops the messages that have been returned if they fill most of the
    /// buffer.
    fn fill(&mut self) -> io::Result<()> {
        let done = self.start.saturating_sub(BEFORE as u64);
        if done.saturating_sub(self.buffer.start()) > self.buffer.bytes().len() as u64 / 2 {
            self.buffer.forget(done);
        }
        self.buffer.read(self.read_size)?;
        Ok(())
    }
}

/// The ranges of the messages of `text`, which is a whole mailbox, with pieces of those of more than `limit` bytes.
pub fn split(text: &[u8], limit: usize) -> Vec<Range<usize>> {
    let mut mbox = Mbox::new(text, limit);
    let mut found = Vec::new();
    while let Ok(Some(message)) = mbox.next_message() {
        let start = message.start as usize;
        found.push(start..start + message.bytes.len());
    }
    found
}

/// The result of the search for a message.
enum Search {
    /// A message begins here.
    Found(u64),
    /// No message begins before this offset; the search continues there with more bytes.
    More(u64),
    /// No message begins, and no bytes follow.
    End,
}

/// Searches for the beginning of a message from `from` on; `is_all` says that the mailbox ends with
/// the window.
fn search(separator: Separator, window: Window<'_>, from: u64, is_all: bool) -> Search {
    let finder = separator.finder();
    let text = window.bytes;
    let offset = |at: usize| window.start + at as u64;
    let mut from = (from.saturating_sub(window.start) as usize).min(text.len());
    while let Some(at) = finder.find(&text[from..]).map(|at| from + at) {
        let is_first = offset(at) < BEFORE as u64 && text[..at].iter().all(is_break);
        if is_first || separator.is_after(&text[..at]) {
            if text.len() - at < AHEAD && !is_all {
                return Search::More(offset(at));
            }
            if separator.begins(&text[at..]) {
                return Search::Found(offset(at));
            }
        }
        from = at + 1;
    }
    if is_all {
        return Search::End;
    }
    let undecided = text.len().saturating_sub(finder.needle().len() - 1);
    Search::More(offset(from.max(undecided)))
}

fn is_after_empty_line(text: &[u8]) -> bool {
    text.ends_with(b"\n\n") || text.ends_with(b"\n\r\n") || text.ends_with(b"\r\r")
}

/// Returns whether `text` begins with the `From ` line of a message: the line ends in a date or
/// holds nothing but a number, and a header follows.
fn is_postmark(text: &[u8]) -> bool {
    let text = &text[..text.len().min(AHEAD)];
    let end = memchr2(b'\r', b'\n', text).unwrap_or(text.len());
    let (line, rest) = text.split_at(end);
    let Some(line) = line.strip_prefix(b"From ") else {
        return false;
    };
    // Google's archive of Usenet writes only a number.
    let is_number = |word: &[u8]| is_digits(word.strip_prefix(b"-").unwrap_or(word));
    let is_numbered = || words(line).count() == 1 && words(line).all(is_number);
    (is_dated(line) || is_numbered()) && is_header(rest.trim_ascii_start(), rest.is_empty())
}

fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let words = line.split(u8::is_ascii_whitespace);
    words.filter(|word| !word.is_empty())
}

/// Returns whether words of `line` are a date with a time: `Mar 3 12:00 2003`, or `Mon, 3 Mar 12:00:00`.
pub fn is_dated(line: &[u8]) -> bool {
    let (mut time, mut month, mut day) = (false, false, false);
    for word in words(line) {
        time |= is_time(word);
        month |= is_among(word, b"JanFebMarAprMayJunJulAugSepOctNovDec");
        let name = word.strip_suffix(b",").unwrap_or(word);
        day |= is_year(word) || is_among(name, b"MonTueWedThuFriSatSun");
    }
    time && month && day
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

/// Returns whether a word is a time like `9:30` or `09:30:00`.
fn is_time(word: &[u8]) -> bool {
    let hour = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (others, rest) = word[hour..].as_chunks::<3>();
    let is_other = |other: &[u8; 3]| other[0] == b':' && is_digits(&other[1..]);
    let has_parts = matches!((hour, others.len()), (1..=2, 1..=2)) && rest.is_empty();
    has_parts && others.iter().all(is_other)
}

/// Returns whether a word is one of `names`, which have three letters each.
fn is_among(word: &[u8], names: &[u8]) -> bool {
    let (names, _) = names.as_chunks();
    <[u8; 3]>::try_from(word).is_ok_and(|word| names.contains(&word))
}

fn is_year(word: &[u8]) -> bool {
    word.len() == 4 && is_digits(word) && matches!(&word[..2], b"19" | b"20")
}

fn is_digits(word: &[u8]) -> bool {
    !word.is_empty() && word.iter().all(u8::is_ascii_digit)
}

/// The end of most headers.
static EMPTY_LINE: LazyLock<memmem::Finder<'static>> =
    LazyLock::new(|| memmem::Finder::new("\n\n"));

/// The end of `Content-Length:`.
static LENGTH: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new("ength:"));

/// The length of a message by its `Content-Length`, header included. `text` is the start of the
/// message, with all of its header.
fn claimed(text: &[u8]) -> Option<usize> {
    let mut body = EMPTY_LINE.find(text).map(|at| at + "\n\n".len());
    if memchr(b'\r', &text[..body.unwrap_or(text.len())]).is_some() {
        for end in [&b"\n\r\n"[..], b"\r\r"] {
            // A header with other line ends may end earlier.
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
