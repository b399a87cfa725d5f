//! The outputs for programs follow the rules of their formats.

use quick_xml::Reader;
use quick_xml::events::Event;
use serde_json::Value;

use crate::support::command::Folder;

/// Three diagnostics: behind a wide letter, in a broken URL, and in a message with a percent sign.
const TEXT: &str = "Über <URL:http://a.example/^x> and <URL:http://www-\n  b.example.org/c> <URL:http://a.example/%zz>\n";

/// The diagnostics of `text` in a format, standard output and a file alike.
fn report(format: &str, text: &str) -> String {
    let folder = Folder::of(&[("a file.txt", text)]);
    let run = |arguments: &[&str]| {
        let arguments = [
            &[
                "check",
                "--quiet",
                "--extend-select",
                "ambiguous-hyphen",
                "--unsafe-fixes",
                "a file.txt",
            ],
            arguments,
        ]
        .concat();
        let ran = folder.run(&arguments, b"");
        assert_eq!(ran.stderr, "");
        String::from_utf8(ran.stdout).unwrap()
    };
    let shown = run(&["--output-format", format]);
    let silent = run(&["--output-format", &format!("{format}=sub/report")]);
    assert_eq!(silent, "");
    assert_eq!(folder.read("sub/report"), shown);
    shown
}

fn json(format: &str, text: &str) -> Value {
    serde_json::from_str(&report(format, text)).unwrap()
}

/// The elements of an XML text and their attributes, each as `name key=value…`.
fn elements(xml: &str) -> Vec<String> {
    let mut reader = Reader::from_str(xml);
    let mut found = Vec::new();
    loop {
        match reader.read_event().unwrap() {
            Event::Eof => return found,
            Event::Start(element) | Event::Empty(element) => {
                let mut shown = element.name().as_ref().to_owned();
                for attribute in element.attributes() {
                    let attribute = attribute.unwrap();
                    let (key, value) = (attribute.key.as_ref(), &attribute.value);
                    shown.push_str(&format!(
                        " {key}={}",
                        quick_xml::escape::unescape(value).unwrap()
                    ));
                }
                found.push(shown);
            }
            _ => {}
        }
    }
}

#[test]
fn sarif_has_what_the_standard_requires() {
    let log = json("sarif", TEXT);
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 3);
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()));
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
    }
    let location = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(location["artifactLocation"]["uri"], "a%20file.txt");
    let region = &location["region"];
    // The column counts code points, the offset bytes.
    assert_eq!(region["startColumn"], 28);
    assert_eq!(region["byteOffset"], 28);
    let edit = &results[0]["fixes"][0]["artifactChanges"][0]["replacements"][0];
    assert_eq!(edit["deletedRegion"]["byteOffset"], 28);
    assert_eq!(edit["insertedContent"]["text"], "%5E");
    assert_eq!(results[1]["relatedLocations"].as_array().unwrap().len(), 2);
    assert!(
        json("sarif", "nothing")
            .pointer("/runs/0/results/0")
            .is_none()
    );
}

#[test]
fn gitlab_tells_faults_apart() {
    let twice = format!("{TEXT}{TEXT}");
    let faults = json("gitlab", &twice);
    let mut prints: Vec<_> = faults
        .as_array()
        .unwrap()
        .iter()
        .map(|fault| fault["fingerprint"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(prints.len(), 6);
    prints.sort();
    prints.dedup();
    assert_eq!(prints.len(), 6);
    // They stay when lines are put in front.
    let moved = json("gitlab", &format!("\n\n{twice}"));
    assert_eq!(moved[0]["fingerprint"], faults[0]["fingerprint"]);
    assert_ne!(moved[0]["location"], faults[0]["location"]);
}

#[test]
fn github_escapes_what_would_end_a_command() {
    let commands = report("github", TEXT);
    assert!(
        commands.lines().all(|line| line.starts_with("::")),
        "{commands}"
    );
    assert!(commands.contains("`%25` must"), "{commands}");
}

#[test]
fn xml_is_well_formed() {
    let junit = elements(&report("junit", TEXT));
    assert_eq!(
        junit[0],
        "testsuites name=urlint tests=3 failures=3 errors=0"
    );
    assert_eq!(
        junit
            .iter()
            .filter(|element| element.starts_with("failure "))
            .count(),
        3
    );
}

/// A URL with a fix that is safe and one that is not.
const FIXABLE: &str = "<URL:HTTP://a.example/> <URL:http://a.example/\u{e9}>\n";

#[test]
fn fixes_that_are_not_safe_are_offered_only_on_request() {
    let folder = Folder::of(&[("a.txt", FIXABLE)]);
    let parse = |format: &str, flags: &[&str]| -> Value {
        let args = [
            "check",
            "--select",
            "ALL",
            "--output-format",
            format,
            "a.txt",
        ];
        let ran = folder.run(&[&args, flags].concat(), b"");
        serde_json::from_str(&ran.text()).unwrap()
    };
    let ranks = |results: &Value, offers: &dyn Fn(&Value) -> bool| -> Vec<(String, bool)> {
        let results = results.as_array().unwrap().iter();
        let rank = |result: &Value| result["properties"]["fix"]["applicability"].clone();
        let ranked = results.filter(|result| rank(result).is_string());
        ranked
            .map(|result| (rank(result).as_str().unwrap().to_owned(), offers(result)))
            .collect()
    };
    for (flags, takes_unsafe) in [(&[][..], false), (&["--unsafe-fixes"], true)] {
        let sarif = parse("sarif", flags);
        let results = ranks(&sarif["runs"][0]["results"], &|result| {
            result["fixes"].is_array()
        });
        assert!(results.iter().any(|(rank, _)| rank == "safe"));
        assert!(results.iter().any(|(rank, _)| rank == "unsafe"));
        for (rank, is_offered) in results {
            assert_eq!(is_offered, rank == "safe" || takes_unsafe, "{rank}");
        }
    }
}

#[test]
fn sarif_says_where_each_rule_is_explained() {
    let folder = Folder::of(&[("a.txt", "<URL:http://a.example/{>")]);
    let ran = folder.run(&["check", "--output-format", "sarif"], b"");
    let sarif: Value = serde_json::from_str(&ran.text()).unwrap();
    let rules = sarif["runs"][0]["tool"]["driver"]["rules"].as_array();
    let url_of = |name: &str| {
        let rule = rules.unwrap().iter().find(|rule| rule["id"] == name);
        rule.unwrap()["helpUri"].as_str().map(str::to_owned)
    };
    let expected = "https://www.rfc-editor.org/rfc/rfc1738#section-2.2";
    assert_eq!(url_of("unsafe-character").as_deref(), Some(expected));
}

/// Rules that reported nothing need no description.
#[test]
fn sarif_describes_the_rules_of_its_results() {
    let described = |text: &str| {
        let folder = Folder::of(&[("a.txt", text)]);
        let ran = folder.run(&["check", "--output-format", "sarif"], b"");
        let sarif: Value = serde_json::from_str(&ran.text()).unwrap();
        let rules = &sarif["runs"][0]["tool"]["driver"]["rules"];
        let names = rules.as_array().unwrap().iter();
        let names = names.map(|rule| rule["id"].as_str().unwrap().to_owned());
        names.collect::<Vec<_>>()
    };
    assert!(described("http://a.example/").is_empty());
    let twice = "<URL:http://a.example:/> <URL:http://a.example/{> <URL:http://b.example:/>";
    assert_eq!(described(twice), ["empty-port", "unsafe-character"]);
}

#[test]
fn formats_without_source_lines_name_the_url() {
    let long = format!("<URL:http://a.example/{{{}>", "x".repeat(1000));
    let folder = Folder::of(&[("a.txt", "<URL:http://a.example/{>\n"), ("b.txt", &long)]);
    for format in ["github", "gitlab", "junit"] {
        let args = ["check", "--output-format", format, "a.txt"];
        let text = folder.run(&args, b"").text();
        let message = "must be encoded in `http://a.example/{`";
        assert!(text.contains(message), "{format}: {text}");
    }
    let ran = folder.run(&["check", "--output-format", "github", "b.txt"], b"");
    assert!(ran.text().contains("xxx…(1,018 bytes)"), "{}", ran.text());
}
