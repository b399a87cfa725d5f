//! The input if no path is given.

use std::fs::File;
use std::io::Write;
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

use crate::support::command::{Folder, Ran, feed, piped, urlint};

const FOLDER: &str = "http://folder.example/\n";
const PIPE: &str = "http://pipe.example/\n";
const EMPTY: &str =
    "urlint: standard input is empty: reading the current folder; `-` reads only standard input\n";

const UNNAMED: &str =
    "urlint: standard input is empty: to change files of the current folder, name it: `.`\n";

fn folder() -> Folder {
    Folder::of(&[("a.txt", FOLDER)])
}

/// Arguments, the text on the pipe, the exit code, standard output and the message.
type Case = (
    &'static [&'static str],
    &'static str,
    i32,
    &'static str,
    &'static str,
);

#[test]
fn a_pipe_is_read_unless_it_is_empty_or_a_path_is_given() {
    let check = ["check", "-fconcise"];
    let faulty = "see http://x.example:/\n";
    let fault = "-:1:21: warning[empty-port] there is a colon without a port\n";
    let found = "Found 1 warning in standard input, 1 URL.\n1 can be fixed with `--fix`.\n";
    let nothing = "Nothing to report in standard input, 1 URL.\n";
    let in_folder = "Nothing to report in 1 file, 1 URL.\n";
    let cases: &[Case] = &[
        (&["extract"], PIPE, 0, PIPE, ""),
        (&["extract"], "", 0, FOLDER, EMPTY),
        (&["extract", "-q"], "", 0, FOLDER, EMPTY),
        (&["check", "-q", "--fix"], "", 2, "", UNNAMED),
        (&["extract", "-"], "", 0, "", ""),
        (&["extract", "."], PIPE, 0, FOLDER, ""),
        (&["extract", "--show-files"], PIPE, 0, "a.txt: plain\n", ""),
        (&["extract", "--stdin-filename=b"], PIPE, 0, PIPE, ""),
        (&["extract", "--stdin-filename=b"], "", 0, "", ""),
        (&["check", "."], PIPE, 0, "", in_folder),
        (&["check"], PIPE, 0, "", nothing),
    ];
    let folder = folder();
    for (args, input, code, stdout, stderr) in cases {
        let ran = feed(urlint(args).current_dir(folder.path()), input.as_bytes());
        assert_eq!(ran.code, Some(*code), "{args:?} {input}");
        assert_eq!(ran.text(), *stdout, "{args:?} {input}");
        assert_eq!(ran.stderr, *stderr, "{args:?} {input}");
    }
    let ran = feed(urlint(&check).current_dir(folder.path()), faulty.as_bytes());
    assert_eq!((ran.code, &*ran.text()), (Some(1), fault));
    assert_eq!(ran.stderr, found);
}

#[test]
fn a_file_is_read_and_a_device_or_a_folder_is_not() {
    let folder = folder();
    folder.write("hidden/.pipe", PIPE);
    let path = folder.path();
    let cases = [
        (
            Stdio::from(File::open(path.join("hidden/.pipe")).unwrap()),
            PIPE,
        ),
        (Stdio::from(File::open(path).unwrap()), FOLDER),
        (Stdio::null(), FOLDER),
    ];
    for (stdin, stdout) in cases {
        let output = urlint(&["extract"]).current_dir(path).stdin(stdin).output();
        let ran = Ran::from(output.unwrap());
        assert_eq!((&*ran.text(), &*ran.stderr), (stdout, ""));
    }
}

#[test]
fn long_standard_input_is_read_to_its_end() {
    let folder = folder();
    let text = PIPE.repeat(20_000);
    let mut command = urlint(&["extract"]);
    let ran = feed(command.current_dir(folder.path()), text.as_bytes());
    assert!(ran.text() == text);
}

#[test]
fn a_wait_for_input_is_announced_after_two_seconds() {
    let folder = folder();
    let mut command = urlint(&["extract"]);
    let mut child: Child = piped(command.current_dir(folder.path()).stdin(Stdio::piped()));
    let mut pipe = child.stdin.take().unwrap();
    thread::sleep(Duration::from_secs(3));
    pipe.write_all(PIPE.as_bytes()).unwrap();
    drop(pipe);
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert_eq!(ran.text(), PIPE);
    let waiting = "urlint: waiting for standard input; `.` names the current folder\n";
    assert_eq!(ran.stderr, waiting);
}
