//! URLs that are unbroken in one message or file decide how broken URLs in others are read.

use crate::support::command::{Folder, ended, feed, urlint};

const BROKEN: &str = "see http://a.example/linux/\nguides for all\n\nand http://trans-\nlation.example/x there\n\n\
    http://b.example/some/very/long/path/to/the/documents/of/the/year/1994/part/\nA4/Letter\n";

const UNBROKEN: &str = "I read http://a.example/linux/guides and <https://translation.example/> and\n\
    http://b.example/some/very/long/path/to/the/documents/of/the/year/1994/part/ today\n";

const JOINED: [&str; 3] = [
    "http://a.example/linux/guides",
    // No witness decides about a host.
    "http://trans-lation.example/x",
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
    let folder = Folder::of(&[("a.txt", BROKEN), ("b.txt", UNBROKEN), ("d.txt", UNBROKEN)]);
    assert_eq!(first(&folder, &["."], b""), JOINED);
    assert_eq!(first(&folder, &["a.txt", "b.txt", "d.txt"], b""), JOINED);
    // One is not enough where words may follow the URL.
    let one = [NOT_CORROBORATED[0], JOINED[1], NOT_CORROBORATED[2]];
    assert_eq!(first(&folder, &["a.txt", "b.txt"], b""), one);
    assert_eq!(first(&folder, &["a.txt"], b""), NOT_CORROBORATED);
    assert_eq!(
        first(&folder, &["--rejoin", "likely", "."], b""),
        NOT_CORROBORATED
    );
}

/// All rows wait until the last file has been read, and texts that ask for a witness do. There may be too many
/// for the memory, no place for a temporary file, or a text that is too long to be kept.
#[test]
fn however_much_waits_the_rows_are_the_same() {
    let mut files = vec![
        ("a.txt", BROKEN.to_owned()),
        ("b.txt", UNBROKEN.to_owned()),
        ("d.txt", UNBROKEN.to_owned()),
    ];
    let rows = |folder: &Folder, threads: &str, temporary: &str| {
        let mut command = urlint(&["extract", "--threads", threads, "."]);
        let ran = ended(command.current_dir(folder.path()).env("TMPDIR", temporary));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        ran.text()
    };
    let few = rows(&Folder::of(&files), "1", "/nowhere");
    let many: Vec<_> = (0..20_000)
        .map(|n| format!("http://c.example/{n}\n"))
        .collect();
    files.push(("e.txt", many.concat()));
    let long = "more words\n".repeat(500_000);
    files.push(("f.txt", format!("{BROKEN}{long}")));
    let many = few + &many.concat();
    let all = many.clone() + &JOINED.map(|url| format!("{url}\n")).concat();
    for (count, expected) in [(4, many), (5, all)] {
        let folder = Folder::of(&files[..count]);
        for temporary in [".", "/nowhere"] {
            for threads in ["1", "4"] {
                let is_same = rows(&folder, threads, temporary) == expected;
                assert!(is_same, "{count} files, {threads} threads, {temporary}");
            }
        }
    }
}

#[test]
fn messages_are_witnesses_of_each_other() {
    let message = |year: &str, text: &str| {
        format!(
            "From joe@a.example Mon Mar  3 12:00:00 {year}\nFrom: joe@a.example\nSubject: x\n\n{text}\n"
        )
    };
    // In a thread one is enough.
    let mailbox = message("2003", BROKEN) + &message("2004", UNBROKEN);
    let folder = Folder::of(&[("list", mailbox.as_bytes())]);
    assert_eq!(first(&folder, &["list"], b""), JOINED);
    // Standard input is read twice if it is a file.
    assert_eq!(first(&folder, &["-"], mailbox.as_bytes()), JOINED);
    let piped = feed(&mut urlint(&["extract", "-"]), mailbox.as_bytes()).text();
    assert_eq!(piped.lines().next(), Some(NOT_CORROBORATED[0]));
}

#[test]
fn encoded_parts_are_decoded() {
    let message = |subject: &str, encoding: &str, text: &str| {
        format!(
            "From joe@a.example Mon Mar  3 12:00:00 2003\nFrom: joe@a.example\nSubject: {subject}\n\
            Content-Transfer-Encoding: {encoding}\n\n{text}\n"
        )
    };
    let broken = message("x", "8bit", "see http://a.example/linux/\nguides for all\n");
    for (encoding, text) in [
        (
            "base64",
            "SSByZWFkIGh0dHA6Ly9hLmV4YW1wbGUvbGludXgvZ3VpZGVzIGFuZCBzbyBvbi4K",
        ),
        (
            "Quoted-Printable",
            "I read http://a.exam=\nple/linux/gui=64es and so on.\n",
        ),
    ] {
        for (subject, expected) in [("Re: [l] x", JOINED[0]), ("y", NOT_CORROBORATED[0])] {
            let mailbox = broken.clone() + &message(subject, encoding, text);
            let folder = Folder::of(&[("list", mailbox.as_bytes())]);
            assert_eq!(
                first(&folder, &["list"], b"")[0],
                expected,
                "{encoding} {subject}"
            );
        }
    }
}

#[test]
fn a_field_names_the_witness() {
    let folder = Folder::of(&[("a.txt", BROKEN), ("b.txt", UNBROKEN), ("d.txt", UNBROKEN)]);
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

#[test]
fn one_document_does_not_change_the_urls_of_another() {
    let victims = [
        (
            "Go to http://bank.example\nand pay\n",
            "http://bank.exampleand x",
        ),
        (
            "See http://a.example/docs\nand we like them\n",
            "http://a.example/docsand x",
        ),
        (
            "http://lists.example/archive/\nRegards\n",
            "http://lists.example/archive/Regards x",
        ),
        (
            "see http://a.example/x?a=b\n&c=d there\n",
            "http://a.example/x?a=b x",
        ),
        (
            "http://trans-\nlation.example/x\n",
            "http://translation.example/x y",
        ),
        (
            "See http://a.example/docs/\n2004 was good\n",
            "http://a.example/docs/2004 x",
        ),
        (
            "See http://a.example/docs/x-\nray.html there\n",
            "http://a.example/docs/xray.html x",
        ),
        // Another message in the text of the first.
        (
            "See http://a.example/docs/\n2005 was good\n",
            "http://a.example/docs/2005 x\n\nFrom x\nFrom: j@b.example\n\nhttp://a.example/docs/2005 x",
        ),
    ];
    for (victim, poison) in victims {
        let poison = format!("From: m@evil.example\n\n{poison}\n");
        let alone = Folder::of(&[("a.eml", format!("From: joe@a.example\n\n{victim}"))]);
        let both = Folder::of(&[
            ("a.eml", format!("From: joe@a.example\n\n{victim}")),
            ("b.eml", poison),
        ]);
        let list = |folder: &Folder| folder.run(&["extract", "."], b"").text();
        let (alone, both) = (list(&alone), list(&both));
        assert_eq!(alone.lines().next(), both.lines().next(), "{victim}");
    }
}
