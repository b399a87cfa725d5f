//! All texts of the program for its users in one list, `fixtures/messages.txt`, so that they can be read
//! one after another and a review shows a change of words. `SNAPSHOTS=overwrite cargo test --test it words`
//! writes the list.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::repo_rules::sources;
use crate::support::command::Folder;

const LIST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/messages.txt");

const COMMANDS: [&str; 8] = [
    "check",
    "extract",
    "parse",
    "rule",
    "init",
    "help",
    "completions",
    "man",
];

#[test]
fn all_texts_are_in_the_list() {
    let mut list = Vec::new();
    for (name, source) in sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")) {
        if !name.ends_with("tests.rs") && !name.contains("/tests/") {
            literals(source.parse().unwrap(), &mut |text| {
                let line = format!("{name}: {text}");
                if !list.contains(&line) {
                    list.push(line);
                }
            });
        }
    }
    let folder = Folder::new();
    let mut help = BTreeSet::new();
    for command in COMMANDS {
        let text = folder.run(&[command, "--help"], b"").text();
        let lines = text.lines().map(|line| format!("--help: {}", line.trim()));
        help.extend(lines.filter(|line| is_sentence(line)));
    }
    list.extend(help);
    let list = list.join("\n") + "\n";
    if std::env::var("SNAPSHOTS").is_ok_and(|value| value == "overwrite") {
        fs::write(LIST, &list).unwrap();
    }
    let recorded = fs::read_to_string(LIST).unwrap();
    let hint = "`SNAPSHOTS=overwrite cargo test --test it words` writes the list anew";
    assert!(list == recorded, "{hint}");
}

/// Passes on the sentences among the string literals of `code`, but for those of attributes, tests and lists of
/// words.
fn literals(code: TokenStream, found: &mut dyn FnMut(String)) {
    let mut tokens = code.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(mark) if mark.as_char() == '#' => {
                tokens.next_if(
                    |next| matches!(next, TokenTree::Punct(mark) if mark.as_char() == '!'),
                );
                let attribute = tokens.next_if(|next| matches!(next, TokenTree::Group(_)));
                if attribute.is_some_and(|attribute| attribute.to_string() == "[cfg (test)]") {
                    // The item ends with its body or a semicolon.
                    tokens.find(|token| match token {
                        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
                        TokenTree::Punct(mark) => mark.as_char() == ';',
                        _ => false,
                    });
                }
            }
            TokenTree::Ident(name) if name == "WordList" => {
                tokens.next_if(|next| matches!(next, TokenTree::Group(_)));
            }
            TokenTree::Group(group) => literals(group.stream(), found),
            TokenTree::Literal(literal) => {
                if let syn::Lit::Str(text) = syn::Lit::new(literal)
                    && is_sentence(&text.value())
                {
                    found(text.value().replace('\n', "\\n"));
                }
            }
            _ => {}
        }
    }
}

/// Returns whether `text` is for people: at least two words, of which one begins with a small letter.
fn is_sentence(text: &str) -> bool {
    let is_word =
        |word: &&str| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    text.trim().contains(' ') && text.split(' ').any(|word| is_word(&word))
}
