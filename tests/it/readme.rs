//! What the README shows is what is: its commands, its picture, its list of rules.
//!
//! `SNAPSHOTS=overwrite cargo test --test it readme` draws the picture and writes the list anew,
//! `TRYCMD=overwrite` writes down what the commands print now.

use std::fmt::Write as _;
use std::path::Path;

use snapbox::{Assert, Data, IntoData, data::DataFormat, file};
use urlint::Rule;

use crate::support::command::run;

/// The list of rules stands between these.
const MARKS: [&str; 2] = ["<!-- rules -->\n", "<!-- end of rules -->\n"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_commands_print_what_it_says() {
    trycmd::TestCases::new()
        .case("README.md")
        .env("NO_COLOR", "1");
}

#[test]
fn the_picture_is_what_is_printed() {
    let shown = ["check", "--color", "always", "--quiet"];
    let chosen = ["--select", "ambiguous-hyphen", "fixtures/sample.txt"];
    let ran = run(root(), &[&shown[..], &chosen].concat(), b"");
    let printed: Data = ran.stdout.into_data().coerce_to(DataFormat::TermSvg);
    Assert::new()
        .action_env("SNAPSHOTS")
        .eq(printed, file!["../../fixtures/diagnostic.svg": TermSvg]);
}

#[test]
fn all_rules_are_listed() {
    let path = root().join("README.md");
    let readme = std::fs::read_to_string(&path).unwrap();
    let [start, end] = MARKS.map(|mark| readme.find(mark).expect("both marks"));
    let start = start + MARKS[0].len();
    let list = list_of_rules();
    if std::env::var("SNAPSHOTS").is_ok_and(|value| value == "overwrite") {
        let readme = format!("{}{list}{}", &readme[..start], &readme[end..]);
        std::fs::write(&path, readme).unwrap();
    } else {
        assert!(
            readme[start..end] == list,
            "SNAPSHOTS=overwrite cargo test --test it readme brings the list up to date"
        );
    }
}

fn list_of_rules() -> String {
    let mut list =
        String::from("\n| rule | group | severity | what it reports |\n|---|---|---|---|\n");
    for rule in Rule::ALL {
        let summary = rule.summary().replace('|', "\\|").replace('\n', " ");
        let (group, severity) = (rule.group(), rule.severity());
        writeln!(list, "| `{rule}` | {group} | {severity} | {summary} |").unwrap();
    }
    list.push('\n');
    list
}
