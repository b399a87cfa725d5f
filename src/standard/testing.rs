//! Helpers for the tests of the standards.

#![allow(clippy::unwrap_used)]

use std::ops::Range;

use proptest::prelude::*;

use super::Problem;
use super::survey::SHORTEST;

/// What is wrong, by its name, and where it is.
pub(super) type Fault = (&'static str, Range<usize>);
/// A URL and its problems.
pub(super) type Case = (&'static [u8], &'static [Fault]);

/// The URLs of a table, each with its problems: on the lines under a URL `^` marks the bytes at fault,
/// `|` the byte before which something is missing, and then the name follows. Lines that begin with
/// `# ` are comments.
pub(super) fn cases(table: &'static str) -> Vec<(&'static str, Vec<Fault>)> {
    let mut cases: Vec<(_, Vec<_>)> = Vec::new();
    for line in table
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with("# "))
    {
        let marks = line.trim_start_matches(' ');
        let start = line.len() - marks.len();
        // A URL may begin with either; a mark is always followed by its kind.
        let Some((mark, name)) = marks
            .split_once(' ')
            .filter(|_| marks.starts_with(['^', '|']))
        else {
            cases.push((line, Vec::new()));
            continue;
        };
        let end = start + mark.matches('^').count();
        cases.last_mut().unwrap().1.push((name, start..end));
    }
    cases
}

/// The names of `problems`, and where they are.
pub(super) fn named(problems: Vec<Problem>) -> Vec<Fault> {
    problems
        .into_iter()
        .map(|problem| (problem.kind.name(), problem.part.range()))
        .collect()
}

/// Returns whether a survey says anything of a URL of `len` bytes here.
pub(super) fn is_surveyed(len: usize) -> bool {
    #[cfg(target_arch = "x86_64")]
    return len >= SHORTEST && crate::text::cpu::has_avx2();
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}

/// Hands URLs of all lengths that begin with `start` to `check`, with each byte at each place after it.
pub(super) fn every_byte_at_every_place(start: &str, mut check: impl FnMut(&[u8])) {
    let ordinary = b"a-b.example:80/c%20d/e%2Ff/g.h-i_j~k/lm%7Eno/pq?r=s&t%20=u/vw/xyz/0123456789";
    let whole = [start.as_bytes(), ordinary].concat();
    for len in start.len()..whole.len() {
        for at in start.len()..len {
            for byte in 0..=255 {
                let mut url = whole[..len].to_vec();
                url[at] = byte;
                check(&url);
            }
        }
    }
}

/// A URL that begins with one of `starts`, each of which goes with a byte, and where it goes on: a host,
/// mostly, and a path of what is common in one and of `others`, and one in two has any byte somewhere.
pub(super) fn nearly_ordinary(
    starts: &'static [(&str, u8)],
    others: &str,
) -> impl Strategy<Value = (Vec<u8>, u32, u8)> {
    let host = "[a-c0-9.:-]{0,26}|([a-c][a-c0-9-]{0,3}[.]){0,3}[a-c]{1,9}(:[0-9]{0,3})?|([0-9]{1,3}[.]){2,4}[0-9]{0,3}";
    let path =
        format!("(/([a-z0-9]{{1,20}}|%[0-9A-G]{{1,2}}|[a-z_.,;?:@&=~{others}-]){{0,9}}){{0,6}}");
    let path = proptest::string::string_regex(&path).unwrap();
    let misfit = prop::option::of((any::<u8>(), any::<prop::sample::Index>()));
    (prop::sample::select(starts), host, path, misfit).prop_map(
        |((start, odd), host, path, misfit)| {
            let mut url = format!("{start}{host}{path}").into_bytes();
            if let Some((byte, at)) = misfit
                && url.len() > start.len()
            {
                let at = start.len() + at.index(url.len() - start.len());
                url[at] = byte;
            }
            (url, start.len() as u32, odd)
        },
    )
}
