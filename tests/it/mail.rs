//! The literate cases of `fixtures/mail/`: messages and mailboxes, and the URLs that are found in
//! them.
//!
//! A case is a block of `mail`, or `mbox`, and a block of the `expected` output: one
//! `line:column delimiter URL` for each candidate, and the notices before them. The member of a
//! mailbox precedes it. The lines of `mail cr` end in CR, those of `mail crlf` in CRLF; `mail
//! escaped` has `\x00` for bytes. `SNAPSHOTS=overwrite cargo test --test it mail` writes the
//! present output.

use std::fmt::Write as _;
use std::path::Path;

use urlint::document::Kind;
use urlint::text::Position;
use urlint::{Event, Reader};

#[test]
fn messages_are_read_as_their_fixtures_expect() {
    let overwrite = std::env::var("SNAPSHOTS").is_ok_and(|value| value == "overwrite");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/mail");
    let mut wrong = String::new();
    let mut files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let fixture = std::fs::read_to_string(&path).unwrap();
        let now = with_expectations(&fixture);
        files += 1;
        if overwrite {
            std::fs::write(&path, &now).unwrap();
        } else if now != fixture {
            let lines = fixture.lines().zip(now.lines());
            let first = lines.enumerate().find(|(_, (before, now))| before != now);
            writeln!(wrong, "{}: {first:?}", path.display()).unwrap();
        }
        assert!(now.contains("```expected\n"), "{}", path.display());
    }
    assert!(files > 0 && wrong.is_empty(), "{wrong}");
}

/// Returns the fixture with the present output in its blocks of expectations.
fn with_expectations(fixture: &str) -> String {
    let mut now = String::new();
    let mut source: Option<(Kind, Vec<u8>)> = None;
    let mut lines = fixture.lines();
    while let Some(line) = lines.next() {
        writeln!(now, "{line}").unwrap();
        let Some(info) = line.strip_prefix("```") else {
            continue;
        };
        let block: Vec<_> = lines.by_ref().take_while(|line| *line != "```").collect();
        let text =
            |end: &str| -> String { block.iter().map(|line| format!("{line}{end}")).collect() };
        let (kind, form) = info.split_once(' ').unwrap_or((info, ""));
        let kind = match kind {
            "mail" => Kind::Mail,
            "mbox" => Kind::Mbox,
            "expected" => {
                let (kind, source) = source.take().unwrap_or_else(|| panic!("no message: {now}"));
                writeln!(now, "{}```", came_up(kind, &source)).unwrap();
                continue;
            }
            _ => panic!("a block of {info:?}"),
        };
        writeln!(now, "{}```", text("\n")).unwrap();
        let bytes = match form {
            "cr" => text("\r").into_bytes(),
            "crlf" => text("\r\n").into_bytes(),
            "escaped" => unescape(&text("\n")),
            "" => text("\n").into_bytes(),
            _ => panic!("a block of {info:?}"),
        };
        source = Some((kind, bytes));
    }
    assert!(source.is_none(), "a message without expectations: {now}");
    now
}

/// Returns the output for `source`, which does not depend on how its bytes arrive.
fn came_up(kind: Kind, source: &[u8]) -> String {
    let mut said = String::new();
    let reader = Reader::default().with_kind(kind).with_positions(true);
    let mut add = |event: Event<'_>| -> std::io::Result<()> {
        let (member, place, what) = match event {
            Event::Notice(notice) => {
                let start = notice.span.start as usize;
                let place = Position::default().after(&source[..start]);
                (notice.member, place, format!("warning: {}", notice.message))
            }
            Event::Found(found) => {
                let candidate = &found.candidate;
                let url = candidate.text.escape_ascii();
                let alternative = if found.alternative {
                    " (alternative)"
                } else {
                    ""
                };
                let place = Position::default().after(&source[..candidate.outer.start as usize]);
                assert_eq!(Some(place), found.position, "{url}");
                assert!(candidate.pieces.end() <= candidate.outer.end, "{url}");
                let what = format!("{} {url}{alternative}", candidate.delimiter);
                (found.member, place, what)
            }
            Event::Attachment(attachment) => {
                let start = attachment.span.start as usize;
                let place = Position::default().after(&source[..start]);
                let name = attachment.name().escape_ascii();
                let what = format!("attachment {name}: {}", attachment.media_type());
                (attachment.member, place, what)
            }
            _ => return Ok(()),
        };
        let member = member.map_or(String::new(), |member| format!("{member}: "));
        writeln!(said, "{member}{}:{} {what}", place.line, place.column).unwrap();
        Ok(())
    };
    reader.read(b"", source, &mut add).unwrap();
    said
}

/// A message, and how many URLs and which warning it gives, or how that begins.
type Hostile = (String, usize, Option<&'static str>);

fn hostile() -> Vec<Hostile> {
    const URL: &str = "http://a.example/x\n";
    const MANY: usize = 10_000;
    let multipart =
        |boundary: &str| format!("Content-Type: multipart/mixed; boundary={boundary}\n\n");
    let starts = |depth: usize| -> String {
        let start = |n: usize| multipart(&n.to_string()) + &format!("--{n}\n");
        (0..depth).rev().map(start).collect()
    };
    let ends = |depth| -> String { (0..depth).map(|n| format!("--{n}--\n{URL}")).collect() };
    let nested = |depth| format!("{}\n{URL}{}", starts(depth), ends(depth));
    let too_deep =
        Some("more than 100 parts within one another, so the rest is read as plain text");
    let unended = Some("a multipart without its last delimiter");
    let too_many = Some("more than 100,000 parts, so the rest is read as plain text");
    let never = Some("a multipart whose boundary never occurs");
    let x = multipart("x");
    let long = "b".repeat(70_000);
    vec![
        (nested(100), 101, None),
        (nested(MANY), MANY + 1, too_deep),
        (format!("{}\n{URL}", starts(100)), 1, unended),
        (
            x.clone() + &format!("--x\n{}{URL}", multipart("never")).repeat(MANY),
            MANY,
            never,
        ),
        (
            "Content-Type: message/rfc822\n\n".repeat(MANY) + "\n" + URL,
            1,
            too_deep,
        ),
        (
            x.clone() + &"--x\n\na\n".repeat(20 * MANY) + URL,
            1,
            too_many,
        ),
        (
            format!("{}--{long}\n\n{URL}--{long}--\n", multipart(&long)),
            1,
            None,
        ),
        (
            format!("{}--\n\n{URL}", multipart("\"\"")),
            1,
            Some("a multipart without a boundary"),
        ),
        (
            format!("{x}--x\n\n{}\n{URL}", "--".repeat(MANY)),
            1,
            unended,
        ),
        (
            format!("Subject: {}\n\n{URL}", "=?utf-8?Q?a?= ".repeat(MANY)),
            1,
            None,
        ),
        (
            format!("Subject: {}\n\n{URL}", "=?utf-8?Q?".repeat(MANY)),
            1,
            None,
        ),
        (
            format!(
                "Content-Type: text/plain{}\n\n{URL}",
                "; charset*1=a".repeat(MANY)
            ),
            1,
            Some("unknown charset `aaa"),
        ),
        (format!("\0\0{}\0{URL}", "\0".repeat(MANY)), 1, None),
    ]
}

#[test]
fn hostile_messages_are_read_to_their_end() {
    for (message, urls, warning) in hostile() {
        let reader = Reader::default().with_kind(Kind::Mail);
        let (mut found, mut warnings) = (0, Vec::new());
        let mut add = |event: Event<'_>| -> std::io::Result<()> {
            match event {
                Event::Found(_) => found += 1,
                Event::Notice(notice) => warnings.push(notice.message),
                _ => {}
            }
            Ok(())
        };
        reader.read(b"", message.as_bytes(), &mut add).unwrap();
        let head: String = message.chars().take(60).collect();
        assert_eq!(found, urls, "{head}");
        assert!(warnings.iter().all(|told| told.len() < 200), "{head}");
        assert_eq!(
            warnings.len(),
            usize::from(warning.is_some()),
            "{head}: {warnings:?}"
        );
        let begins = |told: &String| warning.is_some_and(|warning| told.starts_with(warning));
        assert!(warnings.iter().all(begins), "{head}: {warnings:?}");
    }
}

fn unescape(text: &str) -> Vec<u8> {
    let mut parts = text.split("\\x");
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        bytes.push(u8::from_str_radix(&part[..2], 16).unwrap());
        bytes.extend_from_slice(&part.as_bytes()[2..]);
    }
    bytes
}
