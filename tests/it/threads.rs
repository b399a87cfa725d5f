//! The list is the same from however many threads. If the work is interrupted, the URLs found so far are
//! listed.

use std::io::{Read, Write};
use std::path::Path;

#[cfg(unix)]
use crate::support::command::interrupted;
use crate::support::command::{Folder, Ran, feed, piped, urlint};
use crate::support::packing::gzip;
use crate::support::same::assert_same;
use urlint_testing::share;

/// Asserts the same, and how many URLs there are.
#[track_caller]
fn assert_finds(folder: &Path, arguments: &[&str], count: usize) {
    let output = assert_same(folder, arguments);
    let lines = output.stdout.iter().filter(|&&byte| byte == b'\n').count();
    assert_eq!(lines, count, "{arguments:?}");
    assert_eq!(output.stderr, "", "{arguments:?}");
    assert_eq!(output.code, Some(0), "{arguments:?}");
}

/// A mailbox of so many messages, each with two URLs, and long enough not to be read at once.
fn mailbox(messages: usize) -> Vec<u8> {
    let mut mailbox = Vec::new();
    for number in 0..messages {
        write!(
            mailbox,
            "From joe@a.example Mon Mar  3 12:00:00 2003\nSubject: {number}\n\n\
             See <URL:http://a.example/{number}/long-\n  er>.\r\n{}\n\nhttp://b.example/{number}\n\n",
            "All work and no play.\n".repeat(number % 100),
        )
        .unwrap();
    }
    mailbox
}

/// A text of so many bytes, where all is URLs that each go over many lines: wherever it is cut, one
/// is cut through. The lines end in every way there is.
fn broken(length: usize) -> (Vec<u8>, usize) {
    let (mut text, mut urls) = (Vec::new(), 0);
    while text.len() < length {
        urls += 1;
        write!(text, "<URL:http://a.example/{urls}").unwrap();
        for line in 0..28 {
            let end = ["\n", "\r\n", "\r", "\n  ", "\n"][(urls + line) % 5];
            write!(text, "{end}{}/{line}/", "ab".repeat(40)).unwrap();
        }
        text.extend_from_slice(b">\n");
    }
    (text, urls)
}

/// A text of so many bytes with a URL now and then, some at the end of a paragraph.
fn prose(length: usize) -> (Vec<u8>, usize) {
    let (mut text, mut urls) = (Vec::new(), 0);
    while text.len() < length {
        urls += 1;
        let end = ["\n", "\n\n", " in words\n"][urls % 3];
        let words = "all work and no play ".repeat(urls % 50);
        write!(text, "{words}\nat http://a.example/{urls}/{end}").unwrap();
    }
    (text, urls)
}

#[test]
fn large_texts() {
    let (broken, broken_urls) = broken(6 << 20);
    let (prose, urls) = prose(6 << 20);
    let folder = Folder::of::<&[u8]>(&[("a.c", &broken), ("b.c", &prose), ("stdin", &prose)]);
    assert_finds(folder.path(), &["a.c"], broken_urls);
    assert_finds(folder.path(), &["b.c"], urls);
    assert_finds(
        folder.path(),
        &["a.c", "b.c", "a.c"],
        2 * broken_urls + urls,
    );
    assert_finds(folder.path(), &["-"], urls);
}

#[test]
fn large_mailboxes() {
    let mailbox = mailbox(6000);
    assert!(mailbox.len() > 6 << 20);
    let folder = Folder::of::<&[u8]>(&[("a", &mailbox), ("stdin", &mailbox)]);
    assert_finds(folder.path(), &["a"], 12_000);
    assert_finds(folder.path(), &["-"], 12_000);
}

/// So many records, each on a line, with two URLs, some of which have escapes; now and then a line
/// that is none, or a record without its end.
fn records(count: usize, has_faults: bool) -> Vec<u8> {
    let mut records = Vec::new();
    for number in 0..count {
        let words = r#"all work and\tno \"play\"\n"#.repeat(number % 60);
        let fault = match number % 5_003 {
            77 if has_faults => "GET http://c.example/ 200\n",
            78 if has_faults => "{\"text\": {}\n",
            _ => "",
        };
        write!(
            records,
            "{{\"id\": {number}, \"text\": \"at http:\\/\\/a.example\\/{number} {words}\", \
             \"more\": {{\"url\": \"http://b.example/{number}\"}}}}\n{fault}"
        )
        .unwrap();
    }
    records
}

#[test]
fn large_files_of_records() {
    let (whole, faulty) = (records(9_000, false), records(9_000, true));
    assert!(whole.len() > 5 << 20);
    let array = [
        b"[\n",
        String::from_utf8_lossy(&whole)
            .replace("}\n", "},\n")
            .as_bytes(),
        b"1]\n",
    ]
    .concat();
    let folder = Folder::of::<&[u8]>(&[
        ("a.jsonl", &whole),
        ("b.jsonl", &faulty),
        ("c.json", &array),
        ("d.jsonl.gz", &gzip(&whole)),
        ("stdin", &whole),
    ]);
    for file in &["a.jsonl", "c.json", "d.jsonl.gz"][..share(1, 3)] {
        assert_finds(folder.path(), &[file], 18_000);
        assert_finds(folder.path(), &["--json-field", "more.url", file], 9_000);
    }
    assert_finds(folder.path(), &["--json-field", "text", "-"], 9_000);
    let several = [&["b.jsonl"][..], &["b.jsonl", "a.jsonl", "b.jsonl"]];
    for files in &several[..share(1, 2)] {
        let arguments = [
            &["--json-field", "text", "--json-field", "more.url"],
            *files,
        ]
        .concat();
        let output = assert_same(folder.path(), &arguments);
        let messages = &output.stderr;
        let first = "urlint: b.jsonl!79: warning: not JSON, so read as plain text (at byte ";
        assert!(messages.starts_with(first), "{messages}");
        let times = files.iter().filter(|file| **file == "b.jsonl").count();
        assert_eq!(messages.lines().count(), 4 * times, "{messages}");
        assert_eq!(output.code, Some(0));
    }
}

#[test]
fn many_small_files() {
    let folder = Folder::new();
    for number in 0..share(200, 2000) {
        let text = format!("Subject: {number}\nTo: x\n\nhttp://a.example/{number} there\n");
        folder.write(&format!("{number:04}.eml"), text);
    }
    assert_finds(folder.path(), &["."], share(200, 2000));
}

#[test]
fn archives_with_a_broken_member_in_the_middle() {
    let mut builder = tar::Builder::new(Vec::new());
    let whole = gzip(&mailbox(300));
    let mut cut = whole.clone();
    cut.truncate(whole.len() / 2);
    let html = b"<p><a href='http://a.example/&amp;'>a</a>".as_slice();
    let members: [(&str, &[u8]); 6] = [
        ("a.mbox.gz", &whole),
        ("b.html", html),
        ("c.mbox.gz", &cut),
        ("d.txt", b"http://d.example/ there\n"),
        ("e.bin", b"\0"),
        ("f.mbox", &mailbox(100)),
    ];
    for (name, bytes) in members {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        builder.append_data(&mut header, name, bytes).unwrap();
    }
    let archive = gzip(&builder.into_inner().unwrap());
    let folder = Folder::of::<&[u8]>(&[
        ("a.tgz", &archive),
        ("b/c.tgz", &archive),
        ("stdin", &archive),
    ]);
    folder.write("b/urlint.toml", "rejoin = 3");
    for arguments in [&["a.tgz"][..], &["a.tgz", "missing", "b", "a.tgz"], &["-"]] {
        let output = assert_same(folder.path(), arguments);
        let messages = &output.stderr;
        assert!(messages.contains("!c.mbox.gz: warning: "), "{messages}");
        assert!(
            messages.contains("!e.bin: skipped, a binary file"),
            "{messages}"
        );
        assert_eq!(output.code, Some(2));
        let urls = output.text();
        assert!(urls.contains("http://b.example/299\nhttp://a.example/&\n"));
        assert!(urls.contains("http://d.example/\nhttp://a.example/0/long-er\n"));
    }
}

#[test]
fn readers_of_the_list_may_stop() {
    let (text, _) = prose(6 << 20);
    let folder = Folder::of::<&[u8]>(&[("a.c", &text)]);
    for threads in ["1", "2", "8"] {
        let mut command = urlint(&["extract", "--threads", threads, "a.c", "a.c"]);
        let mut child = piped(command.current_dir(folder.path()));
        let mut first = [0; 20];
        let mut list = child.stdout.take().unwrap();
        list.read_exact(&mut first).unwrap();
        drop(list);
        let output = Ran::from(child.wait_with_output().unwrap());
        assert_eq!(output.code, Some(0));
        assert_eq!(output.stderr, "");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_lists_its_results() {
    let text = b"at http://a.example/ and\nat http://b.example/, so\nthere";
    let mailbox = mailbox(2);
    let messages = "http://a.example/0/long-er\nhttp://b.example/0\n\
                    http://a.example/1/long-er\nhttp://b.example/1\n";
    let cases: [(&[u8], &str, &str); 2] = [
        (text, "2 URLs", "http://a.example/\nhttp://b.example/\n"),
        (&mailbox, "4 URLs", messages),
    ];
    for (text, found, urls) in cases {
        for threads in ["1", "2"] {
            for (signal, code) in [("INT", 130), ("TERM", 143)] {
                let command = urlint(&["extract", "--threads", threads, "-"]);
                let read = format!("\r\x1b[2K{} B, ", text.len());
                let output = interrupted(command, text, &read, signal);
                assert_eq!(output.text(), urls, "{threads}");
                assert_eq!(output.code, Some(code));
                let told = output.stderr;
                let end = format!(
                    "urlint: interrupted: {} B read, {found} found\n",
                    text.len()
                );
                assert!(told.ends_with(&end), "{told}");
            }
        }
    }
}

/// Threads that ask for more memory for their stack than there is cannot be started.
#[test]
#[cfg(unix)]
fn no_thread_can_be_started() {
    let text = "http://a.example/ and http://b.example/^\n".repeat(10);
    let folder = Folder::of(&[("a.txt", &text), ("b.txt", &text), ("stdin", &text)]);
    let mut lines = vec![
        "check .",
        "check --fix .",
        "check --select rare-host .",
        "check -",
        "check",
        "extract .",
        "extract",
        "extract --rejoin likely .",
    ];
    if cfg!(feature = "lsp") {
        lines.push("lsp");
    }
    for line in lines {
        let arguments: Vec<_> = line.split(' ').collect();
        let mut command = urlint(&arguments);
        command.current_dir(folder.path());
        command.env("RUST_MIN_STACK", (1_u64 << 46).to_string());
        let ran = feed(&mut command, text.as_bytes());
        let (first, rest) = ran.stderr.split_once('\n').unwrap_or_default();
        assert!(
            first.starts_with("urlint: no thread could be started: "),
            "{line}: {first}"
        );
        assert_eq!(rest, "", "{line}");
        assert_eq!(ran.code, Some(2), "{line}");
    }
}
