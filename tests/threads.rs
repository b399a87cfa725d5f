//! The list is the same from however many threads, and what was found is listed when somebody ends
//! the work.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// The formats, of which some count lines.
const FORMATS: [&str; 3] = ["text", "csv", "json-lines"];

fn urlint() -> Command {
    Command::new(env!("CARGO_BIN_EXE_urlint"))
}

fn extract(folder: &Path, threads: &str, format: &str, arguments: &[&str]) -> Output {
    let mut command = urlint();
    command.args(["extract", "--threads", threads, "--output-format", format]);
    command.args(["--show-skipped"]).args(arguments);
    command.current_dir(folder);
    if arguments.last() == Some(&"-") {
        command.stdin(File::open(folder.join("stdin")).unwrap());
    }
    command.output().unwrap()
}

/// Asserts that any number of threads gives the same, and returns that as text.
#[track_caller]
fn assert_same(folder: &Path, arguments: &[&str]) -> Output {
    let outputs = FORMATS.map(|format| {
        let alone = extract(folder, "1", format, arguments);
        for threads in ["2", "3", "8"] {
            let several = extract(folder, threads, format, arguments);
            let case = format!("{arguments:?} {format} {threads}");
            assert!(alone.stdout == several.stdout, "{case}: another list");
            let messages = [&alone, &several].map(|output| String::from_utf8_lossy(&output.stderr));
            assert_eq!(messages[0], messages[1], "{case}");
            assert_eq!(alone.status.code(), several.status.code(), "{case}");
        }
        alone
    });
    let [text, ..] = outputs;
    text
}

/// Asserts the same, and how many URLs there are.
#[track_caller]
fn assert_finds(folder: &Path, arguments: &[&str], count: usize) {
    let output = assert_same(folder, arguments);
    let lines = output.stdout.iter().filter(|&&byte| byte == b'\n').count();
    assert_eq!(lines, count, "{arguments:?}");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
    assert_eq!(output.status.code(), Some(0), "{arguments:?}");
}

fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, bytes) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    folder
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
    let (broken, broken_urls) = broken(10 << 20);
    let (prose, urls) = prose(10 << 20);
    let folder = folder(&[("a.c", &broken), ("b.c", &prose), ("stdin", &prose)]);
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
    let folder = folder(&[("a", &mailbox), ("stdin", &mailbox)]);
    assert_finds(folder.path(), &["a"], 12_000);
    assert_finds(folder.path(), &["-"], 12_000);
}

/// So many records, each on a line, with two URLs, some of which have escapes; now and then a line
/// that is none, or a record without its end.
fn records(count: usize, has_faults: bool) -> Vec<u8> {
    let mut records = Vec::new();
    for number in 0..count {
        let words = r#"all work and\tno \"play\"\n"#.repeat(number % 60);
        let fault = match number % 10_007 {
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
    let (whole, faulty) = (records(20_000, false), records(20_000, true));
    assert!(whole.len() > 10 << 20);
    let array = [
        b"[\n",
        String::from_utf8_lossy(&whole)
            .replace("}\n", "},\n")
            .as_bytes(),
        b"1]\n",
    ]
    .concat();
    let folder = folder(&[
        ("a.jsonl", &whole),
        ("b.jsonl", &faulty),
        ("c.json", &array),
        ("d.jsonl.gz", &gzip(&whole)),
        ("stdin", &whole),
    ]);
    for file in ["a.jsonl", "c.json", "d.jsonl.gz"] {
        assert_finds(folder.path(), &[file], 40_000);
        assert_finds(folder.path(), &["--json-field", "more.url", file], 20_000);
    }
    assert_finds(folder.path(), &["--json-field", "text", "-"], 20_000);
    for files in [&["b.jsonl"][..], &["b.jsonl", "a.jsonl", "b.jsonl"]] {
        let arguments = [&["--json-field", "text", "--json-field", "more.url"], files].concat();
        let output = assert_same(folder.path(), &arguments);
        let messages = String::from_utf8_lossy(&output.stderr);
        let first = "urlint: b.jsonl!79: warning: not JSON, so read as plain text (at byte ";
        assert!(messages.starts_with(first), "{messages}");
        let more = "b.jsonl: warning: 3 more such lines, the last (at byte ";
        assert!(messages.contains(more), "{messages}");
        assert_eq!(output.status.code(), Some(0));
    }
}

#[test]
fn many_small_files() {
    let folder = TempDir::new().unwrap();
    for number in 0..2000 {
        let text = format!("Subject: {number}\nTo: x\n\nhttp://a.example/{number} there\n");
        fs::write(folder.path().join(format!("{number:04}.eml")), text).unwrap();
    }
    assert_finds(folder.path(), &["."], 2000);
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
    let folder = folder(&[
        ("a.tgz", &archive),
        ("b/c.tgz", &archive),
        ("stdin", &archive),
    ]);
    fs::write(folder.path().join("b/urlint.toml"), "rejoin = 3").unwrap();
    for arguments in [&["a.tgz"][..], &["a.tgz", "missing", "b", "a.tgz"], &["-"]] {
        let output = assert_same(folder.path(), arguments);
        let messages = String::from_utf8_lossy(&output.stderr);
        assert!(messages.contains("!c.mbox.gz: warning: "), "{messages}");
        assert!(
            messages.contains("!e.bin: skipped, a binary file"),
            "{messages}"
        );
        assert_eq!(output.status.code(), Some(2));
        let urls = String::from_utf8_lossy(&output.stdout);
        assert!(urls.contains("http://b.example/299\nhttp://a.example/&\n"));
        assert!(urls.contains("http://d.example/\nhttp://a.example/0/long-er\n"));
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn real_archives() {
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpora");
    for name in ["mail", "news", "docs", "warc"] {
        if corpora.join(name).exists() {
            assert_same(&corpora, &[name]);
        }
    }
}

#[test]
fn whoever_reads_the_list_may_stop() {
    let (text, _) = prose(10 << 20);
    let folder = folder(&[("a.c", &text)]);
    for threads in ["1", "2", "8"] {
        let mut child = urlint()
            .args(["extract", "--threads", threads, "a.c", "a.c"])
            .current_dir(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut first = [0; 20];
        let mut list = child.stdout.take().unwrap();
        list.read_exact(&mut first).unwrap();
        drop(list);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    }
}

/// What is listed of a pipe that stays open when a signal comes, once all of `text` has been read.
#[cfg(unix)]
fn interrupted(threads: &str, signal: &str, text: &[u8]) -> Output {
    let mut child = urlint()
        .args(["extract", "--threads", threads, "--progress", "always", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = child.stdin.take().unwrap();
    pipe.write_all(text).unwrap();
    let mut messages = child.stderr.take().unwrap();
    let (mut drawn, read) = (Vec::new(), format!("\r\x1b[2K{} B, ", text.len()));
    while !String::from_utf8_lossy(&drawn).contains(&read) {
        let mut more = [0; 100];
        let count = messages.read(&mut more).unwrap();
        assert!(count > 0, "{}", String::from_utf8_lossy(&drawn));
        drawn.extend_from_slice(&more[..count]);
    }
    let kill = ["-s", signal, &child.id().to_string()].map(str::to_owned);
    assert!(Command::new("kill").args(kill).status().unwrap().success());
    // Before the pipe is closed.
    let mut rest = Vec::new();
    messages.read_to_end(&mut rest).unwrap();
    let mut output = child.wait_with_output().unwrap();
    output.stderr = rest;
    drop(pipe);
    output
}

#[cfg(unix)]
#[test]
fn what_was_found_is_listed_when_somebody_ends_the_work() {
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
                let output = interrupted(threads, signal, text);
                assert_eq!(String::from_utf8_lossy(&output.stdout), urls, "{threads}");
                assert_eq!(output.status.code(), Some(code));
                let told = String::from_utf8_lossy(&output.stderr);
                let end = format!(
                    "urlint: interrupted: {} B read, {found} found\n",
                    text.len()
                );
                assert!(told.ends_with(&end), "{told}");
            }
        }
    }
}
