//! Helpers for the tests of the lightweight markup languages.

use proptest::prelude::*;
use proptest::sample::select;

use super::Escapes;
use crate::document::{Content, Parts, Scope};
use crate::document::{Depth, Kind};
use crate::{Event, Reader};
use urlint_view::charset;

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

/// Sources of fragments that mean something in one of the languages, and of any bytes.
pub(in crate::document) fn sources() -> impl Strategy<Value = Vec<u8>> {
    const FRAGMENTS: [&[u8]; 66] = [
        b"http://a.example/",
        b"mailto:x@y",
        b" ",
        b"\n",
        b"\n\n",
        b"\r\n",
        b"\r",
        b"\t",
        b"x",
        b"\\",
        b"\\_",
        b"\\-",
        b"\\\n",
        b"&amp;",
        b"&eacute;",
        b"&#x7e;",
        b"&",
        b";",
        b"\xC3\xA9",
        b"\xFF",
        b"[",
        b"]",
        b"(",
        b")",
        b"](",
        b"[x](http://b.example/\\_)",
        b"[x]: ",
        b"<",
        b">",
        b"`",
        b"``",
        b"```\n",
        b"> ",
        b"- ",
        b"| ",
        b"|-|-|\n",
        b"    ",
        b"# ",
        b"---\n",
        b"<a href=\"http://c/\">",
        b">`_",
        b".. _x: ",
        b".. image:: ",
        b"__ ",
        b"\n+---+---+\n",
        b"\n| ",
        b" | ",
        b"\n===  ===\n",
        b"   :target: ",
        b"link:",
        b"++",
        b":x: ",
        b"\n.UR ",
        b"\n.Lk \"",
        b"\\(ti",
        b"\\[u00E9]",
        b"\\fB",
        b"\\f(",
        b"\\*(",
        b"\\\"",
        b"\\url{",
        b"\\href{",
        b"}",
        b"{",
        b"url = {",
        b"%\n",
    ];
    let piece = prop_oneof![
        12 => select(&FRAGMENTS[..]).prop_map(<[u8]>::to_vec),
        1 => prop::collection::vec(any::<u8>(), 1..4),
    ];
    let pieces = prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat());
    // A source with a byte order mark of UTF-16 is decoded before anything else.
    pieces.prop_filter("UTF-16", |source| charset::from_bom(source).is_none())
}

/// Sources that are made of `fragments`.
pub(in crate::document) fn made_of(
    fragments: &'static [&'static [u8]],
) -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(select(fragments), 0..24).prop_map(|pieces| pieces.concat())
}

/// Law 1: the source of each byte of each part is that byte, or decodes to it, or is markup that is
/// shown as white space; and running text is in the order of the source.
pub(in crate::document) fn every_byte_knows_where_it_came_from(
    source: &[u8],
    kind: Kind,
    escapes: &Escapes,
) {
    let parts = Parts::of(source, kind, Scope::default());
    for part in parts.parts {
        let text = part.view.text();
        let mut last = 0;
        for (at, byte) in text.iter().enumerate() {
            let spans = part.view.map(at..at + 1);
            assert!(spans.end() <= source.len() as u64);
            let raw: Vec<u8> = spans
                .iter()
                .flat_map(|span| span.slice(source))
                .copied()
                .collect();
            let is_markup = matches!(byte, b' ' | b'\n');
            let is_source = raw == [*byte] || escapes.decode(&raw).contains(byte) || is_markup;
            assert!(
                is_source,
                "{:?}: {byte} {raw:?}",
                String::from_utf8_lossy(source)
            );
            let is_in_order = last <= spans.start() || matches!(part.content, Content::Targets(_));
            assert!(is_in_order, "{:?}", String::from_utf8_lossy(source));
            last = spans.start();
        }
    }
    shown(source, kind, Depth::default());
}
