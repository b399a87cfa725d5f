#![expect(clippy::panic, reason = "a test may fail")]

use std::path::Path;

use urlint_documents::document::Kind;
use urlint_find::Schemes;
use urlint_find::{Hyphen, Rejoin};
use urlint_lint::{Rule, Severity};
use urlint_standard::standard::Standard;

use super::*;
use crate::{Options, Resolved};

/// Something of every key, all of it right.
const ALL: &str = include_str!("every-key.toml");

fn source() -> Source<'static> {
    Source {
        base: Path::new("/base"),
        ..Source::new("urlint.toml", Path::new("/folder"))
    }
}

fn read(text: &str) -> Parsed {
    match parse(text, false, &source()) {
        Ok(Some(parsed)) => parsed,
        other => panic!("{text}: {other:?}"),
    }
}

fn settings(text: &str) -> Resolved {
    Resolved::new(Options::of(read(text).layer))
}

#[test]
fn every_key_is_read() {
    let file = read(ALL);
    let extend = file.extend.as_ref().map(|(path, _)| path.as_path());
    assert_eq!(extend, Some(Path::new("/base/base.toml")));
    let names = ALL.lines().filter_map(|line| {
        let table = line
            .strip_prefix('[')
            .map(|line| line.trim_end_matches(']'));
        table.or_else(|| Some(line.split_once(" = ")?.0).filter(|key| !key.starts_with('"')))
    });
    let mut names: Vec<_> = names.collect();
    let mut keys = Keys::names().to_vec();
    names.sort_unstable();
    keys.sort_unstable();
    assert_eq!(names, keys);

    let settings = std::sync::Arc::new(Resolved::new(Options::of(file.layer)));
    assert_eq!(settings.min_severity, Severity::Warning);
    assert!(settings.unsafe_fixes());
    assert!(settings.depth.deep && settings.depth.skip_code);
    let baseline = settings.options().first(|keys| keys.baseline.as_deref());
    let baseline = baseline.map(|(file, _)| file);
    assert_eq!(baseline, Some(Path::new("/base/known.json")));
    let formats = settings.options().get(|keys| &keys.output_format);
    let formats: Vec<_> = formats.0.iter().map(ToString::to_string).collect();
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
    assert_eq!(selection.least(Rule::HostNotPublic), None);
    let docs = settings.for_file(Path::new("/folder/docs/a.txt"));
    assert_eq!(docs.kind, None);
    assert_eq!(docs.lint().selection.least(Rule::Password), None);
    let standards = (note.lint().standard, note.lint().finder.standard);
    assert_eq!(standards, (Standard::Rfc3987, Standard::Rfc3987));
}

#[test]
fn mistakes_say_where_and_what() {
    let names = Keys::names().join("`, `");
    let whatever = format!("unknown key `whatever`; expected one of `{names}`");
    let cases: &[(&str, &str, &str)] = &[
        (
            "selct = 1",
            "selct",
            "unknown key `selct`; did you mean `select`?",
        ),
        (
            "skip_code = true",
            "skip_code",
            "unknown key `skip_code`; did you mean `skip-code`?",
        ),
        ("whatever = 1", "whatever", &whatever),
        (
            "deep = true\nwhatever = 1\nanother = 1",
            "whatever",
            &whatever,
        ),
        (
            "deep = 1",
            "1",
            "`deep`: invalid type: integer `1`, expected a boolean",
        ),
        (
            "rejoin = true\ndeep = 1",
            "true",
            "`rejoin`: invalid type: boolean `true`, expected a string",
        ),
        (
            "rejoin = true",
            "true",
            "`rejoin`: invalid type: boolean `true`, expected a string",
        ),
        (
            "rejoin = 'nevr'",
            "'nevr'",
            "`rejoin`: unknown value `nevr`; did you mean `never`?",
        ),
        (
            "hyphen = 'burn'",
            "'burn'",
            "`hyphen`: unknown value `burn`; expected one of `auto`, `keep`, `drop`",
        ),
        (
            "select = 'style'",
            "'style'",
            "`select`: invalid type: string \"style\", expected a sequence: `['style']`",
        ),
        (
            "[tool.urlint]\ndeep = true",
            "tool",
            "`[tool.urlint]` is for pyproject.toml; here, its keys stand alone",
        ),
        (
            "[url-rules.x]\nmessage = 'm'\nregex = '('",
            "[url-rules.x]",
            "`url-rules`: `regex`: unclosed group",
        ),
        (
            "select = ['style', 1.5]",
            "1.5",
            "`select`: invalid type: floating point `1.5`, expected a string",
        ),
        (
            "ignore = ['style', 'sintax']",
            "'sintax'",
            "`ignore`: unknown rule or group `sintax`; did you mean `syntax`?",
        ),
        (
            "ignore = ['all']",
            "'all'",
            "`ignore`: unknown rule or group `all`; did you mean `ALL`?",
        ),
        (
            "severity = { bad-prt = 'hint' }",
            "bad-prt",
            "`severity`: unknown rule or group `bad-prt`; did you mean `bad-port`?",
        ),
        (
            "severity = { bad-port = 'of' }",
            "'of'",
            "`severity`: unknown value `of`; did you mean `off`?",
        ),
        (
            "severity = []",
            "[]",
            "`severity`: invalid type: sequence, expected a map",
        ),
        (
            "types = { '*.x' = 'html5' }",
            "'html5'",
            "`types`: unknown value `html5`; did you mean `html`?",
        ),
        (
            "types = { '!x' = 'html' }",
            "'!x'",
            "`types`: `!` has no meaning before the pattern `!x`",
        ),
        (
            "exclude = ['']",
            "''",
            "`exclude`: `` is not a pattern of paths: it matches nothing",
        ),
        (
            "per-file-ignores = { x = 1979-05-27 }",
            "1979-05-27",
            "`per-file-ignores`: invalid type: map, expected a sequence",
        ),
        (
            "ignore-urls = ['x', { regex = '[' }]",
            "{ regex = '[' }",
            "`ignore-urls`: invalid regular expression: unclosed character class",
        ),
        (
            "url-rules.a = { host = 'x', message = 'm', examples.bad = ['http://y/'] }",
            "{ host = 'x', message = 'm', examples.bad = ['http://y/'] }",
            "`url-rules`: the bad example `http://y/` is not reported",
        ),
        (
            "url-rules.a = { hosst = 'x', message = 'm' }",
            "hosst",
            "`url-rules`: unknown field `hosst`, expected one of `host`, `path`, `regex`, `component`, `message`, \
             `severity`, `replace`, `safe`, `allow`, `references`, `files`, `examples`",
        ),
        (
            "url-rules.'a b' = { host = 'x', message = 'm' }",
            "'a b'",
            "`url-rules`: `a b` is not a rule name; expected letters, digits, `-` and `_`",
        ),
        (
            "ignore-urls = [{}]",
            "{}",
            "`ignore-urls`: expected a URL or `{ regex = \"...\" }`",
        ),
        (
            "ignore-urls = [{ glob = 'x' }]",
            "{ glob = 'x' }",
            "`ignore-urls`: expected a URL or `{ regex = \"...\" }`",
        ),
        (
            "schemes = ['a:']",
            "'a:'",
            "`schemes`: `a:` is not a scheme; expected letters, digits, `+`, `-` and `.`, without a colon",
        ),
        (
            "output-format = ['full', 'x=y']",
            "['full', 'x=y']",
            "`output-format`: `x=y` is not an output format; expected one of full, concise, json, \
             json-lines, sarif, github, gitlab, junit",
        ),
        (
            "output-format = 'rdjson'",
            "'rdjson'",
            "`output-format`: `rdjson` is not an output format; reviewdog reads `sarif`: `reviewdog -f=sarif`",
        ),
        (
            "output-format = 1",
            "1",
            "`output-format`: expected an output format, or a list of output formats",
        ),
        ("extend = ''", "''", "expected a path"),
        ("baseline = ''", "''", "expected a path"),
        ("deep = true\ndeep = true", "deep", "duplicate key"),
        ("deep", "", "key with no value, expected `=`"),
        (
            "rejoin = never",
            "never",
            "strings must be quoted: `\"never\"`",
        ),
        (
            "rejoin = judged",
            "judged",
            "strings must be quoted: `\"judged\"`",
        ),
        (
            "deep = ",
            "",
            "string values must be quoted, expected literal string",
        ),
    ];
    for &(text, marked, message) in cases {
        let Err(mistake) = parse(text, false, &source()) else {
            panic!("{text}");
        };
        assert_eq!(&text[mistake.span.clone()], marked, "{text}");
        assert_eq!(mistake.message, message, "{text}");
    }
}

#[test]
fn a_pyproject_may_say_nothing() {
    let cases = [
        ("[tool.other]\nx = 1", Ok(false)),
        ("[tool]\nurlint = 1", Err("expected a table")),
        ("[tool.urlint]\ndeep = true", Ok(true)),
        (
            "[tool.urlint]\ndeep = 1",
            Err("`deep`: invalid type: integer `1`, expected a boolean"),
        ),
        (
            "[tool.urlint]\ndep = true",
            Err("unknown key `dep`; did you mean `deep`?"),
        ),
        (
            "[tool.urlint]\ndeep = true\n[broken\n",
            Err("unclosed table, expected `]`"),
        ),
        ("tool = 1", Ok(false)),
        ("", Ok(false)),
        ("[broken\n", Ok(false)),
    ];
    for (text, expected) in cases {
        let read = parse(text, true, &source());
        let read = read.map(|parsed| parsed.is_some());
        assert_eq!(
            read.map_err(|mistake| mistake.message),
            expected.map_err(str::to_owned),
            "{text}"
        );
    }
}

#[test]
fn selections_by_rule_and_group() {
    let (style, broken) = (Rule::NotNormal, Rule::BrokenUrl);
    let cases: &[(&str, Rule, Option<Severity>)] = &[
        ("", style, None),
        ("", broken, Some(Severity::Warning)),
        ("extend-select = ['style']", style, Some(Severity::Hint)),
        ("select = ['syntax']", broken, None),
        ("select = []", Rule::BadPort, None),
        (
            "severity = { not-normal = 'error' }",
            style,
            Some(Severity::Hint),
        ),
        (
            "severity = { broken-url = 'hint' }",
            broken,
            Some(Severity::Hint),
        ),
        (
            "severity = { not-normal = 'error' }\nselect = ['syntax']",
            style,
            None,
        ),
        (
            "severity = { not-normal = 'error' }\nignore = ['style']",
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
        assert_eq!(settings(text).lint().selection.least(rule), least, "{text}");
    }
}

#[test]
fn later_layers_win() {
    let all = [
        "ignore = ['bad-port']\ndeep = true\nrejoin = 'never'\ntypes = { '*.a' = 'html', '*.b' = 'tex' }",
        "extend-select = ['bad-port']\ndeep = false\ntypes = { '*.a' = 'xml' }",
    ];
    let options = all.iter().fold(Options::default(), |base, text| {
        Options::of(read(text).layer).over(&base)
    });
    let settings = std::sync::Arc::new(Resolved::new(options));
    assert!(settings.lint().selection.least(Rule::BadPort).is_some());
    assert!(!settings.depth.deep);
    let kind = |path: &str| settings.for_file(Path::new(path)).kind;
    assert_eq!(kind("/folder/x.a"), Some(Kind::Xml));
    assert_eq!(kind("/folder/x.b"), Some(Kind::Tex));
    let file = settings.for_file(Path::new("/folder/x"));
    assert_eq!(file.lint().finder.rejoin, Rejoin::Never);
}

/// The manual's page about configuration.
fn manual() -> &'static str {
    let mut pages = urlint_manual::PAGES.iter();
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
        // Lines that a copy would trip over are commented out.
        let key = line
            .strip_prefix("# ")
            .and_then(|line| line.split_once(" = "));
        let is_key = key.is_some_and(|(key, _)| Keys::names().contains(&key));
        text.push_str(if is_key { &line[2..] } else { line });
        text.push('\n');
    }
    read(&text);
    let table = DeTable::parse(&text).map(Spanned::into_inner);
    let table = table.unwrap_or_default();
    for key in Keys::names() {
        assert!(table.contains_key(*key), "{key}");
    }
}
