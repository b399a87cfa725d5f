//! Whatever follows the first two bytes of a file of `compress`, it is decoded without a panic, comes
//! out the same however it arrives, and is no longer than its codes allow.

use std::io::{self, Read};

use urlint::archive::{Content, Fault, Limits, Opener, Sink, Source};

/// What comes out of a file.
#[derive(Default, PartialEq)]
struct Decoded {
    length: u64,
    faults: Vec<(Fault, u64)>,
}

impl Sink for Decoded {
    type Error = io::Error;

    fn source(&mut self, _: &Source, content: &mut Content<'_>) -> io::Result<()> {
        self.length += io::copy(content, &mut io::sink())?;
        Ok(())
    }

    fn fault(&mut self, _: &Source, fault: &Fault, at: u64) {
        self.faults.push((fault.clone(), at));
    }

    fn skipped(&mut self, _: &Source, _: &str) {}
}

/// Gives one byte at a time.
struct Drops<'d>(&'d [u8]);

impl Read for Drops<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = out.len().min(1);
        self.0.read(&mut out[..count])
    }
}

/// The input is what follows the first two bytes.
pub(super) fn compress(bytes: &[u8]) {
    let file = [b"\x1f\x9d", bytes].concat();
    let opener = Opener::new(Limits::default());
    let source = Source::file(b"a.Z", false);
    let (mut whole, mut drops) = (Decoded::default(), Decoded::default());
    assert!(opener.open_bytes(&source, &file, &mut whole).is_ok());
    assert!(opener.open(&source, &mut Drops(&file), &mut drops).is_ok());
    assert!(whole == drops);
    // The code after n others stands for at most n + 1 bytes, and for no more than there are codes.
    let codes = 8 * bytes.len() as u64 / 9;
    assert!(whole.length <= codes * codes.min(1 << 16));
}
