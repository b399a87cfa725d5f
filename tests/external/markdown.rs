//! The links of Markdown, by another reader of CommonMark: markdown-it-py.

use std::collections::BTreeMap;
use std::path::PathBuf;

use urlint::document::Kind;
use urlint::find::{Delimiter, Flag};
use urlint::{Event, Reader};

use crate::needs::{answer, script, shared_files};

/// How often each absolute destination was found.
type Counted = BTreeMap<String, i64>;

/// Returns the destinations that the other reader finds in each document.
fn theirs(documents: &[String]) -> Vec<Counted> {
    let all: String = documents.iter().flat_map(|text| [text, "\0"]).collect();
    let answers = answer(script("markdown.py"), all.as_bytes());
    let counted = |answer: &str| count(answer.lines().map(str::to_owned));
    let mut answers: Vec<_> = answers.split('\0').map(counted).collect();
    answers.pop();
    assert_eq!(answers.len(), documents.len());
    answers
}

/// Returns the targets that urlint finds, except those in attributes of HTML.
fn ours(document: &str) -> Counted {
    let reader = Reader::default().with_kind(Kind::Markdown);
    let mut found = Vec::new();
    let read = reader.read::<std::io::Error>(b"", document.as_bytes(), &mut |event| {
        if let Event::Found(url) = event {
            let candidate = url.candidate;
            let start = candidate.outer.start as usize;
            let in_attribute = matches!(document.as_bytes()[..start].last(), Some(b'"' | b'\''));
            // The URL in a target that holds more is listed, though the link leads elsewhere.
            let is_url = !candidate.flags.has(Flag::BrokenLink);
            let is_link = candidate.delimiter == Delimiter::Target && is_url && !in_attribute;
            if is_link {
                found.push(String::from_utf8_lossy(&candidate.text).into_owned());
            }
        }
        Ok(())
    });
    read.unwrap();
    count(found.into_iter())
}

fn count(urls: impl Iterator<Item = String>) -> Counted {
    let mut counted = Counted::new();
    for url in urls.filter(|url| is_absolute(url)) {
        *counted.entry(url).or_default() += 1;
    }
    counted
}

fn is_absolute(url: &str) -> bool {
    let Some((scheme, _)) = url.split_once("://") else {
        return false;
    };
    let is_of_scheme = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
    scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.chars().all(is_of_scheme)
}

/// The documents about which the two differ, and how.
fn differences(documents: &[String]) -> Vec<(usize, Counted, Counted)> {
    let theirs = theirs(documents);
    let both = documents.iter().map(|text| ours(text)).zip(theirs);
    let differ = both
        .enumerate()
        .filter(|(_, (ours, theirs))| ours != theirs);
    differ
        .map(|(at, (ours, theirs))| (at, ours, theirs))
        .collect()
}

/// How the two differ, for a failure; `name` says of which document.
fn shown(differences: &[(usize, Counted, Counted)], name: impl Fn(usize) -> String) -> String {
    let lines = differences
        .iter()
        .map(|(at, ours, theirs)| format!("{}\n  {ours:?}\n  {theirs:?}\n", name(*at)));
    lines.collect()
}

pub(crate) fn the_links_of_real_documents() {
    let mut paths = shared_files("corpora/docs");
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    let read = |path: &PathBuf| std::fs::read_to_string(path).unwrap();
    let documents: Vec<_> = paths.iter().map(read).collect();
    assert!(documents.len() > 5, "{}", documents.len());
    let differences = differences(&documents);
    let name = |at: usize| paths[at].display().to_string();
    assert!(differences.is_empty(), "{}", shown(&differences, name));
}

/// Documents of fragments that mean something next to each other.
fn made_up(how_many: usize) -> Vec<String> {
    const FRAGMENTS: [&str; 32] = [
        "[",
        "]",
        "(",
        ")",
        "](",
        "](http://a.example/",
        "[x](http://b.example/)",
        "![",
        "<",
        ">",
        "<http://c.example/>",
        "http://d.example/",
        "\\",
        "&amp;",
        "&auml",
        ";",
        "\n",
        "\n\n",
        " ",
        "> ",
        "\n[y]: http://e.example/",
        "[y]",
        ": ",
        "`",
        "``",
        "*",
        "\"",
        "'",
        "\n- ",
        "\n    ",
        "x",
        "_",
    ];
    // A generator by Knuth: the same documents each time.
    let mut state = 1738u64;
    let mut next = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut document = || (0..2 + next(12)).map(|_| FRAGMENTS[next(32)]).collect();
    (0..how_many).map(|_| document()).collect()
}

/// Returns whether `document` has a form in which markdown-it is known to depart from CommonMark: it takes a
/// backslash for an escape of a line break in a destination, and an indented line behind a definition
/// for code, though that line continues the paragraph of the definition.
fn is_read_otherwise(document: &str) -> bool {
    document.contains("\\\n") || document.contains("\n    ")
}

pub(crate) fn the_links_of_made_up_documents() {
    let documents = made_up(20_000);
    let mut differences = differences(&documents);
    let all = differences.len();
    differences.retain(|(at, ..)| !is_read_otherwise(&documents[*at]));
    let name = |at: usize| format!("{:?}", documents[at]);
    assert!(differences.is_empty(), "{}", shown(&differences, name));
    assert!(all < documents.len() / 1000, "{all}");
}
