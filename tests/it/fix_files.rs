//! The effects of fixes on files, whatever happens meanwhile.

use std::fs;

use crate::support::command::{Folder, Ran, run};

const OLD: &str = "see\r\n<URL:HTTP://a.example/`joe>\nand http://b.example/%zz";
const NEW: &str = "see\r\n<URL:http://a.example/%60joe>\nand http://b.example/%zz";

fn check(folder: &Folder, args: &[&str]) -> Ran {
    folder.run(&[&["check"], args].concat(), b"")
}

/// The names of all that is in the folder.
fn names(folder: &Folder) -> Vec<String> {
    let entries = fs::read_dir(folder.path()).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn files_are_replaced_and_nothing_else_changes() {
    let folder = Folder::of(&[("a.txt", OLD), ("b.txt", "nothing here\n")]);
    let fine = fs::metadata(folder.path().join("b.txt")).unwrap();
    let output = check(&folder, &["--fix", "--select", "ALL", "."]);
    assert_eq!(output.code, Some(1), "{}", output.stderr);
    assert_eq!(folder.read("a.txt"), NEW);
    let now = fs::metadata(folder.path().join("b.txt")).unwrap();
    assert_eq!(now.modified().unwrap(), fine.modified().unwrap());
    assert_eq!(names(&folder), ["a.txt", "b.txt"]);
    let output = check(&folder, &["--diff", "--select", "ALL", "."]);
    assert_eq!((output.code, output.stdout.len()), (Some(0), 0));
}

#[test]
fn text_that_may_be_no_part_of_a_url_stays() {
    let cell = r#""cell_type":"code","source":["u=\"http://a.example:/2\""],"outputs":[{"text":["http://a.example:/3"]}]"#;
    let notebook = format!(r#"{{"cells":[{{{cell}}}],"nbformat":4}}"#);
    let late = format!(r#"{{"nbformat":4,"cells":[{{{cell}}}]}}"#);
    for (name, text) in [
        ("a.ipynb", notebook.as_str()),
        ("a.json", &notebook),
        ("late.ipynb", &late),
        ("a.txt", "<http://a.example/x#a b>\n"),
        ("a.html", "<a href='http://a.example/anna/ plugin'>x</a>\n"),
    ] {
        let folder = Folder::of(&[(name, text)]);
        check(&folder, &["--fix", "--unsafe-fixes", "-q", name]);
        assert_eq!(folder.read(name), text, "{name}");
    }
    // Its twins are fixed.
    for (name, text, fixed) in [
        (
            "a.json",
            r#"{"u":"http://a.example:/2"}"#,
            r#"{"u":"http://a.example/2"}"#,
        ),
        (
            "a.html",
            "<a href='http://a.example/anna/a plugin'>x</a>\n",
            "<a href='http://a.example/anna/a%20plugin'>x</a>\n",
        ),
    ] {
        let folder = Folder::of(&[(name, text)]);
        check(&folder, &["--fix", "--unsafe-fixes", "-q", name]);
        assert_eq!(folder.read(name), fixed, "{name}");
    }
}

#[test]
fn a_secret_over_two_lines_is_not_in_a_diff() {
    let text = "[x](http://c.example:/y)\n\"http://a.example/?token=Zq7vLm2R\npW8nBt4y\"\n";
    let folder = Folder::of(&[("a.md", text)]);
    let diff = check(&folder, &["--diff", "-q", "a.md"]).stdout;
    let diff = String::from_utf8_lossy(diff.as_ref()).into_owned();
    assert!(diff.contains("+[x](http://c.example/y)"), "{diff}");
    assert!(!diff.contains("Zq7v") && !diff.contains("pW8n"), "{diff}");
}

#[test]
fn a_page_stays_in_its_charset() {
    let page = |port: &str| {
        let parts: [&[u8]; 5] = [
            b"<meta charset=shift_jis><p>\x93\xfa\x96\x7b <a href='ftp://a.example",
            port.as_bytes(),
            b"/\x95\x5c'>\x95\x5c</a> http://b.example/\x95\x5c.html",
            b"</p>",
            b"\n",
        ];
        parts.concat()
    };
    let folder = Folder::of(&[("a.html", page(":"))]);
    let listed = folder.run(&["extract", "a.html"], b"").text();
    assert_eq!(listed, "ftp://a.example:/表\nhttp://b.example/表.html\n");
    check(&folder, &["--fix", "--select", "empty-port", "a.html"]);
    let fixed = fs::read(folder.path().join("a.html")).unwrap();
    assert_eq!(fixed, page(""));
}

#[test]
fn a_diff_writes_nothing() {
    let folder = Folder::of(&[("a.txt", OLD)]);
    let output = check(&folder, &["--diff", "--fix", "a.txt"]);
    assert_eq!(output.code, Some(1));
    let diff = output.text();
    let expected = "--- a.txt\n+++ a.txt\n@@ -1,3 +1,3 @@\n see\r\n\
        -<URL:HTTP://a.example/`joe>\n+<URL:HTTP://a.example/%60joe>\n \
        and http://b.example/%zz\n\\ No newline at end of file\n";
    assert_eq!(diff, expected);
    assert_eq!(folder.read("a.txt"), OLD);
}

#[test]
fn warnings_about_documents_are_printed() {
    let lines = "{\"body\": \"<http://a.example/`x>\"}\nno JSON\nnone\n";
    let message = "Content-Type: multipart/mixed; boundary=b\n\n--b\n\n<http://a.example/`x>\n";
    let folder = Folder::of(&[("a.jsonl", lines), ("b.eml", message)]);
    let told = |args: &[&str]| -> Vec<_> {
        let output = check(&folder, &[args, &["-v"]].concat());
        let told = output.stderr;
        let warnings = told.lines().filter(|line| line.contains("warning: "));
        warnings.map(str::to_owned).collect()
    };
    let own: [&[&str]; 2] = [&["--json-field", "body", "a.jsonl"], &["b.eml"]];
    for args in own {
        let checked = told(args);
        assert!(!checked.is_empty());
        for flag in ["--diff", "--fix-only"] {
            assert_eq!(told(&[&[flag], args].concat()), checked, "{flag} {args:?}");
        }
    }
}

#[test]
fn no_password_is_in_a_diff() {
    let text = "<URL:ftp://joe:Zq\nZq@a.example/`x> ftp://joe:Zq@b.example/\n\
        <URL:ftp://joe:Zq@a.example/`x>\n";
    let folder = Folder::of(&[("a.txt", text)]);
    let output = check(&folder, &["--diff", "a.txt"]);
    let diff = output.text();
    assert!(diff.contains("+Zq") || diff.contains("%60x"), "{diff}");
    assert!(!diff.contains("Zq"), "{diff}");
}

#[test]
fn standard_input_goes_to_standard_output() {
    let folder = Folder::new();
    for (args, code) in [(&["--fix", "-"][..], 1), (&["--fix-only", "-"], 0)] {
        let select = ["--extend-select", "not-normal"];
        let arguments = [&["check"], args, &select].concat();
        let output = run(folder.path(), &arguments, OLD.as_bytes());
        assert_eq!(output.text(), NEW);
        assert_eq!(output.code, Some(code));
        assert!(output.stderr.contains("Fixed 2 in 1 file"));
        assert_eq!(output.stderr.contains("bad-escape"), code == 1);
    }
}

#[test]
fn a_source_that_is_too_long_is_left_alone() {
    let folder = Folder::of(&[("a.txt", OLD), ("b.txt", OLD)]);
    let file = fs::File::options()
        .append(true)
        .open(folder.path().join("a.txt"));
    file.unwrap().set_len((256 << 20) + 1).unwrap();
    let output = check(
        &folder,
        &["--type", "plain", "--fix-only", "a.txt", "b.txt"],
    );
    assert_eq!(output.code, Some(2));
    assert!(
        output
            .stderr
            .contains("a.txt: not fixed: longer than 256 MiB")
    );
    assert_ne!(folder.read("b.txt"), OLD, "the others go on");
}

#[test]
fn suppressed_diagnostics_are_not_fixed() {
    let text = "urlint: ignore[unsafe-character]\n<URL:http://a.example/`joe>\n";
    let folder = Folder::of(&[("a.txt", text)]);
    let output = check(&folder, &["--fix", "a.txt"]);
    assert_eq!(output.code, Some(0));
    assert_eq!(folder.read("a.txt"), text);
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
    use std::process::{Command, Stdio};
    use std::time::Duration;

    use super::*;
    use crate::support::command::{URLINT, urlint};

    const ARGS: [&str; 3] = ["--fix-only", "--select=ALL", "."];

    #[test]
    fn mode_and_owner_are_kept() {
        let folder = Folder::of(&[("a.txt", OLD)]);
        let path = folder.path().join("a.txt");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o750)).unwrap();
        // Only root can give files away.
        let given = std::os::unix::fs::chown(&path, Some(12_345), Some(54_321)).is_ok();
        assert_eq!(check(&folder, &ARGS).code, Some(0));
        assert_eq!(folder.read("a.txt"), NEW);
        let now = fs::metadata(&path).unwrap();
        assert_eq!(now.mode() & 0o7777, 0o750);
        if given {
            assert_eq!((now.uid(), now.gid()), (12_345, 54_321));
        }
    }

    #[test]
    fn a_link_leads_to_its_file() {
        let folder = Folder::of(&[("real.txt", OLD)]);
        fs::create_dir(folder.path().join("links")).unwrap();
        let link = folder.path().join("links/a.txt");
        symlink("../real.txt", &link).unwrap();
        let output = check(&folder, &["--fix-only", "--select=ALL", "links/a.txt"]);
        assert_eq!(output.code, Some(0), "{}", output.stderr);
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(folder.read("real.txt"), NEW);
    }

    #[test]
    fn unwritable_files_are_reported_and_kept() {
        let folder = Folder::of(&[("a.txt", OLD)]);
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).unwrap();
        // Root may write nevertheless.
        if fs::write(folder.path().join("b.txt"), "").is_err() {
            let output = check(&folder, &ARGS);
            assert_eq!(output.code, Some(2));
            assert!(
                output.stderr.contains("a.txt: not fixed: "),
                "{}",
                output.stderr
            );
            assert_eq!(folder.read("a.txt"), OLD);
        }
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    }

    #[test]
    fn a_full_disk_loses_nothing() {
        let text = format!("{OLD}\n{}", "some more\n".repeat(10_000));
        let folder = Folder::of(&[("a.txt", &text)]);
        // The write fails, as it does where there is no room, instead of ending the process.
        let script = "trap '' XFSZ; ulimit -f 8; exec \"$0\" check --fix-only .";
        let output = Command::new("sh")
            .current_dir(folder.path())
            .args(["-c", script, URLINT])
            .output();
        let output = Ran::from(output.unwrap());
        assert_eq!(output.code, Some(2), "{}", output.stderr);
        assert!(
            output.stderr.contains("a.txt: not fixed: "),
            "{}",
            output.stderr
        );
        assert_eq!(folder.read("a.txt"), text);
        assert_eq!(names(&folder), ["a.txt"]);
    }

    #[test]
    fn a_kill_leaves_the_old_text_or_the_new() {
        let files: Vec<String> = (0..50).map(|number| format!("{number}.txt")).collect();
        let (mut old, mut new) = (0, 0);
        for round in 0..5 {
            let folder = Folder::new();
            for name in &files {
                fs::write(folder.path().join(name), OLD).unwrap();
            }
            let mut command = urlint(&["check"]);
            let command = command.args(ARGS).current_dir(folder.path());
            let mut child = command.stderr(Stdio::null()).spawn().unwrap();
            // So that it is met at work whatever the machine.
            let worked = |name: &str| fs::read(folder.path().join(name)).unwrap() == NEW.as_bytes();
            while !worked(&files[0]) && child.try_wait().unwrap().is_none() {
                std::thread::sleep(Duration::from_micros(200));
            }
            std::thread::sleep(Duration::from_micros(round * 2_000));
            child.kill().unwrap();
            child.wait().unwrap();
            for name in &files {
                match folder.read(name).as_str() {
                    OLD => old += 1,
                    NEW => new += 1,
                    other => unreachable!("{other}"),
                }
            }
            let strays = names(&folder)
                .into_iter()
                .filter(|name| !files.contains(name));
            for stray in strays {
                assert!(stray.starts_with(".urlint-"), "{stray}");
            }
            assert_eq!(check(&folder, &ARGS).code, Some(0));
            assert!(files.iter().all(|name| worked(name)));
        }
        assert!(old > 0 && new > 0, "{old} old and {new} new");
    }
}

/// A host is replaced wherever it occurs: in a mailbox with quoted-printable, a catalogue, JSON, a broken line.
#[test]
fn a_rule_of_ones_own_moves_a_host() {
    let rule = "[url-rules.old]\nhost = 'a.example'\npath = '/old/'\nmessage = 'it moved'\n\
        replace = 'moved.example/to/another/place/'\n";
    let mail = "From x@b.example Mon Mar  3 12:00:00 2003\nMIME-Version: 1.0\n\
        Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n\
        see http://a.example/old/x?a=3D1 and http://a.example/old/brok=\nen, and http://b.example/old/y\n";
    let catalogue = "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=UTF-8\\n\"\n\n\
        msgid \"x\"\nmsgstr \"\"\n\"see \\\"http://a.example/\"\n\"old/x\\\" here\"\n";
    let folder = Folder::of(&[
        ("urlint.toml", rule),
        ("mail.mbox", mail),
        ("de.po", catalogue),
        ("a.json", r#"{"a": "http:\/\/a.example\/old\/x"}"#),
        (
            "a.txt",
            "<URL:http://a.example/\nold/z> and http://a.example/older/\n",
        ),
    ]);
    let before = folder.run(&["extract", "."], b"");
    let output = check(&folder, &["--fix", "--unsafe-fixes", "."]);
    assert_eq!(output.code, Some(0), "{}", output.text());
    let after = folder.run(&["extract", "."], b"");
    let expected = before
        .text()
        .replace("a.example/old/", "moved.example/to/another/place/");
    assert_eq!(after.text(), expected);
    assert_eq!(before.text().lines().count(), 7);
}
