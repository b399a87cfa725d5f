//! Law 1 on messages: whatever URLs were encoded in, each is found with exactly the bytes that
//! stand for it, and reading these anew gives the URL.

use encoding_rs::Encoding;
use proptest::prelude::*;
use urlint::document::Kind;
use urlint::{Candidate, Event, Reader};

use crate::support::decoding::{base64_bytes, quoted_bytes};
use crate::support::messages::{Body, Message, Plan, Transfer, plan};
use urlint_testing::tries;

/// Returns the candidates of a source, and the notices about it.
fn read(source: &[u8], kind: Kind) -> (Vec<Candidate<'static>>, Vec<String>) {
    let reader = Reader::default().with_kind(kind);
    let (mut found, mut warnings) = (Vec::new(), Vec::new());
    let read = reader.read(b"", source, &mut |event| {
        match event {
            Event::Found(one) => found.push(one.candidate.into_owned()),
            Event::Notice(notice) => {
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
