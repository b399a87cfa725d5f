//! The literate cases of `fixtures/html/` and `fixtures/xml/`, and the text that a fix writes into markup.
//!
//! A case is a document and the URLs in it, one `URL @ delimiter @ pieces` a line, each piece as in the
//! source; notices about the document are in a line with `!`:
//!
//! ````text
//! ```html
//! <a href="http://a.example/?b&amp;c">
//! ```
//!
//! ```expected
//! http://a.example/?b&c @ target @ http://a.example/?b&amp;c
//! ```
//! ````
//!
//! A block of `html deep` is read with comments, scripts and styles. In all of them `·` stands for
//! a carriage return and `¤` for a byte that is not UTF-8.
//! `SNAPSHOTS=overwrite cargo test --test it markup` writes the present results.

use std::fmt::Write as _;
use std::path::Path;

use urlint::document::{Depth, Kind};
use urlint::lint::Applicability;
use urlint::{Event, Reader, Settings};

#[test]
fn documents_give_what_their_fixtures_expect() {
    let overwrite = std::env::var("SNAPSHOTS").is_ok_and(|value| value == "overwrite");
    let mut wrong = String::new();
    for folder in ["html", "xml"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("fixtures")
            .join(folder);
        let mut cases = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let fixture = std::fs::read_to_string(&path).unwrap();
            let now = with_expectations(&fixture);
            cases += fixture.matches("```expected").count();
            if overwrite {
                std::fs::write(&path, &now).unwrap();
            } else if now != fixture {
                writeln!(wrong, "{}: now it says\n{now}", path.display()).unwrap();
            }
        }
        assert!(cases > 10, "the fixtures are gone");
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Returns the fixture with the present results in its blocks of expectations.
fn with_expectations(fixture: &str) -> String {
    let mut now = String::new();
    let mut found = None;
    let mut lines = fixture.lines();
    while let Some(line) = lines.next() {
        writeln!(now, "{line}").unwrap();
        let Some(info) = line.strip_prefix("```") else {
            continue;
        };
        let block: Vec<_> = lines.by_ref().take_while(|line| *line != "```").collect();
        let mut text: String = block.iter().map(|line| format!("{line}\n")).collect();
        match info.split_once(' ').unwrap_or((info, "")) {
            ("html", depth) => found = Some(listed(Kind::Html, &text, depth == "deep")),
            ("xml", depth) => found = Some(listed(Kind::Xml, &text, depth == "deep")),
            ("expected", "") => text = found.take().unwrap_or_else(|| panic!("no document")),
            _ => panic!("a block of {info:?}"),
        }
        now.push_str(&text);
        now.push_str("```\n");
    }
    assert!(found.is_none(), "a document without expectations");
    now
}

fn source(text: &str) -> Vec<u8> {
    let mut source = Vec::new();
    for character in text.chars() {
        match character {
            '·' => source.push(b'\r'),
            '¤' => source.push(0xE9),
            other => source.extend(other.encode_utf8(&mut [0; 4]).bytes()),
        }
    }
    source
}

fn shown(text: &[u8]) -> String {
    let text = text.escape_ascii().to_string();
    text.replace("\\'", "'").replace("\\\"", "\"")
}

fn listed(kind: Kind, text: &str, deep: bool) -> String {
    let source = source(text);
    let reader = Reader::default()
        .with_kind(kind)
        .with_depth(Depth::default().with_deep(deep));
    let mut list = String::new();
    read(&reader, &source, &mut |event| match event {
        Event::Notice(notice) => {
            let from = notice.span.slice(&source);
            let near = shown(from.get(..20).unwrap_or(from));
            writeln!(list, "! {} @ {near}", notice.message).unwrap();
        }
        Event::Found(found) => {
            let candidate = &found.candidate;
            let pieces = candidate.pieces.iter();
            let pieces: Vec<_> = pieces.map(|piece| shown(piece.slice(&source))).collect();
            writeln!(
                list,
                "{} @ {} @ {}",
                String::from_utf8_lossy(&candidate.text),
                candidate.delimiter,
                pieces.join(" | ")
            )
            .unwrap();
        }
        _ => {}
    });
    list
}

fn read(reader: &Reader, source: &[u8], visit: &mut dyn FnMut(Event<'_>)) {
    reader
        .read(b"", source, &mut |event| {
            visit(event);
            Ok::<(), std::io::Error>(())
        })
        .unwrap();
}

/// A fix is written so that the document means the same, except for the mended fault.
#[test]
fn fixes_are_written_as_markup_has_them() {
    let cases = [
        (
            Kind::Html,
            "<a href='http://a.example/~x?a&amp;b'>",
            "<a href='http://a.example/%7Ex?a&amp;b'>",
        ),
        (
            Kind::Html,
            "<a href=\"http://a.example/&#126;x\">",
            "<a href=\"http://a.example/%7Ex\">",
        ),
        (
            Kind::Xml,
            "<x>http://a.example/a&lt;b</x>",
            "<x>http://a.example/a&lt;b</x>",
        ),
        (
            Kind::Xml,
            "<x target=\"http://a.example/a&#126;b\"/>",
            "<x target=\"http://a.example/a%7Eb\"/>",
        ),
        // It may be that the URL ended there.
        (
            Kind::Xml,
            "<x target=\"http://a.example/a&lt;b\"/>",
            "<x target=\"http://a.example/a&lt;b\"/>",
        ),
    ];
    for (kind, text, mended) in cases {
        let reader = Reader::default().with_kind(kind);
        let mut edits = Vec::new();
        read(&reader, text.as_bytes(), &mut |event| {
            if let Event::Found(found) = event {
                for diagnostic in urlint::lint::Checker::new(&Settings::default())
                    .judge(&found)
                    .into_reported()
                {
                    let fix = diagnostic
                        .fix
                        .filter(|fix| fix.applicability >= Applicability::Unsafe);
                    edits.extend(fix.into_iter().flat_map(|fix| fix.edits));
                }
            }
        });
        edits.sort_by_key(|edit| edit.span);
        let mut now = text.to_owned();
        for edit in edits.iter().rev() {
            let range = edit.span.start as usize..edit.span.end as usize;
            now.replace_range(range, &edit.replacement);
        }
        assert_eq!(now, mended, "{text}");
    }
}
