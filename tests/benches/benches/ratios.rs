//! The table of ratios that a release is compared with.
//!
//! `cargo bench --profile dist -p urlint-benches --bench ratios` measures in a few minutes the ratio of urlint's
//! speed to that of its peers on generated texts, the same on every machine, and prints each beside
//! the recorded one in `ratios.md`. `-- --write` rewrites that file, for which `wc` and `rg` must be
//! installed; without them their rows are left out.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]
#![allow(clippy::print_stdout, reason = "the table is what this is for")]

// Only part of these is used here.
#[allow(dead_code)]
mod engines;
mod made;
#[allow(dead_code, unreachable_pub)]
mod whole;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use engines::{PEERS, SIZE, URLINT, engines, speeds};
use whole::{command, extract, median, repeat, seconds, urlint};

const RECORD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/ratios.md");

const HEAD: &str = "\
# Ratios

How many times as fast as each peer urlint is, on generated texts; above 1 it is faster. Whole commands run on one thread.
`cargo bench --profile dist -p urlint-benches --bench ratios` measures them again and prints them beside these; `-- --write` rewrites this file.
A release in which one falls by more than a tenth has a regression, unless the machine differs or the change log explains it.
";

/// The size of the files that whole commands read, in bytes.
const FILE: usize = 128 << 20;

/// The number of files in the tree of `check`.
const FILES: usize = 2000;

/// How often each engine and each command runs.
const ROUNDS: usize = 15;

/// The peers that are programs.
const PROGRAMS: [&str; 2] = ["wc", "rg"];

/// A row of the table: a text, the part of urlint that is measured on it, and the peer.
struct Row {
    names: String,
    ratio: f64,
}

fn main() {
    let given = |flag: &str| std::env::args().any(|argument| argument == flag);
    // Without `--bench` this is `cargo test`, which only needs it to build.
    if !given("--bench") || given("--list") {
        return;
    }
    let mut rows = Vec::new();
    in_memory(&mut rows);
    files(&mut rows);
    tree(&mut rows);
    let before = fs::read_to_string(RECORD).unwrap_or_default();
    for Row { names, ratio } in &rows {
        let recorded = before.lines().find_map(|line| line.strip_prefix(names));
        let recorded = recorded.unwrap_or_default().trim_end_matches('|');
        println!("{names} {ratio:.2} | recorded: {recorded}");
    }
    if given("--write") {
        let missing: Vec<_> = PROGRAMS
            .into_iter()
            .filter(|name| !is_installed(name))
            .collect();
        if !missing.is_empty() {
            println!("not written: {} must be installed", missing.join(" and "));
            return;
        }
        let mut table = HEAD.to_owned();
        writeln!(table, "Measured on {}, with {}.\n", today(), vectors()).unwrap();
        table += "| text | urlint | peer | ratio |\n| --- | --- | --- | --- |\n";
        for Row { names, ratio } in &rows {
            writeln!(table, "{names} {ratio:.2} |").unwrap();
        }
        fs::write(RECORD, table).unwrap();
    }
}

fn row(text: &str, what: &str, peer: &str, ratio: f64) -> Row {
    Row {
        names: format!("| {text} | {what} | {peer} |"),
        ratio,
    }
}

fn in_memory(rows: &mut Vec<Row>) {
    let engines = engines();
    for (text, make) in made::TEXTS {
        let speeds = speeds(&engines, &make(SIZE), ROUNDS);
        for (what, (_, ratios)) in URLINT.iter().zip(&speeds) {
            for (peer, ratio) in PEERS.iter().zip(ratios) {
                rows.push(row(text, what, peer, *ratio));
            }
        }
    }
}

/// `extract` on a large file of each text, and on the mail as a mailbox.
fn files(rows: &mut Vec<Row>) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for (text, make) in made::TEXTS {
        let (file, mailbox) = (path(&format!("{text}.txt")), path("mail.mbox"));
        write(&file, &make(SIZE));
        let url = "[a-z][a-z0-9+.-]*://[^\\s<>\"]+";
        let peers = [
            ("wc -l", command("wc", &["-l"], &[&file])),
            (
                "rg -a -o -i",
                command("rg", &["-a", "-o", "-i", "-j", "1", url], &[&file]),
            ),
        ];
        let mut commands = vec![("extract", extract(&["--threads", "1", &file]))];
        if text == "mail" {
            write(&mailbox, &make(SIZE));
            commands.push(("extract as mailbox", extract(&["--threads", "1", &mailbox])));
        }
        compare(rows, text, commands, peers.into());
    }
}

/// `check` on many small files.
fn tree(rows: &mut Vec<Row>) {
    let folder = tempfile::tempdir().unwrap();
    let text = made::TEXTS[0].1(SIZE);
    // Pages, about as many as an RFC has.
    let pages: Vec<&str> = text.split_inclusive('\u{c}').collect();
    let texts: Vec<String> = pages.chunks(20).map(<[&str]>::concat).collect();
    for number in 0..FILES {
        let name = format!("{number:05}.txt");
        fs::write(folder.path().join(name), &texts[number % texts.len()]).unwrap();
    }
    let tree = folder.path().to_str().unwrap();
    let flags = [
        "check",
        "--isolated",
        "--exit-zero",
        "--quiet",
        "--threads",
        "1",
    ];
    let check = ("check", command(urlint(), &flags, &[tree]));
    let rg = ("rg -c", command("rg", &["-c", "-j", "1", "://"], &[tree]));
    compare(rows, "rfc in 2,000 files", vec![check], vec![rg]);
}

/// Writes the text to a file, repeatedly.
fn write(path: &str, text: &str) {
    let text = [text.as_bytes().to_vec()];
    repeat(Path::new(path), &text, FILE, [b"", b""]);
}

/// Returns the date, as `date` prints it.
fn today() -> String {
    let date = Command::new("date").args(["-u", "+%F"]).output().unwrap();
    String::from_utf8(date.stdout)
        .unwrap()
        .trim_end()
        .to_owned()
}

/// Returns the vectors that the finder uses on this processor.
fn vectors() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx2") {
        return "AVX2";
    }
    "no vectors"
}

/// Returns whether the program `name` can be run.
fn is_installed(name: &str) -> bool {
    Command::new(name).arg("--version").output().is_ok()
}

/// Runs commands of urlint in turn with those of their peers that are installed.
fn compare(
    rows: &mut Vec<Row>,
    text: &str,
    ours: Vec<whole::Row<'_>>,
    mut peers: Vec<whole::Row<'_>>,
) {
    peers.retain(|(name, command)| {
        let program = command.get_program().to_str().unwrap();
        let is_there = is_installed(program);
        if !is_there {
            println!("{program} is not installed: no row for {text} and {name}");
        }
        is_there
    });
    let count = ours.len();
    let (names, mut commands): (Vec<_>, Vec<_>) = ours.into_iter().chain(peers).unzip();
    let mut round = || -> Vec<f64> { commands.iter_mut().map(seconds).collect() };
    round(); // into the page cache
    let rounds: Vec<Vec<f64>> = (0..ROUNDS).map(|_| round()).collect();
    for at in 0..count {
        for peer in count..names.len() {
            let ratios = rounds.iter().map(|round| round[peer] / round[at]);
            let ratio = median(&mut ratios.collect::<Vec<_>>());
            rows.push(row(text, names[at], names[peer], ratio));
        }
    }
}
