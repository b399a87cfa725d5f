//! Which configuration file applies to which file, and the settings that override it.

use std::fs::{self, File};
use std::path::Path;

use tempfile::TempDir;

use crate::support::command::{self, Folder, Ran, urlint};

/// Breaks each of these rules once; the last one by default.
const TEXT: &str = "<URL:HTTP://A.example/^x>";
const NORMAL: &str = "not-normal";
const EXAMPLE: &str = "host-not-public";
const UNSAFE: &str = "unsafe-character";

/// Files with their contents, besides `note.txt` and `sub/note.txt`, which have [`TEXT`].
type Files = &'static [(&'static str, &'static str)];

const SELECT_NORMAL: &str = "select = ['not-normal']";
const SELECT_EXAMPLE: &str = "select = ['host-not-public']";
const PYPROJECT: &str = "[tool.urlint]\nselect = ['host-not-public']";
const OTHER_PYPROJECT: &str = "[tool.other]\nselect = 1";

struct Run {
    code: Option<i32>,
    /// Each diagnostic as `path: rule`, `!` behind it if it is an error.
    found: Vec<String>,
    stderr: String,
}

/// Runs `urlint check` with `args` in the folder `at` of a new one with these files.
fn check(files: Files, at: &str, args: &[&str]) -> Run {
    let texts = [("note.txt", TEXT), ("sub/note.txt", TEXT)];
    let folder = Folder::of(&[files, &texts].concat());
    run(&folder.path().join(at), args)
}

fn run(at: &Path, args: &[&str]) -> Run {
    fs::write(at.join(".stdin"), TEXT).unwrap();
    let output = urlint(&["check", "--output-format", "json-lines", "--quiet"])
        .args(args)
        .current_dir(at)
        .stdin(File::open(at.join(".stdin")).unwrap())
        .output();
    let ran = Ran::from(output.unwrap());
    let lines = ran.json().into_iter().map(|line| {
        let mark = if line["severity"] == "error" { "!" } else { "" };
        let (path, rule) = (&line["path"], &line["rule"]);
        format!(
            "{}: {}{mark}",
            path.as_str().unwrap(),
            rule.as_str().unwrap()
        )
    });
    Run {
        code: ran.code,
        found: lines.collect(),
        stderr: ran.stderr,
    }
}

/// The name of the case, the files, the current folder, arguments, and the rules that report.
type Case = (
    &'static str,
    Files,
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
);

/// The rule that reports in a single file tells which configuration has won.
#[test]
fn precedence_of_settings() {
    let cases: &[Case] = &[
        ("nothing is configured", &[], "", &["note.txt"], &[UNSAFE]),
        (
            "a file in the folder",
            &[("urlint.toml", SELECT_NORMAL)],
            "",
            &["note.txt"],
            &[NORMAL],
        ),
        (
            "the hidden one comes first",
            &[
                ("urlint.toml", SELECT_NORMAL),
                (".urlint.toml", SELECT_EXAMPLE),
            ],
            "",
            &["note.txt"],
            &[EXAMPLE],
        ),
        (
            "pyproject.toml comes last",
            &[
                ("urlint.toml", SELECT_NORMAL),
                ("pyproject.toml", PYPROJECT),
            ],
            "",
            &["note.txt"],
            &[NORMAL],
        ),
        (
            "pyproject.toml",
            &[("pyproject.toml", PYPROJECT)],
            "",
            &["note.txt"],
            &[EXAMPLE],
        ),
        (
            "a pyproject.toml that says nothing is passed by",
            &[
                ("urlint.toml", SELECT_NORMAL),
                ("sub/pyproject.toml", OTHER_PYPROJECT),
            ],
            "",
            &["sub/note.txt"],
            &[NORMAL],
        ),
        (
            "even a broken one",
            &[
                ("urlint.toml", SELECT_NORMAL),
                ("sub/pyproject.toml", "[tool.other]\nx = \n"),
            ],
            "",
            &["sub/note.txt"],
            &[NORMAL],
        ),
        (
            "a file further up",
            &[("urlint.toml", SELECT_NORMAL)],
            "",
            &["sub/note.txt"],
            &[NORMAL],
        ),
        (
            "above the current folder",
            &[("urlint.toml", SELECT_NORMAL)],
            "sub",
            &["note.txt"],
            &[NORMAL],
        ),
        (
            "the nearest, and no other",
            &[
                (
                    "urlint.toml",
                    "ignore = ['unsafe-character']\nextend-select = ['not-normal']",
                ),
                ("sub/urlint.toml", ""),
            ],
            "",
            &["sub/note.txt"],
            &[UNSAFE],
        ),
        (
            "that of the file, not of the current folder",
            &[
                ("sub/urlint.toml", SELECT_NORMAL),
                ("urlint.toml", SELECT_EXAMPLE),
            ],
            "sub",
            &["../note.txt"],
            &[EXAMPLE],
        ),
        (
            "extended: both",
            &[
                ("urlint.toml", "extend-select = ['not-normal']"),
                (
                    "sub/urlint.toml",
                    "extend = '../urlint.toml'\nignore = ['unsafe-character']",
                ),
            ],
            "",
            &["sub/note.txt"],
            &[NORMAL],
        ),
        (
            "extended: the nearer wins",
            &[
                ("urlint.toml", SELECT_NORMAL),
                (
                    "sub/urlint.toml",
                    "extend = '../urlint.toml'\nselect = ['host-not-public']",
                ),
            ],
            "",
            &["sub/note.txt"],
            &[EXAMPLE],
        ),
        (
            "extended: a pyproject.toml",
            &[
                ("pyproject.toml", PYPROJECT),
                ("sub/urlint.toml", "extend = '../pyproject.toml'"),
            ],
            "",
            &["sub/note.txt"],
            &[EXAMPLE],
        ),
        (
            "--config FILE instead of what is found",
            &[
                ("urlint.toml", SELECT_NORMAL),
                ("x.toml", "extend-select = ['host-not-public']"),
            ],
            "",
            &["--config", "x.toml", "note.txt"],
            &[EXAMPLE, UNSAFE],
        ),
        (
            "what --config FILE extends is beside it",
            &[
                ("sub/y.toml", SELECT_NORMAL),
                ("sub/x.toml", "extend = 'y.toml'"),
            ],
            "",
            &["--config", "sub/x.toml", "note.txt"],
            &[NORMAL],
        ),
        (
            "--config KEY=VALUE wins over a file",
            &[("urlint.toml", SELECT_NORMAL)],
            "",
            &["--config", SELECT_EXAMPLE, "note.txt"],
            &[EXAMPLE],
        ),
        (
            "over --config FILE too, whatever comes first",
            &[("x.toml", SELECT_NORMAL)],
            "",
            &["--config", SELECT_EXAMPLE, "--config", "x.toml", "note.txt"],
            &[EXAMPLE],
        ),
        (
            "the last --config KEY=VALUE wins",
            &[],
            "",
            &[
                "--config",
                SELECT_EXAMPLE,
                "--config",
                SELECT_NORMAL,
                "note.txt",
            ],
            &[NORMAL],
        ),
        (
            "a flag wins over all",
            &[("urlint.toml", SELECT_NORMAL)],
            "",
            &["--config", SELECT_NORMAL, "--select", EXAMPLE, "note.txt"],
            &[EXAMPLE],
        ),
        (
            "a flag wins over what a file ignores",
            &[("urlint.toml", "ignore = ['host-not-public']")],
            "",
            &["--select", EXAMPLE, "note.txt"],
            &[EXAMPLE],
        ),
        (
            "a flag adds to what a file selects",
            &[("urlint.toml", SELECT_NORMAL)],
            "",
            &["--extend-select", EXAMPLE, "note.txt"],
            &[NORMAL, EXAMPLE],
        ),
        (
            "--isolated",
            &[("urlint.toml", SELECT_NORMAL)],
            "",
            &["--isolated", "note.txt"],
            &[UNSAFE],
        ),
        (
            "--isolated with --config KEY=VALUE",
            &[("urlint.toml", SELECT_NORMAL)],
            "",
            &["--isolated", "--config", SELECT_EXAMPLE, "note.txt"],
            &[EXAMPLE],
        ),
        (
            "standard input",
            &[("urlint.toml", SELECT_NORMAL)],
            "",
            &["-"],
            &[NORMAL],
        ),
        (
            "standard input that goes by a name",
            &[("sub/urlint.toml", SELECT_NORMAL)],
            "",
            &["-", "--stdin-filename", "sub/x"],
            &[NORMAL],
        ),
        (
            "of a folder that is not there",
            &[("sub/urlint.toml", SELECT_NORMAL)],
            "",
            &["-", "--stdin-filename", "sub/none/x"],
            &[NORMAL],
        ),
        (
            "a severity selects",
            &[(
                "urlint.toml",
                "severity = { not-normal = 'warning', unsafe-character = 'off' }",
            )],
            "",
            &["note.txt"],
            &[NORMAL],
        ),
        (
            "a minimum of its own",
            &[(
                "urlint.toml",
                "extend-select = ['not-normal']\nmin-severity = 'warning'",
            )],
            "",
            &["note.txt"],
            &[UNSAFE],
        ),
        (
            "a flag wins over the minimum",
            &[(
                "urlint.toml",
                "extend-select = ['not-normal']\nmin-severity = 'error'",
            )],
            "",
            &["--min-severity", "hint", "note.txt"],
            &[NORMAL, UNSAFE],
        ),
        (
            "patterns are relative to their file",
            &[
                ("urlint.toml", "[per-file-ignores]\n'sub/*.txt' = ['ALL']"),
                ("sub/urlint.toml", "extend = '../urlint.toml'"),
            ],
            "",
            &["sub/note.txt"],
            &[],
        ),
        (
            "and not to one that extends it",
            &[
                ("urlint.toml", "[per-file-ignores]\n'/note.txt' = ['ALL']"),
                ("sub/urlint.toml", "extend = '../urlint.toml'"),
            ],
            "",
            &["sub/note.txt"],
            &[UNSAFE],
        ),
        (
            "an entry takes the place of the same one",
            &[("urlint.toml", "[per-file-ignores]\n'*.txt' = ['ALL']")],
            "",
            &["--config", "per-file-ignores.'*.txt' = []", "note.txt"],
            &[UNSAFE],
        ),
        (
            "URLs of which nothing is said",
            &[("urlint.toml", "ignore-urls = ['HTTP://A.example']")],
            "",
            &["note.txt"],
            &[],
        ),
        (
            "which another file may take back",
            &[("urlint.toml", "ignore-urls = ['HTTP://A.example']")],
            "",
            &["--config", "ignore-urls = []", "note.txt"],
            &[UNSAFE],
        ),
    ];
    for (name, files, at, args, expected) in cases {
        let ran = check(files, at, args);
        let rules = ran.found.iter().map(|found| {
            let (_, rule) = found.split_once(": ").unwrap();
            rule.trim_end_matches('!')
        });
        assert_eq!(
            rules.collect::<Vec<_>>(),
            *expected,
            "{name}: {}",
            ran.stderr
        );
        assert_eq!(ran.stderr, "", "{name}");
    }
}

#[test]
fn each_folder_has_its_own() {
    let files = &[
        ("urlint.toml", "exclude = ['skip', '*.log', '!kept.log']"),
        (
            "sub/urlint.toml",
            "severity = { unsafe-character = 'hint' }",
        ),
        ("sub/skip/note.txt", TEXT),
        ("skip/note.txt", TEXT),
        ("a.log", TEXT),
        ("kept.log", TEXT),
    ];
    let all = [
        "kept.log: unsafe-character!",
        "note.txt: unsafe-character!",
        "sub/note.txt: unsafe-character",
        "sub/skip/note.txt: unsafe-character",
    ];
    assert_eq!(check(files, "", &["."]).found, all);
    let named = check(files, "", &["skip", "skip/note.txt", "a.log"]);
    assert_eq!(
        named.found,
        [
            "skip/note.txt: unsafe-character!",
            "a.log: unsafe-character!"
        ]
    );
    let forced = check(
        files,
        "",
        &["--force-exclude", "skip/note.txt", "a.log", "kept.log"],
    );
    assert_eq!(forced.found, ["kept.log: unsafe-character!"]);
    let flag = check(
        files,
        "",
        &[
            "--force-exclude",
            "--exclude",
            "sub",
            "sub/note.txt",
            "kept.log",
        ],
    );
    assert_eq!(flag.found, ["kept.log: unsafe-character!"]);
    let stdin = check(
        files,
        "",
        &["--force-exclude", "--stdin-filename", "x.log", "-"],
    );
    assert_eq!((stdin.found.len(), stdin.code), (0, Some(0)));
}

#[test]
fn a_mistake_stops_only_the_files_that_it_is_about() {
    let files = &[
        ("sub/urlint.toml", "selct = []"),
        ("sub/more/note.txt", TEXT),
    ];
    let ran = check(files, "", &["."]);
    assert_eq!(ran.found, ["note.txt: unsafe-character!"]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(
        ran.stderr.matches("unknown key `selct`").count(),
        1,
        "{}",
        ran.stderr
    );
    // The configuration of the current folder chooses the output, so the run cannot begin.
    let ran = check(files, "sub", &["../note.txt"]);
    assert_eq!((ran.found.len(), ran.code), (0, Some(2)));
}

#[test]
fn files_that_cannot_be_extended() {
    let cases: &[(Files, &str)] = &[
        (
            &[("urlint.toml", "extend = 'urlint.toml'")],
            "`urlint.toml` extends itself",
        ),
        (
            &[
                ("urlint.toml", "extend = 'a.toml'"),
                ("a.toml", "extend = './sub/../urlint.toml'"),
            ],
            "extends itself",
        ),
        (
            &[("urlint.toml", "extend = 'none.toml'")],
            "`none.toml`: No such file",
        ),
        (
            &[("urlint.toml", "extend = 'sub'")],
            "`sub`: not a regular file",
        ),
        (
            &[
                ("urlint.toml", "extend = 'pyproject.toml'"),
                ("pyproject.toml", OTHER_PYPROJECT),
            ],
            "`pyproject.toml` has no `[tool.urlint]`",
        ),
        (
            &[
                ("urlint.toml", "deep = true\nextend = 'a.toml'"),
                ("a.toml", "rejoin = 1"),
            ],
            "a.toml:1:10",
        ),
        (
            &[
                ("urlint.toml", "deep = 1\nextend = 'a.toml'"),
                ("a.toml", "rejoin = 1"),
            ],
            "urlint.toml:1:8",
        ),
    ];
    for (files, expected) in cases {
        let ran = check(files, "", &["note.txt"]);
        assert_eq!(ran.code, Some(2));
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    }
    let folder = TempDir::new().unwrap();
    for i in 0..20 {
        let text = format!("extend = '{}.toml'", i + 1);
        fs::write(folder.path().join(format!("{i}.toml")), text).unwrap();
    }
    let ran = run(folder.path(), &["--config", "0.toml", "-"]);
    assert!(ran.stderr.contains("more than 16 files"), "{}", ran.stderr);
}

#[test]
fn unusable_configuration_files() {
    static COMMENT: [u8; 2 << 20] = [b'#'; 2 << 20];
    let folder = TempDir::new().unwrap();
    let cases: [(&[u8], &str); 3] = [
        (b"\xff = 1", "urlint: urlint.toml: line 1 is not UTF-8\n"),
        (
            &COMMENT,
            "urlint: urlint.toml: a configuration file cannot be longer than 1 MiB\n",
        ),
        (b"\xef\xbb\xbfdeep = 1", "error: `deep`: invalid type"),
    ];
    for (text, expected) in cases {
        fs::write(folder.path().join("urlint.toml"), text).unwrap();
        let ran = run(folder.path(), &["-"]);
        assert_eq!(ran.code, Some(2));
        assert!(ran.stderr.starts_with(expected), "{}", ran.stderr);
    }
    fs::remove_file(folder.path().join("urlint.toml")).unwrap();
    fs::create_dir(folder.path().join("urlint.toml")).unwrap();
    let ran = run(folder.path(), &["-"]);
    let expected = "urlint: urlint.toml: not a regular file\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(2), expected));
}

#[cfg(unix)]
#[test]
fn a_folder_need_not_be_utf_8() {
    use std::os::unix::ffi::OsStrExt;

    let folder = TempDir::new().unwrap();
    let folder = folder.path().join(std::ffi::OsStr::from_bytes(b"a\xff"));
    fs::create_dir(&folder).unwrap();
    let text = "baseline = 'known.json'\noutput-format = ['full', 'json=out.json']";
    fs::write(folder.join("urlint.toml"), text).unwrap();
    let mut shown = urlint(&["check", "--show-settings", "."]);
    let ran = Ran::from(shown.current_dir(&folder).output().unwrap());
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let text = ran.text();
    for end in ["a\u{fffd}/known.json\"", "a\u{fffd}/out.json\","] {
        assert!(text.contains(end), "{text}");
    }
}

#[cfg(unix)]
#[test]
fn links_lead_to_where_the_file_is() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir_all(path("real/sub")).unwrap();
    fs::write(path("real/urlint.toml"), SELECT_NORMAL).unwrap();
    fs::write(path("real/sub/note.txt"), TEXT).unwrap();
    std::os::unix::fs::symlink(path("real/sub"), path("link")).unwrap();
    let ran = run(folder.path(), &["link/note.txt"]);
    assert_eq!(ran.found, ["link/note.txt: not-normal"]);
}

#[test]
fn reading_is_configured_for_extract_too() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("a.x"), "x-own:thing www.example.com/\n").unwrap();
    fs::write(folder.path().join("b.y"), "http://a.example/\n").unwrap();
    let text =
        "schemes = ['x-own']\nschemeless = true\nexclude = ['*.y']\n[types]\n'*.x' = 'plain'";
    fs::write(folder.path().join(".urlint.toml"), text).unwrap();
    let ran = command::run(folder.path(), &["extract", "."], b"");
    assert_eq!(ran.text(), "x-own:thing\nwww.example.com/\n");
}
