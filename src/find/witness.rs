//! URLs that stand unbroken somewhere: evidence of where broken ones end.
//!
//! A URL that is broken in one message often stands unbroken in another, and a wrong join stands
//! nowhere.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use memchr::memmem;

use crate::text::window::is_blank;

/// The URLs that stand unbroken in texts, and all their beginnings that end before a delimiter.
///
/// What is known of a set of texts does not depend on their order. A bounded number is remembered: if
/// there are more, nothing is known.
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
    hashes: Arc<HashSet<u64>>,
    has_too_many: bool,
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

/// How many hashes are remembered: those of some half a million URLs and their beginnings, in 36 MiB.
const MOST: usize = (1 << 22) / 8 * 7;

/// The longest URL that is remembered, in bytes.
const MAX_LEN: usize = 2048;

impl Witnesses {
    /// Adds the URLs of http, https and ftp that stand unbroken in `text`, which consists of whole
    /// lines.
    pub fn add(&mut self, text: &[u8]) {
        for slashes in memmem::find_iter(text, b"://") {
            if !ends_in_scheme(&text[..slashes]) {
                continue;
            }
            let rest = &text[slashes + "://".len()..];
            let len = rest.iter().take(MAX_LEN).position(|&byte| ends_url(byte));
            let Some(len) = len else { continue };
            let url = &rest[..len];
            let trimmed = trimmed(url);
            self.add_url(trimmed, is_unbroken(&rest[len..]));
        }
    }

    /// Adds the beginnings of `url`, which has no scheme, and all of it if it is `whole`.
    fn add_url(&mut self, url: &[u8], whole: bool) {
        let hashes = Arc::make_mut(&mut self.hashes);
        if self.has_too_many || (whole && !hashes.insert(hash(url, Part::Whole))) {
            return;
        }
        let mut state = START;
        for (at, &byte) in url.iter().enumerate() {
            if is_delimiter(byte) && at > 0 && !is_delimiter(url[at - 1]) {
                hashes.insert(finish(state, Part::Beginning));
            }
            state = step(state, byte);
        }
        if whole {
            hashes.insert(finish(state, Part::Beginning));
        }
        if hashes.len() > MOST {
            *hashes = HashSet::new();
            self.has_too_many = true;
        }
    }

    /// Returns what is known of `url`, and of `url` followed by `next`.
    pub(crate) fn seen(&self, url: &[u8], next: &[u8]) -> Seen {
        let Some(slashes) = memmem::find(url, b"://") else {
            return Seen::Nothing;
        };
        let short = &url[slashes + "://".len()..];
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
        let start = memmem::find(url, b"://").map_or(0, |at| at + "://".len());
        self.has(trimmed(&url[start..]), Part::Beginning)
    }

    fn has(&self, url: &[u8], part: Part) -> bool {
        !url.is_empty() && self.hashes.contains(&hash(url, part))
    }
}

impl fmt::Debug for Witnesses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Witnesses").finish_non_exhaustive()
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

fn ends_url(byte: u8) -> bool {
    byte <= b' ' || byte == 0x7F || b"<>\"'`{}|\\^)]".contains(&byte)
}

fn is_delimiter(byte: u8) -> bool {
    b"/?#&=;:.,-_+~%".contains(&byte)
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
        assert_eq!(of(&texts), of(&[texts[1], texts[0], texts[1]]));
        assert_ne!(of(&texts), of(&texts[..1]));
    }
}
