//! Opening any bytes as an archive never panics and always ends, and no more comes out of them than
//! the limits allow; from memory comes the same as from a reader.

use std::io::{self, Read};

use urlint::archive::{Content, Fault, Limits, Opener, Sink, Source};

/// The most that may come out of an archive, in bytes.
const SIZE: u64 = 1 << 20;

/// How many bytes are read at once, at most: so many more may come out, since they are counted when
/// they have been read.
const AT_ONCE: u64 = 64 << 10;

/// What comes out of an archive.
#[derive(Default)]
struct Members {
    names: Vec<Option<Vec<u8>>>,
    skipped: Vec<Option<Vec<u8>>>,
    /// What is in all of them.
    content: Vec<u8>,
    faults: Vec<(Fault, u64)>,
}

impl Sink for Members {
    type Error = io::Error;

    fn source(&mut self, source: &Source, content: &mut Content<'_>) -> io::Result<()> {
        self.names.push(source.member.clone());
        content.read_to_end(&mut self.content)?;
        Ok(())
    }

    fn fault(&mut self, _: &Source, fault: &Fault, at: u64) {
        self.faults.push((fault.clone(), at));
    }

    fn skipped(&mut self, source: &Source, _: &str) {
        self.skipped.push(source.member.clone());
    }
}

/// The input is a file.
pub(super) fn archives(bytes: &[u8]) {
    let mut limits = Limits::default();
    limits.size = SIZE;
    let opener = Opener::new(limits);
    let source = Source::file(b"a", false);
    let mut members = Members::default();
    assert!(opener.open_bytes(&source, bytes, &mut members).is_ok());
    assert!(members.content.len() as u64 <= SIZE + AT_ONCE + bytes.len() as u64);
    let mut read = Members::default();
    assert!(opener.open(&source, &mut &*bytes, &mut read).is_ok());
    assert_eq!(members.names, read.names);
    assert_eq!(members.skipped, read.skipped);
    assert_eq!(members.faults, read.faults);
    assert!(members.content == read.content);
}
