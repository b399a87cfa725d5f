//! Finding never panics, maps every byte back, and does not depend on how the bytes arrive: the
//! input's first byte says in what chunks.

#![no_main]

use std::io::Read;

use libfuzzer_sys::fuzz_target;
use urlint::Finder;
use urlint::find::{Hyphen, Rejoin, StreamOptions};
use urlint::text::Spans;

struct Chunked<'t>(&'t [u8], usize);

impl Read for Chunked<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let len = self.1.min(buffer.len());
        self.0.read(&mut buffer[..len])
    }
}

fn covered(text: &[u8], pieces: &Spans) -> Vec<u8> {
    pieces
        .iter()
        .flat_map(|span| span.slice(text))
        .copied()
        .collect()
}

fuzz_target!(|input: &[u8]| {
    let Some((&how, text)) = input.split_first() else {
        return;
    };
    let schemes: &[&str] = if how & 0x10 == 0 { &[] } else { &["x-own", "com"] };
    let finder = Finder::default()
        .with_rejoin([Rejoin::Likely, Rejoin::Judged, Rejoin::Never][how as usize % 3])
        .with_hyphen([Hyphen::Keep, Hyphen::Drop][how as usize / 64 % 2])
        .with_schemeless(how & 0x80 != 0)
        .with_schemes(schemes.iter().copied())
        .with_code(how & 0x20 != 0);
    let options = StreamOptions::default().with_context();
    let mut stream = finder.stream_with(Chunked(text, 1 + how as usize / 3), options);
    for candidate in finder.find(text) {
        assert_eq!(covered(text, &candidate.pieces), &candidate.text[..]);
        for other in &candidate.alternatives {
            assert_eq!(covered(text, &other.pieces), other.text);
        }
        let found = stream.next_found().unwrap().unwrap();
        assert_eq!(found.candidate, candidate);
    }
    assert!(stream.next_found().unwrap().is_none());
});
