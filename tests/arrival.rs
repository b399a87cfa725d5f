//! The list is the same however its source arrives: plain, compressed, packed, and in windows of any
//! size.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs, dead_code)]

mod packing;
mod tries;

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use packing::{METHODS, ar, lzma, record, tar, zip};
use proptest::prelude::*;
use tries::tries;
use urlint::archive::{Content, Fault, Opener, Sink, Source};
use urlint::{Event, Reader};

/// A URL, and where it stands: the member, the message, from which byte to which, the line.
type Row = (Vec<u8>, Vec<u8>, Option<u64>, u64, u64, u64);

/// The list, and what was told beside it.
#[derive(Debug, Default, PartialEq, Eq)]
struct List {
    rows: Vec<Row>,
    faults: Vec<String>,
}

impl Sink for List {
    type Error = io::Error;

    fn source(&mut self, source: &Source, reader: &mut Content<'_>) -> Result<(), io::Error> {
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
                    found.place.unwrap_or_default().position.line,
                )),
                Event::Notice(notice) => self.faults.push(format!("{notice:?}")),
                _ => {}
            }
            Ok(())
        })
    }

    fn fault(&mut self, _: &Source, fault: &Fault, at: u64) {
        self.faults.push(format!("{fault} at {at}"));
    }

    fn skipped(&mut self, _: &Source, what: &str) {
        self.faults.push(what.to_owned());
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
fn list(name: &str, source: &[u8], most: usize) -> List {
    let mut list = List::default();
    let file = Source::file(name.as_bytes(), false);
    let mut reader = Windows { source, most };
    let opener = Opener::default();
    opener.open(&file, &mut reader, &mut list).unwrap();
    list
}

/// Compressed in every way, as it is too.
fn compressed(name: &str, source: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut all = vec![(name.to_owned(), source.to_vec())];
    all.push((format!("{name}.lzma"), lzma(source)));
    let methods = METHODS.iter();
    all.extend(
        methods.map(|(extension, compress)| (format!("{name}.{extension}"), compress(source))),
    );
    all
}

/// Real texts of every kind that is read in pieces, and some that are not.
fn samples() -> Vec<(String, Vec<u8>)> {
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpora");
    let mut samples = Vec::new();
    for name in [
        "mail/cypherpunks-wrapped.mbox",
        "warc/example.warc",
        "warc/whirlwind.warc.wet",
        "warc/example.arc",
    ] {
        let bytes = fs::read(corpora.join(name)).ok();
        let name = name.rsplit('/').next().unwrap();
        samples.extend(bytes.map(|bytes| (name.to_owned(), bytes)));
    }
    let mut rfcs: Vec<_> = fs::read_dir(corpora.join("rfc"))
        .into_iter()
        .flatten()
        .collect::<Result<_, _>>()
        .unwrap();
    rfcs.sort_by_key(fs::DirEntry::path);
    let texts = rfcs
        .iter()
        .filter(|entry| entry.path().extension().is_some_and(|name| name == "txt"));
    let text: Vec<u8> = texts
        .take(4)
        .flat_map(|entry| fs::read(entry.path()).unwrap())
        .collect();
    samples.push(("rfcs.txt".to_owned(), text));
    let numbered = |number: u32| {
        format!(
            "{{\"a\": \"http:\\/\\/a.example\\/{number}\\u0026\\n<URL:http://b.exam\\nple/>\"}}\n"
        )
    };
    samples.push((
        "a.jsonl".to_owned(),
        (0..9_000).map(numbered).collect::<String>().into_bytes(),
    ));
    samples
}

#[test]
fn windows_and_compression_change_nothing() {
    for (name, source) in samples() {
        let plain = list(&name, &source, usize::MAX);
        assert!(name == "rfcs.txt" || !plain.rows.is_empty(), "{name}");
        for (packed_name, packed) in compressed(&name, &source) {
            for most in [4 << 10, 100_003, 1 << 20, 16 << 20] {
                let found = list(&packed_name, &packed, most);
                assert!(found == plain, "{packed_name} in windows of {most} bytes");
            }
        }
    }
}

/// What texts are made of: URLs that are whole and broken, and what surrounds them.
const PIECES: &[&[u8]] = &[
    b"see ",
    b"\n",
    b"<URL:http://a.example/",
    b"b-\n  c>",
    b" (http://b.example/x",
    b") ",
    b"\r\n",
    b"http://c.example/very/long/path?with=query ",
    b"\n\n",
    b"=3D",
    b"\xe9",
    b"From a@b.example Mon Mar  3 12:00:00 2003\nSubject: x\n\n",
    b"\"ftp://d.example/;type=a\"",
];

fn texts() -> impl Strategy<Value = Vec<u8>> {
    let pieces = prop::collection::vec(prop::sample::select(PIECES), 0..200);
    pieces.prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(tries(60))]

    #[test]
    fn any_text_is_listed_the_same(text in texts(), most in 1usize..5_000) {
        let plain = list("a", &text, usize::MAX);
        for (name, packed) in compressed("a", &text) {
            prop_assert_eq!(&list(&name, &packed, most), &plain, "{}", name);
        }
        for archive in [tar, zip, ar] {
            let packed = archive(&[("a", &text)]);
            let List { rows, faults } = list("x", &packed, most);
            prop_assert_eq!(&faults, &plain.faults);
            prop_assert!(rows.iter().all(|(_, member, ..)| member == b"a"));
            let unnamed = rows.into_iter().map(|(url, _, number, start, end, line)| {
                (url, Vec::new(), number, start, end, line)
            });
            prop_assert!(unnamed.eq(plain.rows.iter().cloned()));
        }
        let web = record("resource", "text/plain", &text).repeat(3);
        prop_assert_eq!(list("x", &web, most), list("x", &web, usize::MAX));
    }
}
