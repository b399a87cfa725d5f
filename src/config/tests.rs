//! What comes from memory and from files, and what is said of mistakes.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::*;
use crate::document::Kind;
use crate::lint::rule::Rule;
use crate::standard::Standard;

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

/// The message of what is wrong with a configuration.
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
            "`rejoin` cannot be `x`; expected one of `never`, `judged`, `likely`",
        ),
        ("extend = 'x.toml'", "only a file can extend another"),
        ("whatever = 1", "unknown key `whatever`"),
        (
            "output-format = 'x=y'",
            "`x=y` is not an output format; expected one of full, concise, json, json-lines, sarif, \
             github, gitlab, junit, rdjson, checkstyle",
        ),
        (
            "ignore = [\"a\\nb\u{202e}\"]",
            "unknown rule or group `a\u{240a}b\u{fffd}`",
        ),
    ];
    for (text, expected) in cases {
        let error = from_toml(text).unwrap_err();
        assert_eq!(error.to_string(), expected);
        assert!(error.io_error().is_none(), "{text}");
        let [BadFile::Mistaken { name: None, .. }] = error.files() else {
            panic!("{error:?}");
        };
    }
    let keys: String = (0..30).map(|i| format!("x{i} = 1\n")).collect();
    let many = message(from_toml(&keys));
    assert_eq!(many.lines().count(), BadConfig::MOST + 1);
    assert!(many.ends_with("\nand 10 more"), "{many}");
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
        assert_eq!(options.ignore_urls.unwrap().value[0].text, text);
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
    assert_eq!(settings.standard(), Standard::Whatwg);
    assert!(settings.finder().schemeless);
    assert!(!settings.depth.deep && !settings.depth.skip_code);
    // Its patterns are relative to the current folder.
    assert!(settings.excludes(&current.join("a"), false));
    assert!(!settings.excludes(&current.join("sub/a"), false));
    assert!(read("sub/pyproject.toml").unwrap().is_none());

    let error = read("none.toml").unwrap_err();
    let kind = error.io_error().map(std::io::Error::kind);
    assert_eq!(kind, Some(std::io::ErrorKind::NotFound));
    assert!(error.to_string().starts_with("none.toml: "), "{error}");
}

#[test]
fn all_files_are_told_that_are_wrong() {
    let (_keep, current) = folder(&[
        ("a.toml", "extend = 'sub/b.toml'\ndep = true"),
        ("sub/b.toml", "extend = '../a.toml'\n\n  deep = 1"),
    ]);
    let error = Options::from_file(Path::new("a.toml"), &current).unwrap_err();
    let lines = [
        "a.toml:2:1: unknown key `dep`; did you mean `deep`?",
        "sub/b.toml:1:10: `sub/../a.toml` extends itself; through this file",
        "sub/b.toml:3:10: `deep` must be `true` or `false`; this is a number",
    ];
    assert_eq!(error.to_string().replace('\\', "/"), lines.join("\n"));
    assert_eq!(error.files().len(), 2);
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
        assert_eq!(settings.reader().finder, settings.lint().finder);
        let reports = |rule: Rule| settings.lint().selection.least(rule).is_some();
        assert!(!reports(Rule::BadPort) && !reports(Rule::HostCase) && reports(Rule::EmptyHost));
    }

    let (_keep, current) = folder(&[("urlint.toml", "deep = 1")]);
    let configs = Configs::searching(Options::default(), &current);
    let [one, other] = ["a", "b"].map(|name| configs.for_file(Path::new(name)).unwrap_err());
    assert!(one.is_clone_of(&other));
    let line = "urlint.toml:1:8: `deep` must be `true` or `false`; this is a number";
    assert_eq!(one.to_string(), line);
}

#[test]
fn a_text_is_reviewed_before_it_is_saved() {
    let (_keep, current) = folder(&[
        ("urlint.toml", ""),
        ("base.toml", "dep = true"),
        ("round.toml", "extend = 'urlint.toml'"),
    ]);
    let told = |name: &str, text: &str| {
        let review = review(&current.join(name), text, &current);
        let mistakes = review.mistakes.iter().map(ToString::to_string);
        let there = review
            .extended
            .map(|(at, wrong)| format!("{}: {wrong}", &text[at]));
        mistakes.chain(there).collect::<Vec<_>>()
    };
    let here = "unknown key `selct`; did you mean `select`?";
    let there = "'base.toml': base.toml:1:1: unknown key `dep`; did you mean `deep`?";
    let around = "`urlint.toml` extends itself; through this file";
    let around = format!("'round.toml': round.toml:1:10: {around}");
    for (name, text, expected) in [
        ("urlint.toml", "deep = true", vec![]),
        ("new.toml", "selct = 1", vec![here]),
        (
            "urlint.toml",
            "extend = 'base.toml'\nselct = 1",
            vec![here, there],
        ),
        ("urlint.toml", "extend = 'round.toml'", vec![&around]),
        ("pyproject.toml", "selct = 1", vec![]),
        ("pyproject.toml", "[tool.urlint]\nselct = 1", vec![here]),
    ] {
        assert_eq!(told(name, text), expected, "{text}");
    }
}
