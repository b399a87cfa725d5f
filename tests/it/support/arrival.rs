//! Lists of sources however they arrive: compressed, and in windows of any size.

use std::io::{self, Read};

use urlint::archive::{Content, Item, Opener, Source};
use urlint::{Event, Reader};

use crate::support::packing::{METHODS, lzma};

/// A URL, and its place: the member, the message, the first byte and the end, the line.
pub(crate) type Row = (Vec<u8>, Vec<u8>, Option<u64>, u64, u64, u64);

/// The list, and the faults and notices.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct List {
    pub(crate) rows: Vec<Row>,
    pub(crate) faults: Vec<String>,
}

impl List {
    pub(crate) fn take(&mut self, item: Item<'_>) -> io::Result<()> {
        match item {
            Item::Source(source, content) => self.source(source, content)?,
            Item::Fault(_, fault, at) => self.faults.push(format!("{fault} at {at}")),
            Item::Skipped(_, why) => self.faults.push(why.to_string()),
        }
        Ok(())
    }

    fn source(&mut self, source: &Source, reader: Content<'_>) -> Result<(), io::Error> {
        let urlint = Reader::default()
            .with_kind(source.kind)
            .with_positions(true);
        let member = source.member.clone().unwrap_or_default();
        urlint.read(&source.path, reader, &mut |event| {
            match event {
                Event::Found(found) => self.rows.push((
                    found.candidate.text.to_vec(),
                    member.clone(),
                    found.member,
                    found.candidate.outer.start,
                    found.candidate.outer.end,
                    found.position.unwrap_or_default().line,
                )),
                Event::Notice(notice) => self.faults.push(format!("{notice:?}")),
                _ => {}
            }
            Ok(())
        })
    }
}

/// Gives no more than `most` bytes at once.
struct Windows<'s> {
    source: &'s [u8],
    most: usize,
}

impl Read for Windows<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = out.len().min(self.most);
        self.source.read(&mut out[..count])
    }
}

/// The list of a file called `name`.
pub(crate) fn list(name: &str, source: &[u8], most: usize) -> List {
    let mut list = List::default();
    let file = Source::file(name.as_bytes(), false);
    let mut reader = Windows { source, most };
    let opener = Opener::default();
    opener
        .open(&file, &mut reader, &mut |item| list.take(item))
        .unwrap();
    list
}

/// Compressed in every way, as it is too.
pub(crate) fn compressed(name: &str, source: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut all = vec![(name.to_owned(), source.to_vec())];
    all.push((format!("{name}.lzma"), lzma(source)));
    let methods = METHODS.iter();
    all.extend(
        methods.map(|(extension, compress)| (format!("{name}.{extension}"), compress(source))),
    );
    all
}

/// Asserts that a file called `name` gives the same list compressed in every way and in windows of
/// any size.
pub(crate) fn assert_arrives(name: &str, source: &[u8]) {
    let plain = list(name, source, usize::MAX);
    assert!(!plain.rows.is_empty(), "{name}");
    for (packed_name, packed) in compressed(name, source) {
        for most in [4 << 10, 100_003, 1 << 20, 16 << 20] {
            let found = list(&packed_name, &packed, most);
            assert!(found == plain, "{packed_name} in windows of {most} bytes");
        }
    }
}
