//! `check` prints the same from however many threads, and the diagnostics so far when it is interrupted.

use std::fmt::Write as _;
use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;
use urlint_testing::share;

use crate::support::command::FORMATS;
#[cfg(unix)]
use crate::support::command::interrupted;

/// All numbers of threads that are tried.
const THREADS: [&str; 3] = ["1", "2", "8"];

fn check(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_urlint"));
    command.arg("check").args(arguments).current_dir(folder);
    command.env("NO_COLOR", "1");
    command
}

/// Asserts that any number of threads gives the same, and returns that.
#[track_caller]
fn assert_same(folder: &Path, arguments: &[&str]) -> Output {
    let [alone, several @ ..] = THREADS.map(|threads| {
        let output = check(folder, arguments)
            .args(["--threads", threads])
            .output();
        output.unwrap()
    });
    for (several, threads) in several.iter().zip(&THREADS[1..]) {
        let case = format!("{arguments:?} {threads}");
        assert!(alone.stdout == several.stdout, "{case}: another output");
        let messages = [&alone, several].map(|output| String::from_utf8_lossy(&output.stderr));
        assert_eq!(messages[0], messages[1], "{case}");
        assert_eq!(alone.status.code(), several.status.code(), "{case}");
    }
    alone
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A mailbox of so many messages, each with something to report.
fn mailbox(messages: usize) -> Vec<u8> {
    let mut mailbox = String::new();
    for number in 0..messages {
        write!(
            mailbox,
            "From joe@a.example Mon Mar  3 12:00:00 2003\nSubject: {number}\n\n\
             See <URL:http://a.example/{number}/long-\n  er^>.\n{}\n\nhttp://b.example:80x/{number}\n\n",
            "All work and no play.\n".repeat(number % 100),
        )
        .unwrap();
    }
    mailbox.into_bytes()
}

/// A text of so many bytes with something to report now and then.
fn prose(length: usize) -> Vec<u8> {
    let (mut text, mut urls) = (String::new(), 0);
    while text.len() < length {
        urls += 1;
        let words = "all work and no play ".repeat(500 + urls % 50);
        let url = match urls % 4 {
            0 => "http://joe:opensesame@a.example/^x",
            1 => "http://a.example/%7",
            2 => "http://a.example:/",
            _ => "http://a.example/a",
        };
        writeln!(text, "{words}\nat {url}/{urls} there").unwrap();
    }
    text.into_bytes()
}

fn archive() -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    let whole = gzip(&mailbox(60));
    let cut = &whole[..whole.len() / 2];
    let html = b"<p><a href='http://a.example/&amp;^'>a</a>".as_slice();
    let members: [(&str, &[u8]); 6] = [
        ("a.mbox.gz", &whole),
        ("b.html", html),
        ("c.mbox.gz", cut),
        ("d.txt", b"http://d.example/^ there\n"),
        ("e.bin", b"\0"),
        ("f.mbox", &mailbox(20)),
    ];
    for (name, bytes) in members {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        builder.append_data(&mut header, name, bytes).unwrap();
    }
    gzip(&builder.into_inner().unwrap())
}

/// Files of all kinds in folders, some of which cannot be read.
fn tree(files: usize) -> TempDir {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    };
    for number in 0..files {
        let words = "all work and no play\n".repeat(number * 7 % 400);
        let text = format!("{words}http://a.example/^{number} and\n{words}ftp://a.example:/\n");
        write(&format!("many/{number:03}.txt"), text.as_bytes());
    }
    let suppressed = b"# urlint: ignore[unsafe-character]\nhttp://a.example/^x\n\
                       # urlint: ignore[bad-port]\nhttp://a.example/y\n";
    write("a/suppressed.txt", suppressed);
    write("a/archive.tgz", &archive());
    write("a/long.txt", &prose(share(1, 5) << 20));
    write("b/mail.mbox", &mailbox(400));
    write(
        "b/page.html",
        b"<a href='http://joe:opensesame@a.example/^'>a</a> <!-- http://a.example/^ -->",
    );
    write("b/image.png", b"\x89PNG\0http://a.example/^");
    write("c/urlint.toml", b"rejoin = 3");
    write("c/d.txt", b"http://a.example/^");
    write("c/e.txt", b"http://a.example/^");
    write("d/urlint.toml", b"[lint.severity]\nencoding = \"hint\"\n");
    write("d/f.txt", b"http://a.example/^");
    write(
        "z.jsonl",
        b"{\"text\": \"http://a.example/^\"}\nnone\nnone\nnone http://a.example/^\n",
    );
    folder
}

#[test]
fn all_formats_are_the_same_from_any_number_of_threads() {
    let folder = tree(share(30, 300));
    for format in &FORMATS[..share(3, FORMATS.len())] {
        let arguments = ["--output-format", format, "--select", "ALL", ".", "missing"];
        let output = assert_same(folder.path(), &arguments);
        assert_eq!(output.status.code(), Some(2), "{format}");
        let messages = text(&output.stderr);
        assert!(messages.contains("missing: "), "{messages}");
        assert!(!text(&output.stdout).contains("opensesame"), "{format}");
    }
}

#[test]
fn other_flags_too() {
    let folder = tree(share(30, 300));
    let same = |arguments: &[&str]| assert_same(folder.path(), arguments);
    let shown = same(&["--output-format", "concise"]);
    assert!(text(&shown.stdout).contains(" more "));
    same(&["--show", "no-hints", "--output-format", "full"]);
    same(&["--statistics"]);
    same(&["--verbose", "--deep"]);
    same(&["--deep", "--quiet"]);
    same(&["--min-severity", "error", "many", "many", "a"]);
    same(&["--json-field", "text", "z.jsonl", "many/001.txt", "z.jsonl"]);
    same(&["--diff", "--select", "ALL"]);
    same(&[
        "--output-format",
        "full",
        "--output-format",
        "json=report",
        "a",
        "b",
    ]);
    fs::remove_file(folder.path().join("report")).unwrap();
    let update = ["--baseline", "known", "--update-baseline", "many", "a"];
    check(folder.path(), &update).output().unwrap();
    let known = same(&["--baseline", "known", "--output-format", "concise"]);
    assert!(text(&known.stderr).contains("in the baseline"));
    assert!(!text(&known.stdout).contains("many/"));
    // A file that is named twice has nothing new the second time.
    let twice = [
        "--baseline",
        "known",
        "--output-format",
        "concise",
        "many",
        "many",
    ];
    assert!(!text(&same(&twice).stdout).contains("many/"));
}

#[test]
fn fixes_are_the_same_too() {
    let results = THREADS.map(|threads| {
        let folder = tree(share(30, 300));
        let arguments = [
            "--fix",
            "--unsafe-fixes",
            "--threads",
            threads,
            "many",
            "many",
            "a",
        ];
        let output = check(folder.path(), &arguments).output().unwrap();
        let fixed = fs::read(folder.path().join("many/007.txt")).unwrap();
        assert!(text(&fixed).ends_with("ftp://a.example/\n"));
        (
            output,
            fixed,
            fs::read(folder.path().join("a/long.txt")).unwrap(),
        )
    });
    assert!(text(&results[0].0.stderr).contains("Fixed "));
    for pair in results.windows(2) {
        assert_eq!(text(&pair[0].0.stderr), text(&pair[1].0.stderr));
        assert_eq!(text(&pair[0].0.stdout), text(&pair[1].0.stdout));
        assert!(pair[0] == pair[1]);
    }
}

#[test]
fn readers_of_the_output_may_stop() {
    let folder = tree(300);
    for threads in THREADS {
        let mut child = check(
            folder.path(),
            &["--threads", threads, "--show", "all", "many", "a", "b"],
        )
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
        let mut first = [0; 20];
        let mut output = child.stdout.take().unwrap();
        output.read_exact(&mut first).unwrap();
        drop(output);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{threads}");
        assert_eq!(text(&output.stderr), "", "{threads}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_prints_its_results() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("a.txt"), "http://a.example/^x\n").unwrap();
    fs::write(path("b.txt"), "http://a.example/^y\n").unwrap();
    // Nobody writes to it, so opening it never ends.
    crate::support::command::make_pipe(&path("pipe"));
    for threads in THREADS {
        for (signal, code) in [("INT", 130), ("TERM", 143)] {
            let files = ["a.txt", "b.txt", "pipe", "a.txt"];
            let arguments = ["--threads", threads, "--output-format", "json"];
            let mut command = check(folder.path(), &arguments);
            command
                .args(["--output-format", "concise=report"])
                .args(files);
            let output = interrupted(command, b"", "2 diagnostics", signal);
            assert_eq!(output.code, Some(code), "{threads}");
            let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
            let paths = found.as_array().unwrap().iter().map(|found| &found["path"]);
            assert!(paths.eq(["a.txt", "b.txt"]), "{threads}");
            let message = "urlint: interrupted: 40 B read, 2 diagnostics found\n";
            assert!(output.stderr.ends_with(message), "{}", output.stderr);
            // It would not be whole.
            assert!(!path("report").exists());
        }
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_checks_its_input() {
    let folder = TempDir::new().unwrap();
    let input = b"<URL:http://a.example/^x> and\n<URL:http://a.example/^y>";
    for threads in THREADS {
        let arguments = ["--threads", threads, "--output-format", "concise", "-"];
        let command = check(folder.path(), &arguments);
        let read = format!("\r\x1b[2K{} B, ", input.len());
        let output = interrupted(command, input, &read, "INT");
        assert_eq!(output.code, Some(130));
        let output = output.text();
        let lines: Vec<_> = output.lines().collect();
        assert_eq!(lines.len(), 2, "{lines:?}");
        assert!(
            lines[1].starts_with("-:2:23: error[unsafe-character]"),
            "{lines:?}"
        );
    }
}
