//! A fast look at a URL in blocks of 32 bytes. For most URLs it shows that they begin with a plain
//! host and port, and that no character needs a closer look.
//!
//! A survey can only confirm. Where it does not, the productions of a standard read on, one
//! component after another: only they find problems, and only they need to be checked against the
//! RFC. Tests compare the claims of a survey with the productions, byte for byte, for each
//! [`Charset`].

use super::Part;
#[cfg(target_arch = "x86_64")]
use crate::text::cpu::has_avx2;

/// The characters that a standard allows somewhere in a URL: letters, digits, `%`, and others.
///
/// A byte is in the set if both its halves share a class; there are four classes of letters and
/// digits, and four of others.
pub(crate) struct Charset {
    /// For each lower half of a byte, the classes that the byte may be in.
    by_lower_half: [u8; 16],
    /// For each upper half of a byte, the classes that the byte may be in.
    by_upper_half: [u8; 16],
}

/// Characters at the index of their lower halves, and the upper halves they are combined with. A
/// space stands for no character.
type Class = (&'static [u8; 16], &'static [u8]);

const DIGIT: u8 = 1 << 7;
const HEX_LETTER: u8 = 1 << 6;
const ALPHADIGIT: u8 = 0xF0;

impl Charset {
    /// Makes a set of letters, digits, and the characters of `others`.
    pub(crate) const fn new(others: [Class; 4]) -> Charset {
        let [a, b, c, d] = others;
        let classes: [(u8, Class); 8] = [
            (DIGIT, (b"0123456789      ", &[3])),
            (HEX_LETTER, (b" ABCDEF         ", &[4, 6])),
            (1 << 5, (b"       GHIJKLMNO", &[4, 6])),
            (1 << 4, (b"PQRSTUVWXYZ     ", &[5, 7])),
            (1 << 3, a),
            (1 << 2, b),
            (1 << 1, c),
            (1 << 0, d),
        ];
        let mut set = Charset {
            by_lower_half: [0; 16],
            by_upper_half: [0; 16],
        };
        let mut i = 0;
        while i < classes.len() {
            let (bit, (characters, halves)) = classes[i];
            let mut j = 0;
            while j < 16 {
                if characters[j] != b' ' {
                    set.by_lower_half[j] |= bit;
                }
                j += 1;
            }
            let mut j = 0;
            while j < halves.len() {
                set.by_upper_half[halves[j] as usize] |= bit;
                j += 1;
            }
            i += 1;
        }
        set
    }
}

/// The length of the shortest URL that is surveyed, half a block, in bytes.
pub(crate) const SHORTEST: usize = 16;

/// The facts about a URL that are certain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Survey {
    /// Whether all characters are allowed, all escapes are valid, and the one character that would
    /// start another component in its scheme (`odd`) is absent.
    pub(crate) clean: bool,
    /// The host and port, if the text up to the first slash, or the end, is a host and perhaps a
    /// port.
    hostport: Option<Ends>,
}

/// Where a host and its port end: at the same offset if there is no port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ends {
    host: u32,
    port: u32,
    /// Whether the host is a plain name: not an address, and without the two adjacent hyphens that
    /// precede an encoded name.
    is_plain_name: bool,
}

impl Survey {
    /// Returns the host and port at the start of `rest`, where they were said to begin, and the
    /// rest after them.
    #[inline]
    pub(crate) fn hostport(self, rest: Part) -> Option<(Part, Option<Part>, Part)> {
        let ends = self.hostport?;
        let port = Part {
            start: ends.host + 1,
            end: ends.port,
        };
        let port = (ends.host < ends.port).then_some(port);
        Some((rest.before(ends.host), port, rest.starting_at(ends.port)))
    }

    /// Returns whether the host is a name that IDNA does not change.
    #[cfg(feature = "whatwg")]
    #[inline]
    pub(crate) fn is_plain_name(self) -> bool {
        self.hostport.is_some_and(|ends| ends.is_plain_name)
    }
}

/// Surveys `url`, whose host and port begin at `start` if it has them; with `odd` in it, it is not
/// clean. Without AVX2, and for very short URLs, nothing is certain.
#[inline]
pub(crate) fn survey(url: &[u8], start: u32, odd: u8, set: &'static Charset) -> Survey {
    #[cfg(target_arch = "x86_64")]
    if url.len() >= SHORTEST && has_avx2() {
        // Measured on text that is nearly all URLs: judging takes half the time that the
        // productions take.
        #[expect(unsafe_code, reason = "the processor was asked for AVX2")]
        // SAFETY: the only condition of a function with a target feature is that the processor
        // has it, and that was tested just above; the function itself is safe code.
        return unsafe { avx2::survey(url, start, odd, set) };
    }
    Survey::default()
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::{
        __m256i, _mm_shuffle_epi8, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_movemask_epi8,
        _mm256_or_si256, _mm256_set_m128i, _mm256_set1_epi8, _mm256_setzero_si256,
        _mm256_shuffle_epi8, _mm256_slli_epi16, _mm256_srli_epi16,
    };

    use super::{ALPHADIGIT, Charset, DIGIT, Ends, HEX_LETTER, Survey};
    use crate::text::byteset::{load, load_half, twice};

    const BLOCK: usize = 32;
    /// The distance from one block to the next: an escape that is cut off at the end of one block
    /// is complete in the next.
    const STRIDE: usize = BLOCK - 2;

    #[target_feature(enable = "avx2")]
    pub(super) fn survey(url: &[u8], start: u32, odd: u8, set: &Charset) -> Survey {
        let Some(first) = first_block(url) else {
            return Survey::default();
        };
        let odd = _mm256_set1_epi8(odd as i8);
        let first_classes = classes(first, set);
        let mut bad = unfit(first, first_classes, odd) & before(url.len().min(BLOCK));
        if url.len() <= BLOCK {
            bad |= bad_escapes(first, first_classes);
        } else {
            bad |= bad_escapes(first, first_classes) & before(STRIDE);
            let mut at = STRIDE;
            while at + BLOCK < url.len() {
                let block = load(url[at..].first_chunk().unwrap_or(&[0; BLOCK]));
                let classes = classes(block, set);
                bad |= unfit(block, classes, odd) | bad_escapes(block, classes) & before(STRIDE);
                at += STRIDE;
            }
            let last = load(url.last_chunk().unwrap_or(&[0; BLOCK]));
            let classes = classes(last, set);
            bad |= unfit(last, classes, odd) | bad_escapes(last, classes);
        }
        Survey {
            clean: bad == 0,
            hostport: hostport(first, first_classes, start as usize, url.len()),
        }
    }

    /// Returns the first 32 bytes, padded with zeros.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn first_block(url: &[u8]) -> Option<__m256i> {
        /// From index `n` on, moves bytes down by `n` places and fills up with zeros.
        const DOWN: [u8; 32] = {
            let mut table = [0x80; 32];
            let mut i = 0;
            while i < 16 {
                table[i] = i as u8;
                i += 1;
            }
            table
        };
        if let Some(block) = url.first_chunk() {
            return Some(load(block));
        }
        let (lower, upper) = (url.first_chunk()?, url.last_chunk()?);
        let down = DOWN.get(32 - url.len()..)?.first_chunk()?;
        let upper = _mm_shuffle_epi8(load_half(upper), load_half(down));
        Some(_mm256_set_m128i(upper, load_half(lower)))
    }

    /// Returns the lowest `len` bits.
    fn before(len: usize) -> u64 {
        (1 << len) - 1
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn classes(block: __m256i, set: &Charset) -> __m256i {
        let half = _mm256_set1_epi8(15);
        let lower = _mm256_and_si256(block, half);
        let upper = _mm256_and_si256(_mm256_srli_epi16::<4>(block), half);
        _mm256_and_si256(
            _mm256_shuffle_epi8(twice(&set.by_lower_half), lower),
            _mm256_shuffle_epi8(twice(&set.by_upper_half), upper),
        )
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn bits(bytes: __m256i) -> u64 {
        u64::from(_mm256_movemask_epi8(bytes) as u32)
    }

    /// Marks the bytes that are `byte`.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn are(block: __m256i, byte: u8) -> u64 {
        bits(_mm256_cmpeq_epi8(block, _mm256_set1_epi8(byte as i8)))
    }

    /// Marks the bytes that are in no class, or equal `odd`.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn unfit(block: __m256i, classes: __m256i, odd: __m256i) -> u64 {
        let none = _mm256_cmpeq_epi8(classes, _mm256_setzero_si256());
        bits(_mm256_or_si256(none, _mm256_cmpeq_epi8(block, odd)))
    }

    /// Marks each `%` that is not followed by two hexadecimal digits in this block.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn bad_escapes(block: __m256i, classes: __m256i) -> u64 {
        // Takes the highest bit of each byte, after moving the next one there.
        const { assert!(DIGIT == 1 << 7 && HEX_LETTER == 1 << 6) };
        let hex = bits(_mm256_or_si256(classes, _mm256_slli_epi16::<1>(classes)));
        are(block, b'%') & !(hex >> 1 & hex >> 2)
    }

    /// ```text
    /// hostport       = host [ ":" port ]
    /// host           = hostname | hostnumber
    /// hostname       = *[ domainlabel "." ] toplabel
    /// domainlabel    = alphadigit | alphadigit *[ alphadigit | "-" ] alphadigit
    /// toplabel       = alpha | alpha *[ alphadigit | "-" ] alphadigit
    /// hostnumber     = digits "." digits "." digits "." digits
    /// port           = digits
    /// ```
    /// in the first block of a URL of `len` bytes, if it ends there.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn hostport(block: __m256i, classes: __m256i, start: usize, len: usize) -> Option<Ends> {
        if !(1..BLOCK).contains(&start) {
            return None;
        }
        let behind = !before(start);
        let end = (are(block, b'/') & behind | 1 << len.min(BLOCK)).trailing_zeros();
        let hostport = before(end as usize) & behind;
        let colons = are(block, b':') & hostport;
        let host_end = (colons | 1 << end).trailing_zeros();
        let host = before(host_end as usize) & behind;
        let port = hostport & !host & !(1 << host_end);

        let digits = bits(classes);
        let alphadigits = _mm256_and_si256(classes, _mm256_set1_epi8(ALPHADIGIT as i8));
        let others = bits(_mm256_cmpeq_epi8(alphadigits, _mm256_setzero_si256()));
        let dots = are(block, b'.') & host;
        let hyphens = are(block, b'-') & host;

        // Each label has an edge on either side: two adjacent edges mean that it is empty; an edge
        // next to a hyphen means that it begins or ends with one.
        let before_top = dots | 1 << (start - 1);
        let edges = before_top | 1 << host_end;
        let labels = edges << 1 & (edges | hyphens) == 0 && hyphens << 1 & edges == 0;
        let top = 1 << (u64::BITS - before_top.leading_zeros());
        let hostname = digits & top == 0;
        let hostnumber = host & !(digits | dots) == 0 && dots.count_ones() == 3;

        let plain = end < BLOCK as u32
            && host & others & !(dots | hyphens) == 0
            && labels
            && (hostname || hostnumber)
            && port & !digits == 0
            && (colons == 0 || port != 0);
        plain.then_some(Ends {
            host: host_end,
            port: end,
            is_plain_name: hostname && hyphens & hyphens << 1 == 0,
        })
    }
}
