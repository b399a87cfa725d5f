use proptest::prelude::*;
use snapbox::{assert_data_eq, str};
use urlint_lint::{Applicability, Edit, Fix};
use urlint_lint::{Rule, Severity};
use urlint_standard::text::{Position, Spans, Window};

use super::*;
use crate::terminal::Style;
use urlint_standard::Span;
use urlint_testing::tries;

const BROKEN: &str = "Lagoze, Carl. \"Starts\",
       Search, January 1997, <URL:http://www-
       db.stanford.edu/~gravano/starts.html>
";

fn span_of(text: &str, part: &str) -> Span {
    let start = text.find(part).unwrap_or(text.len());
    Span::new(start as u64, (start + part.len()) as u64)
}

fn spans_of(text: &str, parts: &[&str]) -> Spans {
    let mut spans = Spans::from(span_of(text, parts[0]));
    for part in &parts[1..] {
        spans.push(span_of(text, part));
    }
    spans
}

fn diagnostic(text: &str, pieces: &[&str], wrong: &[&str]) -> Diagnostic {
    let message = "`~` must be encoded in a URL";
    let spans = spans_of(text, wrong);
    let mut diagnostic = Diagnostic::new(Rule::UnsafeCharacter, spans, message);
    diagnostic.label = "unsafe".into();
    diagnostic.url = Some(pieces.concat());
    diagnostic.pieces = spans_of(text, pieces);
    diagnostic.outer = Span::new(diagnostic.pieces.start(), diagnostic.pieces.end());
    diagnostic
}

fn fix(message: &str, edits: &[(Span, &str)]) -> Option<Fix> {
    let edit = |&(span, replacement): &(Span, &str)| Edit::new(span, replacement);
    let edits = edits.iter().map(edit).collect();
    Some(Fix::new(message, Applicability::Safe, edits))
}

fn render(report: &mut dyn Report, text: &[u8], diagnostic: &Diagnostic) -> String {
    let window = Window {
        start: 0,
        bytes: text,
    };
    let start = Place {
        outer: Span::default(),
        position: Position { line: 1, column: 1 },
        window,
        part: Default::default(),
    };
    let place = Place {
        outer: diagnostic.outer,
        position: start.locate(diagnostic.outer.start),
        ..start
    };
    let mut out = Vec::new();
    let written = report.report(
        &mut out,
        &PlacedDiagnostic {
            path: b"notes.txt",
            place: &place,
            diagnostic,
            least: Some(urlint_lint::Applicability::Unsafe),
        },
    );
    assert!(written.is_ok());
    String::from_utf8_lossy(&out).into_owned()
}

fn full(text: &str, diagnostic: &Diagnostic) -> String {
    render(
        &mut full::Full::new(Style::default()),
        text.as_bytes(),
        diagnostic,
    )
}

#[test]
fn a_broken_url() {
    let mut wrong = diagnostic(
        BROKEN,
        &["http://www-", "db.stanford.edu/~gravano/starts.html"],
        &["~"],
    );
    wrong.url = Some("http://www-db.stanford.edu/~gravano/starts.html".into());
    wrong.fix = fix("encode it", &[(span_of(BROKEN, "~"), "%7E")]);
    assert_data_eq!(
        full(BROKEN, &wrong),
        str![[r#"
error[unsafe-character]: `~` must be encoded in a URL
 --> notes.txt:3:24
  |
2 |        Search, January 1997, <URL:http://www-
  |                                   ----------- the URL starts here
3 |        db.stanford.edu/~gravano/starts.html>
  |                        ^ unsafe (RFC 1738, section 2.2)
  |
  = note: read as http://www-db.stanford.edu/~gravano/starts.html
help: encode it (`--fix`)
  |
3 -        db.stanford.edu/~gravano/starts.html>
3 +        db.stanford.edu/%7Egravano/starts.html>
  |

"#]]
    );
}

#[test]
fn both_readings() {
    let mut wrong = diagnostic(
        BROKEN,
        &["http://www-", "db.stanford.edu/~gravano/starts.html"],
        &["-"],
    );
    wrong.url = Some("http://www-db.stanford.edu/".into());
    wrong.alternatives = vec!["http://wwwdb.stanford.edu/".into()];
    wrong.severity = Severity::Hint;
    wrong.label = String::new();
    wrong.notes = vec!["a note".into()];
    assert_data_eq!(
        full(BROKEN, &wrong),
        str![[r#"
hint[unsafe-character]: `~` must be encoded in a URL
 --> notes.txt:2:45
  |
2 |        Search, January 1997, <URL:http://www-
  |                                             ^
3 |        db.stanford.edu/~gravano/starts.html>
  |        ------------------------------------ and goes on here
  |
  = note: read as http://www-db.stanford.edu/
  = note: or as http://wwwdb.stanford.edu/
  = note: a note
  = note: RFC 1738, section 2.2

"#]]
    );
}

#[test]
fn a_page_break() {
    let text = "see <URL:http://a.example/\n\n\n\nSmith    [Page 7]\n\x0c\nRFC 9999   July 2026\n\n\n   rest>\n";
    let wrong = diagnostic(
        text,
        &["http://a.example/", "rest"],
        &["http://a.example/", "rest"],
    );
    assert_data_eq!(
        full(text, &wrong),
        str![[r#"
error[unsafe-character]: `~` must be encoded in a URL
  --> notes.txt:1:10
   |
 1 | see <URL:http://a.example/
   |          ^^^^^^^^^^^^^^^^^ unsafe (RFC 1738, section 2.2)
...
10 |    rest>
   |    ^^^^
   |
   = note: read as http://a.example/rest

"#]]
    );
}

#[test]
fn a_long_url_is_not_said_to_be_read_otherwise() {
    let url = format!("http://a.example/~{}", "x".repeat(3_000));
    let mut long = diagnostic(&url, &[&url], &["~"]);
    long.url = Some(format!("{}…(3,018 bytes)", &url[..1_000]));
    assert!(!full(&url, &long).contains("read as"));
    long.url = Some(format!("{}…(3,018 bytes)", &url[1..1_000]));
    assert!(full(&url, &long).contains("read as"));
}

#[test]
fn a_url_in_many_pieces() {
    let lines: Vec<_> = (0..33).map(|n| format!("part{n:02}")).collect();
    let text = format!("<URL:http://\n{}>", lines.join("\n"));
    let parts: Vec<_> = lines.iter().map(String::as_str).collect();
    let wrong = diagnostic(&text, &parts, &parts);
    assert_data_eq!(
        full(&text, &wrong),
        str![[r#"
error[unsafe-character]: `~` must be encoded in a URL
  --> notes.txt:2:1
   |
 2 | part00
   | ^^^^^^ unsafe (RFC 1738, section 2.2)
 3 | part01
   | ^^^^^^
 4 | part02
   | ^^^^^^
 5 | part03
   | ^^^^^^
 6 | part04
   | ^^^^^^
 7 | part05
   | ^^^^^^
 8 | part06
   | ^^^^^^
...
34 | part32>
   | ^^^^^^
   |
   = note: read as part00part01part02part03part04part05part06part07part08part09part10part11part12pa…(198 bytes)

"#]]
    );
}

#[test]
fn joining_as_a_fix() {
    let text = "(http://a.example/dir/\n   file.html)\n";
    let mut wrong = diagnostic(text, &["http://a.example/dir/"], &["dir/"]);
    wrong.outer.end = text.len() as u64;
    wrong.fix = fix("join it", &[(span_of(text, "\n   "), "")]);
    assert_data_eq!(
        full(text, &wrong),
        str![[r#"
error[unsafe-character]: `~` must be encoded in a URL
 --> notes.txt:1:19
  |
1 | (http://a.example/dir/
  |                   ^^^^ unsafe (RFC 1738, section 2.2)
  |
help: join it (`--fix`)
  |
1 | (http://a.example/dir/file.html)
  |

"#]]
    );
}

#[test]
fn passwords_are_hidden() {
    let text = "<URL:ftp://joe:se~cret@a.example/~x> and <ftp://sue:secret@b.example/>\n";
    let mut wrong = diagnostic(text, &["ftp://joe:se~cret@a.example/~x"], &["~"]);
    wrong.fix = fix("encode it", &[(span_of(text, "~"), "%7E")]);
    wrong.password = Some(span_of(text, "se~cret").into());
    let shown = full(text, &wrong);
    assert!(!shown.contains("cret"), "{shown}");
    assert_data_eq!(
        shown,
        str![[r#"
error[unsafe-character]: `~` must be encoded in a URL
 --> notes.txt:1:18
  |
1 | <URL:ftp://joe:***@a.example/~x> and <ftp://sue:***@b.example/>
  |                ^^^ unsafe (RFC 1738, section 2.2)
  |
help: encode it (`--fix`)

"#]]
    );
}

#[test]
fn the_place_of_a_cropped_line_is_true() {
    let text = format!(
        "{} http://a.example/~x {}\n",
        "é ".repeat(400),
        "y ".repeat(400)
    );
    let wrong = diagnostic(&text, &["http://a.example/~x"], &["~"]);
    assert_data_eq!(
        full(&text, &wrong),
        str![[r#"
error[unsafe-character]: `~` must be encoded in a URL
 --> notes.txt:1:819
  |
1 | …é é é é é é é é é é é é é é é é é é é é é é é é é é é é é é é é é  http://a.example/~x y y y y y y y y y y y y y y y y y y y y y y y...
  |                                                                                      ^ unsafe (RFC 1738, section 2.2)

"#]]
    );
}

#[test]
fn other_formats() {
    let mut wrong = diagnostic(
        BROKEN,
        &["http://www-", "db.stanford.edu/~gravano/starts.html"],
        &["~"],
    );
    wrong.url = Some("http://www-db.stanford.edu/~gravano/starts.html".into());
    wrong.fix = fix("encode it", &[(span_of(BROKEN, "~"), "%7E")]);
    let text = BROKEN.as_bytes();
    assert_data_eq!(
        render(&mut concise::line, text, &wrong),
        str![[r#"
notes.txt:3:24: error[unsafe-character] `~` must be encoded in a URL

"#]]
    );
    assert_data_eq!(
        render(&mut json_lines::line, text, &wrong),
        str![[r#"
{"path":"notes.txt","member":null,"rule":"unsafe-character","severity":"error","message":"`~` must be encoded in a URL","url":"http://www-db.stanford.edu/~gravano/starts.html","start":93,"end":94,"line":3,"column":24,"end_line":3,"end_column":25,"spans":[[93,94]],"pieces":[[58,69],[77,113]],"notes":[],"alternatives":[],"fix":{"message":"encode it","applicability":"safe","edits":[{"start":93,"end":94,"replacement":"%7E"}]},"standard":"rfc1738","reference":"RFC 1738, section 2.2"}

"#]]
    );
}

proptest! {
    #![proptest_config(tries(256))]

    #[test]
    fn any_diagnostic_can_be_drawn(
        text in proptest::collection::vec(prop_oneof![Just(b'\n'), Just(b'\r'), Just(b'\t'), b' '..=b'~', any::<u8>()], 0..300),
        spans in proptest::collection::vec((0..310u64, 0..40u64), 4),
        replacement in "[a-z\n\u{e9}]{0,5}",
    ) {
        let spans: Vec<_> = spans.iter().map(|&(start, len)| Span::new(start, start + len)).collect();
        let mut wrong = diagnostic("", &[""], &[""]);
        wrong.spans = spans[0].into();
        wrong.spans.push(spans[1]);
        wrong.pieces = spans[1].into();
        wrong.outer = Span::new(spans[1].start.min(300), spans[1].end.min(300));
        let mut edits = vec![(spans[2], replacement.as_str())];
        if spans[3].start >= spans[2].end {
            edits.push((spans[3], ""));
        }
        wrong.fix = fix("mend it", &edits);
        wrong.password = Some(spans[3].into());
        let style = Style {
            color: true,
            width: Some(40),
            hyperlinks: false,
        };
        render(&mut full::Full::new(style), &text, &wrong);
    }
}
