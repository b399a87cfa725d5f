//! Law 1 on messages: whatever URLs were encoded in, each is found with exactly the bytes that
//! stand for it, and reading these anew gives the URL.

#![allow(clippy::unwrap_used, missing_docs)]
#![allow(clippy::print_stderr, reason = "what is skipped is said")]

mod messages;
mod tries;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use encoding_rs::Encoding;
use messages::{Body, Message, Plan, Transfer, plan};
use proptest::prelude::*;
use tries::tries;
use urlint::{Candidate, Event, Kind, NoticeKind, Reader};

/// The candidates of a source, and what is told about it.
fn read(source: &[u8], kind: Kind) -> (Vec<Candidate<'static>>, Vec<String>) {
    let reader = Reader::default().with_kind(kind);
    let (mut found, mut warnings) = (Vec::new(), Vec::new());
    let read = reader.read(b"", source, &mut |event| {
        match event {
            Event::Found(one) => found.push(one.candidate.into_owned()),
            Event::Notice(notice) if notice.kind == NoticeKind::Warning => {
                warnings.push(notice.message);
            }
            _ => {}
        }
        Ok::<(), std::io::Error>(())
    });
    read.unwrap();
    (found, warnings)
}

/// The source bytes of a candidate read anew, as they were encoded in `body`: with none of urlint's
/// decoders.
fn reread(source: &[u8], candidate: &Candidate<'_>, body: Option<&Body>) -> Vec<u8> {
    let (transfer, charset) = match body {
        Some(body) => (body.transfer, body.charset),
        None => (Transfer::None, "utf-8"),
    };
    let mut bytes = Vec::new();
    for span in candidate.pieces.iter() {
        let piece = span.slice(source);
        match transfer {
            Transfer::None => bytes.extend_from_slice(piece),
            Transfer::QuotedPrintable => bytes.extend(quoted_bytes(piece)),
            Transfer::Base64 => {
                let start = body.map_or(0, |body| body.range.start);
                bytes.extend(base64_bytes(&source[start..span.start as usize], piece));
            }
        }
    }
    let (text, _) = Encoding::for_label(charset.as_bytes())
        .unwrap()
        .decode_without_bom_handling(&bytes);
    // A base64 piece may have the break of a line between two bytes of a URL.
    text.bytes().filter(|&byte| byte > b' ').collect()
}

fn quoted_bytes(piece: &[u8]) -> Vec<u8> {
    let mut rest = piece;
    let mut bytes = Vec::new();
    while let [first, behind @ ..] = rest {
        let (byte, len) = match (first, behind) {
            (b'=', [high, low, ..]) => (quoted(&[b'=', *high, *low]).unwrap_or_default(), 3),
            _ => (*first, 1),
        };
        bytes.push(byte);
        rest = &rest[len..];
    }
    bytes
}

/// What a piece of base64 holds, behind the base64 `before`.
fn base64_bytes(before: &[u8], piece: &[u8]) -> Vec<u8> {
    let value = |byte: &u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let passed = before.iter().filter_map(value).count();
    let values: Vec<u8> = piece.iter().filter_map(value).collect();
    let pairs = values.windows(2).enumerate();
    let byte = |(at, pair): (usize, &[u8])| {
        let bits = u16::from(pair[0]) << 6 | u16::from(pair[1]);
        let place = (passed + at) % 4;
        (place < 3).then(|| (bits >> (4 - 2 * place)) as u8)
    };
    pairs.filter_map(byte).collect()
}

/// Whether `piece`, encoded in whatever way mail and markup have, stands for `byte`.
fn stands_for(piece: &[u8], byte: u8) -> bool {
    let phases = (0..3).map(|passed| base64_bytes(&b"AAA"[..passed], piece));
    let unquoted = quoted_bytes(&without_soft_breaks(piece));
    let texts = [piece.to_vec(), unquoted].into_iter().chain(phases);
    texts.into_iter().any(|text| is_reference(&text, byte))
}

/// Whether `text` is `byte`, or a reference of HTML to it.
fn is_reference(text: &[u8], byte: u8) -> bool {
    let reference = std::str::from_utf8(text).unwrap_or_default();
    let name = reference.trim_end_matches(';');
    let number = name.strip_prefix("&#");
    let number = number.and_then(|number| match number.strip_prefix(['x', 'X']) {
        Some(number) => u32::from_str_radix(number, 16).ok(),
        None => number.parse().ok(),
    });
    let named = match name {
        "&amp" | "&AMP" => Some(b'&'),
        "&lt" => Some(b'<'),
        "&gt" => Some(b'>'),
        "&quot" => Some(b'"'),
        _ => None,
    };
    text == [byte] || number == Some(byte.into()) || named == Some(byte)
}

fn without_soft_breaks(piece: &[u8]) -> Vec<u8> {
    let text: String = piece.iter().map(|&byte| char::from(byte)).collect();
    let text = text.replace("=\r\n", "").replace("=\n", "");
    text.chars().map(|character| character as u8).collect()
}

/// The byte that is all of a piece of quoted-printable.
fn quoted(piece: &[u8]) -> Option<u8> {
    let [b'=', high, low] = piece else {
        return None;
    };
    let digits = [*high, *low];
    u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()
}

fn check(plan: &Plan) -> Result<(), TestCaseError> {
    let Message {
        source,
        urls,
        bodies,
    } = plan.message();
    let kind = if plan.is_mailbox {
        Kind::Mbox
    } else {
        Kind::Mail
    };
    let (mut found, warnings) = read(&source, kind);
    let shown = String::from_utf8_lossy(&source);
    prop_assert!(warnings.is_empty(), "{warnings:?}\n{shown}");
    let number = |url: &[u8]| -> usize {
        let url = String::from_utf8_lossy(url);
        let host = url.strip_prefix("http://h").unwrap_or_default();
        host.split('.')
            .next()
            .unwrap()
            .parse()
            .unwrap_or(usize::MAX)
    };
    found.sort_by_key(|found| number(&found.text));
    for (planted, found) in urls.iter().zip(&found) {
        let text = String::from_utf8_lossy(&found.text);
        prop_assert_eq!(&text, &planted.url, "{}", shown);
        prop_assert_eq!(&found.pieces, &planted.pieces, "{}: {}", text, shown);
        let start = found.pieces.start() as usize;
        let body = bodies.iter().find(|body| body.range.contains(&start));
        if body.is_none_or(|body| !body.is_message) {
            let again = reread(&source, found, body);
            prop_assert_eq!(&String::from_utf8_lossy(&again), &planted.url, "{}", shown);
        }
    }
    prop_assert_eq!(found.len(), urls.len(), "{}", shown);
    Ok(())
}

proptest! {
    #![proptest_config(tries(2_000))]

    #[test]
    fn planted_urls_are_found_with_exactly_their_bytes(plan in plan()) {
        check(&plan)?;
    }
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
}

/// The kind of a file of the corpora.
fn kind_of(path: &Path, source: &[u8]) -> Kind {
    let in_mail = path
        .components()
        .any(|part| matches!(part.as_os_str().to_str(), Some("mail" | "news")));
    match Kind::from_path(path.to_str().unwrap().as_bytes()) {
        _ if in_mail && source.starts_with(b"From ") => Kind::Mbox,
        _ if in_mail => Kind::Mail,
        kind => kind.unwrap_or_default(),
    }
}

/// Where real candidates came from stands what they are: each byte of US-ASCII is its source bytes
/// in one of the ways in which such a byte can be written, and pieces lie in order in the file.
#[test]
fn real_urls_know_where_they_came_from() {
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpora");
    let mut paths = Vec::new();
    for folder in ["mail", "news", "docs"] {
        files(&corpora.join(folder), &mut paths);
    }
    let (mut candidates, mut decoded) = (0, 0);
    for path in paths {
        let source = std::fs::read(&path).unwrap();
        let reader = Reader::default().with_kind(kind_of(&path, &source));
        let read = reader.read(b"", &source[..], &mut |event| {
            let Event::Found(found) = event else {
                return Ok::<(), std::io::Error>(());
            };
            let candidate = &found.candidate;
            let shown = String::from_utf8_lossy(&candidate.text);
            let name = path.display();
            let mut end = candidate.outer.start;
            for piece in candidate.pieces.iter() {
                assert!(
                    end <= piece.start && piece.end <= candidate.outer.end,
                    "{name}: {shown}"
                );
                end = piece.end;
            }
            for (at, &byte) in candidate
                .text
                .iter()
                .enumerate()
                .filter(|(_, byte)| byte.is_ascii())
            {
                let spans = found.spans(at..at + 1);
                let piece = spans.iter().next().unwrap().slice(&source);
                let piece_shown = String::from_utf8_lossy(piece);
                assert!(
                    spans.iter().count() == 1 && stands_for(piece, byte),
                    "{name}: {shown}: {at} {piece_shown:?}"
                );
                decoded += usize::from(piece != [byte]);
            }
            candidates += 1;
            Ok(())
        });
        read.unwrap();
    }
    eprintln!("{candidates} candidates, {decoded} bytes of them encoded");
}

/// Texts that could take a careless decoder long: what they are declared as, and what they repeat.
const TEDIOUS: [(&str, &str); 23] = [
    ("quoted-printable", "="),
    ("quoted-printable", "=3"),
    ("quoted-printable", "=3=\n"),
    ("quoted-printable", "==   \n"),
    ("quoted-printable", " "),
    ("quoted-printable", "=   "),
    ("base64", "A"),
    ("base64", "A\n"),
    ("base64", "="),
    ("base64", "A==\n"),
    ("base64", "AAAAAAAAAAAAAAAAAAAA!"),
    ("base64", "AAAA "),
    ("base64", "\n"),
    ("8bit; iso-2022-jp", "\u{1b}$B"),
    ("8bit; iso-2022-jp", "a\u{1b}$B"),
    ("8bit; iso-2022-jp", "\u{1b}$B\u{1b}(B"),
    ("8bit; iso-2022-jp", ":\u{1b}$B!\u{1b}(B"),
    ("8bit; gb18030", "\u{10FFFF}0"),
    ("8bit; big5", "é"),
    ("8bit; utf-16", "é"),
    ("8bit; utf-8", "> "),
    ("8bit; utf-8", "> \n"),
    ("8bit; utf-8", "a \n"),
];

#[test]
fn no_body_takes_quadratic_time() {
    for (declared, part) in TEDIOUS {
        let (transfer, charset) = declared.split_once("; ").unwrap_or((declared, "koi8-r"));
        let mut message = format!(
            "Content-Type: text/plain; charset={charset}; format=flowed; delsp=yes\n\
             Content-Transfer-Encoding: {transfer}\n\n"
        );
        message.push_str(&part.repeat((2 << 20) / part.len()));
        let start = Instant::now();
        std::hint::black_box(read(message.as_bytes(), Kind::Mail));
        // A hundred times what it should take, and a hundredth of what the square would.
        let elapsed = start.elapsed();
        assert!(
            elapsed < Duration::from_secs(5),
            "{declared} {part:?}: {elapsed:?}"
        );
    }
}
