//! The targets of links in real HTML are those that Python's `html.parser` finds.
//!
//! Two readers that have nothing in common agree on the attributes of some hundred pages and
//! messages, and on their values with the references decoded.

use urlint::document::Kind;
use urlint::find::Delimiter;
use urlint::{Event, Reader};

use crate::needs::{answer, script, shared};

pub(crate) fn targets_are_those_that_another_parser_finds() {
    let mut command = script("html_targets.py");
    command.arg(shared("corpora"));
    let listing = answer(command, b"");
    let (mut documents, mut values) = (0, 0);
    let mut differences = Vec::new();
    for document in listing.split("document ").skip(1) {
        let mut lines = document.lines();
        let (name, source) = lines.next().unwrap().split_once(' ').unwrap();
        let mut theirs: Vec<_> = lines
            .map(|line| bytes(line.strip_prefix("value ").unwrap()))
            .collect();
        let mut ours = targets(&bytes(source));
        documents += 1;
        values += theirs.len();
        theirs.sort();
        ours.sort();
        differences.extend(only_in(&ours, &theirs).map(|url| format!("{name}: only here {url}")));
        differences.extend(only_in(&theirs, &ours).map(|url| format!("{name}: only there {url}")));
    }
    assert!(
        documents > 100 && values > 1000,
        "{documents} documents, {values} values"
    );
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

fn targets(source: &[u8]) -> Vec<Vec<u8>> {
    let reader = Reader::default().with_kind(Kind::Html);
    let mut found = Vec::new();
    reader
        .read(b"", source, &mut |event| {
            if let Event::Found(one) = event
                && one.candidate.delimiter == Delimiter::Target
            {
                found.push(one.candidate.text.to_vec());
            }
            Ok::<(), std::io::Error>(())
        })
        .unwrap();
    found
}

/// Returns the items of the sorted list `these` that are not in `those`, once for each time that one is
/// missing.
fn only_in(these: &[Vec<u8>], those: &[Vec<u8>]) -> impl Iterator<Item = String> {
    let mut left = those.to_vec();
    let missing = these.iter().filter(move |url| {
        let at = left.iter().position(|other| other == *url);
        at.map(|at| left.swap_remove(at)).is_none()
    });
    missing.map(|url| url.escape_ascii().to_string())
}

fn bytes(hexadecimal: &str) -> Vec<u8> {
    let digits = hexadecimal.as_bytes().chunks_exact(2);
    digits
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}
