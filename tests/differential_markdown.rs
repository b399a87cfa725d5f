//! What links of Markdown there are, by another reader of CommonMark: markdown-it-py, which
//! `.ci/run` installs below `target`. Where it is missing, the tests say so and pass.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]
#![allow(clippy::print_stderr, reason = "what is skipped is said")]

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use urlint::{Delimiter, Event, Kind, Reader};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// How often each absolute destination was found.
type Counted = BTreeMap<String, i64>;

/// What the other reader finds in each document; `None` if it is not there.
fn theirs(documents: &[String]) -> Option<Vec<Counted>> {
    let own = root().join("target/python/bin/python3");
    let python = if own.exists() {
        own
    } else {
        PathBuf::from("python3")
    };
    let mut child = Command::new(python)
        .arg(root().join("tests/differential/markdown.py"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    let mut input = child.stdin.take().unwrap();
    let all: String = documents.iter().flat_map(|text| [text, "\0"]).collect();
    let writer = std::thread::spawn(move || input.write_all(all.as_bytes()));
    let output = child.wait_with_output().unwrap();
    // Whoever ends early does not read all.
    let _ = writer.join().unwrap();
    if !output.status.success() {
        eprintln!("skipped: python3 has no markdown_it ({})", output.status);
        return None;
    }
    let answers = String::from_utf8(output.stdout).unwrap();
    let counted = |answer: &str| count(answer.lines().map(str::to_owned));
    let mut answers: Vec<_> = answers.split('\0').map(counted).collect();
    answers.pop();
    assert_eq!(answers.len(), documents.len());
    Some(answers)
}

/// What urlint finds as targets, but for the attributes of HTML.
fn ours(document: &str) -> Counted {
    let reader = Reader::default().with_kind(Kind::Markdown);
    let mut found = Vec::new();
    let read = reader.read::<_, std::io::Error>(b"", document.as_bytes(), &mut |event| {
        if let Event::Found(url) = event {
            let candidate = url.candidate;
            let start = candidate.outer.start as usize;
            let in_attribute = matches!(document.as_bytes()[..start].last(), Some(b'"' | b'\''));
            let is_link = candidate.delimiter == Delimiter::Target && !in_attribute;
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
fn differences(documents: &[String]) -> Option<Vec<(usize, Counted, Counted)>> {
    let theirs = theirs(documents)?;
    let both = documents.iter().map(|text| ours(text)).zip(theirs);
    let differ = both
        .enumerate()
        .filter(|(_, (ours, theirs))| ours != theirs);
    Some(
        differ
            .map(|(at, (ours, theirs))| (at, ours, theirs))
            .collect(),
    )
}

fn markdown_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            markdown_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
}

#[test]
fn the_links_of_real_documents() {
    let mut paths = Vec::new();
    markdown_files(&root().join("../shared/corpora/docs"), &mut paths);
    paths.sort();
    if paths.is_empty() {
        eprintln!("skipped: there are no documents beside the project");
    }
    let read = |path: &PathBuf| std::fs::read_to_string(path).unwrap();
    let documents: Vec<_> = paths.iter().map(read).collect();
    let differences = differences(&documents).unwrap_or_default();
    for (at, ours, theirs) in &differences {
        eprintln!("{}\n  {ours:?}\n  {theirs:?}", paths[*at].display());
    }
    assert!(differences.is_empty(), "{}", differences.len());
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

/// Whether markdown-it is known not to be CommonMark in what `document` has: it takes a backslash
/// for an escape of a line break in a destination, and an indented line behind a definition for
/// code, though that goes on with the definition's paragraph.
fn is_read_otherwise(document: &str) -> bool {
    document.contains("\\\n") || document.contains("\n    ")
}

#[test]
fn the_links_of_made_up_documents() {
    let documents = made_up(20_000);
    let Some(mut differences) = differences(&documents) else {
        return;
    };
    let all = differences.len();
    differences.retain(|(at, ..)| !is_read_otherwise(&documents[*at]));
    for (at, ours, theirs) in &differences {
        eprintln!("{:?}\n  {ours:?}\n  {theirs:?}", documents[*at]);
    }
    assert!(differences.is_empty(), "{} of {all}", differences.len());
    assert!(all < documents.len() / 1000, "{all}");
}
