//! The standards of the command: `--standard`, and its effects.

use serde_json::{Value, json};

use crate::support::command::Folder;

/// URLs of which each standard thinks otherwise.
const TEXT: &str = "<http://a.example/a{b>\n<http://%31.example/~joe>\n<http://joe@a.example/é>\n";

const CONCISE: [&str; 6] = [
    "check",
    "--show",
    "all",
    "--output-format",
    "concise",
    "a.txt",
];

/// Returns the diagnostics of `check` with these arguments, as severity and rule, and the summary.
fn check(folder: &Folder, args: &[&str]) -> (Vec<String>, String) {
    let ran = folder.run(&[&CONCISE, args].concat(), b"");
    let text = ran.text();
    let found = text.lines().map(|line| {
        // `a.txt:1:20: error[unsafe-character] message`
        let (_, rest) = line.split_once(": ").unwrap();
        let (what, _) = rest.split_once("] ").unwrap();
        what.replace('[', " ")
    });
    (found.collect(), ran.stderr)
}

#[test]
fn flags_and_files_choose_the_standard() {
    let by_rfc1738 = [
        "error unsafe-character",
        "error misplaced-character",
        "hint unsafe-character",
        "hint userinfo-not-allowed",
        "hint non-ascii",
    ];
    let by_rfc3986 = [
        "error unsafe-character",
        "warning bad-host",
        "hint userinfo-not-allowed",
        "hint non-ascii",
    ];
    let by_whatwg = [
        "warning unsafe-character",
        "warning misplaced-character",
        "hint userinfo-not-allowed",
    ];
    let iris = &by_rfc3986[..3];
    let cases: [(&str, &[&str], &[&str]); 9] = [
        ("", &[], &by_rfc1738),
        ("", &["--standard", "rfc3986"], &by_rfc3986),
        ("", &["--standard", "rfc3987"], iris),
        ("", &["--standard", "whatwg"], &by_whatwg),
        ("standard = 'rfc3986'", &[], &by_rfc3986),
        ("standard = 'rfc3987'", &[], iris),
        (
            "standard = 'rfc3987'",
            &["--standard", "whatwg"],
            &by_whatwg,
        ),
        (
            "standard = 'rfc3986'",
            &["--standard", "rfc1738"],
            &by_rfc1738,
        ),
        (
            "standard = 'rfc3986'",
            &["--config", "standard='whatwg'"],
            &by_whatwg,
        ),
    ];
    for (file, args, expected) in cases {
        let folder = Folder::of(&[("a.txt", TEXT), ("urlint.toml", file)]);
        let (found, _) = check(&folder, args);
        assert_eq!(found, expected, "{file} {args:?}");
    }
}

#[test]
fn each_folder_has_its_own_standard() {
    let folder = Folder::of(&[
        ("a/urlint.toml", "standard = 'whatwg'"),
        ("a/a.txt", TEXT),
        ("b/urlint.toml", "standard = 'rfc3986'"),
        ("b/a.txt", TEXT),
    ]);
    let ran = folder.run(&["check", "--output-format", "json-lines"], b"");
    for line in ran.json() {
        let is_a = line["path"].as_str().unwrap().starts_with('a');
        let expected = if is_a { "whatwg" } else { "rfc3986" };
        assert_eq!(line["standard"], expected);
        let reference = line["reference"].as_str().unwrap();
        assert_eq!(reference.starts_with("URL Standard, "), is_a, "{reference}");
    }
    let ran = folder.run(&["check", "--output-format", "sarif"], b"");
    let log: Value = serde_json::from_str(&ran.text()).unwrap();
    let run = &log["runs"][0];
    assert_eq!(run["properties"]["standards"], json!(["rfc3986", "whatwg"]));
    let result = &run["results"][0]["properties"];
    assert_eq!(result["standard"], "whatwg");
    let ran = folder.run(&["extract", "--only", "valid"], b"");
    assert_eq!(ran.text(), "http://%31.example/~joe\n");
}

#[test]
fn extract_judges_by_the_standard() {
    let text = "<http://a.example/é#x> <http://a.example/~#[> <http://a_b.example/>\n";
    let folder = Folder::of(&[("a.txt", text)]);
    let fields = ["--fields", "standard,valid,problems,scheme,url", "a.txt"];
    let run = |args: &[&str]| {
        let ran = folder.run(&[&["extract"], args, &fields].concat(), b"");
        ran.text().replace('\t', " ")
    };
    let expected = "\
rfc1738 false non-ascii http http://a.example/é#x
rfc1738 false unsafe-character http http://a.example/~#[
rfc1738 false misplaced-character http http://a_b.example/
";
    assert_eq!(run(&[]), expected);
    let expected = "\
rfc3986 false non-ascii http http://a.example/é#x
rfc3986 false reserved-character http http://a.example/~#[
";
    assert_eq!(
        run(&["--standard", "rfc3986", "--only", "invalid"]),
        expected
    );
    let expected = "\
rfc3987 true  http http://a.example/é#x
rfc3987 true  http http://a_b.example/
";
    assert_eq!(run(&["--standard", "rfc3987", "--only", "valid"]), expected);
    let expected = "whatwg true  http http://a.example/é#x\n";
    assert_eq!(run(&["--standard", "whatwg", "--only", "valid"]), expected);
}

/// A label does not end with a hyphen, unless RFC 3986 says so.
#[test]
fn rejoining_asks_the_standard() {
    let folder = Folder::of(&[("a.txt", "see http://a.example-\n/x there\n")]);
    for (standard, expected) in [
        ("rfc1738", "http://a.example/x\n"),
        ("rfc3986", "http://a.example-/x\n"),
        ("whatwg", "http://a.example/x\n"),
    ] {
        let ran = folder.run(&["extract", "--standard", standard, "a.txt"], b"");
        assert_eq!(ran.text(), expected, "{standard}");
    }
}

/// Returns the output of `urlint parse` for `urls`, which end with NUL.
fn parse(args: &[&str], urls: &str) -> Vec<Value> {
    let json = ["parse", "-0", "--output-format", "json-lines"];
    let ran = Folder::new().run(&[&json, args].concat(), urls.as_bytes());
    ran.json()
}

#[test]
fn parse_tells_what_browsers_make_of_a_url() {
    let urls = "http://a.example/\nb\0http://A.example:80/./é\0http://a.example:x/\0";
    let rows = parse(&["--standard", "whatwg"], urls);
    let told: Vec<_> = rows
        .iter()
        .map(|row| json!([row["valid"], row["parses"], row["href"]]))
        .collect();
    assert_eq!(
        told,
        [
            json!([false, true, "http://a.example/b"]),
            json!([true, true, "http://a.example/%C3%A9"]),
            json!([false, false, null]),
        ]
    );
    let problem = &rows[2]["problems"][0];
    assert_eq!(problem["error"], "port-invalid");
    assert_eq!(problem["failure"], true);
    assert_eq!(problem["reference"], "URL Standard, port state");
}

/// Whatever the parser makes of a password: it does not get out by another way.
#[test]
fn parse_hides_passwords_by_each_standard() {
    let urls = [
        "ftp://joe:secret@a.example/",
        "ftp://joe:sec%72et@a.example/",
        "http:\\\\joe:secret@a.example\\",
        "ftp://joe:secret@a.example\\@b.example/",
        "http:joe:secret@a.example",
        "http://joe:a b\"secret@a.example/",
        "http://joe:x/secret@a.example/",
        "http://joe:secret?x@a.example/",
        "http://joe:secret#x@a.example/",
    ];
    for url in urls {
        for standard in ["rfc1738", "rfc3986", "rfc3987", "whatwg", "all"] {
            for format in ["text", "json-lines"] {
                let format = ["--output-format", format, "--redact"];
                let args = [&["parse", "--standard", standard][..], &format, &[url]].concat();
                let ran = Folder::new().run(&args, b"");
                let text = ran.text();
                assert!(text.contains("***"), "{text}");
                let shows = ["secret", "sec%72et", "ecre"]
                    .iter()
                    .find(|part| text.contains(**part));
                assert_eq!(shows, None, "{standard} {text}");
            }
        }
    }
}

#[test]
fn a_normal_form_hides_passwords() {
    let text = b"<http:\\\\joe:secret@a.example\\>\n<http://joe:12\\secret@a.example/>\n\
        <HTTP://joe:a\"secret@a.example/>\n";
    for standard in ["rfc1738", "rfc3986", "rfc3987", "whatwg"] {
        let standard = ["extract", "--standard", standard];
        let args = [&standard[..], &["--normalize", "--redact", "-"]].concat();
        let listed = Folder::new().run(&args, text).text();
        assert_eq!(listed.matches("joe:***@a.example").count(), 3, "{listed}");
        assert!(!listed.contains("secret"), "{listed}");
    }
}

#[test]
fn parse_shows_where_the_standards_part() {
    // The host by RFC 1738 and by RFC 3986, and where browsers go.
    let cases = [
        (
            "http://a.example/",
            json!(["a.example", "a.example", "http://a.example/"]),
        ),
        (
            "http://a.example\\@b.example/",
            json!(["b.example", "b.example", "http://a.example/@b.example/"]),
        ),
        (
            "ftp://a?z@b.example/x",
            json!(["b.example", "a", "ftp://a/?z@b.example/x"]),
        ),
        ("http:///a.example/", json!(["", "", "http://a.example/"])),
        (
            "http://127.1/",
            json!(["127.1", "127.1", "http://127.0.0.1/"]),
        ),
        ("http://1.2.3.4.5/", json!(["1.2.3.4.5", "1.2.3.4.5", null])),
    ];
    for (url, expected) in cases {
        let rows = parse(&["--standard", "all"], &format!("{url}\0"));
        let names = ["rfc1738", "rfc3986", "whatwg"];
        assert!(names.iter().all(|name| rows[0][name]["standard"] == *name));
        let host = |name: &str| rows[0][name]["components"]["host"].clone();
        let found = json!([host("rfc1738"), host("rfc3986"), rows[0]["whatwg"]["href"]]);
        assert_eq!(found, expected, "{url}");
    }
}
