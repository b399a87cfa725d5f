//! The shapes of lists, from outside: what does not fit into memory is as what does.

use std::fs;
#[cfg(unix)]
use std::process::Command;

#[cfg(unix)]
use crate::support::command::URLINT;
use crate::support::command::{Folder, Ran, piped, urlint};

fn extract(folder: &Folder, args: &[&str]) -> Ran {
    folder.run(&[&["extract"], args].concat(), b"")
}

/// A folder of texts in which URLs come more than once: `urls` in each of `files`.
fn folder(files: u32, urls: u32) -> Folder {
    let folder = Folder::new();
    let mut random = 1_u32;
    for file in 0..files {
        let mut text = String::new();
        for _ in 0..urls {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let (host, page) = (random >> 29, (random >> 16) % 3000);
            text.push_str(&format!("http://h{host}.example/{page}\n"));
        }
        folder.write(&format!("{file}.txt"), text);
    }
    folder
}

#[test]
fn the_list_does_not_depend_on_memory() {
    let folder = folder(3, 1500);
    let shapes: [&[&str]; 12] = [
        &["--unique"],
        &["--unique", "--sort", "url", "--reverse"],
        &["--unique", "--sort", "host", "--fields", "url,line"],
        &["--unique", "--output-format", "json-lines"],
        &["--sort", "url"],
        &["--sort", "scheme", "-0"],
        &["--count"],
        &["--count", "--sort", "url"],
        &["--count", "--sort", "documents", "--reverse"],
        &["--top", "20"],
        &[
            "--group-by",
            "host",
            "--sort",
            "count",
            "--output-format",
            "csv",
        ],
        &["--group-by", "file"],
    ];
    for shape in shapes {
        let expected = extract(&folder, shape);
        assert!(expected.code == Some(0) && !expected.stdout.is_empty());
        for memory in ["0", "2K", "100K"] {
            let args = [shape, &["--memory", memory, "--temp-dir", "."]].concat();
            let output = extract(&folder, &args);
            assert!(output == expected, "{args:?}");
        }
    }
    // Nothing is left behind.
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
}

#[test]
fn a_list_is_what_other_programs_make_of_all_urls() {
    let folder = folder(2, 3000);
    let lines = |args: &[&str]| -> Vec<String> {
        let text = String::from_utf8(extract(&folder, args).stdout).unwrap();
        text.lines().map(str::to_owned).collect()
    };
    let mut all = lines(&[]);
    assert_eq!(all.len(), 6000);
    let mut first = all.clone();
    let mut seen = std::collections::HashSet::new();
    first.retain(|url| seen.insert(url.clone()));
    assert_eq!(lines(&["--unique"]), first);
    all.sort();
    assert_eq!(lines(&["--sort", "url"]), all);
    let counted = first.iter().map(|url| {
        let count = all.iter().filter(|other| *other == url).count();
        let is_in = |file: &&str| {
            let text = fs::read_to_string(folder.path().join(file)).unwrap();
            text.lines().any(|line| line == url)
        };
        let documents = ["0.txt", "1.txt"].iter().filter(|file| is_in(file)).count();
        format!("{count}\t{documents}\t{url}")
    });
    assert_eq!(
        lines(&["--count"])[..50],
        counted.take(50).collect::<Vec<_>>()[..]
    );
}

#[test]
fn tabs_separate_and_are_written_as_two_characters() {
    let folder = Folder::new();
    let text = "at http://A.example/x and <URL:ftp://b.example/\\> and news:x.y";
    folder.write("a\tb.txt", text);
    let cases: [(&[&str], &str); 5] = [
        (
            &[
                "--output-format",
                "tsv",
                "--fields",
                "path,url,line,fragment",
            ],
            "path\turl\tline\tfragment\na\\tb.txt\thttp://A.example/x\t1\t\n\
             a\\tb.txt\tftp://b.example/\\\\\t1\t\na\\tb.txt\tnews:x.y\t1\t\n",
        ),
        (
            &["--fields", "host,url"],
            "a.example\thttp://A.example/x\nb.example\tftp://b.example/\\\\\n\tnews:x.y\n",
        ),
        (
            &["--fields", "url"],
            "http://A.example/x\nftp://b.example/\\\nnews:x.y\n",
        ),
        (
            &["--group-by", "host", "--sort", "host", "--reverse"],
            "1\t1\tb.example\n1\t1\ta.example\n1\t1\t(none)\n",
        ),
        (
            &["--count", "--sort", "url", "-0"],
            "1\t1\tftp://b.example/\\\x001\t1\thttp://A.example/x\x001\t1\tnews:x.y\0",
        ),
    ];
    for (args, expected) in cases {
        let output = extract(&folder, args);
        assert_eq!(output.text(), expected, "{args:?}");
    }
}

#[test]
fn documents_are_members_and_messages() {
    let folder = Folder::new();
    let url = "http://a.example/";
    let message =
        |body: &str| format!("From joe Thu Jan  1 00:00:00 1998\nSubject: x\n\n{body}\n\n");
    let mbox = [
        message(url),
        message(&format!("{url} {url}")),
        message("none"),
    ]
    .concat();
    folder.write("a.mbox", mbox);
    folder.write("b.txt", format!("{url} {url}"));
    let output = extract(&folder, &["--count"]);
    assert_eq!(output.stdout, b"5\t3\thttp://a.example/\n");
}

/// What is listed by any number of threads.
fn by_threads(folder: &Folder, args: &[&str]) -> Ran {
    let by = |threads| extract(folder, &[args, &["--threads", threads]].concat());
    let alone = by("1");
    for threads in ["2", "8"] {
        assert!(by(threads) == alone, "{args:?} {threads}");
    }
    alone
}

fn lines(ran: &Ran) -> Vec<String> {
    ran.text().lines().map(str::to_owned).collect()
}

#[test]
fn a_limit_lists_the_first_rows() {
    let folder = folder(5, 4000);
    let shapes: [&[&str]; 6] = [
        &[],
        &["--unique"],
        &["--sort", "url"],
        &["--unique", "--sort", "host", "--reverse"],
        &["--fields", "path,line,url"],
        &["--group-by", "host"],
    ];
    for shape in shapes {
        let all = lines(&extract(&folder, shape));
        for limit in [1, 7, 2500, 4001, 1_000_000] {
            let limit_arg = limit.to_string();
            for memory in ["1K", "256M"] {
                let args = [shape, &["--limit", &limit_arg, "--memory", memory]].concat();
                let ran = by_threads(&folder, &args);
                assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{args:?}");
                assert!(lines(&ran)[..] == all[..all.len().min(limit)], "{args:?}");
            }
        }
    }
    let csv = extract(&folder, &["--limit", "1", "--output-format", "csv"]);
    assert_eq!(lines(&csv).len(), 2);
}

#[test]
fn a_limit_ends_the_work() {
    use std::io::{Read, Write};
    use std::process::Stdio;

    let folder = Folder::new();
    for threads in ["1", "2"] {
        let mut command = urlint(&["extract", "--limit", "2", "--threads", threads, "-"]);
        let command = command.current_dir(folder.path()).stdin(Stdio::piped());
        let mut child = piped(command);
        let mut stdin = child.stdin.take().unwrap();
        let text = "http://a.example/1\nhttp://a.example/2\nhttp://a.example/3\n";
        stdin.write_all(text.as_bytes()).unwrap();
        // What kind of text it is takes more of it; the command may end before it has read all.
        let _ = stdin.write_all("all work and no play\n".repeat(20_000).as_bytes());
        let mut out = String::new();
        // Standard input has not ended.
        let mut stdout = child.stdout.take().unwrap();
        stdout.read_to_string(&mut out).unwrap();
        assert_eq!(out, "http://a.example/1\nhttp://a.example/2\n");
        assert_eq!(child.wait().unwrap().code(), Some(0));
        drop(stdin);
    }
    // What comes after is not read.
    folder.write("a", "http://a.example/\n");
    let args = ["--limit", "1", "a", "missing"];
    assert_eq!(by_threads(&folder, &args).code, Some(0));
    let args = ["--limit", "2", "a", "missing"];
    assert_eq!(by_threads(&folder, &args).code, Some(2));
}

#[test]
fn a_sample_is_drawn_from_all_rows() {
    let folder = folder(4, 3000);
    for shape in [&[][..], &["--unique"], &["--fields", "path,line,url"]] {
        let all = lines(&extract(&folder, shape));
        let sample = |more: &[&str]| {
            let args = [shape, &["--sample", "500"], more].concat();
            let ran = by_threads(&folder, &args);
            assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{args:?}");
            lines(&ran)
        };
        let drawn = sample(&[]);
        assert_eq!(drawn.len(), 500);
        let mut rest = all.iter();
        assert!(drawn.iter().all(|row| rest.any(|other| other == row)));
        assert!(drawn != all[..500]);
        assert_eq!(sample(&["--seed", "0"]), drawn);
        assert_eq!(sample(&["--memory", "1K", "--temp-dir", "."]), drawn);
        assert_ne!(sample(&["--seed", "1"]), drawn);
        let mut sorted = drawn.clone();
        sorted.sort();
        if shape != ["--fields", "path,line,url"] {
            assert_eq!(sample(&["--sort", "url"]), sorted);
        }
        assert_eq!(sample(&["--limit", "9"]), drawn[..9]);
    }
    let all = lines(&extract(&folder, &["--sample", "1000000"]));
    assert_eq!(all, lines(&extract(&folder, &[])));
}

#[test]
fn a_difference_is_what_sets_say() {
    use std::collections::BTreeSet;

    let (old, new) = (folder(2, 900), folder(3, 700));
    new.write("3.txt", "http://new.example/ http://new.example/");
    let urls = |folder: &Folder| -> BTreeSet<String> {
        lines(&extract(folder, &[])).into_iter().collect()
    };
    let (before, after) = (urls(&old), urls(&new));
    let mut expected: Vec<_> = before.symmetric_difference(&after).collect();
    expected.sort();
    let sign = |url: &String| if after.contains(url) { '+' } else { '-' };
    let text: Vec<_> = expected
        .iter()
        .map(|url| format!("{}{url}", sign(url)))
        .collect();
    assert!(text.len() > 100 && text.contains(&"+http://new.example/".to_owned()));
    let formats: [(&str, &[&str]); 5] = [
        ("old.urls", &[]),
        ("old", &["--unique"]),
        ("old.list", &["--output-format", "json-lines"]),
        ("old.csv", &["--output-format", "csv"]),
        (
            "old.tmp",
            &["--output-format", "tsv", "--fields", "line,url"],
        ),
    ];
    for (name, args) in formats {
        let list = extract(&old, args).stdout;
        let path = tempfile::tempdir().unwrap();
        let file = path.path().join(name);
        fs::write(&file, &list).unwrap();
        let file = file.to_str().unwrap();
        for memory in ["1K", "256M"] {
            let args = ["--diff", file, "--memory", memory];
            let ran = by_threads(&new, &args);
            assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{name}");
            assert!(lines(&ran) == text, "{name} {memory}");
        }
        let args = ["extract", "--diff", "-", "0.txt", "1.txt", "2.txt", "3.txt"];
        assert!(lines(&new.run(&args, &list)) == text, "{name}");
        let itself = extract(&old, &["--diff", file]);
        assert_eq!((itself.code, itself.text().as_str()), (Some(0), ""));
    }
}

#[test]
fn old_lists_are_read_as_they_are_written() {
    let folder = Folder::of(&[(
        "a.txt",
        &b"<URL:http://a.example/\xe2\x28> <URL:http://b.example/,\"\\t>"[..],
    )]);
    folder.write("a,\"b\nc.txt", "http://c.example/");
    let formats: [&[&str]; 5] = [
        &[],
        &["--null"],
        &["--output-format", "json-lines"],
        &["--output-format", "csv"],
        &["--output-format", "tsv"],
    ];
    for args in formats {
        let list = extract(&folder, &[args, &["--exclude", "old"]].concat());
        folder.write("old/list", &list.stdout);
        let null: &[&str] = if args == ["--null"] { args } else { &[] };
        let args = [&["--diff", "old/list", "--exclude", "old"], null].concat();
        let ran = extract(&folder, &args);
        let found = (ran.code, ran.text(), &*ran.stderr);
        assert_eq!(found, (Some(0), String::new(), ""), "{args:?}");
    }
    let cases = [
        (
            "old.csv",
            "count,documents,key\n",
            "urlint: old.csv:1: no field `url`, which --diff compares\n",
        ),
        (
            "old.jsonl",
            "{\"url\":\"x\"}\n{\"key\":1}\n",
            "urlint: old.jsonl:2: no field `url`, which --diff compares\n",
        ),
        (
            "old.tsv",
            "line\turl\n1\n",
            "urlint: old.tsv:2: no field `url`, which --diff compares\n",
        ),
        (
            "old.txt",
            "\x1f\u{8}\0",
            "urlint: old.txt: not a list of URLs; one that is compressed can be unpacked into `--diff -`\n",
        ),
    ];
    for (name, list, message) in cases {
        folder.write(name, list);
        let ran = extract(&folder, &["--diff", name, "a.txt"]);
        assert_eq!((ran.code, &*ran.stderr), (Some(2), message));
    }
    let ran = extract(&folder, &["--diff", "missing", "a.txt"]);
    assert_eq!(ran.code, Some(2));
    // Line ends of Windows, a byte order mark, and empty lines.
    folder.write(
        "old.txt",
        "\u{feff}http://c.example/\r\n\r\nhttp://d.example/",
    );
    let ran = extract(
        &folder,
        &[
            "--diff",
            "old.txt",
            "--output-format",
            "csv",
            "--match",
            "c.example",
        ],
    );
    assert_eq!(ran.text(), "change,url\nremoved,http://d.example/\n");
}

/// The files of a folder, by their names.
fn files(folder: &Folder, name: &str) -> std::collections::BTreeMap<String, String> {
    let entries = fs::read_dir(folder.path().join(name)).unwrap();
    let files = entries.map(|entry| {
        let entry = entry.unwrap();
        let text = fs::read_to_string(entry.path()).unwrap();
        (entry.file_name().into_string().unwrap(), text)
    });
    files.collect()
}

#[test]
fn lists_of_hosts_are_what_the_list_has_of_them() {
    let folder = folder(3, 2000);
    folder.write(
        "3.txt",
        "mailto:joe@a.example http://[::1]/x HTTP://H1.example/",
    );
    let shapes: [&[&str]; 5] = [
        &["--fields", "host,url"],
        &["--fields", "host,url,line", "--output-format", "csv"],
        &["--fields", "host,url", "--output-format", "tsv", "--unique"],
        &["--fields", "host,url,path", "--sort", "url", "--reverse"],
        &["--fields", "host,url", "--sample", "1500", "--limit", "700"],
    ];
    for shape in shapes {
        let all = lines(&extract(
            &folder,
            &[shape, &["--exclude", "lists"]].concat(),
        ));
        let format = shape.get(3).filter(|_| shape[2] == "--output-format");
        let separator = if format == Some(&"csv") { "," } else { "\t" };
        for (memory, threads) in [("1K", "1"), ("256M", "2"), ("1M", "8")] {
            let args = [
                "--split-by",
                "host",
                "lists",
                "--memory",
                memory,
                "--threads",
                threads,
            ];
            let ran = extract(&folder, &[shape, &args, &["--exclude", "lists"]].concat());
            assert_eq!(
                (ran.code, ran.text(), &*ran.stderr),
                (Some(0), String::new(), "")
            );
            let mut lists = files(&folder, "lists");
            let index = lists.remove("_index.tsv").unwrap();
            let (heading, all) = match format {
                Some(_) => (format!("{}\n", all[0]), &all[1..]),
                None => (String::new(), &all[..]),
            };
            let mut rows = 0;
            let mut named = 0;
            for row in index.lines().skip(1) {
                let [name, key, count] = *row.split('\t').collect::<Vec<_>>() else {
                    panic!("{row}");
                };
                let start = format!("{key}{separator}");
                let own: Vec<_> = all.iter().filter(|row| row.starts_with(&start)).collect();
                let text: String = own.iter().map(|row| format!("{row}\n")).collect();
                assert!(lists[name] == heading.clone() + &text, "{name} {shape:?}");
                assert_eq!(count, own.len().to_string());
                rows += own.len();
                named += 1;
            }
            assert_eq!((rows, named), (all.len(), lists.len()));
            let extension = format.unwrap_or(&"txt");
            assert!(lists.contains_key(&format!("h1.example.{extension}")));
        }
    }
    let ran = extract(&folder, &["--split-by", "scheme", "by/scheme", "3.txt"]);
    assert_eq!(ran.code, Some(0));
    let expected = [
        (
            "_index.tsv",
            "file\tkey\trows\nhttp.txt\thttp\t2\nmailto.txt\tmailto\t1\n",
        ),
        ("http.txt", "http://[::1]/x\nHTTP://H1.example/\n"),
        ("mailto.txt", "mailto:joe@a.example\n"),
    ];
    let expected = expected.map(|(name, text)| (name.to_owned(), text.to_owned()));
    assert_eq!(files(&folder, "by/scheme"), expected.into());
}

#[test]
fn names_of_lists_are_safe() {
    let long = "a".repeat(300);
    let hosts = [
        "..",
        "../../up",
        "con",
        "aux.example",
        "-rf",
        ".hidden",
        "_index",
        "_none",
        "a%2fb",
        "\u{e9}.example",
        &long,
        "A.Example",
        "a.example",
    ];
    let text: String = hosts
        .iter()
        .map(|host| format!("<URL:http://{host}/>\n"))
        .collect();
    let folder = Folder::of(&[("a.txt", text + "<URL:http://a\tb/> mailto:a@b.example")]);
    let ran = extract(&folder, &["--split-by", "host", "d/lists", "a.txt"]);
    assert_eq!((ran.code, &*ran.stderr), (Some(0), ""));
    let lists = files(&folder, "d/lists");
    let rows: usize = lists.values().map(|text| text.lines().count()).sum();
    let all = extract(&folder, &["a.txt"]);
    assert_eq!(rows - lists.len(), lines(&all).len());
    for name in lists.keys() {
        assert!(name.len() < 200, "{name}");
        assert!(
            name.bytes()
                .all(|byte| byte.is_ascii_graphic() && !b"/\\:*?\"<>|".contains(&byte))
        );
        assert!(!name.starts_with(['.', '-']), "{name}");
        assert!(name.bytes().all(|byte| !byte.is_ascii_uppercase()) || name.contains('%'));
    }
    assert_eq!(
        lists["a.example.txt"],
        "http://A.Example/\nhttp://a.example/\n"
    );
    assert_eq!(lists["%61ux.example.txt"], "http://aux.example/\n");
    assert!(lists["_none.txt"].contains("mailto:a@b.example"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    assert_eq!(fs::read_dir(folder.path().join("d")).unwrap().count(), 1);
}

#[test]
fn other_files_of_the_folder_stay() {
    let folder = Folder::of(&[
        ("a.txt", "http://a.example/ http://b.example/"),
        ("b.txt", "http://b.example/2"),
        ("lists/mine", "mine"),
    ]);
    let split =
        |more: &[&str]| extract(&folder, &[&["--split-by", "host", "lists"], more].concat());
    let ran = split(&["a.txt"]);
    let message = "urlint: lists holds mine, which is no list of --split-by: choose another folder, or write among such files with --overwrite\n";
    assert_eq!((ran.code, &*ran.stderr), (Some(2), message));
    assert_eq!(files(&folder, "lists").len(), 1);
    assert_eq!(split(&["a.txt", "--overwrite"]).code, Some(0));
    assert_eq!(files(&folder, "lists").len(), 4);
    assert_eq!(split(&["a.txt"]).code, Some(2));
    fs::remove_file(folder.path().join("lists/mine")).unwrap();
    // Lists of an earlier run are replaced.
    assert_eq!(split(&["b.txt"]).code, Some(0));
    let lists = files(&folder, "lists");
    assert_eq!(
        lists.keys().collect::<Vec<_>>(),
        ["_index.tsv", "b.example.txt"]
    );
    assert_eq!(lists["b.example.txt"], "http://b.example/2\n");
    // An index names no files elsewhere.
    folder.write(
        "lists/_index.tsv",
        "file\tkey\trows\n../a.txt\tx\t1\nb.example.txt\tx\t1\n",
    );
    assert_eq!(split(&["b.txt"]).code, Some(0));
    assert!(folder.path().join("a.txt").exists());
    // A list that is not whole has no index.
    fs::create_dir_all(folder.path().join("other/b.example.txt")).unwrap();
    let ran = extract(
        &folder,
        &["--split-by", "host", "other", "--overwrite", "a.txt"],
    );
    assert_eq!(ran.code, Some(2));
    assert!(!folder.path().join("other/_index.tsv").exists());
    let left = fs::read_dir(folder.path().join("other")).unwrap();
    assert!(left.count() <= 2);
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_told_and_no_list_looks_whole() {
    let folder = folder(1, 20_000);
    folder.write("none", "");
    for shape in [
        "--unique",
        "--sort=url",
        "--count",
        "--sample=19000",
        "--diff=none",
    ] {
        // The write fails, as it does where there is no room, instead of ending the process.
        let script = "trap '' XFSZ; ulimit -f 8; \"$0\" extract \"$@\" >/dev/null";
        let output = Command::new("sh")
            .current_dir(folder.path())
            .args(["-c", script, URLINT])
            .args([shape, "--memory", "10K", "--temp-dir", "."])
            .output();
        let Ran { code, stderr, .. } = output.unwrap().into();
        assert_eq!(code, Some(2), "{shape}: {stderr}");
        let expected = "urlint: .: cannot write a temporary file: ";
        assert!(stderr.starts_with(expected), "{shape}: {stderr}");
        assert!(
            stderr.ends_with("choose another folder with --temp-dir\n"),
            "{stderr}"
        );
    }
}

#[test]
fn tables_are_utf_8() {
    let folder = Folder::of(&[("a.txt", &b"<URL:http://a.example/\xff>\n"[..])]);
    for flags in [&[][..], &["--count"], &["--fields", "path,url"]] {
        for format in ["csv", "tsv"] {
            let args = [&["extract", "--output-format", format], flags].concat();
            let ran = folder.run(&args, b"");
            let text = String::from_utf8(ran.stdout).expect("the table is UTF-8");
            assert!(
                text.contains("http://a.example/\u{fffd}"),
                "{format}: {text}"
            );
        }
    }
    let ran = folder.run(&["extract", "--null"], b"");
    assert_eq!(ran.stdout, b"http://a.example/\xff\0");
}

#[test]
fn urls_are_grouped_by_host_and_by_registered_domain() {
    let text = "http://www.a.example.co.uk/ http://b.EXAMPLE.co.uk./ mailto:x http://localhost/ \
        http://192.0.2.1/ http://192.0.2.2/ <http://[::1]/> http://x.github.io/ news:a@b.example";
    let folder = Folder::of(&[("a.txt", text)]);
    let grouped = |key: &str| {
        let ran = folder.run(&["extract", "--group-by", key, "--sort", "count"], b"");
        let text = ran.text();
        let rows = text.lines().map(|line| line.replace("\t", " "));
        rows.collect::<Vec<_>>()
    };
    let hosts = grouped("host");
    assert_eq!(hosts[0], "2 1 (none)");
    assert!(hosts.contains(&"1 1 localhost".to_owned()), "{hosts:?}");
    let expected = [
        "2 1 example.co.uk",
        "2 1 (none)",
        "1 1 localhost",
        "1 1 192.0.2.1",
        "1 1 192.0.2.2",
        "1 1 [::1]",
        "1 1 x.github.io",
    ];
    assert_eq!(grouped("domain"), expected);
}
