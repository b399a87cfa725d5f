//! `--resume`: whenever a run is killed, the next one goes on, and in the end the list is the same.

use std::fs;
use std::time::{Duration, Instant};

use crate::support::command::{Folder, Ran, is_killed};
use crate::support::packing::gzip;

const JOURNAL: &str = ".list.urlint-journal";
const PART: &str = ".list.urlint-part";

/// A folder of a crawl of so many files: texts, long ones too, mail, and what is compressed.
fn crawl(files: usize) -> Folder {
    let folder = Folder::new();
    for file in 0..files {
        let mut text = String::new();
        let long = if file % 40 == 7 { 20 } else { 1 };
        for url in 0..long * (file % 7) * 20 {
            let words = "all work and no play ".repeat(url % 9);
            text.push_str(&format!(
                "{words}\nhttp://h{}.example/{file}/{url}\n",
                url % 11
            ));
        }
        match file % 5 {
            0 => folder.write(&format!("in/{file:04}.gz"), gzip(text.as_bytes())),
            1 => folder.write(
                &format!("in/{file:04}.eml"),
                format!("Subject: x\n\n{text}"),
            ),
            _ => folder.write(&format!("in/{}/{file:04}.txt", file % 3), text),
        };
    }
    folder
}

fn arguments<'a>(threads: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let args = ["extract", "--resume", "-o", "list", "--threads", threads];
    [&args[..], more, &["in"]].concat()
}

fn resume(folder: &Folder, more: &[&str]) -> Ran {
    folder.run(&arguments("2", more), b"")
}

fn names(folder: &Folder) -> Vec<String> {
    let names = fs::read_dir(folder.path()).unwrap();
    let mut names: Vec<_> = names
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_run_that_is_killed_goes_on() {
    let folder = crawl(400);
    for format in [
        &[][..],
        &["--output-format", "csv", "--fields", "path,url,line"],
    ] {
        let plain = [&["extract"], format, &["in"]].concat();
        let expected = folder.run(&plain, b"").stdout;
        assert!(expected.len() > 500_000);
        let start = Instant::now();
        assert_eq!(resume(&folder, format).code, Some(0));
        let whole = start.elapsed();
        assert!(fs::read(folder.path().join("list")).unwrap() == expected);
        fs::remove_file(folder.path().join("list")).unwrap();
        let (mut kills, mut progress, mut most, mut random) = (0, 0, 0, 1_u32);
        while kills < 10 {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // Short and long runs, so that some come far and some do not begin.
            let after = whole.mul_f64(f64::from(random >> 16) / 65536.0 * 0.6);
            let threads = ["1", "2", "8"][kills % 3];
            if is_killed(folder.path(), &arguments(threads, format), after, 0) {
                kills += 1;
                // Killed after its last step but one, the list is whole.
                if let Ok(list) = fs::read(folder.path().join("list")) {
                    assert!(list == expected);
                    progress = 0;
                    continue;
                }
                let journal = fs::read_to_string(folder.path().join(JOURNAL)).unwrap_or_default();
                let done = journal
                    .lines()
                    .filter(|line| line.starts_with("file\t"))
                    .count();
                assert!(done >= progress, "{done} after {progress}");
                progress = done;
                most = most.max(done);
            } else {
                assert!(fs::read(folder.path().join("list")).unwrap() == expected);
                assert_eq!(names(&folder), ["in", "list"]);
                fs::remove_file(folder.path().join("list")).unwrap();
                progress = 0;
            }
        }
        // The list is not synced more often than ten times in a second.
        assert!(most > 0 || whole < Duration::from_secs(1));
        let ran = resume(&folder, format);
        assert_eq!(
            (ran.code, ran.text(), &*ran.stderr),
            (Some(0), String::new(), "")
        );
        assert!(fs::read(folder.path().join("list")).unwrap() == expected);
        assert_eq!(names(&folder), ["in", "list"]);
        fs::remove_file(folder.path().join("list")).unwrap();
    }
}

#[cfg(unix)]
mod unix {
    use std::process::{Command, Stdio};
    use std::thread;

    use super::*;
    use crate::support::command::{make_pipe, urlint};

    /// What a run has left that had read all files but the last, which cannot be read twice.
    struct Left {
        folder: Folder,
        journal: Vec<u8>,
        part: Vec<u8>,
        /// The list of all files.
        expected: String,
    }

    impl Left {
        fn new() -> Self {
            let folder = Folder::of(&[
                ("in/a", "http://a.example/1"),
                ("in/b", "http://b.example/2 http://b.example/3"),
                ("in/c\td", "http://c.example/4"),
                ("last", "http://d.example/5"),
            ]);
            let expected = folder.run(&["extract", "in", "last"], b"").text();
            fs::remove_file(folder.path().join("last")).unwrap();
            make_pipe(&folder.path().join("last"));
            let ran = folder.run(&[&arguments("1", &[])[..], &["last"]].concat(), b"");
            let message = "urlint: last: --resume reads regular files only\n";
            assert_eq!((ran.code, &*ran.stderr), (Some(2), message));
            fs::remove_file(folder.path().join("last")).unwrap();
            folder.write("last", "http://d.example/5");
            let read = |name| fs::read(folder.path().join(name)).unwrap();
            let (journal, part) = (read(JOURNAL), read(PART));
            Left {
                folder,
                journal,
                part,
                expected,
            }
        }

        fn write(&self, journal: &[u8], part: &[u8]) {
            let _ = fs::remove_file(self.folder.path().join("list"));
            self.folder.write(JOURNAL, journal);
            self.folder.write(PART, part);
        }

        #[track_caller]
        fn assert_whole(&self) {
            let ran = run(&self.folder);
            assert_eq!((ran.code, &*ran.stderr), (Some(0), ""));
            assert_eq!(self.folder.read("list"), self.expected);
            assert_eq!(names(&self.folder), ["in", "last", "list"]);
        }

        #[track_caller]
        fn assert_refused(&self, ran: &Ran, message: &str) {
            let way = "; to begin the list again, delete .list.urlint-journal\n";
            let message = format!("urlint: {message}{way}");
            assert_eq!((ran.code, &*ran.stderr), (Some(2), &*message));
        }
    }

    fn run(folder: &Folder) -> Ran {
        folder.run(&[&arguments("2", &[])[..], &["last"]].concat(), b"")
    }

    /// The hash of journals.
    fn hash(bytes: &[u8]) -> u64 {
        let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3);
        bytes.iter().fold(0xCBF2_9CE4_8422_2325, step)
    }

    #[test]
    fn any_beginning_of_a_journal_will_do() {
        let left = Left::new();
        let text = String::from_utf8(left.journal.clone()).unwrap();
        assert_eq!(text.lines().count(), 5, "{text}");
        let head = text.find('\n').unwrap() + 1;
        let length = left.journal.len();
        for end in (0..length)
            .step_by(7)
            .chain([head - 1, head, length - 1, length])
        {
            left.write(
                &left.journal[..end],
                &[&left.part[..], b"http://rest"].concat(),
            );
            left.assert_whole();
            // What the disk has of the last write may be anything.
            let mut torn = left.journal.clone();
            torn[end..].fill(0);
            if end >= head {
                left.write(&torn, &left.part);
                left.assert_whole();
            }
        }
    }

    #[test]
    fn a_list_that_is_whole_only_takes_its_place() {
        let left = Left::new();
        let (length, check) = (left.part.len(), hash(&left.journal));
        let whole = format!("whole\t{length}\t3\t0\t0\t{check:016x}\n");
        let journal = [&left.journal[..], whole.as_bytes()].concat();
        let part = String::from_utf8(left.part.clone()).unwrap();
        left.write(&journal, &left.part);
        for _ in 0..2 {
            let ran = run(&left.folder);
            assert_eq!((ran.code, &*ran.stderr), (Some(0), ""));
            assert_eq!(left.folder.read("list"), part);
            assert_eq!(names(&left.folder), ["in", "last", "list"]);
            left.folder.write(JOURNAL, &journal);
        }
    }

    #[test]
    fn what_has_changed_is_told() {
        let left = Left::new();
        let folder = &left.folder;
        let again = || left.write(&left.journal, &left.part);
        again();
        let other = [&arguments("2", &["--normalize"])[..], &["last"]].concat();
        let message = ".list.urlint-journal: --resume takes the flags and paths of the run that it goes on with";
        left.assert_refused(&folder.run(&other, b""), message);
        folder.write(JOURNAL, "mine\n");
        let message = ".list.urlint-journal: not a journal of this version of urlint";
        left.assert_refused(&run(folder), message);
        again();
        folder.write(PART, "");
        let message = ".list.urlint-part: shorter than it was";
        left.assert_refused(&run(folder), message);
        again();
        folder.write("in/aa", "http://new.example/");
        let message = "in/aa: an earlier run has read in/b in its place";
        left.assert_refused(&run(folder), message);
        fs::remove_file(folder.path().join("in/aa")).unwrap();
        let text = folder.read("in/b");
        folder.write("in/b", text.clone() + " ");
        let message = "in/b: the file or its settings have changed since it was read";
        left.assert_refused(&run(folder), message);
        folder.write("urlint.toml", "schemeless = true\n");
        let message = "in/a: the file or its settings have changed since it was read";
        left.assert_refused(&run(folder), message);
        fs::remove_file(folder.path().join("urlint.toml")).unwrap();
        // A refusal leaves all as it was.
        assert_eq!(fs::read(folder.path().join(PART)).unwrap(), left.part);
        assert!(!folder.path().join("list").exists());
        // Without the journal, the list is begun again.
        folder.write("in/b", &text);
        fs::remove_file(folder.path().join(JOURNAL)).unwrap();
        left.assert_whole();
    }

    #[test]
    fn files_that_are_gone_are_told() {
        let left = Left::new();
        left.write(&left.journal, &left.part);
        fs::remove_file(left.folder.path().join("in/c\td")).unwrap();
        fs::remove_file(left.folder.path().join("last")).unwrap();
        let ran = run(&left.folder);
        assert_eq!(ran.code, Some(2));
        let message = "urlint: .list.urlint-journal: some files are gone that an earlier run has read; to begin the list again, delete .list.urlint-journal\n";
        assert!(ran.stderr.ends_with(message), "{}", ran.stderr);
        assert!(!left.folder.path().join("list").exists());
    }

    /// Runs until there is a journal, or the list, and interrupts that.
    fn interrupted(folder: &Folder) -> Ran {
        let mut command = urlint(&arguments("2", &[]));
        let command = command.current_dir(folder.path()).stdin(Stdio::null());
        let child = command.stderr(Stdio::piped()).spawn().unwrap();
        let until = Instant::now() + Duration::from_secs(60);
        while ![JOURNAL, "list"]
            .iter()
            .any(|name| folder.path().join(name).exists())
        {
            assert!(Instant::now() < until, "neither a journal nor a list");
            thread::sleep(Duration::from_millis(1));
        }
        let id = child.id().to_string();
        let _ = Command::new("kill").args(["-INT", &id]).status();
        child.wait_with_output().unwrap().into()
    }

    #[test]
    fn an_interrupted_run_goes_on() {
        let folder = crawl(400);
        let expected = folder.run(&["extract", "in"], b"").stdout;
        // A run may end before it is interrupted, but not each of so many.
        let is_interrupted = (0..20).any(|_| {
            let _ = fs::remove_file(folder.path().join("list"));
            let ran = interrupted(&folder);
            match ran.code {
                Some(0) => {}
                Some(130) => {
                    let way = "urlint: the same command goes on from here\n";
                    assert!(ran.stderr.ends_with(way), "{}", ran.stderr);
                }
                // The signal ends a run that does not listen yet.
                code => assert_eq!(code, None, "{}", ran.stderr),
            }
            if ran.code != Some(0) {
                assert!(!folder.path().join("list").exists());
                assert_eq!(resume(&folder, &[]).code, Some(0));
            }
            assert!(fs::read(folder.path().join("list")).unwrap() == expected);
            assert_eq!(names(&folder), ["in", "list"]);
            ran.code == Some(130)
        });
        assert!(is_interrupted);
    }
}
