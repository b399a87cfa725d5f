//! Mailboxes other than mbox: batches of Usenet, and folders of a maildir.

use std::fs;

use crate::support::command::{Folder, run};
use crate::support::same::assert_same;

fn rnews() -> String {
    let articles = [
        "Path: x!joe\nSubject: http://a.example/1\n\n#! rnews 20\nhttp://a.example/2\n",
        "Path: x!sue\nContent-Transfer-Encoding: base64\n\nPGh0dHA6Ly9iLmV4YW1wbGUvMT4K\n",
    ];
    articles
        .map(|article| format!("#! rnews {}\n{article}", article.len()))
        .concat()
}

/// The number of the message, the URL and the line of each URL of a file, from any number of threads,
/// named and piped.
#[track_caller]
fn rows(name: &str, file: &[u8]) -> Vec<String> {
    let folder = Folder::of(&[(name, file), ("stdin", file)]);
    let named = assert_same(folder.path(), &[name]);
    let piped = assert_same(folder.path(), &["--stdin-filename", name, "-"]);
    assert_eq!(named, piped);
    assert_eq!((&*named.stderr, named.code), ("", Some(0)));
    let fields = [
        "extract",
        "--output-format",
        "csv",
        "--fields",
        "member,url,line",
        name,
    ];
    let list = run(folder.path(), &fields, b"");
    list.text().lines().skip(1).map(str::to_owned).collect()
}

#[test]
fn messages_are_numbered_and_decoded() {
    let both = |lines: [u32; 3]| {
        let urls = [
            "1,http://a.example/1",
            "1,http://a.example/2",
            "2,http://b.example/1",
        ];
        urls.iter()
            .zip(lines)
            .map(|(url, line)| format!("{url},{line}"))
            .collect::<Vec<_>>()
    };
    assert_eq!(rows("a", rnews().as_bytes()), both([3, 6, 11]));
}

#[test]
fn mail_folders_of_a_maildir_are_read() {
    let message = |host: &str| format!("From: a@b.example\nSubject: x\n\nhttp://{host}.example/\n");
    let folder = Folder::of(&[
        ("mail/cur/1049000000.M5P6.host.example", message("a")),
        (
            "mail/.Sent.2003/cur/1049000001.M5P6.host.example",
            message("b"),
        ),
        (
            "mail/.Sent.2003/new/1049000002.M5P6.host.example",
            message("c"),
        ),
        ("mail/.hidden/x", message("no")),
        (
            "mail/.Trash/cur/1049000003.M5P6.host.example",
            message("no"),
        ),
        ("mh/inbox/1", message("d")),
        (
            "mh/inbox/.mh_sequences",
            "cur: 1 http://no.example/".to_owned(),
        ),
        ("other/.Sent/cur/1", message("no")),
    ]);
    let paths = "mail/.Sent.2003/cur/1049000001.M5P6.host.example: mail\n\
                 mail/.Sent.2003/new/1049000002.M5P6.host.example: mail\n\
                 mail/cur/1049000000.M5P6.host.example: mail\n\
                 mh/inbox/1: mail\n";
    for arguments in [
        &[][..],
        &[
            "--hidden",
            "--exclude",
            ".hidden",
            "--exclude",
            "other",
            "--exclude",
            ".mh*",
        ],
    ] {
        let arguments = [&["check", "--show-files", "--exclude", ".Trash"], arguments].concat();
        let ran = run(folder.path(), &arguments, b"");
        assert_eq!(ran.text(), paths);
    }
    let skipped = ["extract", "--verbose", "--exclude", ".Trash", "mail"];
    let ran = run(folder.path(), &skipped, b"");
    assert_eq!(
        ran.text(),
        "http://b.example/\nhttp://c.example/\nhttp://a.example/\n"
    );
    assert!(!ran.stderr.contains("Sent"), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("mail/.hidden/: skipped, hidden"),
        "{}",
        ran.stderr
    );
}

#[test]
fn articles_of_a_batch_keep_their_length() {
    let article = "Path: x\nSubject: y\n\n<http://a.example/`x>\n";
    let batch = format!("#! rnews {}\n{article}", article.len());
    let folder = Folder::of(&[("a", batch.as_bytes()), ("b", article.as_bytes())]);
    run(folder.path(), &["check", "--fix", "a", "b"], b"");
    let after = |name| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(after("a"), batch);
    assert_eq!(after("b"), article.replace('`', "%60"));
}

#[test]
fn a_batch_may_be_cut_short() {
    let whole = rnews();
    let all = rows_of(whole.as_bytes());
    for end in 0..whole.len() {
        let found = rows_of(&whole.as_bytes()[..end]);
        // The last URL may be cut too.
        let sure = found.len().saturating_sub(1);
        let order: Vec<_> = all
            .iter()
            .filter(|row| found[..sure].contains(row))
            .collect();
        assert!(order.len() + 1 >= sure, "{end}: {found:?}");
    }
}

/// The number of the message and the URL of each URL.
fn rows_of(mailbox: &[u8]) -> Vec<(Option<u64>, Vec<u8>)> {
    let mut rows = Vec::new();
    let reader = urlint::Reader::default();
    let read = reader.read::<std::io::Error>(b"", mailbox, &mut |event| {
        if let urlint::Event::Found(found) = event {
            rows.push((found.member, found.candidate.text.to_vec()));
        }
        Ok(())
    });
    read.unwrap();
    rows
}
