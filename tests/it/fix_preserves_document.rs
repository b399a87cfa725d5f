//! Fixes change nothing but URLs: documents of every kind, with links, tables, targets and templates in
//! them, are the same after all fixes but for the URLs that were mended. Parsers that know nothing of
//! urlint confirm this.

use proptest::prelude::*;
use proptest::sample::select;
use pulldown_cmark::{Options, Parser};
use urlint::fix::mend;
use urlint::lint::{Applicability, Selection, Selector};
use urlint::{Reader, Settings};

use urlint_testing::tries;

/// URLs, most of which have something that a fix mends.
const URLS: [&str; 20] = [
    "http://a.example/~joe",
    "http://a.example:/x",
    "HTTP://A.Example:80/%7e",
    "https://a.example?q=x",
    "https://a.example",
    "https://a.example/a|b",
    "https://a.example/{x}",
    "https://a.example/{{ x }}",
    "https://a.example/${x}?a",
    "https://a.example/<%= x %>",
    "http://a.example/x_y_z~a*b*",
    "http://a.example/é",
    "http://a.example/a^b`c",
    "http://a.example/x#:~:text=a~b",
    "http://a.example:/%41&b=c",
    "http:/a.example/[x]",
    "ftp://A.example/%c3%a9",
    "data:text/plain,{a}~b",
    "http://a.example/x?y~z",
    "http://a.example:0080/x",
];

/// The pieces of documents of a kind; `URL` stands for a URL.
const KINDS: [(&str, &[&str]); 6] = [
    (
        "x.md",
        &[
            "see URL and <URL> or [x](URL \"t\") and [y](<URL>)\n\n",
            "| a | b |\n|---|---|\n| [x](URL) | `URL` |\n\n",
            "[r]: URL 't'\n\nsee [r] *URL* _URL_\n\n",
            "```yaml\na: \"URL\"\n```\n\n",
            "    URL\n\n# URL\n\n",
            "<a href=\"URL\">URL</a>\n\n<!-- URL -->\n\n",
            "---\na: URL\n---\n\nURL\n===\n\n",
            "- URL\n- <URL:URL>\n- <url:URL>\n\n",
        ],
    ),
    (
        "x.html",
        &[
            "<p>see URL and <a href=\"URL\">URL</a>",
            "<table><tr><td>URL<td><a href=URL>x</a></table>",
            "<pre>URL\n</pre><img src='URL'><!-- URL -->",
            "<script>let a = \"URL\";</script><style>a{b:url(URL)}</style>",
            "{% if URL %}<b title=\"URL\">&lt;URL:URL></b>",
        ],
    ),
    (
        "x.xml",
        &[
            "<p xmlns:a=\"URL\">see URL</p>",
            "<eref target=\"URL\"/><xref target='URL'>URL</xref>",
            "<artwork><![CDATA[URL]]></artwork><!-- URL --><?x URL?>",
            "<t>&lt;URL:URL&gt; &amp; URL</t>",
        ],
    ),
    (
        "x.rst",
        &[
            ".. _r: URL\n\n",
            "__ URL\n\n",
            "see `x <URL>`_ and URL and <URL:URL>\n\n",
            "+-----+\n| URL |\n+-----+\n\n",
            "====  ====\na     URL\n====  ====\n\n",
            "::\n\n    URL\n\n.. image:: URL\n   :target: URL\n\n",
            "x URL\n================================\n\n",
        ],
    ),
    (
        "x.adoc",
        &[
            "see URL[x] and link:URL[y] and <URL>\n\n",
            "|===\n| URL | URL[x]\n|===\n\n",
            "----\nURL\n----\n\n:r: URL\n\n",
        ],
    ),
    (
        "x.json",
        &[
            "{\"a\": \"URL\", \"URL\": [1, \"see URL and <URL:URL>\"]}\n",
            "[\"\\\"URL\\\"\", \"a\\nURL\\tb\"]\n",
        ],
    ),
];

fn mended(name: &str, source: &[u8], least: Applicability) -> Vec<u8> {
    let mut selection = Selection::none();
    selection.add(Selector::All);
    let settings = Settings::default().with_selection(selection);
    let checker = urlint::lint::Checker::new(&settings);
    let visit = &mut |_: urlint::lint::Checked<'_>| Ok::<(), std::io::Error>(());
    let reader = Reader::default();
    let mended = mend(&checker, &reader, name.as_bytes(), source, least, visit);
    mended.unwrap().bytes.unwrap_or_else(|| source.to_vec())
}

/// `text` with each URL, as far as it goes without white space, written as `U`.
fn masked(text: &str) -> String {
    let is_end = |c: char| c.is_whitespace() || "\"'<>()[]".contains(c);
    let mut masked = String::new();
    let mut rest = text;
    while let Some(colon) = rest.find(':') {
        let (before, after) = rest.split_at(colon);
        let scheme = before.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let end = after.find(is_end).unwrap_or(after.len());
        masked.push_str(scheme);
        masked.push('U');
        rest = &after[end..];
    }
    masked + rest
}

/// Returns the output of a parser for a document, its URLs masked.
fn described(name: &str, source: &str) -> Vec<String> {
    match name {
        "x.md" => {
            let parser = Parser::new_ext(source, Options::ENABLE_TABLES);
            let mut events: Vec<String> = Vec::new();
            let mut definitions: Vec<_> = parser
                .reference_definitions()
                .iter()
                .map(|(label, definition)| format!("{label} {:?}", definition.title))
                .collect();
            definitions.sort();
            for event in parser {
                let text = match &event {
                    pulldown_cmark::Event::Text(text) => text,
                    other => {
                        events.push(masked(&format!("{other:?}")));
                        continue;
                    }
                };
                match events.last_mut().filter(|last| last.starts_with("text ")) {
                    Some(last) => last.push_str(text),
                    None => events.push(format!("text {text}")),
                }
            }
            definitions.extend(events.iter().map(|event| masked(event)));
            definitions
        }
        "x.html" => {
            let mut text = String::new();
            let mut tokens = Vec::new();
            for token in html5gum::Tokenizer::new(source).flatten() {
                if let html5gum::Token::String(string) = &token {
                    text.push_str(&String::from_utf8_lossy(&string.value));
                    continue;
                }
                // A mistake that goes with the URL is no structure.
                if matches!(token, html5gum::Token::Error(_)) {
                    continue;
                }
                tokens.push(masked(&std::mem::take(&mut text)));
                tokens.push(match token {
                    html5gum::Token::StartTag(tag) => {
                        let names = tag.attributes.keys();
                        format!("{:?} {:?}", tag.name, names.collect::<Vec<_>>())
                    }
                    html5gum::Token::EndTag(tag) => format!("{:?}", tag.name),
                    other => masked(&format!("{other:?}")),
                });
            }
            tokens.push(masked(&text));
            tokens
        }
        "x.xml" => {
            let mut reader = quick_xml::Reader::from_str(source);
            let mut events = Vec::new();
            loop {
                match reader.read_event() {
                    Ok(quick_xml::events::Event::Eof) => return events,
                    Ok(event) => events.push(masked(&format!("{event:?}"))),
                    Err(error) => {
                        events.push(format!("{error:?}"));
                        return events;
                    }
                }
            }
        }
        "x.json" => {
            let values = serde_json::Deserializer::from_str(source).into_iter();
            let values = values.map(|value: Result<serde_json::Value, _>| match value {
                Ok(value) => masked(&value.to_string()),
                Err(error) => format!("{:?}", error.classify()),
            });
            values.collect()
        }
        _ => {
            // In a table of reStructuredText columns stand under one another.
            let line = |line: &str| {
                let is_table =
                    name == "x.rst" && (line.starts_with('|') || line.starts_with("a  "));
                if is_table {
                    line.to_owned()
                } else {
                    masked(line)
                }
            };
            source.lines().map(line).collect()
        }
    }
}

fn documents() -> impl Strategy<Value = (&'static str, String)> {
    (0..KINDS.len()).prop_flat_map(|kind| {
        let (name, blocks) = KINDS[kind];
        let block = (select(blocks), prop::collection::vec(select(&URLS[..]), 4));
        prop::collection::vec(block, 1..5).prop_map(move |chosen| {
            let mut text = String::new();
            for (block, urls) in chosen {
                let mut urls = urls.into_iter().cycle();
                let mut parts = block.split("URL");
                text.push_str(parts.next().unwrap_or_default());
                for part in parts {
                    // `<URL:` itself.
                    match part
                        .strip_prefix(':')
                        .filter(|_| text.ends_with("<") || text.ends_with("&lt;"))
                    {
                        Some(rest) => text.push_str(&format!("URL:{rest}")),
                        None => {
                            let url = urls.next().unwrap_or_default();
                            let quoted = url.replace('"', "\\\"");
                            text.push_str(if name == "x.json" { &quoted } else { url });
                            text.push_str(part);
                        }
                    }
                }
            }
            (name, text)
        })
    })
}

#[test]
fn fixes_change_nothing_but_urls() {
    let mut runner = proptest::test_runner::TestRunner::new(tries(20_000));
    let outcome = runner.run(&documents(), |(name, source)| {
        let before = described(name, &source);
        for least in [Applicability::Safe, Applicability::Unsafe] {
            let now = mended(name, source.as_bytes(), least);
            let now = String::from_utf8(now).unwrap();
            prop_assert_eq!(
                &before,
                &described(name, &now),
                "{}\n{}\n{}",
                name,
                &source,
                &now
            );
            // Text that belongs to another program, such as a template's, does not change.
            for mark in ["{{ x }}", "${x}", "<%= x %>", "data:text/plain,{a}~b"] {
                let count = |text: &str| text.matches(mark).count();
                prop_assert_eq!(count(&source), count(&now), "{}\n{}", &source, &now);
            }
        }
        Ok(())
    });
    outcome.unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn other_files_are_left_alone() {
    let names = [
        "x.po", "x.rs", "x.yml", "x.j2", "x.toml", ".x", "Makefile", "x.diff",
    ];
    let source = b"see <URL:http://a.example:/x> and <http://a.example/~joe>";
    for name in names {
        assert_eq!(
            mended(name, source, Applicability::Unsafe),
            source,
            "{name}"
        );
    }
    for source in [
        &b"#!/bin/x\n<http://a.example:/x>"[..],
        b"\0<http://a.example:/x>",
    ] {
        assert_eq!(mended("x", source, Applicability::Unsafe), source);
    }
    for name in ["x", "x.txt", "README", "x.1"] {
        assert_ne!(mended(name, source, Applicability::Safe), source, "{name}");
    }
}

/// A URL that a fix wraps at the start of a message would be read as the name of a header field.
#[test]
fn no_url_becomes_the_name_of_a_header_field() {
    for (before, after) in [
        ("gid://8?\n3", "gid://8?\n3"),
        ("see gid://8?\n3", "see <URL:gid://8>?\n3"),
        ("From: joe\n\ngid://8?\n3", "From: joe\n\n<URL:gid://8>?\n3"),
    ] {
        let made = mended("x.eml", before.as_bytes(), Applicability::Unsafe);
        assert_eq!(
            made.escape_ascii().to_string(),
            after.escape_default().to_string()
        );
    }
}
