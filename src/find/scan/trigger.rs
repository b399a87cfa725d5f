//! Triggers: the colons that may follow a scheme.
//!
//! Most colons in prose follow a word and precede a space. Colons are tested together with their
//! neighbours, in vector instructions if the processor has them: a branch for every colon would
//! cost a third of the speed on mail. The first colon that passes is then looked at on its own.

use crate::rejoin::MAX_LEADER;
use urlint_standard::text::byteset;
use urlint_standard::url::schemes::{ENDINGS, MAX_KNOWN};

/// How far before a colon the `<` that opens the URL may be, in bytes: a scheme, and before it a
/// line's leader.
const MAX_OPENING: usize = MAX_KNOWN + 1 + MAX_LEADER;

/// Finds the first colon at or after `from` that may follow a scheme: a colon before a slash, or
/// one after the last two letters of a known scheme that needs no slashes (or of `URL`) unless a
/// space follows. NUL never continues a URL; the vectors rely on that after an `l`, for `URL:`. A
/// colon at the end of `text` counts as one at the end of a line.
#[inline]
pub(super) fn find(text: &[u8], from: usize) -> Option<usize> {
    search(text, from, |_, _| true)
}

/// Finds the first of these colons after which a URL may begin: at the end of a line, only a colon
/// that closely follows a `<` or precedes slashes. Most others there end a clause.
#[inline]
pub(super) fn find_opened(text: &[u8], from: usize) -> Option<usize> {
    search(text, from, may_go_on)
}

/// Finds the first colon at or after `from` whose neighbours make it a [hit](is_hit) and that passes `test`.
#[inline(always)]
fn search(text: &[u8], from: usize, test: impl Fn(&[u8], usize) -> bool) -> Option<usize> {
    #[cfg(target_arch = "x86_64")]
    if urlint_standard::text::cpu::has_avx2() {
        // Measured in cache: finding is 1.7 times (RFC text) and 2.3 times (mail) as fast as with
        // the loop below over `memchr`, which has vectors of its own on any processor.
        #[expect(unsafe_code, reason = "the processor was asked for AVX2")]
        // SAFETY: the only condition of a function with a target feature is that the processor
        // has it, and that was tested just above; the function itself is safe code.
        return unsafe { avx2::find(text, from, test) };
    }
    find_one_by_one(text, from, test)
}

fn find_one_by_one(text: &[u8], from: usize, test: impl Fn(&[u8], usize) -> bool) -> Option<usize> {
    let from = from.min(text.len());
    memchr::memchr_iter(b':', &text[from..])
        .map(|at| from + at)
        .find(|&at| {
            let right = text.get(at + 1).copied().unwrap_or(b'\n');
            matches!(text[..at], [.., before, last] if is_hit(before, last, right))
                && test(text, at)
        })
}

/// Returns whether a colon may follow a scheme, by the two bytes before it and the one after it.
#[inline(always)]
fn is_hit(before: u8, last: u8, right: u8) -> bool {
    right == b'/'
        || ends_a_scheme(before, last)
            && match right {
                0 => false,
                b' ' | b'\t' | b':' => [before | 0x20, last | 0x20] == *b"rl",
                _ => true,
            }
}

/// Returns whether a URL may continue after the colon at `at` if it ends its line: in a wrapper,
/// whose `<` may be on the line before the scheme, or if the next line may begin with its slashes.
#[inline(always)]
fn may_go_on(text: &[u8], at: usize) -> bool {
    let ends_line = matches!(text.get(at + 1), None | Some(b'\n' | b'\r'));
    !ends_line || follows_opener(text, at) || precedes_slash(text, at)
}

#[inline(never)]
fn precedes_slash(text: &[u8], at: usize) -> bool {
    let next = text[at + 1..].trim_ascii_start().first();
    next.is_none_or(|byte| b"/>|".contains(byte))
}

#[inline(never)]
fn follows_opener(text: &[u8], at: usize) -> bool {
    byteset::find(b'<', &text[at.saturating_sub(MAX_OPENING)..at]).is_some()
}

/// Returns whether a known scheme that needs no slashes ends in these two letters.
fn ends_a_scheme(before: u8, last: u8) -> bool {
    let letter = |byte: u8| (byte | 0x20).wrapping_sub(b'a');
    let (before, last) = (letter(before), letter(last));
    before < 26 && last < 26 && ENDINGS[usize::from(last)] & 1 << before != 0
}

/// How far ahead of the search a block is prefetched, in bytes. The processor's own prefetching
/// stops at the end of each page of memory.
#[cfg(target_arch = "x86_64")]
const AHEAD: usize = 2048;

/// By the lower half of the byte before a colon, the byte that must not follow the colon: a space,
/// or NUL if the byte before may be an `l`, the end of `URL`.
#[cfg(target_arch = "x86_64")]
const LABEL_BEFORE: [u8; 16] = {
    let mut table = [b' '; 16];
    table[(b'l' & 15) as usize] = 0;
    table
};

/// Returns the first of the colons marked in `marks`, of the block at `block`, that is a hit and passes `test`.
///
/// Apart from the search, which otherwise keeps less in registers: finding takes 7 % fewer instructions.
#[cfg(target_arch = "x86_64")]
#[cold]
#[inline(never)]
fn first_hit(
    text: &[u8],
    block: usize,
    marks: [u64; 2],
    test: impl Fn(&[u8], usize) -> bool,
) -> Option<usize> {
    for (half, mut bits) in marks.into_iter().enumerate() {
        while bits != 0 {
            let hit = block + 64 * half + bits.trailing_zeros() as usize;
            if let Some(&[before, last, _, right]) = text[hit - 2..].first_chunk()
                && is_hit(before, last, right)
                && test(text, hit)
            {
                return Some(hit);
            }
            bits &= bits - 1;
        }
    }
    None
}

/// A search in vectors. In each block those colons are marked that precede a slash, or follow a
/// letter and do not precede a space (except after an `l`), without a branch until the whole block
/// is done.
#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::{
        __m256i, _mm256_and_si256, _mm256_andnot_si256, _mm256_cmpeq_epi8, _mm256_cmpgt_epi8,
        _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8, _mm256_shuffle_epi8,
    };

    use super::{AHEAD, LABEL_BEFORE, find_one_by_one, first_hit};
    use urlint_standard::text::byteset::{load, twice};
    use urlint_standard::text::cpu::prefetch;

    /// How many bytes are tested before a branch.
    const BLOCK: usize = 128;
    /// Where the vectors of a block begin.
    const VECTORS: [usize; 4] = [0, 32, 64, 96];

    #[target_feature(enable = "avx2")]
    pub(super) fn find(
        text: &[u8],
        from: usize,
        test: impl Fn(&[u8], usize) -> bool,
    ) -> Option<usize> {
        let first = from.max(2);
        // Each block is read with one more byte on either side.
        let mut rest = text.get(first - 1..).unwrap_or_default();
        // Blocks are aligned in memory, except for the first, which the second overlaps.
        let mut len = BLOCK - (text.as_ptr().addr() + first) % 32;
        while let Some(around) = rest.first_chunk::<{ BLOCK + 2 }>() {
            let block = text.len() - rest.len() + 1;
            rest = &rest[len..];
            len = BLOCK;
            prefetch(around, AHEAD);
            prefetch(around, AHEAD + 64);
            // Most blocks of RFCs have no colon, which takes a third of the instructions of the whole test.
            if !any(VECTORS.map(|i| colons(&around[i + 1..]))) {
                continue;
            }
            let maybe = VECTORS.map(|i| maybe_hits(&around[i..]));
            if any(maybe)
                && let Some(hit) = first_hit(text, block, bits_of(maybe), &test)
            {
                return Some(hit);
            }
        }
        find_one_by_one(text, text.len() + 1 - rest.len(), test)
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn any([a, b, c, d]: [__m256i; 4]) -> bool {
        let any = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));
        _mm256_movemask_epi8(any) != 0
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn bits_of(maybe: [__m256i; 4]) -> [u64; 2] {
        let [a, b, c, d] = maybe.map(|maybe| u64::from(_mm256_movemask_epi8(maybe) as u32));
        [a | b << 32, c | d << 32]
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn colons(bytes: &[u8]) -> __m256i {
        let here = load(bytes.first_chunk().unwrap_or(&[0; 32]));
        _mm256_cmpeq_epi8(here, _mm256_set1_epi8(b':' as i8))
    }

    /// Marks 32 bytes, the first of which is the second of `around`.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn maybe_hits(around: &[u8]) -> __m256i {
        let at = |from: usize| load(around[from..].first_chunk().unwrap_or(&[0; 32]));
        let (left, right) = (at(0), at(2));
        let all = |byte: u8| _mm256_set1_epi8(byte as i8);
        let letter = _mm256_cmpgt_epi8(left, all(b'9'));
        let slash = _mm256_cmpeq_epi8(right, all(b'/'));
        let space = _mm256_cmpeq_epi8(right, _mm256_shuffle_epi8(twice(&LABEL_BEFORE), left));
        let worth = _mm256_andnot_si256(space, _mm256_or_si256(letter, slash));
        _mm256_and_si256(colons(&around[1..]), worth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hits(text: &[u8], find: impl Fn(&[u8], usize) -> Option<usize>) -> Vec<usize> {
        let mut hits = Vec::new();
        let mut from = 0;
        while let Some(at) = find(text, from) {
            hits.push(at);
            from = at + 1;
        }
        hits
    }

    /// Returns the hits found by each way to search that this processor supports.
    fn of_each_search(text: &[u8]) -> Vec<Vec<usize>> {
        let any = |_: &[u8], _| true;
        let one_by_one = hits(text, |text, from| find_one_by_one(text, from, any));
        let mut found = vec![hits(text, find), one_by_one];
        #[cfg(target_arch = "x86_64")]
        #[expect(unsafe_code, reason = "the processor is asked first")]
        {
            if urlint_standard::text::cpu::has_avx2() {
                // SAFETY: the processor has AVX2.
                found.push(hits(text, |text, from| unsafe {
                    avx2::find(text, from, any)
                }));
            }
        }
        found
    }

    #[test]
    fn at_the_end_of_a_line_only_after_an_opener_or_before_a_slash() {
        for (text, expected) in [
            ("<http:\n//a", &[5][..]),
            ("<\n> http:\n//a", &[8]),
            ("<a\r\nhttp:\r\n//a", &[8]),
            ("of this file:\nand", &[]),
            ("of this file:\n> //a", &[12]),
            // The rest may come.
            ("of this file:", &[12]),
            ("mailto:x", &[6]),
        ] {
            assert_eq!(hits(text.as_bytes(), find_opened), expected, "{text:?}");
        }
        let far = format!("<{}http:\nx", " ".repeat(MAX_OPENING));
        assert!(hits(far.as_bytes(), find_opened).is_empty());
    }

    #[test]
    fn each_kind_of_hit_at_every_place_of_a_block() {
        let cases: &[(&[u8], &[usize])] = &[
            (b"http://a", &[4]),
            (b"z39.50://a", &[6]),
            (b"weird://a", &[5]),
            (b"mailto:x", &[6]),
            (b"MAILTO:x", &[6]),
            (b"Subject: x", &[]),
            (b"mailto: x", &[]),
            (b"12:34:56", &[]),
            (b"tip::x", &[]),
            (b"<URL: x", &[4]),
            (b"<URL:\0x", &[]),
            (b"mailto:\0x", &[]),
            (b"<http:\n//a", &[5]),
            (b"the man:", &[]),
            (b"the url:", &[7]),
            (b":", &[]),
            (b"", &[]),
        ];
        for padding in 0..400 {
            for (text, expected) in cases {
                let mut padded = vec![b'.'; padding];
                padded.extend_from_slice(text);
                let expected: Vec<_> = expected.iter().map(|at| at + padding).collect();
                for found in of_each_search(&padded) {
                    assert_eq!(found, expected, "{text:?} after {padding} bytes");
                }
                padded.extend_from_slice(&[b'.'; 400]);
                let found = of_each_search(&padded);
                let is_same = found.iter().all(|hits| *hits == found[0]);
                assert!(is_same, "{text:?} after {padding} bytes: {found:?}");
            }
        }
    }
}
