//! Suppression comments: after they have been added nothing is reported any more, and nothing else was added.

use std::io::Error;
use std::path::Path;

use urlint::config::{FileSettings, Options, Source};
use urlint::lint::Suppressions;
use urlint::{Event, Reader};

use crate::commands::add_ignore::Subject;

/// Files with each kind of comment.
const NAMES: [&str; 20] = [
    "a.md", "a.rst", "a.html", "a.xml", "a.adoc", "a.1", "a.tex", "a.py", "a.sh", "a.yaml",
    "a.toml", "a.rs", "a.go", "a.js", "a.c", "a.txt", "a.json", "a.po", "Makefile", "a.lua",
];

/// The longest text: it is read a dozen times.
const LONGEST: usize = 4 << 10;

/// The first byte says what file the rest is.
pub(super) fn comments(input: &[u8]) {
    let Some((name, text)) = input.split_first() else {
        return;
    };
    if text.len() > LONGEST {
        return;
    }
    let name = NAMES[usize::from(*name) % NAMES.len()];
    let path = Path::new("/nowhere").join(name);
    let source = Source::new("the input", Path::new("/nowhere"));
    let options = Options::from_toml("extend-select = ['ALL']", &source).unwrap();
    let settings = options.resolve().for_file(&path);
    let reader = settings.reader().for_path(name.as_bytes());
    let subject = Subject {
        settings: &settings,
        reader: &reader,
        name: name.as_bytes(),
        path: &path,
    };
    let Some(Ok((new, count))) = subject.silenced(text).unwrap() else {
        return;
    };
    assert_eq!(reported(&reader, &settings, name, &new), 0);
    assert!(subject.silenced(&new).unwrap().is_none());
    assert!(is_subsequence(text, &new));
    let begun = |text: &[u8]| {
        let of = |start: &str| memchr::memmem::find_iter(text, start).count();
        (of("urlint: ignore[") + of("urlint: disable[")) as u64
    };
    assert_eq!(begun(&new), begun(text) + count);
}

fn reported(reader: &Reader, settings: &FileSettings, name: &str, text: &[u8]) -> usize {
    let mut suppressions = Suppressions::of(text);
    let mut reported = 0;
    let read = reader.read(name.as_bytes(), text, &mut |event| {
        if let Event::Found(found) = event {
            found.lint(settings.lint(), &mut |diagnostic| {
                reported += usize::from(!suppressions.suppresses(&diagnostic));
            });
        }
        Ok::<(), Error>(())
    });
    read.unwrap();
    reported
}

fn is_subsequence(text: &[u8], new: &[u8]) -> bool {
    let mut rest = new.iter();
    text.iter().all(|byte| rest.any(|other| other == byte))
}
