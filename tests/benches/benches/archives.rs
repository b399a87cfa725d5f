//! The speed of listing archives: whole commands, compared with the commands that people use for it.
//!
//! `cargo bench --profile dist -p urlint-benches --bench archives` makes files of several hundred megabytes from
//! `../shared/corpora` in a temporary folder, runs the commands on them in turn, and prints speeds
//! and ratios. `rg` and `sort` are run if they are installed. `URLS=100000000` sets the number of
//! distinct URLs to list; the default is ten million.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]
#![allow(clippy::print_stdout, reason = "the table is what this is for")]

mod whole;

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use whole::{Row, command, extract, mailbox, messages, repeat, table, texts, urlint};

/// A URL, as people search for one with `rg`.
const PATTERN: &str = r#"[a-zA-Z][a-zA-Z0-9+.-]*://[^\s<>"]+"#;

fn main() {
    // Without `--bench` this is `cargo test`, which only needs it to build.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let (mail, rfc) = (messages(), texts(&["rfc"]));
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    if mail.is_empty() || rfc.is_empty() {
        println!("no corpora: only lists are measured");
    } else {
        let text = path("mail.txt");
        repeat(text.as_ref(), &mail, 400 << 20, [b"", b"\n"]);
        plain("mail text", &text);
        fs::remove_file(text).unwrap();
        let text = path("rfc.txt");
        repeat(text.as_ref(), &rfc, 240 << 20, [b"", b"\n"]);
        plain("RFC text", &text);
        fs::remove_file(text).unwrap();
        let packed = path("mail.mbox");
        mailbox(packed.as_ref(), &mail, 400 << 20);
        compressed(&packed);
        let archive = path("crawl.warc");
        web_archive(archive.as_ref(), &mail, 400 << 20);
        members(&archive);
    }
    short_records(&path("short"));
    unique(&path("urls.txt"), folder.path());
}

/// Uncompressed text, which one thread reads.
fn plain(title: &str, path: &str) {
    let mut rows: Vec<Row<'_>> = vec![
        ("wc -l", command("wc", &["-l"], &[path])),
        ("urlint", extract(&["--type", "plain", path])),
    ];
    if is_installed("rg") {
        let flags = ["-a", "-o", "--no-filename", "-N", "-j1", PATTERN];
        rows.push(("rg -o", command("rg", &flags, &[path])));
    }
    table(title, fs::metadata(path).unwrap().len(), rows);
}

/// A mailbox compressed with gzip.
fn compressed(path: &str) {
    let size = fs::metadata(path).unwrap().len();
    assert!(
        command("gzip", &["-k"], &[path])
            .status()
            .unwrap()
            .success()
    );
    let packed = format!("{path}.gz");
    let urlint = urlint();
    let piped = format!("gzip -dc {packed} | {urlint} extract --quiet --threads 1 -");
    let rows = vec![
        ("gzip -dc | urlint", command("sh", &["-c"], &[&piped])),
        ("urlint --threads 1", extract(&["--threads", "1", &packed])),
        ("urlint --threads 2", extract(&["--threads", "2", &packed])),
    ];
    table("mailbox in gzip", size, rows);
    fs::remove_file(path).unwrap();
    fs::remove_file(packed).unwrap();
}

/// Writes a web archive, with a record for each message, and the same in gzip, with a member for
/// each record, as crawlers do.
fn web_archive(path: &Path, messages: &[Vec<u8>], size: usize) {
    let packed = path.with_extension("warc.gz");
    let records: Vec<_> = messages.iter().map(|message| record(message)).collect();
    let members: Vec<_> = records.iter().map(|record| gzip(record)).collect();
    let length: usize = records.iter().map(Vec::len).sum();
    let times = size / length + 1;
    repeat(path, &records, length * times, [b"", b""]);
    let length: usize = members.iter().map(Vec::len).sum();
    repeat(&packed, &members, length * times, [b"", b""]);
}

fn record(text: &[u8]) -> Vec<u8> {
    let header = format!(
        "WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: http://a.example/\r\n\
         Content-Type: text/plain\r\nContent-Length: {}\r\n\r\n",
        text.len()
    );
    [header.as_bytes(), text, b"\r\n\r\n"].concat()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A crawl in which each record is its own member, and the same with other compression methods.
fn members(path: &str) {
    let size = fs::metadata(path).unwrap().len();
    for (method, extension) in [
        ("gzip", "gz"),
        ("zstd", "zst"),
        ("xz", "xz"),
        ("bzip2", "bz2"),
    ] {
        let packed = format!("{path}.{extension}");
        if !is_installed(method) {
            continue;
        }
        if method != "gzip" {
            let pack = command(method, &["-k", "-q", "-1"], &[path]).status();
            assert!(pack.unwrap().success());
        }
        let piped = format!(
            "{method} -dc {packed} | {} extract --quiet --threads 1 -",
            urlint()
        );
        let pipe = format!("{method} -dc | urlint");
        let rows = vec![
            (&*pipe, command("sh", &["-c"], &[&piped])),
            ("urlint --threads 1", extract(&["--threads", "1", &packed])),
            ("urlint --threads 2", extract(&["--threads", "2", &packed])),
        ];
        table(&format!("crawl in {method}"), size, rows);
        fs::remove_file(packed).unwrap();
    }
    fs::remove_file(path).unwrap();
}

/// Records of 4 KB, compared with the same text as one file: the cost of a record.
fn short_records(path: &str) {
    let words = "and so on, as it was said before in other words\n".repeat(80);
    let text = |number| format!("{words}see http://a.example/{number}/ for more\n");
    let texts: Vec<_> = (0..12_500)
        .map(|number| text(number).into_bytes())
        .collect();
    let (plain, archive) = (format!("{path}.txt"), format!("{path}.wet"));
    let size = texts.iter().map(Vec::len).sum();
    repeat(plain.as_ref(), &texts, size, [b"", b""]);
    web_archive(archive.as_ref(), &texts, size);
    let rows = vec![
        ("plain text", extract(&["--threads", "1", &plain])),
        ("records", extract(&["--threads", "1", &archive])),
        (
            "in gzip",
            extract(&["--threads", "1", &format!("{path}.warc.gz")]),
        ),
    ];
    table("text of 4 KB a record", size as u64, rows);
    fs::remove_file(plain).unwrap();
    fs::remove_file(archive).unwrap();
}

/// A list in which six in ten URLs appear for the first time.
fn unique(path: &str, folder: &Path) {
    let urls = std::env::var("URLS").map_or(10_000_000, |urls| urls.parse().unwrap());
    let mut file = BufWriter::new(File::create(path).unwrap());
    let mut state = 1_u64;
    for _ in 0..urls {
        // A Lehmer-style generator: the numbers need only differ.
        state = state.wrapping_mul(0xDA94_2042_E4DD_58B5).wrapping_add(1);
        let number = (state >> 32) % urls;
        let (host, page) = (number % 9973, number / 7);
        writeln!(
            file,
            "http://host{host}.example/archive/{page}/message{number}.html"
        )
        .unwrap();
    }
    file.flush().unwrap();
    let folder = folder.to_str().unwrap();
    let rows = vec![
        ("sort -u", command("sort", &["-u", "-T", folder], &[path])),
        ("urlint --unique", extract(&["--unique", path])),
    ];
    table("each URL once", fs::metadata(path).unwrap().len(), rows);
}

fn is_installed(program: &str) -> bool {
    let mut command = Command::new(program);
    let command = command.arg("--version").stdout(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
