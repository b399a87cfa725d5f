//! How fast documents are taken apart: whole commands over a mailbox, and HTML beside a bare
//! tokenizer.
//!
//! `cargo bench --bench documents` makes a mailbox of 400 MB from `../shared/corpora/mail` in a
//! temporary folder, runs each command on it in turn, and prints times and ratios.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]
#![allow(clippy::print_stdout, reason = "the table is what this is for")]

use std::fs::{self, File};
use std::hint::black_box;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// The size of the mailbox in bytes.
const MAILBOX: usize = 400 << 20;

/// What Python gets of it, whose pace does not change with the length.
const SLICE: usize = 20 << 20;

const PYTHON: &str = r#"
import email, email.policy, mailbox, re, sys
url = re.compile(r"[a-z][a-z0-9+.-]*://[^\s<>\"]+", re.I)
found = 0
for message in mailbox.mbox(sys.argv[1], create=False):
    for part in message.walk():
        if part.get_content_maintype() == "text":
            body = part.get_payload(decode=True) or b""
            found += len(url.findall(body.decode("latin-1")))
print(found)
"#;

fn main() {
    // Without `--bench` this is `cargo test`, which only wants to see it built.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpora");
    let messages = messages(&corpora);
    if messages.is_empty() {
        println!("no corpora: nothing to measure");
        return;
    }
    mailboxes(&messages);
    html(&messages);
}

/// The messages and mailboxes of the corpora.
fn messages(corpora: &Path) -> Vec<Vec<u8>> {
    let mut paths: Vec<PathBuf> = ["mail", "mail/mime", "mail/maildir", "mail/spam"]
        .iter()
        .filter_map(|folder| fs::read_dir(corpora.join(folder)).ok())
        .flat_map(|entries| entries.map(|entry| entry.unwrap().path()))
        .filter(|path| path.is_file())
        .collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

fn mailboxes(messages: &[Vec<u8>]) {
    let folder = tempfile::tempdir().unwrap();
    let (whole, slice) = (
        folder.path().join("400.mbox"),
        folder.path().join("20.mbox"),
    );
    write_mailbox(&whole, messages, MAILBOX);
    write_mailbox(&slice, messages, SLICE);
    let urlint = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_urlint"));
        command.args(["extract", "--quiet"]);
        command
    };
    let wc = || {
        let mut command = Command::new("wc");
        command.arg("-l");
        command
    };
    let python = || {
        let mut command = Command::new("python3");
        command.args(["-c", PYTHON]);
        command
    };
    let _ = (speed(wc(), &whole), speed(wc(), &slice)); // into the page cache
    let runs = [
        ("wc -l", median(|| speed(wc(), &whole))),
        ("urlint extract", median(|| speed(urlint(), &whole))),
        ("python3 mailbox", speed(python(), &slice)),
    ];
    println!("\n{:20} {:>8}   times wc, python3", "mailbox", "MB/s");
    for (name, speed) in runs {
        let ratio = |of: usize| speed / runs[of].1;
        println!("{name:20} {speed:8.0}   {:5.2} {:7.1}", ratio(0), ratio(2));
    }
}

fn write_mailbox(path: &Path, messages: &[Vec<u8>], size: usize) {
    let mut file = std::io::BufWriter::new(File::create(path).unwrap());
    let mut written = 0;
    for message in messages.iter().cycle() {
        if written >= size {
            break;
        }
        file.write_all(b"From joe@a.example Mon Mar  3 12:00:00 2003\n")
            .unwrap();
        // What is a mailbox already keeps its own line.
        file.write_all(message).unwrap();
        file.write_all(b"\n\n").unwrap();
        written += message.len();
    }
    file.flush().unwrap();
}

/// Megabytes a second of a command on a file, its results written to nowhere but a pipe's end.
fn speed(mut command: Command, path: &Path) -> f64 {
    let size = fs::metadata(path).unwrap().len();
    let out = tempfile::tempfile().unwrap();
    let start = Instant::now();
    let status = command
        .arg(path)
        .stdout(out)
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert!(status.success(), "{command:?}");
    size as f64 / 1e6 / start.elapsed().as_secs_f64()
}

fn median(run: impl Fn() -> f64) -> f64 {
    let mut speeds: Vec<f64> = (0..5).map(|_| run()).collect();
    speeds.sort_by(f64::total_cmp);
    speeds[2]
}

/// Finding in HTML, beside the bare tokenizer.
fn html(messages: &[Vec<u8>]) {
    let mut text = Vec::new();
    for message in messages {
        let Some(start) = memchr::memmem::find(message, b"<html") else {
            continue;
        };
        text.extend_from_slice(&message[start..]);
    }
    let megabytes = text.len() as f64 / 1e6;
    let rate = |run: &dyn Fn() -> usize| {
        median(|| {
            let start = Instant::now();
            black_box(run());
            megabytes / start.elapsed().as_secs_f64()
        })
    };
    let tokens = rate(&|| {
        let tokens = html5gum::Tokenizer::new(&text[..]);
        tokens.flatten().count()
    });
    let urlint = rate(&|| {
        let reading = urlint::Reading {
            kind: Some(urlint::Kind::Html),
            ..urlint::Reading::default()
        };
        let mut found = 0;
        reading
            .read(b"", &text[..], &mut |_| {
                found += 1;
                Ok::<(), std::io::Error>(())
            })
            .unwrap();
        found
    });
    println!("\n{:20} {:>8}   times html5gum", "html", "MB/s");
    println!("{:20} {tokens:8.0}   {:5.2}", "html5gum", 1.0);
    println!("{:20} {urlint:8.0}   {:5.2}", "urlint", urlint / tokens);
}
