//! The files of a run itself: it does not read the files that it writes, nor write the files that it reads.

use crate::support::command::{Folder, Ran};

const TEXT: &str = "<URL:http://a.example/{>\n";

const FIXABLE: &str = "See <ftp://a.example:/> there.\n";

/// Returns a folder with a text that has one diagnostic.
fn folder() -> Folder {
    Folder::of(&[("a.txt", TEXT)])
}

/// Fails unless the run was refused with this in its message.
fn assert_refused(ran: &Ran, why: &str) {
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains(why), "{}", ran.stderr);
}

#[test]
fn hooks_do_not_replace_what_they_name() {
    for args in [
        &["check", "-o", "a.txt"][..],
        &["check", "--output-format", "json=./a.txt"],
        &["check", "--config", "output-format = 'json=a.txt'"],
        &["check", "--baseline", "a.txt", "--update-baseline"],
        &["extract", "-o", "a.txt"],
    ] {
        let folder = folder();
        let ran = folder.run(&[args, &["--force-exclude", "a.txt"]].concat(), b"");
        assert_refused(&ran, "both read and written");
        assert_eq!(folder.read("a.txt"), TEXT, "{args:?}");
    }
}

/// Hooks name every file, and among them the report that the configuration names.
#[test]
fn hooks_pass_over_what_the_configuration_writes() {
    let folder = folder();
    folder.write(
        "urlint.toml",
        "output-format = ['full', 'concise=report.txt']",
    );
    folder.write("report.txt", "http://old.example/{ of an earlier run\n");
    let ran = folder.run(&["check", "--force-exclude", "a.txt", "report.txt"], b"");
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let report = folder.read("report.txt");
    assert!(report.starts_with("a.txt:1:23: ") && report.lines().count() == 1);
    let ran = folder.run(&["check", "a.txt", "report.txt"], b"");
    assert_refused(&ran, "report.txt: this file is both read and written");
    assert_eq!(folder.read("report.txt"), report);
}

#[test]
fn only_fixes_and_comments_pass_over_the_files_of_the_run() {
    let config = "output-format = ['full', 'concise=report.txt']\nbaseline = 'base.json'\n";
    let report = "a.md:1:6: error of an earlier run: `ftp://a.example:/`\n";
    let new = || {
        let folder = Folder::of(&[("a.md", FIXABLE), ("urlint.toml", config)]);
        folder.write("report.txt", report);
        folder.write("base.json", "{\"version\":1,\"diagnostics\":[]}\n");
        folder
    };
    let own = ["report.txt", "base.json"];
    for args in [
        &["check", "--show-files", "."][..],
        &["check", "--fix-only", "--unsafe-fixes", "."],
        &["check", "--diff", "--unsafe-fixes", "."],
        &[
            "check",
            "--fix",
            "--unsafe-fixes",
            "--baseline",
            "base.json",
            ".",
        ],
    ] {
        let folder = new();
        let before = own.map(|name| folder.read(name));
        let ran = folder.run(args, b"");
        assert!(ran.code < Some(2), "{args:?}: {}", ran.stderr);
        assert!(!ran.text().contains("report.txt"), "{}", ran.text());
        if !args.contains(&"--fix") {
            assert_eq!(own.map(|name| folder.read(name)), before, "{args:?}");
        }
        let is_changed = folder.read("a.md") != FIXABLE;
        let changes = !args.contains(&"--diff") && !args.contains(&"--show-files");
        assert_eq!(is_changed, changes, "{args:?}");
    }
}

#[test]
fn a_configuration_is_not_replaced() {
    let text = "ignore = ['too-long']\n";
    let refused = |folder: &Folder, file: &str, args: &[&str]| {
        let before = folder.read(file);
        assert_refused(&folder.run(args, b""), "this is a configuration file");
        assert_eq!(folder.read(file), before, "{args:?}");
    };
    let folder = Folder::of(&[("a.txt", TEXT), ("c.toml", text), ("empty.toml", "")]);
    for file in ["c.toml", "empty.toml"] {
        for (command, format) in [("check", "json"), ("extract", "csv")] {
            refused(
                &folder,
                file,
                &[command, "-f", format, "--config", file, "-o", file, "a.txt"],
            );
        }
    }
    folder.write("b.toml", "extend = 'c.toml'");
    refused(
        &folder,
        "c.toml",
        &[
            "check", "-f", "json", "--config", "b.toml", "-o", "c.toml", "a.txt",
        ],
    );
    // One that would be found, here or in another folder.
    folder.write("d/urlint.toml", text);
    refused(
        &folder,
        "d/urlint.toml",
        &["check", "-f", "json", "-o", "d/urlint.toml", "a.txt"],
    );
    let update = ["--baseline", "d/urlint.toml", "--update-baseline"];
    refused(
        &folder,
        "d/urlint.toml",
        &[&["check", "a.txt"], &update[..]].concat(),
    );
    folder.write("urlint.toml", "output-format = 'json-lines=urlint.toml'\n");
    refused(&folder, "urlint.toml", &["check", "a.txt"]);
    // Any other file of that kind is an output like others.
    folder.write("pyproject.toml", "[project]\nname = 'a'\n");
    let args = [
        "check",
        "--isolated",
        "-f",
        "json",
        "-o",
        "pyproject.toml",
        "a.txt",
    ];
    assert_eq!(folder.run(&args, b"").code, Some(1));
}

/// Every flag and key that names a file to write, with the files that it replaces. `own` is the file that it names.
#[test]
fn only_files_that_urlint_wrote_and_reports_are_replaced() {
    const BASELINE: &str = "{\"version\":1,\"diagnostics\":[]}\n";
    const CONFIG: &str = "select = ['context']\n";
    const REPORT: [&str; 4] = ["", "a text of mine\n", CONFIG, BASELINE];
    let update = ["--baseline", "own", "--update-baseline"];
    let is_named = |name: &str| ["check", "--config", name].map(str::to_owned).to_vec();
    let words = |words: &[&str]| {
        words
            .iter()
            .map(|&word| word.to_owned())
            .collect::<Vec<_>>()
    };
    let table: [(Vec<String>, &[&str]); 12] = [
        (words(&[&["check"], &update[..]].concat()), &["", BASELINE]),
        (
            words(&["check", "--update-baseline", "--config", "baseline = 'own'"]),
            &["", BASELINE],
        ),
        (words(&["check", "--baseline", "own"]), &[]),
        (is_named("own"), &[]),
        (words(&["check", "-fjson", "-o", "own"]), &REPORT),
        (words(&["check", "-fjson=own"]), &REPORT),
        (
            words(&["check", "--config", "output-format = 'json=own'"]),
            &REPORT,
        ),
        (words(&["check", "-fjson=own", "--baseline", "own"]), &[]),
        (words(&["check", "-fjson=own", "--config", "own"]), &[]),
        (words(&["extract", "-o", "own"]), &REPORT),
        (words(&["extract", "-o", "own", "--config", "own"]), &[]),
        (
            words(&[
                "extract",
                "-o",
                "own",
                "--rule",
                "all",
                "--config",
                "baseline = 'own'",
            ]),
            &[],
        ),
    ];
    for (args, replaced) in table {
        for text in REPORT {
            let folder = folder();
            folder.write("own", text);
            let args: Vec<_> = args.iter().map(String::as_str).chain(["a.txt"]).collect();
            let ran = folder.run(&args, b"");
            let is_replaced = folder.read("own") != text;
            // An empty baseline is written as it was.
            let expected = replaced.contains(&text);
            assert_eq!(is_replaced, expected, "{args:?} {text}: {}", ran.stderr);
            assert!(!ran.stderr.contains("--update-baseline"), "{}", ran.stderr);
        }
    }
    for text in ["a text of mine\n", "{}", "[]", CONFIG] {
        let folder = folder();
        folder.write("README.md", text);
        for flags in [&["--update-baseline"][..], &[]] {
            let args = [&["check", "--baseline", "README.md", "a.txt"], flags].concat();
            let ran = folder.run(&args, b"");
            assert_refused(&ran, "urlint: README.md: no baseline of urlint: ");
            assert_refused(&ran, "; name another file, or move this one away\n");
            assert_eq!(folder.read("README.md"), text);
        }
    }
    for name in ["urlint.toml", ".urlint.toml"] {
        for text in REPORT {
            let folder = Folder::of(&[(name, text)]);
            assert_refused(&folder.run(&["init"], b""), "exists already");
            assert_eq!(folder.read(name), text);
        }
    }
}

#[test]
fn a_file_that_is_not_there_yet_is_one_file() {
    let folder = folder();
    let absolute = folder.path().join("new/b.json");
    let absolute = absolute.to_str().unwrap();
    for other in [absolute, "new/../new/b.json", "./new//b.json"] {
        let args = [
            "check",
            "a.txt",
            "--baseline",
            "new/b.json",
            "--update-baseline",
            "-o",
        ];
        let ran = folder.run(&[&args[..], &[other]].concat(), b"");
        assert_refused(&ran, "this is the baseline");
        let [one, other] = ["json=new/b.json".to_owned(), format!("full={other}")];
        let args = [
            "check",
            "a.txt",
            "--output-format",
            &one,
            "--output-format",
            &other,
        ];
        assert_refused(&folder.run(&args, b""), "two formats go to");
        assert!(!folder.path().join("new/b.json").exists());
    }
}

#[test]
fn only_temporary_files_are_passed_over_by_their_names() {
    let folder = Folder::of(&[(".urlint-links.md", TEXT), (".urlint-aB3dE6", TEXT)]);
    let ran = folder.run(
        &["check", "--hidden", "--output-format", "concise", "."],
        b"",
    );
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(
        ran.text().starts_with(".urlint-links.md:1:"),
        "{}",
        ran.text()
    );
    assert_eq!(ran.text().lines().count(), 1);
    assert!(ran.stderr.contains("1 written by urlint"), "{}", ran.stderr);
    // A list that is being written is not read.
    let args = ["extract", "--hidden", "-o", "out.txt", "."];
    assert_eq!(folder.run(&args, b"").code, Some(0));
    assert_eq!(folder.read("out.txt"), "http://a.example/{\n");
}

#[test]
fn a_folder_that_is_not_read_is_not_ignored_too() {
    let braces = "{".repeat(1000);
    let folder = Folder::of(&[
        ("d/.gitignore", &*braces),
        ("d/a.txt", TEXT),
        ("b.txt", TEXT),
    ]);
    folder.write(".gitignore", "b.txt\n");
    let told = "d/.gitignore: more than 250 braces in a line, so that its folder is not read";
    let lines = |args: &[&str]| {
        let ran = folder.run(args, b"");
        assert_eq!(ran.code, Some(2), "{}", ran.stderr);
        let about = |line: &&str| line.contains("d/");
        let about: Vec<_> = ran
            .stderr
            .lines()
            .filter(about)
            .map(str::to_owned)
            .collect();
        assert_eq!(about.len(), 1, "{}", ran.stderr);
        assert!(about[0].contains(&format!(" {told}")), "{}", ran.stderr);
        ran.stderr
    };
    let stderr = lines(&["check", "--verbose", "."]);
    assert!(stderr.contains("b.txt: skipped, ignored"), "{stderr}");
    lines(&["check", "--verbose", "d"]);
    lines(&["check", "--verbose", "--force-exclude", "d/a.txt"]);
}

#[cfg(unix)]
mod unix {
    use std::fs::File;
    use std::io::Write;

    use super::*;
    use crate::support::command::urlint;

    /// Runs urlint in `folder` with standard output going to the end of its file `out`.
    fn run_into(folder: &Folder, out: &str, args: &[&str]) -> Ran {
        let path = folder.path().join(out);
        let out = File::options()
            .append(true)
            .create(true)
            .open(path)
            .unwrap();
        let mut command = urlint(args);
        let command = command.current_dir(folder.path()).stdout(out);
        Ran::from(command.output().unwrap())
    }

    #[test]
    fn output_files_are_not_read() {
        let url = format!("http://a.example/{}\n", "x".repeat(4000));
        let folder = Folder::of(&[("a.txt", url.repeat(3000))]);
        let list = folder.read("a.txt");
        for round in 1..3 {
            let ran = run_into(&folder, "b.txt", &["extract", "."]);
            assert_eq!(ran.code, Some(0), "{}", ran.stderr);
            let found = folder.read("b.txt");
            assert!(found == list.repeat(round), "{}", found.len());
        }
    }

    #[test]
    fn standard_input_is_not_replaced() {
        for args in [
            &["check", "-fjson=a.txt"][..],
            &["check", "-fjson", "-o", "./a.txt", "-"],
            &["extract", "-o", "a.txt", "-"],
        ] {
            let folder = folder();
            let input = File::open(folder.path().join("a.txt")).unwrap();
            let mut command = urlint(args);
            let ran = command.current_dir(folder.path()).stdin(input).output();
            assert_refused(
                &Ran::from(ran.unwrap()),
                "-: this file is both read and written",
            );
            assert_eq!(folder.read("a.txt"), TEXT, "{args:?}");
        }
    }

    #[test]
    fn a_file_that_is_named_and_printed_to_is_not_read() {
        let folder = folder();
        folder.write("b.txt", "http://b.example/\n");
        for command in ["check", "extract"] {
            let before = folder.read("b.txt");
            let ran = run_into(&folder, "b.txt", &[command, "-q", "b.txt"]);
            assert_refused(&ran, "b.txt: input file is also the output");
            assert_eq!(folder.read("b.txt"), before);
        }
        // The others are read.
        let ran = run_into(&folder, "b.txt", &["extract", "a.txt", "b.txt"]);
        assert_refused(&ran, "b.txt: input file is also the output");
        assert_eq!(
            folder.read("b.txt"),
            "http://b.example/\nhttp://a.example/{\n"
        );
        let mut both = urlint(&["check", "."]);
        let log = File::create(folder.path().join("log.txt")).unwrap();
        (&log).write_all(TEXT.as_bytes()).unwrap();
        let both = both.current_dir(folder.path()).stderr(log);
        let ran = Ran::from(both.output().unwrap());
        assert!(!ran.text().contains("log.txt"), "{}", ran.text());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn two_formats_may_go_to_what_a_shell_has_opened() {
        let folder = folder();
        let both = File::create(folder.path().join("both.txt")).unwrap();
        let mut command = urlint(&["check", "-q", "--output-format", "concise=/dev/stdout"]);
        let command = command.args(["--output-format", "json-lines=/dev/stderr", "a.txt"]);
        let command = command.current_dir(folder.path());
        let command = command.stdout(both.try_clone().unwrap()).stderr(both);
        let ran = Ran::from(command.output().unwrap());
        let text = folder.read("both.txt");
        assert_eq!((ran.code, text.lines().count()), (Some(1), 2), "{text}");
        // But a file that is replaced loses the other output that goes there.
        let both = File::create(folder.path().join("both.txt")).unwrap();
        let mut command = urlint(&["check", "--output-format", "concise=/dev/stdout"]);
        let command = command.args(["--output-format", "json-lines=both.txt", "a.txt"]);
        let command = command.current_dir(folder.path()).stdout(both);
        let ran = Ran::from(command.output().unwrap());
        assert_refused(&ran, "two formats go to both.txt");
    }
}

/// Reports of earlier runs have the URLs that were reported.
#[test]
fn reports_are_not_read() {
    let folder = Folder::of(&[("a.txt", "see ftp://a.example:/ here\n")]);
    let reports = ["check", "-fsarif=b.sarif", "a.txt"];
    assert_eq!(folder.run(&reports, b"").code, Some(1));
    folder.run(&["extract", "-oc.html", "a.txt"], b"");
    let ran = folder.run(&["check", "-fconcise", "."], b"");
    assert_eq!(ran.text().lines().count(), 1, "{}", ran.text());
    let ran = folder.run(&["check", "b.sarif"], b"");
    assert!(
        ran.stderr.contains("b.sarif: skipped, a report of urlint"),
        "{}",
        ran.stderr
    );
}
