//! Suppression comments: one silences the diagnostics on its line, and adds nothing else.

use std::io::Error;
use std::path::Path;

use urlint::config::{Options, Source};
use urlint::lint::{Checked, Checker, add_ignore};
use urlint::{Diagnostic, Reader, Settings, fix};

/// Files with each kind of comment.
const NAMES: [&str; 20] = [
    "a.md", "a.rst", "a.html", "a.xml", "a.adoc", "a.1", "a.tex", "a.py", "a.sh", "a.yaml",
    "a.toml", "a.rs", "a.go", "a.js", "a.c", "a.txt", "a.json", "a.po", "Makefile", "a.lua",
];

/// The maximum length of a text: it is read some dozen times.
const LONGEST: usize = 4 << 10;

/// The first byte chooses the name of the file, the rest is its text. Returns whether each diagnostic has a comment.
pub(super) fn comments(input: &[u8]) -> bool {
    let Some((name, text)) = input.split_first() else {
        return false;
    };
    if text.len() > LONGEST {
        return false;
    }
    let name = NAMES[usize::from(*name) % NAMES.len()];
    let path = Path::new("/nowhere").join(name);
    let source = Source::new("the input", Path::new("/nowhere"));
    let options = Options::from_toml("extend-select = ['ALL']", &source).unwrap();
    let settings = options.resolve().for_file(&path);
    let reader = settings.reader().for_path(name.as_bytes());
    let checker = Checker::new(settings.lint());
    let before = reported(&checker, &reader, name, text);
    let insertion = |one| add_ignore::insertion(&checker, &reader, name.as_bytes(), text, one);
    let mut comments = 0;
    for insertion in before.iter().filter_map(insertion) {
        let new = fix::apply(text, [&insertion]).bytes;
        assert!(is_subsequence(text, &new));
        let begun = |text: &[u8]| memchr::memmem::find_iter(text, "urlint: ignore[").count();
        assert_eq!(begun(&new), begun(text) + 1);
        // It silences diagnostics on its line, and nothing is reported instead.
        assert!(reported(&checker, &reader, name, &new).len() < before.len());
        comments += 1;
    }
    comments > 0 && comments == before.len()
}

fn reported(
    checker: &Checker<&Settings>,
    reader: &Reader,
    name: &str,
    text: &[u8],
) -> Vec<Diagnostic> {
    let mut reported = Vec::new();
    let checked = checker.check(reader, name.as_bytes(), text, &mut |checked| {
        if let Checked::Diagnostic(diagnostic, Some(_)) = checked {
            reported.push(diagnostic);
        }
        Ok::<(), Error>(())
    });
    checked.unwrap();
    reported
}

/// The inputs that are kept cover both: texts with a place for comments, and texts without one.
#[test]
fn comments_are_added() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/fuzz/command");
    let mut tried = [0, 0];
    for file in std::fs::read_dir(folder).unwrap() {
        let file = file.unwrap();
        let name = file.file_name().to_string_lossy().into_owned();
        let has_place = name.starts_with("comments-");
        if has_place || name.starts_with("no-comments-") {
            let input = std::fs::read(file.path()).unwrap();
            assert_eq!(comments(&input[1..]), has_place, "{name}");
            tried[usize::from(has_place)] += 1;
        }
    }
    assert!(tried.iter().all(|&count| count > 5), "{tried:?}");
}

fn is_subsequence(text: &[u8], new: &[u8]) -> bool {
    let mut rest = new.iter();
    text.iter().all(|byte| rest.any(|other| other == byte))
}
