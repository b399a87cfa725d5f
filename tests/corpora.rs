//! Real mail, news, documents and RFCs, where they lie beside the project: the laws hold on them,
//! and what is known of single files stays so.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]
#![allow(clippy::print_stderr, reason = "what is skipped is said")]

use std::path::{Path, PathBuf};

use urlint::{Candidate, Delimiter, Finder, Kind, Selection, Selector, Settings, StreamOptions};

fn corpora() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpora")
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
}

fn all_files() -> Vec<PathBuf> {
    let mut found = Vec::new();
    files(&corpora(), &mut found);
    found.sort();
    if found.is_empty() {
        eprintln!("skipped: there is no {}", corpora().display());
    }
    found
}

#[test]
fn the_laws_hold() {
    let mut selection = Selection::none();
    selection.add(Selector::All);
    let settings = Settings::default().with_selection(selection);
    for path in all_files() {
        let text = std::fs::read(&path).unwrap();
        let mut stream =
            Finder::default().stream_with(&text[..], StreamOptions::default().with_read_size(1000));
        let mut end = 0;
        for candidate in urlint::find(&text) {
            let covered: Vec<_> = candidate
                .pieces
                .iter()
                .flat_map(|span| span.slice(&text))
                .collect();
            assert!(
                covered.into_iter().eq(candidate.text.iter()),
                "{}",
                path.display()
            );
            assert!(end <= candidate.outer.start, "{}", path.display());
            end = candidate.outer.end;
            assert_eq!(
                stream.next().unwrap().unwrap(),
                candidate,
                "{}",
                path.display()
            );
        }
        assert!(stream.next().is_none(), "{}", path.display());
        for diagnostic in urlint::check(&text, &settings) {
            assert!(
                diagnostic.spans.end() <= text.len() as u64,
                "{}",
                path.display()
            );
        }
    }
}

/// The URLs of an RFC that are marked off so.
fn urls_of(rfc: &str, delimiter: Delimiter) -> Option<Vec<String>> {
    let text = std::fs::read(corpora().join("rfc").join(rfc)).ok()?;
    let of_that_kind = |found: &Candidate<'_>| found.delimiter == delimiter;
    let shown = |found: Candidate<'_>| String::from_utf8_lossy(&found.text).into_owned();
    Some(
        urlint::find(&text)
            .filter(of_that_kind)
            .map(shown)
            .collect(),
    )
}

#[test]
fn rfc_1738_has_thirty_wrappers_and_all_are_valid() {
    let Some(urls) = urls_of("rfc1738.txt", Delimiter::Wrapper) else {
        eprintln!("skipped: there is no RFC 1738");
        return;
    };
    assert_eq!(urls.len(), 30);
    for url in urls {
        let judged = url.split('#').next().unwrap().as_bytes();
        assert!(urlint::rfc1738::is_valid(judged), "{url}");
    }
}

#[test]
fn bare_urls_of_rfcs_are_joined_where_they_were_broken() {
    let cases = [
        ("rfc2151.txt", "http://www.lublin.pl/cgi-bin/ns/nsgate"),
        (
            "rfc6306.txt",
            "http://ana-3.lcs.mit.edu/~jnc/nimrod/overview.txt",
        ),
        (
            "rfc6306.txt",
            "http://www.dagstuhl.de/de/programm/kalender/semhp/?semnr=09102",
        ),
    ];
    for (rfc, url) in cases {
        let Some(urls) = urls_of(rfc, Delimiter::Bare) else {
            eprintln!("skipped: there is no {rfc}");
            return;
        };
        assert!(urls.iter().any(|found| found == url), "{rfc}: {url}");
    }
}

/// What `path` is, by where it lies in the corpora; archives are told elsewhere.
fn expected_kind(path: &str) -> Option<Kind> {
    /// Texts that a message was made of.
    const BARE: [&str; 4] = [
        "lorem-ipsum.txt",
        "message.txt",
        "planet-fitness.txt",
        "wikipedia.txt",
    ];
    let (folder, rest) = path.split_once('/')?;
    let is_text = BARE.iter().any(|name| rest.ends_with(name));
    match folder {
        "news" => Some(Kind::Mail),
        "rfc" => Some(Kind::Plain),
        "docs" if rest.ends_with(".md") => Some(Kind::Markdown),
        "docs" if rest.ends_with(".xml") => Some(Kind::Xml),
        "mail" if is_text => Some(Kind::Plain),
        "mail" => Some(Kind::Mail),
        _ => None,
    }
}

#[test]
fn every_file_is_told_for_what_it_is() {
    let mut wrong = Vec::new();
    for path in all_files() {
        let name = path.strip_prefix(corpora()).unwrap().to_str().unwrap();
        let text = std::fs::read(&path).unwrap();
        let head = &text[..text.len().min(4096)];
        let is_mailbox = head
            .strip_prefix(b"\xEF\xBB\xBF")
            .unwrap_or(head)
            .starts_with(b"From ");
        let by_name = Kind::from_path(name.as_bytes());
        let kind = by_name.unwrap_or_else(|| Kind::from_head(head));
        let expected = match expected_kind(name) {
            Some(Kind::Mail) if is_mailbox && by_name != Some(Kind::Mail) => Some(Kind::Mbox),
            expected => expected,
        };
        if expected.is_some_and(|expected| expected != kind) {
            wrong.push(format!("{name}: {kind}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
