//! What is reached of each limit in the manual's table, and what happens beyond it.

use std::fs::{self, File};
use std::path::Path;

use crate::support::command::{Folder, Ran};
use crate::support::packing;

const MIB: usize = 1 << 20;

/// A limit by the name that the table has for it, with a test of it.
type Case = (&'static str, fn());

const NOT_CLOSED: &str = "unterminated-wrapper\n";

/// All limits, in the order of the table.
const CASES: [Case; 27] = [
    ("a URL", || {
        let url =
            |len: usize| [b"see ", of_length(b"http://a/", len).as_slice(), b" there"].concat();
        assert_eq!(rules(&url(65_536)), "");
        assert_eq!(longest(&url(65_536)), 65_536);
        assert_eq!(rules(&url(65_537)), "too-long\n");
        assert_eq!(longest(&url(65_537)), 65_536);
    }),
    ("a URL between `<URL:` and `>`, or `<` and `>`", || {
        let url = |open: &str, len| [open.as_bytes(), &of_length(b"http://a/", len), b">"].concat();
        assert_eq!(rules(&url("<URL:", 8192)), "");
        assert_eq!(rules(&url("<URL:", 8193)), NOT_CLOSED);
        assert_eq!(delimiter(&url("<", 8192)), "angle\n");
        assert_eq!(delimiter(&url("<", 8193)), "bare\n");
    }),
    ("line breaks in such a URL", || {
        let url = |breaks| format!("<URL:http://a/{}>", "b\n".repeat(breaks));
        assert_eq!(rules(url(32).as_bytes()), "");
        assert_eq!(rules(url(33).as_bytes()), NOT_CLOSED);
    }),
    ("the text that such a URL spans", || {
        let url = |blanks| format!("<URL:http://a/{}b>", " ".repeat(blanks));
        let rest = "http://a/b".len();
        assert_eq!(rules(url(65_536 - rest).as_bytes()), "interior-space\n");
        assert_eq!(rules(url(65_537 - rest).as_bytes()), NOT_CLOSED);
    }),
    ("further lines of a URL in quotes or brackets", || {
        let url = |lines| format!("\"http://a/{}c\"", "b/\n".repeat(lines));
        assert_eq!(delimiter(url(3).as_bytes()), "quotes\n");
        assert_eq!(delimiter(url(4).as_bytes()), "bare\n");
    }),
    (
        "a field of a message, or a text of a link, in a row",
        || {
            let field = |field, name: &str, text: String| {
                let folder = Folder::of(&[(name, text)]);
                let arguments = [
                    "extract",
                    "--isolated",
                    "--output-format",
                    "tsv",
                    "--fields",
                ];
                folder
                    .run(&[&arguments[..], &[field, name]].concat(), b"")
                    .text()
            };
            let long = |len: usize| ["a".repeat(len - 2), " b".to_owned()].concat();
            let subject = |len| {
                let text = format!("Subject:{}\n\nhttp://a/\n", long(len));
                field("subject", "a.eml", text).len() - "subject\n\n".len()
            };
            assert_eq!((subject(8192), subject(8193)), (8192, 8191));
            let title = |len| {
                let text = format!("<a href='http://a/' title='{}'>", long(len));
                field("title", "a.html", text).len() - "title\n\n".len()
            };
            assert_eq!((title(8192), title(8193)), (8192, 8191));
            let has_context = |len| {
                let text = format!("<a href='http://a/'>{}</a>", long(len));
                field("context", "a.html", text).contains(&long(len))
            };
            assert_eq!((has_context(8192), has_context(8193)), (true, false));
        },
    ),
    ("places of a rule in a URL", || {
        let places = |count| {
            let text = ["http://a/", &"^".repeat(count)].concat();
            let arguments = ["check", "--isolated", "--output-format", "json-lines", "-"];
            let found = &Folder::new().run(&arguments, text.as_bytes()).json()[0];
            let number = |field: &str| found[field].as_u64().unwrap();
            (number("end") - number("start"), found["fix"].is_object())
        };
        assert_eq!(places(999), (999, true));
        assert_eq!(places(1000), (1000, false));
        assert_eq!(places(1001), (1000, false));
    }),
    ("a message, or a file of markup", || {
        for (name, start) in [("a.eml", "Subject: a\n\n"), ("a.html", "<!-- --><p>")] {
            let text = |len| padded(start, " http://a/", len);
            assert_eq!(warning(name, &text(64 * MIB)), "");
            assert!(
                warning(name, &text(64 * MIB + 1)).contains("longer than 64 MiB, so read as plain")
            );
        }
    }),
    ("a file of Markdown", || {
        let text = |len| padded("# a\n\n", " http://a/", len);
        assert_eq!(warning("a.md", &text(8 * MIB)), "");
        assert!(
            warning("a.md", &text(8 * MIB + 1)).contains("longer than 8 MiB, so read as plain")
        );
    }),
    ("the header of a record of a web archive", || {
        let record = |header: usize, body: &str| {
            let len = body.len();
            let fields = format!(
                "WARC/1.0\r\nWARC-Type: conversion\r\nContent-Type: text/plain\r\nContent-Length: {len}\r\nX: "
            );
            let header = padded(&fields, "\r\n\r\n", header);
            [&header, body.as_bytes(), b"\r\n\r\n"].concat()
        };
        let archive = |header| [record(header, "http://a/"), record(1000, "http://b/")].concat();
        let within = with_messages("a.warc", &archive(256 << 10));
        assert_eq!(
            (within.code, within.text()),
            (Some(0), "http://a/\nhttp://b/\n".into())
        );
        let beyond = with_messages("a.warc", &archive((256 << 10) + 1));
        assert_eq!((beyond.code, beyond.text()), (Some(2), within.text()));
        let message = "urlint: a.warc!1: warning: not 9 bytes as it says, but 10 (at byte 10)\n";
        assert_eq!(beyond.stderr, message);
    }),
    ("nested archives", || {
        let nested = |depth: usize| {
            (0..depth).fold(b"http://a/".to_vec(), |inner, i| {
                packing::tar(&[(if i == 0 { "a.txt" } else { "a.tar" }, &inner)])
            })
        };
        assert_eq!(extract("a.tar", &nested(8)).text(), "http://a/\n");
        let beyond = with_messages("a.tar", &nested(9));
        assert_eq!((beyond.code, &*beyond.text()), (Some(2), ""));
        let members = "!a.tar".repeat(8);
        let message = format!(
            "urlint: a.tar{members}: warning: in more than 8 archives, so not opened (at byte 0)\n"
        );
        assert_eq!(beyond.stderr, message);
    }),
    ("decompressed bytes before `--max-ratio` applies", || {
        let text = |len| packing::gzip(&padded("", "\nhttp://a/\n", len));
        let read = |len| {
            let folder = Folder::of(&[("a.txt.gz", text(len))]);
            folder.run(&["extract", "--max-ratio", "2", "-v", "a.txt.gz"], b"")
        };
        assert_eq!(read(16 * MIB).text(), "http://a/\n");
        let beyond = read(17 * MIB);
        assert_eq!((beyond.text().as_str(), beyond.code), ("", Some(2)));
        assert!(beyond.stderr.contains("--max-ratio"), "{}", beyond.stderr);
    }),
    ("the start of a file that says what kind it is", || {
        let text = |blanks: usize| {
            [
                " ".repeat(blanks).into_bytes(),
                b"<!DOCTYPE html><a href='http://a/&amp;'>".to_vec(),
            ]
            .concat()
        };
        // It is seen by its first word.
        let before = 4096 - "<!DOCTYPE".len();
        assert_eq!(extract("a", &text(before)).text(), "http://a/&\n");
        assert_eq!(extract("a", &text(before + 1)).text(), "http://a/&amp\n");
    }),
    (
        "the start of a file in a folder that is searched for NUL",
        || {
            let text = |before: usize| padded("http://a/ ", "\0", before + 1);
            let list = |text: Vec<u8>| {
                Folder::of(&[("a/b.txt", text)])
                    .run(&["extract", "a"], b"")
                    .text()
            };
            assert_eq!(list(text(8191)), "");
            assert_eq!(list(text(8192)), "http://a/\n");
        },
    ),
    ("a file to be fixed", || {
        let fix = |folder: &Folder| {
            let arguments = ["check", "--isolated", "--type", "plain", "--unsafe-fixes"];
            folder.run(&[&arguments[..], &["--fix-only", "a.txt"]].concat(), b"")
        };
        let folder = Folder::of(&[("a.txt", "http://a/é\n")]);
        assert_eq!(fix(&folder).code, Some(0));
        assert_eq!(folder.read("a.txt"), "http://a/%C3%A9\n");
        // NULs are read, but nothing among them is fixed: that of letters takes too long for a test.
        let long = |len| {
            let folder = Folder::of(&[("a.txt", "http://a/é\n")]);
            lengthen(&folder.path().join("a.txt"), len);
            fix(&folder)
        };
        let within = long(256 << 20);
        let nothing = "Nothing to fix in 1 file.\n1 fix not made: ";
        assert_eq!(within.code, Some(0));
        assert!(within.stderr.starts_with(nothing), "{}", within.stderr);
        let beyond = long((256 << 20) + 1);
        let message = "urlint: a.txt: not fixed: longer than 256 MiB\n";
        assert_eq!(beyond.code, Some(2));
        assert!(beyond.stderr.starts_with(message), "{}", beyond.stderr);
    }),
    (
        "the part of a file that may have suppression comments",
        || {
            let text = |len| padded("", "\nhttp://a/^ # urlint: ignore[unsafe-character]\n", len);
            assert_eq!(rules(&text(16 * MIB)), "");
            assert_eq!(rules(&text(16 * MIB + 200)), "unsafe-character\n");
        },
    ),
    ("a configuration file", || {
        let read = |len: usize| configured(&" ".repeat(len));
        assert_eq!(read(MIB).code, Some(0));
        assert!(read(MIB + 1).stderr.contains("longer than 1 MiB"));
    }),
    ("configuration files that extend one another", || {
        let read = |count: usize| {
            let folder = Folder::of(&[("note.txt", "")]);
            for i in 0..count {
                folder.write(&format!("{i}.toml"), format!("extend = '{}.toml'", i + 1));
            }
            folder.write(&format!("{count}.toml"), "");
            folder.run(&["check", "--config", "0.toml", "note.txt"], b"")
        };
        assert_eq!(read(15).code, Some(0), "{}", read(15).stderr);
        assert!(
            read(16).stderr.contains("more than 16 files"),
            "{}",
            read(16).stderr
        );
    }),
    ("patterns of paths and URLs in them", || {
        let read = |count| configured(&format!("exclude = [{}]", "'a',".repeat(count)));
        assert_eq!(read(4096).code, Some(0));
        assert!(read(4097).stderr.contains("more than 4096 patterns"));
    }),
    ("a pattern of paths", || {
        let read = |len| configured(&format!("exclude = ['{}']", "a".repeat(len)));
        assert_eq!(read(1024).code, Some(0));
        assert!(read(1025).stderr.contains("longer than 1024 bytes"));
    }),
    ("the compiled patterns of URLs", || {
        let read =
            |times: u32| configured(&format!("ignore-urls = [{{ regex = 'a{{{times}}}' }}]"));
        // Each of them takes 32 bytes.
        let within = read(250_000);
        assert_eq!(within.code, Some(0), "{}", within.stderr);
        let beyond = read(270_000);
        assert_eq!(beyond.code, Some(2), "{}", beyond.stderr);
        let message = "Compiled regex exceeds size limit of 8388608 bytes";
        assert!(beyond.stderr.contains(message), "{}", beyond.stderr);
    }),
    ("mistakes of a configuration file that are counted", || {
        let read = |count: usize| configured(&mistakes(count)).stderr;
        assert!(read(1000).contains("and 980 more"), "{}", read(1000));
        assert!(read(1100).contains("and 980 more"), "{}", read(1100));
    }),
    ("mistakes of it that are shown", || {
        let read = |count: usize| configured(&mistakes(count)).stderr;
        assert!(!read(20).contains("more"), "{}", read(20));
        assert!(read(21).contains("and 1 more"), "{}", read(21));
    }),
    ("characters of such a message", || {
        let read = |len| configured(&format!("standard = '{}'", "a".repeat(len))).stderr;
        let first = |len| read(len).lines().next().unwrap().chars().count();
        assert!(first(100) > 100);
        assert!(first(1000) < 500, "{}", read(1000));
        assert!(read(1000).contains('…'), "{}", read(1000));
    }),
    ("a baseline", || {
        let read = |len| {
            let folder = Folder::of(&[("note.txt", "http://a/^\n"), ("b.json", "{}")]);
            lengthen(&folder.path().join("b.json"), len);
            let arguments = ["check", "--isolated", "--baseline", "b.json", "note.txt"];
            let ran = folder.run(&arguments, b"");
            assert_eq!(ran.code, Some(2), "{}", ran.stderr);
            ran.stderr
        };
        let start = "urlint: b.json: invalid baseline: ";
        // It is read, and NULs are no JSON.
        let within = read(256 << 20);
        let message = format!("{start}not the diagnostics of urlint, at line 1 column ");
        assert!(within.starts_with(&message), "{within}");
        let beyond = read((256 << 20) + 1);
        let message = format!("{start}longer than 256 MiB; ");
        assert!(beyond.starts_with(&message), "{beyond}");
    }),
    ("a `.gitignore` file", || {
        let read = |len: usize| ignoring(&"#".repeat(len));
        assert_eq!(read(MIB).text(), "http://a/\n");
        assert_eq!(read(MIB + 1).text(), "");
        assert!(read(MIB + 1).stderr.contains("longer than 1 MiB"));
    }),
    ("braces in a line of it", || {
        let read = |count: usize| ignoring(&("{".repeat(count) + "x" + &"}".repeat(count)));
        // Only those that open count.
        let within = read(250);
        assert_eq!(within.text(), "http://a/\n", "{}", within.stderr);
        let beyond = read(251);
        assert_eq!((beyond.code, &*beyond.text()), (Some(2), ""));
        let message = ".gitignore: more than 250 braces in a line, ";
        assert!(beyond.stderr.contains(message), "{}", beyond.stderr);
    }),
];

#[test]
fn each_limit_is_reached() {
    let manual = include_str!("../../src/manual/limits.md");
    let rows = manual.lines().filter_map(|line| line.strip_prefix("| "));
    let named: Vec<_> = rows
        .skip(1)
        .filter_map(|row| row.split(" | ").next())
        .collect();
    assert_eq!(CASES.map(|(what, _)| what).as_slice(), named);
    let failed = CASES
        .iter()
        .filter(|(_, case)| std::panic::catch_unwind(case).is_err());
    let failed: Vec<_> = failed.map(|(what, _)| *what).collect();
    assert!(failed.is_empty(), "{failed:?}");
}

/// Returns `start` made so long by letters.
fn of_length(start: &[u8], len: usize) -> Vec<u8> {
    let mut text = start.to_vec();
    text.resize(len, b'b');
    text
}

/// Returns a text of so many bytes between `start` and `end`, both included.
fn padded(start: &str, end: &str, len: usize) -> Vec<u8> {
    let mut text = of_length(start.as_bytes(), len - end.len());
    text.extend_from_slice(end.as_bytes());
    text
}

/// Makes a file so long, by NULs that take no space.
fn lengthen(path: &Path, len: u64) {
    let file = File::options().append(true).open(path);
    file.unwrap().set_len(len).unwrap();
}

/// Returns the rules that report `text`, one on each line.
fn rules(text: &[u8]) -> String {
    let arguments = [
        "check",
        "--isolated",
        "--output-format",
        "json-lines",
        "--min-severity",
        "warning",
        "-",
    ];
    let ran = Folder::new().run(&arguments, text);
    let code = i32::from(!ran.stdout.is_empty());
    assert_eq!(ran.code, Some(code), "{}", ran.stderr);
    ran.json()
        .iter()
        .map(|found| format!("{}\n", found["rule"].as_str().unwrap()))
        .collect()
}

/// Returns the length of the longest URL of `text`.
fn longest(text: &[u8]) -> usize {
    extract("a.txt", text)
        .text()
        .lines()
        .map(str::len)
        .max()
        .unwrap_or_default()
}

/// Returns how the URLs of `text` are delimited, one on each line.
fn delimiter(text: &[u8]) -> String {
    let arguments = ["extract", "--isolated", "--fields", "delimiter", "-"];
    let ran = Folder::new().run(&arguments, text);
    assert_eq!((ran.code, &*ran.stderr), (Some(0), ""));
    ran.text()
}

/// Returns what comes of a run that goes well.
fn extract(name: &str, text: &[u8]) -> Ran {
    let ran = with_messages(name, text);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    ran
}

/// Returns what comes of a run, which says all that there is to say.
fn with_messages(name: &str, text: &[u8]) -> Ran {
    let folder = Folder::of(&[(name, text)]);
    folder.run(&["extract", "--isolated", "-v", name], b"")
}

/// Returns what is said of a file in which a URL must be found.
fn warning(name: &str, text: &[u8]) -> String {
    let ran = extract(name, text);
    assert_eq!(ran.text(), "http://a/\n");
    ran.stderr
}

/// Returns what comes of a run in a folder with this configuration.
fn configured(configuration: &str) -> Ran {
    let folder = Folder::of(&[("urlint.toml", configuration), ("note.txt", "")]);
    folder.run(&["check", "note.txt"], b"")
}

/// Returns a configuration with so many mistakes.
fn mistakes(count: usize) -> String {
    (0..count).map(|i| format!("a{i} = 1\n")).collect()
}

/// Returns what is listed in a folder in which this says what is ignored.
fn ignoring(patterns: &str) -> Ran {
    let folder = Folder::of(&[(".gitignore", patterns), ("note.txt", "http://a/")]);
    fs::create_dir(folder.path().join(".git")).unwrap();
    folder.run(&["extract", "--isolated", "."], b"")
}
