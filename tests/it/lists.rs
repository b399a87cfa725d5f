//! The shapes of lists, from outside: lists that do not fit into memory are the same as those that do.

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
        &["--unique", "--sort", "-url"],
        &["--unique", "--sort", "host", "--fields", "url,line"],
        &["--unique", "--output-format", "json-lines"],
        &["--sort", "url"],
        &["--sort", "scheme", "-0"],
        &["--count"],
        &["--count", "--sort", "url"],
        &["--count", "--sort", "-count"],
        &["--count", "--sort", "count", "--limit", "20"],
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
            let args = [shape, &["--memory", memory]].concat();
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
        format!("{count}\t{url}")
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
            &["--group-by", "host", "--sort", "-host"],
            "1\tb.example\n1\ta.example\n1\t(none)\n",
        ),
        (
            &["--count", "--sort", "url", "-0"],
            "1\tftp://b.example/\\\x001\thttp://A.example/x\x001\tnews:x.y\0",
        ),
    ];
    for (args, expected) in cases {
        let output = extract(&folder, args);
        assert_eq!(output.text(), expected, "{args:?}");
    }
}

/// Returns the list, which is the same by any number of threads.
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
    let folder = folder(5, 400);
    let shapes: [&[&str]; 6] = [
        &[],
        &["--unique"],
        &["--sort", "url"],
        &["--unique", "--sort", "-host"],
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
        // More text is needed to tell its kind; the command may end before it has read all.
        let _ = stdin.write_all("all work and no play\n".repeat(20_000).as_bytes());
        let mut out = String::new();
        // Standard input has not ended.
        let mut stdout = child.stdout.take().unwrap();
        stdout.read_to_string(&mut out).unwrap();
        assert_eq!(out, "http://a.example/1\nhttp://a.example/2\n");
        assert_eq!(child.wait().unwrap().code(), Some(0));
        drop(stdin);
    }
    // Files after the limit is reached are not read.
    folder.write("a", "http://a.example/\n");
    let args = ["--limit", "1", "a", "missing"];
    assert_eq!(by_threads(&folder, &args).code, Some(0));
    let args = ["--limit", "2", "a", "missing"];
    assert_eq!(by_threads(&folder, &args).code, Some(2));
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_told_and_no_list_looks_whole() {
    let folder = folder(1, 20_000);
    for (shape, named, shown) in [
        ("--unique", ".", "."),
        ("--sort=url", ".", "."),
        ("--count", "", "/tmp"),
    ] {
        // The write fails, as it does where there is no room, instead of ending the process.
        let script = "trap '' XFSZ; ulimit -f 8; \"$0\" extract \"$@\" >/dev/null";
        let output = Command::new("sh")
            .current_dir(folder.path())
            .args(["-c", script, URLINT])
            .args([shape, "--memory", "10K"])
            .env("TMPDIR", named)
            .output();
        let Ran { code, stderr, .. } = output.unwrap().into();
        assert_eq!(code, Some(2), "{shape}: {stderr}");
        let expected = format!("urlint: {shown}: cannot write a temporary file: ");
        assert!(stderr.starts_with(&expected), "{shape}: {stderr}");
        assert!(
            stderr.ends_with("set TMPDIR to another folder\n"),
            "{stderr}"
        );
    }
}

#[test]
fn each_url_is_valid_invalid_or_has_a_placeholder() {
    let text = "http://a.example/ <http://a.example/^> http://a.example/{id}\n";
    let folder = Folder::of(&[("a.txt", text)]);
    let cases: [(&[&str], [bool; 3]); 6] = [
        (&[], [true, true, true]),
        (&["--only", "valid"], [true, false, false]),
        (&["--only", "invalid"], [false, true, false]),
        (&["--only", "placeholder"], [false, false, true]),
        (&["--only", "valid,invalid"], [true, true, false]),
        (
            &["--only", "placeholder", "--only", "valid"],
            [true, false, true],
        ),
    ];
    let urls = [
        "http://a.example/",
        "http://a.example/^",
        "http://a.example/{id}",
    ];
    for (args, expected) in cases {
        let expected = urls.iter().zip(expected).filter(|(_, listed)| *listed);
        let expected: Vec<_> = expected.map(|(url, _)| (*url).to_owned()).collect();
        assert_eq!(lines(&extract(&folder, args)), expected, "{args:?}");
    }
}

#[test]
fn the_extension_of_the_file_says_the_format() {
    let folder = Folder::of(&[("a.txt", "http://a.example/ http://b.example/\n")]);
    let mut names = vec![
        ("list.txt", "text"),
        ("list", "text"),
        ("list.csv", "csv"),
        ("list.TSV", "tsv"),
        ("list.jsonl", "json-lines"),
        ("list.ndjson", "json-lines"),
        ("list.json", "json-lines"),
    ];
    if cfg!(feature = "tables") {
        names.extend([("list.parquet", "parquet"), ("list.arrow", "arrow")]);
    }
    let listed = |name: &str, args: &[&str], said: &str| {
        let ran = extract(&folder, &[&["-o", name, "a.txt"], args].concat());
        assert_eq!((ran.code, &*ran.stderr), (Some(0), said), "{name}");
        fs::read(folder.path().join(name)).unwrap()
    };
    let other =
        "urlint: the file gets the format of --output-format, which its name does not say\n";
    for (name, format) in names {
        let expected = extract(&folder, &["--output-format", format, "a.txt"]).stdout;
        assert_eq!(listed(name, &[], ""), expected, "{name}");
        // A format that is given holds, by any name of the flag.
        let expected = extract(&folder, &["-f", "csv", "a.txt"]).stdout;
        let is_said = !["text", "csv"].contains(&format);
        let said = if is_said { other } else { "" };
        assert_eq!(listed(name, &["--format", "csv"], said), expected, "{name}");
    }
}

#[test]
fn short_flags_stand_for_long_ones() {
    let folder = folder(2, 100);
    for (short, long) in [
        ("-u", "--unique"),
        ("-c", "--count"),
        ("-j1", "--threads=1"),
        ("-ftsv", "--output-format=tsv"),
    ] {
        let expected = extract(&folder, &[long]);
        assert!(expected.code == Some(0) && !expected.stdout.is_empty());
        assert!(extract(&folder, &[short]) == expected, "{short}");
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

#[cfg(not(feature = "tables"))]
#[test]
fn how_to_get_tables_is_said() {
    let folder = Folder::of(&[("a.txt", "http://a.example/")]);
    for format in ["parquet", "arrow"] {
        let ran = extract(&folder, &["--output-format", format, "a.txt"]);
        assert_eq!((ran.code, &*ran.stdout), (Some(2), &b""[..]));
        let how = "cargo install urlint --features tables";
        assert!(ran.stderr.contains(how), "{}", ran.stderr);
    }
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
    assert_eq!(hosts[0], "2 (none)");
    assert!(hosts.contains(&"1 localhost".to_owned()), "{hosts:?}");
    let expected = [
        "2 example.co.uk",
        "2 (none)",
        "1 localhost",
        "1 192.0.2.1",
        "1 192.0.2.2",
        "1 [::1]",
        "1 x.github.io",
    ];
    assert_eq!(grouped("domain"), expected);
}
