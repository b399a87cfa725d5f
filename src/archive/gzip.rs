//! gzip, member after member.

use std::io::{self, BufRead, Read};

use flate2::bufread::GzDecoder;

use super::kept::{Beginning, Faults, Kept};

/// What begins a member: its header, of at least ten bytes.
const MEMBER: Beginning = Beginning {
    magic: b"\x1f\x8b\x08",
    len: 10,
    is_it: is_header,
};

/// Decodes all members of a file. Behind one that is broken the next is looked for, and a line
/// break stands for what is missing, so that what surrounds it does not run together. Zeros behind
/// the last are padding; anything else there is a fault, as nothing should be lost in silence.
pub(super) struct Gzip<'f, R> {
    /// The member that is being decoded; `None` behind the last.
    member: Option<GzDecoder<Kept<R>>>,
    faults: &'f Faults,
    /// How many bytes there have been.
    at: u64,
}

impl<'f, R: BufRead> Gzip<'f, R> {
    /// What is wrong, and did not end the decoding, is added to `faults`.
    pub(super) fn new(reader: R, faults: &'f Faults) -> Self {
        Gzip {
            member: Some(GzDecoder::new(Kept::new(reader))),
            faults,
            at: 0,
        }
    }

    /// Goes to the next member behind one that has ended, or to the end. Returns whether something
    /// is passed over.
    fn go_on(&mut self) -> io::Result<bool> {
        let Some(member) = self.member.take() else {
            return Ok(false);
        };
        let mut reader = member.into_inner();
        reader.mark();
        if is_padding(&mut reader)? {
            return Ok(false);
        }
        if reader.fill_buf()?.first() != Some(&0x1f) {
            let fault = io::Error::other("what follows is not compressed");
            return self.go_on_behind(fault, reader).map(|()| true);
        }
        self.member = Some(GzDecoder::new(reader));
        Ok(false)
    }

    /// Goes to the next member behind a broken one; fails with its fault if there is none.
    fn go_on_behind(&mut self, fault: io::Error, mut reader: Kept<R>) -> io::Result<()> {
        reader.go_on_behind(fault, &MEMBER, self.faults, self.at)?;
        self.member = Some(GzDecoder::new(reader));
        Ok(())
    }

    /// Decodes, or goes on behind what cannot be decoded.
    fn step(&mut self, out: &mut [u8]) -> io::Result<Step> {
        let Some(member) = &mut self.member else {
            return Ok(Step::End);
        };
        match member.read(out) {
            Ok(0) => match self.go_on()? {
                true => Ok(Step::PassedOver),
                false => Ok(Step::Decoded(0)),
            },
            Ok(count) => Ok(Step::Decoded(count)),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Err(fault) => match self.member.take() {
                Some(member) => {
                    self.go_on_behind(fault, member.into_inner())?;
                    Ok(Step::PassedOver)
                }
                None => Err(fault),
            },
        }
    }
}

/// What a step of decoding did.
enum Step {
    /// So many bytes were decoded; none between two members.
    Decoded(usize),
    /// Something could not be decoded.
    PassedOver,
    End,
}

impl<R: BufRead> Read for Gzip<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        let count = loop {
            match self.step(out)? {
                Step::Decoded(0) => {}
                Step::Decoded(count) => break count,
                Step::PassedOver => {
                    out[0] = b'\n';
                    break 1;
                }
                Step::End => break 0,
            }
        };
        self.at += count as u64;
        Ok(count)
    }
}

/// Whether this is the header of a member: what no program sets is not set, and the last byte may
/// name a system.
fn is_header(header: &[u8]) -> bool {
    matches!(header, [_, _, _, flags, .., 0 | 2 | 4, 0..=31 | 255] if flags & 0xe0 == 0)
}

/// Whether nothing but zeros comes up to the end. Reads as far as they go.
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
