//! Any text read as a configuration either has mistakes, at places inside it, or yields settings
//! that apply to any file.

use std::path::Path;

use urlint::config::{BadConfig, Options, Source};

/// One file of each sort that a configuration can distinguish.
const FILES: [&str; 4] = [
    "/nowhere/a.txt",
    "/nowhere/a/b.md",
    "/a.log",
    "/nowhere/\u{e9} [",
];

/// The input is a text; bytes that are not UTF-8 are replaced.
pub(super) fn configuration(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let folder = Path::new("/nowhere");
    let source = Source::new("the input", folder).with_name("input.toml");
    match Options::from_toml(&text, &source) {
        Err(wrong) => {
            assert!(!wrong.to_string().contains('\n'), "{wrong:?}");
            let BadConfig::Mistaken {
                text: own, mistake, ..
            } = &wrong
            else {
                panic!("a file was read: {wrong}");
            };
            assert_eq!(**own, *text);
            assert!(text.get(mistake.span.clone()).is_some(), "{mistake:?}");
        }
        Ok(options) => {
            for layer in options.layers() {
                assert_eq!(&*layer.origin, "the input");
            }
            let resolved = options.over(&Options::default()).resolve();
            for file in FILES {
                let settings = resolved.for_file(Path::new(file));
                let _ = resolved.excludes(Path::new(file), false);
                for found in settings
                    .reader()
                    .finder
                    .find(b"<URL:http://a.example/^> www.a.b")
                {
                    for _ in urlint::lint::lint(&found, settings.lint()) {}
                }
            }
        }
    }
}
