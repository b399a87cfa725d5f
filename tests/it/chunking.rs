//! The list is the same however its source arrives: plain, compressed, packed, and in windows of any
//! size.

use std::fmt::Write as _;

use proptest::prelude::*;

use crate::support::arrival::{List, assert_arrives, compressed, list};
use crate::support::packing::{record, response, tar, zip};
use urlint_testing::{share, tries};

#[test]
fn windows_and_compression_change_nothing() {
    let (mut mailbox, mut records, mut text) = (String::new(), String::new(), String::new());
    let mut web = Vec::new();
    for number in 0..share(1_000, 9_000) {
        let url = format!("http://a.example/{number}");
        let line = match number % 7 {
            0 => format!("<URL:http://b.exam-\n  ple/{number}>\n"),
            1 => format!("({url}/\n> index.html)\r\n"),
            _ => format!("all work and no play, see {url}\n"),
        };
        text.push_str(&line);
        let header = "From a@b.example Mon Mar  3 12:00:00 2003\nSubject: x\n";
        let encoding = "Content-Transfer-Encoding: quoted-printable\n";
        if number % 10 == 0 {
            writeln!(mailbox, "{header}{encoding}").unwrap();
        }
        writeln!(mailbox, "{}", line.replace('/', "=2F")).unwrap();
        if number % 10 == 9 {
            mailbox.push('\n');
        }
        let escaped =
            format!("http:\\/\\/a.example\\/{number}\\u0026\\n<URL:http://b.exam\\nple/>");
        writeln!(records, "{{\"a\": \"{escaped}\"}}").unwrap();
        if number % 20 == 0 {
            let html = format!("<a href='{url}'>{}</a>", "so on ".repeat(200));
            web.extend(response("Content-Type: text/html\r\n", html.as_bytes()));
        }
    }
    assert_arrives("a.txt", text.as_bytes());
    assert_arrives("a.mbox", mailbox.as_bytes());
    assert_arrives("a.jsonl", records.as_bytes());
    assert_arrives("a.warc", &web);
    // GBK, whose charset is guessed.
    let mut chinese = Vec::new();
    for number in 0..share(1_000, 9_000) {
        chinese.extend_from_slice(
            b"\xC7\xEB\xBF\xB4\xD5\xE2\xB8\xF6\xCD\xF8\xD5\xBEhttp://a.example/",
        );
        chinese.extend_from_slice(format!("{number}").as_bytes());
        chinese.extend_from_slice(b"\xA1\xA3\xC0\xEF\xC3\xE6\xD3\xD0\n");
    }
    assert_arrives("b.txt", &chinese);
    let last = list("b.txt", &chinese, usize::MAX).rows.pop().unwrap();
    let number = share(1_000, 9_000) - 1;
    assert_eq!(last.0, format!("http://a.example/{number}").into_bytes());
}

/// The pieces of texts: URLs that are whole and broken, and the text around them.
const PIECES: &[&[u8]] = &[
    b"see ",
    b"\n",
    b"<URL:http://a.example/",
    b"b-\n  c>",
    b" (http://b.example/x",
    b") ",
    b"\r\n",
    b"http://c.example/very/long/path?with=query ",
    b"\n\n",
    b"=3D",
    b"\xe9",
    b"From a@b.example Mon Mar  3 12:00:00 2003\nSubject: x\n\n",
    b"\"ftp://d.example/;type=a\"",
];

fn texts() -> impl Strategy<Value = Vec<u8>> {
    let pieces = prop::collection::vec(prop::sample::select(PIECES), 0..200);
    pieces.prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(tries(60))]

    #[test]
    fn any_text_is_listed_the_same(text in texts(), most in 1usize..5_000) {
        let plain = list("a", &text, usize::MAX);
        for (name, packed) in compressed("a", &text) {
            prop_assert_eq!(&list(&name, &packed, most), &plain, "{}", name);
        }
        for archive in [tar, zip] {
            let packed = archive(&[("a", &text)]);
            let List { rows, faults } = list("x", &packed, most);
            prop_assert_eq!(&faults, &plain.faults);
            prop_assert!(rows.iter().all(|(_, member, ..)| member == b"a"));
            let unnamed = rows.into_iter().map(|(url, _, number, start, end, line)| {
                (url, Vec::new(), number, start, end, line)
            });
            prop_assert!(unnamed.eq(plain.rows.iter().cloned()));
        }
        let web = record("resource", "text/plain", &text).repeat(3);
        prop_assert_eq!(list("x", &web, most), list("x", &web, usize::MAX));
    }
}
