//! Finding maps every byte back, and does not depend on how the bytes arrive.

use std::io::Read;

use urlint::Finder;
use urlint::find::{Hyphen, Rejoin, StreamOptions};
use urlint::text::{Position, Spans};
use urlint::{Candidate, Standard};

use super::arrival::Chunked;

/// The first byte says how to find, the second how the rest arrives.
pub(super) fn find(input: &[u8]) {
    let [how, sizes, text @ ..] = input else {
        return;
    };
    let (how, sizes) = (usize::from(*how), usize::from(*sizes));
    let finder = finder(how);
    let whole: Vec<_> = finder.find(text).collect();
    let is_str = std::str::from_utf8(text).is_ok();
    let mut end = 0;
    for candidate in &whole {
        assert!(end <= candidate.outer.start && candidate.outer.start < candidate.outer.end);
        end = candidate.outer.end;
        assert!(end <= text.len() as u64);
        assert!(!is_str || candidate.as_str().is_some());
        if let Some(range) = candidate.range() {
            assert_eq!(text[range], *candidate.text);
        }
        assert_eq!(
            covered(text, candidate, &candidate.pieces),
            &*candidate.text
        );
        for other in &candidate.alternatives {
            assert_eq!(covered(text, candidate, &other.pieces), other.text);
            assert_ne!(other.text, &*candidate.text);
        }
    }
    let mut stream = finder.stream_with(Chunked(text, 1 + sizes % 61), context());
    let found = placed(&mut stream);
    assert!(found.iter().map(|(candidate, _)| candidate).eq(&whole));
}

/// Returns the finder that the bits of a byte describe.
pub(super) fn finder(how: usize) -> Finder {
    let schemes: &[&str] = if how & 0x10 == 0 {
        &[]
    } else {
        &["x-own", "com"]
    };
    Finder::default()
        .with_rejoin([Rejoin::Likely, Rejoin::Judged, Rejoin::Never][how % 3])
        .with_hyphen([Hyphen::Keep, Hyphen::Drop][how / 64 % 2])
        .with_schemeless(how & 0x80 != 0)
        .with_schemes(schemes.iter().copied())
        .with_standard(Standard::ALL[how / 4 % Standard::ALL.len()])
        .with_code(how & 0x20 != 0)
}

/// Returns the bytes of `pieces`, which are in the candidate in their order.
pub(super) fn covered(text: &[u8], candidate: &Candidate<'_>, pieces: &Spans) -> Vec<u8> {
    let mut end = candidate.outer.start;
    let mut bytes = Vec::new();
    for piece in pieces.iter() {
        assert!(end <= piece.start && piece.start <= piece.end);
        end = piece.end;
        bytes.extend_from_slice(piece.slice(text));
    }
    assert!(end <= candidate.outer.end);
    bytes
}

pub(crate) fn context() -> StreamOptions {
    StreamOptions::default().with_context()
}

/// A candidate of a stream, with its place if places were requested.
pub(crate) type Placed = (Candidate<'static>, Option<Position>);

pub(crate) fn placed<R: Read>(stream: &mut urlint::find::Stream<R>) -> Vec<Placed> {
    let mut found = Vec::new();
    while let Some(next) = stream.next_found().unwrap() {
        found.push((next.candidate.into_owned(), next.position));
    }
    found
}
