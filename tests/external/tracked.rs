//! Files that Git tracks although `.gitignore` matches them: a run on a folder skips them, and says so.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use crate::support::command::{Folder, ended, make_pipe, urlint};

const TEXT: &str = "http://a.example/\n";

fn git(folder: &Path, args: &[&str]) -> Output {
    let mut git = Command::new("git");
    let git = git.env("GIT_CONFIG_GLOBAL", "/dev/null").args(args);
    git.current_dir(folder).output().unwrap()
}

/// Returns a repository in which these files are tracked.
fn repository(files: &[(&str, &str)]) -> Folder {
    let folder = Folder::of(files);
    for args in [&["init"][..], &["add", "--force", "."]] {
        let output = git(folder.path(), args);
        assert!(output.status.success(), "{args:?}: {output:?}");
    }
    folder
}

/// Runs urlint with these arguments in `folder`, as the hook of another repository would. Returns the line
/// about tracked files, if there is one.
fn told(folder: &Folder, args: &[&str]) -> String {
    let mut command = urlint(args);
    let variables = ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"];
    command.envs(variables.map(|variable| (variable, "/nothing")));
    command.env("GIT_CONFIG_GLOBAL", "/dev/null");
    let ran = ended(command.current_dir(folder.path()));
    let lines: Vec<_> = ran
        .stderr
        .lines()
        .filter(|line| line.contains("Git"))
        .collect();
    assert!(lines.len() < 2, "{lines:?}");
    lines.concat()
}

fn line(what: &str) -> String {
    format!("Skipped {what}: --no-ignore reads such files.")
}

pub(crate) fn ignored_files_are_counted() {
    let folder = repository(&[
        (".gitignore", "*.log\n/build/\n*.tmp\n"),
        (".ignore", "*.tmp\n"),
        ("urlint.toml", "exclude = ['vendor']\n"),
        ("a.md", TEXT),
        ("build/b.md", TEXT),
        ("docs/.hidden.log", TEXT),
        ("docs/c.log", TEXT),
        ("docs/d.log", TEXT),
        ("docs/binary.log", "http://a.example/\0"),
        ("docs/gone.log", TEXT),
        ("docs/other.tmp", TEXT),
        ("only\u{1b}/\u{7}\n.log", TEXT),
        ("plain/e.md", TEXT),
        ("vendor/f.log", TEXT),
    ]);
    fs::remove_file(folder.path().join("docs/gone.log")).unwrap();
    folder.write("plain/untracked.log", TEXT);
    folder.write("untracked/g.log", TEXT);
    let all = line("4 files that Git tracks but .gitignore matches, such as build/b.md");
    let docs = line("2 files that Git tracks but .gitignore matches, such as docs/c.log");
    let absolute = folder.path().join("docs").display().to_string();
    for (args, expected) in [
        (&["check"][..], &all),
        (&["check", "-v", "."], &all),
        (&["extract", "."], &all),
        (&["check", "docs"], &docs),
        (&["extract", "docs", "plain"], &docs),
        (&["extract", &absolute], &docs.replace("docs", &absolute)),
        (
            &["check", "--hidden", "docs"],
            &line("3 files that Git tracks but .gitignore matches, such as docs/.hidden.log"),
        ),
        (
            &["check", "docs", "vendor", "only\u{1b}", "--isolated"],
            &line("4 files that Git tracks but .gitignore matches, such as docs/c.log"),
        ),
        (
            &["check", "--exclude", "*.md", "only\u{1b}"],
            &line("1 file that Git tracks but .gitignore matches, only␛/␇␊.log"),
        ),
    ] {
        assert_eq!(&told(&folder, args), expected, "{args:?}");
    }
    let silent: [&[&str]; 12] = [
        &["check", "plain"],
        &["check", "untracked"],
        &["check", "build"],
        &["check", "vendor"],
        &["check", "docs/c.log", "docs/d.log"],
        &["check", "--no-ignore"],
        &["check", "--exclude", "*.log", "docs"],
        &["check", "--quiet"],
        &["check", "--force-exclude", "."],
        &["check", "--output-format", "json"],
        &["extract", "--quiet"],
        &["extract", "--no-ignore"],
    ];
    for args in silent {
        assert_eq!(told(&folder, args), "", "{args:?}");
    }
    // Without Git on the machine, and where there is no repository.
    let mut command = urlint(&["check"]);
    let ran = ended(command.env("PATH", "/nothing").current_dir(folder.path()));
    assert!(ran.stderr.contains(&all), "{}", ran.stderr);
    fs::remove_dir_all(folder.path().join(".git")).unwrap();
    assert_eq!(told(&folder, &["check"]), "");
}

pub(crate) fn the_index_has_several_forms() {
    let names = ["aa/b.log", "aa/bc/d.log", "b.log", "ignored.log"].map(str::to_owned);
    let names = (0..40)
        .map(|at| format!("{}.log", "x".repeat(at)))
        .chain(names);
    let files: Vec<_> = names.map(|name| (name, TEXT)).collect();
    let files: Vec<_> = files.iter().map(|(name, text)| (&**name, *text)).collect();
    let files = [&files[..], &[(".gitignore", "*.log\n")]].concat();
    for version in ["2", "3", "4"] {
        let folder = repository(&files);
        let run = |args: &[&str]| {
            let output = git(folder.path(), args);
            assert!(output.status.success(), "{args:?}: {output:?}");
        };
        run(&["update-index", "--index-version", version]);
        // Its entry in version 3 has more flags.
        folder.write("later.txt", TEXT);
        run(&["add", "--intent-to-add", "later.txt"]);
        let all = line("44 files that Git tracks but .gitignore matches, such as .log");
        assert_eq!(told(&folder, &["check", "--hidden"]), all, "{version}");
        // Another working tree has its index elsewhere.
        run(&["config", "user.email", "a@b.example"]);
        run(&["config", "user.name", "a"]);
        run(&["commit", "--message", "all"]);
        run(&["worktree", "add", "tree"]);
        let all = all.replace(".log:", "tree/.log:");
        assert_eq!(
            told(&folder, &["check", "--hidden", "tree"]),
            all,
            "{version}"
        );
    }
}

pub(crate) fn broken_indexes_are_ignored() {
    let folder = repository(&[(".gitignore", "*.log\n"), ("a.log", TEXT), ("b.md", TEXT)]);
    let index = fs::read(folder.path().join(".git/index")).unwrap();
    let expected = line("1 file that Git tracks but .gitignore matches, a.log");
    assert_eq!(told(&folder, &["check"]), expected);
    // Three entries take more bytes.
    for len in 0..200 {
        folder.write(".git/index", &index[..len]);
        assert_eq!(told(&folder, &["check"]), "", "{len}");
    }
    let name = index.windows(5).position(|name| name == b"a.log").unwrap();
    for other in ["../.a", "/a/.b", "a\0log", "\u{fffd}lo"] {
        let mut changed = index.clone();
        changed[name..name + 5].copy_from_slice(other.as_bytes());
        folder.write(".git/index", changed);
        assert_eq!(told(&folder, &["check"]), "", "{other}");
    }
    // A byte for each name, which is a letter longer than the one before.
    let mut long = b"DIRC\0\0\0\x04\0\x01\0\0".to_vec();
    let mut entry = [&[0; 62][..], b"\0a\0"].concat();
    entry[26] = 0x80;
    long.extend(entry.repeat(1 << 16));
    folder.write(".git/index", long);
    assert_eq!(told(&folder, &["check"]), "");
    // Nobody writes to a pipe.
    fs::remove_file(folder.path().join(".git/index")).unwrap();
    make_pipe(&folder.path().join(".git/index"));
    let start = Instant::now();
    assert_eq!(told(&folder, &["check"]), "");
    assert!(start.elapsed() < Duration::from_secs(2));
    fs::remove_dir_all(folder.path().join(".git")).unwrap();
    for text in [
        "",
        "gitdir: ",
        "gitdir: .",
        "gitdir: /dev",
        "gitdir: \u{1b}",
    ] {
        folder.write(".git", text);
        assert_eq!(told(&folder, &["check"]), "", "{text}");
    }
}
