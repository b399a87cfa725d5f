//! The record of each rule: how many of its reports on labelled texts are useful. The row of a rule has it, and no severity
//! that it denies. `SNAPSHOTS=overwrite` writes the present numbers into the table.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;

use serde_json::Value;
use urlint::lint::{Checked, Checker, Group, Place, Selector};
use urlint::{Reader, Rule, Settings, Severity};

use crate::needs::{root, shared_files};
use crate::support::conformance::lines;

/// The reports of a rule at a place.
#[derive(Clone, Default)]
struct Reports {
    useful: usize,
    all: usize,
    sources: BTreeSet<String>,
}

impl Reports {
    fn add(&mut self, case: &Value) {
        self.useful += usize::from(case["label"] == "useful");
        self.all += 1;
        self.sources.insert(case["source"].to_string());
    }

    /// The severity that follows, if there are enough reports.
    fn severity(&self) -> Option<Severity> {
        let is_enough = self.all >= 20 && self.sources.len() >= 5;
        is_enough.then_some(match self.useful * 20 / self.all.max(1) {
            18.. => Severity::Error,
            15.. => Severity::Warning,
            _ => Severity::Hint,
        })
    }
}

/// Adds the reports about the text of `case`, once for each rule and place.
fn judge(case: &Value, settings: &Settings, reports: &mut BTreeMap<(Rule, Place), Reports>) {
    let [path, text] = ["path", "text"].map(|name| case[name].as_str().unwrap());
    let mut seen = BTreeSet::new();
    let report = &mut |checked: Checked<'_>| {
        if let Checked::Diagnostic(one, _) = checked {
            seen.extend(one.place.map(|place| (one.rule, place)));
        }
        Ok::<(), io::Error>(())
    };
    let checker = Checker::new(settings);
    let reader = Reader::default().with_mistakes(true).with_links(true);
    checker
        .check(&reader, path.as_bytes(), text.as_bytes(), report)
        .unwrap();
    for key in seen {
        reports.entry(key).or_default().add(case);
    }
}

pub(crate) fn rows() {
    let mut settings = Settings::default();
    settings.selection.add(Selector::All);
    let mut reports = BTreeMap::new();
    for file in shared_files("vectors") {
        let name = file.file_name().unwrap().to_string_lossy();
        if name.starts_with("reports") && !name.contains("missed") {
            for case in lines(&fs::read_to_string(&file).unwrap()) {
                judge(&case, &settings, &mut reports);
            }
        }
    }
    let table = root().join("src/lint/rule/table.rs");
    let mut rows = fs::read_to_string(&table).unwrap();
    let before = rows.clone();
    let mut wrong = Vec::new();
    for &rule in Rule::ALL {
        let mut columns = vec![Reports::default(); rule.records().len()];
        for ((_, place), found) in reports.range((rule, Place::Link)..(rule, Place::Tested)) {
            let column = columns.len().min(*place as usize + 1) - 1;
            columns[column].useful += found.useful;
            columns[column].all += found.all;
            columns[column].sources.extend(found.sources.clone());
        }
        // A login and a deception are rare, and worth an interruption. Rules of style are asked for.
        let is_kept = rule.group() == Group::Style
            || matches!(rule, Rule::Password | Rule::Homograph | Rule::BidiInvisible);
        let mut row = Vec::new();
        for ((severity, _), column) in rule.records().iter().zip(&columns) {
            let due = column.severity().filter(|_| !is_kept);
            if due.is_some_and(|due| due < *severity) {
                wrong.push(format!("{rule}: {severity}, and {due:?} by its record"));
            }
            row.push(match column.all {
                0 => format!("{severity:?}"),
                all => format!("{severity:?} {}/{all}", column.useful),
            });
        }
        let start = format!("\"{rule}\", [");
        let at = rows.find(&start).unwrap() + start.len();
        let end = at + rows[at..].find(']').unwrap();
        rows.replace_range(at..end, &row.join(", "));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    if std::env::var("SNAPSHOTS").is_ok_and(|value| value == "overwrite") {
        fs::write(&table, rows).unwrap();
        return;
    }
    let differ = before
        .lines()
        .zip(rows.lines())
        .filter(|(old, new)| old != new);
    let differ: Vec<_> = differ.collect();
    assert!(differ.is_empty(), "not the present records: {differ:#?}");
}
