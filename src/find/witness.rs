//! Unbroken URLs elsewhere in the input: evidence of where broken ones end.
//!
//! A URL that is broken in one message is often unbroken in another. A wrong join occurs nowhere.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use memchr::memmem;

/// The unbroken URLs of texts, and all their beginnings that end before a delimiter.
///
/// The order of the texts does not matter. A URL counts if it occurs in the texts of two senders, since one may
/// have made it up. In the thread of a message, one is enough. They are remembered in up to 32 MiB, by hashes. If
/// there are more than four million, some are forgotten. One in ten thousand of others may be taken for one of
/// them.
///
/// ```
/// use urlint::find::{Unbroken, Witnesses};
/// use urlint::Finder;
///
/// let text = b"see http://a.example/linux/\nguides for all";
/// let url = |finder: Finder| finder.find(text).next().unwrap().url().to_vec();
/// assert_eq!(url(Finder::default()), b"http://a.example/linux/");
///
/// let mut unbroken = Unbroken::default();
/// for sender in [b"joe@a.example", b"ann@a.example"] {
///     unbroken.set_origin(sender, None);
///     unbroken.push(b"a.example/linux/guides", true);
/// }
/// let mut witnesses = Witnesses::default();
/// witnesses.add(&unbroken);
/// let finder = Finder::default().with_witnesses(witnesses);
/// assert_eq!(url(finder), b"http://a.example/linux/guides");
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Witnesses {
    entries: Arc<Entries>,
}

/// [Witnesses] that become known once all texts have been read. What is found before that, without a question
/// to them, is right whatever they are.
///
/// ```
/// use urlint::Finder;
/// use urlint::find::{Awaited, Witnesses};
///
/// let awaited = Awaited::default();
/// let finder = Finder::default().with_witnesses(awaited.clone());
/// let is_certain = |text: &[u8]| {
///     let before = awaited.asked();
///     finder.find(text).for_each(drop);
///     awaited.asked() == before
/// };
/// assert!(is_certain(b"see http://a.example/linux/guides for all"));
/// assert!(!is_certain(b"see http://a.example/linux/\nguides for all"));
///
/// awaited.set(Some(Witnesses::default()));
/// assert!(is_certain(b"see http://a.example/linux/\nguides for all"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Awaited {
    known: Arc<OnceLock<Option<Witnesses>>>,
    asked: Arc<AtomicUsize>,
}

/// The unbroken URLs of a text, to be [added](Witnesses::add) to others. `read::unbroken` finds them.
#[derive(Clone, Debug, Default)]
pub struct Unbroken {
    /// The [entries](entry) of the URLs and of their beginnings. Some occur twice.
    entries: Vec<u64>,
    sender: Option<u8>,
    thread: Option<u64>,
    /// Entries that have been added; empty while there are few.
    recent: Vec<u64>,
}

/// A map from hashes to senders. Each bucket has those hashes that are the greatest, in descending order.
#[derive(Clone, Default, PartialEq, Eq)]
struct Entries(Vec<Bucket>);

/// The hash and the sender of each entry of a bucket, or 0: 64 bytes, which a processor reads at once.
type Bucket = [u32; 16];

/// The evidence about a URL that ends a line, and about the longer one that it makes with the next word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Corroboration {
    /// Neither occurs anywhere, or both do.
    Nothing,
    /// An unbroken URL begins with the long one, and none is the short one.
    Long,
    /// An unbroken URL is the short one, and none begins as the long one does.
    Short,
}

/// How many buckets there are while none of them is full, and after that.
const BUCKETS: [usize; 2] = [1 << 14, 1 << 19];

/// How many bits of a hash are remembered.
const HASH_BITS: u32 = 38;

/// How many bits of an entry are the sender.
const SENDER_BITS: u32 = 8;

/// Stands for several senders, and in the entry of a thread for any one.
const SEVERAL: u8 = u8::MAX;

/// How many entries may be repeated.
const FEW: usize = 256;

/// How many entries of a text are looked at to leave out repeated ones.
const RECENT: usize = 1 << 12;

impl Unbroken {
    /// Adds the URLs of `other`.
    #[doc(hidden)]
    pub fn append(&mut self, other: Self) {
        self.entries.extend(other.entries);
    }

    /// Returns how many entries there are.
    #[doc(hidden)]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether there are no URLs.
    #[doc(hidden)]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Sets the sender and the thread of the text that follows. Before it has a sender, its URLs do not count.
    pub fn set_origin(&mut self, sender: &[u8], thread: Option<&[u8]>) {
        self.sender = Some((mixed(state(sender)) % u64::from(SEVERAL)) as u8);
        self.thread = thread.map(state);
    }

    /// Adds `url`, which is without its scheme. If it is not `whole`, it may go on, and only its beginnings are
    /// added.
    pub fn push(&mut self, url: &[u8], is_whole: bool) {
        let Some(sender) = self.sender else {
            return;
        };
        if self.entries.len() > FEW {
            self.recent.resize(RECENT, 0);
        }
        each_state(url, is_whole, |part, state| {
            let mut add = |entry| {
                let at = (entry >> SENDER_BITS) as usize % RECENT;
                let seen = self.recent.get_mut(at);
                if seen.is_none_or(|seen| std::mem::replace(seen, entry) != entry) {
                    self.entries.push(entry);
                }
            };
            add(entry(state, part, None) | u64::from(sender));
            if self.thread.is_some() {
                add(entry(state, part, self.thread) | u64::from(SEVERAL));
            }
        });
    }
}

impl Witnesses {
    /// Adds the URLs of a text.
    pub fn add(&mut self, unbroken: &Unbroken) {
        let entries = Arc::make_mut(&mut self.entries);
        (unbroken.entries.iter()).for_each(|&entry| entries.insert(entry));
    }

    /// Returns whether `url` is in texts of two senders, since one of them may have made it up, or in `thread`.
    fn has(&self, url: &[u8], part: Extent, thread: Option<u64>) -> bool {
        let url = trimmed(url);
        let state = state(url);
        let sender = |thread| self.entries.sender(entry(state, part, thread));
        // Most URLs have no sender at all.
        !url.is_empty()
            && sender(None).is_some_and(|first| {
                first == SEVERAL || thread.is_some_and(|thread| sender(Some(thread)).is_some())
            })
    }
}

impl Awaited {
    /// Returns the same witnesses, but with a count of its own.
    #[must_use]
    pub fn counted_apart(&self) -> Self {
        Awaited {
            known: self.known.clone(),
            asked: Arc::default(),
        }
    }

    /// Sets the witnesses; `None` if there are none. They stay as they were set first.
    pub fn set(&self, witnesses: Option<Witnesses>) {
        self.known.get_or_init(|| witnesses);
    }

    /// Returns whether they are known.
    #[must_use]
    pub fn are_known(&self) -> bool {
        self.known.get().is_some()
    }

    /// Returns how often finders have asked before they were known.
    #[must_use]
    pub fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }

    /// Returns the evidence about `url`, and about `url` followed by `next`.
    pub(crate) fn seen(&self, url: &[u8], next: &[u8], thread: Option<u64>) -> Corroboration {
        let Some(short) = without_scheme(url) else {
            return Corroboration::Nothing;
        };
        let long = [short, next].concat();
        // Whoever can add a document must not choose the host of another one's URL. A letter or two may be
        // broken themselves.
        let is_bit = next.len() < 3 && next.iter().all(u8::is_ascii_alphabetic);
        if is_bit || authority(&long).len() > short.len() {
            return Corroboration::Nothing;
        }
        // Of the next word, another URL may have only the first segment.
        let first = next.iter().skip(1).position(|&byte| is_delimiter(byte));
        let begun = &long[..first.map_or(long.len(), |first| short.len() + 1 + first)];
        let has = |url, part| self.has(url, part, thread);
        match (has(&long, Extent::Beginning), has(short, Extent::Whole)) {
            (true, false) => Corroboration::Long,
            (false, true) if !has(begun, Extent::Beginning) => Corroboration::Short,
            _ => Corroboration::Nothing,
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

    fn has(&self, url: &[u8], part: Extent, thread: Option<u64>) -> bool {
        let Some(known) = self.known.get() else {
            self.asked.fetch_add(1, Ordering::Relaxed);
            return false;
        };
        (known.as_ref()).is_some_and(|witnesses| witnesses.has(url, part, thread))
    }
}

impl From<Witnesses> for Awaited {
    fn from(witnesses: Witnesses) -> Self {
        let awaited = Awaited::default();
        awaited.set(Some(witnesses));
        awaited
    }
}

impl PartialEq for Awaited {
    fn eq(&self, other: &Self) -> bool {
        self.known == other.known
    }
}

impl Eq for Awaited {}

impl Entries {
    /// Adds an entry. If there is one with this hash, it has several senders then.
    fn insert(&mut self, entry: u64) {
        if self.0.is_empty() {
            self.0 = vec![Bucket::default(); BUCKETS[0]];
        }
        let (at, new) = (self.bucket(entry), entry as u32);
        let may_grow = self.0.len() < BUCKETS[1];
        let bucket = &mut self.0[at];
        let is_before = |slot: u32| slot >> SENDER_BITS > new >> SENDER_BITS;
        let slot = bucket.iter().position(|&slot| !is_before(slot));
        if let Some(slot) = slot.map(|slot| &mut bucket[slot])
            && *slot >> SENDER_BITS == new >> SENDER_BITS
        {
            if *slot != new {
                *slot |= u32::from(SEVERAL);
            }
        } else if may_grow && bucket[bucket.len() - 1] > 0 {
            self.grow();
            self.insert(entry);
        } else if let Some(slot) = slot {
            bucket[slot..].rotate_right(1);
            bucket[slot] = new;
        }
    }

    /// Makes more buckets.
    fn grow(&mut self) {
        let few = std::mem::replace(&mut self.0, vec![Bucket::default(); BUCKETS[1]]);
        for (at, bucket) in few.iter().enumerate() {
            let slots = bucket.iter().filter(|&&slot| slot > 0);
            slots.for_each(|&slot| self.insert((at as u64) << u32::BITS | u64::from(slot)));
        }
    }

    /// Returns the sender of the entry with the hash of `entry`.
    fn sender(&self, entry: u64) -> Option<u8> {
        let hash = entry as u32 >> SENDER_BITS;
        let mut bucket = self.0.get(self.bucket(entry))?.iter();
        let slot = bucket.find(|&&slot| slot >> SENDER_BITS == hash && slot > 0)?;
        Some(*slot as u8)
    }

    /// Returns which bucket `entry` is in: by the first bits of its hash, of which it has the others.
    fn bucket(&self, entry: u64) -> usize {
        (((entry >> SENDER_BITS) * self.0.len() as u64) >> HASH_BITS) as usize
    }
}

impl fmt::Debug for Witnesses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Witnesses").finish_non_exhaustive()
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

/// Returns the entry of a part of a URL with this state, without a sender; in `thread`, if there is one.
fn entry(state: u64, part: Extent, thread: Option<u64>) -> u64 {
    let hash = mixed(mixed(state) ^ thread.unwrap_or_default() ^ part as u64);
    // No entry of a thread, which one sender can make, equals one without.
    let hash = hash >> (u64::BITS - HASH_BITS) & !1 | u64::from(thread.is_none());
    hash << SENDER_BITS
}

/// Spreads the state over all bits of the hash.
fn mixed(state: u64) -> u64 {
    let mixed = (state ^ (state >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed ^ (mixed >> 29)
}

/// Returns the state of a hash of all of `text`.
pub(crate) fn state(text: &[u8]) -> u64 {
    text.iter().fold(START, |state, &byte| step(state, byte))
}

/// Passes the states of the hash at the ends of the beginnings of `url` to `visit`, and the state at the end of
/// `url` if it is whole. A beginning has the whole authority, since the authority of another URL must not take
/// its place.
fn each_state(url: &[u8], is_whole: bool, mut visit: impl FnMut(Extent, u64)) {
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

/// Returns the authority of a URL without its scheme.
fn authority(url: &[u8]) -> &[u8] {
    let end = url.iter().position(|byte| b"/?#".contains(byte));
    &url[..end.unwrap_or(url.len())]
}

#[doc(hidden)]
pub fn without_scheme(url: &[u8]) -> Option<&[u8]> {
    let slashes = memmem::find(url, b"://")?;
    Some(&url[slashes + "://".len()..])
}

/// Which bytes are delimiters in a URL.
const DELIMITERS: [bool; 256] = {
    let mut table = [false; 256];
    let delimiters = b"/?#&=;:.,-_+~%";
    let mut at = 0;
    while at < delimiters.len() {
        table[delimiters[at] as usize] = true;
        at += 1;
    }
    table
};

fn is_delimiter(byte: u8) -> bool {
    DELIMITERS[usize::from(byte)]
}

/// Returns `url` without the punctuation at its end.
#[doc(hidden)]
pub fn trimmed(url: &[u8]) -> &[u8] {
    let last = url.iter().rposition(|byte| !b".,:;!?*".contains(byte));
    &url[..last.map_or(0, |last| last + 1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Corroboration = Corroboration::Long;
    const SHORT: Corroboration = Corroboration::Short;

    /// The URLs of a text by two senders.
    fn of(urls: &[&str]) -> Unbroken {
        let mut unbroken = Unbroken::default();
        for sender in [b"joe", b"ann"] {
            unbroken.set_origin(sender, None);
            urls.iter()
                .for_each(|url| unbroken.push(url.as_bytes(), true));
        }
        unbroken
    }

    /// The evidence after reading `urls`.
    fn seen(urls: &[&str], url: &str, next: &str) -> Corroboration {
        let mut witnesses = Witnesses::default();
        witnesses.add(&of(urls));
        Awaited::from(witnesses).seen(url.as_bytes(), next.as_bytes(), None)
    }

    #[test]
    fn no_witness_chooses_the_host() {
        let urls = ["bank.exampleand", "bank.example/and", "bank.example:8/"];
        for (next, expected) in [
            ("and", Corroboration::Nothing),
            (":8/", Corroboration::Nothing),
            ("/and", LONG),
        ] {
            assert_eq!(
                seen(&urls, "http://bank.example", next),
                expected,
                "{next:?}"
            );
        }
    }

    #[test]
    fn a_url_with_the_next_word_is_not_a_counterwitness() {
        let urls = ["h/x/", "h/x/xyz#s"];
        assert_eq!(seen(&urls, "http://h/x/", "xyz#t"), Corroboration::Nothing);
        assert_eq!(seen(&urls, "http://h/x/", "y/t"), SHORT);
    }

    #[test]
    fn their_order_does_not_matter() {
        let texts = [of(&["a.example/x"]), of(&["b.example/"])];
        let all = |texts: &[&Unbroken]| {
            let mut witnesses = Witnesses::default();
            texts.iter().for_each(|text| witnesses.add(text));
            witnesses
        };
        let [a, b] = &texts;
        assert!(all(&[a, b]) == all(&[b, a, b]));
        assert!(all(&[a, b]) != all(&[a]));
    }

    #[test]
    fn most_of_many_are_known() {
        const MANY: u64 = 2 << 20;
        let mut entries = Entries::default();
        let entry = |n: u64| entry(state(&n.to_le_bytes()), Extent::Whole, None);
        let known = |entries: &Entries, numbers: std::ops::Range<u64>| {
            let numbers = numbers.step_by(16);
            numbers
                .filter(|&n| entries.sender(entry(n)).is_some())
                .count() as u64
        };
        (0..60_000).for_each(|n| entries.insert(entry(n)));
        assert_eq!(
            (entries.0.len(), known(&entries, 0..60_000)),
            (BUCKETS[0], 60_000 / 16)
        );
        (60_000..MANY).for_each(|n| entries.insert(entry(n)));
        assert_eq!(
            (entries.0.len(), known(&entries, 0..MANY)),
            (BUCKETS[1], MANY / 16)
        );
        let mistaken = known(&entries, MANY..2 * MANY);
        assert!(mistaken < MANY / 16 / 10_000, "{mistaken}");
    }

    #[test]
    fn the_greatest_of_a_full_bucket_are_kept() {
        let entries = |hashes: &[u64]| {
            let mut entries = Entries::default();
            let with_sender = |&(hash, sender): &(u64, u64)| entries.insert(hash << 8 | sender);
            let two = hashes
                .iter()
                .flat_map(|&hash| [(hash, 1), (hash, hash % 2 + 1)]);
            two.collect::<Vec<_>>().iter().for_each(with_sender);
            entries
        };
        let up: Vec<_> = (1..40).collect();
        let down: Vec<_> = up.iter().rev().copied().collect();
        assert!(entries(&up) == entries(&down));
        let sender = |hash: u64| entries(&up).sender(hash << 8);
        assert_eq!([23, 24, 39].map(sender), [None, Some(1), Some(SEVERAL)]);
    }
}
