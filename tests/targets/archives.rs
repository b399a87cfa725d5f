//! Opening any bytes as an archive never panics and always ends, and no more comes out than the
//! limits allow; the result is the same from memory as from a reader.

use std::io::{self, Read};

use urlint::archive::{Fault, Item, Limits, Opener, Source};

/// The maximum number of bytes that may come out of an archive.
const SIZE: u64 = 1 << 20;

/// The maximum number of bytes read at once: this many more may come out, since they are counted
/// after they have been read.
const AT_ONCE: u64 = 64 << 10;

/// The members of an archive.
#[derive(Default)]
struct Members {
    names: Vec<Option<Vec<u8>>>,
    skipped: Vec<Option<Vec<u8>>>,
    /// The content of all of them.
    content: Vec<u8>,
    faults: Vec<(Fault, u64)>,
}

impl Members {
    fn take(&mut self, item: Item<'_>) -> io::Result<()> {
        match item {
            Item::Source(source, mut content) => {
                self.names.push(source.member.clone());
                content.read_to_end(&mut self.content)?;
            }
            Item::Fault(_, fault, at) => self.faults.push((fault.clone(), at)),
            Item::Skipped(source, _) => self.skipped.push(source.member.clone()),
        }
        Ok(())
    }
}

/// The input is a file.
pub(super) fn archives(bytes: &[u8]) {
    let mut limits = Limits::default();
    limits.size = SIZE;
    let opener = Opener::new(limits);
    let source = Source::file(b"a", false);
    let mut members = Members::default();
    assert!(
        opener
            .open_bytes(&source, bytes, &mut |item| members.take(item))
            .is_ok()
    );
    assert!(members.content.len() as u64 <= SIZE + AT_ONCE + bytes.len() as u64);
    let mut read = Members::default();
    assert!(
        opener
            .open(&source, &mut &*bytes, &mut |item| read.take(item))
            .is_ok()
    );
    assert_eq!(members.names, read.names);
    assert_eq!(members.skipped, read.skipped);
    assert_eq!(members.faults, read.faults);
    assert!(members.content == read.content);
}
