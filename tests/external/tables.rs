//! Tables, read by the engines that they are for.

use std::process::{Command, Stdio};

use crate::needs::{script, shared};
use crate::support::command::{Folder, URLINT};

/// Lists of the same run in these formats, in the files `list.FORMAT` of `folder`.
fn list(folder: &Folder, args: &[&str]) {
    for format in ["json-lines", "parquet", "arrow"] {
        let file = folder.path().join(format!("list.{format}"));
        let mut urlint = Command::new(URLINT);
        urlint.args(["extract", "--quiet", "--output-format", format, "-o"]);
        // Some of the corpora are broken, which is reported.
        let urlint = urlint.arg(file).args(args).stderr(Stdio::null());
        let status = urlint.current_dir(folder.path()).status().unwrap();
        assert!(status.code().is_some_and(|code| code != 101), "{status}");
    }
}

/// Returns the output of the program `tables.py` when it reads the lists.
fn read(folder: &Folder, what: &str) -> String {
    let output = script("tables.py")
        .arg(what)
        .arg(folder.path())
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

pub(crate) fn columns_have_their_types() {
    let folder = Folder::of(&[("a.txt", "http://a.example/")]);
    list(&folder, &["--fields", "all", "a.txt"]);
    let expected = "\
        path: string not null\nmember: string\npage: int64\nurl: string not null\nfound: string not null\n\
        refanged: string\nunwrapped: string\nresolved: bool not null\nfragment: string\nalternatives: list<string not null> not null\nscheme: string\nhost: string\n\
        domain: string\ndelimiter: string not null\nstart: int64 not null\nend: int64 not null\n\
        line: int64 not null\ncolumn: int64 not null\n\
        pieces: list<struct<start: int64 not null, end: int64 not null> not null> not null\n\
        evidence: list<string not null> not null\nending: string not null\nvalid: bool\n\
        problems: list<string not null> not null\nplaceholder: bool not null\nstandard: string not null\n\
        rules: list<string not null> not null\nverdicts: list<string not null> not null\n\
        kind: string not null\ncontext: string not null\nelement: string\nattribute: string\nanchor: string\n\
        title: string\nrel: string\nmessage-id: string\ndate: timestamp[us, tz=UTC]\ndate-local: string\nfrom: string\nto: string\n\
        subject: string\nlist-id: string\npart: string\nwhere: string\nwarc-target: string\n\
        warc-date: timestamp[us, tz=UTC]\nwarc-type: string\nstatus: int64\nurlint.schema=1\n";
    assert_eq!(read(&folder, "types"), format!("{expected}{expected}"));
}

pub(crate) fn engines_read_the_rows_of_json() {
    let corpora = shared("corpora").display().to_string();
    let folder = Folder::new();
    let shapes: [&[&str]; 4] = [
        &[],
        &["--fields", "all", "--normalize"],
        &["--unique", "--sort", "-url"],
        &["--group-by", "host", "--sort", "count"],
    ];
    for shape in shapes {
        list(&folder, &[shape, &["--no-ignore", &corpora]].concat());
        let same = read(&folder, "rows");
        assert!(
            same.starts_with("the same: ") && same != "the same: 0\n",
            "{shape:?}: {same}"
        );
    }
}
