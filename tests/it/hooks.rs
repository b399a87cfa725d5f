//! Which files are read: a hook, which names every file, and a run on the folder say the same.

use crate::support::command::Folder;
use crate::support::packing::{gzip, tar, zip};

const TEXT: &str = "# <URL:http://a.example/{>\n";

/// A folder with everything that is passed over.
fn repository() -> Folder {
    let page = format!("%!PS-Adobe-3.0\n{TEXT}");
    let binary = format!("{TEXT}\0");
    Folder::of(&[
        (".git/config", TEXT),
        (".gitignore", "*.log\n/target/\n!kept.log\n"),
        (".hidden.md", TEXT),
        (".github/ISSUE.md", TEXT),
        ("a.md", TEXT),
        ("docs/b.md", TEXT),
        ("docs/c.log", TEXT),
        ("docs/kept.log", TEXT),
        ("docs/d.tmp", TEXT),
        ("docs/.ignore", "*.tmp\n"),
        ("target/e.md", TEXT),
        ("vendor/f.md", TEXT),
        ("paper.ps", &page),
        ("data.bin", &binary),
        ("urlint.toml", "exclude = [\"vendor\"]\n"),
    ])
}

const NAMED: [&str; 13] = [
    ".github/ISSUE.md",
    ".gitignore",
    ".hidden.md",
    "a.md",
    "data.bin",
    "docs/b.md",
    "docs/c.log",
    "docs/d.tmp",
    "docs/kept.log",
    "paper.ps",
    "target/e.md",
    "urlint.toml",
    "vendor/f.md",
];

const CHECK: [&str; 5] = ["check", "--output-format", "concise", "--show", "all"];

#[test]
fn a_hook_and_a_run_on_the_folder_say_the_same() {
    let folder = repository();
    let flags: [&[&str]; 5] = [
        &[],
        &["--hidden"],
        &["--no-ignore"],
        &["--hidden", "--no-ignore", "--isolated"],
        &["--exclude", "docs/b.md", "--exclude", "*.log"],
    ];
    let mut lengths = Vec::new();
    for flags in flags {
        let whole = folder.run(&[&CHECK, flags].concat(), b"");
        let hook = [&CHECK, flags, &["--force-exclude"], &NAMED].concat();
        let hook = folder.run(&hook, b"");
        assert_eq!(hook.text(), whole.text(), "{flags:?}");
        assert_eq!(hook.code, whole.code);
        lengths.push(whole.text().lines().count());
    }
    assert_eq!(lengths, [3, 5, 6, 9, 1]);
    // However they are named.
    let from = |path: &str| folder.path().join(path).display().to_string();
    for path in ["a.md", "docs/c.log", ".github/ISSUE.md", "target/e.md"] {
        let is_read = path == "a.md";
        for name in [format!("./{path}"), from(path)] {
            let ran = folder.run(&[&CHECK[..], &["--force-exclude", &name]].concat(), b"");
            assert_eq!(ran.code, Some(i32::from(is_read)), "{name}");
        }
    }
}

#[test]
fn archives_in_folders_are_opened_on_request() {
    let tar = tar(&[("inner.md", TEXT.as_bytes())]);
    let folder = Folder::of(&[
        ("data/x.tar.gz", gzip(&tar)),
        ("data/x.zip", zip(&[("inner.md", TEXT.as_bytes())])),
        ("data/y.md.gz", gzip(TEXT.as_bytes())),
        ("z.txt", b"http://a.example/".to_vec()),
    ]);
    let found = |args: &[&str]| {
        let ran = folder.run(&[&CHECK[..], args].concat(), b"");
        (ran.text().matches("unsafe").count(), ran.code.unwrap())
    };
    let named = ["data/x.tar.gz", "data/x.zip", "data/y.md.gz", "z.txt"];
    assert_eq!(found(&["."]), (0, 0));
    assert_eq!(found(&[&["--force-exclude"], &named[..]].concat()), (0, 0));
    assert_eq!(found(&named), (3, 1));
    assert_eq!(found(&["--archives", "."]), (3, 1));
    let shown = folder.run(&["check", "--show-files", "."], b"");
    assert_eq!(shown.text(), "z.txt: plain\n");
    let skipped = folder.run(&["check", "-v", "data"], b"").stderr;
    assert!(skipped.contains("(--archives opens it)"), "{skipped}");
    assert!(
        skipped.contains("skipped 3 archives, as listed"),
        "{skipped}"
    );
    assert_eq!(
        folder
            .run(&["extract", "-q", "."], b"")
            .text()
            .lines()
            .count(),
        4
    );
}

#[test]
fn named_files_are_read_without_the_flag() {
    let folder = repository();
    let ran = folder.run(&[&CHECK[..], &NAMED].concat(), b"");
    assert_eq!(ran.text().lines().count(), 9, "{}", ran.text());
    let expected = "urlint: paper.ps: skipped, application/postscript; --type plain reads it\n";
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    let typed = ["--type", "plain", "paper.ps", "data.bin"];
    let ran = folder.run(&[&CHECK[..], &typed].concat(), b"");
    assert_eq!(ran.text().lines().count(), 2);
    folder.write("urlint.toml", "types = { \"*.ps\" = \"plain\" }");
    let ran = folder.run(&[&CHECK[..], &["paper.ps"]].concat(), b"");
    assert_eq!(ran.code, Some(1));
}

#[test]
fn skipped_files_are_counted_and_listed() {
    let folder = repository();
    let ran = folder.run(&["check"], b"");
    let expected = "Skipped 2 binary: -v lists all that was skipped.";
    assert_eq!(ran.stderr.lines().last(), Some(expected), "{}", ran.stderr);
    for flag in ["--verbose", "-v"] {
        let ran = folder.run(&["check", flag], b"");
        let mut listed: Vec<_> = ran
            .stderr
            .lines()
            .filter(|line| line.contains(": skipped, "))
            .collect();
        listed.sort_unstable();
        let expected = [
            "urlint: .github/: skipped, hidden",
            "urlint: .gitignore: skipped, hidden",
            "urlint: .hidden.md: skipped, hidden",
            "urlint: data.bin: skipped, a binary file",
            "urlint: docs/.ignore: skipped, hidden",
            "urlint: docs/c.log: skipped, ignored",
            "urlint: docs/d.tmp: skipped, ignored",
            "urlint: paper.ps: skipped, application/postscript",
            "urlint: target/: skipped, ignored",
            "urlint: vendor/: skipped, excluded",
        ];
        assert_eq!(listed, expected);
        let expected = "Skipped 3 ignored, 4 hidden, 1 excluded, 2 binary, as listed.";
        assert_eq!(ran.stderr.lines().last(), Some(expected), "{}", ran.stderr);
    }
}

#[test]
fn hidden_folders_with_documents_are_named() {
    let folder = Folder::new();
    folder.write("a.md", "x");
    folder.write(".idea/a.xml", "x");
    folder.write(".github/README.md", "x");
    let expected = ".github was left out, because it is hidden: --hidden reads it.";
    let last = |args: &[&str]| {
        let ran = folder.run(args, b"");
        ran.stderr.lines().last().unwrap_or_default().to_owned()
    };
    assert_eq!(last(&["check"]), expected);
    for flag in ["--hidden", "--exclude=.github", "-v"] {
        assert_ne!(last(&["check", flag]), expected);
    }
}

#[test]
fn hooks_that_find_nothing_are_silent() {
    let folder = repository();
    folder.write("fine.md", "http://a.example/\n");
    for files in [&["fine.md"][..], &[".hidden.md", "paper.ps"]] {
        for flags in [&[][..], &["--fix"], &["--fix-only"], &["--diff"]] {
            let args = [&["check", "--force-exclude"], flags, files].concat();
            let ran = folder.run(&args, b"");
            assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{args:?}");
        }
    }
    // Git may have files that an ignore file names.
    let args = ["check", "--force-exclude", "docs/c.log", "docs/d.tmp"];
    let ran = folder.run(&args, b"");
    let expected = "urlint: docs/c.log: named, but skipped, since an ignore file matches it; \
                    --no-ignore reads such files\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), expected));
    let ran = folder.run(&["check", "--force-exclude", "fine.md", "a.md"], b"");
    assert!(
        ran.stderr.starts_with("Found 1 error in 1 of 2 files, "),
        "{}",
        ran.stderr
    );
}
