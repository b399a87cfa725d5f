//! Compressed files of members, one after another, which are decompressed one by one.

use std::io::{self, BufRead, Read};

use super::pieces::{Pieces, Ready};
use super::rewind::{Beginning, Faults, RewindReader};

/// Decodes one member.
pub(super) trait Decoder {
    const MEMBER: &Beginning;

    /// What is wrong with a member whose end is missing.
    const INCOMPLETE: &str;

    fn new() -> Self;

    /// Decodes `input` to `out`, as far as both go. An empty `input` is the end of the file.
    fn decode(&mut self, input: &[u8], out: &mut [u8]) -> Step;
}

/// What a decoder has done at once.
pub(super) struct Step {
    /// How many bytes it has read.
    pub(super) read: usize,
    /// How many it has written. What is decoded before a fault counts, however the bytes arrive.
    pub(super) written: usize,
    /// Whether the member has ended, or what is wrong with it.
    pub(super) is_over: Result<bool, &'static str>,
}

/// Decodes all members of a file. After a damaged member the next one is searched for, and a line
/// break is put in the place of what is missing, so that the text before and after it stays apart.
/// Zeros after the last member are padding; anything else there is a fault.
pub(super) struct Members<'f, 'b, R, D> {
    state: State<RewindReader<Pieces<'b, R>>, D>,
    /// Members that were decoded at once.
    ready: Ready,
    faults: &'f Faults,
    /// How many bytes have been decoded.
    at: u64,
}

enum State<R, D> {
    /// A member is being decoded.
    Member(Member<R, D>),
    /// A member begins, or the file has ended.
    Between(R),
    /// After the last member.
    Over,
}

/// A member that is being decoded.
struct Member<R, D> {
    reader: R,
    decoder: D,
    /// What comes after all that could be decoded.
    end: Option<Result<(), &'static str>>,
}

impl<R: BufRead, D: Decoder> Read for Member<R, D> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.end.is_none() {
            let input = self.reader.fill_buf()?;
            let is_cut_off = input.is_empty();
            let step = self.decoder.decode(input, out);
            self.reader.consume(step.read);
            self.end = match step.is_over {
                Ok(true) => Some(Ok(())),
                Ok(false) if is_cut_off && step.written == 0 => Some(Err(D::INCOMPLETE)),
                Ok(false) => None,
                Err(fault) => Some(Err(fault)),
            };
            if step.written > 0 {
                return Ok(step.written);
            }
        }
        match self.end {
            Some(Err(fault)) => Err(io::Error::other(fault)),
            _ => Ok(0),
        }
    }
}

impl<'f, 'b, R: BufRead, D: Decoder> Members<'f, 'b, R, D> {
    /// Faults that do not end the decoding are added to `faults`.
    pub(super) fn new(pieces: Pieces<'b, R>, faults: &'f Faults) -> Self {
        Members {
            state: State::Between(RewindReader::new(pieces)),
            ready: Ready::default(),
            faults,
            at: 0,
        }
    }

    /// Begins the next member, or ends after the last. Returns whether something is skipped.
    fn go_on(&mut self, mut reader: RewindReader<Pieces<'b, R>>) -> io::Result<bool> {
        reader.mark();
        if is_padding(&mut reader)? {
            return Ok(false);
        }
        if reader.fill_buf()?.first() != D::MEMBER.magic.first() {
            let fault = io::Error::other("what follows is not compressed");
            return self.go_on_after(fault, reader).map(|()| true);
        }
        let is_ready = match reader.below() {
            Some(pieces) => self.ready.take_from(pieces)?,
            None => false,
        };
        self.state = if is_ready {
            State::Between(reader)
        } else {
            State::Member(Member {
                reader,
                decoder: D::new(),
                end: None,
            })
        };
        Ok(false)
    }

    /// Goes to the next member after a damaged one; fails with its fault if there is none.
    fn go_on_after(
        &mut self,
        fault: io::Error,
        mut reader: RewindReader<Pieces<'b, R>>,
    ) -> io::Result<()> {
        reader.go_on_after(fault, D::MEMBER, self.faults, self.at)?;
        self.state = State::Between(reader);
        Ok(())
    }

    /// Decodes, or skips what cannot be decoded.
    fn next(&mut self, out: &mut [u8]) -> io::Result<Next> {
        let count = self.ready.read(out);
        if count > 0 {
            return Ok(Next::Decoded(count));
        }
        let mut member = match std::mem::replace(&mut self.state, State::Over) {
            State::Over => return Ok(Next::End),
            State::Between(reader) => {
                return Ok(if self.go_on(reader)? {
                    Next::Skipped
                } else {
                    Next::Decoded(0)
                });
            }
            State::Member(member) => member,
        };
        match member.read(out) {
            Ok(0) => {
                self.state = State::Between(member.reader);
                Ok(Next::Decoded(0))
            }
            Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                self.go_on_after(error, member.reader)?;
                Ok(Next::Skipped)
            }
            read => {
                self.state = State::Member(member);
                Ok(Next::Decoded(read?))
            }
        }
    }
}

/// What comes next in a file.
enum Next {
    /// So many bytes were decoded; 0 between two members.
    Decoded(usize),
    /// Something was skipped.
    Skipped,
    End,
}

impl<R: BufRead, D: Decoder> Read for Members<'_, '_, R, D> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        let count = loop {
            match self.next(out)? {
                Next::Decoded(0) => {}
                Next::Decoded(count) => break count,
                Next::Skipped => {
                    out[0] = b'\n';
                    break 1;
                }
                Next::End => break 0,
            }
        };
        self.at += count as u64;
        Ok(count)
    }
}

/// Returns whether nothing but zeros follows. Reads past the zeros.
fn is_padding(reader: &mut impl BufRead) -> io::Result<bool> {
    loop {
        let rest = reader.fill_buf()?;
        if rest.is_empty() {
            return Ok(true);
        }
        let zeros = rest.iter().take_while(|&&byte| byte == 0).count();
        if zeros < rest.len() {
            reader.consume(zeros);
            return Ok(false);
        }
        reader.consume(zeros);
    }
}
