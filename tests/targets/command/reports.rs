//! Reports: a parser of their format reads the reported diagnostics: in JSON, JSON Lines and SARIF whole
//! ones, in the other formats rules and lines.

use std::collections::BTreeMap;
use std::io::Error;

use quick_xml::events::Event as XmlEvent;
use serde_json::Value;
use urlint::config::OutputFormat;
use urlint::document::Kind;
use urlint::lint::{Applicability, Selection, Selector};
use urlint::text::Spans;
use urlint::{Diagnostic, Event, Reader, Settings, Standard};

use urlint_report::excerpt::{FilePart, Place};
use urlint_report::format::report;
use urlint_report::terminal::{Style, is_harmful};
use urlint_report::{PlacedDiagnostic, Report};

/// A name that no format can contain unchanged.
const PATH: &[u8] = b"a \xff\x1b[1m\r\n,:%\"'<&>]]>.txt";

/// The maximum length of a source: each diagnostic is written in each format.
const LONGEST: usize = 4 << 10;

/// The first byte chooses the kind of document for the rest, the second how it is judged and in which
/// formats it is reported: in one, since writing all of them takes long, or in all.
pub(super) fn reports(input: &[u8]) {
    let [kind, how, source @ ..] = input else {
        return;
    };
    if source.len() > LONGEST {
        return;
    }
    let how = usize::from(*how);
    let reader = Reader::default()
        .with_kind(Kind::ALL[usize::from(*kind) % Kind::ALL.len()])
        .with_positions(true);
    let mut selection = Selection::none();
    selection.add(Selector::All);
    let settings = Settings::default()
        .with_standard(Standard::ALL[how % Standard::ALL.len()])
        .with_selection(selection);
    let formats = match OutputFormat::ALL.get(how / 4 % (OutputFormat::ALL.len() + 1)) {
        Some(format) => std::slice::from_ref(format),
        None => OutputFormat::ALL,
    };
    let mut written: Vec<_> = formats.iter().copied().map(Written::new).collect();
    let (mut all, mut places) = (Vec::new(), Vec::new());
    let read = reader.read(b"a", source, &mut |event| {
        let Event::Found(found) = event else {
            return Ok(());
        };
        for diagnostic in urlint::lint::Checker::new(&settings)
            .judge(&found)
            .into_reported()
        {
            let place = Place {
                outer: found.candidate.outer,
                position: found.position.unwrap_or_default(),
                window: found.window,
                part: FilePart {
                    member: (source.len() % 2 == 0).then_some(PATH),
                    message: found.member,
                },
            };
            let placed = PlacedDiagnostic {
                path: PATH,
                place: &place,
                diagnostic: &diagnostic,
                least: Some(Applicability::Unsafe),
            };
            for report in &mut written {
                report.report.report(&mut report.out, &placed).unwrap();
            }
            let line = place.locate(diagnostic.spans.start()).line;
            places.push((diagnostic.rule.name().to_owned(), line));
            all.push(diagnostic);
        }
        Ok::<(), Error>(())
    });
    read.unwrap();
    for report in written {
        report.assert_says(&all, &places);
    }
}

/// A report that is being written.
struct Written {
    format: OutputFormat,
    report: Box<dyn Report>,
    out: Vec<u8>,
}

impl Written {
    fn new(format: OutputFormat) -> Self {
        let report = report(format, Style::default());
        Written {
            format,
            report,
            out: Vec::new(),
        }
    }

    /// Asserts that the report has these diagnostics; `places` are their rules and lines.
    fn assert_says(mut self, all: &[Diagnostic], places: &[(String, u64)]) {
        self.report.finish(&mut self.out).unwrap();
        let text = String::from_utf8(self.out).expect("a report is UTF-8");
        let harmful = text.chars().find(|&c| !"\n\t".contains(c) && is_harmful(c));
        assert_eq!(harmful, None, "{:?}", self.format);
        match self.format {
            OutputFormat::Json => assert_are(&parsed(&text), all),
            OutputFormat::JsonLines => {
                let lines: Vec<_> = text.lines().map(parsed).collect();
                assert_are(&Value::Array(lines), all);
            }
            OutputFormat::Sarif => assert_is_log(&parsed(&text), all),
            OutputFormat::Gitlab => {
                let place = |item: &Value| {
                    in_json(&item["check_name"], &item["location"]["lines"]["begin"])
                };
                assert_at(&parsed(&text), place, places);
            }
            OutputFormat::Junit => {
                let found = elements(&text, "testcase");
                let found = found
                    .iter()
                    .filter(|attributes| attributes.contains_key("line"));
                let rule = |name: &str| name.split(' ').next().unwrap().to_owned();
                let place = |of: &Attributes| (rule(&of["name"]), of["line"].parse().unwrap());
                assert!(found.map(place).eq(places.iter().cloned()));
            }
            OutputFormat::Github => {
                assert_eq!(text.lines().count(), all.len());
                for (shown, (rule, line)) in text.lines().zip(places) {
                    let (command, _) = shown[2..].split_once("::").unwrap();
                    assert!(command.ends_with(&format!(",title={rule}")), "{shown}");
                    assert!(command.contains(&format!(",line={line},")), "{shown}");
                }
            }
            OutputFormat::Concise => {
                assert_eq!(text.lines().count(), all.len());
                for ((shown, own), (rule, line)) in text.lines().zip(all).zip(places) {
                    let severity = own.severity;
                    assert!(shown.contains(&format!(": {severity}[{rule}] ")), "{shown}");
                    assert!(shown.contains(&format!(".txt:{line}:")), "{shown}");
                }
            }
            _ => assert_eq!(text.is_empty(), all.is_empty()),
        }
    }
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).expect("it is JSON")
}

/// Asserts that `items` are at `places`.
#[track_caller]
fn assert_at(items: &Value, place: impl Fn(&Value) -> (String, u64), places: &[(String, u64)]) {
    let items = items.as_array().expect("a report has a list");
    assert!(items.iter().map(place).eq(places.iter().cloned()));
}

fn in_json(rule: &Value, line: &Value) -> (String, u64) {
    (rule.as_str().unwrap().to_owned(), line.as_u64().unwrap())
}

/// The attributes of an XML element.
type Attributes = BTreeMap<String, String>;

/// Returns the attributes of each element named `name` in a well-formed XML document.
fn elements(text: &str, name: &str) -> Vec<Attributes> {
    let mut reader = quick_xml::Reader::from_str(text);
    let mut found = Vec::new();
    loop {
        match reader.read_event().expect("it is XML") {
            XmlEvent::Eof => return found,
            XmlEvent::Start(element) | XmlEvent::Empty(element) => {
                let attributes = element.attributes().map(|attribute| {
                    let attribute = attribute.unwrap();
                    (attribute.key.0.to_owned(), attribute.value.into_owned())
                });
                let attributes: Attributes = attributes.collect();
                if element.name().0 == name {
                    found.push(attributes);
                }
            }
            _ => {}
        }
    }
}

fn pairs(spans: &Spans) -> Value {
    spans
        .iter()
        .map(|span| vec![span.start, span.end])
        .collect()
}

/// Asserts that JSON has these diagnostics.
fn assert_are(list: &Value, all: &[Diagnostic]) {
    let list = list.as_array().unwrap();
    assert_eq!(list.len(), all.len());
    for (read, own) in list.iter().zip(all) {
        assert_eq!(read["rule"], own.rule.name());
        assert_eq!(read["severity"], own.severity.name());
        assert_eq!(read["message"], own.message);
        assert_eq!(read["url"], own.url.clone().unwrap_or_default());
        assert_eq!(read["notes"], Value::from(own.notes.clone()));
        assert_eq!(read["spans"], pairs(&own.spans));
        assert_eq!(read["pieces"], pairs(&own.pieces));
        let Some(fix) = &own.fix else {
            assert!(read["fix"].is_null());
            continue;
        };
        let edits = read["fix"]["edits"].as_array().unwrap();
        assert_eq!(edits.len(), fix.edits.len());
        for (read, own) in edits.iter().zip(&fix.edits) {
            assert_eq!(read["start"], own.span.start);
            assert_eq!(read["end"], own.span.end);
            assert_eq!(read["replacement"], own.replacement);
        }
    }
}

/// Asserts that a log of SARIF has these diagnostics.
fn assert_is_log(log: &Value, all: &[Diagnostic]) {
    let results = log["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), all.len());
    for (read, own) in results.iter().zip(all) {
        assert_eq!(read["ruleId"], own.rule.name());
        let region = &read["locations"][0]["physicalLocation"]["region"];
        let first = own.first_place();
        assert_eq!(region["byteOffset"], first.start);
        assert_eq!(region["byteLength"], first.len());
        let line = |name: &str| region[name].as_u64().unwrap();
        let start = (line("startLine"), line("startColumn"));
        let end = (line("endLine"), line("endColumn"));
        assert!((1, 1) <= start && start <= end);
        let fix = own.fix.as_ref().filter(|fix| !fix.edits.is_empty());
        let fix = fix.filter(|fix| fix.applicability >= Applicability::Unsafe);
        let Some(fix) = fix else {
            assert!(read["fixes"].is_null());
            continue;
        };
        let changes = &read["fixes"][0]["artifactChanges"][0]["replacements"];
        let changes = changes.as_array().unwrap();
        assert_eq!(changes.len(), fix.edits.len());
        for (change, edit) in changes.iter().zip(&fix.edits) {
            assert_eq!(change["deletedRegion"]["byteOffset"], edit.span.start);
            assert_eq!(change["insertedContent"]["text"], edit.replacement);
        }
    }
}
