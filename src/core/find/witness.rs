//! Unbroken URLs elsewhere in the input: evidence of where broken ones end.
//!
//! A URL that is broken in one message is often unbroken in another. A wrong join occurs nowhere.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::hash::{BuildHasherDefault, Hasher};
use std::mem;
use std::sync::Arc;

use memchr::memmem;

use crate::text::window::is_blank;

/// The unbroken URLs of texts, and all their beginnings that end before a delimiter.
///
/// The order of the texts does not matter. A URL counts if it occurs in the texts of two senders, since one may
/// have made it up. In the thread of a message, one is enough. The URLs are remembered exactly as long as there
/// are some tens of thousands. If there are more, a Bloom filter of 32 MiB takes their place. When it has two
/// million URLs, it mistakes one in a thousand of all others for one of them.
///
/// ```
/// use urlint::find::{Unbroken, Witnesses};
/// use urlint::Finder;
///
/// let text = b"see http://a.example/linux/\nguides for all";
/// let url = |finder: Finder| finder.find(text).next().unwrap().url().to_vec();
/// assert_eq!(url(Finder::default()), b"http://a.example/linux/");
///
/// let mut witnesses = Witnesses::default();
/// for name in [b"a.txt", b"b.txt"] {
///     witnesses.add(&Unbroken::of(b"I read http://a.example/linux/guides yesterday.\n", name));
/// }
/// let finder = Finder::default().with_witnesses(witnesses);
/// assert_eq!(url(finder), b"http://a.example/linux/guides");
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Witnesses {
    hashes: Arc<Hashes>,
    places: Arc<Places>,
}

/// The unbroken URLs of a text, to be [added](Witnesses::add) to others.
#[derive(Clone, Debug)]
pub struct Unbroken {
    /// The hashes of the URLs and of their beginnings. Some occur twice.
    hashes: Vec<u64>,
    /// The hash of each URL, and its line, if the place is known.
    lines: Vec<(u64, u64)>,
    file: Arc<[u8]>,
}

/// A set of hashes.
#[derive(Clone, PartialEq, Eq)]
enum Hashes {
    Few(HashSet<u64, BuildHasherDefault<Mixed>>),
    /// A Bloom filter, of which each hash sets bits in one word.
    Many(Box<[u64]>),
}

/// The first file and line where each URL occurs, by its hash.
#[derive(Clone, Default, PartialEq, Eq)]
struct Places {
    first: HashMap<u64, (Arc<[u8]>, u64), BuildHasherDefault<Mixed>>,
    /// If so, none is remembered.
    are_too_many: bool,
}

/// The evidence about a URL that ends a line, and about the longer one that it makes with the next word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// Neither occurs anywhere, or both do.
    Nothing,
    /// An unbroken URL begins with the long one, and none is the short one.
    Long,
    /// An unbroken URL is the short one, and none begins as the long one does.
    Short,
}

/// How many hashes are remembered exactly.
const MOST_EXACT: usize = (1 << 18) / 8 * 7;

/// The number of words of the Bloom filter, a power of two.
const WORDS: usize = 1 << 22;

/// How many places are remembered.
const MOST_PLACES: usize = (1 << 19) / 8 * 7;

/// The longest URL that is remembered, in bytes.
const MAX_LEN: usize = 2048;

/// How many hashes of a text are looked at to leave out repeated ones.
const RECENT: usize = 1 << 12;

impl Unbroken {
    /// Returns the unbroken URLs of http, https and ftp in `text`, which consists of whole lines of the file
    /// `file`.
    ///
    /// ```
    /// use urlint::find::{Unbroken, Witnesses};
    ///
    /// let mut witnesses = Witnesses::default();
    /// witnesses.add(&Unbroken::of(b"see http://a.example/linux/ there\n", b"a.txt"));
    /// assert_eq!(witnesses.place(b"http://a.example/linux/"), None);
    /// ```
    #[must_use]
    pub fn of(text: &[u8], file: &[u8]) -> Self {
        Unbroken::gather(text, file, None, false)
    }

    /// Returns the URLs of `text`, as [`of`](Self::of) does, and their places: `text` begins with the line
    /// `line`, from 1, of `file`.
    ///
    /// ```
    /// use urlint::find::{Unbroken, Witnesses};
    ///
    /// let text = b"I read\nhttp://a.example/linux/guides yesterday.\n";
    /// let mut witnesses = Witnesses::default();
    /// witnesses.add(&Unbroken::placed(text, b"a.txt", 1));
    /// let place = witnesses.place(b"https://a.example/linux/guides");
    /// assert_eq!(place, Some((&b"a.txt"[..], 2)));
    /// ```
    #[must_use]
    pub fn placed(text: &[u8], file: &[u8], line: u64) -> Self {
        Unbroken::gather(text, file, Some(line), false)
    }

    /// Returns the URLs of `text`, as [`placed`](Self::placed) does if there is a `line`. If it is a part of a
    /// mailbox, each message is a document by itself, of which the first is left out unless it begins there.
    #[doc(hidden)]
    #[must_use]
    pub fn gather(text: &[u8], file: &[u8], mut line: Option<u64>, is_mailbox: bool) -> Self {
        let (mut hashes, mut lines) = (Vec::new(), Vec::new());
        let mut recent = vec![0; RECENT];
        let starts = memmem::find_iter(text, b"\nFrom ").map(|at| at + 1);
        let starts = (text.starts_with(b"From ").then_some(0))
            .into_iter()
            .chain(starts);
        let mut messages = starts.filter(|_| is_mailbox).peekable();
        let mut origin = if is_mailbox {
            [None; 2]
        } else {
            origin(text, file)
        };
        let mut counted = 0;
        each_url(text, |at, url, is_whole| {
            while let Some(start) = messages.next_if(|&start| start < at) {
                origin = self::origin(&text[start..], b"");
            }
            if let Some(line) = &mut line {
                *line += memchr::memchr_iter(b'\n', &text[counted..at]).count() as u64;
                counted = at;
                if is_whole {
                    lines.push((hash(url), *line));
                }
            }
            each_hash(url, is_whole, |part, state| {
                for own in origin.into_iter().flatten() {
                    let hash = finish(state, part, own);
                    let seen = &mut recent[hash as usize % RECENT];
                    if *seen != hash {
                        *seen = hash;
                        hashes.push(hash);
                    }
                }
            });
        });
        Unbroken {
            hashes,
            lines,
            file: file.into(),
        }
    }
}

impl Witnesses {
    /// Adds the URLs of a text, as in the [example](Unbroken::placed) of their places. If the places of more
    /// than some 450,000 become known, none is remembered.
    pub fn add(&mut self, unbroken: &Unbroken) {
        if !unbroken.hashes.is_empty() {
            let hashes = Arc::make_mut(&mut self.hashes);
            hashes.insert(&unbroken.hashes);
        }
        if !unbroken.lines.is_empty() && !self.places.are_too_many {
            let places = Arc::make_mut(&mut self.places);
            (unbroken.lines.iter())
                .for_each(|&(hash, line)| places.add(hash, &unbroken.file, line));
        }
    }

    /// Returns the file and the line, from 1, where `url` occurs unbroken; `None` if that was not
    /// remembered.
    #[must_use]
    pub fn place(&self, url: &[u8]) -> Option<(&[u8], u64)> {
        let hash = hash(trimmed(without_scheme(url)?));
        let (file, line) = self.places.first.get(&hash)?;
        Some((file, *line))
    }

    /// Returns the evidence about `url`, and about `url` followed by `next`.
    pub(crate) fn seen(&self, url: &[u8], next: &[u8], thread: Option<u64>) -> Seen {
        let Some(short) = without_scheme(url) else {
            return Seen::Nothing;
        };
        let long = [short, next].concat();
        // Whoever can add a document must not choose the host of another one's URL. A letter or two may be
        // broken themselves.
        let is_bit = next.len() < 3 && next.iter().all(u8::is_ascii_alphabetic);
        if is_bit || authority(&long).len() > short.len() {
            return Seen::Nothing;
        }
        // Of the next word, another URL may have only the first segment.
        let first = next.iter().skip(1).position(|&byte| is_delimiter(byte));
        let begun = &long[..first.map_or(long.len(), |first| short.len() + 1 + first)];
        let has = |url, part| self.has(url, part, thread);
        match (has(&long, Extent::Beginning), has(short, Extent::Whole)) {
            (true, false) => Seen::Long,
            (false, true) if !has(begun, Extent::Beginning) => Seen::Short,
            _ => Seen::Nothing,
        }
    }

    /// Returns whether `url` begins an unbroken URL of several senders or of `thread`.
    pub(crate) fn has_beginning(&self, url: &[u8], thread: Option<u64>) -> bool {
        self.has(
            without_scheme(url).unwrap_or(url),
            Extent::Beginning,
            thread,
        )
    }

    /// Returns whether `url` is in texts of two senders, since one of them may have made it up, or in `thread`.
    fn has(&self, url: &[u8], part: Extent, thread: Option<u64>) -> bool {
        let url = trimmed(url);
        let state = state(url);
        let is_known = |own: &u64| self.hashes.contains(finish(state, part, *own));
        !url.is_empty()
            && (thread.is_some_and(|thread| is_known(&thread))
                || (0..SENDERS).filter(is_known).count() > 1)
    }
}

impl Places {
    fn add(&mut self, hash: u64, file: &Arc<[u8]>, line: u64) {
        if self.are_too_many {
            return;
        }
        let first = self.first.entry(hash);
        let first = first.or_insert_with(|| (file.clone(), line));
        if (&**file, line) < (&*first.0, first.1) {
            *first = (file.clone(), line);
        }
        if self.first.len() > MOST_PLACES {
            self.first = HashMap::default();
            self.are_too_many = true;
        }
    }
}

impl Hashes {
    fn insert(&mut self, mut new: &[u64]) {
        if let Hashes::Few(few) = self {
            while few.len() <= MOST_EXACT {
                let Some((first, rest)) = new.split_first() else {
                    return;
                };
                few.insert(*first);
                new = rest;
            }
            let few: Vec<_> = mem::take(few).into_iter().collect();
            *self = Hashes::Many(vec![0; WORDS].into());
            self.insert(&few);
        }
        if let Hashes::Many(words) = self {
            new.iter().for_each(|&hash| words[word(hash)] |= bits(hash));
        }
    }

    fn contains(&self, hash: u64) -> bool {
        match self {
            Hashes::Few(hashes) => hashes.contains(&hash),
            Hashes::Many(words) => words[word(hash)] & bits(hash) == bits(hash),
        }
    }
}

impl Default for Hashes {
    fn default() -> Self {
        Hashes::Few(HashSet::default())
    }
}

/// Returns which word of the Bloom filter `hash` sets bits of.
fn word(hash: u64) -> usize {
    (hash >> 40) as usize & (WORDS - 1)
}

/// Returns the bits that `hash` sets.
fn bits(hash: u64) -> u64 {
    let shifts = [0, 6, 12, 18];
    shifts
        .iter()
        .fold(0, |bits, shift| bits | 1 << (hash >> shift & 63))
}

impl fmt::Debug for Witnesses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Witnesses").finish_non_exhaustive()
    }
}

/// The hash of a hash: itself.
#[derive(Default)]
struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = step(self.0, byte));
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

/// The parts of a URL that are remembered.
#[derive(Clone, Copy)]
enum Extent {
    Beginning = 0,
    Whole = 1,
}

/// The state of a hash of no bytes.
const START: u64 = 0xCBF2_9CE4_8422_2325;

/// Adds a byte to the state of a hash, as FNV-1a does.
fn step(state: u64, byte: u8) -> u64 {
    (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
}

/// How many senders are distinguished. Several may count as one, but never one as several.
const SENDERS: u64 = 16;

/// The bit that tells threads from senders.
const FIRST_THREAD: u64 = 1 << 32;

/// How many lines of a header are looked at.
const MAX_FIELDS: usize = 256;

/// Returns the numbers of the sender of the message `text` and of its thread. Without a header, they are the
/// numbers of the document `name`.
fn origin(text: &[u8], name: &[u8]) -> [Option<u64>; 2] {
    let field = |label: &[u8], ends: [u8; 2]| {
        let lines = text
            .split(|&byte| byte == b'\n')
            .map(<[u8]>::trim_ascii_end);
        let mut header = lines.take(MAX_FIELDS).take_while(|line| !line.is_empty());
        let value = header.find_map(|line| line.strip_prefix(label))?;
        // Names are before the address; answers and lists put marks before the subject.
        let mut parts = value
            .rsplit(|byte| ends.contains(byte))
            .map(<[u8]>::trim_ascii);
        parts.find(|part| !part.is_empty())
    };
    let sender = state(field(b"From: ", *b"<>").unwrap_or(name));
    let thread = field(b"Subject: ", *b":]").map(|subject| state(subject) | FIRST_THREAD);
    [Some((sender ^ (sender >> 32)) % SENDERS), thread]
}

/// Returns the thread of the message `text`, by its header.
pub(crate) fn thread(text: &[u8]) -> Option<u64> {
    origin(text, b"")[1]
}

/// Spreads the state over all bits of the hash. All hashes of a URL are in the same word of the filter.
fn finish(state: u64, part: Extent, own: u64) -> u64 {
    let mixed = (state ^ (state >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = mixed ^ (mixed >> 29);
    let own = (own << 2) | (part as u64 * 2 + 1);
    mixed ^ (((mixed >> 20).wrapping_mul(own.wrapping_mul(0x9E37_79B9)) >> 8) & 0xFF_FFFF)
}

fn state(url: &[u8]) -> u64 {
    url.iter().fold(START, |state, &byte| step(state, byte))
}

/// Returns the key of a URL in [`Places`].
fn hash(url: &[u8]) -> u64 {
    finish(state(url), Extent::Whole, 0)
}

/// Passes the states of the hash at the ends of the beginnings of `url` to `visit`, and the state at the end of
/// `url` if it is whole. A beginning has the whole authority, since the authority of another URL must not take
/// its place.
fn each_hash(url: &[u8], is_whole: bool, mut visit: impl FnMut(Extent, u64)) {
    let path = authority(url).len();
    let mut state = START;
    for (at, &byte) in url.iter().enumerate() {
        if is_delimiter(byte) && at >= path && at > 0 && !is_delimiter(url[at - 1]) {
            visit(Extent::Beginning, state);
        }
        state = step(state, byte);
    }
    if is_whole {
        visit(Extent::Beginning, state);
        visit(Extent::Whole, state);
    }
}

/// Passes the URLs in `text` to `visit`: where each begins, the URL without its scheme, and whether it
/// is unbroken.
#[doc(hidden)]
pub fn each_url(text: &[u8], mut visit: impl FnMut(usize, &[u8], bool)) {
    for slashes in memmem::find_iter(text, b"://") {
        if !ends_in_scheme(&text[..slashes]) {
            continue;
        }
        let rest = &text[slashes + "://".len()..];
        let len = rest.iter().take(MAX_LEN).position(|&byte| ends_url(byte));
        if let Some(len) = len {
            visit(slashes, trimmed(&rest[..len]), is_unbroken(&rest[len..]));
        }
    }
}

/// Returns the authority of a URL without its scheme.
fn authority(url: &[u8]) -> &[u8] {
    let end = url.iter().position(|byte| b"/?#".contains(byte));
    &url[..end.unwrap_or(url.len())]
}

fn without_scheme(url: &[u8]) -> Option<&[u8]> {
    let slashes = memmem::find(url, b"://")?;
    Some(&url[slashes + "://".len()..])
}

/// Returns whether `text` ends in a scheme of links that people send each other.
fn ends_in_scheme(text: &[u8]) -> bool {
    let near = &text[text.len().saturating_sub(5)..];
    let schemes: [&[u8]; 3] = [b"http", b"https", b"ftp"];
    let mut schemes = schemes.iter();
    schemes.any(|scheme| {
        let start = near.len().saturating_sub(scheme.len());
        near[start..].eq_ignore_ascii_case(scheme)
    })
}

/// Which bytes end a URL, and which are delimiters in one.
const ENDS: [bool; 256] = {
    let mut ends = table(b"<>\"'`{}|\\^)]\x7F");
    let mut byte = 0;
    while byte <= b' ' {
        ends[byte as usize] = true;
        byte += 1;
    }
    ends
};
const DELIMITERS: [bool; 256] = table(b"/?#&=;:.,-_+~%");

const fn table(bytes: &[u8]) -> [bool; 256] {
    let mut table = [false; 256];
    let mut at = 0;
    while at < bytes.len() {
        table[bytes[at] as usize] = true;
        at += 1;
    }
    table
}

fn ends_url(byte: u8) -> bool {
    ENDS[usize::from(byte)]
}

fn is_delimiter(byte: u8) -> bool {
    DELIMITERS[usize::from(byte)]
}

/// Returns `url` without the punctuation at its end.
fn trimmed(url: &[u8]) -> &[u8] {
    let last = url.iter().rposition(|byte| !b".,:;!?*".contains(byte));
    &url[..last.map_or(0, |last| last + 1)]
}

/// Returns whether a URL ends where `rest` begins, rather than being broken there. At the end of a line
/// it may be, unless a blank line or another URL follows.
fn is_unbroken(rest: &[u8]) -> bool {
    let is_break = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let blanks = rest.iter().take_while(|&&byte| is_blank(byte)).count();
    if !rest.get(blanks).is_some_and(is_break) {
        return !rest.is_empty();
    }
    let next = &rest[blanks + 1..];
    let next = next.strip_prefix(b"\n").unwrap_or(next);
    let is_mark = |byte: &u8| is_blank(*byte) || b">|".contains(byte);
    let marks = next.iter().take_while(|byte| is_mark(byte)).count();
    let next = &next[marks..];
    next.first().is_none_or(is_break) || next.starts_with(b"http")
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Seen = Seen::Long;
    const SHORT: Seen = Seen::Short;

    /// The evidence after reading a text.
    fn seen(text: &str, url: &str, next: &str) -> Seen {
        let mut witnesses = Witnesses::default();
        for file in [&b"a"[..], b"b"] {
            witnesses.add(&Unbroken::of(text.as_bytes(), file));
        }
        witnesses.seen(url.as_bytes(), next.as_bytes(), None)
    }

    #[test]
    fn urls_are_witnesses_where_they_are_not_broken() {
        let cases = [
            ("", Seen::Nothing),
            ("a http://h/x/xyz b\n", LONG),
            ("a https://h/x/xyz/more b\n", LONG),
            ("a http://h/x/xyzmore b\n", Seen::Nothing),
            ("a http://h/x/ b\n", SHORT),
            ("a http://h/x/. B\n", SHORT),
            ("<http://h/x/>\n", SHORT),
            ("a http://h/x/ b http://h/x/xyz c\n", Seen::Nothing),
            ("http://h/x/\nxyz\n", Seen::Nothing),
            ("> http://h/x/\n>\n", SHORT),
            ("http://h/x/\r\n\r\nxyz\n", SHORT),
            ("http://h/x/\nhttp://h/\n", SHORT),
            ("http://h/x/xyz\nmore\n", Seen::Nothing),
            ("http://h/x/xyz/mo\nre\n", LONG),
            ("gopher://h/x/xyz b\n", Seen::Nothing),
            ("http://h/x/xyz", Seen::Nothing),
            ("://h/x/xyz b", Seen::Nothing),
        ];
        for (text, expected) in cases {
            assert_eq!(seen(text, "http://h/x/", "xyz"), expected, "{text:?}");
        }
        let text =
            "a http://bank.exampleand b http://bank.example/and c http://bank.example:8/ d\n";
        for (next, expected) in [
            ("and", Seen::Nothing),
            (":8/", Seen::Nothing),
            ("/and", LONG),
        ] {
            assert_eq!(
                seen(text, "http://bank.example", next),
                expected,
                "{next:?}"
            );
        }
    }

    #[test]
    fn what_begins_with_the_next_word_is_no_witness_against_it() {
        let text = "a http://h/x/ b http://h/x/xyz#s c\n";
        assert_eq!(seen(text, "http://h/x/", "xyz#t"), Seen::Nothing);
        assert_eq!(seen(text, "http://h/x/", "y/t"), SHORT);
    }

    #[test]
    fn one_sender_is_believed_in_the_thread_alone() {
        let message = |from: &str, subject: &str| {
            format!("From x\nFrom: {from}\nSubject: {subject}\n\nat http://h/x/xyz b\n\n")
        };
        let cases = [
            (message("J <j@a>", "x"), true),
            (message("J <j@a>", "Re: [list] x"), true),
            (message("J <j@a>", "y"), false),
            (message("J <j@a>", ""), false),
            (message("J <j@a>", "y") + &message("j@a", "z"), false),
            (message("J <j@a>", "y") + &message("k@c", "z"), true),
            // The first message is cut off.
            ("Subject: x\n\nat http://h/x/xyz b\n".to_owned(), false),
        ];
        for (mailbox, expected) in cases {
            let mut witnesses = Witnesses::default();
            witnesses.add(&Unbroken::gather(mailbox.as_bytes(), b"list", None, true));
            let seen = witnesses.seen(b"http://h/x/", b"xyz", thread(b"Subject: Re: x\n"));
            assert_eq!(seen == Seen::Long, expected, "{mailbox}");
        }
    }

    #[test]
    fn their_order_does_not_matter() {
        let texts = [&b"http://a.example/x y\n"[..], b"<http://b.example/>\n"];
        let of = |texts: &[&[u8]]| {
            let mut witnesses = Witnesses::default();
            let texts = texts.iter().copied();
            texts.for_each(|text| witnesses.add(&Unbroken::of(text, b"a")));
            witnesses
        };
        assert!(of(&texts) == of(&[texts[1], texts[0], texts[1]]));
        assert!(of(&texts) != of(&texts[..1]));
    }

    #[test]
    fn the_first_place_counts() {
        let mut witnesses = Witnesses::default();
        let mut add = |text: &[u8], file, line| witnesses.add(&Unbroken::placed(text, file, line));
        add(b"\nhttp://h/x/y z\nhttp://h/x/xyz b\n", b"b", 5);
        add(b"http://h/x/y z\n\nhttp://h/x/xyz b\n", b"a", 8);
        for (url, expected) in [
            ("http://h/x/xyz", Some((&b"a"[..], 10))),
            ("https://h/x/y", Some((b"a", 8))),
            ("http://h/x/y/z", None),
            ("http://h/x", None),
        ] {
            assert_eq!(witnesses.place(url.as_bytes()), expected, "{url}");
        }
        // Beyond the limit, not one is kept, whatever the order.
        let many =
            (0..MOST_PLACES).fold(String::new(), |text, n| text + &format!("http://h/{n} \n"));
        witnesses.add(&Unbroken::placed(many.as_bytes(), b"c", 1));
        assert_eq!(witnesses.place(b"http://h/x/xyz"), None);
    }

    #[test]
    fn memory_is_limited() {
        let place = size_of::<(u64, (Arc<[u8]>, u64))>() + 1;
        // While a table grows, the old one of half its size is still in memory.
        let most = WORDS * size_of::<u64>() + MOST_PLACES * 8 / 7 * place * 3 / 2;
        assert!(most < 64 << 20, "{most}");
    }

    #[test]
    fn many_are_known_as_few_are() {
        let mut few = Hashes::default();
        let hashes = |seed: u64| {
            let urls = (0..2 << 20).map(move |n: u64| (n + seed).to_le_bytes());
            urls.flat_map(|url| {
                [Extent::Beginning, Extent::Whole].map(|part| finish(state(&url), part, 0))
            })
        };
        hashes(0).for_each(|hash| few.insert(&[hash]));
        assert!(matches!(few, Hashes::Many(_)));
        assert!(hashes(0).all(|hash| few.contains(hash)));
        let false_ones = hashes(2 << 20).filter(|&hash| few.contains(hash)).count();
        assert!(false_ones < (4 << 20) / 1000, "{false_ones}");
    }
}
