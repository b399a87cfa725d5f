//! Law 1 on messages: whatever URLs were encoded in, each is found with exactly the bytes that
//! stand for it, and reading these anew gives the URL.

#![allow(clippy::unwrap_used, missing_docs)]
#![allow(clippy::print_stderr, reason = "what is skipped is said")]

mod messages;

use encoding_rs::Encoding;
use messages::{Body, Message, Plan, Transfer, plan};
use proptest::prelude::*;
use urlint::{Candidate, Event, Kind, NoticeKind, Reading};

/// The candidates of a source, and what is told about it.
fn read(source: &[u8], kind: Kind) -> (Vec<Candidate<'static>>, Vec<String>) {
    let reading = Reading {
        kind: Some(kind),
        ..Reading::default()
    };
    let (mut found, mut warnings) = (Vec::new(), Vec::new());
    let read = reading.read(b"", source, &mut |event| {
        match event {
            Event::Found(one) => found.push(one.candidate.into_owned()),
            Event::Notice(notice) if notice.kind == NoticeKind::Warning => {
                warnings.push(notice.message);
            }
            Event::Notice(_) => {}
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
            (b'=', [high, low, ..]) => {
                let digits = String::from_utf8(vec![*high, *low]).unwrap();
                (u8::from_str_radix(&digits, 16).unwrap(), 3)
            }
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
    #![proptest_config(ProptestConfig {
        cases: 2_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn planted_urls_are_found_with_exactly_their_bytes(plan in plan()) {
        check(&plan)?;
    }
}
