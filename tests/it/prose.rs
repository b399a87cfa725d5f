//! The parts of plain-text markups and of source code that are read, and their source bytes.

use std::io;

use urlint::document::{Depth, Kind};
use urlint::{Event, Reader};

/// Returns the URLs of `source`, one a line: `URL @ delimiter @ pieces`, the pieces as they are in the
/// source, `|` between them.
fn found(kind: Kind, depth: Depth, source: &str) -> String {
    let reader = Reader::default().with_kind(kind).with_depth(depth);
    let mut lines = Vec::new();
    let read = reader.read::<io::Error>(b"", source.as_bytes(), &mut |event| {
        if let Event::Found(found) = event {
            let candidate = found.candidate;
            let url = String::from_utf8_lossy(&candidate.text).into_owned();
            let piece = |(start, end)| &source[start as usize..end as usize];
            let pieces = candidate.pieces.iter().map(|span| (span.start, span.end));
            let pieces: Vec<_> = pieces.map(piece).collect();
            let delimiter = candidate.delimiter;
            lines.push(format!("{url} @ {delimiter} @ {}", pieces.join("|")));
        }
        Ok(())
    });
    read.unwrap();
    lines.join("\n")
}

#[test]
fn the_bytes_of_the_source() {
    let cases: [(Kind, &str, &str); 14] = [
        (
            Kind::Markdown,
            "é [x](<http://a.example/\\(b&amp;c> 'y')",
            "http://a.example/(b&c @ target @ http://a.example/\\(b&amp;c",
        ),
        (
            Kind::Markdown,
            "---\nurl: http://a.example/?b&amp;c\n---\n> <http://a.example/\n> \\_d>\n",
            "http://a.example/?b&c @ prefix @ http://a.example/?b&amp;c\n\
             http://a.example/_d @ angle @ http://a.example/|\\_d",
        ),
        (
            Kind::Rst,
            "`x\n<http://a.example/\n  b\\_c>`_",
            "http://a.example/b_c @ target @ http://a.example/|b\\_c",
        ),
        (
            Kind::Rst,
            "http://a.example/\\ b",
            "http://a.example/ @ bare @ http://a.example/",
        ),
        (
            Kind::Asciidoc,
            "link:++http://a.example/[b]++[c]",
            "http://a.example/[b] @ target @ http://a.example/[b]",
        ),
        (
            Kind::Mediawiki,
            "[[http://a.example/?b&amp;c|d]]",
            "http://a.example/?b&c @ target @ http://a.example/?b&amp;c",
        ),
        (
            Kind::Roff,
            ".UR http://a.\\:example/b\\-c\\(tid\n",
            "http://a.example/b-c~d @ target @ http://a.|example/b\\-c\\(tid",
        ),
        (
            Kind::Roff,
            "\\fIhttp://a.example/\\-b\\fR.",
            "http://a.example/-b @ bare @ http://a.example/\\-b",
        ),
        (
            Kind::Tex,
            "\\href{http://a.example/%\n  \\~{}b\\%20}{c}",
            "http://a.example/~b%20 @ target @ http://a.example/|\\~{}b\\%20",
        ),
        (
            Kind::Po,
            "msgid \"\"\n\"see http://a.exam\"\n\"ple/\\\\b\"\nmsgstr \"http://b.example/\"",
            "http://a.example/\\b @ bare @ http://a.exam|ple/\\\\b\n\
             http://b.example/ @ target @ http://b.example/",
        ),
        (
            Kind::Plain,
            "// The whole of what is meant is at http://a.example/very-\n// long and so on",
            "http://a.example/very-long @ bare @ http://a.example/very-|long",
        ),
        (
            Kind::Plain,
            "# The whole of what is meant stands at http://a.example/very-very-long-path/\n\
             # index.html and so on",
            "http://a.example/very-very-long-path/index.html @ bare @ \
             http://a.example/very-very-long-path/|index.html",
        ),
        (
            Kind::Plain,
            " * http://a.example/list-\n * index.html\n * http://b.example/",
            "http://a.example/list- @ bare @ http://a.example/list-\n\
             http://b.example/ @ bare @ http://b.example/",
        ),
        (
            Kind::Plain,
            "puts(\"http://a.example/\\n\"); // 'http://b.example/'",
            "http://a.example/ @ bare @ http://a.example/\n\
             http://b.example/ @ quotes @ http://b.example/",
        ),
    ];
    for (kind, source, expected) in cases {
        assert_eq!(found(kind, Depth::default(), source), expected, "{source}");
    }
}

#[test]
fn code_of_markdown_is_left_out_on_request() {
    let source = "http://a.example/ `http://b.example/`\n\n```\nhttp://c.example/\n```\n\n    \
                  http://d.example/\n\n[e](http://e.example/)\n";
    let skip_code = Depth::default().with_skip_code(true);
    let urls = |depth| found(Kind::Markdown, depth, source).lines().count();
    assert_eq!(urls(Depth::default()), 5);
    assert_eq!(urls(skip_code), 2);
}

#[test]
fn too_much_for_the_parser_is_read_as_plain_text() {
    let nested = ">".repeat(10_000) + "x\n\n[x](http://a.example/)";
    let long = "x ".repeat(5 << 20) + "[x](http://a.example/)";
    for source in [nested, long] {
        let reader = Reader::default().with_kind(Kind::Markdown);
        let (mut notices, mut urls) = (0, 0);
        let read = reader.read::<io::Error>(b"", source.as_bytes(), &mut |event| {
            match event {
                Event::Notice(_) => notices += 1,
                Event::Found(_) => urls += 1,
                _ => {}
            }
            Ok(())
        });
        read.unwrap();
        assert_eq!((notices, urls), (1, 1));
    }
}
