//! Where a URL may be: the colons that are worth a second look.
//!
//! Most colons of prose follow a word and precede a space. A colon is tested together with its
//! neighbours, in vector instructions where the processor has them: a branch on every colon would
//! cost a third on mail.

use super::scheme;

/// Finds the first colon at or after `from` that may follow a scheme: one before a slash, or one
/// behind the last two letters of a known scheme that can do without slashes (or of `URL`) unless a
/// space follows. The last byte counts as one at a line's end.
#[inline]
pub(crate) fn find(text: &[u8], from: usize) -> Option<usize> {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // Measured in cache: 2.2 times (RFC text) and 3.1 times (mail) the speed of the loop
        // below over `memchr`.
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

/// Whether the colon at `at` is worth a look.
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

/// Whether a known scheme that can do without slashes ends in these two letters.
fn ends_a_scheme(before: u8, last: u8) -> bool {
    let letter = |byte: u8| (byte | 0x20).wrapping_sub(b'a');
    let (before, last) = (letter(before), letter(last));
    before < 26 && last < 26 && ENDINGS[usize::from(last)] & 1 << before != 0
}

/// For each last letter of a scheme, one bit for each letter before it.
static ENDINGS: [u32; 26] = {
    let mut table = [0; 26];
    let mut i = 0;
    while i < scheme::ENDINGS.len() {
        let [before, last] = scheme::ENDINGS[i];
        table[(last - b'a') as usize] |= 1 << (before - b'a');
        i += 1;
    }
    table
};

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::{
        __m256i, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_movemask_epi8, _mm256_or_si256,
        _mm256_set1_epi8, _mm256_setr_epi64x, _mm256_shuffle_epi8, _mm256_srli_epi16,
    };

    use super::{find_one_by_one, is_hit, scheme};

    /// How many bytes are tested for a colon at once.
    const BLOCK: usize = 128;

    /// The last two letters of the schemes, spread over eight buckets: for each half of each of
    /// the two letters, the buckets that have a letter with that half. Two letters that share a
    /// bucket in all four are looked at once more, one by one.
    struct Fingerprint {
        before: [[u8; 16]; 2],
        last: [[u8; 16]; 2],
    }

    const FINGERPRINT: Fingerprint = {
        let mut print = Fingerprint {
            before: [[0; 16]; 2],
            last: [[0; 16]; 2],
        };
        let mut i = 0;
        while i < scheme::ENDINGS.len() {
            let [before, last] = scheme::ENDINGS[i];
            let bucket = 1 << (i % 8);
            print.before[0][(before & 15) as usize] |= bucket;
            print.before[1][(before >> 4) as usize] |= bucket;
            print.last[0][(last & 15) as usize] |= bucket;
            print.last[1][(last >> 4) as usize] |= bucket;
            i += 1;
        }
        print
    };

    #[target_feature(enable = "avx2")]
    pub(super) fn find(text: &[u8], from: usize) -> Option<usize> {
        let colon = _mm256_set1_epi8(b':' as i8);
        let mut at = from.max(2);
        // Each block is read with two neighbours on its left and one on its right.
        while let Some(around) = text.get(at - 2..at + BLOCK + 1) {
            let (blocks, _) = around[2..].as_chunks::<32>();
            let mut any = _mm256_cmpeq_epi8(load(&blocks[0]), colon);
            for block in &blocks[1..4] {
                any = _mm256_or_si256(any, _mm256_cmpeq_epi8(load(block), colon));
            }
            if _mm256_movemask_epi8(any) != 0 {
                for i in 0..4 {
                    let mut hits = hits(&around[32 * i..]);
                    while hits != 0 {
                        let hit = at + 32 * i + hits.trailing_zeros() as usize;
                        if is_hit(text, hit) {
                            return Some(hit);
                        }
                        hits &= hits - 1;
                    }
                }
            }
            at += BLOCK;
        }
        find_one_by_one(text, at)
    }

    /// Which of 32 bytes may be a hit; the first of them is the third byte of `around`.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn hits(around: &[u8]) -> u32 {
        let at = |from: usize| around[from..].first_chunk().unwrap_or(&[0; 32]);
        let (before, last, here, right) = (load(at(0)), load(at(1)), load(at(2)), load(at(3)));
        let is = |bytes, byte: u8| _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(byte as i8));
        let colon = is(here, b':');
        let slash = _mm256_and_si256(colon, is(right, b'/'));
        let ending = _mm256_and_si256(
            buckets(before, &FINGERPRINT.before),
            buckets(last, &FINGERPRINT.last),
        );
        let no_ending = _mm256_cmpeq_epi8(ending, _mm256_set1_epi8(0));
        let slash = _mm256_movemask_epi8(slash) as u32;
        let colon = _mm256_movemask_epi8(colon) as u32;
        let no_ending = _mm256_movemask_epi8(no_ending) as u32;
        slash | (colon & !no_ending)
    }

    /// The buckets that each letter is in, in any case.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn buckets(letters: __m256i, table: &[[u8; 16]; 2]) -> __m256i {
        let letters = _mm256_or_si256(letters, _mm256_set1_epi8(0x20));
        let half = _mm256_set1_epi8(15);
        let lower = _mm256_and_si256(letters, half);
        let upper = _mm256_and_si256(_mm256_srli_epi16::<4>(letters), half);
        _mm256_and_si256(
            _mm256_shuffle_epi8(twice(&table[0]), lower),
            _mm256_shuffle_epi8(twice(&table[1]), upper),
        )
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    pub(in crate::scan) fn load(bytes: &[u8; 32]) -> __m256i {
        let (words, _) = bytes.as_chunks::<8>();
        let [a, b, c, d] = [0, 1, 2, 3].map(|i| i64::from_le_bytes(words[i]));
        _mm256_setr_epi64x(a, b, c, d)
    }

    /// A table for both halves of a vector.
    #[target_feature(enable = "avx2")]
    #[inline]
    pub(in crate::scan) fn twice(table: &[u8; 16]) -> __m256i {
        let mut both = [0; 32];
        both[..16].copy_from_slice(table);
        both[16..].copy_from_slice(table);
        load(&both)
    }
}
#[cfg(target_arch = "x86_64")]
pub(super) use avx2::{load, twice};

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
                    "{text:?} behind {padding} bytes"
                );
                padded.extend_from_slice(&[b'.'; 150]);
                let (vector, scalar) = (hits(&padded, find), hits(&padded, find_one_by_one));
                assert_eq!(vector, scalar, "{text:?} behind {padding} bytes");
            }
        }
    }
}
