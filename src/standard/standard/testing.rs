//! Helpers for the tests of the standards.

#![allow(clippy::unwrap_used)]

use std::ops::Range;

use super::Problem;

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
