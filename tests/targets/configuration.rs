//! Any text as a configuration is either wrong, at places that are in it, or is what it says: the settings
//! apply to any file.

use std::path::Path;

use urlint::config::{BadFile, Mistake, Options, Source, review};

/// Files of each sort that a configuration can tell apart.
const FILES: [&str; 4] = [
    "/nowhere/a.txt",
    "/nowhere/a/b.md",
    "/a.log",
    "/nowhere/\u{e9} [",
];

/// The input is a text; what is not UTF-8 is replaced.
pub(super) fn configuration(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let folder = Path::new("/nowhere");
    let source = Source::new("the input", folder)
        .with_name("input.toml")
        .with_extend_hint("it is no file");
    match Options::from_toml(&text, &source) {
        Err(wrong) => {
            assert!(!wrong.to_string().is_empty());
            for file in wrong.files() {
                let BadFile::Mistaken {
                    text: own,
                    mistakes,
                    ..
                } = file
                else {
                    panic!("a file was read: {file}");
                };
                assert_eq!(own, &text);
                assert!(!mistakes.is_empty());
                assert_inside(&text, mistakes);
            }
        }
        Ok(options) => {
            options.each(&mut |key, _, origin| {
                assert!(!key.is_empty() && origin.is_none_or(|origin| origin == "the input"));
            });
            let resolved = options.over(&Options::default()).resolve();
            for file in FILES {
                let settings = resolved.for_file(Path::new(file));
                let _ = resolved.excludes(Path::new(file), false);
                for found in settings
                    .reader()
                    .finder
                    .find(b"<URL:http://a.example/^> www.a.b")
                {
                    urlint::lint::lint(&found, settings.lint(), &mut |_| {});
                }
            }
        }
    }
    // What it extends would be read.
    if !text.contains("extend") {
        for name in ["urlint.toml", "pyproject.toml"] {
            let review = review(&folder.join(name), &text, folder);
            assert_inside(&text, &review.mistakes);
            assert!(review.extended.is_none());
        }
    }
}

#[track_caller]
fn assert_inside(text: &str, mistakes: &[Mistake]) {
    for mistake in mistakes {
        assert!(text.get(mistake.span.clone()).is_some(), "{mistake:?}");
        assert!(!mistake.to_string().contains('\n'), "{mistake:?}");
    }
}
