//! Triggers: the colons that may follow a scheme.
//!
//! Most colons of prose follow a word and precede a space. A colon is tested together with its
//! neighbours, in vector instructions if the processor has them: a branch for every colon would cost
//! a third of the speed on mail.

use crate::url::schemes::ENDINGS;

/// Finds the first colon at or after `from` that may follow a scheme: a colon before a slash, or one
/// after the last two letters of a known scheme that needs no slashes (or of `URL`) unless a space
/// follows. At the end of `text` a colon counts as one at the end of a line.
#[inline]
pub(crate) fn find(text: &[u8], from: usize) -> Option<usize> {
    #[cfg(target_arch = "x86_64")]
    if crate::text::cpu::has_avx2() {
        // Measured in cache: finding is 1.7 times (RFC text) and 2.3 times (mail) as fast as with
        // the loop below over `memchr`.
        #[expect(unsafe_code, reason = "the processor was asked for AVX2")]
        // SAFETY: the only condition of a function with a target feature is that the processor
        // has it, and that was tested just above; the function itself is safe code.
        return unsafe { avx2::find(text, from) };
    }
    find_one_by_one(text, from)
}

fn find_one_by_one(text: &[u8], from: usize) -> Option<usize> {
    let from = from.min(text.len());
    memchr::memchr_iter(b':', &text[from..])
        .map(|at| from + at)
        .find(|&at| is_hit(text, at))
}

/// Returns whether the colon at `at` may follow a scheme.
fn is_hit(text: &[u8], at: usize) -> bool {
    let right = text.get(at + 1).copied().unwrap_or(b'\n');
    let Some(&[before, last]) = at
        .checked_sub(2)
        .and_then(|start| text[start..].first_chunk())
    else {
        return false;
    };
    let space_follows = matches!(right, b' ' | b'\t' | b':');
    let prefix = [before | 0x20, last | 0x20] == *b"rl";
    right == b'/' || (ends_a_scheme(before, last) && (prefix || !space_follows))
}

/// Returns whether a known scheme that needs no slashes ends in these two letters.
fn ends_a_scheme(before: u8, last: u8) -> bool {
    let letter = |byte: u8| (byte | 0x20).wrapping_sub(b'a');
    let (before, last) = (letter(before), letter(last));
    before < 26 && last < 26 && ENDINGS[usize::from(last)] & 1 << before != 0
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::{
        __m256i, _mm256_and_si256, _mm256_andnot_si256, _mm256_cmpeq_epi8, _mm256_cmpgt_epi8,
        _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8,
    };

    use super::{find_one_by_one, is_hit};
    use crate::text::byteset::load;

    /// How many bytes are tested before a branch.
    const BLOCK: usize = 128;

    #[target_feature(enable = "avx2")]
    pub(super) fn find(text: &[u8], from: usize) -> Option<usize> {
        let mut at = from.max(2);
        // Blocks are aligned in memory, except for the first, which the second overlaps.
        let beyond = (text.as_ptr().addr() + at) % 32;
        let mut next = at + BLOCK - beyond;
        // Each block is read with a byte on either side.
        while let Some(around) = text.get(at - 1..at + BLOCK + 1) {
            let block = at;
            at = next;
            next += BLOCK;
            // Most blocks of prose have no colon; most of mail have one that is not a hit.
            if !any([0, 32, 64, 96].map(|i| colons(&around[i + 1..]))) {
                continue;
            }
            let maybe = [0, 32, 64, 96].map(|i| maybe_hits(&around[i..]));
            if any(maybe) {
                for (i, maybe) in maybe.into_iter().enumerate() {
                    let mut bits = _mm256_movemask_epi8(maybe) as u32;
                    while bits != 0 {
                        let hit = block + 32 * i + bits.trailing_zeros() as usize;
                        if is_hit(text, hit) {
                            return Some(hit);
                        }
                        bits &= bits - 1;
                    }
                }
            }
        }
        find_one_by_one(text, at)
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn any([a, b, c, d]: [__m256i; 4]) -> bool {
        let any = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));
        _mm256_movemask_epi8(any) != 0
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn colons(bytes: &[u8]) -> __m256i {
        let here = load(bytes.first_chunk().unwrap_or(&[0; 32]));
        _mm256_cmpeq_epi8(here, _mm256_set1_epi8(b':' as i8))
    }

    /// Which of 32 bytes, the first of which is the second of `around`, are a colon before a slash, or
    /// one after a letter and not before a space (except after `l`, with which `URL` ends).
    #[target_feature(enable = "avx2")]
    #[inline]
    fn maybe_hits(around: &[u8]) -> __m256i {
        let at = |from: usize| load(around[from..].first_chunk().unwrap_or(&[0; 32]));
        let (left, right) = (at(0), at(2));
        let all = |byte: u8| _mm256_set1_epi8(byte as i8);
        let is = |bytes, byte: u8| _mm256_cmpeq_epi8(bytes, all(byte));
        let letter = _mm256_cmpgt_epi8(left, all(b'9'));
        let prefix = is(_mm256_or_si256(left, all(0x20)), b'l');
        let label = _mm256_andnot_si256(prefix, is(right, b' '));
        let worth = _mm256_or_si256(is(right, b'/'), _mm256_andnot_si256(label, letter));
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
            (b"<http:\n//a", &[5]),
            (b"the man:", &[]),
            (b"the url:", &[7]),
            (b":", &[]),
            (b"", &[]),
        ];
        for padding in 0..300 {
            for (text, expected) in cases {
                let mut padded = vec![b'.'; padding];
                padded.extend_from_slice(text);
                let expected: Vec<_> = expected.iter().map(|at| at + padding).collect();
                assert_eq!(
                    hits(&padded, find),
                    expected,
                    "{text:?} after {padding} bytes"
                );
                padded.extend_from_slice(&[b'.'; 150]);
                let (vector, scalar) = (hits(&padded, find), hits(&padded, find_one_by_one));
                assert_eq!(vector, scalar, "{text:?} after {padding} bytes");
            }
        }
    }
}
