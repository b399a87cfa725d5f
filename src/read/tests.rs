//! What is read, and as what.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use super::*;

/// The URLs of a source, and the source bytes that each was read from.
fn found(path: &str, source: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    let visit = &mut |event: Event<'_>| {
        if let Event::Found(found) = event {
            let text = String::from_utf8_lossy(&found.candidate.text).into_owned();
            let pieces = found.candidate.pieces.iter();
            all.push((
                text,
                pieces
                    .flat_map(|span| span.slice(source).to_vec())
                    .collect(),
            ));
        }
        Ok::<(), io::Error>(())
    };
    let reader = Reader::default().with_positions(true);
    reader.read(path.as_bytes(), source, visit).unwrap();
    all
}

#[test]
fn utf_16_is_read_whatever_the_kind() {
    for (path, text) in [
        ("a.txt", "siehe http://a.example/ü dort"),
        ("a.html", "<p><a href='http://a.example/&#252;'>dort</a>"),
    ] {
        for big in [false, true] {
            let units = std::iter::once(0xFEFF).chain(text.encode_utf16());
            let source: Vec<u8> = units
                .flat_map(|unit| {
                    if big {
                        unit.to_be_bytes()
                    } else {
                        unit.to_le_bytes()
                    }
                })
                .collect();
            let all = found(path, &source);
            assert_eq!(all.len(), 1, "{path}");
            assert_eq!(all[0].0, "http://a.example/ü");
            let units = all[0].1.chunks(2);
            let raw: Vec<u16> = units
                .map(|pair| {
                    let pair = [pair[0], pair[1]];
                    if big {
                        u16::from_be_bytes(pair)
                    } else {
                        u16::from_le_bytes(pair)
                    }
                })
                .collect();
            let raw = String::from_utf16(&raw).unwrap();
            assert!(
                text.contains(&raw) && raw.starts_with("http://a.example/"),
                "{raw}"
            );
        }
    }
}

#[test]
fn what_a_program_writes_for_a_line_break_ends_a_url() {
    let quoted = r#"("http://a.example/foo\nbar", 'http://b.example/x\tand')"#;
    let cases: &[(&str, &str, &[&str])] = &[
        (
            "a.rs",
            quoted,
            &["http://a.example/foo", "http://b.example/x"],
        ),
        (
            "a.txt",
            quoted,
            &[r"http://a.example/foo\nbar", r"http://b.example/x\tand"],
        ),
        (
            "a.rs",
            r#"say("it's", "see \"it\": http://a.example/foo\nbar"); // 'x' http://b.example/\new"#,
            &["http://a.example/foo", r"http://b.example/\new"],
        ),
        (
            "a.rs",
            r#"say("see (http://a.example/foo\nbar)");"#,
            &["http://a.example/foo"],
        ),
        // Not in quotes, in one line and over two; two backslashes; a path.
        (
            "a.rs",
            r"http://a.example/foo\nbar",
            &[r"http://a.example/foo\nbar"],
        ),
        (
            "a.rs",
            "// (http://a.example/\\new/a\\name/\n// b\\note)\n",
            &[r"http://a.example/\new/a\name/b\note"],
        ),
        (
            "a.rs",
            r#""http://a.example\\new""#,
            &[r"http://a.example\\new"],
        ),
        (
            "a.rs",
            r#""file:///C:\new\temp\""#,
            &[r"file:///C:\new\temp"],
        ),
        (
            "a.txt",
            r#""http://a.example/x\nhttp://b.example/\tmailto:joe@c.example\n""#,
            &[
                "http://a.example/x",
                r"http://b.example/\tmailto:joe@c.example",
            ],
        ),
        (
            "a.rs",
            r#""See:\thttp://a.example/x\nftp://b.example/\tmailto:joe@c.example\n""#,
            &[
                "http://a.example/x",
                "ftp://b.example/",
                "mailto:joe@c.example",
            ],
        ),
    ];
    for (path, text, expected) in cases {
        let all = found(path, text.as_bytes());
        let urls: Vec<_> = all.iter().map(|(url, _)| url.as_str()).collect();
        assert_eq!(urls, *expected, "{path}: {text}");
    }
}

#[test]
fn a_shared_document_knows_whether_it_is_source_code() {
    let text = r#"("http://a.example/foo\nbar")"#;
    let units = std::iter::once(0xFEFF).chain(text.encode_utf16());
    let source: Vec<u8> = units.flat_map(u16::to_le_bytes).collect();
    let code = "http://a.example/foo";
    let plain = r"http://a.example/foo\nbar";
    for (path, kind, expected) in [
        ("a.rs", None, code),
        ("a.txt", None, plain),
        ("a.rs", Some(Kind::Plain), plain),
    ] {
        let reader = Reader::default().with_kind(kind);
        let mut batch = Batch::default();
        let share = &mut |share: Share<'_>| {
            if let Share::Document(document) = share {
                batch.add(&document);
            }
            Ok::<(), io::Error>(())
        };
        reader.share(path.as_bytes(), &source[..], share).unwrap();
        let mut urls = Vec::new();
        for document in batch.documents() {
            let take = &mut |event: Event<'_>| {
                if let Event::Found(found) = event {
                    urls.push(String::from_utf8_lossy(&found.candidate.text).into_owned());
                }
                Ok::<(), io::Error>(())
            };
            reader.document(&document, take).unwrap();
        }
        assert_eq!(urls, [expected], "{path} {kind:?}");
    }
}

#[test]
fn a_document_that_is_too_long_is_read_as_plain_text() {
    let mut source = b"<p>".to_vec();
    source.resize(MAX_DOCUMENT, b' ');
    source.extend_from_slice(b"<a href='http://a.example/&amp;x'>");
    let all = found("a.html", &source);
    assert_eq!(
        all,
        [(
            "http://a.example/&amp;x".into(),
            b"http://a.example/&amp;x".into()
        )]
    );
}
