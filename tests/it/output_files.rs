//! Files of `--output-file`: regular files are replaced whole, all else is written through.

use std::fs;

use crate::support::command::{Folder, Ran};

const TEXT: &str = "<URL:http://a.example/{>\n";
const LINE: &str =
    "a.txt:1:23: error[unsafe-character] `{` must be encoded in `http://a.example/{`\n";

/// Returns a folder with a text that has one diagnostic.
fn folder() -> Folder {
    Folder::of(&[("a.txt", TEXT)])
}

fn check(folder: &Folder, file: &str) -> Ran {
    let args = ["check", "--output-format", "concise", "-o", file, "a.txt"];
    folder.run(&args, b"")
}

#[test]
fn a_regular_file_is_replaced() {
    let folder = folder();
    let ran = check(&folder, "new/report");
    assert_eq!((ran.code, ran.text().as_str()), (Some(1), ""));
    assert_eq!(folder.read("new/report"), LINE);
    folder.write("report", "old\n".repeat(1000));
    assert_eq!(check(&folder, "report").code, Some(1));
    assert_eq!(folder.read("report"), LINE);
    let names = fs::read_dir(folder.path()).unwrap();
    assert_eq!(names.count(), 3);
}

#[test]
fn the_extension_of_the_file_says_the_format() {
    let folder = folder();
    let report = |file: &str, args: &[&str]| {
        let ran = folder.run(&[&["check", "a.txt", "-o", file], args].concat(), b"");
        assert_eq!(ran.code, Some(1), "{}", ran.stderr);
        folder.read(file)
    };
    let named = |format: &str| report("report", &["-f", format]);
    for (file, format) in [
        ("a.json", "json"),
        ("a.jsonl", "json-lines"),
        ("a.NDJSON", "json-lines"),
        ("a.sarif", "sarif"),
        ("a.txt.TXT", "full"),
        ("a", "full"),
    ] {
        assert_eq!(report(file, &[]), named(format), "{file}");
        assert_eq!(report(file, &["--format", "concise"]), LINE, "{file}");
    }
    let configured = ["--config", "output-format = 'concise'"];
    assert_eq!(report("a.sarif", &configured), LINE);
    let unknown = folder.run(&["check", "a.txt", "-o", "a.xml"], b"");
    assert_eq!(unknown.code, Some(2));
    let known =
        "a.xml: unknown extension, so name a format with --output-format; known are .json, ";
    assert!(unknown.stderr.contains(known), "{}", unknown.stderr);
}

/// The old text of an output: that of a baseline is replaced by a new one, and by reports.
const OLD: &str = "{\"version\":1,\"diagnostics\":[]}\n";

/// Commands that write `out` with a text that differs from the old one, each with its exit code.
const WRITERS: [(&[&str], i32); 3] = [
    (
        &[
            "check",
            "-q",
            "--output-format",
            "json",
            "-o",
            "out",
            "many.txt",
        ],
        1,
    ),
    (
        &[
            "check",
            "-q",
            "--baseline",
            "out",
            "--update-baseline",
            "many.txt",
        ],
        0,
    ),
    (&["extract", "-q", "-o", "out", "many.txt"], 0),
];

/// Returns a folder with a text that has many diagnostics, all of them different.
fn many() -> Folder {
    let urls: String = (0..3000)
        .map(|number| format!("<URL:http://a.example/{number}/{{>\n"))
        .collect();
    Folder::of(&[("many.txt", urls)])
}

#[test]
fn two_outputs_are_two_files() {
    let folder = folder();
    folder.write("old", "old");
    let formats = "two formats go to";
    let baseline = "this is the baseline; write to another file";
    for (args, message) in [
        (
            &[
                "--output-format",
                "json=old",
                "--output-format",
                "full=./old",
            ][..],
            format!("{formats} ./old; give each its own file"),
        ),
        (
            &[
                "--output-format",
                "json=new",
                "--output-format",
                "full=./new",
            ],
            format!("{formats} ./new; give each its own file"),
        ),
        (
            &[
                "--output-format",
                "json=old",
                "--baseline",
                "./old",
                "--update-baseline",
            ],
            format!("./old: {baseline}"),
        ),
        (
            &["-o", "new", "--baseline", "./new", "--update-baseline"],
            format!("./new: {baseline}"),
        ),
    ] {
        let ran = folder.run(&[&["check", "a.txt"], args].concat(), b"");
        let message = format!("urlint: {message}\n");
        assert_eq!((ran.code, ran.stderr), (Some(2), message), "{args:?}");
        assert_eq!(folder.read("old"), "old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "{args:?}");
    }
}

#[cfg(unix)]
mod unix {
    use std::fs::File;
    use std::io::Read;
    use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
    use std::path::Path;
    use std::process::Command;
    use std::time::Instant;

    use super::*;
    use crate::support::command::{URLINT, is_killed, make_pipe, urlint};
    use urlint_testing::share;

    /// Makes a device; returns whether that is allowed.
    fn make_node(path: &Path, args: &[&str]) -> bool {
        let made = Command::new("mknod").arg(path).args(args).output();
        made.is_ok_and(|made| made.status.success())
    }

    #[test]
    fn the_mode_of_a_file_stays() {
        let folder = folder();
        let path = folder.write("report", "old");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        assert_eq!(check(&folder, "report").code, Some(1));
        assert_eq!(folder.read("report"), LINE);
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
    }

    #[test]
    fn symbolic_links_stay_and_what_they_lead_to_is_written() {
        let folder = folder();
        folder.write("d/report", "old");
        for (link, to) in [
            ("one", "d/report"),
            ("two", "one"),
            ("d/three", "../two"),
            ("dangling", "d/new"),
        ] {
            symlink(to, folder.path().join(link)).unwrap();
            assert_eq!(check(&folder, link).code, Some(1), "{link}");
            let at = folder.path().join(link);
            assert_eq!(fs::read_link(&at).unwrap(), Path::new(to));
            assert_eq!(fs::read_to_string(&at).unwrap(), LINE, "{link}");
            fs::write(at, "old").unwrap();
        }
        assert!(folder.path().join("d/new").is_file());
        symlink("around", folder.path().join("around")).unwrap();
        assert_eq!(check(&folder, "around").code, Some(2));
    }

    #[test]
    fn a_pipe_is_written_and_stays() {
        let folder = folder();
        let path = folder.path().join("pipe");
        make_pipe(&path);
        symlink("pipe", folder.path().join("link")).unwrap();
        for name in ["pipe", "link"] {
            let path = path.clone();
            let reader = std::thread::spawn(move || {
                let mut text = String::new();
                File::open(path).unwrap().read_to_string(&mut text).unwrap();
                text
            });
            let ran = check(&folder, name);
            assert_eq!((ran.code, ran.text().as_str()), (Some(1), ""));
            assert_eq!(reader.join().unwrap(), LINE);
        }
        assert!(fs::metadata(&path).unwrap().file_type().is_fifo());
    }

    /// Only the superuser may make devices, and only outside of most containers.
    #[test]
    fn a_device_is_written_and_stays() {
        let folder = folder();
        let [null, full] = ["null", "full"].map(|name| folder.path().join(name));
        if !make_node(&null, &["c", "1", "3"]) || !make_node(&full, &["c", "1", "7"]) {
            return;
        }
        if File::options().write(true).open(&null).is_err() {
            return;
        }
        symlink("null", folder.path().join("link")).unwrap();
        for name in ["null", "link"] {
            assert_eq!(check(&folder, name).code, Some(1), "{name}");
        }
        let ran = check(&folder, "full");
        assert_eq!(ran.code, Some(2));
        assert!(ran.stderr.starts_with("urlint: full: "), "{}", ran.stderr);
        for path in [null, full] {
            assert!(fs::metadata(path).unwrap().file_type().is_char_device());
        }
        let names = fs::read_dir(folder.path()).unwrap();
        assert_eq!(names.count(), 4);
    }

    #[test]
    fn a_baseline_is_written_through_a_link() {
        let folder = folder();
        folder.write("d/baseline", "");
        symlink("d/baseline", folder.path().join("link")).unwrap();
        let args = ["check", "--baseline", "link", "--update-baseline", "a.txt"];
        assert_eq!(folder.run(&args, b"").code, Some(0));
        let link = fs::symlink_metadata(folder.path().join("link")).unwrap();
        assert!(link.is_symlink());
        assert!(folder.read("d/baseline").contains("unsafe-character"));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn standard_output_by_its_name_is_written_where_it_stands() {
        use std::io::Write;

        let folder = folder();
        let path = folder.path().join("out");
        let mut out = File::create(&path).unwrap();
        out.write_all(b"before\n").unwrap();
        let mut command = urlint(&["check", "--output-format", "concise"]);
        let command = command.args(["-o", "/dev/stdout", "a.txt"]);
        let command = command.current_dir(folder.path());
        let ran = command.stdout(out.try_clone().unwrap()).output().unwrap();
        assert_eq!(ran.status.code(), Some(1));
        out.write_all(b"after\n").unwrap();
        assert_eq!(folder.read("out"), format!("before\n{LINE}after\n"));
    }

    /// The write fails, as it does where there is no room or the quota is used up, instead of ending the
    /// process.
    fn with_little_room(folder: &Folder, args: &[&str]) -> Ran {
        let script = "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\"";
        let mut command = Command::new("sh");
        let command = command.args(["-c", script, URLINT]).args(args);
        Ran::from(command.current_dir(folder.path()).output().unwrap())
    }

    #[test]
    fn a_full_disk_leaves_the_old_file() {
        for (args, _) in WRITERS {
            let folder = many();
            let ran = with_little_room(&folder, args);
            assert_eq!(ran.code, Some(2), "{args:?}: {}", ran.stderr);
            assert!(ran.stderr.starts_with("urlint: out: "), "{}", ran.stderr);
            let names = fs::read_dir(folder.path()).unwrap();
            assert_eq!(names.count(), 1, "nothing is left behind: {args:?}");
            folder.write("out", OLD);
            assert_eq!(with_little_room(&folder, args).code, Some(2));
            assert_eq!(folder.read("out"), OLD);
            let names = fs::read_dir(folder.path()).unwrap();
            assert_eq!(names.count(), 2, "nothing is left behind: {args:?}");
        }
    }

    #[test]
    fn a_kill_leaves_the_old_file_or_the_new() {
        for (args, code) in WRITERS {
            let folder = many();
            let start = Instant::now();
            assert_eq!(folder.run(args, b"").code, Some(code));
            let mut whole = start.elapsed();
            let new = folder.read("out");
            let (mut kills, mut tries, mut random) = (0, 0, 1_u32);
            while kills < share(1, 12) {
                tries += 1;
                assert!(tries < 200, "{args:?}: only {kills} were still at work");
                folder.write("out", OLD);
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let after = whole.mul_f64(f64::from(random >> 16) / 65536.0);
                let start = Instant::now();
                let was_killed = is_killed(folder.path(), args, after, code);
                let out = folder.read("out");
                if was_killed {
                    kills += 1;
                    assert!(out == OLD || out == new, "{args:?}: {out}");
                } else {
                    // The first run may have been slower than the others.
                    whole = whole.min(start.elapsed());
                    assert!(out == new, "{args:?}: {out}");
                }
                for entry in fs::read_dir(folder.path()).unwrap() {
                    let name = entry.unwrap().file_name().into_string().unwrap();
                    let is_known = ["out", "many.txt"].contains(&name.as_str());
                    assert!(is_known || name.starts_with(".urlint-"), "{name}");
                }
            }
            // Files that are left behind do no harm.
            assert_eq!(folder.run(args, b"").code, Some(code));
            assert_eq!(folder.read("out"), new);
        }
    }

    #[test]
    fn mode_and_owner_of_an_output_are_kept() {
        for (args, code) in WRITERS {
            let folder = many();
            let path = folder.write("out", OLD);
            fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
            // Only the superuser can give files away.
            let given = std::os::unix::fs::chown(&path, Some(12_345), Some(54_321)).is_ok();
            assert_eq!(folder.run(args, b"").code, Some(code));
            let now = fs::metadata(&path).unwrap();
            assert!(now.len() > OLD.len() as u64 && now.mode() & 0o7777 == 0o640);
            if given {
                assert_eq!((now.uid(), now.gid()), (12_345, 54_321));
            }
        }
    }

    #[test]
    fn unwritable_files_are_reported_first() {
        for (args, _) in WRITERS {
            let folder = many();
            // Whoever reads it complains.
            folder.write("broken.gz", b"\x1f\x8b\x08\0");
            let (text, flags) = args.split_last().unwrap();
            let args = [flags, &["broken.gz", text]].concat();
            let path = folder.path().join("out");
            let ran = folder.run(&args, b"");
            assert!(ran.stderr.contains("broken.gz: "), "{}", ran.stderr);
            let is_told_at_once = || {
                let ran = folder.run(&args, b"");
                assert_eq!(ran.code, Some(2));
                assert!(ran.stderr.starts_with("urlint: out: "), "{}", ran.stderr);
                assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
            };
            fs::write(&path, OLD).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
            // The superuser may write nevertheless.
            if File::options().append(true).open(&path).is_err() {
                is_told_at_once();
                assert_eq!(folder.read("out"), OLD);
            }
            fs::remove_file(&path).unwrap();
            fs::create_dir(&path).unwrap();
            is_told_at_once();
        }
    }
}
