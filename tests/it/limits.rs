//! Each limit in the manual's table: urlint works up to it, and does the documented thing beyond it.

use std::fs::{self, File};
use std::path::Path;

use crate::attachments::message;
use crate::support::command::{Folder, Ran};
use crate::support::packing;
use urlint_testing::share;

const MIB: usize = 1 << 20;

/// A limit by the name that the table has for it, with a test of the number that the table has.
type Case = (&'static str, fn(usize));

const NOT_CLOSED: &str = "unterminated-wrapper\n";

/// All limits, in the order of the table.
const CASES: &[Case] = &[
    ("a URL", |limit| {
        let url =
            |len: usize| [b"see ", of_length(b"http://a/", len).as_slice(), b" there"].concat();
        assert_eq!(rules(&url(limit)), "");
        assert_eq!(longest(&url(limit)), limit);
        assert_eq!(rules(&url(limit + 1)), "too-long\n");
        assert_eq!(longest(&url(limit + 1)), limit);
        let parsed = |len| {
            let url = of_length(b"http://a/", len);
            Folder::new().run(&["parse"], &[&url[..], b"\nftp://b/\n"].concat())
        };
        assert_eq!(parsed(limit).code, Some(0));
        let beyond = parsed(limit + 1);
        assert_eq!(beyond.code, Some(1));
        assert!(beyond.text().contains("warning[too-long]"));
        assert!(beyond.text().contains("ftp://b/: valid"));
    }),
    ("a URL between `<URL:` and `>`, or `<` and `>`", |limit| {
        let url = |open: &str, len| [open.as_bytes(), &of_length(b"http://a/", len), b">"].concat();
        assert_eq!(rules(&url("<URL:", limit)), "");
        assert_eq!(rules(&url("<URL:", limit + 1)), NOT_CLOSED);
        assert_eq!(delimiter(&url("<", limit)), "angle\n");
        assert_eq!(delimiter(&url("<", limit + 1)), "bare\n");
    }),
    ("line breaks in such a URL", |limit| {
        let url = |breaks| format!("<URL:http://a/{}>", "b\n".repeat(breaks));
        assert_eq!(rules(url(limit).as_bytes()), "");
        assert_eq!(rules(url(limit + 1).as_bytes()), NOT_CLOSED);
    }),
    ("the text that such a URL spans", |limit| {
        let url = |blanks| format!("<URL:http://a/{}b>", " ".repeat(blanks));
        let rest = "http://a/b".len();
        assert_eq!(rules(url(limit - rest).as_bytes()), "interior-space\n");
        assert_eq!(rules(url(limit + 1 - rest).as_bytes()), NOT_CLOSED);
    }),
    ("further lines of a URL in quotes or brackets", |limit| {
        let url = |lines| format!("\"http://a/{}c\"", "b/\n".repeat(lines));
        assert_eq!(delimiter(url(limit).as_bytes()), "quotes\n");
        assert_eq!(delimiter(url(limit + 1).as_bytes()), "bare\n");
    }),
    (
        "a field of a message, or a text of a link, in a row",
        |limit| {
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
            assert_eq!((subject(limit), subject(limit + 1)), (limit, limit - 1));
            let title = |len| {
                let text = format!("<a href='http://a/' title='{}'>", long(len));
                field("title", "a.html", text).len() - "title\n\n".len()
            };
            assert_eq!((title(limit), title(limit + 1)), (limit, limit - 1));
            let has_context = |len| {
                let text = format!("<a href='http://a/'>{}</a>", long(len));
                field("context", "a.html", text).contains(&long(len))
            };
            assert_eq!((has_context(limit), has_context(limit + 1)), (true, false));
        },
    ),
    ("places of a rule in a URL", |limit| {
        let places = |count: usize| {
            let text = ["http://a/", &"^".repeat(count)].concat();
            let arguments = ["check", "--isolated", "--output-format", "json-lines", "-"];
            let found = &Folder::new().run(&arguments, text.as_bytes()).json()[0];
            let number = |field: &str| found[field].as_u64().unwrap();
            let places = number("end") - number("start");
            (places as usize, found["fix"].is_object())
        };
        assert_eq!(places(limit - 1), (limit - 1, true));
        assert_eq!(places(limit), (limit, false));
        assert_eq!(places(limit + 1), (limit, false));
        let url = ["http://a/", &"^".repeat(limit + 1)].concat();
        let parsed = Folder::new().run(&["parse", &url], b"").text();
        assert_eq!(parsed.matches("error[").count(), limit);
    }),
    ("a message, or a file of markup", |limit| {
        for (name, start) in [("a.eml", "Subject: a\n\n"), ("a.html", "<!-- --><p>")] {
            let text = |len| padded(start, " http://a/", len);
            assert_eq!(warning(name, &text(limit)), "");
            assert!(
                warning(name, &text(limit + 1)).contains("longer than 64 MiB, so read as plain")
            );
        }
    }),
    ("multiparts and messages within one another", |limit| {
        let multiparts = |depth: usize| {
            let boundaries = 0..depth;
            let start = |i| format!("Content-Type: multipart/mixed; boundary=b{i}\n\n--b{i}\n");
            let starts: String = boundaries.clone().map(start).collect();
            let ends: String = boundaries.rev().map(|i| format!("\n--b{i}--\n")).collect();
            [&starts, "\nhttp://a/", &ends].concat()
        };
        let messages =
            |depth| "Content-Type: message/rfc822\n\n".repeat(depth) + "Subject: a\n\nhttp://a/";
        for nested in [&multiparts as &dyn Fn(usize) -> String, &messages] {
            let text = |depth| format!("From: a@b.example\n{}", nested(depth));
            assert_eq!(warning("a.eml", text(limit).as_bytes()), "");
            let beyond = warning("a.eml", text(limit + 1).as_bytes());
            let message = format!("more than {limit} parts within one another");
            assert!(beyond.contains(&message), "{beyond}");
        }
    }),
    ("a file of Markdown", |limit| {
        let text = |len| padded("# a\n\n", " http://a/", len);
        assert_eq!(warning("a.md", &text(limit)), "");
        assert!(warning("a.md", &text(limit + 1)).contains("longer than 8 MiB, so read as plain"));
    }),
    ("the header of a record of a web archive", |limit| {
        let record = |header: usize, body: &str| {
            let len = body.len();
            let fields = format!(
                "WARC/1.0\r\nWARC-Type: conversion\r\nContent-Type: text/plain\r\nContent-Length: {len}\r\nX: "
            );
            let header = padded(&fields, "\r\n\r\n", header);
            [&header, body.as_bytes(), b"\r\n\r\n"].concat()
        };
        let archive = |header| [record(header, "http://a/"), record(1000, "http://b/")].concat();
        let within = with_messages("a.warc", &archive(limit));
        assert_eq!(
            (within.code, within.text()),
            (Some(0), "http://a/\nhttp://b/\n".into())
        );
        let beyond = with_messages("a.warc", &archive(limit + 1));
        assert_eq!((beyond.code, beyond.text()), (Some(2), within.text()));
        let message = "urlint: a.warc!1: warning: 10 bytes long, not 9 as it says (at byte 10)\n";
        assert_eq!(beyond.stderr, message);
    }),
    (
        "resolved targets of a document, if 100 times its length is less",
        |limit| {
            let listed = |links: usize| {
                let base = format!("http://a.example/{}/", "b".repeat(4000));
                let links = "<a href=c>".repeat(links);
                let page = format!("<base href='{base}'>{links}");
                let folder = Folder::of(&[("a.html", &page)]);
                folder.run(&["extract", "--resolve", "-v", "a.html"], b"")
            };
            // The base itself is no link, but is listed.
            let most = limit / (4000 + "http://a.example//c".len());
            let within = listed(most);
            assert_eq!(
                (within.text().lines().count(), &*within.stderr),
                (most + 1, "")
            );
            let beyond = listed(most + 2);
            assert_eq!(beyond.text().lines().count(), most + 1);
            assert!(
                beyond.stderr.contains("the rest is left out"),
                "{}",
                beyond.stderr
            );
        },
    ),
    ("nested archives", |limit| {
        let nested = |depth: usize| {
            (0..depth).fold(b"http://a/".to_vec(), |inner, i| {
                packing::tar(&[(if i == 0 { "a.txt" } else { "a.tar" }, &inner)])
            })
        };
        assert_eq!(extract("a.tar", &nested(limit)).text(), "http://a/\n");
        let beyond = with_messages("a.tar", &nested(limit + 1));
        assert_eq!((beyond.code, &*beyond.text()), (Some(2), ""));
        let members = "!a.tar".repeat(limit);
        let message = format!(
            "urlint: a.tar{members}: warning: inside more than {limit} archives, so not opened (at byte 0)\n"
        );
        assert_eq!(beyond.stderr, message);
    }),
    ("decompressed bytes before `--max-ratio` applies", |limit| {
        let text = |len| packing::gzip(&padded("", "\nhttp://a/\n", len));
        let read = |len| {
            let folder = Folder::of(&[("a.txt.gz", text(len))]);
            folder.run(&["extract", "--max-ratio", "2", "-v", "a.txt.gz"], b"")
        };
        assert_eq!(read(limit).text(), "http://a/\n");
        let beyond = read(limit + MIB);
        assert_eq!((beyond.text().as_str(), beyond.code), ("", Some(2)));
        assert!(beyond.stderr.contains("--max-ratio"), "{}", beyond.stderr);
    }),
    (
        "decompressed bytes for each byte of an attachment",
        |limit| {
            let hint = "http://a.example/~x ";
            let attached = packing::gzip(hint.repeat(MIB).as_bytes());
            let mail = message("", &[("a.txt.gz", &attached)]);
            let folder = Folder::of(&[("a.eml", mail)]);
            let found = folder.run(&["check", "-q", "--format", "json-lines", "a.eml"], b"");
            let number = limit * attached.len() / hint.len();
            assert_eq!((found.json().len(), found.code), (number, Some(0)));
            let told = folder.run(&["check", "a.eml"], b"").stderr;
            assert!(told.contains("1 attachment was not opened, or not to the end"));
        },
    ),
    (
        "the start of a file from which its kind is detected",
        |limit| {
            let text = |blanks: usize| {
                [
                    " ".repeat(blanks).into_bytes(),
                    b"<!DOCTYPE html><a href='http://a/&amp;'>".to_vec(),
                ]
                .concat()
            };
            // It is seen by its first word.
            let before = limit - "<!DOCTYPE".len();
            assert_eq!(extract("a", &text(before)).text(), "http://a/&\n");
            assert_eq!(extract("a", &text(before + 1)).text(), "http://a/&amp;\n");
        },
    ),
    (
        "the start of a file in a folder that is searched for NUL",
        |limit| {
            let text = |before: usize| padded("http://a/ ", "\0", before + 1);
            let list = |text: Vec<u8>| {
                Folder::of(&[("a/b.txt", text)])
                    .run(&["extract", "a"], b"")
                    .text()
            };
            assert_eq!(list(text(limit - 1)), "");
            assert_eq!(list(text(limit)), "http://a/\n");
        },
    ),
    ("a file to be fixed", |limit| {
        let fix = |folder: &Folder| {
            let arguments = ["check", "--isolated", "--type", "plain", "--show", "all"];
            folder.run(
                &[&arguments[..], &["--unsafe-fixes", "--fix-only", "a.txt"]].concat(),
                b"",
            )
        };
        let folder = Folder::of(&[("a.txt", "http://a/é\n")]);
        assert_eq!(fix(&folder).code, Some(0));
        assert_eq!(folder.read("a.txt"), "http://a/%C3%A9\n");
        // The file is filled with NULs, which are not fixed: a file of letters takes too long for a test.
        let long = |len: usize| {
            let folder = Folder::of(&[("a.txt", "http://a/é\n")]);
            lengthen(&folder.path().join("a.txt"), len as u64);
            fix(&folder)
        };
        let within = long(limit);
        let nothing = "Nothing to fix in 1 file.\n1 fix not made: ";
        assert_eq!(within.code, Some(0));
        assert!(within.stderr.starts_with(nothing), "{}", within.stderr);
        let beyond = long(limit + 1);
        let message = "urlint: a.txt: not fixed: longer than 256 MiB\n";
        assert_eq!(beyond.code, Some(2));
        assert!(beyond.stderr.starts_with(message), "{}", beyond.stderr);
    }),
    (
        "the part of a file that may have suppression comments",
        |limit| {
            let text = |len| padded("", "\nhttp://a/^ # urlint: ignore[unsafe-character]\n", len);
            assert_eq!(rules(&text(limit)), "");
            assert_eq!(rules(&text(limit + 200)), "unsafe-character\n");
        },
    ),
    ("a configuration file", |limit| {
        let read = |len: usize| configured(&" ".repeat(len));
        assert_eq!(read(limit).code, Some(0));
        assert!(read(limit + 1).stderr.contains("longer than 1 MiB"));
    }),
    ("configuration files that extend one another", |limit| {
        let read = |count: usize| {
            let folder = Folder::of(&[("note.txt", "")]);
            for i in 0..count {
                folder.write(&format!("{i}.toml"), format!("extend = '{}.toml'", i + 1));
            }
            folder.write(&format!("{count}.toml"), "");
            folder.run(&["check", "--config", "0.toml", "note.txt"], b"")
        };
        assert_eq!(read(limit - 1).code, Some(0), "{}", read(limit - 1).stderr);
        let beyond = read(limit).stderr;
        let message = format!("more than {limit} files");
        assert!(beyond.contains(&message), "{beyond}");
    }),
    ("entries of their lists and tables", |limit| {
        let read = |count| configured(&format!("exclude = [{}]", "'a',".repeat(count)));
        assert_eq!(read(limit).code, Some(0));
        let message = format!("more than {limit} entries");
        assert!(read(limit + 1).stderr.contains(&message));
    }),
    ("rules in `url-rules`", |limit| {
        let rule = |at| format!("[url-rules.a{at}]\nhost = 'x'\nmessage = 'm'\n");
        let read = |count| configured(&(0..count).map(rule).collect::<String>());
        assert_eq!(read(limit).code, Some(0));
        let message = format!("more than {limit} rules");
        assert!(read(limit + 1).stderr.contains(&message));
    }),
    ("entries of a list of such a rule", |limit| {
        let read = |count| {
            let hosts = "'x',".repeat(count);
            configured(&format!(
                "url-rules.a = {{ message = 'm', host = [{hosts}] }}"
            ))
        };
        assert_eq!(read(limit).code, Some(0));
        let message = format!("more than {limit} entries");
        assert!(read(limit + 1).stderr.contains(&message));
    }),
    ("`message` and `replace` of such a rule", |limit| {
        for key in ["message", "replace"] {
            let other = if key == "message" {
                ""
            } else {
                "message = 'm', "
            };
            let read = |len| {
                let text = "a".repeat(len);
                configured(&format!(
                    "url-rules.a = {{ {other}host = 'b', {key} = '{text}' }}"
                ))
            };
            assert_eq!(read(limit).code, Some(0));
            assert!(read(limit + 1).stderr.contains(&format!("{limit} bytes")));
        }
    }),
    ("a pattern of paths", |limit| {
        let read = |len| configured(&format!("exclude = ['{}']", "a".repeat(len)));
        assert_eq!(read(limit).code, Some(0));
        assert!(read(limit + 1).stderr.contains("longer than"));
    }),
    ("a compiled regular expression", |limit| {
        // Each letter takes 32 bytes.
        for [start, end] in [
            ["url-rules.a = { message = 'm', regex = 'a{", "}' }"],
            [
                "url-rules.a = { message = 'm', host = 'b', allow = [{ regex = 'a{",
                "}' }] }",
            ],
            ["ignore-urls = [{ regex = 'a{", "}' }]"],
        ] {
            let read = |times: usize| configured(&format!("{start}{times}{end}"));
            let within = read(limit / 34);
            assert_eq!(within.code, Some(0), "{}", within.stderr);
            let beyond = read(limit / 31).stderr;
            let message = format!("exceeds size limit of {limit} bytes");
            assert!(beyond.contains(&message), "{beyond}");
        }
    }),
    (
        "all of them, and the patterns of URLs with more than four wildcards",
        |limit| {
            let read = |rules: usize| {
                let rule =
                    |n| format!("url-rules.a{n} = {{ message = 'm', regex = 'a{{1800}}' }}\n");
                let rules: String = (0..rules).map(rule).collect();
                let wild = format!("'{}*****?'", "a".repeat(1800));
                configured(&format!("ignore-urls = [{wild}, {wild}]\n{rules}"))
            };
            let size = 1800 * 32;
            let within = read(limit / size - 3);
            assert_eq!(within.code, Some(0), "{}", within.stderr);
            let beyond = read(limit / size + 3);
            let message = format!("exceeds size limit of {limit} bytes");
            assert!(beyond.stderr.contains(&message), "{}", beyond.stderr);
        },
    ),
    ("the other patterns of URLs, compiled", |limit| {
        let read = |times: usize| configured(&format!("ignore-urls = ['{}']", "a".repeat(times)));
        // Each letter takes 32 bytes.
        let within = read(limit / 34);
        assert_eq!(within.code, Some(0), "{}", within.stderr);
        let beyond = read(limit / 31);
        let message = format!("exceeds size limit of {limit} bytes");
        assert!(beyond.stderr.contains(&message), "{}", beyond.stderr);
    }),
    ("characters of a message about them", |limit| {
        let read = |len| configured(&format!("standard = '{}'", "a".repeat(len))).stderr;
        let first = |len| read(len).lines().next().unwrap().chars().count();
        assert!(first(limit / 4) > limit / 4);
        assert!(first(2 * limit) < limit + 100, "{}", read(2 * limit));
        assert!(read(2 * limit).contains('…'), "{}", read(2 * limit));
    }),
    ("a baseline", |limit| {
        let read = |len: usize| {
            let folder = Folder::of(&[("note.txt", "http://a/^\n"), ("b.json", "{}")]);
            lengthen(&folder.path().join("b.json"), len as u64);
            let arguments = ["check", "--isolated", "--baseline", "b.json", "note.txt"];
            let ran = folder.run(&arguments, b"");
            assert_eq!(ran.code, Some(2), "{}", ran.stderr);
            ran.stderr
        };
        let start = "urlint: b.json: no baseline of urlint: ";
        // It is read, and NULs are no JSON.
        let within = read(limit);
        let message = format!("{start}not the diagnostics of urlint, at line 1 column ");
        assert!(within.starts_with(&message), "{within}");
        let beyond = read(limit + 1);
        let message = format!("{start}longer than 256 MiB; ");
        assert!(beyond.starts_with(&message), "{beyond}");
    }),
    ("a `.gitignore` file", |limit| {
        let read = |len: usize| ignoring(&"#".repeat(len));
        assert_eq!(read(limit).text(), "http://a/\n");
        assert_eq!(read(limit + 1).text(), "");
        assert!(read(limit + 1).stderr.contains("longer than 1 MiB"));
    }),
    ("braces in a line of it", |limit| {
        let read = |count: usize| ignoring(&("{".repeat(count) + "x" + &"}".repeat(count)));
        // Only those that open count.
        let within = read(limit);
        assert_eq!(within.text(), "http://a/\n", "{}", within.stderr);
        let beyond = read(limit + 1);
        assert_eq!((beyond.code, &*beyond.text()), (Some(2), ""));
        let message = format!(".gitignore: more than {limit} braces in a line, ");
        assert!(beyond.stderr.contains(&message), "{}", beyond.stderr);
    }),
    (
        "folders that a file is in, below the one that was named",
        |limit| {
            // A folder of mail in a maildir is hidden, and counts too.
            for between in ["", "d/.b/"] {
                let at = |depth: usize| {
                    let folder = Folder::new();
                    let rest = depth - between.matches('/').count();
                    let name = format!("{between}{}b.txt", "c/".repeat(rest));
                    folder.write(&name, "http://b/");
                    for maildir in between.split_inclusive('/') {
                        let path = between.split_at(between.find(maildir).unwrap()).0;
                        folder.write(&format!("{path}{maildir}cur/c.txt"), "");
                    }
                    folder.run(&["extract", "."], b"")
                };
                let (within, beyond) = (at(limit), at(limit + 1));
                assert_eq!(within.code, Some(0), "{}", within.stderr);
                assert!(within.text().contains("http://b/"));
                assert_eq!(beyond.code, Some(2));
                assert!(!beyond.text().contains("http://b/"));
                let message = format!("more than {limit} folders deep, ");
                assert_eq!(beyond.stderr.matches(&message).count(), 1);
            }
        },
    ),
    ("the text of the links on a page", |limit| {
        // Whole as a key, and shortened as a cell.
        let long = "b".repeat(60_000);
        let (within, beyond) = (limit / 60_400, limit / 60_000 + 1);
        let urls = |count| (0..count).map(|i| format!("http://a.example/{i:04}{long}\n"));
        let page = |count| page(&urls(count).collect::<String>());
        assert!(!page(within).contains("<p>The first "));
        assert_eq!(beyond, 1_119);
        assert!(page(beyond).contains(" of 1,119;"));
    }),
    (
        "hosts, files and others that a page counts one by one",
        |limit| {
            let urls = |count| {
                (0..count)
                    .map(|i| format!("http://{i}.b.example/\n"))
                    .collect::<String>()
            };
            assert!(page(&urls(limit)).contains("<dd>131,072</dd>"));
            assert!(page(&urls(limit + 1)).contains("<dd>more than 131,072</dd>"));
        },
    ),
];

#[test]
fn each_limit_is_reached() {
    let lines = include_str!("../../src/manual/limits.md").lines();
    let first_table = lines.skip_while(|line| !line.starts_with("| "));
    let first_table = first_table.take_while(|line| !line.is_empty());
    let rows = first_table
        .skip(1)
        .filter_map(|line| line.strip_prefix("| "));
    let rows: Vec<Vec<_>> = rows.map(|row| row.split(" | ").collect()).collect();
    let named: Vec<_> = rows.iter().map(|row| row[0]).collect();
    assert_eq!(
        CASES.iter().map(|(name, _)| *name).collect::<Vec<_>>(),
        named
    );
    // Long inputs take long.
    let longest = share(100_000, usize::MAX);
    let failed = CASES.iter().zip(&rows).filter(|((_, case), row)| {
        let limit = number(row[1]);
        limit <= longest && std::panic::catch_unwind(|| case(limit)).is_err()
    });
    let failed: Vec<_> = failed.map(|((name, _), _)| *name).collect();
    assert!(failed.is_empty(), "{failed:?}");
}

/// Returns the number in a cell of the table, such as `32`, `8,192 bytes` or `64 MiB`.
fn number(cell: &str) -> usize {
    let (number, unit) = cell.split_once(' ').unwrap_or((cell, "bytes"));
    let number: usize = number.replace(',', "").parse().unwrap();
    match unit {
        "MiB" => number * MIB,
        "bytes" => number,
        _ => panic!("{cell}"),
    }
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

/// Returns the page about the URLs of `text`.
fn page(text: &str) -> String {
    let args = ["extract", "--isolated", "--output-format", "html", "-"];
    Folder::new().run(&args, text.as_bytes()).text()
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

/// Returns the outcome of a run that succeeds.
fn extract(name: &str, text: &[u8]) -> Ran {
    let ran = with_messages(name, text);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    ran
}

/// Returns the outcome of a run with all messages.
fn with_messages(name: &str, text: &[u8]) -> Ran {
    let folder = Folder::of(&[(name, text)]);
    folder.run(&["extract", "--isolated", "-v", name], b"")
}

/// Returns the messages about a file in which a URL must be found.
fn warning(name: &str, text: &[u8]) -> String {
    let ran = extract(name, text);
    assert_eq!(ran.text(), "http://a/\n");
    ran.stderr
}

/// Returns the outcome of a run in a folder with this configuration.
fn configured(configuration: &str) -> Ran {
    let folder = Folder::of(&[("urlint.toml", configuration), ("note.txt", "")]);
    folder.run(&["check", "note.txt"], b"")
}

/// Returns the outcome of a list of a folder with this `.gitignore`.
fn ignoring(patterns: &str) -> Ran {
    let folder = Folder::of(&[(".gitignore", patterns), ("note.txt", "http://a/")]);
    fs::create_dir(folder.path().join(".git")).unwrap();
    folder.run(&["extract", "--isolated", "."], b"")
}
