//! Lists from several threads, held to that from one.

use std::fs::File;
use std::path::Path;

use crate::support::command::{Ran, urlint};

/// A format without positions, and one with them, and for each a number of threads.
const CASES: [(&str, &str); 2] = [("text", "7"), ("json-lines", "2")];

/// Lists the files that `arguments` name in `folder`; standard input is the file `stdin` there.
fn extract(folder: &Path, threads: &str, format: &str, arguments: &[&str]) -> Ran {
    let mut command = urlint(&["extract", "--threads", threads, "--output-format", format]);
    command.args(["--verbose"]).args(arguments);
    command.current_dir(folder);
    if arguments.last() == Some(&"-") {
        command.stdin(File::open(folder.join("stdin")).unwrap());
    }
    command.output().unwrap().into()
}

/// Asserts that any number of threads gives the same, and returns that as text.
#[track_caller]
pub(crate) fn assert_same(folder: &Path, arguments: &[&str]) -> Ran {
    let [text, ..] = CASES.map(|(format, threads)| {
        let alone = extract(folder, "1", format, arguments);
        let several = extract(folder, threads, format, arguments);
        let case = format!("{arguments:?} {format} {threads}");
        assert!(alone.stdout == several.stdout, "{case}: another list");
        assert_eq!(alone.stderr, several.stderr, "{case}");
        assert_eq!(alone.code, several.code, "{case}");
        alone
    });
    text
}
