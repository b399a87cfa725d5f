//! Files that Git tracks although `.gitignore` matches them: a run on a folder skips them, and says so.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use crate::support::command::{Folder, ended, make_pipe, urlint};

const TEXT: &str = "http://a.example/\n";

const LIST: [&str; 4] = ["ls-files", "--cached", "--ignored", "--exclude-standard"];

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
    // Without Git, and where Git refuses or fails.
    let mut command = urlint(&["check"]);
    let ran = ended(command.env("PATH", "/nothing").current_dir(folder.path()));
    assert_eq!(ran.stderr, "Nothing to report in 3 files, 2 URLs.\n");
    folder.write(".git/index", "DIRC");
    assert_eq!(told(&folder, &["check"]), "");
    fs::remove_dir_all(folder.path().join(".git")).unwrap();
    assert_eq!(told(&folder, &["check"]), "");
}

pub(crate) fn hostile_repositories_start_no_program() {
    // The text of `.gitignore` is missing, so that Git fetches it.
    const PARTIAL: [(&str, &str); 3] = [
        ("extensions.partialClone", "origin"),
        ("remote.origin.promisor", "true"),
        ("core.repositoryFormatVersion", "1"),
    ];
    let cases: [&[(&str, &str)]; 4] = [
        &[("core.fsmonitor", "touch RAN #")],
        &[
            ("remote.origin.url", "."),
            ("remote.origin.uploadpack", "touch RAN #"),
        ],
        &[
            ("remote.origin.url", "a@b.example:c"),
            ("core.sshCommand", "touch RAN #"),
        ],
        &[
            ("remote.origin.url", "ext::touch RAN"),
            ("protocol.ext.allow", "always"),
        ],
    ];
    for settings in cases {
        let folder = repository(&[(".gitignore", "*.log\n"), ("a.log", TEXT), ("b.md", TEXT)]);
        let ignored = fs::read(folder.path().join(".gitignore")).unwrap();
        let is_partial = settings.len() > 1;
        if is_partial {
            let name = git(folder.path(), &["rev-parse", ":.gitignore"]).stdout;
            let name = String::from_utf8(name).unwrap();
            let object = format!(".git/objects/{}/{}", &name[..2], name[2..].trim_end());
            git(
                folder.path(),
                &["update-index", "--skip-worktree", ".gitignore"],
            );
            fs::remove_file(folder.path().join(object)).unwrap();
            fs::remove_file(folder.path().join(".gitignore")).unwrap();
        }
        for (key, value) in PARTIAL[..if is_partial { 3 } else { 0 }]
            .iter()
            .chain(settings)
        {
            git(folder.path(), &["config", key, value]);
        }
        git(folder.path(), &["update-index", "--fsmonitor"]);
        // Git by itself starts it.
        let ran = folder.path().join("RAN");
        git(folder.path(), &LIST);
        fs::remove_file(&ran).unwrap();
        let expected = line("1 file that Git tracks but .gitignore matches, a.log");
        let expected = if is_partial { "" } else { &expected };
        assert_eq!(told(&folder, &["check"]), expected, "{settings:?}");
        assert!(!ran.exists(), "{settings:?}");
        // Nor where a folder of a repository looks like one.
        let outer = repository(&[("a.md", TEXT)]);
        fs::rename(folder.path().join(".git"), outer.path().join("bare")).unwrap();
        for (name, text) in [
            ("bare/a.log", TEXT.as_bytes()),
            ("bare/.gitignore", &ignored),
        ] {
            outer.write(name, text);
        }
        git(
            &outer.path().join("bare"),
            &["--git-dir=.", "config", "core.bare", "false"],
        );
        git(
            &outer.path().join("bare"),
            &["--git-dir=.", "config", "core.worktree", "."],
        );
        assert_eq!(told(&outer, &["check", "bare"]), "", "{settings:?}");
        assert!(!outer.path().join("bare/RAN").exists(), "{settings:?}");
    }
    // Git waits for a pipe, but urlint does not wait for Git, and opens no pipe itself.
    let folder = repository(&[(".gitignore", "*.log\n"), ("a.log", TEXT)]);
    fs::remove_file(folder.path().join("a.log")).unwrap();
    make_pipe(&folder.path().join("a.log"));
    let start = Instant::now();
    assert_eq!(told(&folder, &["check"]), "");
    assert!(start.elapsed() < Duration::from_secs(2));
    make_pipe(&folder.path().join("pipe"));
    git(folder.path(), &["config", "include.path", "../pipe"]);
    assert_eq!(told(&folder, &["check"]), "");
}
