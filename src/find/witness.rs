//! URLs that stand unbroken somewhere: evidence of where broken ones end.
//!
//! A URL that is broken in one message often stands unbroken in another, and a wrong join stands
//! nowhere.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::hash::{BuildHasherDefault, Hasher};
use std::mem;
use std::sync::Arc;

use memchr::memmem;

use crate::text::window::is_blank;

/// The URLs that stand unbroken in texts, and all their beginnings that end before a delimiter.
///
/// What is known of a set of texts does not depend on their order. The first half a million URLs are
/// remembered exactly, in up to 36 MiB. If there are more, a Bloom filter of 64 MiB takes their place,
/// which mistakes one in a thousand of URLs that it does not have for one that it has when it has three
/// million.
///
/// ```
/// use urlint::find::Witnesses;
/// use urlint::Finder;
///
/// let text = b"see http://a.example/linux/\nguides for all";
/// let url = |finder: Finder| finder.find(text).next().unwrap().url().to_vec();
/// assert_eq!(url(Finder::default()), b"http://a.example/linux/");
///
/// let mut witnesses = Witnesses::default();
/// witnesses.add(b"I read http://a.example/linux/guides yesterday.\n");
/// let finder = Finder::default().with_witnesses(witnesses);
/// assert_eq!(url(finder), b"http://a.example/linux/guides");
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Witnesses {
    hashes: Arc<Hashes>,
    /// Where they stand, by the hashes of beginnings: the first place of each.
    places: Arc<HashMap<u64, Place, BuildHasherDefault<Mixed>>>,
}

/// A file, and a line in it.
type Place = (Arc<[u8]>, u64);

/// A set of hashes.
#[derive(Clone, PartialEq, Eq)]
enum Hashes {
    Few(HashSet<u64, BuildHasherDefault<Mixed>>),
    /// A Bloom filter, of which each hash sets bits in one word.
    Many(Box<[u64]>),
}

/// What is known of a URL that ends a line, and of the one that it makes with the next word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// Neither stands anywhere, or both do.
    Nothing,
    /// The long one stands unbroken.
    Long,
    /// Only the short one stands alone, and nothing begins as the long one does.
    Short,
}

/// How many hashes are remembered exactly: those of some half a million URLs and their beginnings.
const MOST: usize = (1 << 22) / 8 * 7;

/// The number of words of the Bloom filter, a power of two.
const WORDS: usize = 1 << 23;

/// The longest URL that is remembered, in bytes.
const MAX_LEN: usize = 2048;

impl Witnesses {
    /// Adds the URLs of http, https and ftp that stand unbroken in `text`, which consists of whole
    /// lines.
    pub fn add(&mut self, text: &[u8]) {
        let hashes = Arc::make_mut(&mut self.hashes);
        each_url(text, |_, url, is_whole| {
            if is_whole && hashes.has_few(hash(url, Part::Whole)) {
                return;
            }
            each_hash(url, is_whole, |hash| hashes.insert(hash));
        });
    }

    /// Returns the URLs of both.
    #[must_use]
    pub fn united(self, other: Self) -> Self {
        let (mut all, less) = match self.hashes.len() < other.hashes.len() {
            true => (other, self),
            false => (self, other),
        };
        let hashes = Arc::make_mut(&mut all.hashes);
        match &*less.hashes {
            Hashes::Few(few) => few.iter().for_each(|&hash| hashes.insert(hash)),
            Hashes::Many(words) => hashes.insert_many(words),
        }
        if matches!(hashes, Hashes::Many(_)) {
            all.places = Arc::default();
            return all;
        }
        let places = Arc::make_mut(&mut all.places);
        for (&hash, place) in &*less.places {
            let first = places.entry(hash).or_insert_with(|| place.clone());
            if place < first {
                *first = place.clone();
            }
        }
        all
    }

    /// Adds the URLs of `text`, as [`add`](Self::add) does, and where they stand: in `file`, whose line
    /// `line`, from 1, `text` begins with. If there are more than half a million URLs, no place is remembered.
    ///
    /// ```
    /// use urlint::find::Witnesses;
    ///
    /// let mut witnesses = Witnesses::default();
    /// witnesses.add_from(b"I read\nhttp://a.example/linux/guides yesterday.\n", b"a.txt", 1);
    /// assert_eq!(witnesses.place(b"https://a.example/linux/"), Some((&b"a.txt"[..], 2)));
    /// assert_eq!(witnesses.place(b"https://b.example/"), None);
    /// ```
    pub fn add_from(&mut self, text: &[u8], file: &[u8], line: u64) {
        self.add(text);
        if matches!(*self.hashes, Hashes::Many(_)) {
            self.places = Arc::default();
            return;
        }
        let places = Arc::make_mut(&mut self.places);
        let file: Arc<[u8]> = file.into();
        let (mut line, mut counted) = (line, 0);
        each_url(text, |at, url, is_whole| {
            line += memchr::memchr_iter(b'\n', &text[counted..at]).count() as u64;
            counted = at;
            each_hash(url, is_whole, |hash| {
                let place = places.entry(hash).or_insert_with(|| (file.clone(), line));
                if (&*file, line) < (&*place.0, place.1) {
                    *place = (file.clone(), line);
                }
            });
        });
    }

    /// Returns the file and the line, from 1, where `url` or the most of it stands unbroken; `None` if
    /// that was not remembered.
    #[must_use]
    pub fn place(&self, url: &[u8]) -> Option<(&[u8], u64)> {
        let mut place = None;
        each_hash(trimmed(without_scheme(url)?), true, |hash| {
            place = self.places.get(&hash).or(place);
        });
        place.map(|(file, line)| (&**file, *line))
    }

    /// Returns what is known of `url`, and of `url` followed by `next`.
    pub(crate) fn seen(&self, url: &[u8], next: &[u8]) -> Seen {
        let Some(short) = without_scheme(url) else {
            return Seen::Nothing;
        };
        let long = [short, next].concat();
        let has_long = self.has(trimmed(&long), Part::Beginning);
        // Of the next word, another URL may have only the first segment.
        let first = next.iter().skip(1).position(|&byte| is_delimiter(byte));
        let begun = &long[..first.map_or(long.len(), |first| short.len() + 1 + first)];
        match (has_long, self.has(trimmed(short), Part::Whole)) {
            (true, false) => Seen::Long,
            (false, true) if !self.has(begun, Part::Beginning) => Seen::Short,
            _ => Seen::Nothing,
        }
    }

    /// Returns whether `url` stands unbroken somewhere, or begins what does.
    pub(crate) fn has_beginning(&self, url: &[u8]) -> bool {
        self.has(trimmed(without_scheme(url).unwrap_or(url)), Part::Beginning)
    }

    fn has(&self, url: &[u8], part: Part) -> bool {
        !url.is_empty() && self.hashes.contains(hash(url, part))
    }
}

impl Hashes {
    fn insert(&mut self, hash: u64) {
        match self {
            Hashes::Few(hashes) => {
                hashes.insert(hash);
                if hashes.len() > MOST {
                    let hashes = mem::take(hashes);
                    *self = Hashes::Many(vec![0; WORDS].into());
                    hashes.into_iter().for_each(|hash| self.insert(hash));
                }
            }
            Hashes::Many(words) => words[word(hash)] |= bits(hash),
        }
    }

    /// Adds the hashes of a Bloom filter.
    fn insert_many(&mut self, others: &[u64]) {
        match self {
            Hashes::Many(words) => {
                words
                    .iter_mut()
                    .zip(others)
                    .for_each(|(word, other)| *word |= other);
            }
            Hashes::Few(hashes) => {
                let hashes = mem::take(hashes);
                *self = Hashes::Many(others.into());
                hashes.into_iter().for_each(|hash| self.insert(hash));
            }
        }
    }

    /// Returns how many hashes there are, or more.
    fn len(&self) -> usize {
        match self {
            Hashes::Few(hashes) => hashes.len(),
            Hashes::Many(words) => words.len(),
        }
    }

    fn contains(&self, hash: u64) -> bool {
        match self {
            Hashes::Few(hashes) => hashes.contains(&hash),
            Hashes::Many(words) => words[word(hash)] & bits(hash) == bits(hash),
        }
    }

    /// Returns whether `hash` is surely among them.
    fn has_few(&self, hash: u64) -> bool {
        matches!(self, Hashes::Few(hashes) if hashes.contains(&hash))
    }
}

impl Default for Hashes {
    fn default() -> Self {
        Hashes::Few(HashSet::default())
    }
}

/// Returns which word of the Bloom filter `hash` sets bits of.
fn word(hash: u64) -> usize {
    (hash >> 40) as usize % WORDS
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

/// What is remembered of a URL.
#[derive(Clone, Copy)]
enum Part {
    Beginning = 0,
    Whole = 1,
}

/// The state of a hash of no bytes.
const START: u64 = 0xCBF2_9CE4_8422_2325;

/// Adds a byte to the state of a hash, as FNV-1a does.
fn step(state: u64, byte: u8) -> u64 {
    (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
}

/// Spreads the state over all bits of the hash.
fn finish(state: u64, part: Part) -> u64 {
    let mixed = (state ^ (state >> 32) ^ part as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed ^ (mixed >> 29)
}

fn hash(url: &[u8], part: Part) -> u64 {
    let state = url.iter().fold(START, |state, &byte| step(state, byte));
    finish(state, part)
}

/// Passes the hashes of the beginnings of `url` to `visit`, and those of all of it if it is whole.
fn each_hash(url: &[u8], is_whole: bool, mut visit: impl FnMut(u64)) {
    let mut state = START;
    for (at, &byte) in url.iter().enumerate() {
        if is_delimiter(byte) && at > 0 && !is_delimiter(url[at - 1]) {
            visit(finish(state, Part::Beginning));
        }
        state = step(state, byte);
    }
    if is_whole {
        visit(finish(state, Part::Beginning));
        visit(finish(state, Part::Whole));
    }
}

/// Passes the URLs in `text` to `visit`: where each begins, the URL without its scheme, and whether it
/// is unbroken.
pub(crate) fn each_url(text: &[u8], mut visit: impl FnMut(usize, &[u8], bool)) {
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

fn without_scheme(url: &[u8]) -> Option<&[u8]> {
    let slashes = memmem::find(url, b"://")?;
    Some(&url[slashes + "://".len()..])
}

/// Returns whether `text` ends in the scheme of what people send each other links to.
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

    /// What is known after reading a text.
    fn seen(text: &str, url: &str, next: &str) -> Seen {
        let mut witnesses = Witnesses::default();
        witnesses.add(text.as_bytes());
        witnesses.seen(url.as_bytes(), next.as_bytes())
    }

    #[test]
    fn urls_are_witnesses_where_they_are_not_broken() {
        let cases = [
            ("", Seen::Nothing),
            ("a http://h/x/yz b\n", Seen::Long),
            ("a https://h/x/yz/more b\n", Seen::Long),
            ("a http://h/x/yzmore b\n", Seen::Nothing),
            ("a http://h/x/ b\n", Seen::Short),
            ("a http://h/x/. B\n", Seen::Short),
            ("<http://h/x/>\n", Seen::Short),
            ("a http://h/x/ b http://h/x/yz c\n", Seen::Nothing),
            ("http://h/x/\nyz\n", Seen::Nothing),
            ("> http://h/x/\n>\n", Seen::Short),
            ("http://h/x/\r\n\r\nyz\n", Seen::Short),
            ("http://h/x/\nhttp://h/\n", Seen::Short),
            ("http://h/x/yz\nmore\n", Seen::Nothing),
            ("http://h/x/yz/mo\nre\n", Seen::Long),
            ("gopher://h/x/yz b\n", Seen::Nothing),
            ("http://h/x/yz", Seen::Nothing),
            ("://h/x/yz b", Seen::Nothing),
        ];
        for (text, expected) in cases {
            assert_eq!(seen(text, "http://h/x/", "yz"), expected, "{text:?}");
        }
    }

    #[test]
    fn what_begins_with_the_next_word_is_no_witness_against_it() {
        let text = "a http://h/x/ b http://h/x/yz#s c\n";
        assert_eq!(seen(text, "http://h/x/", "yz#t"), Seen::Nothing);
        assert_eq!(seen(text, "http://h/x/", "y/t"), Seen::Short);
    }

    #[test]
    fn their_order_does_not_matter() {
        let texts = [&b"http://a.example/x y\n"[..], b"<http://b.example/>\n"];
        let of = |texts: &[&[u8]]| {
            let mut witnesses = Witnesses::default();
            texts.iter().for_each(|text| witnesses.add(text));
            witnesses
        };
        assert!(of(&texts) == of(&[texts[1], texts[0], texts[1]]));
        assert!(of(&texts) == of(&texts[..1]).united(of(&texts[1..])));
        assert!(of(&texts) != of(&texts[..1]));
    }

    #[test]
    fn the_first_place_of_the_longest_beginning_counts() {
        let mut witnesses = Witnesses::default();
        witnesses.add_from(b"\nhttp://h/x/y z\nhttp://h/x/yz b\n", b"b", 5);
        witnesses.add_from(b"http://h/x/y z\n\nhttp://h/x/yz b\n", b"a", 8);
        for (url, expected) in [
            ("http://h/x/yz", Some((&b"a"[..], 10))),
            ("http://h/x/y/z", Some((b"a", 8))),
            ("http://h/z", Some((b"a", 8))),
            ("http://i/x/y", None),
        ] {
            assert_eq!(witnesses.place(url.as_bytes()), expected, "{url}");
        }
    }

    #[test]
    fn many_are_known_as_few_are() {
        let mut few = Hashes::default();
        let hashes = |seed: u64| {
            (0..4 << 20).map(move |n: u64| hash(&(n + seed).to_le_bytes(), Part::Whole))
        };
        hashes(0).for_each(|hash| few.insert(hash));
        assert!(matches!(few, Hashes::Many(_)));
        assert!(hashes(0).all(|hash| few.contains(hash)));
        let false_ones = hashes(4 << 20).filter(|&hash| few.contains(hash)).count();
        assert!(false_ones < 1000, "{false_ones}");
    }
}
