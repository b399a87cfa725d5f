//! Inputs cannot break out of the output: no input makes a second record of one, a command for a
//! terminal, a CI server or a shell, or a document that its readers refuse.

#[cfg(all(feature = "pdf", target_os = "linux"))]
mod pdfs;
mod readers;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::Value;
use urlint::url::password::redacted;

use crate::support::command::{FORMATS, Folder, Ran, run, urlint};
use crate::support::hostile::{Hostile, PAYLOADS, in_utf8};
use readers::{Command, Element, assert_tame, elements, patched, rows};

/// Text as formats for people show it: symbols for control characters, U+FFFD for characters that control
/// the direction of the text.
fn shown(text: &str) -> String {
    let symbol = |c: char| match c {
        '\0'..='\x1f' => char::from_u32(0x2400 + u32::from(c)).unwrap(),
        '\x7f' => '\u{2421}',
        '\u{80}'..='\u{9f}' | '\u{61c}' | '\u{200e}' | '\u{200f}' => '\u{fffd}',
        '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        c => c,
    };
    text.chars().map(symbol).collect()
}

/// A line as formats for people show it, where CI servers look for commands.
fn shown_line(text: &str) -> String {
    let mut line = shown(text);
    let start = line.len() - line.trim_start().len();
    if line[start..].starts_with("::") {
        line.replace_range(start..=start, "\u{a789}");
    }
    let mut at = 0;
    while let Some(found) = line[at..].find("##") {
        let second = at + found + 1;
        let word = line[second + 1..].trim_start_matches(|c: char| c.is_ascii_alphabetic());
        if word.starts_with('[') {
            line.replace_range(second..=second, "\u{2317}");
        }
        at = second;
    }
    line
}

fn text<'v>(value: &'v Value, pointer: &str) -> &'v str {
    let found = value.pointer(pointer).and_then(Value::as_str);
    found.unwrap_or_else(|| panic!("{pointer} of {value}"))
}

/// The message of a diagnostic and the URL, as formats without source lines have them.
fn message(record: &Value) -> String {
    let (message, url) = (text(record, "/message"), text(record, "/url"));
    assert!(!message.contains('\n'));
    let named = message.contains(url) || record["url"] == "";
    if named {
        message.to_owned()
    } else {
        format!("{message}: {url}")
    }
}

/// The path of a diagnostic, with the member if there is one.
fn place(record: &Value) -> String {
    match record["member"].as_str() {
        Some(member) => format!("{}!{member}", text(record, "/path")),
        None => text(record, "/path").to_owned(),
    }
}

/// The reports of a run in all formats.
struct Reports(BTreeMap<&'static str, String>);

impl Reports {
    fn new(hostile: &Hostile, flags: &[&str]) -> Self {
        let out = Folder::new();
        let files = FORMATS.map(|format| format!("{format}={}", out.path().join(format).display()));
        let mut args = vec![
            "check",
            "--select",
            "ALL",
            "--verbose",
            "--hidden",
            "--archives",
        ];
        for file in &files {
            args.extend(["--output-format", file]);
        }
        let ran = run(hostile.folder.path(), &[&args, flags].concat(), b"");
        assert_eq!(ran.code, Some(1), "{}", ran.stderr);
        assert_tame("messages", ran.stderr.as_bytes());
        Reports(
            FORMATS
                .iter()
                .map(|&format| (format, out.read(format)))
                .collect(),
        )
    }

    fn json(&self, format: &str) -> Value {
        serde_json::from_str(&self.0[format]).unwrap()
    }
}

#[test]
fn each_format_of_check_has_the_same_records() {
    let hostile = Hostile::new();
    let reports = Reports::new(&hostile, &[]);
    for (format, report) in &reports.0 {
        if *format == "github" {
            // Each line is a command, so its `::` is removed. In a line that begins with `::`, the runner
            // looks for nothing else, so that `##[` there is text.
            let lines = report.lines().map(|line| line.strip_prefix("::").unwrap());
            let lines = lines.collect::<Vec<_>>().join("\n").replace("##", "#");
            assert_tame(format, lines.as_bytes());
        } else {
            assert_tame(format, report.as_bytes());
        }
    }
    let json = reports.json("json");
    let records = json.as_array().unwrap();
    json_has_what_was_put_in(&hostile, records);

    let lines = reports.0["json-lines"]
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    assert!(lines.collect::<Vec<Value>>() == *records);
    concise(&reports.0["concise"], records);
    full(&reports.0["full"], records);
    github(&reports.0["github"], records);
    gitlab(&reports.json("gitlab"), records);
    sarif(&reports.json("sarif"), records);
    junit(&elements(&reports.0["junit"]), records);
}

/// Each input is reported under its name, and each URL is the one in its source, without a possible
/// password.
fn json_has_what_was_put_in(hostile: &Hostile, records: &[Value]) {
    let mut texts = hostile.texts();
    let mut compared = 0;
    for record in records {
        let member = record["member"].as_str().map(str::to_owned);
        let name = (text(record, "/path").to_owned(), member);
        let Some(source) = texts.get(&name) else {
            panic!("{name:?}");
        };
        let pieces = record["pieces"].as_array().unwrap();
        let is_plain = name.0.ends_with(".txt") || name.1.is_some();
        let is_named = record["url"] != "";
        if let ([piece], true, true) = (&pieces[..], is_plain, is_named) {
            let [start, end] =
                [0, 1].map(|side| usize::try_from(piece[side].as_u64().unwrap()).unwrap());
            let url = redacted(&source[start..end]);
            let url = String::from_utf8_lossy(&url);
            if !url.contains(char::is_whitespace) {
                assert_eq!(text(record, "/url"), url);
                compared += 1;
            }
        }
    }
    assert!(compared > 200, "{compared}");
    for record in records {
        let member = record["member"].as_str().map(str::to_owned);
        texts.remove(&(text(record, "/path").to_owned(), member));
    }
    // A file that has a NUL, or the byte order mark of UTF-16, is taken for binary.
    texts.retain(|(path, _), _| !path.starts_with("nul-") && path != "invalid-line.txt");
    let left: Vec<_> = texts
        .keys()
        .map(|(path, member)| format!("{path:?} {member:?}"))
        .collect();
    assert_eq!(left, Vec::<String>::new());
}

fn concise(report: &str, records: &[Value]) {
    let expected = records.iter().map(|record| {
        shown_line(&format!(
            "{}:{}:{}: {}[{}] {}",
            place(record),
            record["line"],
            record["column"],
            text(record, "/severity"),
            text(record, "/rule"),
            text(record, "/message"),
        ))
    });
    assert_eq!(report, expected.map(|line| line + "\n").collect::<String>());
}

fn full(report: &str, records: &[Value]) {
    let (mut lines, mut heads) = (report.lines().peekable(), 0);
    let mut records = records.iter();
    while let Some(line) = lines.next() {
        if !line.starts_with(['e', 'w', 'h']) || line.starts_with("help: ") {
            continue;
        }
        let record = records.next().unwrap();
        let (severity, rule) = (text(record, "/severity"), text(record, "/rule"));
        let message = text(record, "/message");
        assert_eq!(line, shown_line(&format!("{severity}[{rule}]: {message}")));
        let (name, line, column) = (place(record), &record["line"], &record["column"]);
        let place = lines.next().unwrap().trim_start();
        assert_eq!(place, shown_line(&format!("--> {name}:{line}:{column}")));
        heads += 1;
    }
    assert!(records.next().is_none() && heads > 0);
}

fn github(report: &str, records: &[Value]) {
    assert_eq!(report.lines().count(), records.len());
    for (line, record) in report.lines().zip(records) {
        let command = Command::of(line);
        let expected = match text(record, "/severity") {
            "hint" => "notice",
            severity => severity,
        };
        assert_eq!(command.name, expected);
        assert_eq!(command.property("file"), shown(text(record, "/path")));
        assert_eq!(command.property("line"), record["line"].to_string());
        assert_eq!(command.property("title"), text(record, "/rule"));
        let notes = record["notes"].as_array().unwrap().iter();
        let notes = notes.map(|note| shown(note.as_str().unwrap()));
        let data = [shown(&message(record))].into_iter().chain(notes);
        assert_eq!(command.data, data.collect::<Vec<_>>().join("\n"));
    }
}

fn gitlab(report: &Value, records: &[Value]) {
    let report = report.as_array().unwrap();
    assert_eq!(report.len(), records.len());
    for (violation, record) in report.iter().zip(records) {
        assert_eq!(text(violation, "/check_name"), text(record, "/rule"));
        assert_eq!(text(violation, "/location/path"), text(record, "/path"));
        assert_eq!(violation["location"]["lines"]["begin"], record["line"]);
        assert_eq!(text(violation, "/description"), message(record));
    }
}

fn sarif(report: &Value, records: &[Value]) {
    let results = report["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), records.len());
    for (result, record) in results.iter().zip(records) {
        assert_eq!(text(result, "/ruleId"), text(record, "/rule"));
        assert_eq!(text(result, "/properties/url"), text(record, "/url"));
        let location = &result["locations"][0];
        let uri = text(location, "/physicalLocation/artifactLocation/uri");
        assert!(uri.bytes().all(|byte| byte.is_ascii_graphic()), "{uri}");
        let path = in_utf8(&percent_decoded(uri));
        assert_eq!(path, text(record, "/path"));
        let member = location.pointer("/logicalLocations/0/name");
        assert_eq!(
            member.and_then(Value::as_str),
            record["member"].as_str().map(shown).as_deref()
        );
        let notes = record["notes"].as_array().unwrap().iter();
        let notes = notes.map(|note| shown(note.as_str().unwrap()));
        let lines = [shown(text(record, "/message"))].into_iter().chain(notes);
        let lines = lines.collect::<Vec<_>>().join("\n");
        assert_eq!(text(result, "/message/text"), lines.replace("](", "\\]("));
    }
}

fn percent_decoded(text: &str) -> Vec<u8> {
    let mut parts = text.split('%');
    let mut bytes = parts.next().unwrap().as_bytes().to_vec();
    for part in parts {
        bytes.push(u8::from_str_radix(&part[..2], 16).unwrap());
        bytes.extend_from_slice(&part.as_bytes()[2..]);
    }
    bytes
}

/// Text as XML has it, which allows two characters less.
fn in_xml(text: &str) -> String {
    shown(text).replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}

fn junit(report: &[Element], records: &[Value]) {
    let mut left = records.iter();
    let mut case = None;
    let mut suite = "";
    for element in report {
        match &*element.name {
            "testsuite" => suite = element.attribute("name"),
            "testcase" => {
                assert_eq!(element.attribute("file"), suite);
                case = Some(element);
            }
            "failure" => {
                let (record, case) = (left.next().unwrap(), case.take().unwrap());
                let (path, line, column) =
                    (text(record, "/path"), &record["line"], &record["column"]);
                assert_eq!(suite, in_xml(path));
                let name = format!("{} at {line}:{column}", text(record, "/rule"));
                assert_eq!(case.attribute("name"), name);
                assert_eq!(element.attribute("message"), in_xml(&message(record)));
                let head = in_xml(&format!("{path}:{line}:{column}: {}", message(record)));
                assert_eq!(element.text.lines().next(), Some(&*head));
            }
            "testsuites" | "properties" | "property" => {}
            other => panic!("{other}"),
        }
    }
    assert!(left.next().is_none());
}

/// A list of all inputs in a format.
fn list(hostile: &Hostile, format: &str, flags: &[&str]) -> Ran {
    let args = [
        "extract",
        "--verbose",
        "--hidden",
        "--output-format",
        format,
    ];
    let ran = run(hostile.folder.path(), &[&args, flags].concat(), b"");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_tame("messages", ran.stderr.as_bytes());
    ran
}

/// A value of JSON as formats without arrays have it.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(item).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}

/// An element of an array: a text, or a range.
fn item(value: &Value) -> String {
    match value {
        Value::Array(range) => format!("{}-{}", range[0], range[1]),
        other => cell(other),
    }
}

#[test]
fn each_format_of_extract_has_the_same_rows() {
    let hostile = Hostile::new();
    for flags in [
        &["--fields", "all"][..],
        &["--group-by", "file"],
        &["--count"],
    ] {
        let json = list(&hostile, "json-lines", flags);
        assert_tame("json-lines", &json.stdout);
        let lines = json.json();
        if flags[0] == "--fields" {
            each_row_is_a_url(
                &hostile,
                &lines
                    .iter()
                    .map(|row| text(row, "/url"))
                    .collect::<Vec<_>>(),
            );
        }
        let names: Vec<_> = lines[0].as_object().unwrap().keys().cloned().collect();
        // The objects are sorted by key, unlike the columns.
        let object = |line: &Value| -> BTreeMap<String, String> {
            let cells = line.as_object().unwrap().iter();
            cells
                .map(|(name, value)| (name.clone(), cell(value)))
                .collect()
        };
        let expected: Vec<_> = lines.iter().map(object).collect();
        assert!(expected.len() > 20, "{flags:?}");

        let csv = list(&hostile, "csv", flags).stdout;
        let mut table = csv::ReaderBuilder::new()
            .flexible(false)
            .from_reader(&csv[..]);
        let heading: Vec<_> = table.headers().unwrap().iter().map(str::to_owned).collect();
        assert!(heading.iter().all(|name| names.contains(name)));
        let object = |cells: Vec<String>| -> BTreeMap<String, String> {
            assert_eq!(cells.len(), heading.len(), "{cells:?}");
            heading.iter().cloned().zip(cells).collect()
        };
        let rows_of_csv = table
            .records()
            .map(|row| row.unwrap().iter().map(str::to_owned).collect());
        same(
            &format!("csv {flags:?}"),
            rows_of_csv.map(object),
            &expected,
        );

        let tsv = list(&hostile, "tsv", flags).stdout;
        let tsv = rows(&tsv, b'\n').into_iter().skip(1);
        let tsv = tsv.map(|row| row.iter().map(|cell| in_utf8(cell)).collect());
        same(&format!("tsv {flags:?}"), tsv.map(object), &expected);

        for (end, null) in [(b'\n', &[][..]), (b'\0', &["-0"])] {
            let text = list(&hostile, "text", &[flags, null].concat()).stdout;
            let what = format!("text {flags:?} {null:?}");
            if flags[0] == "--fields" {
                let text = rows(&text, end).into_iter();
                let text = text.map(|row| row.iter().map(|cell| in_utf8(cell)).collect());
                same(&what, text.map(object), &expected);
                continue;
            }
            // The key is the last column, and only characters that would end the row are changed in it.
            let mut expected = expected.clone();
            for row in &mut expected {
                let (from, to) = if end == b'\n' {
                    ("\n", "\\n")
                } else {
                    ("\0", "%00")
                };
                row.entry("key".to_owned())
                    .and_modify(|key| *key = key.replace(from, to));
            }
            let text = text
                .strip_suffix(&[end])
                .unwrap()
                .split(|&byte| byte == end);
            let text = text.map(|row| in_utf8(row).splitn(2, '\t').map(str::to_owned).collect());
            same(&what, text.map(object), &expected);
        }
    }
}

/// Fails if the rows are not those of JSON.
fn same(
    what: &str,
    rows: impl Iterator<Item = BTreeMap<String, String>>,
    expected: &[BTreeMap<String, String>],
) {
    let rows: Vec<_> = rows.collect();
    for (row, expected) in rows.iter().zip(expected) {
        assert_eq!(row, expected, "{what}");
    }
    assert_eq!(rows.len(), expected.len(), "{what}");
}

/// Fails if a list of nothing but URLs has not one in each row.
fn each_row_is_a_url(hostile: &Hostile, urls: &[&str]) {
    for (end, null) in [(b'\n', &[][..]), (b'\0', &["-0"])] {
        let bare = list(hostile, "text", null).stdout;
        let bare = bare
            .strip_suffix(&[end])
            .unwrap()
            .split(|&byte| byte == end);
        let bare: Vec<_> = bare.map(in_utf8).collect();
        for (url, expected) in bare.iter().zip(urls) {
            let is_ended = end == 0 && expected.contains('\0');
            let expected = if is_ended {
                expected.replace('\0', "%00")
            } else {
                (*expected).to_owned()
            };
            assert_eq!(*url, expected);
        }
        assert_eq!(bare.len(), urls.len());
    }
}

/// A diff that is applied changes the files in the same way as `--fix`.
#[test]
fn a_diff_is_read_as_it_is_meant() {
    let hostile = Hostile::new();
    let run = |args: &[&str]| {
        let args = [
            &[
                "check",
                "--select",
                "ALL",
                "--unsafe-fixes",
                "--hidden",
                "--archives",
            ],
            args,
        ]
        .concat();
        let ran = run(hostile.folder.path(), &args, b"");
        assert_tame("messages", ran.stderr.as_bytes());
        ran.stdout
    };
    let diff = run(&["--diff"]);
    let mut expected = patched(&diff, |name| {
        fs::read(hostile.folder.path().join(path(name))).unwrap()
    });
    assert!(expected.len() > 200, "{}", expected.len());
    let read = |name: &[u8]| fs::read(hostile.folder.path().join(path(name))).unwrap();
    let is_archive = |name: &[u8]| {
        let mut members = hostile.inputs.iter().filter(|input| input.member.is_some());
        members.any(|input| input.path == name)
    };
    let names: BTreeSet<_> = hostile.inputs.iter().map(|input| &input.path).collect();
    let before: BTreeMap<_, _> = names.iter().map(|name| (*name, read(name))).collect();
    run(&["--fix-only"]);
    for (name, before) in before {
        let expected = expected.remove(name);
        // An archive stays as it is, and the diff does not name it.
        assert!(
            expected.is_none() || !is_archive(name),
            "{}",
            name.escape_ascii()
        );
        assert!(
            read(name) == expected.unwrap_or(before),
            "{}",
            name.escape_ascii()
        );
    }
    assert!(expected.is_empty());
}

#[test]
fn parse_says_one_thing_of_each_url() {
    let mut urls = Vec::new();
    for (_, payload) in PAYLOADS {
        let payload: Vec<_> = payload.iter().copied().filter(|&byte| byte != 0).collect();
        urls.push([b"http://a.example/^", &payload[..], b"x"].concat());
        urls.push([&payload[..], b"://a.example/"].concat());
        urls.push([b"prospero://", &payload[..], b"/x;a=", &payload].concat());
        urls.push(payload);
    }
    let stdin: Vec<_> = urls
        .iter()
        .flat_map(|url| [&url[..], b"\0"].concat())
        .collect();
    for standard in ["rfc1738", "rfc3986", "whatwg", "all"] {
        let parse = |format: &str| {
            let args = [
                "parse",
                "-0",
                "--standard",
                standard,
                "--output-format",
                format,
            ];
            let ran = run(Folder::new().path(), &args, &stdin);
            assert_eq!((ran.code, &*ran.stderr), (Some(1), ""));
            assert_tame(format, &ran.stdout);
            ran
        };
        let text = parse("text").text();
        assert_eq!(text.split("\n\n").count(), urls.len(), "{standard}");
        let json = parse("json-lines").json();
        assert_eq!(json.len(), urls.len());
        for (object, url) in json.iter().zip(&urls) {
            assert_eq!(object["url"], in_utf8(url));
        }
    }
}

/// Each broken or skipped file has a message of one line, which is not a command of any CI server.
#[test]
fn messages_are_one_line_each() {
    let folder = Folder::new();
    let mut count = 0;
    for (name, payload) in PAYLOADS {
        let payload: Vec<_> = payload
            .iter()
            .copied()
            .filter(|byte| !b"\0/".contains(byte))
            .collect();
        for (end, bytes) in [
            (".gz", &b"\x1f\x8b\x08\0"[..]),
            (".bin", b"a\0b"),
            (".xz", b"\xfd7zXZ\0"),
        ] {
            let file = [&payload[..], b"-", name.as_bytes(), end.as_bytes()].concat();
            count += usize::from(fs::write(folder.path().join(path(&file)), bytes).is_ok());
        }
    }
    for args in [
        &["check", "--verbose", "--hidden", "--archives"][..],
        &["extract", "--verbose", "--hidden"],
        &[
            "check",
            "--show-files",
            "--verbose",
            "--hidden",
            "--archives",
        ],
    ] {
        let ran = run(folder.path(), args, b"");
        assert_eq!(ran.code, Some(2), "{args:?}: {}", ran.stderr);
        assert_tame("standard output", &ran.stdout);
        assert_tame("messages", ran.stderr.as_bytes());
        // Each file has one line. The summary says how many were read, skipped and broken.
        let summary_lines = match args {
            ["check", "--show-files", ..] => 0,
            ["check", ..] => 3,
            _ => 2,
        };
        let (files, summary): (Vec<_>, Vec<_>) = ran
            .stderr
            .lines()
            .partition(|line| line.contains(": warning: ") || line.contains(": skipped, "));
        assert_eq!(files.len(), count, "{args:?}: {}", ran.stderr);
        assert!(files.iter().all(|line| line.starts_with("urlint: ")));
        assert_eq!(summary.len(), summary_lines, "{summary:?}");
        let shown = ran.stdout.split(|&byte| byte == b'\n').count() - 1;
        // Files that are skipped as binary are not among the files that are read.
        let read = if args[1] == "--show-files" {
            count / 3 * 2
        } else {
            0
        };
        assert_eq!(shown, read, "{args:?}: {}", ran.text());
    }
}

#[test]
fn configuration_is_shown_and_refused_without_harm() {
    let (mut shown, mut refused) = (0, 0);
    for (_, payload) in PAYLOADS {
        let Ok(payload) = str::from_utf8(payload) else {
            continue;
        };
        let escaped: String = payload
            .chars()
            .map(|c| format!("\\U{:08X}", u32::from(c)))
            .collect();
        let settings = format!(
            "exclude = [\"{escaped}\", \"b\"]\nignore-urls = [\"{escaped}\"]\n[types]\n\"*{escaped}\" = \"html\"\n"
        );
        let wrong = format!("# {payload}\n\"{payload}\" = 1\nselect = [\"{escaped}\"]\n");
        let keys = format!(
            "\"{escaped}\" = 1\nselect = [\"{escaped}\"]\n[severity]\n\"{escaped}\" = \"x\"\n"
        );
        let ran = |text: &str| {
            let folder = Folder::of(&[("urlint.toml", text)]);
            let ran = run(folder.path(), &["check", "--show-settings", "."], b"");
            assert_tame("settings", &ran.stdout);
            assert_tame("messages", ran.stderr.as_bytes());
            ran
        };
        for text in [wrong, keys] {
            let ran = ran(&text);
            assert_eq!((ran.code, &*ran.text()), (Some(2), ""), "{text}");
            assert!(ran.stderr.starts_with("error: "), "{}", ran.stderr);
        }
        let ran = ran(&settings);
        if ran.code == Some(2) {
            assert!(ran.stderr.contains("is not a pattern"), "{}", ran.stderr);
            refused += 1;
        } else {
            assert_eq!((ran.code, &*ran.stderr), (Some(0), ""));
            let pattern = urlint::config::quoted(payload);
            assert_eq!(ran.text().matches(&pattern).count(), 2, "{}", ran.text());
            shown += 1;
        }
    }
    assert!(shown > 30 && refused > 0, "{shown}, {refused}");
}

#[test]
#[cfg(unix)]
fn arguments_are_quoted_without_harm() {
    use std::os::unix::ffi::OsStrExt;

    for (_, payload) in PAYLOADS {
        let payload: Vec<_> = payload.iter().copied().filter(|&byte| byte != 0).collect();
        if payload.is_empty() || payload.starts_with(b"/") {
            continue;
        }
        for before in ["--", "check", "check --", "check --output-format", "rule"] {
            let words: Vec<_> = before.split(' ').map(str::as_bytes).collect();
            let flag = [b"--", &payload[..]].concat();
            let args = match words.split_last() {
                Some((&b"--", words)) => [words, &[&flag]].concat(),
                _ => [&words[..], &[&payload]].concat(),
            };
            let args: Vec<_> = args.into_iter().map(std::ffi::OsStr::from_bytes).collect();
            let folder = Folder::new();
            let output = urlint(&args).current_dir(folder.path()).output().unwrap();
            assert_eq!(output.status.code(), Some(2), "{args:?}");
            assert_tame("messages", &output.stderr);
            assert_tame("standard output", &output.stdout);
        }
    }
}

/// Files that urlint itself reads again: baselines and configuration.
#[test]
fn written_lists_are_read_again() {
    let hostile = Hostile::new();
    let run = |args: &[&str]| {
        let ran = run(hostile.folder.path(), args, b"");
        assert_tame("standard output", &ran.stdout);
        assert_tame("messages", ran.stderr.as_bytes());
        ran
    };
    let check = [
        "check",
        "--select",
        "ALL",
        "--hidden",
        "--exclude",
        "/urlint*",
    ];
    let baseline = ["--baseline", "urlint-baseline.json"];
    assert_eq!(
        run(&[&check, &baseline[..], &["--update-baseline"]].concat()).code,
        Some(0)
    );
    let text = hostile.folder.read("urlint-baseline.json");
    assert_tame("baseline", text.as_bytes());
    let known: Value = serde_json::from_str(&text).unwrap();
    assert!(known["diagnostics"].as_array().unwrap().len() > 300);
    let again = run(&[&check, &baseline[..]].concat());
    assert_eq!(
        (again.code, again.text()),
        (Some(0), String::new()),
        "{}",
        again.stderr
    );
}

#[cfg(unix)]
fn path(name: &[u8]) -> std::path::PathBuf {
    use std::os::unix::ffi::OsStrExt;
    std::ffi::OsStr::from_bytes(name).into()
}

#[cfg(not(unix))]
fn path(name: &[u8]) -> std::path::PathBuf {
    in_utf8(name).into()
}
