//! The literate cases of `fixtures/rules/`: one file for each rule.
//!
//! A case is a block of `text` and a block of the `expected` diagnostics of the rule, one
//! `line:column severity[rule] message` for each, with the fix it offers below it:
//!
//! ````text
//! ```text
//! <URL:http://a.example/~joe>
//! ```
//!
//! ```expected
//! 1:23 error[unsafe-character] `~` must be encoded in a URL
//!      fix (safe): encode it: `%7E`
//! ```
//! ````
//!
//! The name of a standard after `text` or `url`, as in `text rfc3986`, says by which to judge; `text
//! markdown` is a document of Markdown. A block of `toml` is a configuration, for the rules of one's own.
//!
//! A block of `url` is no text to look for URLs in, but a URL, as `urlint parse` takes it.
//!
//! A block that begins with `text escaped` has `\xE9` for bytes, `\u{200B}` for characters and
//! `\r{x 100}` for a text a hundred times.
//! `SNAPSHOTS=overwrite cargo test --test it rules` writes the present diagnostics.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use urlint::lint::{Fix, Selection, Selector, UrlRule};
use urlint::standard::Standard;
use urlint::{Candidate, Diagnostic, Event, Reader, Rule, Settings};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/rules")
}

#[test]
fn every_rule_has_a_fixture_and_every_fixture_a_rule() {
    let rules: BTreeSet<_> = Rule::ALL.iter().map(|rule| format!("{rule}.md")).collect();
    let files: BTreeSet<_> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let missing: Vec<_> = rules.difference(&files).collect();
    let stale: Vec<_> = files.difference(&rules).collect();
    assert!(missing.is_empty(), "rules without a fixture: {missing:?}");
    assert!(stale.is_empty(), "fixtures without a rule: {stale:?}");
}

#[test]
fn rules_say_what_their_fixtures_expect() {
    let overwrite = std::env::var("SNAPSHOTS").is_ok_and(|value| value == "overwrite");
    let mut wrong = String::new();
    for &rule in Rule::ALL {
        let path = folder().join(format!("{rule}.md"));
        let Ok(fixture) = std::fs::read_to_string(&path) else {
            continue;
        };
        let now = with_expectations(rule, &fixture);
        if overwrite {
            std::fs::write(&path, &now).unwrap();
        } else if now != fixture {
            writeln!(wrong, "{}:\n{}", path.display(), difference(&fixture, &now)).unwrap();
        }
        let faults = [
            (!fixture.starts_with(&format!("# {rule}\n")), "no heading"),
            (!now.contains(&format!("[{rule}]")), "no case that reports"),
            (!now.contains("```expected\n```"), "no case that does not"),
        ];
        for (_, fault) in faults.iter().filter(|(wrong, _)| *wrong) {
            writeln!(wrong, "{}: {fault}", path.display()).unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Returns the fixture with the present diagnostics of the rule in its blocks of expectations.
fn with_expectations(rule: Rule, fixture: &str) -> String {
    let mut now = String::new();
    let mut source: Option<Source> = None;
    let mut own = Settings::default();
    let mut lines = fixture.lines();
    while let Some(line) = lines.next() {
        now.push_str(line);
        now.push('\n');
        let Some(info) = line.strip_prefix("```") else {
            continue;
        };
        let block: Vec<_> = lines.by_ref().take_while(|line| *line != "```").collect();
        let text = block
            .iter()
            .map(|line| format!("{line}\n"))
            .collect::<String>();
        if info == "expected" {
            let source = source.take().unwrap_or_else(|| panic!("{rule}: no text"));
            now.push_str(&said(rule, &source, &own));
            now.push_str("```\n");
            continue;
        }
        if info == "toml" {
            own = own.with_url_rules(url_rules(&text));
        } else {
            source = Some(Source::of(info, &text));
        }
        now.push_str(&text);
        now.push_str("```\n");
    }
    assert!(source.is_none(), "{rule}: a text without expectations");
    now
}

/// The rules of one's own in a configuration.
fn url_rules(toml: &str) -> Vec<UrlRule> {
    let source = urlint::config::Source::new("a block", Path::new("/"));
    let options = urlint::config::Options::from_toml(toml, &source).unwrap();
    options.resolve().lint().url_rules.to_vec()
}

/// A block with expected diagnostics.
struct Source {
    bytes: Vec<u8>,
    is_url: bool,
    /// The name of the document, if it is not plain text.
    name: Option<&'static [u8]>,
    standard: Standard,
}

impl Source {
    /// The `text` of a block with this `info`.
    fn of(info: &str, text: &str) -> Source {
        let mut source = Source {
            bytes: text.into(),
            is_url: false,
            name: None,
            standard: Standard::default(),
        };
        for word in info.split(' ') {
            match word {
                "text" => {}
                "escaped" => source.bytes = unescape(text),
                "url" => {
                    source.bytes = text.trim_end().into();
                    source.is_url = true;
                }
                "markdown" => source.name = Some(b"a.md"),
                "html" => source.name = Some(b"a.html"),
                "xml" => source.name = Some(b"a.xml"),
                "mail" => source.name = Some(b"a.eml"),
                "rst" => source.name = Some(b"a.rst"),
                "asciidoc" => source.name = Some(b"a.adoc"),
                "po" => source.name = Some(b"a.po"),
                "mediawiki" => source.name = Some(b"a.mediawiki"),
                "yaml" => source.name = Some(b"a.yaml"),
                "python" => source.name = Some(b"a.py"),
                "json" => source.name = Some(b"a.json"),
                name => source.standard = Standard::from_name(name).unwrap(),
            }
        }
        source
    }
}

/// Returns the diagnostics of `rule` in `source` if every rule is selected.
fn said(rule: Rule, source: &Source, own: &Settings) -> String {
    let mut selection = Selection::none();
    selection.add(Selector::All);
    let settings = own.clone().with_standard(source.standard);
    let settings = settings.with_selection(selection);
    let diagnostics = match source {
        Source { is_url: true, .. } => {
            urlint::lint::lint(&Candidate::whole(&source.bytes), &settings)
        }
        Source {
            name: Some(name), ..
        } => in_document(name, &source.bytes, &settings),
        _ => urlint::check(&source.bytes, &settings),
    };
    let source = &source.bytes;
    let mut said = String::new();
    for diagnostic in diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.rule == rule)
    {
        well_formed(diagnostic);
        let place = place(source, diagnostic.spans.start() as usize);
        let Diagnostic {
            severity, message, ..
        } = diagnostic;
        writeln!(said, "{place} {severity}[{rule}] {message}").unwrap();
        let indent = " ".repeat(place.len());
        for other in &diagnostic.alternatives {
            writeln!(said, "{indent} or: {other}").unwrap();
        }
        for note in &diagnostic.notes {
            writeln!(said, "{indent} note: {note}").unwrap();
        }
        if let Some(fix) = &diagnostic.fix {
            writeln!(said, "{indent} {}", describe(fix)).unwrap();
        }
    }
    said
}

fn in_document(name: &[u8], source: &[u8], settings: &Settings) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let reader = Reader::default().with_links(true).with_mistakes(true);
    let read = reader.read(name, source, &mut |event| {
        if let Event::Found(found) = event {
            diagnostics.extend(
                urlint::lint::Checker::new(settings)
                    .judge(&found)
                    .into_reported(),
            );
        }
        Ok::<(), std::io::Error>(())
    });
    read.unwrap();
    diagnostics
}

fn describe(fix: &Fix) -> String {
    let applicability = fix.applicability.name();
    let mut text = format!("fix ({applicability}): {}", fix.message);
    let inserted: String = fix.edits.iter().map(|edit| &*edit.replacement).collect();
    if !inserted.is_empty() && !fix.message.contains(&inserted) {
        write!(text, ": `{inserted}`").unwrap();
    }
    text
}

/// Checks the properties that every diagnostic must have.
fn well_formed(diagnostic: &Diagnostic) {
    let texts = [&diagnostic.message, &diagnostic.label]
        .into_iter()
        .chain(&diagnostic.notes);
    for text in texts {
        assert!(!text.chars().any(char::is_control), "{text:?}");
        assert!(!text.is_empty() && !text.ends_with('.'), "{text:?}");
    }
    assert!(diagnostic.severity <= diagnostic.rule.severity());
    let edits = diagnostic.fix.iter().flat_map(|fix| &fix.edits);
    for edit in edits {
        let outer = diagnostic.outer;
        assert!(outer.start <= edit.span.start && edit.span.end <= outer.end);
    }
}

/// Line and column of an offset, the column in code points.
fn place(source: &[u8], offset: usize) -> String {
    let before = String::from_utf8_lossy(&source[..offset]);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap().chars().count() + 1;
    format!("{line}:{column}")
}

fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        let escape = &rest[at + 1..];
        let len = if let Some(digits) = escape.strip_prefix('x') {
            bytes.push(u8::from_str_radix(&digits[..2], 16).unwrap());
            3
        } else if let Some(digits) = escape.strip_prefix("u{") {
            let (digits, _) = digits.split_once('}').unwrap();
            let c = char::from_u32(u32::from_str_radix(digits, 16).unwrap()).unwrap();
            bytes.extend_from_slice(c.to_string().as_bytes());
            digits.len() + 3
        } else if let Some(repeat) = escape.strip_prefix("r{") {
            let (repeat, _) = repeat.split_once('}').unwrap();
            let (part, times) = repeat.split_once(' ').unwrap();
            bytes.extend_from_slice(part.repeat(times.parse().unwrap()).as_bytes());
            repeat.len() + 3
        } else {
            panic!("an escape in {text:?}")
        };
        rest = &escape[len..];
    }
    bytes.extend_from_slice(rest.as_bytes());
    bytes
}

/// The lines that differ.
fn difference(expected: &str, found: &str) -> String {
    let only = |lines: &str, other: &str, mark: char| {
        let other: BTreeSet<_> = other.lines().collect();
        let lines = lines.lines().filter(|line| !other.contains(line));
        lines
            .map(|line| format!("{mark} {line}\n"))
            .collect::<String>()
    };
    only(expected, found, '-') + &only(found, expected, '+')
}
