//! Whatever follows the first two bytes of a `compress` file, it is decoded without a panic, with
//! the same result however it arrives, and is no longer than its codes allow.

use std::io::{self, Read};

use urlint::archive::{Fault, Item, Limits, Opener, Source};

use super::arrival::Chunked;

/// The decoded content of a file, and its faults.
#[derive(Default, PartialEq)]
struct Decoded {
    content: Vec<u8>,
    faults: Vec<(Fault, u64)>,
}

impl Decoded {
    fn take(&mut self, item: Item<'_>) -> io::Result<()> {
        match item {
            Item::Source(_, mut content) => drop(content.read_to_end(&mut self.content)?),
            Item::Fault(_, fault, at) => self.faults.push((fault.clone(), at)),
            Item::Skipped(..) => {}
        }
        Ok(())
    }
}

/// The input is the rest of the file, after its first two bytes.
pub(super) fn compress(bytes: &[u8]) {
    let file = [b"\x1f\x9d", bytes].concat();
    let opener = Opener::new(Limits::default());
    let source = Source::file(b"a.Z", false);
    let (mut whole, mut drops) = (Decoded::default(), Decoded::default());
    assert!(
        opener
            .open_bytes(&source, &file, &mut |item| whole.take(item))
            .is_ok()
    );
    assert!(
        opener
            .open(&source, &mut Chunked(&file, 1), &mut |item| drops
                .take(item))
            .is_ok()
    );
    assert!(whole == drops);
    // The code after n others stands for at most n + 1 bytes, and for at most as many as there are
    // codes.
    let codes = 8 * bytes.len() as u64 / 9;
    assert!(whole.content.len() as u64 <= codes * codes.min(1 << 16));
}
