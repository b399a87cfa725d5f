//! What most URLs are, told from blocks of 32 bytes: a plain `hostport`, and no character anywhere
//! that needs a look.
//!
//! A survey only ever says yes. Where it does not, the productions read on, one component after the
//! other: they alone find problems, and they alone need to be checked against the RFC. What a yes
//! claims is held against them by the tests, byte for byte.

use super::{Hostport, Part};

/// What is certain about a URL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Survey {
    /// Each of its characters is an `xchar`, each `%` begins an `escape`, and the one character
    /// that is odd in its scheme, since it begins a further component there, is absent.
    pub(super) clean: bool,
    /// What stands before its first slash, or its end, is a `hostport`.
    hostport: Option<Ends>,
}

/// Where a host and its port end: at the same place if there is no port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ends {
    host: u32,
    port: u32,
}

impl Survey {
    /// The `hostport` at the start of `rest`, which is where it was said to begin, and what follows
    /// it.
    #[inline]
    pub(super) fn hostport(self, rest: &Part) -> Option<(Hostport, Part)> {
        let Ends { host, port } = self.hostport?;
        let (host_end, end) = (host as usize, port as usize);
        let hostport = Hostport {
            host: rest.start..host_end,
            port: (host_end < end).then(|| host_end + 1..end),
        };
        Some((hostport, end..rest.end))
    }
}

/// Surveys `url`, whose `hostport` begins at `start` if it has one; it is not clean with `odd` in
/// it. Without AVX2, and of very short ones, nothing is certain.
#[inline]
pub(super) fn survey(url: &[u8], start: usize, odd: u8) -> Survey {
    #[cfg(target_arch = "x86_64")]
    if url.len() >= avx2::SHORTEST && std::arch::is_x86_feature_detected!("avx2") {
        // Measured on text that is nearly all URLs: judging takes half the time that the
        // productions take.
        #[expect(unsafe_code, reason = "the processor was asked for AVX2")]
        // SAFETY: the only condition of a function with a target feature is that the processor
        // has it, and that was tested just above; the function itself is safe code.
        return unsafe { avx2::survey(url, start, odd) };
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

    use super::{Ends, Survey};
    use crate::text::byteset::{load, load_half, twice};

    /// The shortest URL that is surveyed: half a block.
    pub(super) const SHORTEST: usize = 16;

    /// `xchar` without escapes, and `%`, as classes that a byte is in if both its halves are: bits,
    /// the characters by their lower halves, and the upper halves with which they are meant.
    const CLASSES: [(u8, &[u8; 16], &[u8]); 8] = [
        (DIGIT, b"0123456789      ", &[3]),
        (HEX_LETTER, b" ABCDEF         ", &[4, 6]),
        (1 << 5, b"       GHIJKLMNO", &[4, 6]),
        (1 << 4, b"PQRSTUVWXYZ     ", &[5, 7]),
        (1 << 3, b" !  $%&'()*+,-./", &[2]),
        (1 << 2, b"          :; = ?", &[3]),
        (1 << 1, b"@               ", &[4]),
        (1 << 0, b"               _", &[5]),
    ];
    const DIGIT: u8 = 1 << 7;
    const HEX_LETTER: u8 = 1 << 6;
    const ALPHADIGIT: u8 = 0xF0;

    /// For each lower half of a byte, the classes it may be in.
    const BY_LOWER_HALF: [u8; 16] = {
        let mut table = [0; 16];
        let mut i = 0;
        while i < 8 * 16 {
            let (class, characters, _) = CLASSES[i / 16];
            if characters[i % 16] != b' ' {
                table[i % 16] |= class;
            }
            i += 1;
        }
        table
    };

    /// The same for each upper half.
    const BY_UPPER_HALF: [u8; 16] = {
        let mut table = [0; 16];
        let mut i = 0;
        while i < 8 {
            let (class, _, halves) = CLASSES[i];
            let mut j = 0;
            while j < halves.len() {
                table[halves[j] as usize] |= class;
                j += 1;
            }
            i += 1;
        }
        table
    };

    const BLOCK: usize = 32;
    /// How far one block is from the next: an escape that is cut off at the end of one is whole in
    /// the next.
    const STRIDE: usize = BLOCK - 2;

    #[target_feature(enable = "avx2")]
    pub(super) fn survey(url: &[u8], start: usize, odd: u8) -> Survey {
        let Some(first) = first_block(url) else {
            return Survey::default();
        };
        let odd = _mm256_set1_epi8(odd as i8);
        let mut faults = unfit(first, odd) & before(url.len().min(BLOCK));
        if url.len() <= BLOCK {
            faults |= bad_escapes(first);
        } else {
            faults |= bad_escapes(first) & before(STRIDE);
            let mut at = STRIDE;
            while at + BLOCK < url.len() {
                let block = load(url[at..].first_chunk().unwrap_or(&[0; BLOCK]));
                faults |= unfit(block, odd) | bad_escapes(block) & before(STRIDE);
                at += STRIDE;
            }
            let last = load(url.last_chunk().unwrap_or(&[0; BLOCK]));
            faults |= unfit(last, odd) | bad_escapes(last);
        }
        Survey {
            clean: faults == 0,
            hostport: hostport(first, start, url.len()),
        }
    }

    /// The first 32 bytes; zeros behind the end.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn first_block(url: &[u8]) -> Option<__m256i> {
        /// Moves bytes down and puts zeros above them, from as many places on as they are moved.
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

    /// The lowest `len` bits.
    fn before(len: usize) -> u64 {
        (1 << len) - 1
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn classes(block: __m256i) -> __m256i {
        let half = _mm256_set1_epi8(15);
        let lower = _mm256_and_si256(block, half);
        let upper = _mm256_and_si256(_mm256_srli_epi16::<4>(block), half);
        _mm256_and_si256(
            _mm256_shuffle_epi8(twice(&BY_LOWER_HALF), lower),
            _mm256_shuffle_epi8(twice(&BY_UPPER_HALF), upper),
        )
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn bits(bytes: __m256i) -> u64 {
        u64::from(_mm256_movemask_epi8(bytes) as u32)
    }

    /// Which bytes are `byte`.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn are(block: __m256i, byte: u8) -> u64 {
        bits(_mm256_cmpeq_epi8(block, _mm256_set1_epi8(byte as i8)))
    }

    /// Which bytes are in none of the classes, or odd.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn unfit(block: __m256i, odd: __m256i) -> u64 {
        let none = _mm256_cmpeq_epi8(classes(block), _mm256_setzero_si256());
        bits(_mm256_or_si256(none, _mm256_cmpeq_epi8(block, odd)))
    }

    /// Which bytes are a `%` that no two hexadecimal digits follow in this block.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn bad_escapes(block: __m256i) -> u64 {
        // The highest bit of each byte is taken, the next one moved there.
        const { assert!(DIGIT == 1 << 7 && HEX_LETTER == 1 << 6) };
        let classes = classes(block);
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
    /// in the first block of a URL of `len` bytes, if it ends within.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn hostport(block: __m256i, start: usize, len: usize) -> Option<Ends> {
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

        let classes = classes(block);
        let digits = bits(classes);
        let alphadigits = _mm256_and_si256(classes, _mm256_set1_epi8(ALPHADIGIT as i8));
        let others = bits(_mm256_cmpeq_epi8(alphadigits, _mm256_setzero_si256()));
        let dots = are(block, b'.') & host;
        let hyphens = are(block, b'-') & host;

        // Each label has an edge on either side: two edges together, and it is empty; a hyphen next
        // to one, and it begins or ends with that.
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
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::standard::rfc1738::{Judge, Problem};
    use crate::tries::tries;

    /// Whether a survey can tell anything of a URL of `len` bytes here.
    fn is_at_work(len: usize) -> bool {
        #[cfg(target_arch = "x86_64")]
        return len >= avx2::SHORTEST && std::arch::is_x86_feature_detected!("avx2");
        #[cfg(not(target_arch = "x86_64"))]
        return false;
    }

    /// What a survey should say, by the productions.
    fn by_the_productions(url: &[u8], start: usize, odd: u8) -> Survey {
        let mut problems = 0;
        let mut judge = Judge {
            url,
            report: |_: Problem| problems += 1,
        };
        let (authority, _) = judge.ip_schemepart(start..url.len(), b"/");
        let end = authority.end;
        let parts = judge.hostport(authority);
        let ends_in_time = end < 32;
        let is_hostport = problems == 0;
        problems = 0;
        let mut judge = Judge {
            url,
            report: |_: Problem| problems += 1,
        };
        judge.xchars(0..url.len());
        Survey {
            clean: problems == 0 && !url.contains(&odd),
            hostport: (is_hostport && ends_in_time).then_some(Ends {
                host: parts.host.end as u32,
                port: end as u32,
            }),
        }
    }

    fn check(url: &[u8], start: usize, odd: u8) {
        let expected = match is_at_work(url.len()) {
            true => by_the_productions(url, start, odd),
            false => Survey::default(),
        };
        let shown = url.escape_ascii();
        assert_eq!(survey(url, start, odd), expected, "{shown} with {odd:#x}");
    }

    const STARTS: [(&str, u8); 5] = [
        ("http://", b'?'),
        ("ftp://", b';'),
        ("https://", 0),
        ("as-long-as-a-block-is-in-bytes://", b'/'),
        (
            "more-than-there-are-bits-in-the-mask-of-two-blocks-of-such-bytes://",
            0,
        ),
    ];

    #[test]
    fn every_byte_at_every_place() {
        let ordinary =
            b"a-b.example:80/c%20d/e%2Ff/g.h-i_j~k/lm%7Eno/pq?r=s&t%20=u/vw/xyz/0123456789";
        for (scheme, odd) in STARTS {
            let whole: Vec<u8> = scheme.bytes().chain(*ordinary).collect();
            for len in scheme.len()..whole.len() {
                for at in scheme.len()..len {
                    for byte in 0..=255 {
                        let mut url = whole[..len].to_vec();
                        url[at] = byte;
                        check(&url, scheme.len(), odd);
                    }
                }
            }
        }
    }

    #[test]
    fn ordinary_urls_are_seen_to_be() {
        let ordinary = [
            "http://www.ietf.org/",
            "http://www.example.com:8080/a/b;c=d/e%20f",
            "ftp://192.0.2.7/pub/rfc/rfc1738.txt",
            "https://en.m.example.net/wiki/Main_Page?action=history&offset=100#",
            "http://cdn-3.static.example.io",
        ];
        for url in ordinary.map(|url| url.trim_end_matches('#').as_bytes()) {
            let start = memchr::memmem::find(url, b"//").map_or(0, |at| at + 2);
            let survey = survey(url, start, b'~');
            let seen = survey.clean && survey.hostport.is_some();
            assert_eq!(seen, is_at_work(url.len()), "{}", url.escape_ascii());
        }
    }

    proptest! {
        #![proptest_config(tries(50_000))]

        #[test]
        fn a_survey_says_what_the_productions_say(
            (scheme, odd) in prop::sample::select(STARTS.to_vec()),
            authority in "[a-c0-9.:-]{0,26}|([a-c][a-c0-9-]{0,3}[.]){0,3}[a-c]{1,9}(:[0-9]{0,3})?|([0-9]{1,3}[.]){2,4}[0-9]{0,3}",
            path in "(/([a-z0-9]{1,20}|%[0-9A-G]{1,2}|[a-z_.,;?:@&=~-]){0,9}){0,6}",
            misfit in prop::option::of((any::<u8>(), any::<prop::sample::Index>())),
        ) {
            let mut url = format!("{scheme}{authority}{path}").into_bytes();
            if let Some((byte, at)) = misfit && url.len() > scheme.len() {
                let at = scheme.len() + at.index(url.len() - scheme.len());
                url[at] = byte;
            }
            check(&url, scheme.len(), odd);
        }
    }
}
