//! Helpers for the tests of the lightweight markup languages.

use crate::document::{Depth, Kind};
use crate::{Event, Reader};

/// The URLs that are found in `source`, in order, each after the first two letters of its delimiter.
pub(in crate::document) fn shown(source: &[u8], kind: Kind, depth: Depth) -> Vec<String> {
    let reading = Reader::default().with_kind(kind).with_depth(depth);
    let mut shown = Vec::new();
    let read = reading.read::<std::io::Error>(b"", source, &mut |event| {
        if let Event::Found(found) = event {
            let candidate = found.candidate;
            let url = String::from_utf8_lossy(&candidate.text);
            shown.push(format!("{} {url}", &candidate.delimiter.name()[..2]));
        }
        Ok(())
    });
    assert!(read.is_ok());
    shown
}
