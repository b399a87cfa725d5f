#![expect(clippy::panic, reason = "a test may fail")]

use std::path::Path;

use crate::document::Kind;
use crate::find::Schemes;
use crate::find::{Hyphen, Rejoin};
use crate::standard::Standard;
use crate::{Rule, Severity};

use super::*;
use crate::config::Resolved;

/// Something of every key, all of it right.
pub(in crate::config) const ALL: &str = include_str!("every-key.toml");

pub(in crate::config) fn source() -> Source<'static> {
    Source {
        base: Path::new("/base"),
        ..Source::new("urlint.toml", Path::new("/folder"))
    }
}

fn settings(text: &str) -> Resolved {
    let file = read(text, &source());
    assert_eq!(file.mistakes, [], "{text}");
    Resolved::new(file.options)
}

#[test]
fn every_key_is_read() {
    let file = read(ALL, &source());
    assert_eq!(file.mistakes, []);
    let extend = file.extend.as_ref().map(|(path, _)| path.as_path());
    assert_eq!(extend, Some(Path::new("/base/base.toml")));
    let names = ALL.lines().filter_map(|line| {
        let table = line
            .strip_prefix('[')
            .map(|line| line.trim_end_matches(']'));
        table.or_else(|| Some(line.split_once(" = ")?.0).filter(|key| !key.starts_with('"')))
    });
    let mut names: Vec<_> = names.collect();
    names.sort_unstable();
    assert_eq!(names, keys());

    let settings = std::sync::Arc::new(Resolved::new(file.options));
    assert_eq!(settings.min_severity, Severity::Warning);
    assert!(settings.unsafe_fixes());
    assert!(settings.depth.deep && settings.depth.skip_code);
    assert_eq!(
        settings.baseline().as_deref(),
        Some(Path::new("/base/known.json"))
    );
    let formats = settings.output_format();
    let formats: Vec<_> = formats.iter().map(ToString::to_string).collect();
    assert_eq!(formats, ["concise", "sarif=/base/out.sarif"]);
    assert!(settings.excludes(Path::new("/folder/a/b.log"), false));
    assert!(!settings.excludes(Path::new("/folder/a/kept.log"), false));

    let note = settings.for_file(Path::new("/folder/a.note"));
    assert_eq!(note.kind, Some(Kind::Markdown));
    let finder = &note.lint().finder;
    assert_eq!(
        (finder.rejoin, finder.hyphen),
        (Rejoin::Never, Hyphen::Drop)
    );
    assert!(finder.schemeless);
    assert_eq!(finder.schemes, Schemes::new(["x-own"]));
    let ignored = &note.lint().ignored;
    assert!(ignored.contains(b"http://a.example/x") && ignored.contains(b"ftp://b.example/"));
    let selection = &note.lint().selection;
    assert_eq!(
        selection.severity(Rule::Password, Severity::Error),
        Severity::Warning
    );
    assert_eq!(selection.least(Rule::Password), Some(Severity::Hint));
    assert_eq!(selection.least(Rule::HostUnqualified), None);
    let docs = settings.for_file(Path::new("/folder/docs/a.txt"));
    assert_eq!(docs.kind, None);
    assert_eq!(docs.lint().selection.least(Rule::Password), None);
    let standards = (note.lint().standard, note.lint().finder.standard);
    assert_eq!(standards, (Standard::Rfc3987, Standard::Rfc3987));
    // By another standard the same rules are chosen.
    for file in [&note, &docs] {
        let other = file.lint_by(Standard::Whatwg);
        assert_eq!(other.standard, Standard::Whatwg);
        assert_eq!(other.selection, file.lint().selection);
    }
}

#[test]
fn mistakes_say_where_and_what() {
    let cases: &[(&str, &str, &str, &str)] = &[
        (
            "selct = 1",
            "selct",
            "unknown key `selct`",
            "did you mean `select`?",
        ),
        (
            "skip_code = true",
            "skip_code",
            "unknown key `skip_code`",
            "did you mean `skip-code`?",
        ),
        ("whatever = 1", "whatever", "unknown key `whatever`", ""),
        (
            "deep = 1",
            "1",
            "`deep` must be `true` or `false`",
            "this is a number",
        ),
        (
            "rejoin = true",
            "true",
            "`rejoin` must be a string",
            "this is a boolean",
        ),
        (
            "rejoin = 'nevr'",
            "'nevr'",
            "`rejoin` cannot be `nevr`",
            "did you mean `never`?",
        ),
        (
            "hyphen = 'burn'",
            "'burn'",
            "`hyphen` cannot be `burn`",
            "expected one of `keep`, `drop`",
        ),
        (
            "select = 'style'",
            "'style'",
            "`select` must be an array",
            "this is a string",
        ),
        (
            "select = [1.5]",
            "1.5",
            "each item of `select` must be a string",
            "this is a number",
        ),
        (
            "ignore = ['sintax']",
            "'sintax'",
            "unknown rule or group `sintax`",
            "did you mean `syntax`?",
        ),
        (
            "ignore = ['all']",
            "'all'",
            "unknown rule or group `all`",
            "did you mean `ALL`?",
        ),
        (
            "severity = { bad-prt = 'hint' }",
            "bad-prt",
            "unknown rule or group `bad-prt`",
            "did you mean `bad-port`?",
        ),
        (
            "severity = { bad-port = 'of' }",
            "'of'",
            "`bad-port` cannot be `of`",
            "did you mean `off`?",
        ),
        (
            "severity = []",
            "[]",
            "`severity` must be a table",
            "this is an array",
        ),
        (
            "types = { '*.x' = 'html5' }",
            "'html5'",
            "`*.x` cannot be `html5`",
            "did you mean `html`?",
        ),
        (
            "types = { '!x' = 'html' }",
            "'!x'",
            "`!x` is not a pattern of paths",
            "`!` has no meaning here",
        ),
        (
            "exclude = ['']",
            "''",
            "`` is not a pattern of paths",
            "it matches nothing",
        ),
        (
            "per-file-ignores = { x = 1979-05-27 }",
            "1979-05-27",
            "`x` must be an array",
            "this is a date",
        ),
        (
            "ignore-urls = [{ regex = '[' }]",
            "'['",
            "invalid regular expression",
            "unclosed character class",
        ),
        (
            "ignore-urls = [{}]",
            "{}",
            "expected `regex` in this table",
            "",
        ),
        (
            "ignore-urls = [{ glob = 'x' }]",
            "glob",
            "unknown key `glob`",
            "expected `regex`",
        ),
        (
            "ignore-urls = [1]",
            "1",
            "a URL must be a string or `{ regex = \"…\" }`",
            "this is a number",
        ),
        (
            "schemes = ['a:']",
            "'a:'",
            "`a:` is not a scheme",
            "expected letters, digits, `+`, `-` and `.`, without a colon",
        ),
        ("extend = ''", "''", "expected a path", ""),
        ("deep = true\ndeep = true", "deep", "duplicate key", ""),
        ("deep", "", "key with no value, expected `=`", ""),
        (
            "rejoin = never",
            "never",
            "strings must be quoted",
            "did you mean `\"never\"`?",
        ),
        (
            "rejoin = judged",
            "judged",
            "strings must be quoted",
            "did you mean `\"judged\"`?",
        ),
        ("deep = ", "", "expected a value", ""),
    ];
    for &(text, marked, message, label) in cases {
        let file = read(text, &source());
        let [mistake] = &file.mistakes[..] else {
            panic!("{text}: {:?}", file.mistakes);
        };
        assert_eq!(&text[mistake.span.clone()], marked, "{text}");
        assert_eq!(
            (&*mistake.message, &*mistake.label),
            (message, label),
            "{text}"
        );
    }
}

#[test]
fn all_mistakes_are_found_at_once() {
    let file = read("deep = 1\nselct = 2\nrejoin = 3\n", &source());
    assert_eq!(file.mistakes.len(), 3);
    let file = read("deep = \nrejoin = 'x\n", &source());
    assert_eq!(file.mistakes.len(), 2, "{:?}", file.mistakes);
}

#[test]
fn a_pyproject_may_say_nothing() {
    let cases = [
        ("[tool.other]\nx = 1", None),
        ("[tool]\nurlint = 1", Some(1)),
        ("[tool.urlint]\ndeep = true", Some(0)),
        ("[tool.urlint]\ndeep = 1", Some(1)),
        ("tool = 1", None),
        ("", None),
        ("[broken\n", None),
    ];
    for (text, expected) in cases {
        let file = read_pyproject(text, &source());
        assert_eq!(file.map(|file| file.mistakes.len()), expected, "{text}");
    }
}

#[test]
fn what_is_selected() {
    let (style, broken) = (Rule::HostCase, Rule::BrokenUrl);
    let cases: &[(&str, Rule, Option<Severity>)] = &[
        ("", style, None),
        ("", broken, Some(Severity::Warning)),
        ("extend-select = ['style']", style, Some(Severity::Hint)),
        ("select = ['syntax']", broken, None),
        ("select = []", Rule::BadPort, None),
        (
            "severity = { host-case = 'error' }",
            style,
            Some(Severity::Hint),
        ),
        (
            "severity = { broken-url = 'hint' }",
            broken,
            Some(Severity::Hint),
        ),
        (
            "severity = { host-case = 'error' }\nselect = ['syntax']",
            style,
            None,
        ),
        (
            "severity = { host-case = 'error' }\nignore = ['style']",
            style,
            None,
        ),
        ("severity = { context = 'off' }", broken, None),
        (
            "severity = { context = 'off', broken-url = 'hint' }",
            broken,
            Some(Severity::Hint),
        ),
        (
            "severity = { broken-url = 'off', context = 'hint' }",
            broken,
            None,
        ),
        (
            "severity = { context = 'off' }\nextend-select = ['ALL']",
            broken,
            None,
        ),
    ];
    for &(text, rule, least) in cases {
        assert_eq!(settings(text).selection().least(rule), least, "{text}");
    }
}

#[test]
fn later_layers_win() {
    let all = [
        "ignore = ['bad-port']\ndeep = true\nrejoin = 'never'\ntypes = { '*.a' = 'html', '*.b' = 'tex' }",
        "extend-select = ['bad-port']\ndeep = false\ntypes = { '*.a' = 'xml' }",
    ];
    let options = all.iter().fold(Options::default(), |base, text| {
        read(text, &source()).options.over(&base)
    });
    let settings = std::sync::Arc::new(Resolved::new(options));
    assert!(settings.selection().least(Rule::BadPort).is_some());
    assert!(!settings.depth.deep);
    let kind = |path: &str| settings.for_file(Path::new(path)).kind;
    assert_eq!(kind("/folder/x.a"), Some(Kind::Xml));
    assert_eq!(kind("/folder/x.b"), Some(Kind::Tex));
    let file = settings.for_file(Path::new("/folder/x"));
    assert_eq!(file.lint().finder.rejoin, Rejoin::Never);
}

/// The manual's page about configuration.
fn manual() -> &'static str {
    let mut pages = crate::manual::PAGES.iter();
    let page = pages.find(|page| page.name == "configuration");
    page.map(|page| page.text).unwrap_or_default()
}

#[test]
fn the_example_in_the_manual_has_every_key() {
    let (_, block) = manual()
        .split_once("```toml\n# urlint.toml")
        .unwrap_or_default();
    let (block, _) = block.split_once("```").unwrap_or_default();
    let mut text = String::new();
    for line in block.lines() {
        // What a copy would trip over is commented out.
        let key = line
            .strip_prefix("# ")
            .and_then(|line| line.split_once(" = "));
        let is_key = key.is_some_and(|(key, _)| keys().contains(&key));
        text.push_str(if is_key { &line[2..] } else { line });
        text.push('\n');
    }
    let (table, _) = DeTable::parse_recoverable(&text);
    let names: Vec<_> = table
        .get_ref()
        .iter()
        .map(|(key, _)| key.get_ref())
        .collect();
    assert_eq!(names, keys());
    assert_eq!(read(&text, &source()).mistakes, []);
}

#[test]
fn the_table_in_the_manual_has_every_key() {
    let rows = manual().lines().filter_map(|line| line.strip_prefix("| `"));
    let mut names: Vec<_> = rows.filter_map(|row| row.split('`').next()).collect();
    names.sort_unstable();
    assert_eq!(names, keys());
}
