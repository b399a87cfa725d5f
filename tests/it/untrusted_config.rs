//! Checkouts of strangers: the files that a configuration file there makes urlint read, write, show and
//! wait for.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::command::{Folder, Ran, ended, urlint};

const TEXT: &str = "<URL:http://a.example/{>\n";
const LINE: &str =
    "note.txt:1:23: error[unsafe-character] `{` must be encoded in `http://a.example/{`\n";

/// A text that must not be shown. Each kind of file that has it leads to another kind of message.
const SECRET: &str = "TOPSECRET";

const SECRETS: [(&str, &str); 6] = [
    ("secret", "TOPSECRET"),
    ("secret.env", "root:TOPSECRET:0:0\nTOKEN=TOPSECRET\n"),
    (
        "secret.toml",
        "token = 'TOPSECRET'\nTOPSECRET = 1\ndeep = 1 # TOPSECRET\n",
    ),
    ("secret.json", "{\"version\":\"TOPSECRET\",\"TOPSECRET\":0}"),
    (
        "secret1.json",
        "{\"version\":1,\"diagnostics\":[\"TOPSECRET\"]}",
    ),
    ("secret2.json", "\"TOPSECRET\""),
];

/// Returns a folder with the secrets, and in it `here` with a text and these files.
fn checkout(files: &[(&str, &str)]) -> Folder {
    let folder = Folder::of(&SECRETS);
    folder.write("here/note.txt", TEXT);
    folder.write("here/sub/note.txt", TEXT);
    for (name, text) in files {
        folder.write(&format!("here/{name}"), text);
    }
    folder
}

/// Runs `urlint check` in `at`; it must end by itself.
fn check(folder: &Folder, at: &str, args: &[&str]) -> Ran {
    let mut command = urlint(&["check", "-q", "--show", "all", "--output-format", "concise"]);
    ended(command.args(args).current_dir(folder.path().join(at)))
}

/// The same with the output format that the configuration says.
fn check_as_configured(folder: &Folder, at: &str, args: &[&str]) -> Ran {
    let mut command = urlint(&["check", "-q"]);
    ended(command.args(args).current_dir(folder.path().join(at)))
}

/// The file or folder at a path.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Entry {
    Folder,
    File(Vec<u8>),
    Link(PathBuf),
    /// A pipe or something else that is not read.
    Other,
}

/// All that is below `folder`.
fn contents(folder: &Path) -> Vec<(PathBuf, Entry)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let (path, kind) = (entry.path(), entry.file_type().unwrap());
            let what = if kind.is_dir() {
                folders.push(path.clone());
                Entry::Folder
            } else if kind.is_file() {
                Entry::File(fs::read(&path).unwrap())
            } else if kind.is_symlink() {
                Entry::Link(fs::read_link(&path).unwrap())
            } else {
                Entry::Other
            };
            found.push((path, what));
        }
    }
    found.sort();
    found
}

/// The configuration is refused with `expected`, nothing is written, and nothing is shown.
fn is_refused(folder: &Folder, expected: &str) {
    let before = contents(folder.path());
    let ran = check_as_configured(folder, "here", &["note.txt"]);
    let shown = format!("{}{}", ran.text(), ran.stderr);
    assert_eq!(ran.code, Some(2), "{shown}");
    assert!(shown.contains(expected), "{expected}: {shown}");
    assert!(!shown.contains(SECRET), "{shown}");
    assert!(contents(folder.path()) == before, "{shown}");
}

#[test]
fn other_files_are_out_of_reach() {
    let outside = "is outside of the folder of this file";
    let folder = checkout(&[]);
    let absolute = |name: &str| folder.path().join(name).display().to_string();
    for (text, expected) in [
        (
            "extend = '../secret'",
            "is outside of the folder and the repository of this file",
        ),
        ("extend = '../secret.env'", "`--config`"),
        ("extend = '../secret.toml'", "urlint.toml:1:10"),
        (
            "extend = 'sub/../../secret.toml'",
            "is outside of the folder",
        ),
        (
            "extend = 'none/../../secret.toml'",
            "`none/../../secret.toml`",
        ),
        ("extend = '../none.toml'", "is outside of the folder"),
        ("extend = '.git/config'", "is outside of the folder"),
        ("baseline = '../secret'", outside),
        ("baseline = '../secret.json'", "urlint.toml:1:12"),
        ("baseline = '../none.json'", outside),
        ("baseline = '.GIT/x.json'", outside),
        ("output-format = 'json=../new.json'", outside),
        (
            "output-format = ['full', 'json=../secret.json']",
            "urlint.toml:1:17",
        ),
        ("output-format = 'json=new/../../new.json'", "No such file"),
        ("output-format = 'json=.git/hooks/new'", outside),
        ("output-format = 'json=sub/.hg/hgrc'", outside),
        ("output-format = 'json=sub'", "not a regular file"),
    ] {
        folder.write("here/urlint.toml", text);
        is_refused(&folder, expected);
    }
    for name in ["secret", "secret.toml"] {
        for (key, format) in [("extend", ""), ("baseline", ""), ("output-format", "json=")] {
            let text = format!("{key} = '{format}{}'", absolute(name));
            folder.write("here/urlint.toml", text);
            is_refused(&folder, "is outside of");
        }
    }
    // A pyproject.toml is no different.
    fs::remove_file(folder.path().join("here/urlint.toml")).unwrap();
    folder.write(
        "here/pyproject.toml",
        "[tool.urlint]\nextend = '../secret.env'",
    );
    is_refused(&folder, "pyproject.toml:2:10");
}

#[test]
fn contents_of_checked_out_files_are_not_shown() {
    for (name, text) in SECRETS {
        let folder = checkout(&[(name, text)]);
        for key in ["extend", "baseline"] {
            folder.write("here/urlint.toml", format!("{key} = '{name}'"));
            is_refused(&folder, name);
        }
    }
    let folder = checkout(&[
        ("secret.toml", SECRETS[2].1),
        ("urlint.toml", "extend = 'secret.toml'"),
    ]);
    is_refused(
        &folder,
        "secret.toml: it has an error in line 1, column 1; to see the error, name it with `--config`",
    );
    // Who names it sees it.
    let ran = check(&folder, "here", &["--config", "urlint.toml", "note.txt"]);
    assert!(ran.stderr.contains("unknown key `token`"), "{}", ran.stderr);
    // One that is urlint's is shown, so that it can be mended.
    folder.write("here/secret.toml", "dep = true");
    let ran = check(&folder, "here", &["note.txt"]);
    assert!(
        ran.stderr.contains("did you mean `deep`?"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("1 | dep = true"), "{}", ran.stderr);
    folder.write("here/base.urlint.toml", "nonsense");
    folder.write("here/urlint.toml", "extend = 'base.urlint.toml'");
    let ran = check(&folder, "here", &["note.txt"]);
    assert!(ran.stderr.contains("1 | nonsense"), "{}", ran.stderr);
}

#[test]
fn a_configuration_that_is_named_reaches_everywhere() {
    let folder = checkout(&[(
        "urlint.toml",
        "extend = '../base.toml'\nbaseline = '../known.json'\noutput-format = 'concise=../out'",
    )]);
    folder.write("base.toml", "exclude = ['sub']");
    folder.write("known.json", r#"{"version":1,"diagnostics":[]}"#);
    is_refused(&folder, "`../known.json`: it is outside of the folder");
    let ran = check_as_configured(&folder, "here", &["--config", "urlint.toml"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), ""));
    assert_eq!(folder.read("out"), LINE);
    fs::remove_file(folder.path().join("here/urlint.toml")).unwrap();
    let pair = "output-format = 'concise=../other'";
    let ran = check_as_configured(&folder, "here", &["--config", pair, "note.txt"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), ""));
    assert_eq!(folder.read("other"), LINE);
}

#[test]
fn honest_configurations_work() {
    const SEES_NONE: &str = "ignore = ['unsafe-character']";
    let found = |files: &[(&str, &str)], at: &str| {
        let folder = checkout(files);
        let ran = check(&folder, at, &["note.txt"]);
        assert_eq!(ran.stderr, "", "{files:?}");
        ran.code
    };
    // The file of a folder above would be found as well.
    for (name, text) in [
        ("urlint.toml", SEES_NONE),
        (".urlint.toml", SEES_NONE),
        (
            "pyproject.toml",
            "[tool.urlint]\nignore = ['unsafe-character']",
        ),
    ] {
        let extend = format!("extend = '../{name}'");
        let files = [(name, text), ("sub/urlint.toml", &extend)];
        assert_eq!(found(&files, "here/sub"), Some(0), "{name}");
    }
    // Any file of the repository, though it is not above.
    for git in [".git/HEAD", ".git", ".jj/repo", ".hg/requires"] {
        let files = [
            (git, ""),
            ("config/base.toml", SEES_NONE),
            ("sub/urlint.toml", "extend = '../config/base.toml'"),
        ];
        assert_eq!(found(&files, "here/sub"), Some(0), "{git}");
    }
    // Paths are relative to the file that has them, which may be in a folder above.
    let folder = checkout(&[
        (
            "urlint.toml",
            "baseline = 'known.json'\noutput-format = 'concise=new/out'",
        ),
        ("known.json", r#"{"version":1,"diagnostics":[]}"#),
        ("sub/urlint.toml", "extend = '../urlint.toml'"),
    ]);
    let ran = check_as_configured(&folder, "here/sub", &["note.txt"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), ""));
    assert_eq!(folder.read("here/new/out"), LINE);
    // Files of a submodule are in a repository of their own.
    let folder = checkout(&[
        (".git/HEAD", ""),
        ("base.toml", SEES_NONE),
        ("sub/.git", "gitdir: ../.git/modules/sub"),
        ("sub/urlint.toml", "extend = '../base.toml'"),
    ]);
    let ran = check(&folder, "here/sub", &["note.txt"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr
            .contains("is outside of the folder and the repository of this file")
    );
}

#[test]
fn any_configuration_terminates() {
    let list = |count: usize, item: &dyn Fn(usize) -> String| {
        (0..count).map(item).collect::<Vec<_>>().join(",")
    };
    let long = "a".repeat(1_000_000);
    let cases: &[(String, &str)] = &[
        (format!("{long} = 1"), "unknown key `aaaa"),
        (
            format!("ignore = ['{long}']"),
            "unknown rule or group `aaaa",
        ),
        (
            format!("severity.{long} = 1"),
            "unknown rule or group `aaaa",
        ),
        (format!("rejoin = '{long}'"), "unknown value `aaaa"),
        (
            format!("exclude = ['{long}']"),
            "it is longer than 1024 bytes",
        ),
        (
            format!("exclude = ['{}']", "{".repeat(100_000)),
            "it is longer than 1024 bytes",
        ),
        (
            format!("exclude = ['{}a{}']", "{".repeat(500), "}".repeat(500)),
            "is not a pattern",
        ),
        (format!("{}a = 1", "a.".repeat(500_000)), "urlint.toml:1:"),
        (format!("[{}a]", "a.".repeat(500_000)), "urlint.toml:1:"),
        (format!("a = {}", "[".repeat(500_000)), "urlint.toml:1:"),
        (format!("a = {}", "{a=".repeat(300_000)), "urlint.toml:1:"),
        (
            format!("ignore-urls = [{{ regex = '{}' }}]", "(".repeat(400_000)),
            "invalid regular",
        ),
        (
            "ignore-urls = [{ regex = '(?:a{900}){900}' }]".into(),
            "invalid regular",
        ),
        (
            "url-rules.a = { regex = '(?:a{900}){900}', message = 'm' }".into(),
            "`url-rules`: `regex`",
        ),
        (
            format!(
                "url-rules = {{{}}}",
                list(65, &|i| format!("a{i}={{host='a',message='m'}}"))
            ),
            "more than 64 rules",
        ),
        (
            format!(
                "url-rules.a = {{ message = 'm', host = [{}] }}",
                list(257, &|i| format!("'a{i}'"))
            ),
            "more than 256 entries",
        ),
        (
            format!(
                "ignore-urls = [{}]",
                list(40_000, &|i| format!("{{regex='a{i}.*b'}}"))
            ),
            "more than 4096 entries",
        ),
        (
            format!("exclude = [{}]", list(90_000, &|i| format!("'*a{i}'"))),
            "more than 4096 entries",
        ),
        (
            format!(
                "per-file-ignores = {{{}}}",
                list(60_000, &|i| format!("'a{i}*'=[]"))
            ),
            "more than 4096 entries",
        ),
        (
            format!(
                "types = {{{}}}",
                list(50_000, &|i| format!("'a{i}*'='html'"))
            ),
            "more than 4096 entries",
        ),
        (
            format!(
                "output-format = [{}]",
                list(70_000, &|i| format!("'json=a{i}'"))
            ),
            "more than 4096 entries",
        ),
        (
            format!(
                "output-format = [{}]",
                list(12, &|i| format!("'json=a{i}'"))
            ),
            "more than 8 formats",
        ),
        (
            format!("ignore = [{}]", list(200_000, &|_| "'x'".into())),
            "more than 4096 entries",
        ),
        (
            format!("ignore = [{}]", list(4_000, &|_| "'x'".into())),
            "unknown rule or group `x`",
        ),
        (
            list(100_000, &|i| format!("a{i}=1")).replace(',', "\n"),
            "unknown key `a0`",
        ),
        (" ".repeat((1 << 20) + 1), "longer than 1 MiB"),
    ];
    let folder = checkout(&[]);
    for (text, expected) in cases {
        folder.write("here/urlint.toml", text);
        let ran = check(&folder, "here", &["note.txt"]);
        let start = &text[..text.len().min(60)];
        assert_eq!(ran.code, Some(2), "{start}");
        assert!(ran.stderr.contains(expected), "{start}: {}", ran.stderr);
        assert!(ran.stderr.len() < 30_000, "{start}: {}", ran.stderr.len());
    }
    // Those of the extended file count.
    let half = |key: &str| format!("{key} = {{{}}}", list(3000, &|i| format!("'{key}{i}*'=[]")));
    folder.write("here/base.toml", half("per-file-ignores"));
    let types = list(3000, &|i| format!("'a{i}*'='html'"));
    folder.write(
        "here/urlint.toml",
        format!("extend = 'base.toml'\ntypes = {{{types}}}"),
    );
    let ran = check(&folder, "here", &["note.txt"]);
    assert!(
        ran.stderr
            .contains("together with this file, there are more than 4096"),
        "{}",
        ran.stderr
    );
    // As many as may be end too.
    let urls = list(1000, &|i| {
        format!("'http://*.b{i}.example/some/folder/**/of/{i}'")
    });
    folder.write(
        "here/urlint.toml",
        format!("{}\nignore-urls = [{urls}]", half("per-file-ignores")),
    );
    let ran = check(&folder, "here", &["note.txt"]);
    assert_eq!(
        (ran.code, ran.text().as_str()),
        (Some(1), LINE),
        "{}",
        ran.stderr
    );
}

#[test]
fn outputs_of_a_run_are_not_read() {
    let folder = checkout(&[]);
    let before = contents(folder.path());
    for args in [
        &["-o", "note.txt", "note.txt"][..],
        &["-o", "./sub/../note.txt", "sub", "note.txt"],
        &["--baseline", "note.txt", "--update-baseline", "note.txt"],
    ] {
        let ran = check(&folder, "here", args);
        assert_eq!(ran.code, Some(2), "{args:?}");
        let message =
            "urlint: note.txt: this file is both read and written; write to another one\n";
        assert_eq!(ran.stderr, message);
    }
    folder.write("here/urlint.toml", "output-format = ['json=note.txt']");
    let ran = check_as_configured(&folder, "here", &["note.txt"]);
    assert!(
        ran.stderr.contains("both read and written"),
        "{}",
        ran.stderr
    );
    fs::remove_file(folder.path().join("here/urlint.toml")).unwrap();
    for args in [
        &["-o", "note.txt", "note.txt"][..],
        &[
            "--output-format",
            "json-lines",
            "-o",
            "note.txt",
            "sub",
            "note.txt",
        ],
    ] {
        let mut command = urlint(&["extract", "-q"]);
        let ran = ended(command.args(args).current_dir(folder.path().join("here")));
        assert!(
            ran.stderr.contains("both read and written"),
            "{args:?}: {}",
            ran.stderr
        );
    }
    assert!(contents(folder.path()) == before);
    // The report of an earlier run is not read as a document, nor is a baseline.
    for _ in 0..3 {
        let ran = check(&folder, "here", &["-o", "report.txt", "."]);
        assert_eq!(ran.code, Some(1));
        assert_eq!(folder.read("here/report.txt").lines().count(), 2);
    }
    fs::remove_file(folder.path().join("here/report.txt")).unwrap();
    let baseline = ["--baseline", "known.json", "--update-baseline", "."];
    for _ in 0..2 {
        assert_eq!(check(&folder, "here", &baseline).code, Some(0));
        assert_eq!(
            folder.read("here/known.json").matches("a.example").count(),
            4
        );
    }
    assert_eq!(
        check(&folder, "here", &["--baseline", "known.json", "."]).text(),
        ""
    );
    // Hooks name every file.
    let hook = [
        "--baseline",
        "known.json",
        "--force-exclude",
        "known.json",
        "note.txt",
    ];
    let ran = check(&folder, "here", &hook);
    assert_eq!((ran.code, ran.text().as_str()), (Some(0), ""));
    // Temporary files of a run that was killed are skipped, with `--hidden` too.
    folder.write("here/.urlint-abcdef", TEXT);
    let ran = check(
        &folder,
        "here",
        &["--hidden", "--baseline", "known.json", "."],
    );
    assert_eq!((ran.code, ran.text().as_str()), (Some(0), ""));
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::support::command;

    fn link(folder: &Folder, to: &str, name: &str) {
        symlink(to, folder.path().join("here").join(name)).unwrap();
    }

    fn make_pipe(folder: &Folder, name: &str) {
        command::make_pipe(&folder.path().join("here").join(name));
    }

    #[test]
    fn symbolic_links_lead_no_further() {
        for (text, expected) in [
            ("extend = 'link'", "`link`: it is outside of the folder"),
            (
                "extend = 'parent/secret.toml'",
                "`parent/secret.toml`: it is outside",
            ),
            ("baseline = 'link'", "`link`: it is outside of the folder"),
            ("output-format = 'json=link'", "`link`: it is outside"),
            (
                "output-format = 'json=parent/new'",
                "`parent/new`: it is outside",
            ),
            (
                "output-format = 'json=parent/new/new'",
                "`parent/new/new`: it is outside",
            ),
            (
                "output-format = 'json=dangling'",
                "`dangling`: No such file",
            ),
            ("output-format = 'json=dangling/new'", "No such file"),
            (
                "output-format = 'json=round'",
                "`round`: Too many levels of symbolic links",
            ),
        ] {
            let folder = checkout(&[("urlint.toml", text)]);
            link(&folder, "../secret.toml", "link");
            link(&folder, "..", "parent");
            link(&folder, "../nothing", "dangling");
            link(&folder, "round", "round");
            is_refused(&folder, expected);
        }
    }

    #[test]
    fn a_configuration_that_is_a_link() {
        for name in [".urlint.toml", "urlint.toml"] {
            let folder = checkout(&[]);
            link(&folder, "../secret.toml", name);
            is_refused(
                &folder,
                &format!(
                    "{name}: it is outside of the folder and the repository of this file; to trust"
                ),
            );
        }
        let folder = checkout(&[("secret.env", SECRETS[1].1)]);
        link(&folder, "secret.env", "urlint.toml");
        is_refused(&folder, "urlint.toml: it has an error in line 1, column");
        // One that has nothing for urlint is passed by, wherever it leads.
        let folder = checkout(&[]);
        link(&folder, "../secret.toml", "pyproject.toml");
        assert_eq!(check(&folder, "here", &["note.txt"]).text(), LINE);
        folder.write("other", "[tool.urlint]\ndeep = true");
        let folder = checkout(&[]);
        folder.write("other", "[tool.urlint]\ndeep = true");
        link(&folder, "../other", "pyproject.toml");
        is_refused(
            &folder,
            "it is outside of the folder and the repository of this file",
        );
        // Within a repository it is as good as a file.
        let folder = checkout(&[
            (".git/HEAD", ""),
            ("shared.toml", "ignore = ['unsafe-character']"),
        ]);
        link(&folder, "../shared.toml", "sub/urlint.toml");
        let ran = check(&folder, "here/sub", &["note.txt"]);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    }

    #[test]
    fn nothing_waits_for_a_pipe_or_a_device() {
        for text in [
            "extend = 'pipe'",
            "baseline = 'pipe'",
            "output-format = 'json=pipe'",
        ] {
            let folder = checkout(&[("urlint.toml", text)]);
            make_pipe(&folder, "pipe");
            is_refused(&folder, "not a regular file");
        }
        for key in ["extend", "baseline"] {
            let folder = checkout(&[("urlint.toml", &format!("{key} = '/dev/zero'"))]);
            is_refused(&folder, "`/dev/zero`: it is outside");
        }
        for name in [".urlint.toml", "urlint.toml", "pyproject.toml"] {
            let folder = checkout(&[]);
            make_pipe(&folder, name);
            if name == "pyproject.toml" {
                assert_eq!(check(&folder, "here", &["note.txt"]).text(), LINE);
            } else {
                is_refused(&folder, "not a regular file");
            }
            let mut init = urlint(&["init", "-q"]);
            ended(init.current_dir(folder.path().join("here")));
        }
    }

    #[test]
    fn files_for_ignoring_files_hold_up_nothing() {
        let nested = format!("{}a{}", "{".repeat(100_000), "}".repeat(100_000));
        for name in [".gitignore", ".ignore", ".git/info/exclude"] {
            for place in ["", "sub"] {
                let files = [("sub/more/note.txt", TEXT)];
                let lines = if place.is_empty() { 0 } else { 1 };
                let at = Path::new(place).join(name).display().to_string();
                let read = |folder: &Folder, reason: &str| {
                    let ran = check(folder, "here", &["."]);
                    let told = format!("{at}: {reason}, so that its folder is not read");
                    assert_eq!(ran.code, Some(2), "{at}");
                    assert!(ran.stderr.contains(&told), "{told}: {}", ran.stderr);
                    assert_eq!(ran.text().lines().count(), lines, "{at}");
                    // From a folder inside too, and where every file is named.
                    let ran = check(folder, "here/sub/more", &["."]);
                    assert_eq!((ran.code, ran.text().as_str()), (Some(2), ""), "{at}");
                    let named = ["--force-exclude", "sub/more/note.txt"];
                    assert_eq!(check(folder, "here", &named).code, Some(2), "{at}");
                    let ran = check(folder, "here", &["--no-ignore", "."]);
                    assert_eq!(ran.text().lines().count(), 3, "{}", ran.stderr);
                };
                let folder = checkout(&files);
                folder.write(&format!("here/{at}"), &nested);
                read(&folder, "more than 250 braces in a line");
                folder.write(&format!("here/{at}"), "#".repeat((1 << 20) + 1));
                read(&folder, "longer than 1 MiB");
                fs::remove_file(folder.path().join("here").join(&at)).unwrap();
                make_pipe(&folder, &at);
                read(&folder, "not a regular file");
            }
        }
        let folder = checkout(&[("elsewhere/x", ""), ("sub/.git", "gitdir: elsewhere\n")]);
        make_pipe(&folder, "elsewhere/commondir");
        let ran = check(&folder, "here", &["."]);
        assert!(
            ran.stderr.contains("commondir: not a regular file"),
            "{}",
            ran.stderr
        );
    }
}
