//! The laws of finding, over the public interface: the answer does not depend on how the bytes
//! arrive, every byte of a URL knows where it came from, and lines are joined only where that was
//! asked for.

use proptest::prelude::*;
use proptest::test_runner::{TestError, TestRunner};
use urlint::find::{Delimiter, Hyphen, Rejoin};
use urlint::lint::{Applicability, Selection, Selector};
use urlint::standard::rfc1738::{self, Parsed};
use urlint::text::{Position, Spans, Window};
use urlint::url::normalize;
use urlint::url::password::hidden_in_url;
use urlint::{Candidate, Finder, Reader, Rule, Settings, Span, fix};

use crate::support::texts::{APPENDIX, Chunked, chunks, long_text, text};
use urlint_testing::{share, tries};

#[path = "../targets/arrival.rs"]
mod arrival;
#[path = "../targets/find.rs"]
#[allow(dead_code, reason = "the target itself is run on other inputs")]
mod target;

use target::{context, placed};

fn finder() -> impl Strategy<Value = Finder> {
    let rejoin = prop::sample::select(vec![Rejoin::Likely, Rejoin::Judged, Rejoin::Never]);
    let hyphen = prop::sample::select(vec![Hyphen::Auto, Hyphen::Keep, Hyphen::Drop]);
    let schemes: &[&[&str]] = &[&[], &["x-own", "a", "com"]];
    let schemes = prop::sample::select(schemes);
    let flags = any::<(bool, bool)>();
    // The name of a text decides how its lines and strings are read.
    let name = prop::sample::select(vec!["", "", "x.lock", "x.diff", "x.c", "x.py", "x.js"]);
    (rejoin, hyphen, flags, schemes, name).prop_map(|(rejoin, hyphen, flags, schemes, name)| {
        let (schemeless, code) = flags;
        let finder = Finder::default()
            .with_rejoin(rejoin)
            .with_hyphen(hyphen)
            .with_schemeless(schemeless)
            .with_schemes(schemes.iter().copied())
            .with_code(code);
        let reader = Reader::default().with_finder(finder);
        reader.for_path(name.as_bytes()).finder
    })
}

/// Returns the candidates that a stream finds in `text` if it arrives in chunks of these sizes.
fn streamed(finder: &Finder, text: &[u8], sizes: Vec<usize>) -> Vec<Candidate<'static>> {
    let mut stream = finder.stream(Chunked::new(text, sizes));
    let mut found = Vec::new();
    while let Some(next) = stream.next_found().unwrap() {
        found.push(next.candidate.into_owned());
    }
    assert!(stream.next_found().unwrap().is_none(), "the end is the end");
    found
}

proptest! {
    #![proptest_config(tries(30_000))]

    #[test]
    fn a_stream_finds_what_is_found_in_the_whole(finder in finder(), text in text(), sizes in chunks()) {
        let whole: Vec<_> = finder.find(&text).collect();
        prop_assert_eq!(streamed(&finder, &text, sizes), whole);
    }
}

proptest! {
    #![proptest_config(tries(20_000))]

    #[test]
    fn places_are_the_same_in_any_window(finder in finder(), text in text(), sizes in chunks()) {
        let whole = placed(&mut finder.stream_with(&text[..], context()));
        let split = placed(&mut finder.stream_with(Chunked::new(&text, sizes), context()));
        prop_assert_eq!(split, whole);
    }
}

#[test]
fn the_appendix_may_be_split_anywhere() {
    for newline in ["\n", "\r\n", "\r"] {
        let text = APPENDIX.replace('\n', newline).into_bytes();
        for rejoin in [Rejoin::Never, Rejoin::Judged, Rejoin::Likely] {
            let finder = Finder::default().with_rejoin(rejoin);
            let whole: Vec<_> = finder.find(&text).collect();
            let urls: Vec<_> = whole.iter().map(Candidate::url).collect();
            let expected: [&[u8]; 3] = [
                b"ftp://info.cern.ch/pub/www/doc;type=d",
                b"ftp://ds.internic.net/rfc",
                b"http://ds.internic.net/instructions/overview.html",
            ];
            assert_eq!(urls, expected);
            assert_eq!(whole[2].fragment(), Some(&b"WARNING"[..]));
            for size in 1..text.len() {
                assert_eq!(
                    streamed(&finder, &text, vec![size, text.len()]),
                    whole,
                    "split at {size}"
                );
                assert_eq!(
                    streamed(&finder, &text, vec![size, 0]),
                    whole,
                    "every {size} bytes"
                );
            }
        }
    }
}

/// The bytes that `pieces` cover, which must lie within `outer`.
fn covered(text: &[u8], pieces: &Spans, outer: Span) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut end = outer.start;
    for span in pieces.iter() {
        assert!(end <= span.start && span.start <= span.end && span.end <= outer.end);
        end = span.end;
        bytes.extend_from_slice(span.slice(text));
    }
    bytes
}

proptest! {
    #![proptest_config(tries(50_000))]

    #[test]
    fn every_byte_of_a_url_knows_where_it_came_from(finder in finder(), text in text()) {
        let mut end = 0;
        for candidate in finder.find(&text) {
            let outer = candidate.outer;
            prop_assert!(end <= outer.start && outer.start < outer.end && outer.end <= text.len() as u64);
            end = outer.end;
            prop_assert_eq!(&covered(&text, &candidate.pieces, outer)[..], &candidate.text[..]);
            for other in &candidate.alternatives {
                prop_assert_eq!(&covered(&text, &other.pieces, outer), &other.text);
                prop_assert_ne!(&other.text[..], &candidate.text[..]);
            }
        }
    }

    #[test]
    fn never_means_no_url_over_a_line_break(text in text(), schemeless: bool) {
        let finder = Finder::default().with_rejoin(Rejoin::Never).with_schemeless(schemeless);
        for candidate in finder.find(&text) {
            if matches!(candidate.delimiter, Delimiter::Wrapper | Delimiter::Angle) {
                continue;
            }
            let reach = Span::new(candidate.pieces.start(), candidate.pieces.end()).slice(&text);
            prop_assert!(!reach.iter().any(|byte| b"\r\n".contains(byte)), "{}", reach.escape_ascii());
            prop_assert_eq!(candidate.pieces.iter().count(), 1);
        }
    }
}

/// Counts from `position`, where `rest` begins, to its end.
fn position(mut position: Position, mut rest: &[u8]) -> Position {
    while let Some(&byte) = rest.first() {
        let len = match byte {
            b'\r' if rest.get(1) == Some(&b'\n') => 2,
            // The LF of this CRLF is the byte whose position is asked for.
            b'\n' | b'\r' => 1,
            _ => {
                position.column += 1;
                let valid = (1..=4).find(|&len| {
                    rest.get(..len)
                        .is_some_and(|bytes| std::str::from_utf8(bytes).is_ok())
                });
                rest = &rest[valid.unwrap_or(1)..];
                continue;
            }
        };
        position = Position {
            line: position.line + 1,
            column: 1,
        };
        rest = &rest[len..];
    }
    position
}

/// Compares each candidate of a stream, its position and its window with the whole text.
fn context_is_right(finder: &Finder, text: &[u8], sizes: Vec<usize>) -> Result<(), TestCaseError> {
    let mut stream = finder.stream_with(Chunked::new(text, sizes), context());
    let mut whole = finder.find(text);
    let (mut counted, mut at) = (Position { line: 1, column: 1 }, 0);
    while let Some(found) = stream.next_found().unwrap() {
        let outer = found.candidate.outer;
        let expected = whole.next();
        prop_assert_eq!(Some(&found.candidate), expected.as_ref());
        counted = position(counted, &text[at..outer.start as usize]);
        at = outer.start as usize;
        prop_assert_eq!(found.position, Some(counted));
        let Window { start, bytes } = found.window;
        let window = Span::new(start, start + bytes.len() as u64);
        prop_assert!(window.start <= outer.start && outer.end <= window.end);
        prop_assert!(window.end <= text.len() as u64);
        prop_assert!(bytes == window.slice(text));
    }
    prop_assert!(whole.next().is_none());
    Ok(())
}

proptest! {
    #![proptest_config(tries(30_000))]

    #[test]
    fn context_is_the_text_around(finder in finder(), text in text(), sizes in chunks()) {
        context_is_right(&finder, &text, sizes)?;
    }
}

#[test]
fn a_stream_may_be_longer_than_any_window() {
    let cases = (finder(), long_text(), chunks());
    let outcome =
        TestRunner::new(tries(share(2, 10) as u32)).run(&cases, |(finder, text, sizes)| {
            let whole: Vec<_> = finder.find(&text).collect();
            prop_assert!(streamed(&finder, &text, sizes.clone()) == whole);
            context_is_right(&finder, &text, sizes)
        });
    // The case itself is not printed: it is a megabyte long.
    match outcome {
        Ok(()) => {}
        Err(TestError::Abort(reason)) => panic!("{reason}"),
        Err(TestError::Fail(reason, (finder, text, sizes))) => {
            panic!(
                "{reason}: {finder:?}, {} bytes, chunks of {sizes:?}",
                text.len()
            )
        }
    }
}

/// URLs that may be written in another way, most of them valid.
fn several_ways() -> impl Strategy<Value = String> {
    let scheme = prop::sample::select(vec![
        "http://",
        "HTTP://",
        "https://",
        "ftp://",
        "Ftp://Joe:X@",
        "file://",
        "gopher://",
        "wais://",
        "nntp://",
        "telnet://",
        "prospero://",
        "x-Own://",
        "mailto:",
        "news:",
        "http://A@",
        "http:",
    ]);
    let host = prop::sample::select(vec![
        "a.example",
        "A.Example",
        "a.example:80",
        "A.example:0443",
        "a.example:8080",
        "a.example:",
        "a.example:021",
        "",
        "[::FFFF]:80",
        "a%2EB.example",
        "a\\b",
        "a?B@c",
    ]);
    let part = prop::sample::select(vec![
        "/",
        "/x",
        "~",
        "%7e",
        "%7E",
        "%61",
        "%2e",
        "%2E",
        "..",
        "/.",
        "%",
        "%3",
        "1",
        "?q",
        "=%3d",
        ";type=a",
        ";type=%61",
        "%zz",
        "%41",
        "#Top%7e",
        "é",
        ":",
        "@",
    ]);
    let parts = prop::collection::vec(part, 0..6);
    (scheme, host, parts).prop_map(|(scheme, host, parts)| [scheme, host, &parts.concat()].concat())
}

/// `url` after all fixes of `not-normal` that can be made.
fn fixed(url: &str) -> String {
    let mut settings = Settings::default().with_selection(Selection::none());
    settings.selection.add(Selector::Rule(Rule::NotNormal));
    let mut source = format!("<URL:{url}>").into_bytes();
    loop {
        let diagnostics = urlint::check(&source, &settings);
        let fixes = diagnostics
            .iter()
            .filter_map(|diagnostic| diagnostic.fix.as_ref());
        let applied = fix::apply(
            &source,
            fixes.filter(|fix| fix.applicability > Applicability::DisplayOnly),
        );
        if applied.taken.is_empty() {
            let fixed = String::from_utf8(source).unwrap();
            return fixed["<URL:".len()..fixed.len() - 1].to_owned();
        }
        source = applied.bytes;
    }
}

proptest! {
    #![proptest_config(tries(100_000))]

    #[test]
    fn normalizing_changes_nothing_that_is_meant(url in several_ways()) {
        let normal = String::from_utf8(normalize(url.as_bytes()).into_owned()).unwrap();
        prop_assert_eq!(&*normalize(normal.as_bytes()), normal.as_bytes());
        // A fragment is not part of a URL, and stays.
        let split = |url: &'_ str| url.find('#').unwrap_or(url.len());
        let (before, before_fragment) = url.split_at(split(&url));
        let (after, after_fragment) = normal.split_at(split(&normal));
        prop_assert_eq!(before_fragment, after_fragment);
        let (before, after) = (rfc1738::parse(before.as_bytes()), rfc1738::parse(after.as_bytes()));
        prop_assert!(after.is_valid() || !before.is_valid());
        let scheme = |parsed: &Parsed<'_>| parsed.scheme();
        prop_assert_eq!(scheme(&before), scheme(&after));
        let host = |parsed: &Parsed<'_>| parsed.host().map(<[u8]>::to_ascii_lowercase);
        prop_assert_eq!(host(&before), host(&after));
        let login = |parsed: &Parsed<'_>| {
            let components = parsed.components;
            (components.user, components.password)
        };
        prop_assert_eq!(login(&before), login(&after));
        // The fixes of the rules of style. They know the form of http where it is not valid, too.
        let is_known = ["http", "https", "ftp", "file"].contains(&&*before.scheme().unwrap_or_default());
        // Of https anything is valid, even escapes in the host, which are left alone, and a query
        // without a path, of which the rules say nothing. They add no path to a host without dots,
        // and leave a possible password alone.
        let authority = url.split('/').nth(2).unwrap_or_default();
        let is_plain = authority.contains('.') && !authority.contains(['%', '?']);
        let is_plain = is_plain && hidden_in_url(url.as_bytes()).is_empty();
        if before.is_valid() && is_known && is_plain {
            prop_assert_eq!(normal, fixed(&url));
        }
    }
}
