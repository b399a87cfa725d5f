//! How many instructions urlint takes, compared with the counts in `counts.md`.
//!
//! `cargo bench --profile dist -p urlint-counts` runs each row of that table once in valgrind, which counts the same
//! on any machine, busy or not, and fails if a count differs from the recorded one by
//! more than 3 %. `-- --write 'WHY'` then records the new counts, and why they have changed.

#![allow(clippy::unwrap_used, clippy::panic)]
#![allow(clippy::print_stdout, reason = "the table is what this is for")]

#[path = "../../benches/benches/made/mod.rs"]
mod made;

use std::fmt::Write as _;
use std::hint::black_box;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode, exit};

use flate2::Compression;
use flate2::write::GzEncoder;

use urlint::document::Kind;
use urlint::{Event, Reader, Settings, Standard};

const RECORD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/counts.md");

const HEAD: &str = "\
# Counts

Instructions for a text of 1 MB, by valgrind, on x86-64 with AVX2 and in the profile of releases. A row with the name of a
file is a whole command on one thread, from its start to its end.
`cargo bench --profile dist -p urlint-counts` counts again, and fails where a count differs by more than 3 %;
`-- --write 'WHY'` writes the counts that differ by more than 0.3 % into this file, and why they do.

| text | urlint | instructions | why they changed last |
| --- | --- | --- | --- |
";

/// The length of each text, in bytes.
const SIZE: usize = 1 << 20;

/// By how much a count may differ from the recorded one.
const TOLERANCE: f64 = 0.03;

/// The least difference that is recorded.
const NOTICEABLE: f64 = 0.003;

/// Returns how many URLs or diagnostics there are.
type Work = fn(&str) -> usize;

/// The work that is counted on each text.
const WORK: [(&str, Work); 6] = [
    ("find", |text| urlint::find(text.as_bytes()).count()),
    ("find and judge", judge),
    ("check", |text| check(Kind::Plain, text)),
    ("extract", extract),
    // Only of mail.
    (MAILBOX, |text| {
        read(Reader::default().with_kind(Kind::Mbox), text)
    }),
    // Only of the dense text.
    (WORDS, words),
];

const MAILBOX: &str = "read as mailbox";
const WORDS: &str = "words without passwords";

/// The whole commands that are counted: a file or a folder that [`write_files`] makes, and the command.
const COMMANDS: [(&str, &str); 8] = [
    ("attachments.mbox", "extract"),
    ("crawl.warc.wet.gz", "extract"),
    ("files", "extract"),
    ("files", "check"),
    ("list.txt", "extract"),
    ("page.html", "extract"),
    ("page.md", "check"),
    ("start.txt", "check"),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let given = |flag: &str| arguments.iter().position(|argument| argument == flag);
    match &arguments[..] {
        [flag, row] if flag == "--count" => work(row.parse().unwrap()),
        [command, ..] if COMMANDS.iter().any(|(_, known)| command == known) => {
            return urlint_cli::run();
        }
        // Without `--bench` this is `cargo test`, which only needs it to build.
        _ if given("--bench").is_none() => {}
        _ if !cfg!(target_arch = "x86_64") => {
            println!("SKIPPED: counted instructions, which are those of x86-64");
        }
        _ => compare(&arguments, given("--write")),
    }
    ExitCode::SUCCESS
}

/// Compares the counts with the record, or records them.
fn compare(arguments: &[String], write: Option<usize>) {
    let why = write.map(|at| match arguments.get(at + 1) {
        Some(why) if why != "--bench" => why,
        _ => panic!("--write 'WHY'"),
    });
    let record = std::fs::read_to_string(RECORD).unwrap_or_default();
    let (mut table, mut failed) = (HEAD.to_owned(), false);
    let folder = tempfile::tempdir().unwrap();
    write_files(folder.path());
    let counts = rows().enumerate().map(|(row, names)| {
        let count = count(&["--count", &row.to_string()], folder.path(), true);
        (names, count)
    });
    let commands = COMMANDS.iter().map(|&(file, command)| {
        let count = count(&[command, "-j1", file], folder.path(), false);
        ((file, command), count)
    });
    for ((text, work), count) in counts.chain(commands) {
        let Some(count) = count else {
            println!("SKIPPED: counted instructions, which are those of a processor with AVX2");
            return;
        };
        let names = format!("| {text} | {work} | ");
        let recorded = record.lines().find_map(|line| line.strip_prefix(&names));
        let (before, reason) = recorded
            .and_then(|row| row.split_once(" | "))
            .unwrap_or(("0", ""));
        let before: f64 = before.parse().unwrap();
        let change = count as f64 / before - 1.0;
        println!("{names}{count} | {:+.2} % |", 100.0 * change);
        failed |= change.abs() > TOLERANCE;
        match why {
            Some(why) if change.abs() > NOTICEABLE => writeln!(table, "{names}{count} | {why} |"),
            _ => writeln!(table, "{names}{before} | {reason}"),
        }
        .unwrap();
    }
    if why.is_some() {
        std::fs::write(RECORD, table).unwrap();
    } else if failed {
        println!(
            "a count differs by more than 3 %: `cargo bench --profile dist -p urlint-counts -- --write 'WHY'` records it"
        );
        exit(1);
    }
}

/// The texts and the work that is counted on each.
fn rows() -> impl Iterator<Item = (&'static str, &'static str)> {
    made::TEXTS
        .iter()
        .flat_map(|(text, _)| WORK.iter().map(|(work, _)| (*text, *work)))
        .filter(|&(text, work)| match work {
            MAILBOX => text == "mail",
            WORDS => text == "dense",
            _ => true,
        })
}

/// Counts the instructions of this program with `arguments`, in `folder`; `None` if the count cannot be compared
/// with the record. With `is_row`, only those of [`counted`].
fn count(arguments: &[&str], folder: &Path, is_row: bool) -> Option<u64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .args(is_row.then_some("--toggle-collect=*counted*"))
        .arg(std::env::current_exe().unwrap())
        .args(arguments)
        .current_dir(folder)
        // `rep movsb` would be counted once for each byte.
        .env(
            "GLIBC_TUNABLES",
            ["movsb", "stosb"]
                .map(|copy| format!("glibc.cpu.x86_rep_{copy}_threshold=1000000000"))
                .join(":"),
        )
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&output.stderr);
    let collected = printed
        .lines()
        .find_map(|line| line.split_once("Collected : "));
    let (_, count) = collected.unwrap_or_else(|| panic!("{printed}"));
    (!is_row || output.stdout == b"avx2\n").then(|| count.parse().unwrap())
}

/// Writes the files of [`COMMANDS`].
fn write_files(folder: &Path) {
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.join(name), bytes).unwrap();
    let texts = made::TEXTS.map(|(_, make)| make(SIZE));
    let [rfc, _, dense] = &texts;
    write("attachments.mbox", attachments().as_bytes());
    let records = rfc.as_bytes().chunks(5000).flat_map(record);
    write("crawl.warc.wet.gz", &records.collect::<Vec<_>>());
    std::fs::create_dir(folder.join("files")).unwrap();
    for (number, text) in rfc.as_bytes().chunks(4000).enumerate() {
        write(&format!("files/{number}.txt"), text);
    }
    write("list.txt", dense.as_bytes());
    let (mut page, mut markdown) = (String::from("<!DOCTYPE html>\n"), String::new());
    let paragraphs = rfc.split("\n\n").filter(|text| !text.is_empty());
    for (paragraph, url) in paragraphs.zip(dense.lines().cycle()) {
        writeln!(
            page,
            "<p class=\"x\">{paragraph}\n<a href=\"{url}\">a</a></p>"
        )
        .unwrap();
        let lines = paragraph.lines().map(str::trim_start);
        let prose = lines.collect::<Vec<_>>().join("\n");
        writeln!(
            markdown,
            "## The `name`\n\n{prose}\n\n- See [*this*](https://www.a.example/page).\n"
        )
        .unwrap();
    }
    write("page.html", page.as_bytes());
    write("page.md", markdown.as_bytes());
    write("start.txt", b"see http://a.example/ it\n");
}

/// Generates messages with an attachment of 135 KB each.
fn attachments() -> String {
    let (mut random, mut text) = (made::Random(2045), String::new());
    while text.len() < SIZE {
        text.push_str(
            "From joe@a.example Mon Mar  3 12:00:00 2003\nFrom: Joe <joe@a.example>\nSubject: x\n\
            MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=\"b\"\n\n\
            --b\nContent-Type: text/plain\n\nSee http://a.example/ for it.\n\n\
            --b\nContent-Type: application/octet-stream; name=\"x.bin\"\n\
            Content-Transfer-Encoding: base64\n\n",
        );
        for _ in 0..1800 {
            let digit = |_| char::from(b"BCDEFGHIJKLMNOPQ"[random.below(16)]);
            text.extend((0..75).map(digit));
            text.push_str("A\n");
        }
        text.push_str("--b--\n\n");
    }
    text
}

/// Returns a record of a web archive, compressed.
fn record(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    let length = text.len();
    write!(
        encoder,
        "WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: http://a.example/x\r\n\
        WARC-Date: 2014-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:uuid:2014>\r\n\
        WARC-Refers-To: <urn:uuid:2013>\r\nWARC-Block-Digest: sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\r\n\
        Content-Type: text/plain\r\nContent-Length: {length}\r\n\r\n"
    )
    .unwrap();
    encoder.write_all(text).unwrap();
    encoder.write_all(b"\r\n\r\n").unwrap();
    encoder.finish().unwrap()
}

/// Does the work of a row, in valgrind.
fn work(row: usize) {
    let (text, work) = rows().nth(row).unwrap();
    let text = made::TEXTS
        .iter()
        .find(|(name, _)| *name == text)
        .unwrap()
        .1(SIZE);
    let work = WORK.iter().find(|(name, _)| *name == work).unwrap().1;
    // Some tables are made once.
    black_box(work(&text));
    black_box(counted(work, &text));
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx2") {
        println!("avx2");
    }
}

/// Only the instructions within this function are counted.
#[inline(never)]
fn counted(work: Work, text: &str) -> usize {
    work(black_box(text))
}

fn judge(text: &str) -> usize {
    let mut problems = 0;
    for candidate in urlint::find(text.as_bytes()) {
        Standard::Rfc1738.judge(candidate.url(), |_| problems += 1);
    }
    problems
}

fn check(kind: Kind, text: &str) -> usize {
    urlint::check_as(kind, text.as_bytes(), &Settings::default()).len()
}

fn extract(text: &str) -> usize {
    read(Reader::default(), text)
}

/// As a page of URLs does.
fn words(text: &str) -> usize {
    let mut length = 0;
    let visit = &mut |event: Event<'_>| {
        if let Event::Found(found) = event {
            length += found.words(60, true).len();
        }
        Ok::<(), std::io::Error>(())
    };
    let reader = Reader::default().with_positions(true);
    reader.read(b"a.txt", text.as_bytes(), visit).unwrap();
    length
}

fn read(reader: Reader, text: &str) -> usize {
    let mut found = 0;
    let visit = &mut |event: Event<'_>| {
        found += usize::from(matches!(event, Event::Found(_)));
        Ok::<(), std::io::Error>(())
    };
    reader.read(b"a.txt", text.as_bytes(), visit).unwrap();
    found
}
