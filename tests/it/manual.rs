//! The manual matches the program: its commands, and its tables of rules, keys and formats. That of limits
//! is in `limits.rs`.
//!
//! `SNAPSHOTS=overwrite cargo test --test it manual` writes the rules and the keys anew,
//! and the present output of the commands.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use pulldown_cmark::{BrokenLink, Event, Options, Parser, Tag, TagEnd};
use serde_json::Value;
use urlint::Rule;
use urlint::config::Keys;
use urlint::document::Kind;
use urlint::manual::PAGES;

use crate::support::command::URLINT;
use crate::support::transcripts;

const SAMPLE: &str = "fixtures/sample.txt";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn path_of(page: &str) -> PathBuf {
    root().join(format!("src/manual/{page}.md"))
}

fn read(page: &str) -> String {
    fs::read_to_string(path_of(page)).unwrap()
}

/// Returns the text of `page` between the comments that begin and end the block `name`.
fn block(page: &str, name: &str) -> String {
    let text = read(page);
    let [start, end] = marks(name).map(|mark| text.find(&mark).unwrap_or_else(|| panic!("{mark}")));
    text[start + marks(name)[0].len()..end].to_owned()
}

fn marks(name: &str) -> [String; 2] {
    [
        format!("<!-- {name} -->\n"),
        format!("<!-- end of {name} -->\n"),
    ]
}

/// Compares the block `name` of `page` with `expected`, or writes it there with
/// `SNAPSHOTS=overwrite`.
fn assert_block(page: &str, name: &str, expected: &str) {
    let found = block(page, name);
    if std::env::var("SNAPSHOTS").is_ok_and(|value| value == "overwrite") {
        let [start, end] = marks(name);
        let old = format!("{start}{found}{end}");
        let text = read(page).replace(&old, &format!("{start}{expected}{end}"));
        fs::write(path_of(page), text).unwrap();
    } else {
        assert!(
            found == expected,
            "SNAPSHOTS=overwrite cargo test --test it manual brings the {name} up to date:\n{expected}"
        );
    }
}

/// Returns the rows of a table in Markdown, as cells, without its head.
fn rows(table: &str) -> Vec<Vec<&str>> {
    let lines = table.lines().filter(|line| line.starts_with('|')).skip(2);
    let inner = lines.map(|line| &line[2..line.len() - 2]);
    inner.map(|line| line.split(" | ").collect()).collect()
}

/// Returns the text in backquotes in the first cell of each row.
fn names(table: &str) -> Vec<&str> {
    let rows = rows(table).into_iter();
    rows.map(|row| row[0].trim_matches('`')).collect()
}

/// Returns the first table of `page` whose head is `head`.
fn table<'p>(page: &'p str, head: &str) -> &'p str {
    let start = page.find(head).unwrap_or_else(|| panic!("no `{head}`"));
    page[start..].split("\n\n").next().unwrap()
}

/// Returns the output of `urlint`, on standard output and then on standard error.
fn urlint(args: &[&str]) -> String {
    let output = Command::new(URLINT)
        .current_dir(root())
        .args(args)
        .output()
        .unwrap();
    String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
}

/// Returns the values that the message about a wrong one lists for `flag` of `command`.
fn values(command: &str, flag: &str) -> Vec<String> {
    let message = urlint(&[command, flag, "!", SAMPLE]);
    let lists = ["[possible values: ", "expected one of "];
    let list = lists.iter().find_map(|before| {
        let (_, list) = message.split_once(before)?;
        list.lines().next()
    });
    let list = list.unwrap_or_else(|| panic!("{message}"));
    let list = list.trim_end_matches(']').split(", ");
    list.map(str::to_owned).collect()
}

/// Returns the names of the fields of the first JSON object that `urlint` prints, in their order.
fn fields(args: &[&str]) -> Vec<String> {
    let printed = urlint(args);
    let line = printed.lines().next().unwrap();
    let Value::Object(object) = serde_json::from_str(line).unwrap() else {
        panic!("{line}");
    };
    // The parser sorts them.
    let mut names: Vec<_> = object.keys().cloned().collect();
    names.sort_by_key(|name| line.find(&format!("\"{name}\":")));
    names
}

#[test]
fn the_commands_print_what_it_says() {
    let files = PAGES.iter().map(|page| path_of(page.name));
    let wrong: Vec<_> = files
        .flat_map(|file| transcripts::differences(&file, root()))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_file_is_a_page() {
    let files = fs::read_dir(root().join("src/manual")).unwrap();
    let files = files.filter_map(|entry| {
        let name = entry.unwrap().file_name().into_string().unwrap();
        Some(name.strip_suffix(".md")?.to_owned())
    });
    let pages: BTreeSet<_> = PAGES.iter().map(|page| page.name.to_owned()).collect();
    assert_eq!(files.collect::<BTreeSet<_>>(), pages);
    for page in PAGES {
        assert!(page.text.starts_with("# "), "{}", page.name);
        assert!(!page.summary.ends_with('.'), "{}", page.name);
    }
}

#[test]
fn speeds_are_the_recorded_ratios() {
    let record = fs::read_to_string(root().join("tests/benches/ratios.md")).unwrap();
    let recorded = rows(&record);
    let ratio = |text: &str, what: &str, peer: &str| {
        let row = recorded.iter().find(|row| row[..3] == [text, what, peer]);
        row.unwrap_or_else(|| panic!("{text}, {what}, {peer}"))[3]
    };
    let mut table = String::from(
        "\n| text | find, linkify | find and judge, linkify | extract, `rg -a -o -i` | extract, `wc -l` |\n|---|---|---|---|---|\n",
    );
    for (text, name) in [("rfc", "RFCs"), ("mail", "mail"), ("dense", "only URLs")] {
        let ratios = [
            ratio(text, "urlint find", "linkify"),
            ratio(text, "+ judge rfc1738", "linkify"),
            ratio(text, "extract", "rg -a -o -i"),
            ratio(text, "extract", "wc -l"),
        ];
        writeln!(table, "| {name} | {} |", ratios.join(" | ")).unwrap();
    }
    table.push('\n');
    assert_block("speed", "ratios", &table);
}

#[test]
fn all_rules_are_listed() {
    let (mut list, mut group) = (String::new(), None);
    for rule in Rule::ALL {
        if group != Some(rule.group()) {
            group = Some(rule.group());
            let head = "| rule | severity and record | summary |\n|---|---|---|";
            write!(list, "\n### {}\n\n{head}\n", rule.group()).unwrap();
        }
        let summary = rule.summary().replace('|', "\\|").replace('\n', " ");
        writeln!(list, "| `{rule}` | {} | {summary} |", rule.record()).unwrap();
    }
    list.push('\n');
    assert_block("rules", "rules", &list);
}

#[test]
fn the_keys_are_those_of_the_configuration() {
    let schema: Value = serde_json::from_str(&urlint(&["schema"])).unwrap();
    let mut table = String::from("\n| key | value | default | meaning |\n|---|---|---|---|\n");
    let page = read("configuration");
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    for name in Keys::names() {
        let key = &schema["properties"][name];
        let default = match (*name, key.get("default")) {
            ("select", _) => "see [rules]".to_owned(),
            // It is the same in TOML.
            (_, Some(default)) => format!("`{default}`"),
            (_, None) => "none".to_owned(),
        };
        let mut description = key["description"].as_str().unwrap().to_owned();
        for page in PAGES {
            let command = format!("`urlint help {}`", page.name);
            description = description.replace(&command, &format!("[{}]", page.name));
        }
        let (meaning, more) = description.split_once("\n\n").unwrap_or((&description, ""));
        let value = taken(key, &schema);
        writeln!(table, "| `{name}` | {value} | {default} | {meaning} |").unwrap();
        // The further description of a key is the same for editors.
        let more = format!("- **`{name}`**: {more}");
        assert!(more.ends_with(": ") || page.contains(&more), "{more}");
    }
    table.push('\n');
    assert_block("configuration", "keys", &table);
}

/// Returns the words of the manual for the values that a schema takes.
fn taken(of: &Value, schema: &Value) -> String {
    let one = |of: &Value| taken(of, schema);
    if let Some(reference) = of["$ref"].as_str() {
        one(schema.pointer(&reference[1..]).unwrap())
    } else if let Some(title) = of["title"].as_str() {
        title.to_owned()
    } else if of["type"] == "array" {
        format!("list: {}", one(&of["items"]))
    } else if of["type"] == "object" && of["propertyNames"].is_object() {
        let [key, value] = ["propertyNames", "additionalProperties"].map(|key| one(&of[key]));
        format!("table: {key} = {value}")
    } else if let Some(names) = of["enum"].as_array() {
        let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
        let (last, others) = names.split_last().unwrap();
        format!("{} or {last}", others.join(", "))
    } else if let Some(all) = of["anyOf"].as_array() {
        one(&all[0])
    } else {
        of["type"].as_str().unwrap().to_owned()
    }
}

#[test]
fn key_defaults() {
    let table = block("configuration", "keys");
    let settings = urlint(&["check", "--isolated", "--show-settings", "fixtures"]);
    let mut checked = 0;
    for line in settings.lines().filter(|line| line.ends_with("# default")) {
        let Some((key, value)) = line.split_once(" = ") else {
            continue;
        };
        let value = value.trim_end_matches("# default").trim();
        let row = rows(&table)
            .into_iter()
            .find(|row| row[0] == format!("`{key}`"));
        let row = row.unwrap_or_else(|| panic!("no key `{key}`"));
        assert_eq!(row[2], format!("`{value}`"), "{key}");
        checked += 1;
    }
    assert!(checked > 10, "{settings}");
    for name in names(&table) {
        let message = urlint(&["check", "--config", &format!("{name}=[[1]]"), SAMPLE]);
        assert!(!message.contains("unknown key"), "{message}");
    }
}

/// Every example of a configuration is read without a mistake.
#[test]
fn the_configuration_is_one() {
    let page = read("configuration");
    let blocks = page.split("```toml\n").skip(1);
    let blocks: Vec<_> = blocks
        .filter_map(|block| block.split("```").next())
        .collect();
    assert!(!blocks.is_empty());
    for block in blocks {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("urlint.toml");
        fs::write(&file, block).unwrap();
        let shown = urlint(&[
            "check",
            "--config",
            file.to_str().unwrap(),
            "--show-settings",
            "fixtures",
        ]);
        assert!(shown.starts_with("# Settings for fixtures\n"), "{shown}");
    }
}

#[test]
fn the_values_of_flags_are_all_there() {
    let formats = "| format | ";
    let cases = [
        (
            "check",
            "--output-format",
            block("formats", "check formats"),
        ),
        (
            "extract",
            "--output-format",
            block("formats", "extract formats"),
        ),
        (
            "extract",
            "--delimiter",
            table(&read("finding"), "| delimiter |").to_owned(),
        ),
        (
            "extract",
            "--rejoin",
            table(&read("rejoining"), "| value |").to_owned(),
        ),
        (
            "extract",
            "--type",
            table(&read("documents"), "| kind |").to_owned(),
        ),
    ];
    for (command, flag, table) in cases {
        assert_eq!(names(&table), values(command, flag), "{command} {flag}");
    }
    assert!(block("formats", "check formats").contains(formats));
    let kinds: Vec<_> = Kind::ALL.iter().map(|kind| kind.name()).collect();
    assert_eq!(kinds, values("check", "--type"));
}

#[test]
fn the_fields_of_json_are_all_there() {
    let json = ["--output-format", "json-lines"];
    let check = fields(&[&["check", SAMPLE][..], &json].concat());
    assert_eq!(names(&block("formats", "check fields")), check);
    let parse = fields(&[&["parse", "http://a.example/"][..], &json].concat());
    assert_eq!(names(&block("formats", "parse fields")), parse);
    let rule = fields(&[&["rule", "bad-port"][..], &json].concat());
    assert_eq!(names(&block("formats", "rule fields")), rule);
    let usual = fields(&[&["extract", SAMPLE][..], &json].concat());
    assert_eq!(names(&block("formats", "extract fields")), usual);
    let blocks = [
        "extract fields",
        "more fields",
        "link fields",
        "message fields",
        "archive fields",
    ];
    let blocks = blocks.map(|name| block("formats", name));
    let mut described: Vec<_> = blocks.iter().flat_map(|block| names(block)).collect();
    let mut all = fields(&[&["extract", SAMPLE, "--fields", "all"][..], &json].concat());
    described.sort();
    all.sort();
    assert_eq!(described, all);
}

#[test]
fn every_command_and_flag_is_described_and_exists() {
    let manual: String = PAGES.iter().map(|page| page.text).collect();
    let introduction = read("introduction");
    let mut flags = BTreeSet::new();
    for command in commands() {
        let named = [' ', '`'].map(|end| format!("| `urlint {command}{end}"));
        let is_named = named.iter().any(|named| introduction.contains(named));
        assert!(is_named, "{command}");
        flags.extend(flags_in(&urlint(&[&command, "--help"])));
    }
    // The section about other programs has their flags.
    let integration = read("integration");
    let (_, handover) = integration.split_once("\n## Handover").unwrap();
    let manual = manual.replace(handover, "");
    let described: BTreeSet<_> = flags_in(&manual).into_iter().collect();
    // Flags that everybody knows, and flags of other programs.
    let foreign = [
        "--help",
        "--version",
        "--batch",
        "--bench",
        "--dir",
        "--features",
        "--find-links",
        "--git",
        "--ignore-scripts",
        "--install-extension",
        "--master",
        "--no-index",
        "--open",
        "--partitions",
        "--path",
        "--prefix",
        "--py-files",
        "--reverse",
    ];
    let is_own = |flag: &&String| !foreign.contains(&flag.as_str());
    let missing: Vec<_> = flags.difference(&described).filter(is_own).collect();
    assert!(missing.is_empty(), "not in the manual: {missing:?}");
    let unknown: Vec<_> = described.difference(&flags).filter(is_own).collect();
    assert!(unknown.is_empty(), "no flags: {unknown:?}");
}

/// A command with more flags than this is hard to learn: one that is added replaces another.
#[test]
fn commands_have_few_flags() {
    // Those of every command, and another name of one.
    let common = [
        "--color",
        "--quiet",
        "--verbose",
        "--help",
        "--version",
        "--format",
    ];
    for (command, most) in [("check", 38), ("extract", 46)] {
        let flags: BTreeSet<_> = flags_in(&urlint(&[command, "--help"]))
            .into_iter()
            .collect();
        let own = flags.iter().filter(|flag| !common.contains(&flag.as_str()));
        let own: Vec<_> = own.collect();
        assert!(own.len() <= most, "{command} has {}: {own:?}", own.len());
    }
}

/// Returns the names of the commands, as the list in the command's own help has them.
fn commands() -> Vec<String> {
    let help = urlint(&["--help"]);
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = lines.take_while(|line| !line.is_empty());
    names
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Returns everything in `text` that looks like a long flag.
fn flags_in(text: &str) -> Vec<String> {
    let is_part = |c: char| c.is_ascii_lowercase() || c == '-';
    let words = text.split(|c: char| !is_part(c));
    let flags =
        words.filter(|word| word.len() > 3 && word.starts_with("--") && !word.ends_with('-'));
    flags.map(str::to_owned).collect()
}

/// Returns the anchor that GitHub gives a heading.
fn anchor(heading: &str) -> String {
    let is_kept = |c: &char| c.is_alphanumeric() || " -_".contains(*c);
    let kept: String = heading.to_lowercase().chars().filter(is_kept).collect();
    kept.replace(' ', "-")
}

/// Returns the targets of the links of a file of Markdown, those that have none as `[text]`, and its anchors.
fn links(text: &str) -> (Vec<String>, BTreeSet<String>) {
    let mut undefined = Vec::new();
    let mut note = |link: BrokenLink<'_>| {
        undefined.push(format!("[{}]", link.reference));
        None
    };
    let options = Options::ENABLE_TABLES;
    let (mut targets, mut anchors) = (Vec::new(), BTreeSet::new());
    let mut heading = None::<String>;
    for event in Parser::new_with_broken_link_callback(text, options, Some(&mut note)) {
        match event {
            Event::Start(Tag::Link { dest_url, .. }) => targets.push(dest_url.into_string()),
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => {
                anchors.extend(heading.take().map(|text| anchor(&text)));
            }
            Event::Text(text) | Event::Code(text) => {
                heading.iter_mut().for_each(|all| all.push_str(&text));
            }
            _ => {}
        }
    }
    targets.extend(undefined);
    (targets, anchors)
}

/// On GitHub, each link of the files leads to a file or a heading, and no brackets are left.
#[test]
fn each_link_leads_somewhere() {
    let mut files: Vec<_> = PAGES.iter().map(|page| path_of(page.name)).collect();
    let others = ["README.md", ".github/CONTRIBUTING.md", "tests/README.md"];
    files.extend(others.map(|name| root().join(name)));
    let mut wrong = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let (targets, anchors) = links(&text);
        for target in targets.iter().filter(|target| !target.contains("://")) {
            let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
            let other = file.parent().unwrap().join(path);
            let anchors = if path.ends_with(".md") && other.exists() {
                &links(&fs::read_to_string(&other).unwrap()).1
            } else {
                &anchors
            };
            let leads = path.is_empty() || other.exists();
            if !leads || !(anchor.is_empty() || anchors.contains(anchor)) {
                wrong.push(format!("{}: {target}", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
