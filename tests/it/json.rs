//! JSON: its strings are decoded, each byte of a URL is mapped back to its source, and how the bytes arrive
//! changes nothing.

use std::io;

use proptest::prelude::*;
use urlint::document::Kind;
use urlint::document::MAX_DOCUMENT;
use urlint::{Event, Reader};

use crate::support::texts::Chunked;
use urlint_testing::tries;

/// A URL that was found: it, its member, its bytes in the source, and its line.
type Url = (String, Option<u64>, String, u64);

/// Returns the URLs and the notices.
fn read(fields: &[&str], source: &[u8], chunk: usize) -> (Vec<Url>, Vec<String>) {
    let reader = Reader::default()
        .with_kind(Kind::Json)
        .with_positions(true)
        .with_json_fields(fields.iter().copied());
    let (mut urls, mut notices) = (Vec::new(), Vec::new());
    let chunks = Chunked::new(source, vec![chunk]);
    let read = reader.read(b"", &mut { chunks }, &mut |event| {
        match event {
            Event::Found(found) => {
                let pieces = found.candidate.pieces.iter();
                let raw: Vec<_> = pieces.map(|span| span.slice(source)).collect();
                urls.push((
                    String::from_utf8_lossy(&found.candidate.text).into_owned(),
                    found.member,
                    String::from_utf8_lossy(&raw.concat()).into_owned(),
                    found.position.unwrap().line,
                ));
            }
            Event::Notice(notice) => {
                let member = notice.member.unwrap_or_default();
                let at = notice.span.start;
                notices.push(format!("{member} at {at}: {}", notice.message));
            }
            _ => {}
        }
        Ok::<(), io::Error>(())
    });
    read.unwrap();
    (urls, notices)
}

/// A record with URLs in strings, and the same URLs as they are written in it.
fn record(number: u64) -> (String, [String; 2]) {
    let escaped = format!(r"http:\/\/a.example\/{number}?x\u0026\u00e9");
    let plain = format!("http://b.example/{number}");
    let record = format!(
        "{{\"id\": {number}, \"text\": \"caf\u{e9} \\\"{escaped}\\\"\\n and on\", \
         \"more\": [{{\"urls\": [\"{plain}\", null]}}, -1.5e3, true]}}"
    );
    (record, [escaped, plain])
}

#[test]
fn all_of_a_long_file_is_found_however_it_arrives() {
    for (opening, between, closing) in [("", "\n", "\n"), ("[", ",", "]"), ("[\n", ",\n", "\n]\n")]
    {
        let records: Vec<_> = (0..4_000).map(record).collect();
        let texts: Vec<&str> = records.iter().map(|(text, _)| &**text).collect();
        let source = [opening, &texts.join(between), closing].concat();
        let expected: Vec<_> = records.iter().flat_map(|(_, urls)| urls).collect();
        for chunk in [4 << 10, 100_003, 16 << 20] {
            let (urls, notices) = read(&[], source.as_bytes(), chunk);
            let raw: Vec<_> = urls.iter().map(|(_, _, raw, _)| raw).collect();
            assert_eq!(raw, expected);
            assert_eq!(urls[0].0, "http://a.example/0?x&\u{e9}");
            assert!(notices.is_empty(), "{notices:?}");
        }
    }
}

#[test]
fn only_fields_are_read_and_members_are_lines() {
    let lines: Vec<_> = (0..4_000).map(record).collect();
    let source: String = lines
        .iter()
        .map(|(line, _)| format!("{line}\r\n"))
        .collect();
    for (fields, which) in [
        (&["text"][..], &[0][..]),
        (&["more.urls"], &[1]),
        (&["more"], &[1]),
        (&["more.urls", "text"], &[0, 1]),
        (&["id", "urls"], &[]),
    ] {
        for chunk in [4 << 10, 100_003, 16 << 20] {
            let (urls, notices) = read(fields, source.as_bytes(), chunk);
            let found = urls
                .iter()
                .map(|(_, member, raw, line)| (member.unwrap(), *line, raw));
            let expected = (1u64..).zip(&lines).flat_map(|(number, (_, urls))| {
                which
                    .iter()
                    .map(move |&which| (number, number, &urls[which]))
            });
            assert!(found.eq(expected), "{fields:?} {chunk}");
            assert!(notices.is_empty(), "{notices:?}");
        }
    }
}

#[test]
fn a_field_is_a_document() {
    let source = br#"{"a": "<html><a href='http:\/\/a.example\/&amp;'>"}
{"a": "From: x@y\nSubject: z\nContent-Transfer-Encoding: quoted-printable\n\nhttp://b.exam=\nple/=41"}
{"a": "http://c.example/x y"}"#;
    let (urls, notices) = read(&["a"], source, 16);
    let expected = [
        ("http://a.example/&", r"http:\/\/a.example\/&amp;", 1),
        ("http://b.example/A", "http://b.example/=41", 2),
        ("http://c.example/x", "http://c.example/x", 3),
    ];
    let expected = expected.map(|(url, raw, line)| (url.into(), Some(line), raw.into(), line));
    assert_eq!(urls, expected);
    assert!(notices.is_empty(), "{notices:?}");
}

#[test]
fn a_line_that_is_no_json_is_read_as_it_is() {
    let source = b"\xEF\xBB\xBF{\"a\": \"http://a.example/\"}\n\
        GET http://b.example/ 200\n\
        \n{\"a\": \"http://c.example/\"\n{\"a\": \"http://d.example/\"}\nmore\nand more\n{";
    let (urls, notices) = read(&["a"], source, 16);
    let urls: Vec<_> = urls
        .iter()
        .map(|(url, member, ..)| (&**url, member.unwrap()))
        .collect();
    assert_eq!(
        urls,
        [
            ("http://a.example/", 1),
            ("http://b.example/", 2),
            ("http://c.example/", 4),
            ("http://d.example/", 5),
        ]
    );
    assert_eq!(
        notices,
        [
            "2 at 30: not JSON, so read as plain text",
            "5 at 83: what came before has no end",
            "6 at 110: not JSON, so read as plain text",
            "7 at 115: not JSON, so read as plain text",
            "0 at 125: the last record has no end",
        ]
    );
}

#[test]
fn a_string_or_a_line_that_is_too_long_is_read_as_plain_text() {
    let mut source = b"{\"a\": \"".to_vec();
    source.resize(MAX_DOCUMENT + (1 << 20), b' ');
    source.extend_from_slice(
        b"http://a.example/\"}\n{\"a\": \"http://b.example/\", \"b\": \"http://c.example/\"}\n",
    );
    let (urls, notices) = read(&[], &source, 1 << 20);
    let urls: Vec<_> = urls.iter().map(|(url, ..)| &**url).collect();
    assert_eq!(
        urls,
        [
            "http://a.example/",
            "http://b.example/",
            "http://c.example/"
        ]
    );
    assert_eq!(notices.len(), 1, "{notices:?}");
    let (urls, notices) = read(&["a"], &source, 1 << 20);
    let urls: Vec<_> = urls.iter().map(|(url, ..)| &**url).collect();
    assert_eq!(urls, ["http://a.example/", "http://b.example/"]);
    assert_eq!(notices.len(), 1, "{notices:?}");
}

/// The pieces of texts that look like JSON here and there.
const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    " ",
    "\n",
    "\"",
    "\"",
    "\\",
    "\\\"",
    "\\n",
    "\\/",
    "\\u0026",
    "a",
    "1",
    "true",
    "//",
    "/*",
    "*/",
    "http://a.example/",
    "\"http:\\/\\/b.example",
    "{\"a\": \"",
    "\"}",
    "\u{e9}",
];

fn texts() -> impl Strategy<Value = String> {
    let pieces = prop::collection::vec(prop::sample::select(PIECES), 0..60);
    pieces.prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(tries(4_000))]

    #[test]
    fn a_url_is_what_its_bytes_say(source in texts(), chunk in 1usize..9) {
        for fields in [&[][..], &["a"]] {
            let (urls, notices) = read(fields, source.as_bytes(), chunk);
            prop_assert_eq!(&(urls.clone(), notices), &read(fields, source.as_bytes(), 1 << 20));
            for (url, _, raw, _) in urls {
                // The character after a stray backslash stands for itself.
                let decoded = serde_json::from_str::<String>(&format!("\"{raw}\""));
                let is_it = decoded.map_or(raw.contains('\\'), |decoded| decoded == url);
                prop_assert!(url == raw || is_it, "{} {}", url, raw);
            }
        }
    }
}
