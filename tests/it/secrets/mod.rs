//! No part of a password is in anything that `check` prints.

mod forms;

use std::collections::{BTreeMap, BTreeSet};

use crate::support::command::{Folder, Ran};
use forms::{LEAK, PASSWORD, forms, sequence};

/// What prints diagnostics in all ways.
const RUNS: &[&[&str]] = &[
    &["--output-format", "full"],
    &["--output-format", "full", "--standard", "rfc3986"],
    &["--output-format", "full", "--standard", "whatwg"],
    &["--output-format", "full", "--rejoin", "never"],
    &["--output-format", "concise"],
    &["--output-format", "json"],
    &["--output-format", "json-lines"],
    &["--output-format", "sarif"],
    &["--output-format", "github"],
    &["--output-format", "gitlab"],
    &["--output-format", "junit"],
    &["--output-format", "checkstyle"],
    &["--output-format", "rdjson"],
    &["--statistics"],
    &["--show-skipped", "--verbose"],
    &["--diff"],
    &["--diff", "--unsafe-fixes"],
];

#[test]
fn count() {
    let forms = forms();
    eprintln!("{} forms", forms.len());
    let folder = Folder::new();
    for form in &forms {
        folder.write(&form.file, &form.text);
    }
    let sequence = sequence();
    let is_letter: Vec<bool> = (0..=u8::MAX).map(|byte| sequence.contains(&byte)).collect();
    let place: BTreeMap<&[u8], usize> = sequence.windows(LEAK).zip(0..).collect();
    let mut all: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
    for run in RUNS {
        let args = [&["check", "--select", "ALL", "--no-cache", "."][..], run].concat();
        let args: Vec<_> = args.into_iter().filter(|arg| *arg != "--no-cache").collect();
        let ran: Ran = folder.run(&args, b"");
        let out = [ran.stdout.as_slice(), ran.stderr.as_bytes()].concat();
        let mut leaks = BTreeMap::new();
        for word in out.split(|byte| !is_letter[usize::from(*byte)]) {
            for window in word.windows(LEAK) {
                let Some(at) = place.get(window) else { continue };
                // What lies over two passwords is neither's.
                let form = at / PASSWORD;
                if form < forms.len() && at % PASSWORD <= PASSWORD - LEAK {
                    *leaks.entry(form).or_insert(0) += 1;
                    all.entry(form).or_default().insert(run.join(" "));
                }
            }
        }
        let mut families: BTreeMap<&str, usize> = BTreeMap::new();
        for &form in leaks.keys() {
            *families.entry(forms[form].family).or_default() += 1;
        }
        eprintln!("{:?} {:?} bytes {}: {} {families:?}", run, ran.code, out.len(), leaks.len());
    }
    let mut families: BTreeMap<&str, usize> = BTreeMap::new();
    for &form in all.keys() {
        *families.entry(forms[form].family).or_default() += 1;
    }
    eprintln!("ALL {} {families:?}", all.len());
    if let Ok(name) = std::env::var("LEAKS") {
        let mut text = String::new();
        for (form, runs) in &all {
            text += &format!("{} {:?} {:?}\n", forms[*form].file, String::from_utf8_lossy(&forms[*form].text), runs);
        }
        std::fs::write(&name, text).unwrap();
        for form in &forms {
            std::fs::create_dir_all(format!("{name}.d")).unwrap();
            std::fs::write(format!("{name}.d/{}", form.file), &form.text).unwrap();
        }
    }
}
