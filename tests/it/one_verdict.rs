//! What is reported is decided once: the table in `fixtures/verdicts.json` says what is reported about some
//! folders, and each command that reads or changes files agrees. `tests/python/test_verdicts.py` asks Python.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::support::command::{self, Folder, Ran};

/// A folder, and what is reported about it: a file and a rule each.
struct Case {
    name: String,
    files: BTreeMap<String, String>,
    reported: Vec<String>,
}

fn cases() -> Vec<Case> {
    let table: Vec<Value> =
        serde_json::from_str(include_str!("../../fixtures/verdicts.json")).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let case = |case: &Value| Case {
        name: text(&case["name"]),
        files: (case["files"].as_object().unwrap().iter())
            .map(|(name, content)| (name.clone(), text(content)))
            .collect(),
        reported: (case["reported"].as_array().unwrap().iter())
            .map(text)
            .collect(),
    };
    table.iter().map(case).collect()
}

impl Case {
    fn folder(&self) -> Folder {
        let folder = Folder::new();
        for (name, text) in &self.files {
            folder.write(name, text);
        }
        folder
    }

    /// The files that are read.
    fn texts(&self) -> impl Iterator<Item = (&String, &String)> {
        let files = self.files.iter();
        files.filter(|(name, _)| *name != "urlint.toml")
    }
}

fn run(folder: &Folder, arguments: &[&str]) -> Ran {
    let ran = folder.run(arguments, b"");
    assert!(matches!(ran.code, Some(0 | 1)), "{}", ran.stderr);
    ran
}

/// What `urlint check` reports about the folder, as JSON.
fn checked(folder: &Folder, more: &[&str]) -> Vec<Value> {
    let check = ["check", "-f", "json-lines", "--exclude", "*.toml"];
    run(folder, &[&check[..], more].concat()).json()
}

/// The file and the rule of each diagnostic, in order.
fn places(diagnostics: &[Value]) -> Vec<String> {
    let place = |one: &Value| {
        let [path, rule] = ["path", "rule"].map(|key| one[key].as_str().unwrap());
        format!("{} {rule}", path.trim_start_matches("./"))
    };
    let mut all: Vec<_> = diagnostics.iter().map(place).collect();
    all.sort_unstable();
    all
}

/// The numbers in the messages of a run that stand before these words.
fn number(ran: &Ran, words: &[&str]) -> u64 {
    let before = |words: &&str| {
        let (before, _) = ran.stderr.split_once(*words)?;
        before.rsplit([' ', '\n']).next()?.parse().ok()
    };
    words.iter().find_map(before).unwrap_or(0)
}

/// How many diagnostics have a safe fix that is made, an unsafe one, and none.
fn fixes(folder: &Folder, diagnostics: &[Value]) -> [u64; 3] {
    let ran = run(folder, &["check", "--exclude", "*.toml"]);
    let safe = number(&ran, &[" can be fixed with `--fix`"]);
    let unsafely = number(
        &ran,
        &[
            " more with `--unsafe-fixes`",
            " can be fixed with `--fix --unsafe-fixes`",
        ],
    );
    [safe, unsafely, diagnostics.len() as u64 - safe - unsafely]
}

/// `text` after the fixes of errors and warnings.
fn mended(case: &Case, (path, text): (&str, &str), diagnostics: &[Value]) -> String {
    let config = case.files.get("urlint.toml");
    let takes_all = config.is_some_and(|config| config.contains("unsafe-fixes = true"));
    let is_made = |one: &&Value| {
        one["path"].as_str().unwrap().ends_with(path)
            && one["severity"] != "hint"
            && (one["fix"]["applicability"] == "safe"
                || takes_all && one["fix"]["applicability"] == "unsafe")
    };
    let fixes = diagnostics.iter().filter(is_made);
    let mut edits: Vec<_> = fixes
        .flat_map(|one| one["fix"]["edits"].as_array().unwrap())
        .collect();
    edits.sort_by_key(|edit| edit["start"].as_u64());
    let mut text = text.to_owned();
    for edit in edits.into_iter().rev() {
        let [start, end] = ["start", "end"].map(|key| edit[key].as_u64().unwrap() as usize);
        text.replace_range(start..end, edit["replacement"].as_str().unwrap());
    }
    text
}

#[test]
fn check_reports_what_the_table_says() {
    for case in cases() {
        let reported = places(&checked(&case.folder(), &[]));
        assert_eq!(reported, case.reported, "{}", case.name);
    }
}

#[test]
fn fixes_are_made_of_what_is_reported() {
    for case in cases() {
        let folder = case.folder();
        let diagnostics = checked(&folder, &[]);
        let expected = fixes(&folder, &diagnostics);
        let diff = run(&folder, &["check", "--diff", "--exclude", "*.toml"]);
        let said = [
            number(&diff, &[" in 1 file.", " in 2 files."]),
            number(
                &diff,
                &[
                    " more with `--unsafe-fixes`",
                    " can be fixed with `--fix --unsafe-fixes`",
                ],
            ),
            number(&diff, &[" by hand.", " can be fixed by hand"]),
        ];
        assert_eq!(said, expected, "{}: {}", case.name, diff.stderr);
        run(&folder, &["check", "--fix", "--exclude", "*.toml"]);
        for (name, text) in case.texts() {
            assert_eq!(
                folder.read(name),
                mended(&case, (name, text), &diagnostics),
                "{}",
                case.name
            );
        }
    }
}

#[test]
fn lists_name_the_rules_that_report() {
    let cases = cases();
    let reported = cases.iter().flat_map(|case| &case.reported);
    let rules: BTreeSet<_> = reported
        .filter_map(|one| Some(one.split_once(' ')?.1))
        .collect();
    for case in &cases {
        let folder = case.folder();
        let mut expected: BTreeMap<_, BTreeSet<String>> = BTreeMap::new();
        let diagnostics = checked(&folder, &[]);
        for one in diagnostics.iter().filter(|one| one["url"] != "") {
            let rules = expected.entry(one["url"].to_string()).or_default();
            rules.insert(one["rule"].as_str().unwrap().to_owned());
        }
        let extract = ["extract", "--exclude", "*.toml", "-f", "json-lines"];
        let rows = run(
            &folder,
            &[&extract[..], &["--fields", "url,rules"]].concat(),
        )
        .json();
        let mut listed: BTreeMap<_, BTreeSet<String>> = BTreeMap::new();
        for row in rows {
            for rule in row["rules"].as_array().unwrap() {
                let rules = listed.entry(row["url"].to_string()).or_default();
                rules.insert(rule.as_str().unwrap().to_owned());
            }
        }
        assert_eq!(listed, expected, "{}", case.name);
        for rule in &rules {
            let selected = checked(&folder, &["--select", rule]);
            let mut urls: Vec<_> = (selected.iter())
                .filter(|one| one["url"] != "")
                .map(|one| one["url"].clone())
                .collect();
            urls.dedup();
            let rows = run(&folder, &[&extract[..], &["--rule", rule]].concat()).json();
            let listed: Vec<_> = rows.iter().map(|row| row["url"].clone()).collect();
            assert_eq!(listed, urls, "{} {rule}", case.name);
        }
    }
}

#[test]
fn a_baseline_silences_what_is_reported() {
    for case in cases() {
        let folder = case.folder();
        let baseline = ["check", "--baseline", "b.json"];
        run(
            &folder,
            &[&baseline[..], &["--update-baseline", "--exclude", "*.toml"]].concat(),
        );
        let own = case.files.get("urlint.toml").map_or("", String::as_str);
        folder.write("urlint.toml", format!("baseline = 'b.json'\n{own}"));
        assert_eq!(places(&checked(&folder, &[])), [""; 0], "{}", case.name);
        let fix = ["check", "--fix-only", "--exclude", "*.toml"];
        run(&folder, &fix);
        for (name, text) in case.texts() {
            assert_eq!(folder.read(name), *text, "{}", case.name);
        }
        let rules = ["extract", "--fields", "rules", "--exclude", "*.{toml,json}"];
        let listed = run(&folder, &rules).text();
        assert_eq!(listed.trim(), "", "{}", case.name);
    }
}

/// A filter by rules, a list of rules, and both together.
#[test]
fn a_filter_and_a_field_agree() {
    for case in cases() {
        for has_baseline in [false, true] {
            let folder = case.folder();
            if has_baseline {
                let update = ["check", "--baseline", "b.json", "--update-baseline"];
                let first = case.reported.first().and_then(|one| one.split_once(' '));
                let rule = first.map_or("empty-port", |(_, rule)| rule);
                run(
                    &folder,
                    &[&update[..], &["--select", rule, "--exclude", "*.toml"]].concat(),
                );
                let own = case.files.get("urlint.toml").map_or("", String::as_str);
                folder.write("urlint.toml", format!("baseline = 'b.json'\n{own}"));
            }
            let list = |more: &[&str]| {
                let fields = ["extract", "--fields", "path,line,column,url,rules"];
                let exclude = ["--exclude", "*.{toml,json}"];
                let rows = run(&folder, &[&fields[..], &exclude, more].concat()).text();
                rows.lines().map(str::to_owned).collect::<BTreeSet<_>>()
            };
            let all = list(&[]);
            for rule in case.reported.iter().filter_map(|one| one.split(' ').nth(1)) {
                let with_rule = list(&["--rule", rule]);
                let has_rule = |row: &&String| row.rsplit('\t').next().unwrap().contains(rule);
                // The field then has those of the filter alone.
                let place = |row: &String| row.rsplit_once('\t').unwrap().0.to_owned();
                let places: BTreeSet<_> = all.iter().filter(has_rule).map(place).collect();
                assert_eq!(
                    with_rule.iter().map(place).collect::<BTreeSet<_>>(),
                    places,
                    "{}",
                    case.name
                );
            }
        }
    }
}

#[test]
fn the_baseline_is_used_up_once_a_place() {
    let folder = Folder::of(&[
        ("a.txt", "see http://a.example:/~joe end\n"),
        ("urlint.toml", "baseline = 'b.json'\n"),
    ]);
    run(
        &folder,
        &[
            "check",
            "--select",
            "empty-port",
            "--update-baseline",
            "a.txt",
        ],
    );
    let list = |more: &[&str]| {
        let fields = ["extract", "--fields", "url,rules", "a.txt"];
        run(&folder, &[&fields[..], more].concat()).text()
    };
    let expected = "http://a.example:/~joe\tunsafe-character\n";
    assert_eq!(list(&[]), expected);
    assert_eq!(list(&["--rule", "empty-port,unsafe-character"]), expected);
}

/// Each file is fixed by its own configuration, whichever thread reads it, and `--diff` shows the same.
#[test]
fn fixes_follow_nested_configurations_with_any_number_of_threads() {
    let retired = "see <URL:http://tools.ietf.org/html/rfc2119> here\n";
    let long = format!("{retired}{}", "and so on\n".repeat(20_000));
    let files = [
        ("a/urlint.toml", "profile = 'ietf'\n"),
        ("a/x.txt", long.as_str()),
        ("b/urlint.toml", "select = ['empty-port']\n"),
        (
            "b/y.txt",
            "see <URL:http://a.example:/x> and http://tools.ietf.org/html/rfc2119\n",
        ),
    ];
    let outcome = |threads: &str, paths: [&str; 2]| {
        let folder = Folder::of(&files);
        let fix = |how: &'static str| {
            [&["check", how, "--unsafe-fixes", "-j", threads][..], &paths].concat()
        };
        let mut diff = run(&folder, &fix("--diff")).stdout;
        run(&folder, &fix("--fix"));
        diff.sort_unstable();
        (["a/x.txt", "b/y.txt"].map(|name| folder.read(name)), diff)
    };
    let ([x, y], diff) = outcome("1", ["a", "b"]);
    assert!(
        x.starts_with("see <URL:https://www.rfc-editor.org/"),
        "{}",
        &x[..80]
    );
    assert_eq!(
        y,
        "see <URL:http://a.example/x> and http://tools.ietf.org/html/rfc2119\n"
    );
    for threads in ["1", "2", "4"] {
        for paths in [["a", "b"], ["b", "a"]] {
            assert!(
                outcome(threads, paths) == ([x.clone(), y.clone()], diff.clone()),
                "{threads} {paths:?}"
            );
        }
    }
}

#[test]
fn a_baseline_holds_in_every_folder_and_says_what_can_go() {
    let text = "http://a.example:/ http://b.example:/";
    let folder = Folder::of(&[("docs/sub/a.txt", text), ("docs/b.txt", text)]);
    let check = |at: &str, args: &[&str]| {
        let args = [&["check", "-f", "concise"], args].concat();
        command::run(&folder.path().join(at), &args, b"")
    };
    let made = check(
        "docs/sub",
        &["--baseline", "../known.json", "--update-baseline", ".."],
    );
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    let absolute = folder.path().join("docs/known.json").display().to_string();
    for (at, known, path) in [
        (".", "docs/known.json", "."),
        ("docs", "known.json", "sub/../sub/a.txt"),
        ("docs/sub", "../known.json", "../b.txt"),
        (".", &absolute, "docs"),
    ] {
        let ran = check(at, &["--baseline", known, path]);
        assert_eq!((ran.code, &*ran.text()), (Some(0), ""), "{at} {path}");
        assert!(!ran.stderr.contains("can go"), "{}", ran.stderr);
    }
    folder.write("docs/b.txt", "http://b.example:/ http://c.example:/");
    let ran = check(".", &["--baseline", "docs/known.json"]);
    assert_eq!(ran.text().lines().count(), 1, "{}", ran.text());
    let told = "\n1 entry of the baseline can go: --update-baseline.\n";
    assert!(ran.stderr.contains(told), "{}", ran.stderr);
    let other = check(
        ".",
        &["--baseline", "docs/known.json", "--select", "password"],
    );
    assert!(!other.stderr.contains("can go"), "{}", other.stderr);
}

#[cfg(feature = "lsp")]
#[test]
fn an_editor_shows_what_is_reported() {
    use crate::lsp::{Editor, pulling, rules};

    let compares_files = |case: &Case| case.reported.iter().any(|one| one.ends_with("elsewhere"));
    // The hosts of other files are not known to an editor, which says so.
    for case in cases().iter().filter(|case| !compares_files(case)) {
        let folder = case.folder();
        let mut editor = Editor::new(folder.path(), pulling());
        for (name, text) in case.texts() {
            let uri = format!("file://{}/{name}", folder.path().display());
            editor.open(&uri, "plaintext", text);
            let shown = editor.pulled(&uri);
            let mut shown: Vec<_> = rules(&shown)
                .into_iter()
                .map(|rule| format!("{name} {rule}"))
                .collect();
            shown.sort_unstable();
            let expected = case.reported.iter().filter(|one| one.starts_with(&**name));
            let expected: Vec<_> = expected.cloned().collect();
            assert_eq!(shown, expected, "{}", case.name);
        }
        editor.end();
    }
}
