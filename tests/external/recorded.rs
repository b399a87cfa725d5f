//! The URLs and diagnostics of all corpora, as `fixtures/corpora.txt` records them: a change of behaviour
//! on real text is seen there, and explained in the commit that makes it.
//!
//! `SNAPSHOTS=overwrite cargo test -p urlint-external recorded` records the present results. To see the
//! changes, compare the lists of the folder named: `urlint extract --fields all --output-format csv`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;

use crate::needs::{root, shared};
use crate::support::command::run;

/// The fields that are recorded.
const FIELDS: &str = "path,member,url,alternatives,kind,delimiter,start,end,pieces,valid,rules";

/// The URLs and diagnostics of a folder.
#[derive(Default)]
struct Folder {
    urls: usize,
    diagnostics: usize,
    /// Of all rows, in their order.
    hash: crc32fast::Hasher,
}

pub(crate) fn corpora_match_the_record() {
    let read = "extract --isolated --hidden --no-ignore . --output-format json-lines --fields";
    let arguments: Vec<_> = read.split(' ').chain([FIELDS]).collect();
    let ran = run(&shared("corpora"), &arguments, b"");

    let mut counts = BTreeMap::<(&str, String), usize>::new();
    let mut folders = BTreeMap::<String, Folder>::new();
    for line in ran.text().lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let text = |name: &str| row[name].as_str().unwrap().to_owned();
        *counts.entry(("kind", text("kind"))).or_default() += 1;
        *counts.entry(("delimiter", text("delimiter"))).or_default() += 1;
        let rules = row["rules"].as_array().unwrap();
        for rule in rules {
            let rule = rule.as_str().unwrap().to_owned();
            *counts.entry(("rule", rule)).or_default() += 1;
        }
        let path = text("path");
        let parent = Path::new(&path).parent().unwrap();
        let folder = folders.entry(parent.display().to_string()).or_default();
        folder.urls += 1;
        folder.diagnostics += rules.len();
        folder.hash.update(line.as_bytes());
    }

    let mut found = String::from("# URLs\n");
    for ((what, name), count) in counts {
        writeln!(found, "{count:6} {what} {name}").unwrap();
    }
    found.push_str("\n# URLs, rules that report and the hash of all rows, by folder\n");
    for (
        name,
        Folder {
            urls,
            diagnostics,
            hash,
        },
    ) in folders
    {
        let hash = hash.finalize();
        writeln!(found, "{urls:6} {diagnostics:6} {hash:08x} {name}").unwrap();
    }
    let fixture = root().join("fixtures/corpora.txt");
    if std::env::var("SNAPSHOTS").is_ok_and(|value| value == "overwrite") {
        std::fs::write(fixture, found).unwrap();
        return;
    }
    let recorded = std::fs::read_to_string(fixture).unwrap();
    snapbox::Assert::new().eq(found, recorded);
}
