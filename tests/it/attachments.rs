//! Attachments of messages: archives are opened as anywhere else, within the same limits.

use std::time::{Duration, Instant};

use crate::support::command::{Folder, Ran};
use crate::support::packing::{bzip2, gzip, zip};
use urlint_testing::share;

const DOCX: &[u8] = b"<?xml version=\"1.0\"?><w:document xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\">\
    <w:p><w:t>see http://www.a.example/docx&amp;x</w:t></w:p></w:document>";

const PAGE: &[u8] = b"<html><p><a href=\"http://www.a.example/book\">x</a></p></html>";

/// Returns `bytes` in Base64, in lines.
fn base64(bytes: &[u8]) -> String {
    let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let groups = bytes.chunks(3).flat_map(|group| {
        let number = (0..3).fold(0, |sum, at| {
            sum << 8 | usize::from(*group.get(at).unwrap_or(&0))
        });
        (0..4).map(move |at| {
            if at > group.len() {
                '='
            } else {
                char::from(digits[number >> (18 - 6 * at) & 63])
            }
        })
    });
    let digits: Vec<_> = groups.collect();
    digits
        .chunks(76)
        .map(|line| line.iter().collect::<String>() + "\n")
        .collect()
}

/// Returns a message with a URL and these attachments, each with its name.
pub(crate) fn message(url: &str, attachments: &[(&str, &[u8])]) -> Vec<u8> {
    let mut message = format!(
        "From: joe@a.example\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n\
         --x\n\nsee {url}\n"
    );
    for (name, bytes) in attachments {
        message += &format!(
            "--x\nContent-Type: application/octet-stream\nContent-Disposition: attachment; filename=\"{name}\"\n\
             Content-Transfer-Encoding: base64\n\n{}",
            base64(bytes)
        );
    }
    (message + "--x--\n").into_bytes()
}

/// Returns the messages as a mailbox.
fn mailbox(messages: &[Vec<u8>]) -> Vec<u8> {
    let each = messages.iter().map(|message| {
        let start: &[u8] = b"From joe@a.example Mon Mar  3 12:00:00 2003\n";
        [start, message, b"\n"].concat()
    });
    each.collect::<Vec<_>>().concat()
}

fn run(name: &str, bytes: &[u8], arguments: &[&str]) -> Ran {
    let folder = Folder::of(&[(name, bytes)]);
    folder.run(&[arguments, &[name]].concat(), b"")
}

/// Returns the member and the URL of each row.
fn rows(name: &str, bytes: &[u8]) -> Vec<String> {
    let list = |threads| {
        let arguments = ["extract", "-j", threads, "--fields", "member,url"];
        let ran = run(name, bytes, &arguments);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        ran.text()
    };
    let listed = list("1");
    assert_eq!(listed, list("4"));
    listed.lines().map(|row| row.replace('\t', " ")).collect()
}

#[test]
fn archives_in_mail_are_opened() {
    let docx = zip(&[("word/document.xml", DOCX)]);
    let inner = message("http://www.a.example/inner", &[("b.docx", &docx)]);
    let files: [(&str, &[u8]); 4] = [
        ("a.docx", &docx),
        ("box.mbox", &mailbox(std::slice::from_ref(&inner))),
        ("m.eml", &inner),
        ("book.epub", &zip(&[("OEBPS/1.xhtml", PAGE)])),
    ];
    let report = zip(&files);
    let messages = [
        message("http://www.a.example/1", &[]),
        message(
            "http://www.a.example/2",
            &[
                ("../x/report.zip", &report),
                ("n.txt.gz", &gzip(b"http://www.a.example/gz")),
            ],
        ),
    ];
    let expected = [
        "1 http://www.a.example/1",
        "2 http://www.a.example/2",
        "2/report.zip/a.docx!word/document.xml http://www.a.example/docx&x",
        "2/report.zip/box.mbox!1 http://www.a.example/inner",
        "2/report.zip/box.mbox!1/b.docx/word/document.xml http://www.a.example/docx&x",
        "2/report.zip/m.eml http://www.a.example/inner",
        "2/report.zip/m.eml!b.docx/word/document.xml http://www.a.example/docx&x",
        "2/report.zip/book.epub!OEBPS/1.xhtml http://www.a.example/book",
        "2/n.txt.gz http://www.a.example/gz",
    ];
    let mbox = mailbox(&messages);
    assert_eq!(rows("mail.mbox", &mbox), expected);
    assert_eq!(rows("mail.mbox.gz", &gzip(&mbox)), expected);
    let alone: Vec<_> = expected[2..].iter().map(|row| &row[2..]).collect();
    assert_eq!(rows("1.eml", &messages[1])[1..], alone);

    // The same URLs as in the files, and at the same places.
    let places = |folder: &Folder| {
        let ran = folder.run(&["extract", "--fields", "start,pieces,url", "."], b"");
        let mut rows: Vec<_> = ran.text().lines().map(str::to_owned).collect();
        rows.sort();
        rows
    };
    let attached = mailbox(&[message("", &[("report.zip", &report)])]);
    let packed = Folder::of(&[("mail.mbox", attached)]);
    let unpacked = Folder::of(&files);
    assert_eq!(places(&packed), places(&unpacked));
}

#[test]
fn diagnostics_name_the_attachment() {
    let text = b"one\nsee <URL:http://a.example/a`b>\n";
    let mbox = mailbox(&[message("", &[("a.zip", &zip(&[("b.txt", text)]))])]);
    let ran = run("m.mbox", &mbox, &["check", "-f", "concise"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(
        ran.text().starts_with("m.mbox!1/a.zip/b.txt:2:"),
        "{}",
        ran.text()
    );
}

#[test]
fn unopened_attachments_have_a_sentence() {
    let whole = zip(&[("a.txt", b"http://www.a.example/"), ("b.txt", b"x")]);
    let attachments: [(&str, &[u8]); 6] = [
        ("a.7z", b"7z\xbc\xaf\x27\x1c and so on"),
        ("b.pdf", b"%PDF-1.4"),
        ("c.zip", &whole[..30]),
        ("d.png", b"\x89PNG\r\n\x1a\n\x01"),
        ("e.bin", b"\x01\x02\x00"),
        ("f.zip", b"no zip http://no.example/"),
    ];
    let mail = message("http://www.a.example/1", &attachments);
    for command in ["extract", "check"] {
        let ran = run("1.eml", &mail, &[command]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let sentence = "3 attachments were not opened, or not to the end: -v says why.\n";
        assert!(ran.stderr.contains(sentence), "{}", ran.stderr);
        assert!(!ran.stderr.contains("warning"), "{}", ran.stderr);
    }
    let ran = run("1.eml", &mail, &["extract", "-v"]);
    assert_eq!(ran.text(), "http://www.a.example/1\n");
    for (name, _) in attachments {
        assert!(
            ran.stderr.contains(&format!("1.eml!{name}: ")),
            "{}",
            ran.stderr
        );
    }
}

/// However an attacker nests and repeats attachments, the length of the file limits the bytes that are read.
#[test]
fn other_attachments_have_no_sentence() {
    for media_type in [
        "application/x,y",
        "application/x-thing (a comment",
        "application/vnd.ms-fontobject",
    ] {
        let mail = format!("MIME-Version: 1.0\nContent-Type: {media_type}\n\nhttp://a.example/\n");
        let ran = run("a.eml", mail.as_bytes(), &["extract"]);
        assert_eq!((&*ran.text(), &*ran.stderr), ("", ""), "{media_type}");
    }
}

#[test]
fn limits_hold() {
    let long = vec![b'a'; 48 << 20];
    let bomb = bzip2(&[&long[..], b" http://www.a.example/end"].concat());
    assert!(bomb.len() < 1000, "{}", bomb.len());
    let many: Vec<_> = (0..share(6, 30))
        .map(|_| message("", &[("a.bz2", &bomb)]))
        .collect();
    let nested = (0..41).fold(bomb.clone(), |inner, depth| match depth % 2 {
        0 => zip(&[("a.zip", &inner)]),
        _ => message("http://www.a.example/", &[("../a.zip", &inner)]),
    });
    for (name, file) in [
        ("many.mbox", mailbox(&many)),
        ("many.mbox.gz", gzip(&mailbox(&many))),
        ("nested.eml", message("", &[("nested", &nested)])),
    ] {
        let start = Instant::now();
        let found = |threads| run(name, &file, &["extract", "-j", threads]);
        let alone = found("1");
        assert_eq!(alone.code, Some(0), "{name}: {}", alone.stderr);
        assert!(
            alone.stderr.contains("not opened, or not to the end"),
            "{name}: {}",
            alone.stderr
        );
        assert!(!alone.text().contains("end"), "{name}");
        assert_eq!(alone, found("4"), "{name}");
        assert!(start.elapsed() < Duration::from_secs(60), "{name}");
    }
}

/// What is attached to a message has its date, sender and subject, but for a message with fields of its own.
#[test]
fn urls_in_attachments_have_the_fields_of_their_message() {
    let inner = b"Date: Tue, 4 Mar 2003 12:00:00 +0000\nFrom: ann@b.example\n\nhttp://b.example/";
    let packed = zip(&[
        ("a.txt", b"http://a.example/".as_slice()),
        ("b.eml", inner.as_slice()),
    ]);
    let with_date = |day: u8, url: &str, attachments: &[(&str, &[u8])]| {
        let start = format!("Date: Mon, {day} Mar 2003 12:00:00 +0100\nSubject: {day}\n");
        [start.as_bytes(), &message(url, attachments)].concat()
    };
    let messages = [
        with_date(1, "http://c.example/1", &[]),
        with_date(
            2,
            "http://c.example/2",
            &[("x.zip", &packed), ("y.gz", &gzip(b"http://d.example/"))],
        ),
    ];
    let arguments = [
        "extract",
        "--fields",
        "url,date-local,from,subject,part,where",
    ];
    let rows = [
        "http://c.example/1 2003-03-01T12:00:00+01:00 joe@a.example 1 1 body",
        "http://c.example/2 2003-03-02T12:00:00+01:00 joe@a.example 2 1 body",
        "http://a.example/ 2003-03-02T12:00:00+01:00 joe@a.example 2 2 body",
        "http://b.example/ 2003-03-04T12:00:00+00:00 ann@b.example  1 body",
        "http://d.example/ 2003-03-02T12:00:00+01:00 joe@a.example 2 3 body",
    ];
    let ran = run("a.mbox", &mailbox(&messages), &arguments);
    let text = ran.text().replace('\t', " ");
    assert_eq!(text.lines().collect::<Vec<_>>(), rows);
    let ran = run(
        "a.mbox",
        &mailbox(&messages),
        &["extract", "--where=body", "--until=2003-03-02"],
    );
    assert_eq!(ran.text().lines().count(), 4);
}

/// Everything in a folder that is not read is counted in one line at the end, by each command.
#[test]
fn what_is_not_read_is_said() {
    let compound: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0";
    let skipped = "Skipped 1 unread document: -v lists all that was skipped.";
    let bundle = zip(&[("Index/Document.iwa", b"\0\x01\x02"), ("a.txt", b"x")]);
    let tnef: &[u8] = b"\x78\x9f\x3e\x22\x01\0";
    let attached = message("http://a.example/", &[("winmail.dat", tnef)]);
    let signed = b"From: joe@a.example\nMIME-Version: 1.0\nContent-Transfer-Encoding: base64\n\
        Content-Type: application/pkcs7-mime; smime-type=signed-data\n\nMIAGCSqGSIb3DQEHAqCA\n";
    let binary = "Skipped 1 binary: -v lists all that was skipped.";
    let scanned = b"%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n\
        2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n\
        3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>\nendobj\n\
        trailer\n<</Root 1 0 R>>\nstartxref\n0\n%%EOF\n";
    // Without the reader of PDFs, no document of theirs is read.
    let damaged = if cfg!(feature = "pdf") {
        "a damaged PDF"
    } else {
        skipped
    };
    let table: [(&str, &[u8], &str); 25] = [
        ("a.msg", compound, skipped),
        ("a.doc", compound, skipped),
        ("a.xls", compound, skipped),
        ("a.ppt", compound, skipped),
        ("a.pst", b"!BDN\0\0", skipped),
        ("a.webloc", b"bplist00\x01\0", skipped),
        ("a.webarchive", b"bplist00\xd1\x01\0", skipped),
        ("a.lzh", b"\x20\0-lh5-\0\0", skipped),
        ("a.db", b"SQLite format 3\0", skipped),
        ("a.jsonlz4", b"mozLz40\0", skipped),
        ("a.mmdf", b"\x01\x01\x01\x01\nFrom: x\n", skipped),
        ("winmail.dat", tnef, skipped),
        ("a.p7m", b"0\x80\x06\x09\0", skipped),
        ("a.7z", b"7z\xbc\xaf\x27\x1c", skipped),
        ("a.rar", b"Rar!\x1a\x07\x01\0\0", skipped),
        ("scanned.pdf", scanned, skipped),
        ("damaged.pdf", b"%PDF-1.4\nx\n", damaged),
        ("a.png", b"\x89PNG\r\n\x1a\n\x01", binary),
        ("a.chm", b"ITSF\x03\0\0\0", binary),
        ("a.djvu", b"AT&TFORM\0\0\0\0DJVU", binary),
        ("a.arj", b"\x60\xea\x1e\0", binary),
        ("a.dbx", b"\xcf\xad\x12\xfe\xc5\xfd\x74\x6f\0", binary),
        (
            "a.pages",
            &bundle,
            "1 member of archives was not read: -v says why.",
        ),
        (
            "1.eml",
            &attached,
            "1 attachment was not opened, or not to the end: -v says why.",
        ),
        (
            "2.eml",
            signed,
            "1 attachment was not opened, or not to the end: -v says why.",
        ),
    ];
    for (name, bytes, line) in table {
        let folder = Folder::of(&[(name, bytes), ("b.txt", b"see http://www.a.example/")]);
        let commands = [
            &["extract", "."][..],
            &["extract", "-f", "json-lines", "--unique", "."],
            &["extract", "--group-by", "host", "."],
            &["check", "--archives", "."],
            &["check", "--archives", "--select", "ALL", "--fix", "."],
        ];
        for command in commands {
            let ran = folder.run(command, b"");
            let said = ran.stderr.matches(line).count();
            assert_eq!(said, 1, "{name} {command:?}: {}", ran.stderr);
        }
        for command in ["extract", "check"] {
            let named = folder.run(&[command, name], b"");
            assert!(
                named.stderr.contains(name) || named.stderr.contains("-v says why"),
                "{name}: {}",
                named.stderr
            );
        }
        let verbose = folder.run(&["extract", "-v", "."], b"");
        assert!(
            verbose.stderr.contains("skipped, ") || line == "a damaged PDF",
            "{name}: {}",
            verbose.stderr
        );
    }
}
