//! Text parts of the messages of the corpora, decoded by urlint and by Python's `email` package:
//! the same, or known to differ and why.
//!
//! Not compared are
//!
//! - line ends, and blanks in front of them and at the end of a part: urlint drops the blanks that
//!   quoted-printable says are none of the text's (RFC 2045, section 6.7, rule 3), Python keeps them;
//! - parts without text: a message without a body, such as are returned, is one for Python;
//! - escapes of ISO-2022-JP, which urlint shows behind URLs, so that they end there.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value;
use urlint::document::text_bodies;

use crate::needs::{answer, script, shared_files};

/// Files in which the two differ, and why.
const DIFFERENT: [(&str, &str); 7] = [
    (
        "lhost-office365-08.eml",
        "lines of a header that lack their folding: Python takes the first for the body",
    ),
    ("issue358.txt", "the same"),
    (
        "lhost-office365-09.eml",
        "a boundary that is not indented: Python takes it for the body",
    ),
    ("lhost-office365-10.eml", "the same"),
    (
        "alt.atheism-51273",
        "begins with a folded line: urlint reads all of it as text, Python drops that line",
    ),
    (
        "simple.mbox.txt",
        "boundaries that are empty: Python takes none for one",
    ),
    (
        "00005.34bcaad58ad5f598f5d6af8cfa0c0465.txt",
        "a line of `=` in quoted-printable: of each two Python drops one",
    ),
];

/// Returns the output of the script about `paths`, a line for each part.
fn python(paths: &[PathBuf]) -> String {
    let lines = paths.iter().map(|path| format!("{}\n", path.display()));
    answer(
        script("email_parts.py"),
        lines.collect::<String>().as_bytes(),
    )
}

/// Returns a text without the white space that is not compared.
fn normal(text: &[u8]) -> Vec<u8> {
    let mut normal = Vec::with_capacity(text.len());
    let text = text.trim_ascii_end();
    for line in text.split(|&byte| byte == b'\n') {
        normal.extend_from_slice(line.trim_ascii_end());
        normal.push(b'\n');
    }
    normal
}

/// Returns where two texts differ first, and the texts there.
fn difference(ours: &[u8], theirs: &[u8]) -> Option<String> {
    let (ours, theirs) = (normal(ours), normal(theirs));
    if ours == theirs {
        return None;
    }
    let at = ours.iter().zip(&theirs).take_while(|(a, b)| a == b).count();
    let near = |text: &[u8]| {
        let part = &text[at.saturating_sub(20).min(text.len())..(at + 40).min(text.len())];
        String::from_utf8_lossy(part).into_owned()
    };
    let (ours, theirs) = (near(&ours), near(&theirs));
    Some(format!("at {at}: ours {ours:?}, theirs {theirs:?}"))
}

/// The text of a part as Python decodes it; its bytes where its charset says nothing.
fn text_of(part: &Value) -> Vec<u8> {
    match &part["text"] {
        Value::String(text) => text.clone().into_bytes(),
        _ => {
            let bytes = part["bytes"].as_str().unwrap().chars();
            bytes.map(|byte| byte as u8).collect()
        }
    }
}

/// The differences of the parts of one message, and how many parts there are.
fn differences(message: &[u8], parts: &[Value]) -> (Vec<String>, usize) {
    let is_text = |text: &Vec<u8>| !text.trim_ascii().is_empty();
    let theirs: Vec<_> = parts.iter().map(text_of).filter(is_text).collect();
    let ours = text_bodies(message).into_iter();
    let ours = ours.map(|body| body.text().to_vec());
    let ours: Vec<_> = ours.filter(is_text).collect();
    let (mut found, count) = (Vec::new(), theirs.len());
    if ours.len() != theirs.len() {
        found.push(format!("{} parts and {}", ours.len(), theirs.len()));
    }
    let has = |charset: &str| parts.iter().any(|part| part["charset"] == charset);
    let (escapes, guessed) = (has("iso-2022-jp"), has("us-ascii"));
    for (number, (mut ours, mut theirs)) in ours.into_iter().zip(theirs).enumerate() {
        if escapes {
            ours.retain(|&byte| byte != 0x1B);
        }
        if guessed {
            // Python does not guess another charset.
            ours.retain(u8::is_ascii);
            theirs.retain(u8::is_ascii);
        }
        if let Some(difference) = difference(&ours, &theirs) {
            found.push(format!("part {number}, {difference}"));
        }
    }
    (found, count)
}

pub(crate) fn texts_are_what_python_makes_of_them() {
    let mut paths = [shared_files("corpora/mail"), shared_files("corpora/news")].concat();
    // A summary lists no messages.
    paths.retain(|path| !path.to_string_lossy().ends_with("-summary.txt"));
    let lines = python(&paths);
    let mut messages: BTreeMap<(String, u64, u64), Vec<Value>> = BTreeMap::new();
    for line in lines.lines() {
        let part: Value = serde_json::from_str(line).unwrap();
        let path = part["path"].as_str().unwrap().to_owned();
        let offset = |name: &str| part[name].as_u64().unwrap();
        let key = (path, offset("start"), offset("end"));
        messages.entry(key).or_default().push(part);
    }
    let mut unexpected = Vec::new();
    let mut known = BTreeSet::new();
    let mut compared = 0;
    for ((path, start, end), parts) in &messages {
        let source = std::fs::read(path).unwrap();
        let (found, count) = differences(&source[*start as usize..*end as usize], parts);
        compared += count;
        let name = Path::new(path).file_name().unwrap().to_str().unwrap();
        if DIFFERENT.iter().any(|(known, _)| *known == name) {
            known.extend((!found.is_empty()).then(|| name.to_owned()));
            continue;
        }
        for difference in found {
            unexpected.push(format!("{name} {start}: {difference}"));
        }
    }
    assert!(
        compared > 100,
        "{compared} parts of {} messages",
        messages.len()
    );
    assert!(
        unexpected.is_empty(),
        "{}: {}",
        unexpected.len(),
        unexpected.join("\n")
    );
}
