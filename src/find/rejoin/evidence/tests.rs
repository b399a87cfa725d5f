use std::cell::Cell;
use std::collections::BTreeMap;

use super::{TESTS, VETOES, VETOES_AFTER_SLASH, WORDS};
use crate::Finder;

thread_local! {
    /// The name of the evidence or veto that is left out.
    static LEFT_OUT: Cell<&'static str> = const { Cell::new("") };
}

pub(super) fn is_left_out(name: &str) -> bool {
    LEFT_OUT.get() == name
}

/// Texts as people write them, each with its first URL, which follows `=> `, and a blank line. `== ` begins a heading.
/// Characters that are not seen are written `\f`, `\t` and `\u{A0}`, and a line break at the start of a text `\n`.
fn texts() -> Vec<(String, &'static str)> {
    let (mut texts, mut text) = (Vec::new(), Vec::new());
    for line in include_str!("texts.txt").lines() {
        match line.strip_prefix("=>") {
            Some(url) => texts.push((unescaped(&std::mem::take(&mut text).join("\n")), url.trim())),
            None if text.is_empty() && (line.is_empty() || line.starts_with("== ")) => {}
            None => text.push(line),
        }
    }
    texts
}

fn unescaped(text: &str) -> String {
    let mut parts = text.split('\\');
    let mut unescaped = parts.next().unwrap().to_owned();
    while let Some(part) = parts.next() {
        let (character, rest) = match part.split_at_checked(1) {
            Some(("n", rest)) => ('\n', rest),
            Some(("t", rest)) => ('\t', rest),
            Some(("f", rest)) => ('\u{C}', rest),
            Some(("u", rest)) => {
                let (digits, rest) = rest[1..].split_once('}').unwrap();
                let point = u32::from_str_radix(digits, 16).unwrap();
                (char::from_u32(point).unwrap(), rest)
            }
            // A backslash, before an empty part.
            _ => ('\\', parts.next().unwrap()),
        };
        unescaped.push(character);
        unescaped.push_str(rest);
    }
    unescaped
}

fn first(text: &str) -> String {
    let found = Finder::default().find(text.as_bytes()).next();
    found.map_or_else(String::new, |found| {
        String::from_utf8_lossy(&found.text).into_owned()
    })
}

#[test]
fn urls_go_on_or_end() {
    let mut wrong = Vec::new();
    for (text, url) in texts() {
        let found = first(&text);
        if found != url {
            wrong.push(format!("{text:?}\n  is     {found}\n  wanted {url}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Counts the URLs that are read wrongly without each piece of evidence, and without each veto. The
/// table in the documentation of the module repeats the numbers.
#[test]
fn nothing_can_be_left_out() {
    let names = TESTS.iter().map(|(name, ..)| *name);
    let others = WORDS.iter().chain(VETOES).chain(VETOES_AFTER_SLASH);
    let names = names.chain(others.map(|(name, _)| *name));
    let (texts, mut wrong) = (texts(), BTreeMap::new());
    for name in names {
        LEFT_OUT.set(name);
        let is_wrong = |(text, url): &&(String, &str)| first(text) != *url;
        wrong.insert(name, texts.iter().filter(is_wrong).count());
    }
    LEFT_OUT.set("");
    let documentation = include_str!("../evidence.rs");
    let rows = wrong
        .iter()
        .map(|(name, count)| format!("//! | {name} | {count} |"));
    let missing: Vec<_> = rows.filter(|row| !documentation.contains(row)).collect();
    assert!(missing.is_empty(), "{}", missing.join("\n"));
    assert!(wrong.values().all(|&count| count > 0));
}
