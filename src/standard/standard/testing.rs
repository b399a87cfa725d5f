//! Helpers for the tests of the standards.

#![allow(clippy::unwrap_used)]

use std::ops::Range;

use proptest::prelude::*;

use super::Problem;
use super::survey::SHORTEST;

/// The name of a problem, and where it is.
pub(super) type NamedProblem = (&'static str, Range<usize>);
/// A URL and its problems.
pub(super) type Case = (&'static [u8], &'static [NamedProblem]);

/// The URLs of a table, each with its problems: on the lines under a URL, `^` marks the bytes at
/// fault, or `|` the byte before which something is missing, followed by the name. Lines that begin
/// with `# ` are comments.
pub(super) fn cases(table: &'static str) -> Vec<(&'static str, Vec<NamedProblem>)> {
    let mut cases: Vec<(_, Vec<_>)> = Vec::new();
    for line in table
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with("# "))
    {
        let marks = line.trim_start_matches(' ');
        let start = line.len() - marks.len();
        // A URL may begin with either mark, but a mark is always followed by a name.
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

/// Returns the names of `problems`, and where they are.
pub(super) fn named(problems: Vec<Problem>) -> Vec<NamedProblem> {
    problems
        .into_iter()
        .map(|problem| (problem.kind.name(), problem.part.range()))
        .collect()
}

/// Returns whether a survey confirms anything about a URL of `len` bytes on this machine.
pub(super) fn is_surveyed(len: usize) -> bool {
    #[cfg(target_arch = "x86_64")]
    return len >= SHORTEST && crate::text::cpu::has_avx2();
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}

/// Passes URLs of all lengths that begin with `start` to `check`, with each byte at each place
/// after it.
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

/// Returns a URL that begins with one of `starts`, the byte that goes with that start, and where
/// the URL continues: mostly a host, and a path of common characters and of `others`. Every other
/// URL has an arbitrary byte somewhere.
pub(super) fn nearly_ordinary(
    starts: &'static [(&str, u8)],
    others: &str,
) -> impl Strategy<Value = (Vec<u8>, u32, u8)> {
    let host = "[a-c0-9.:-]{0,26}|([a-c][a-c0-9-]{0,3}[.]){0,3}[a-c]{1,9}(:[0-9]{0,3})?|([0-9]{1,3}[.]){2,4}[0-9]{0,3}";
    let path =
        format!("(/([a-z0-9]{{1,20}}|%[0-9A-G]{{1,2}}|[a-z_.,;?:@&=~{others}-]){{0,9}}){{0,6}}");
    let path = proptest::string::string_regex(&path).unwrap();
    let replaced = prop::option::of((any::<u8>(), any::<prop::sample::Index>()));
    (prop::sample::select(starts), host, path, replaced).prop_map(
        |((start, odd), host, path, replaced)| {
            let mut url = format!("{start}{host}{path}").into_bytes();
            if let Some((byte, at)) = replaced
                && url.len() > start.len()
            {
                let at = start.len() + at.index(url.len() - start.len());
                url[at] = byte;
            }
            (url, start.len() as u32, odd)
        },
    )
}
