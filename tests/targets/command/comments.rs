//! Suppression comments: after they have been added, nothing is reported on their lines, and nothing else was
//! added.

use std::io::Error;
use std::path::Path;

use urlint::config::{FileSettings, Options, Source};
use urlint::lint::{Checker, Suppressions};
use urlint::{Event, Reader};

use urlint::lint::add_ignore::Subject;

/// Files with each kind of comment.
const NAMES: [&str; 20] = [
    "a.md", "a.rst", "a.html", "a.xml", "a.adoc", "a.1", "a.tex", "a.py", "a.sh", "a.yaml",
    "a.toml", "a.rs", "a.go", "a.js", "a.c", "a.txt", "a.json", "a.po", "Makefile", "a.lua",
];

/// The maximum length of a text: it is read some dozen times.
const LONGEST: usize = 4 << 10;

/// The first byte chooses the name of the file, the rest is its text. Returns whether everything has a comment.
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
    let subject = Subject {
        checker: &checker,
        reader: &reader,
        name: name.as_bytes(),
    };
    let Some(silenced) = subject.silenced(text).unwrap() else {
        assert_eq!(reported(&reader, &settings, name, text), 0);
        return false;
    };
    let (new, is_all) = (&silenced.text[..], silenced.refused.is_empty());
    assert!(silenced.comments > 0 || !is_all);
    assert!(is_subsequence(text, new));
    let begun = |text: &[u8]| {
        let of = |start: &str| memchr::memmem::find_iter(text, start).count();
        of("urlint: ignore[") + of("urlint: disable[")
    };
    assert_eq!(begun(new), begun(text) + silenced.comments);
    let [before, after] = [text, new].map(|text| reported(&reader, &settings, name, text));
    if is_all {
        assert_eq!(after, 0);
        assert!(subject.silenced(new).unwrap().is_none());
    } else {
        // Each comment silences what is on its line, and nothing is reported instead.
        assert!(after > 0 && after + silenced.comments <= before);
        assert!(silenced.comments > 0 || new == text);
    }
    is_all
}

fn reported(reader: &Reader, settings: &FileSettings, name: &str, text: &[u8]) -> usize {
    let mut suppressions = Suppressions::of(text);
    let mut reported = 0;
    let read = reader.read(name.as_bytes(), text, &mut |event| {
        if let Event::Found(found) = event {
            for diagnostic in urlint::lint::Checker::new(settings.lint()).reported(&found) {
                reported += usize::from(!suppressions.suppresses(&diagnostic));
            }
        }
        Ok::<(), Error>(())
    });
    read.unwrap();
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
