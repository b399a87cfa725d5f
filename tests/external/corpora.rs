//! Real mail, news, documents and RFCs: the laws hold on them,
//! and the known facts of single files stay true.

use std::path::Path;

use urlint::document::Kind;
use urlint::find::{Delimiter, StreamOptions};
use urlint::lint::{Selection, Selector};
use urlint::{Candidate, Event, Finder, Reader, Settings};

use crate::needs::{shared, shared_files};
use crate::support::decoding::stands_for;

pub(crate) fn the_laws_hold() {
    let mut selection = Selection::none();
    selection.add(Selector::All);
    let settings = Settings::default().with_selection(selection);
    for path in shared_files("corpora") {
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
fn urls_of(rfc: &str, delimiter: Delimiter) -> Vec<String> {
    let text = std::fs::read(shared("corpora/rfc").join(rfc)).unwrap();
    let of_that_kind = |found: &Candidate<'_>| found.delimiter == delimiter;
    let shown = |found: Candidate<'_>| String::from_utf8_lossy(&found.text).into_owned();
    let found = urlint::find(&text);
    found.filter(of_that_kind).map(shown).collect()
}

pub(crate) fn rfc_1738_has_thirty_wrappers_and_all_are_valid() {
    let urls = urls_of("rfc1738.txt", Delimiter::Wrapper);
    assert_eq!(urls.len(), 30);
    for url in urls {
        let judged = url.split('#').next().unwrap().as_bytes();
        assert!(urlint::standard::rfc1738::is_valid(judged), "{url}");
    }
}

pub(crate) fn bare_urls_of_rfcs_are_joined_where_they_were_broken() {
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
        let urls = urls_of(rfc, Delimiter::Bare);
        assert!(urls.iter().any(|found| found == url), "{rfc}: {url}");
    }
}

/// Returns the kind of `path`, by its folder in the corpora; archives are recognized elsewhere.
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

pub(crate) fn every_file_is_told_for_what_it_is() {
    let mut wrong = Vec::new();
    for path in shared_files("corpora") {
        let name = path
            .strip_prefix(shared("corpora"))
            .unwrap()
            .to_str()
            .unwrap();
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

/// The kind of a file of the corpora.
fn kind_of(path: &Path, source: &[u8]) -> Kind {
    let in_mail = path
        .components()
        .any(|part| matches!(part.as_os_str().to_str(), Some("mail" | "news")));
    match Kind::from_path(path.to_str().unwrap().as_bytes()) {
        _ if in_mail && source.starts_with(b"From ") => Kind::Mbox,
        _ if in_mail => Kind::Mail,
        kind => kind.unwrap_or_default(),
    }
}

/// The source bytes of real candidates are their texts: each byte of US-ASCII is its source bytes in one
/// of the ways in which such a byte can be written, and pieces lie in order in the file.
pub(crate) fn real_urls_know_where_they_came_from() {
    let (mut candidates, mut decoded) = (0, 0);
    let folders = ["corpora/mail", "corpora/news", "corpora/docs"];
    for path in folders.into_iter().flat_map(shared_files) {
        let source = std::fs::read(&path).unwrap();
        let reader = Reader::default().with_kind(kind_of(&path, &source));
        let read = reader.read(b"", &source[..], &mut |event| {
            let Event::Found(found) = event else {
                return Ok::<(), std::io::Error>(());
            };
            let candidate = &found.candidate;
            let shown = String::from_utf8_lossy(&candidate.text);
            let name = path.display();
            let mut end = candidate.outer.start;
            for piece in candidate.pieces.iter() {
                assert!(
                    end <= piece.start && piece.end <= candidate.outer.end,
                    "{name}: {shown}"
                );
                end = piece.end;
            }
            for (at, &byte) in candidate
                .text
                .iter()
                .enumerate()
                .filter(|(_, byte)| byte.is_ascii())
            {
                let spans = found.spans(at..at + 1);
                let piece = spans.iter().next().unwrap().slice(&source);
                let piece_shown = String::from_utf8_lossy(piece);
                assert!(
                    spans.iter().count() == 1 && stands_for(piece, byte),
                    "{name}: {shown}: {at} {piece_shown:?}"
                );
                decoded += usize::from(piece != [byte]);
            }
            candidates += 1;
            Ok(())
        });
        read.unwrap();
    }
    assert!(
        candidates > 1_000 && decoded > 1_000,
        "{candidates} and {decoded}"
    );
}
