//! gzip, member after member.

use std::io::{self, BufRead, Read};

use flate2::bufread::GzDecoder;

use super::rewind::{Beginning, Faults, RewindReader};

/// A member begins with its header, of at least ten bytes.
const MEMBER: Beginning = Beginning {
    magic: b"\x1f\x8b\x08",
    len: 10,
    is_it: is_header,
};

/// Decodes all members of a file. After a damaged member the next one is searched for, and a line
/// break is put in the place of what is missing, so that the text before and after it stays apart.
/// Zeros after the last member are padding; anything else there is a fault.
pub(super) struct Gzip<'f, R> {
    /// The member that is being decoded; `None` after the last.
    member: Option<GzDecoder<RewindReader<R>>>,
    faults: &'f Faults,
    /// How many bytes have been decoded.
    at: u64,
}

impl<'f, R: BufRead> Gzip<'f, R> {
    /// Faults that do not end the decoding are added to `faults`.
    pub(super) fn new(reader: R, faults: &'f Faults) -> Self {
        Gzip {
            member: Some(GzDecoder::new(RewindReader::new(reader))),
            faults,
            at: 0,
        }
    }

    /// Goes to the next member after one that has ended, or to the end. Returns whether something is
    /// skipped.
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
            return self.go_on_after(fault, reader).map(|()| true);
        }
        self.member = Some(GzDecoder::new(reader));
        Ok(false)
    }

    /// Goes to the next member after a damaged one; fails with its fault if there is none.
    fn go_on_after(&mut self, fault: io::Error, mut reader: RewindReader<R>) -> io::Result<()> {
        reader.go_on_after(fault, &MEMBER, self.faults, self.at)?;
        self.member = Some(GzDecoder::new(reader));
        Ok(())
    }

    /// Decodes, or skips what cannot be decoded.
    fn step(&mut self, out: &mut [u8]) -> io::Result<Step> {
        let Some(member) = &mut self.member else {
            return Ok(Step::End);
        };
        match member.read(out) {
            Ok(0) => Ok(if self.go_on()? {
                Step::Skipped
            } else {
                Step::Decoded(0)
            }),
            Ok(count) => Ok(Step::Decoded(count)),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Err(fault) => match self.member.take() {
                Some(member) => {
                    self.go_on_after(fault, member.into_inner())?;
                    Ok(Step::Skipped)
                }
                None => Err(fault),
            },
        }
    }
}

/// The result of a step of decoding.
enum Step {
    /// So many bytes were decoded; 0 between two members.
    Decoded(usize),
    /// Something was skipped.
    Skipped,
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
                Step::Skipped => {
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

/// Returns whether `header` is the header of a member: no reserved flag is set, and the last bytes
/// are a compression level and an operating system.
fn is_header(header: &[u8]) -> bool {
    matches!(header, [_, _, _, flags, .., 0 | 2 | 4, 0..=31 | 255] if flags & 0xe0 == 0)
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
