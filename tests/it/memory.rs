//! Runs with too little memory.

use std::process::Command;

use crate::support::command::{Folder, Ran, URLINT, feed};
use crate::support::packing;

/// How much memory the command may have, in KiB.
const GIVEN: usize = 400 << 10;

/// Lists `paths` in little memory.
pub(crate) fn run(folder: &Folder, arguments: &[&str]) -> Ran {
    let mut command = Command::new("sh");
    let limited = format!("ulimit -v {GIVEN} && exec \"$@\"");
    let command = command.args(["-c", &limited, "sh", URLINT]);
    feed(command.args(arguments).current_dir(folder.path()), b"")
}

/// Returns a document of so many bytes that are markup.
fn dense(start: &str, len: usize) -> Vec<u8> {
    [start.as_bytes(), "<>".repeat(len / 2).as_bytes()].concat()
}

#[test]
fn a_document_without_memory_ends_one_source() {
    let long = dense("<p>http://long/", 16 << 20);
    let members = [
        ("a.txt", &b"http://b/"[..]),
        ("b.html", &long),
        ("c.txt", b"http://c/"),
    ];
    let folder = Folder::of(&[
        ("a.txt", b"http://a/".to_vec()),
        ("b.tar", packing::tar(&members)),
        ("c.html", long.clone()),
        ("d.html", b"<p>http://d/".to_vec()),
    ]);
    for threads in ["1", "2"] {
        let ran = run(&folder, &["extract", "--isolated", "-j", threads, "."]);
        let urls = "http://a/\nhttp://b/\nhttp://c/\nhttp://d/\n";
        assert_eq!((ran.code, &*ran.text()), (Some(2), urls), "{}", ran.stderr);
        let mut messages: Vec<_> = ran.stderr.lines().collect();
        let summary = messages.pop().unwrap_or_default();
        assert!(summary.starts_with("2 inputs could not be read, "));
        let reason = "not enough memory: reading it as html may take ";
        assert_eq!(messages.len(), 2, "{messages:?}");
        for (message, name) in messages.iter().zip(["b.tar!b.html", "c.html"]) {
            let start = format!("urlint: {name}: {reason}");
            assert!(message.starts_with(&start), "{message}");
        }
    }
}

#[test]
fn a_message_without_memory_ends_its_mailbox() {
    let start = b"From a@b.example Mon Mar  3 12:00:00 2003\nSubject: a\n\n";
    let message = |text: &[u8]| [start, text].concat();
    // A thread gets messages of this length to read by itself.
    let messages = [message(b"http://a/\n\n"), message(&dense("", 3 << 20))].concat();
    let folder = Folder::of(&[("a.mbox", messages), ("b.txt", b"http://b/".to_vec())]);
    for threads in ["1", "2"] {
        let ran = run(&folder, &["extract", "--isolated", "-j", threads, "."]);
        let urls = "http://a/\nhttp://b/\n";
        assert_eq!((ran.code, &*ran.text()), (Some(2), urls), "{}", ran.stderr);
        let start = "urlint: a.mbox: not enough memory: reading it as mbox may take ";
        assert!(ran.stderr.starts_with(start), "{}", ran.stderr);
    }
}
