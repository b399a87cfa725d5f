//! The effects of fixes on any texts.

use std::collections::BTreeMap;

use proptest::prelude::*;
use urlint::fix::{Mended, mend};
use urlint::lint::{Applicability, Selection, Selector};
use urlint::standard::rfc1738;
use urlint::{Finder, Reader, Rule, Settings, Severity, Span};

use urlint_testing::tries;

fn everything() -> Settings {
    let mut selection = Selection::none();
    selection.add(Selector::All);
    Settings::default().with_selection(selection)
}

fn mended(source: &[u8], least: Applicability) -> Mended {
    let settings = everything();
    let checker = urlint::lint::Checker::new(&settings);
    let reader = Reader::default().with_mistakes(true);
    let visit = &mut |_: urlint::lint::Checked<'_>| Ok::<(), std::io::Error>(());
    let mended = mend(&checker, &reader, b"note", source, least, visit);
    mended.unwrap()
}

/// The facts about a text: how many URLs it has, how many are valid, how many errors there are of each
/// rule, and the text between the URLs.
#[derive(Debug, PartialEq)]
struct Facts {
    urls: usize,
    valid: usize,
    errors: BTreeMap<Rule, usize>,
    between: Vec<u8>,
    /// All spaces and line breaks, wherever they are.
    spaces: Vec<u8>,
}

fn facts(text: &[u8]) -> Facts {
    let mut errors = BTreeMap::new();
    for diagnostic in urlint::check(text, &everything()) {
        if diagnostic.severity == Severity::Error {
            *errors.entry(diagnostic.rule).or_default() += 1;
        }
    }
    let (mut between, mut at) = (Vec::new(), 0);
    let (mut urls, mut valid) = (0, 0);
    for found in Finder::default().with_mistakes(true).find(text) {
        urls += 1;
        valid += usize::from(rfc1738::is_valid(found.url()));
        between.extend_from_slice(Span::new(at, found.outer.start).slice(text));
        at = found.outer.end;
    }
    between.extend_from_slice(Span::new(at, text.len() as u64).slice(text));
    let spaces = text.iter().copied().filter(u8::is_ascii_whitespace);
    let spaces = spaces.collect();
    Facts {
        urls,
        valid,
        errors,
        between,
        spaces,
    }
}

/// A URL with faults, in parts between which it may be broken.
fn url() -> impl Strategy<Value = Vec<String>> {
    let start = prop::sample::select(vec![
        "http://",
        "HTTP://",
        "https://",
        "ftp://",
        "http:/",
        "http:",
        "gopher://",
        "mailto:",
        "file:/",
        "x://",
        "news:",
        "http://joe:secret@",
    ]);
    let host = prop::sample::select(vec![
        "a.example",
        "WWW.A.Example",
        "www-",
        "a.example.",
        "a.example:",
        "a.example:080",
        "a.example:80",
        "localhost",
        "é.example",
        "{host}",
        "www.",
    ]);
    let part = prop::sample::select(vec![
        "/",
        "/~joe",
        "/%7ejoe",
        "/%41",
        "%2e",
        "%2E",
        "/x%2D",
        "-",
        "/well-",
        "known",
        "?q=",
        "=",
        "&b",
        "#top",
        "#",
        "é",
        "\u{200B}",
        "\\",
        "{x}",
        "|",
        "%",
        "%zz",
        "..",
        "/.",
        "_",
        "1994/",
        "index.html",
        "\"",
        ";",
        "@",
        ":",
        "'",
        "x",
    ]);
    (start, host, prop::collection::vec(part, 0..6)).prop_map(|(start, host, parts)| {
        let mut url = vec![format!("{start}{host}")];
        url.extend(parts.into_iter().map(str::to_owned));
        url
    })
}

/// Text around URLs that are marked off one way or another and may be broken.
fn text() -> impl Strategy<Value = String> {
    let marks = prop::sample::select(vec![
        ("<URL:", ">"),
        ("<url:", ">"),
        ("<", ">"),
        ("\"", "\""),
        ("(", ")"),
        ("URL:", ""),
        ("", ""),
        ("", ""),
        ("", "."),
        ("*", "*"),
        ("<URL:", ""),
    ]);
    let breaks = prop::sample::select(vec!["", "", "", "\n", "\n  ", "\n> ", " "]);
    let words = prop::sample::select(vec![
        " ",
        " and ",
        "\n",
        "\n\n",
        "\n> ",
        ", ",
        " the rest of the line is as long as it can be\n",
        "\nindex.html ",
        "1994/x.html",
        " urlint: ignore[non-ascii] ",
        "\t",
        "\n- ",
    ]);
    let one = (words, marks, url(), prop::collection::vec(breaks, 6));
    let one = one.prop_map(|(words, (open, close), url, breaks)| {
        let mut text = format!("{words}{open}");
        for (index, part) in url.iter().enumerate() {
            text.push_str(if index > 0 { breaks[index - 1] } else { "" });
            text.push_str(part);
        }
        text.push_str(close);
        text
    });
    (prop::collection::vec(one, 1..5), any::<bool>()).prop_map(|(parts, dos)| {
        let text = parts.concat();
        if dos {
            text.replace('\n', "\r\n")
        } else {
            text
        }
    })
}

proptest! {
    #![proptest_config(tries(2000))]

    #[test]
    fn fixes_do_no_harm(text in text(), unsafely in any::<bool>()) {
        let source = text.as_bytes();
        let least = if unsafely { Applicability::Unsafe } else { Applicability::Safe };
        let mended_once = mended(source, least);
        prop_assert!(!mended_once.given_up);
        prop_assert_eq!(mended_once.made > 0, mended_once.bytes.is_some());
        let Some(bytes) = mended_once.bytes else { return Ok(()) };
        let (before, after) = (facts(source), facts(&bytes));
        prop_assert_eq!(before.urls, after.urls);
        prop_assert!(before.valid <= after.valid);
        for (rule, count) in &after.errors {
            prop_assert!(Some(count) <= before.errors.get(rule), "{rule}");
        }
        prop_assert_eq!(String::from_utf8_lossy(&before.between), String::from_utf8_lossy(&after.between));
        if !unsafely {
            prop_assert_eq!(before.spaces, after.spaces);
        }
        if text.contains("\r\n") {
            let lone = |text: &[u8]| {
                memchr::memchr_iter(b'\n', text).filter(|&at| at == 0 || text[at - 1] != b'\r').count()
            };
            prop_assert_eq!(lone(source), lone(&bytes));
        }
        let again = mended(&bytes, least);
        prop_assert_eq!(again.bytes.as_deref().map(String::from_utf8_lossy), None);
    }

    #[test]
    fn any_bytes_can_be_mended(bytes in prop::collection::vec(
        prop_oneof![any::<u8>(), prop::sample::select(&b"<URL:http//a.b~%7e->\r\n \"()"[..])], 0..200,
    )) {
        let mended = mended(&bytes, Applicability::Unsafe);
        prop_assert!(!mended.given_up);
    }
}

#[test]
fn all_faults_of_a_rule_in_a_url_are_mended_at_once() {
    let text = |count| format!("<URL:http://a.example/{}x>", "~".repeat(count));
    assert_eq!(mended(text(900).as_bytes(), Applicability::Unsafe).made, 1);
    // A text with so many faults was not meant as a URL.
    assert_eq!(
        mended(text(2_000).as_bytes(), Applicability::Unsafe).made,
        0
    );
}
