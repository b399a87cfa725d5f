//! URLs that stand unbroken in one message or file decide how those in others are read.

use crate::support::command::Folder;

const BROKEN: &str = "see http://a.example/linux/\nguides for all\n\nand http://trans-\nlation.example/x there\n\n\
    http://b.example/some/very/long/path/to/the/documents/of/the/year/1994/part/\nA4/Letter\n";

const UNBROKEN: &str = "I read http://a.example/linux/guides and <https://translation.example/> and\n\
    http://b.example/some/very/long/path/to/the/documents/of/the/year/1994/part/ today\n";

const JOINED: [&str; 3] = [
    "http://a.example/linux/guides",
    "http://translation.example/x",
    "http://b.example/some/very/long/path/to/the/documents/of/the/year/1994/part/",
];

const NOT_CORROBORATED: [&str; 3] = [
    "http://a.example/linux/",
    "http://trans-lation.example/x",
    "http://b.example/some/very/long/path/to/the/documents/of/the/year/1994/part/A4/Letter",
];

/// The URLs of the first document.
#[track_caller]
fn first(folder: &Folder, args: &[&str], stdin: &[u8]) -> Vec<String> {
    let of = |threads: &str| {
        let args = [&["extract", "--threads", threads], args].concat();
        let ran = folder.run(&args, stdin);
        assert_eq!(ran.code, Some(0));
        ran.text()
            .lines()
            .take(3)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(of("1"), of("4"));
    of("2")
}

#[test]
fn files_are_witnesses_of_each_other() {
    let folder = Folder::of(&[("a.txt", BROKEN.as_bytes()), ("b.txt", UNBROKEN.as_bytes())]);
    assert_eq!(first(&folder, &["."], b""), JOINED);
    assert_eq!(first(&folder, &["a.txt", "b.txt"], b""), JOINED);
    assert_eq!(first(&folder, &["a.txt"], b""), NOT_CORROBORATED);
    assert_eq!(
        first(&folder, &["--rejoin", "likely", "."], b""),
        NOT_CORROBORATED
    );
}

#[test]
fn messages_are_witnesses_of_each_other() {
    let message = |text: &str| {
        format!(
            "From joe@a.example Mon Mar  3 12:00:00 2003\nFrom: joe@a.example\nSubject: x\n\n{text}\n"
        )
    };
    let mailbox = message(BROKEN) + &message(UNBROKEN);
    let folder = Folder::of(&[("list", mailbox.as_bytes())]);
    assert_eq!(first(&folder, &["list"], b""), JOINED);
    // It can be read only once.
    assert_eq!(first(&folder, &["-"], mailbox.as_bytes()), NOT_CORROBORATED);
}

#[test]
fn a_field_names_the_witness() {
    let folder = Folder::of(&[("a.txt", BROKEN.as_bytes()), ("b.txt", UNBROKEN.as_bytes())]);
    let args = ["extract", "--fields", "url,witness", "-f", "csv", "."];
    let ran = folder.run(&args, b"");
    let list = ran.text();
    let rows: Vec<&str> = list.lines().take(4).collect();
    let expected = [
        "url,witness".to_owned(),
        format!("{},b.txt:1", JOINED[0]),
        format!("{},", JOINED[1]),
        format!("{},", JOINED[2]),
    ];
    assert_eq!(rows, expected);
}
