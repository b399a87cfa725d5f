//! gzip, member after member.

use std::io::{self, BufRead, Read};

use flate2::bufread::GzDecoder;

/// Decodes all members of a file. Zeros behind the last are padding; anything else there is an
/// error, as nothing should be lost in silence.
pub(super) struct Gzip<R> {
    /// The member that is being decoded; `None` behind the last.
    member: Option<GzDecoder<R>>,
}

impl<R: BufRead> Gzip<R> {
    pub(super) fn new(reader: R) -> Self {
        Gzip {
            member: Some(GzDecoder::new(reader)),
        }
    }
}

impl<R: BufRead> Read for Gzip<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        while let Some(member) = &mut self.member {
            let count = member.read(out)?;
            if count > 0 {
                return Ok(count);
            }
            let Some(mut reader) = self.member.take().map(GzDecoder::into_inner) else {
                break;
            };
            if reader.fill_buf()?.first() == Some(&0x1f) {
                self.member = Some(GzDecoder::new(reader));
            } else {
                padding(&mut reader)?;
            }
        }
        Ok(0)
    }
}

/// Reads to the end, where nothing but zeros may stand.
fn padding(reader: &mut impl BufRead) -> io::Result<()> {
    loop {
        let rest = reader.fill_buf()?;
        if rest.is_empty() {
            return Ok(());
        }
        if rest.iter().any(|&byte| byte != 0) {
            return Err(io::Error::other("what follows is not compressed"));
        }
        let count = rest.len();
        reader.consume(count);
    }
}
