//! Configuration from memory and from files, and the messages for mistakes.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::*;
use urlint_documents::document::Kind;
use urlint_find::Candidate;
use urlint_lint as lint;
use urlint_lint::Rule;
use urlint_standard::standard::Standard;

/// A folder with these files, and its real path.
fn folder(files: &[(&str, &str)]) -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().canonicalize().unwrap();
    for (name, text) in files {
        let path = path.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    (folder, path)
}

fn from_toml(text: &str) -> Result<Options, BadConfig> {
    Options::from_toml(text, &Source::new("here", Path::new("/folder")))
}

/// The message for a mistake in a configuration.
fn message<T: std::fmt::Debug>(result: Result<T, BadConfig>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn mistakes_in_memory_have_no_place() {
    let cases = [
        (
            "deep = true\nselct = 1",
            "unknown key `selct`; did you mean `select`?",
        ),
        (
            "rejoin = 'x'",
            "`rejoin`: unknown value `x`; expected one of `never`, `judged`, `likely`",
        ),
        ("extend = 'x.toml'", "only a file can extend another"),
        (
            "ignore = [\"a\\nb\u{202e}\"]",
            "`ignore`: unknown rule or group `a\u{240a}b\u{fffd}`; `urlint rule` lists them",
        ),
    ];
    for (text, expected) in cases {
        let error = from_toml(text).unwrap_err();
        assert_eq!(error.to_string(), expected);
        assert!(
            matches!(error, BadConfig::Mistaken { name: None, .. }),
            "{error:?}"
        );
    }
}

#[test]
fn any_text_can_be_a_value_and_a_key() {
    for text in [
        "a\"b\\c",
        "\n\r\t\0\u{1b}\u{202e}\u{2028}",
        "é'''\"\"\"",
        "",
    ] {
        let quoted = quoted(text);
        let error = message(from_toml(&format!("{quoted} = 1")));
        assert!(error.starts_with("unknown key `"), "{text:?}: {error}");
        let options = from_toml(&format!("ignore-urls = [{quoted}]")).unwrap();
        let urls = options.get(|keys| &keys.ignore_urls);
        assert!(
            matches!(&urls[..], [IgnoredUrl::Url(url)] if url == text),
            "{urls:?}"
        );
    }
}

#[test]
fn a_file_that_is_named_is_the_only_one() {
    let (_keep, current) = folder(&[
        ("urlint.toml", "deep = true"),
        (
            "sub/own.toml",
            "extend = 'base.toml'\nexclude = ['/a']\nstandard = 'whatwg'",
        ),
        ("sub/base.toml", "schemeless = true\nstandard = 'rfc3986'"),
        ("sub/urlint.toml", "skip-code = true"),
        ("sub/pyproject.toml", "[tool.other]"),
    ]);
    let read = |name: &str| Options::from_file(Path::new(name), &current);
    let settings = read("sub/own.toml").unwrap().unwrap().resolve();
    assert_eq!(settings.lint().standard, Standard::Whatwg);
    assert!(settings.lint().finder.schemeless);
    assert!(!settings.depth.deep && !settings.depth.skip_code);
    // Its patterns are relative to the current folder.
    assert!(settings.excludes(&current.join("a"), false));
    assert!(!settings.excludes(&current.join("sub/a"), false));
    assert!(read("sub/pyproject.toml").unwrap().is_none());

    let error = read("none.toml").unwrap_err();
    let BadConfig::Unreadable { error: cause, .. } = &error else {
        panic!("{error:?}");
    };
    assert_eq!(cause.kind(), std::io::ErrorKind::NotFound);
    assert!(error.to_string().starts_with("none.toml: "), "{error}");
}

#[test]
fn a_file_is_told_before_those_that_it_extends() {
    let (_keep, current) = folder(&[
        ("a.toml", "extend = 'sub/b.toml'\ndep = true"),
        ("c.toml", "extend = 'sub/b.toml'"),
        ("d.toml", "extend = 'sub/e.toml'"),
        ("sub/b.toml", "extend = '../a.toml'\n\n  deep = 1"),
        ("sub/e.toml", "extend = '../d.toml'"),
    ]);
    for (name, expected) in [
        (
            "a.toml",
            "a.toml:2:1: unknown key `dep`; did you mean `deep`?",
        ),
        (
            "c.toml",
            "sub/b.toml:3:10: `deep`: invalid type: integer `1`, expected a boolean",
        ),
        ("d.toml", "sub/e.toml:1:10: `sub/../d.toml` extends itself"),
    ] {
        let told = message(Options::from_file(Path::new(name), &current));
        assert_eq!(told.replace('\\', "/"), expected);
    }
}

#[test]
fn settings_of_a_file() {
    let (_keep, current) = folder(&[("sub/urlint.toml", "types = { '*.x' = 'markdown' }")]);
    let options = from_toml(
        "ignore = ['bad-port']\nper-file-ignores = { '*.x' = ['style'] }\nselect = ['ALL']",
    )
    .unwrap();
    for (configs, kind) in [
        (
            Configs::searching(options.clone(), &current),
            Some(Kind::Markdown),
        ),
        (Configs::fixed(options, &current), None),
    ] {
        let settings = configs.for_file(Path::new("sub/a.x")).unwrap();
        assert_eq!((settings.kind, settings.reader().kind), (kind, kind));
        assert_eq!(
            settings.reader().with_mistakes(true).finder,
            settings.lint().finder
        );
        let reports = |rule: Rule| settings.lint().selection.least(rule).is_some();
        assert!(!reports(Rule::BadPort) && !reports(Rule::NotNormal) && reports(Rule::EmptyHost));
    }

    let (_keep, current) = folder(&[("urlint.toml", "deep = 1")]);
    let configs = Configs::searching(Options::default(), &current);
    let line = "urlint.toml:1:8: `deep`: invalid type: integer `1`, expected a boolean";
    for name in ["a", "b"] {
        assert_eq!(message(configs.for_file(Path::new(name))), line);
    }
}

#[test]
fn the_program_that_reads_a_folder_tells_the_dialect() {
    let (_keep, current) = folder(&[
        ("urlint.toml", "types = { 'plain.md' = 'markdown' }"),
        ("_config.yml", ""),
        ("docs/docusaurus.config.ts", ""),
        ("docs/a/b.md", ""),
    ]);
    for configs in [
        Configs::searching(Options::default(), &current),
        Configs::fixed(Options::default(), &current),
    ] {
        for (path, kind) in [
            ("a.md", Some(Kind::Kramdown)),
            ("docs/a.md", Some(Kind::Mdx)),
            ("docs/a/b.md", Some(Kind::Mdx)),
            ("docs/a/b.mdx", None),
            ("docs/a/b.txt", None),
        ] {
            let settings = configs.for_file(Path::new(path)).unwrap();
            assert_eq!(settings.kind, kind, "{path}");
        }
    }
    let configs = Configs::searching(Options::default(), &current);
    let settings = configs.for_file(Path::new("plain.md")).unwrap();
    assert_eq!(settings.kind, Some(Kind::Markdown));
}

#[test]
fn profiles_are_layers_of_keys() {
    for &profile in Profile::ALL {
        let _ = from_toml(profile.keys()).unwrap();
    }
    let of_tilde = |text: &str| {
        let settings = from_toml(text).unwrap().resolve();
        let url = Candidate::whole(b"http://a.example/~x");
        let mut found = lint::lint(&url, settings.lint()).into_iter();
        found.next().map(|diagnostic| diagnostic.severity)
    };
    assert_eq!(of_tilde(""), Some(lint::Severity::Hint));
    assert_eq!(of_tilde("profile = 'strict'"), Some(lint::Severity::Error));
    assert_eq!(of_tilde("profile = 'ietf'"), None);
    // A key of the file is above the profile.
    let own = "profile = 'strict'\nseverity = { encoding = 'warning' }";
    assert_eq!(of_tilde(own), Some(lint::Severity::Warning));
}
