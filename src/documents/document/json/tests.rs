//! The URLs that are found in JSON, and the source of each byte.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use super::*;
use crate::document::Kind;
use urlint_find::Finder;
use urlint_testing::tries;

/// The URLs that are found, each with its source bytes.
fn found(source: &str) -> Vec<(String, String)> {
    found_with(source, Scope::default())
}

fn found_with(source: &str, scope: Scope) -> Vec<(String, String)> {
    let parts = Parts::of(source.as_bytes(), Kind::Json, scope);
    let mut found = Vec::new();
    for part in &parts.parts {
        for candidate in part.find(&Finder::default()) {
            let pieces = part.view.spans(&candidate.pieces);
            let raw = pieces.iter().map(|span| span.slice(source.as_bytes()));
            let raw = String::from_utf8(raw.collect::<Vec<_>>().concat()).unwrap();
            found.push((String::from_utf8(candidate.text.to_vec()).unwrap(), raw));
        }
    }
    found
}

#[test]
fn urls_in_json() {
    let cases: &[(&str, &[&str])] = &[
        (r#"{"u": "http:\/\/a.example\/"}"#, &["http://a.example/"]),
        (
            r#"["http://a.example/?x=1\u0026y=2"]"#,
            &["http://a.example/?x=1&y=2"],
        ),
        (
            r#"["see http://a.example/\nand so on, \"http://b.example/\""]"#,
            &["http://a.example/", "http://b.example/"],
        ),
        (r#"["http://a.example/x."]"#, &["http://a.example/x."]),
        (
            r#"{"text":"<@U1> <http://a.example/?b=1&amp;c=2|d e> <http://a.example/?b&amp;c>"}"#,
            &["http://a.example/?b=1&c=2", "http://a.example/?b&c"],
        ),
        (
            r#"["<p><http://a.example/?b=1&amp;c=2|d>"]"#,
            &["http://a.example/?b=1&amp;c=2"],
        ),
        (
            r#"["http://a.example/é\u00e9\ud83d\ude00"]"#,
            &["http://a.example/éé😀"],
        ),
        (
            r#"["http://a.example/\ud83dx"]"#,
            &["http://a.example/\u{fffd}x"],
        ),
        (
            r#"{"http://a.example/": ["http://b.example/", 1.5, true]}"#,
            &["http://a.example/", "http://b.example/"],
        ),
        (
            "// http://a.example/ \"b\n/* http://b.example/ \" */ {\"c\": \"http://c.example/\"}",
            &[
                "http://a.example/",
                "http://b.example/",
                "http://c.example/",
            ],
        ),
        (
            "{\"a\": \"http://a.example/\n{\"b\": \"http://b.example/\"}",
            &["http://a.example/", "http://b.example/"],
        ),
        (r#"{"a": http://a.example/, "b""#, &["http://a.example/"]),
        (r#"["http://a.example/\x"]"#, &["http://a.example/\\x"]),
        (r#"["http://a.example/\"#, &["http://a.example/\\"]),
        (r#"["\/relative", "a:b", "1:2", "file::open"]"#, &[]),
        (r#"["http://", "ftp:\/\/"]"#, &[]),
        (
            "/* http://a.example/\n {\"b\": \"http://b.example/\"}",
            &["http://a.example/", "http://b.example/"],
        ),
        (
            "{\"a\": 1}\n{\"b\": \"mailt\\u006f:a@b.example\"}",
            &["mailto:a@b.example"],
        ),
    ];
    for (source, urls) in cases {
        let found: Vec<_> = found(source).into_iter().map(|(url, _)| url).collect();
        assert_eq!(&found, urls, "{source}");
    }
}

#[test]
fn urls_know_their_source() {
    let source = r#"{"u": "http:\/\/a.example\/\u0026x", "v": "at http://b.example/."}"#;
    let raw: Vec<_> = found(source).into_iter().map(|(_, raw)| raw).collect();
    assert_eq!(raw, [r"http:\/\/a.example\/\u0026x", "http://b.example/"]);
}

#[test]
fn notebooks() {
    let text = "see [it](http:\\/\\/a.example/x_(y)) or\\\\\\n\",\n \"<http://b.example/&amp;>";
    for (type_, source, urls) in [
        (
            "markdown",
            format!("[\"{text}\"]"),
            "http://a.example/x_(y) http://b.example/&",
        ),
        (
            "markdown",
            "\"[a](<http://a.example/x y>)\"".into(),
            "http://a.example/x y",
        ),
        (
            "code",
            "\"[a](<http://a.example/x y>)\"".into(),
            "http://a.example/x",
        ),
        (
            "markdown",
            "1, \"a\": \"[a](<http://a.example/x y>)\"".into(),
            "http://a.example/x",
        ),
        (
            "markdown",
            "[], \"a\": \"[a](<http://a.example/x y>)\"".into(),
            "http://a.example/x",
        ),
        ("markdown", "[\"a\"".into(), ""),
    ] {
        let cell = format!("{{\"cell_type\": \"{type_}\", \"source\": {source}");
        let source =
            format!("{{\n \"cells\": [{cell}, \"end\": 1}}], \"u\": \"http://z.example/\"}}");
        let found: Vec<_> = found(&source).into_iter().map(|(url, _)| url).collect();
        assert_eq!(
            found.join(" "),
            format!("{urls} http://z.example/").trim(),
            "{source}"
        );
    }
}

#[test]
fn tokens_before_the_cut_stay_the_same() {
    let source = "[\"a\\\"b\", // \"x\n \"c\\\\\", true, 1.5e3,\n/* \" */ {\"d\": \"e\nf\", g}]\n";
    let tokens = |text: &str| -> Vec<String> {
        let tokens = Tokens::new(text.as_bytes());
        tokens.map(|token| text[token.range].to_owned()).collect()
    };
    for cut in 0..source.len() {
        let mut at = 0;
        let mut all = Vec::new();
        for end in [cut, source.len()] {
            let text = &source.as_bytes()[at..end];
            let done = if end == source.len() {
                end
            } else {
                at + super::cut(text)
            };
            all.extend(tokens(&source[at..done]));
            at = done;
        }
        assert_eq!(all, tokens(source), "{cut}");
    }
}

proptest::proptest! {
    #![proptest_config(tries(20_000))]

    #[test]
    fn skipped_text_has_no_url(
        source in "(\\{?\"[a\\n]{0,2}(http|mailto|x|mailt\\\\u006f|\\\\u0041|news)?(:|\\\\u003a)?(//|\\\\/\\\\/|:)?\
                   [a.@]{1,4}(\\\\n|\\\\)?\"?[,}]?(\n| |: |/\\*|\\*/|// )?){0,9}",
    ) {
        let all = found_with(&source, Scope { unknown_schemes: true, ..Scope::default() });
        let mut sorted = [all, found(&source)];
        sorted.iter_mut().for_each(|found| found.sort());
        proptest::prop_assert_eq!(&sorted[0], &sorted[1], "{}", source);
    }
}
