//! The command line from outside: the transcripts of `fixtures/cli`, and tests that a transcript cannot
//! express: of bytes, pipes and folders.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::support::command::{Folder, Ran, URLINT, piped, urlint};
use crate::support::transcripts;

fn run(args: &[&str], stdin: &[u8]) -> Ran {
    Folder::new().run(args, stdin)
}

/// Flags that few people need are not in the way of the others.
#[test]
fn advanced_flags_are_shown_by_long_help_alone() {
    let advanced = [
        ("check", &["--threads", "--max-ratio", "--max-size"][..]),
        (
            "extract",
            &[
                "--threads",
                "--max-ratio",
                "--max-size",
                "--memory",
                "--context-chars",
            ],
        ),
    ];
    for (command, flags) in advanced {
        let help = |flag: &str| Folder::new().run(&[command, flag], b"").text();
        let long = help("--help");
        let (others, last) = long.split_once("\nAdvanced:\n").unwrap();
        let short = help("-h");
        for flag in flags {
            let is_shown = |text: &str| text.contains(&format!("{flag} <"));
            assert!(is_shown(last) && !is_shown(others) && !is_shown(&short));
        }
        assert!(!short.contains("Advanced"), "{short}");
    }
}

/// Each file has its commands run in a copy of the folder `NAME.in`, which is then the same as `NAME.out`, or in the
/// root of the repository.
#[test]
fn transcripts() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut wrong = Vec::new();
    let files = fs::read_dir(root.join("fixtures/cli")).unwrap();
    let files = files.map(|file| file.unwrap().path());
    for file in files.filter(|path| path.extension().is_some_and(|end| end == "md")) {
        let (before, after) = (file.with_extension("in"), file.with_extension("out"));
        if !before.exists() {
            wrong.extend(transcripts::differences(&file, root));
            continue;
        }
        let folder = Folder::new();
        for (name, bytes) in files_below(&before) {
            folder.write(&name, bytes);
        }
        wrong.extend(transcripts::differences(&file, folder.path()));
        if after.exists() {
            assert_eq!(
                files_below(folder.path()),
                files_below(&after),
                "{}",
                after.display()
            );
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns the files below `folder`, with their contents.
fn files_below(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_str().unwrap();
                found.insert(name.to_owned(), fs::read(&path).unwrap());
            }
        }
    }
    found
}

#[test]
fn the_sample_shows_what_it_is_for() {
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/sample.txt");
    let ran = run(&["extract", sample], b"");
    let expected = [
        "https://lists.example.org/archive/1994/12/minutes.html?id=42?page=3",
        "ftp://ada:marie1815@ftp.example.org/pub/slides.ps.gz",
        "http://www.exаmple.org/login",
        "http://www-archive.example.org/history/overview.html",
        "ftp://ftp.example.org:/pub/talks/1994/",
    ];
    let urls = ran.text();
    for (url, expected) in urls.lines().zip(expected) {
        assert!(url.starts_with(expected), "{url}");
    }
    let ran = run(&["check", sample], b"");
    assert_eq!(ran.code, Some(1));
    assert!(ran.text().contains("warning[empty-port]"));
}

#[test]
fn folders_are_read_in_the_order_of_paths() {
    let folder = Folder::new();
    for name in [
        "b.txt", "a/z.txt", "a.txt", "a/b/c", ".hidden", "x.log", "skip/y",
    ] {
        folder.write(name, format!("http://{name}/"));
    }
    folder.write(".gitignore", "*.log\n");
    folder.write(".git/config", "http://git/");
    folder.write("binary", b"http://binary/ \0");
    let cases: [(&[&str], &str); 7] = [
        (&[], "a/b/c a/z.txt a.txt b.txt skip/y"),
        (&["--exclude", "skip", "--exclude", "*.txt"], "a/b/c"),
        (&["--hidden"], ".hidden a/b/c a/z.txt a.txt b.txt skip/y"),
        (
            &["--no-ignore", "."],
            "a/b/c a/z.txt a.txt b.txt skip/y x.log",
        ),
        (&["binary", "x.log", "a"], "x.log a/b/c a/z.txt"),
        (&["--type", "plain", "binary", "a"], "binary a/b/c a/z.txt"),
        (&["b.txt", "b.txt"], "b.txt b.txt"),
    ];
    for (args, expected) in cases {
        let args = [&["extract"], args].concat();
        let ran = folder.run(&args, b"");
        let urls = ran.text().replace("http://", "").replace("/\n", " ");
        assert_eq!(urls.trim_end(), expected, "{args:?}");
        // A check of a file that is not text must not pass in CI.
        let is_refused = args.contains(&"binary") && !args.contains(&"plain");
        assert_eq!(ran.code, Some(if is_refused { 2 } else { 0 }), "{args:?}");
    }
}

#[test]
fn unreadable_files_do_not_stop_the_others() {
    let folder = Folder::new();
    folder.write("fine", "http://a.example/");
    let ran = folder.run(
        &[
            "extract",
            "missing",
            "fine",
            "no\x1b[31m",
            "--output-format",
            "json-lines",
        ],
        b"",
    );
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.json().len(), 1);
    let messages: Vec<_> = ran.stderr.lines().collect();
    assert_eq!(messages.len(), 3, "{messages:?}");
    assert!(messages[0].starts_with("urlint: missing: "), "{messages:?}");
    let summary = "2 inputs could not be read, or not to the end: the messages above say why.";
    assert_eq!(messages[2], summary);
    assert!(!ran.stderr.contains('\x1b'), "{messages:?}");
    let ran = folder.run(&["check", "missing", "--quiet"], b"");
    assert_eq!(ran.code, Some(2));
}

#[cfg(unix)]
#[test]
fn links() -> io::Result<()> {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let folder = Folder::new();
    let file = folder.write("d/file", "http://a.example/");
    symlink("d/file", folder.path().join("link"))?;
    symlink("nowhere", folder.path().join("dangling"))?;
    symlink("..", folder.path().join("d/loop"))?;
    let ran = folder.run(&["extract"], b"");
    assert_eq!(
        (ran.code, ran.text().as_str()),
        (Some(0), "http://a.example/\n")
    );
    let ran = folder.run(&["extract", "link", "dangling"], b"");
    assert_eq!(
        (ran.code, ran.text().as_str()),
        (Some(2), "http://a.example/\n")
    );
    // The superuser can read it all the same.
    fs::set_permissions(&file, fs::Permissions::from_mode(0o000))?;
    if fs::File::open(&file).is_err() {
        let ran = folder.run(&["extract"], b"");
        assert_eq!((ran.code, ran.text().as_str()), (Some(2), ""));
        assert!(ran.stderr.starts_with("urlint: d/file: "), "{}", ran.stderr);
    }
    Ok(())
}

#[test]
fn nothing_to_read_is_said() {
    let ran = run(&["check"], b"");
    assert_eq!(
        (ran.code, ran.stderr.as_str()),
        (
            Some(0),
            "urlint: no files checked: -v lists any that were skipped\n"
        )
    );
    let ran = run(&["check", "--quiet"], b"");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let ran = run(&["check", "-"], b"");
    assert_eq!((ran.code, ran.text().as_str()), (Some(0), ""));
}

#[test]
fn standard_input_has_a_name() {
    let args = [
        "check",
        "-",
        "--select",
        "encoding",
        "--output-format",
        "json-lines",
    ];
    let text = b"<URL:http://a.example/^x>";
    let ran = run(&args, text);
    assert_eq!(ran.code, Some(1));
    assert_eq!(ran.json()[0]["path"], "-");
    let ran = run(&[&args[..], &["--stdin-filename", "mail/7"]].concat(), text);
    assert_eq!(ran.json()[0]["path"], "mail/7");
}

#[test]
fn any_bytes_are_read() {
    let text =
        b"\xff\xfd\0 \xe9 <URL:http://a.example/\xff^x>\r\n\x1b[31m <URL:http://a.example/\x1b{>\r";
    let ran = run(
        &[
            "check",
            "-",
            "--select",
            "unsafe-character",
            "--output-format",
            "json-lines",
        ],
        text,
    );
    let found = ran.json();
    assert_eq!(found.len(), 2, "{}", ran.text());
    let place =
        |value: &Value| [&value["start"], &value["line"], &value["column"]].map(Value::as_u64);
    assert_eq!(place(&found[0]), [Some(29), Some(1), Some(30)]);
    assert_eq!(place(&found[1]), [Some(63), Some(2), Some(30)]);
    for format in ["full", "concise", "json-lines"] {
        let ran = run(&["check", "-", "--output-format", format], text);
        assert_eq!(ran.code, Some(1));
        let shown = std::str::from_utf8(&ran.stdout).unwrap_or("\0");
        let harmful = |c: char| c.is_control() && c != '\n';
        assert!(!shown.contains(harmful), "{format}: {shown:?}");
    }
    // A list has the URLs of the input, byte for byte.
    let ran = run(&["extract", "-"], b"<URL:http://a.example/\xff>");
    assert_eq!(ran.stdout, b"http://a.example/\xff\n");
    let ran = run(
        &["extract", "-", "-0"],
        b"http://a.example/1 http://a.example/2",
    );
    assert_eq!(ran.stdout, b"http://a.example/1\0http://a.example/2\0");
    let ran = run(
        &["extract", "-", "--output-format", "json-lines"],
        b"<URL:http://a.example/\xff>",
    );
    assert_eq!(ran.json()[0]["url"], "http://a.example/\u{fffd}");
}

#[test]
fn check_never_shows_a_password() {
    let text = b"http://joe:hush1@a.example/ and <ftp://joe:hush2@b.example/> <URL:ftp://joe:hu\n  sh3@c.example/^{\n> or ftp://joe:hush4@d.example/^x <URL:telnet//joe:hush5@e.example>";
    for format in ["full", "concise", "json-lines"] {
        let ran = run(
            &["check", "-", "--select", "ALL", "--output-format", format],
            text,
        );
        assert_eq!(ran.code, Some(1));
        let shown = ran.text();
        for secret in ["hush1", "hush2", "hu\n", "sh3", "hush4", "hush5"] {
            assert!(!shown.contains(secret), "{secret} in {format}: {shown}");
        }
    }
    let ran = run(
        &["parse", "--redact", "--output-format", "json-lines"],
        b"http://joe:hush@a/\nx://joe:hush@a/\nftp:joe:hush@a",
    );
    assert!(!ran.text().contains("hush"), "{}", ran.text());
    let ran = run(&["extract", "-"], text);
    assert!(ran.text().contains("joe:hush1@"), "{}", ran.text());
}

/// A value of a URL that goes over two lines: near a fault or a fix, in the words around another URL, and in another
/// reading.
#[test]
fn the_value_of_a_secret_may_be_on_the_next_line() {
    for url in [
        "<http://a.example/?access_token=\nhush1hush2>",
        "<URL:http://a.example/?sig=hush1\nhush2>",
        "> <http://a.example/?token=\n> hush1>",
        "\"http://a.example/?sig=hush1-\nhush2\"",
    ] {
        // A fault is on the line before, and on the second line of the URL.
        let text = format!("<http://c.example:/y>\n{url} and <http://c.example:/z>\n");
        let folder = Folder::of(&[("a.txt", text)]);
        for args in [
            &["check", "--diff"][..],
            &["check", "--select", "ALL"],
            &[
                "extract",
                "--redact",
                "--fields",
                "url,context,alternatives",
            ],
        ] {
            let ran = folder.run(&[args, &["a.txt"]].concat(), b"");
            assert!(!ran.text().contains("hush"), "{args:?}: {}", ran.text());
            assert!(ran.text().contains("***"), "{args:?}: {}", ran.text());
        }
    }
}

#[test]
fn check_never_shows_a_part_of_a_password() {
    let formats = "full concise json json-lines sarif github gitlab junit";
    for text in [
        "see http://joe:hush1\nhush2@a.example/ or http://b.example/%zz\n",
        "> see http://joe:hush1/x,\n> hush2@a.example/^x and http://b.example/%zz\n",
        "http://a.example/http://joe:hush1 \r\n\r\n# hush2@a.example/^x http://b.example/%zz",
        "<http://joe:hush1\n\n\nhush2@a.example/^x> http://b.example/%zz",
    ] {
        for format in formats.split(' ') {
            for rejoin in ["never", "likely"] {
                let args = ["--select", "ALL", "--rejoin", rejoin];
                let args = [&["check", "-", "--output-format", format][..], &args].concat();
                let ran = run(&args, text.as_bytes());
                assert_eq!(ran.code, Some(1));
                let shown = ran.text();
                assert!(!shown.contains("hush"), "{format}: {shown}");
                assert!(shown.contains("b.example") || format != "full", "{shown}");
            }
        }
    }
    let ran = run(
        &["check", "--select", "ALL", "-"],
        b"gopher://a.example:port/\nor <URL:gopher://a.example:port/x\ny>\n",
    );
    assert!(!ran.text().contains("***"), "{}", ran.text());
    assert!(ran.text().contains("//a.example:port/"), "{}", ran.text());
    let ran = run(&["check", "-"], b"http://joe:hush\nhush@a.example/^x");
    let first = "error[bad-port]: the port `***` is not a number\n";
    assert!(ran.text().starts_with(first), "{}", ran.text());
}

#[test]
fn urls_to_parse_are_taken_as_they_are() {
    let lines = b"http://a.example/\r\n http://a.example/ \n\nhttp://a.example/\r";
    let urls =
        |ran: &Ran| -> Vec<_> { ran.json().iter().map(|line| line["url"].clone()).collect() };
    let ran = run(&["parse", "--output-format", "json-lines"], lines);
    assert_eq!(ran.code, Some(1));
    assert_eq!(
        urls(&ran),
        [
            "http://a.example/",
            " http://a.example/ ",
            "",
            "http://a.example/\r"
        ]
    );
    let ran = run(
        &["parse", "-0", "--output-format", "json-lines"],
        b"a\r\n\0\0b",
    );
    assert_eq!(urls(&ran), ["a\r\n", "", "b"]);
    let ran = run(&["parse"], b"");
    assert_eq!((ran.code, ran.text().as_str()), (Some(0), ""));
}

/// The judgement of a URL is the same wherever it occurs.
#[test]
fn parse_exits_as_check_does() {
    let urls = [
        "http://a.example/~x",
        "http://a.example/%zz",
        "http://u:p@a.example/",
        "http://a.example:22/",
        "http:/a.example/",
        "http:\\\\a.example\\x",
        "http://www.a.example@b.example/",
        "http://-a.b/",
        "http://1.2.3/",
        "http://a.example/#x",
        "HTTP://A.EXAMPLE/",
        "ftp://a.example/x;type=z",
        "mailto:a",
        "gopher://a.example/%00",
    ];
    for url in urls {
        for standard in ["rfc1738", "rfc3986", "whatwg"] {
            let text = format!("<URL:{url}>\n");
            let checked = run(&["check", "--standard", standard, "-"], text.as_bytes());
            let parsed = run(&["parse", "--standard", standard, url], b"");
            assert_eq!(parsed.code, checked.code, "{standard}: {url}");
        }
    }
}

#[cfg(unix)]
#[test]
fn arguments_need_not_be_utf_8() -> io::Result<()> {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let url = OsStr::from_bytes(b"http://a.example/\xff\xfe");
    let ran: Ran = urlint(&["parse", "--output-format", "json-lines"])
        .arg(url)
        .output()?
        .into();
    assert_eq!(ran.code, Some(1));
    assert_eq!(ran.json()[0]["url"], "http://a.example/\u{fffd}\u{fffd}");
    let folder = Folder::new();
    fs::write(
        folder.path().join(OsStr::from_bytes(b"n\xffn")),
        "http://a.example/",
    )?;
    let ran = folder.run(&["extract", "--output-format", "json-lines"], b"");
    assert_eq!(ran.json()[0]["path"], "n\u{fffd}n");
    Ok(())
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let folder = Folder::new();
    folder.write("many", "<URL:http://a.example/^x>\n".repeat(5000));
    for format in ["full", "concise", "json-lines"] {
        let mut command = urlint(&["check", "many", "--show", "all", "--output-format", format]);
        let mut child = piped(command.current_dir(folder.path()));
        let mut line = String::new();
        if let Some(stdout) = child.stdout.take() {
            BufReader::with_capacity(64, stdout)
                .read_line(&mut line)
                .unwrap();
        }
        let mut stderr = String::new();
        if let Some(mut pipe) = child.stderr.take() {
            pipe.read_to_string(&mut stderr).unwrap();
        }
        assert_eq!(
            (child.wait().unwrap().code(), stderr.as_str()),
            (Some(0), "")
        );
        assert!(!line.is_empty());
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_closed_standard_output_is_an_error() {
    let folder = Folder::of(&[("a.txt", "http://a.example:/")]);
    let run = |line: &str| {
        let mut shell = Command::new("sh");
        shell.current_dir(folder.path()).env("URLINT", URLINT);
        let ran: Ran = shell.args(["-c", line]).output().unwrap().into();
        (ran.code, ran.stderr)
    };
    let (code, message) = run("\"$URLINT\" extract a.txt >&-");
    assert_eq!(code, Some(2));
    assert_eq!(
        message,
        "urlint: cannot write the results: Bad file descriptor (os error 9)\n"
    );
    // Nothing goes there.
    assert_eq!(
        run("\"$URLINT\" extract -o list.txt a.txt >&-"),
        (Some(0), String::new())
    );
    assert_eq!(
        run("\"$URLINT\" extract a.txt 1<>/dev/null"),
        (Some(0), String::new())
    );
}

#[test]
fn each_input_is_read_once() {
    let folder = Folder::of(&[("a.txt", "http://a.example:/")]);
    let summary = |args: &[&str]| {
        let ran = folder.run(
            &[&["check", "-f", "concise"], args].concat(),
            b"http://b.example:/",
        );
        (
            ran.text().lines().count(),
            ran.stderr.lines().next().unwrap().to_owned(),
        )
    };
    let one = (1, "Found 1 warning in 1 file, 1 URL.".to_owned());
    assert_eq!(summary(&["a.txt", "a.txt", "./a.txt"]), one);
    assert_eq!(summary(&["-", "-"]), one);
    let (_, refused) = summary(&["--stdin-filename", "x.md", "a.txt"]);
    assert!(
        refused.contains("standard input, which is not read"),
        "{refused}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() -> io::Result<()> {
    let full = fs::OpenOptions::new().write(true).open("/dev/full")?;
    let ran: Ran = urlint(&["rule", "--all"]).stdout(full).output()?.into();
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.starts_with("urlint: cannot write the results: "),
        "{}",
        ran.stderr
    );
    Ok(())
}

#[test]
fn colour() -> io::Result<()> {
    let text = b"<URL:http://a.example/^x>";
    let plain = run(&["check", "-"], text);
    let always = run(&["check", "-", "--color", "always"], text);
    assert!(!plain.text().contains('\x1b'));
    assert!(always.text().contains("\x1b["));
    let folder = Folder::new();
    let path = folder.write("x", text);
    let forced = |variables: &[(&str, &str)], args: &[&str]| -> io::Result<bool> {
        let ran: Ran = urlint(args)
            .arg(&path)
            .envs(variables.iter().copied())
            .output()?
            .into();
        Ok(ran.text().contains("\x1b["))
    };
    assert!(forced(&[("FORCE_COLOR", "1")], &["check"])?);
    assert!(!forced(&[("FORCE_COLOR", "0")], &["check"])?);
    assert!(!forced(
        &[("FORCE_COLOR", "1"), ("NO_COLOR", "1")],
        &["check"]
    )?);
    assert!(!forced(
        &[("FORCE_COLOR", "1")],
        &["check", "--color", "never"]
    )?);
    Ok(())
}

#[test]
fn help_prints_what_the_flag_does() {
    for name in [
        "check",
        "extract",
        "parse",
        "rule",
        "help",
        "completions",
        "man",
    ] {
        let [help, flag] = [["help", name], [name, "--help"]].map(|args| run(&args, b""));
        assert_eq!((help.code, help.text()), (Some(0), flag.text()), "{name}");
        assert!(help.text().contains(&format!("\nUsage: urlint {name} ")));
    }
    let args = ["help", "check", "--color", "always"];
    assert!(run(&args, b"").text().contains('\x1b'));
}

#[test]
fn completions_know_rules_kinds_and_fields() {
    for shell in ["bash", "zsh", "fish"] {
        let script = run(&["completions", shell], b"").text();
        let count = |name| script.matches(name).count();
        // For `--select`, `--extend-select`, `--ignore`, `extract --rule` and `urlint rule`.
        assert!(count("userinfo-confusion") >= 4, "{shell}");
        assert!(count("asciidoc") >= 2, "{shell}");
        assert!(count("warc-target") >= 1, "{shell}");
        // In the help of `check -f`, and among its values.
        assert!(count("gitlab") >= 2, "{shell}");
    }
}

#[test]
fn help_prints_every_page() {
    let overview = run(&["help"], b"").text();
    for page in urlint::manual::PAGES {
        let line = format!("  {:<13}  {}\n", page.name, page.summary);
        assert!(overview.contains(&line), "{}", page.name);
        let ran = run(&["help", page.name], b"");
        assert_eq!(ran.code, Some(0), "{}", page.name);
        assert_eq!(ran.text(), page.text, "{}", page.name);
    }
}

#[test]
fn the_help_names_every_rule() -> io::Result<()> {
    let output = urlint(&["check", "--help"]).output()?;
    let help = String::from_utf8_lossy(&output.stdout);
    for rule in urlint::Rule::ALL {
        assert!(help.contains(rule.name()), "{rule}");
    }
    Ok(())
}

#[test]
fn mistyped_commands_have_tips() {
    let folder = Folder::of(&[("a.md", ""), ("d/b.md", "")]);
    for path in ["a.md", "d", "."] {
        let ran = folder.run(&[path, "--fix"], b"");
        let expected =
            format!("urlint: `{path}` is not a command; did you mean: urlint check {path}\n");
        assert_eq!((ran.code, ran.stderr), (Some(2), expected));
    }
    let url = folder.run(&["http://a.example/"], b"").stderr;
    assert!(
        url.ends_with("did you mean: urlint parse http://a.example/\n"),
        "{url}"
    );
    let proposed: [(&[&str], &str); 13] = [
        (
            &["extract", "--rejoin", "corroborated"],
            "`--rejoin likely`",
        ),
        (&["extract", "--fields", "url,witness"], "read by itself"),
        (&["check", "--offline", "."], "asks no servers"),
        (&["check", "--staged"], "`--baseline FILE`"),
        (&["check", "--since", "main"], "`--baseline FILE`"),
        (&["check", "--max-warnings", "0"], "`--min-severity error`"),
        (&["check", "--ignore-url", "x"], "`ignore-urls`"),
        (&["chek", "a.md"], "'check'"),
        (&["lint", "a.md"], "'check'"),
        (&["fix", "a.md"], "'check --fix'"),
        (&["check", "a.md", "--json"], "'--output-format json'"),
        (
            &["extract", "--json", "a.md"],
            "'--output-format json-lines'",
        ),
        (&["extract", "-f", "json", "a.md"], "'json-lines'"),
    ];
    for (args, expected) in proposed {
        let ran = folder.run(args, b"");
        assert_eq!((ran.code, ran.stdout.len()), (Some(2), 0));
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
        assert!(!ran.stderr.contains("json-field"), "{}", ran.stderr);
    }
    assert_eq!(
        folder.run(&["check", "--nothing", "a.md"], b"").code,
        Some(2)
    );
}

#[test]
fn warnings_about_documents_are_counted_unless_all_are_asked_for() {
    let message = "Content-Type: multipart/mixed; boundary=b\n\n--b\n\n<http://a.example/>\n";
    let folder = Folder::of(&[("a.eml", message), ("b.eml", message)]);
    for command in ["check", "extract"] {
        let ran = folder.run(&[command], b"");
        let counted = "2 warnings about documents: -v lists them.";
        assert_eq!(ran.stderr.lines().last(), Some(counted), "{command}");
        assert_eq!(ran.stderr.matches("warning").count(), 1, "{command}");
        let ran = folder.run(&[command, "-v"], b"");
        assert_eq!(ran.stderr.matches(": warning: ").count(), 2, "{command}");
        assert!(!ran.stderr.contains(counted));
        let ran = folder.run(&[command, "-q"], b"");
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    }
    assert_eq!(folder.run(&["check", "-q", "-v"], b"").code, Some(2));
}

#[test]
fn silence_is_no_proof_of_absence() {
    let folder = Folder::new();
    folder.write(
        "a.html",
        "<p>x <!-- http://a.example/ --><script>'http://b.example/'</script>",
    );
    folder.write("b.md", "see http://a.example/ and `http://b.example/`\n");
    for command in ["check", "extract"] {
        let said = folder.run(&[command, "-v", "--isolated", "."], b"").stderr;
        let notices: Vec<_> = said
            .lines()
            .filter(|line| line.contains("not read"))
            .collect();
        let expected = "urlint: a.html: warning: not read: `://` in comments, scripts and the like, 2 times (at byte 14)";
        assert_eq!(notices, [expected], "{command}");
        let quiet = folder.run(&[command, "--isolated", "."], b"").stderr;
        assert!(!quiet.contains("not read"), "{command}: {quiet}");
    }
}
