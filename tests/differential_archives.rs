//! Records of web archives as `warcio` has them, and mail as Python's `mailbox` has it, however it
//! is packed: the same, or known to differ and why. `.ci/run` installs what this needs below
//! `target`; where it is missing, the tests say so and pass.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs, dead_code)]
#![allow(clippy::print_stderr, reason = "what is skipped is said")]

mod packing;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use packing::{METHODS, ar, run, tar, zip};
use serde_json::Value;
use tempfile::TempDir;
use urlint::archive::{Content, Fault, Opener, Sink, Source};

/// Web archives of which the two do not make the same, and why.
const DIFFERENT: [(&str, &str); 6] = [
    (
        "bad.arc",
        "lengths that are none, which urlint tells; `warcio` takes them for 0",
    ),
    (
        "example-bad-non-chunked.warc.gz",
        "all records in one member of gzip, which `warcio` refuses",
    ),
    ("example-bad.warc.gz.bad", "the same"),
    (
        "example-space-in-url.arc",
        "a record that is cut off, which urlint tells",
    ),
    (
        "example-trunc.warc",
        "a record that is longer than it says, which urlint tells",
    ),
    (
        "example-wrong-chunks.warc.gz",
        "a body that is said to be chunked and is not, which `warcio` does not read",
    ),
];

fn corpora() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpora")
}

/// What Python says about `paths`; `None` if it cannot.
fn python(paths: &[PathBuf]) -> Option<Vec<Value>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let own = root.join("target/python/bin/python3");
    let python = if own.exists() { own } else { "python3".into() };
    let mut child = Command::new(python)
        .arg(root.join("tests/differential/archives.py"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let lines: String = paths
        .iter()
        .map(|path| format!("{}\n", path.display()))
        .collect();
    // Whoever ends early does not read all.
    let _ = child.stdin.take().unwrap().write_all(lines.as_bytes());
    let output = child.wait_with_output().unwrap();
    if paths.is_empty() || !output.status.success() {
        eprintln!("skipped: python3 has no warcio, or there are no corpora");
        return None;
    }
    let lines = String::from_utf8(output.stdout).unwrap();
    let lines = lines.lines();
    Some(
        lines
            .map(|line| serde_json::from_str(line).unwrap())
            .collect(),
    )
}

/// What comes out of a container, by the name of the member.
#[derive(Default)]
struct Members {
    sources: BTreeMap<String, Vec<u8>>,
    skipped: BTreeMap<String, String>,
    faults: Vec<String>,
}

impl Members {
    fn of(path: &Path) -> Self {
        let mut members = Members::default();
        let source = Source::file(path.as_os_str().as_encoded_bytes(), false);
        let file = File::open(path).unwrap();
        let opener = Opener::default();
        let opened = opener.open_file(&source, &file, &mut &file, &mut members);
        opened.unwrap();
        members
    }
}

fn name(source: &Source) -> String {
    String::from_utf8(source.member.clone().unwrap_or_default()).unwrap()
}

impl Sink for Members {
    type Error = io::Error;

    fn source(&mut self, source: &Source, reader: &mut Content<'_>) -> Result<(), io::Error> {
        let mut text = Vec::new();
        reader.read_to_end(&mut text)?;
        self.sources.insert(name(source), text);
        Ok(())
    }

    fn fault(&mut self, source: &Source, fault: &Fault, at: u64) {
        self.faults
            .push(format!("{}: {fault} at {at}", name(source)));
    }

    fn skipped(&mut self, source: &Source, what: &str) {
        self.skipped.insert(name(source), what.to_owned());
    }
}

/// In what a record differs.
fn differences(ours: &Members, theirs: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let number = theirs["number"].to_string();
    let head = ours.sources.get(&format!("{number}!head"));
    let head = String::from_utf8_lossy(head.map_or(&[], |head| head));
    // The first line of what is left of a header is that of the record.
    let uri = head.lines().map(str::trim).find(|line| !line.is_empty());
    let uri = uri.unwrap_or_default().trim_matches(['<', '>']);
    // `warcio` mends a URI that has spaces in it.
    let told = theirs["uri"].as_str().unwrap_or_default();
    let kind = theirs["type"].as_str().unwrap();
    if uri.replace(' ', "%20") != told.replace(' ', "%20") && kind != "arc_header" {
        found.push(format!("{number}: {uri} and {told}"));
    }
    match (ours.sources.get(&number), ours.skipped.get(&number)) {
        (Some(body), None) => {
            let told = theirs["bytes"].as_str().unwrap().chars();
            let told: Vec<u8> = told.map(|byte| byte as u8).collect();
            if *body != told {
                let (ours, theirs) = (body.len(), told.len());
                found.push(format!("{number}: {ours} bytes and {theirs}"));
            }
        }
        (None, Some(what)) if what.contains(kind) || what.starts_with("image/") => {}
        (None, None) if kind == "arc_header" => {}
        (None, what) => found.push(format!("{number}: a {kind} is not read: {what:?}")),
        (Some(_), Some(what)) => found.push(format!("{number}: read and skipped: {what}")),
    }
    found
}

#[test]
fn records_are_those_of_warcio() {
    let folder = fs::read_dir(corpora().join("warc")).into_iter().flatten();
    let mut paths: Vec<_> = folder.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let Some(lines) = python(&paths) else {
        return;
    };
    let mut unexpected = Vec::new();
    let (mut known, mut records) = (BTreeSet::new(), 0);
    for path in &paths {
        let ours = Members::of(path);
        let name = path.file_name().unwrap().to_str().unwrap();
        let mut found = Vec::new();
        let mut last = 0;
        let of_file = |line: &&Value| line["path"] == *path.to_str().unwrap();
        for line in lines.iter().filter(of_file) {
            match line["error"].as_str() {
                Some(error) => found.push(format!("warcio fails with {error}")),
                None => {
                    records += 1;
                    last = line["number"].as_u64().unwrap();
                    found.extend(differences(&ours, line));
                }
            }
        }
        found.extend(ours.faults.iter().map(|fault| format!("ours: {fault}")));
        let numbers = ours.sources.keys().chain(ours.skipped.keys());
        let numbers = numbers.filter_map(|name| name.split('!').next()?.parse::<u64>().ok());
        let most = numbers.max().unwrap_or(0);
        if most > last {
            found.push(format!("{most} records and {last}"));
        }
        match DIFFERENT.iter().find(|(known, _)| *known == name) {
            Some(_) => known.extend((!found.is_empty()).then_some(name)),
            None => unexpected.extend(found.iter().map(|found| format!("{name}: {found}"))),
        }
    }
    eprintln!("{records} records of {} files", paths.len());
    assert!(unexpected.is_empty(), "{}", unexpected.join("\n"));
    assert_eq!(known.len(), DIFFERENT.len(), "fewer differ than are listed");
}

/// What is listed, without the file and the names of the archives that a message is in.
fn rows(folder: &Path, file: &str, archive: &str) -> Vec<Value> {
    let ran = run(
        folder,
        &["extract", "--output-format", "json-lines", file],
        b"",
    );
    assert_eq!(ran.code, 0, "{file}: {}", ran.messages);
    let rows = ran.results.lines().map(|row| {
        let mut row: Value = serde_json::from_str(row).unwrap();
        let member = row["member"].take();
        let member = member.as_str().unwrap_or_default();
        row["member"] = member.strip_prefix(archive).unwrap_or(member).into();
        row["path"].take();
        row
    });
    rows.collect()
}

/// All ways to pack files: how the packed one is called, it, and what stands before the names of
/// its members.
fn packed(files: &[(&str, &[u8])]) -> Vec<(String, Vec<u8>, String)> {
    let mut all = Vec::new();
    if let [(name, bytes)] = files {
        for (extension, compress) in METHODS {
            all.push((
                format!("{name}.{extension}"),
                compress(bytes),
                String::new(),
            ));
        }
        all.push((
            "inner.tar.gz".into(),
            packing::gzip(&tar(files)),
            format!("{name}!"),
        ));
        all.push(("a.tar".into(), tar(files), format!("{name}!")));
        all.push(("a.zip".into(), zip(files), format!("{name}!")));
        all.push(("a.ar".into(), ar(files), format!("{name}!")));
    } else {
        all.push(("a.tar".into(), tar(files), String::new()));
        all.push(("a.tar.gz".into(), packing::gzip(&tar(files)), String::new()));
        all.push(("a.zip".into(), zip(files), String::new()));
    }
    all
}

#[test]
fn mailboxes_are_the_same_however_they_are_packed() {
    let names = ["cypherpunks-wrapped.mbox", "linux-mips-stretch.mbox"];
    let paths: Vec<_> = names.map(|name| corpora().join("mail").join(name)).into();
    let Some(lines) = python(&paths) else {
        return;
    };
    for (path, name) in paths.iter().zip(names) {
        let folder = TempDir::new().unwrap();
        let source = fs::read(path).unwrap();
        fs::write(folder.path().join(name), &source).unwrap();
        let plain = rows(folder.path(), name, "");
        let of_file = lines
            .iter()
            .filter(|line| line["path"] == *path.to_str().unwrap());
        let messages: BTreeMap<_, _> = of_file
            .map(|line| (line["number"].as_u64(), line))
            .collect();
        for row in &plain {
            let number = row["member"]
                .as_str()
                .and_then(|number| number.parse().ok());
            let message = messages.get(&number).unwrap();
            let place = |key: &str| message[key].as_u64().unwrap();
            let at = row["start"].as_u64().unwrap();
            assert!(
                (place("start")..place("end")).contains(&at),
                "{name}: {row}"
            );
        }
        eprintln!("{name}: {} messages, {} URLs", messages.len(), plain.len());
        for (packed_name, bytes, archive) in packed(&[(name, &source)]) {
            fs::write(folder.path().join(&packed_name), bytes).unwrap();
            let packed = rows(folder.path(), &packed_name, &archive);
            assert!(packed == plain, "{packed_name}: {} URLs", packed.len());
        }
    }
}

#[test]
fn a_maildir_is_the_same_however_it_is_packed() {
    let entries = fs::read_dir(corpora().join("mail/maildir"))
        .into_iter()
        .flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let folder = TempDir::new().unwrap();
    let mail = folder.path().join("mail");
    for name in ["cur", "new", "tmp"] {
        fs::create_dir_all(mail.join(name)).unwrap();
    }
    let mut files = Vec::new();
    for (number, path) in paths.iter().enumerate() {
        let name = match number % 2 {
            0 => format!("cur/1049{number:06}.M5P6.host.example:2,S"),
            _ => format!("new/1049{number:06}.M5P6.host.example"),
        };
        let bytes = fs::read(path).unwrap();
        fs::write(mail.join(&name), &bytes).unwrap();
        files.push((name, bytes));
    }
    files.sort();
    let Some(lines) = python(&[mail]).filter(|_| !files.is_empty()) else {
        return;
    };
    let theirs: BTreeSet<_> = lines
        .iter()
        .map(|line| line["name"].as_str().unwrap())
        .collect();
    // A URL's row, but for the file that it is in.
    let plain = rows(folder.path(), "mail", "").into_iter();
    let plain: Vec<_> = plain.map(without_member).collect();
    let files: Vec<_> = files
        .iter()
        .map(|(name, bytes)| (&**name, &**bytes))
        .collect();
    for (name, bytes, archive) in packed(&files) {
        let path = folder.path().join(&name);
        fs::write(&path, bytes).unwrap();
        let members = Members::of(&path);
        assert!(
            members
                .sources
                .keys()
                .map(String::as_str)
                .eq(theirs.iter().copied()),
            "{name}"
        );
        assert!(members.skipped.is_empty() && members.faults.is_empty());
        let packed = rows(folder.path(), &name, &archive).into_iter();
        let packed: Vec<_> = packed.map(without_member).collect();
        assert!(packed == plain, "{name}: {} URLs", packed.len());
    }
    eprintln!("{} messages, {} URLs", theirs.len(), plain.len());
}

fn without_member(mut row: Value) -> Value {
    row["member"].take();
    row
}
