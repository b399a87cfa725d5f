//! The two ways to find: in bytes that are all there, and in a stream.

use std::io::{self, Read};

use crate::candidate::Candidate;

/// How candidates are found. The default is what [`find`] does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Finder {
    /// When a URL is joined over a line break.
    pub rejoin: Rejoin,
    /// Whether hosts that start with `www.` or `ftp.` are found without a scheme.
    pub schemeless: bool,
}

/// When a URL is joined over a line break.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rejoin {
    /// Only inside wrappers and angles.
    Never,
    /// Also where the grammar or a hyphen asks for it, and in quotes and brackets up to the closer.
    Judged,
    /// Also on the evidence of how the lines are broken.
    #[default]
    Likely,
}

impl Finder {
    /// The candidates of `text`, in order; offsets count from its first byte.
    pub fn find<'t>(&self, text: &'t [u8]) -> impl Iterator<Item = Candidate<'t>> {
        let _ = text;
        std::iter::empty()
    }

    /// The candidates of what `reader` gives, in bounded memory.
    pub fn stream<R: Read>(&self, reader: R) -> Stream<R> {
        Stream { reader }
    }
}

/// The candidates of `text`, in order.
pub fn find(text: &[u8]) -> impl Iterator<Item = Candidate<'_>> {
    Finder::default().find(text)
}

/// The candidates of a reader.
#[derive(Debug)]
pub struct Stream<R> {
    reader: R,
}

impl<R: Read> Stream<R> {
    /// Also counts lines and columns, and keeps the lines around each candidate.
    pub fn with_context(self) -> Self {
        self
    }

    /// The next candidate.
    pub fn next_found(&mut self) -> io::Result<Option<Found<'_>>> {
        let _ = &mut self.reader;
        Ok(None)
    }
}

/// A candidate and the text around it.
#[derive(Debug)]
pub struct Found<'w> {
    /// The candidate; its offsets count from the first byte of the source.
    pub candidate: Candidate<'w>,
    /// Where `candidate.outer` starts: line from 1, column in code points from 1.
    pub position: Position,
    /// The source bytes around the candidate.
    pub window: Window<'w>,
}

/// A line, from 1, and a column in it, in code points from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line.
    pub line: u64,
    /// The column.
    pub column: u64,
}

/// Some bytes of a source.
#[derive(Clone, Copy, Debug)]
pub struct Window<'w> {
    /// Offset of the first of them in the source.
    pub start: u64,
    /// The bytes.
    pub bytes: &'w [u8],
}
