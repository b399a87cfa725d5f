//! How fast documents are read: a mailbox, JSON records, and HTML compared with a bare tokenizer.
//!
//! `cargo bench --profile dist -p urlint-benches --bench documents` makes a mailbox and records of 400 MB from
//! `../shared/corpora/mail` in a temporary folder, runs each command on them in turn, and prints
//! speeds and ratios.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]
#![allow(clippy::print_stdout, reason = "the table is what this is for")]

mod whole;

use std::fs;
use std::hint::black_box;
use std::time::Instant;

use whole::{command, extract, mailbox, median, messages, repeat, seconds, table};

/// The size of the mailbox in bytes.
const MAILBOX: usize = 400 << 20;

/// The part of it that Python reads, whose speed does not depend on the length.
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
    // Without `--bench` this is `cargo test`, which only needs it to build.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let messages = messages();
    if messages.is_empty() {
        println!("no corpora: nothing to measure");
        return;
    }
    mailboxes(&messages);
    records(&messages);
    html(&messages);
}

fn mailboxes(messages: &[Vec<u8>]) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (whole, slice) = (path("400.mbox"), path("20.mbox"));
    mailbox(whole.as_ref(), messages, MAILBOX);
    mailbox(slice.as_ref(), messages, SLICE);
    let size = fs::metadata(&whole).unwrap().len();
    table(
        "mailbox",
        size,
        vec![
            ("wc -l", command("wc", &["-l"], &[&whole])),
            ("urlint --threads 1", extract(&["--threads", "1", &whole])),
            ("urlint --threads 2", extract(&["--threads", "2", &whole])),
        ],
    );
    let python = seconds(&mut command("python3", &["-c", PYTHON], &[&slice]));
    let size = fs::metadata(&slice).unwrap().len();
    println!(
        "{:32} {:8.0}",
        "python3 mailbox",
        size as f64 / 1e6 / python
    );
}

/// JSON records, one message on each line.
fn records(messages: &[Vec<u8>]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("400.jsonl").to_str().unwrap().to_owned();
    let record = |message: &Vec<u8>| {
        let text = String::from_utf8_lossy(message);
        serde_json::json!({"id": message.len(), "text": text}).to_string()
    };
    let texts: Vec<_> = messages
        .iter()
        .map(|message| record(message).into_bytes())
        .collect();
    repeat(path.as_ref(), &texts, MAILBOX, [b"", b"\n"]);
    let field = ["--type", "plain", "--json-field", "text", "--threads"];
    let fields = |threads| extract(&[&field[..], &[threads, &path]].concat());
    let rows = vec![
        ("wc -l", command("wc", &["-l"], &[&path])),
        ("urlint --threads 1", extract(&["--threads", "1", &path])),
        ("urlint --threads 2", extract(&["--threads", "2", &path])),
        ("--json-field --threads 1", fields("1")),
        ("--json-field --threads 2", fields("2")),
    ];
    table("records of JSON", fs::metadata(&path).unwrap().len(), rows);
}

/// Finding in HTML, compared with the bare tokenizer.
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
        let mut rates: Vec<f64> = (0..9)
            .map(|_| {
                let start = Instant::now();
                black_box(run());
                megabytes / start.elapsed().as_secs_f64()
            })
            .collect();
        median(&mut rates)
    };
    let tokens = rate(&|| {
        let tokens = html5gum::Tokenizer::new(&text[..]);
        tokens.flatten().count()
    });
    let urlint = rate(&|| {
        let reader = urlint::Reader::default().with_kind(urlint::document::Kind::Html);
        let mut found = 0;
        reader
            .read(b"", &text[..], &mut |_| {
                found += 1;
                Ok::<(), std::io::Error>(())
            })
            .unwrap();
        found
    });
    println!("\n{:32} {:>8}   times html5gum", "html", "MB/s");
    println!("{:32} {tokens:8.0}   {:5.2}", "html5gum", 1.0);
    println!("{:32} {urlint:8.0}   {:5.2}", "urlint", urlint / tokens);
}
