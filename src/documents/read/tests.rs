//! Which parts of a source are read, and as which kind.

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
fn escaped_line_breaks_end_a_url() {
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
            &["http://a.example/foo", r"http://b.example/x\tand"],
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
    let text = r#"("See http://a.example/foo\nbar")"#;
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
        let mut held = Vec::new();
        let keep = &mut |segment: Segment<'_>| {
            if let Segment::Document(document) = segment {
                held.push((document.with_text(&[]), document.text().to_vec()));
            }
            Ok::<(), io::Error>(())
        };
        reader
            .documents(path.as_bytes(), &source[..], keep)
            .unwrap();
        let mut urls = Vec::new();
        for (document, text) in &held {
            let take = &mut |event: Event<'_>| {
                if let Event::Found(found) = event {
                    urls.push(String::from_utf8_lossy(&found.candidate.text).into_owned());
                }
                Ok::<(), io::Error>(())
            };
            reader.document(&document.with_text(text), take).unwrap();
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

/// The pieces of each URL of a source named `path`.
fn pieces(path: &str, source: &str) -> Vec<String> {
    let mut urls = Vec::new();
    let read = Reader::default().read(path.as_bytes(), source.as_bytes(), &mut |event| {
        if let Event::Found(found) = event {
            let pieces = found.candidate.pieces.iter();
            let pieces: Vec<_> = pieces
                .map(|piece| String::from_utf8_lossy(piece.slice(source.as_bytes())))
                .collect();
            assert_eq!(pieces.concat().as_bytes(), &*found.candidate.text);
            urls.push(pieces.join("|"));
        }
        Ok::<(), std::io::Error>(())
    });
    assert!(read.is_ok());
    urls
}

#[test]
fn entries_of_lock_files_and_lines_of_diffs_are_kept_apart() {
    let cases: &[(&str, &str, &[&str])] = &[
        (
            "go.sum",
            "http://a.example/b-\nc/d\n",
            &["http://a.example/b-"],
        ),
        (
            "Cargo.lock",
            "\"http://a.example/b\nc\"\n",
            &["http://a.example/b"],
        ),
        (
            "x.lock",
            "<URL:http://a.example/b\nc>\n",
            &["http://a.example/b"],
        ),
        (
            "x.txt",
            "http://a.example/b-\nc/d\n",
            &["http://a.example/b-|c/d"],
        ),
        (
            "x.diff",
            "+ http://a.example/b-\n+c/d\n",
            &["http://a.example/b-|c/d"],
        ),
        (
            "x.diff",
            "-// http://a.example/b-\n-// c/d\n",
            &["http://a.example/b-|c/d"],
        ),
        (
            "x.diff",
            " <http://a.example/b\n c>\n",
            &["http://a.example/b|c"],
        ),
        (
            "x.diff",
            "-http://a.example/b-\n+c/d\n",
            &["http://a.example/b-"],
        ),
        (
            "x.diff",
            "-<http://a.example/b\n+c>\n",
            &["http://a.example/b"],
        ),
        (
            "x.diff",
            " http://a.example/b-\n+c/d\n",
            &["http://a.example/b-"],
        ),
        (
            "x.diff",
            "-http://a.example/b-\n--- c/d\n",
            &["http://a.example/b-"],
        ),
        (
            "x.diff",
            "++http://a.example/b-\n++c/d\n",
            &["http://a.example/b-"],
        ),
        (
            "x.diff",
            "@@ -1 +1 @@ http://a.example/b-\n c/d\n",
            &["http://a.example/b-"],
        ),
        (
            "x.patch",
            "http://a.example/b-\nc/d\n---\n",
            &["http://a.example/b-|c/d"],
        ),
        (
            "x.patch",
            "http://a.example/b-\n c/d\n---\n",
            &["http://a.example/b-"],
        ),
        (
            "x",
            "+http://a.example/b-\n+c/d\n",
            &["http://a.example/b-"],
        ),
        (
            "x",
            "http://a.example/b-\n+c/d\n",
            &["http://a.example/b-|+c/d"],
        ),
        (
            "x",
            "1 | http://a.example/b-\n2/3 | c",
            &["http://a.example/b-"],
        ),
    ];
    for (path, source, urls) in cases {
        assert_eq!(pieces(path, source), *urls, "{path}: {source}");
    }
}

#[test]
fn folded_lines() {
    let one = "NOTE: '\\' line wrapping per RFC 8792\n\n";
    let two = "NOTE: '\\\\' line wrapping per RFC 8792\n\n";
    let cases: &[(&str, &str, &[&str])] = &[
        (
            one,
            "GET http://a.example/b.\\\nc HTTP/1.1",
            &["http://a.example/b.|c"],
        ),
        (
            one,
            "http://a.example/b\\\n  -c\\\nd?\\\ne\\\nf\\\ng.",
            &["http://a.example/b|-c|d?|e|f|g"],
        ),
        (
            one,
            "\"http://a.example/b\\\nc\"",
            &["http://a.example/b|c"],
        ),
        (
            one,
            "<http://a.example/b\\\n   c>",
            &["http://a.example/b|c"],
        ),
        (one, "http://a.example/b\\\n\nc", &["http://a.example/b"]),
        (
            one,
            "http://a.example/b\\\nhttp://c.example/",
            &["http://a.example/b", "http://c.example/"],
        ),
        (
            two,
            "http://a.example/b\\\n  \\c\\\n \\d",
            &["http://a.example/b|c|d"],
        ),
        (
            two,
            "<URL:http://a.example/b\\\n  \\c>",
            &["http://a.example/b|c"],
        ),
        (
            "",
            "  http://a.example/b?c=\\\n     d&e=1",
            &["http://a.example/b?c=|d&e=1"],
        ),
        (
            "",
            "(http://a.example/b\\\n     c)",
            &["http://a.example/b|c"],
        ),
        ("", "http://a.example/b\\\nc/d", &["http://a.example/b"]),
        (
            "",
            "wget http://a.example/b\\\n  --quiet=1",
            &["http://a.example/b"],
        ),
        (
            "",
            "wget http://a.example/b\\\n  and",
            &["http://a.example/b"],
        ),
        ("", "http://a.example/b\\\\\n  c/d", &["http://a.example/b"]),
        ("", "<file:///C:\\b\\\n  c/d>", &["file:///C:\\b\\|c/d"]),
    ];
    for (head, text, urls) in cases {
        let source = [*head, *text].concat();
        assert_eq!(pieces("x", &source), *urls, "{source}");
    }
}

#[test]
fn a_shortened_url_is_left_out_beside_its_target() {
    let whole = "https://a.example/x/1";
    let cases: &[(&str, &str, &[&str])] = &[
        (
            "a.html",
            "<a href=\"https://a.example/x/1\">https://a.example/x&hellip;</a>",
            &[whole],
        ),
        (
            "a.html",
            "<a href=\"https://a.example/x/1\">http://a.example/.../1</a>",
            &[whole],
        ),
        (
            "a.md",
            "[https://a.example/x/...](https://a.example/x/1)",
            &[whole],
        ),
        (
            "a.rst",
            "`https://a.example/x [...] <https://a.example/x/1>`_",
            &[whole],
        ),
        (
            "a.adoc",
            "https://a.example/x/1[https://a.example/x...]",
            &[whole],
        ),
        // Another URL, the whole URL, and a text without a target.
        (
            "a.md",
            "[https://b.example/x/...](https://a.example/x/1)",
            &["https://b.example/x/", whole],
        ),
        (
            "a.md",
            "[https://a.example/x/1](https://a.example/x/1)...",
            &[whole, whole],
        ),
        ("a.md", "https://a.example/x...", &["https://a.example/x"]),
    ];
    for (path, text, urls) in cases {
        let all = found(path, text.as_bytes());
        let all: Vec<_> = all.iter().map(|(url, _)| url).collect();
        assert_eq!(&all, urls, "{text}");
    }
}

#[test]
fn a_code_span_comes_before_the_brackets_around_a_url() {
    let cases: &[(&str, &[&str])] = &[
        ("`<https://a.example/`x>`", &[]),
        ("`<https://a.example/x>`", &["https://a.example/x"]),
        ("<https://a.example/`x`>", &["https://a.example/`x`"]),
    ];
    for (text, urls) in cases {
        let all = found("a.md", text.as_bytes());
        let all: Vec<_> = all.iter().map(|(url, _)| url).collect();
        assert_eq!(&all, urls, "{text}");
    }
}

/// The place and the line of each URL of a text that arrives as `content`.
fn places<'c>(content: impl Into<Content<'c>>) -> Vec<(String, u64, u64)> {
    let mut all = Vec::new();
    let visit = &mut |event: Event<'_>| {
        if let Event::Found(found) = event {
            let text = String::from_utf8_lossy(&found.candidate.text).into_owned();
            let line = found.position.unwrap_or_default().line;
            all.push((text, found.candidate.outer.start, line));
        }
        Ok::<(), io::Error>(())
    };
    let reader = Reader::default().with_positions(true);
    reader.read(b"a.txt", content, visit).unwrap();
    all
}

#[test]
fn a_charset_is_guessed_however_the_text_arrives() {
    let chinese = b"\xC7\xEB\xBF\xB4\xD5\xE2\xB8\xF6\xCD\xF8\xD5\xBEhttp://b.example/y\xA1\xA3\xC0\xEF\xC3\xE6\n";
    for text in [
        chinese.repeat(9000),
        [
            &b"\xC7\xEB\xBF\xB4\xD5\xE2\xB8\xF6\xCD\xF8\xD5\xBE\xA1\xA3\xC0\xEF\xC3\xE6\n"
                .repeat(1000)[..],
            chinese,
        ]
        .concat(),
    ] {
        let found = places(&text[..]);
        assert!(
            found.iter().all(|(url, ..)| url == "http://b.example/y"),
            "{:?}",
            found[0]
        );
        assert!(places(&mut OneByte(&text)) == found);
    }
}

/// Gives one byte at once.
struct OneByte<'s>(&'s [u8]);

impl Read for OneByte<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = out.len().min(1);
        self.0.read(&mut out[..len])
    }
}
