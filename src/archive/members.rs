//! Compressed files of members, one after another, which are decompressed one by one.

use std::io::{self, BufRead, Read};

use super::peek::skip;
use super::pieces::{Pieces, Ready};
use super::rewind::{Faults, MemberFormat, RewindReader};

/// Decodes one member after another.
pub(super) trait Decoder: Sized {
    /// How such members are recognised, and decompressed ahead.
    const FORMAT: &MemberFormat;

    /// The fault of a member without an end.
    const INCOMPLETE: &str;

    /// Returns a decoder for the first member.
    fn new() -> Self;

    /// Returns a decoder for the next member.
    fn again(self) -> Self {
        Self::new()
    }

    /// Returns whether a member may begin with this byte.
    fn may_begin(first: u8) -> bool {
        Self::FORMAT.magic.first() == Some(&first)
    }

    /// Decodes `input` to `out` until one of them is used up. An empty `input` is the end of the
    /// file.
    fn decode(&mut self, input: &[u8], out: &mut [u8]) -> Step;
}

/// The result of one step of a decoder.
pub(super) struct Step {
    /// How many bytes it has read.
    pub(super) read: usize,
    /// How many bytes it has written, including everything decoded before a fault, however the
    /// bytes arrive.
    pub(super) written: usize,
    /// Whether the member has ended, or its fault.
    pub(super) is_over: Result<bool, &'static str>,
}

/// Decodes all members of a file. After a damaged member it searches for the next one, and outputs
/// a line break in place of the missing part, to separate the text before and after it. Zeros after
/// the last member are padding; anything else there is a fault.
pub(super) struct Members<'f, 'b, R, D> {
    reader: RewindReader<Pieces<'b, R>>,
    decoder: Option<D>,
    state: MemberState,
    /// Members that have been decoded ahead.
    ready: Ready,
    faults: &'f Faults,
    /// How many bytes have been decoded.
    at: u64,
}

enum MemberState {
    /// A member begins, or the file ends.
    Between,
    /// A member is being decoded.
    Member,
    /// The member is damaged, with a description.
    Damaged(&'static str),
    /// After the last member.
    Over,
}

impl<'f, 'b, R: BufRead, D: Decoder> Members<'f, 'b, R, D> {
    /// Faults that do not stop decoding are added to `faults`.
    pub(super) fn new(pieces: Pieces<'b, R>, faults: &'f Faults) -> Self {
        Members {
            reader: RewindReader::new(pieces),
            decoder: None,
            state: MemberState::Between,
            ready: Ready::default(),
            faults,
            at: 0,
        }
    }

    /// Begins the next member, or takes it and its successors if they have been decoded ahead.
    /// Returns the new state.
    fn begin(&mut self) -> io::Result<MemberState> {
        self.reader.mark();
        skip(&mut self.reader, b"\0")?;
        let Some(&first) = self.reader.fill_buf()?.first() else {
            return Ok(MemberState::Over);
        };
        if !D::may_begin(first) {
            return Ok(MemberState::Damaged("the rest is not compressed"));
        }
        if let Some(pieces) = self.reader.below()
            && self.ready.take_from(pieces)?
        {
            return Ok(MemberState::Between);
        }
        let before = self.decoder.take();
        self.decoder = Some(before.map_or_else(D::new, D::again));
        Ok(MemberState::Member)
    }

    /// Decodes some of a member. Returns how many bytes were written, and the new state.
    fn decode(&mut self, out: &mut [u8]) -> io::Result<(usize, MemberState)> {
        let input = self.reader.fill_buf()?;
        let is_cut_off = input.is_empty();
        let step = self.decoder.get_or_insert_with(D::new).decode(input, out);
        self.reader.consume(step.read);
        let state = match step.is_over {
            Ok(true) => MemberState::Between,
            Ok(false) if is_cut_off && step.written == 0 => MemberState::Damaged(D::INCOMPLETE),
            Ok(false) => MemberState::Member,
            Err(fault) => MemberState::Damaged(fault),
        };
        Ok((step.written, state))
    }

    /// Decodes bytes, or skips those that cannot be decoded. Returns how many bytes were written; 0 if
    /// only the state has changed.
    fn next(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.ready.read(out);
        if count > 0 {
            return Ok(count);
        }
        let (count, state) = match self.state {
            MemberState::Between => (0, self.begin()?),
            MemberState::Member => self.decode(out)?,
            MemberState::Damaged(fault) => {
                self.state = MemberState::Over;
                let fault = io::Error::other(fault);
                self.reader
                    .go_on_after(fault, D::FORMAT, self.faults, self.at)?;
                out[0] = b'\n';
                (1, MemberState::Between)
            }
            MemberState::Over => (0, MemberState::Over),
        };
        self.state = state;
        Ok(count)
    }
}

impl<R: BufRead, D: Decoder> Read for Members<'_, '_, R, D> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        loop {
            let count = self.next(out)?;
            self.at += count as u64;
            if count > 0 || matches!(self.state, MemberState::Over) {
                return Ok(count);
            }
        }
    }
}
