//! Archives and mail of others: records as `warcio` has them, and mail as Python's `mailbox` has it,
//! however it is packed; the same, or known to differ and why.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;
use urlint::archive::{Item, Opener, Source};

use crate::needs::{answer, script, shared, shared_files};
use crate::support::arrival::assert_arrives;
use crate::support::command::run;
use crate::support::conformance::lines;
use crate::support::packing::{METHODS, gzip, tar, zip};
use crate::support::same::assert_same;

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

/// Returns the answer of Python about `paths`.
fn python(paths: &[PathBuf]) -> Vec<Value> {
    let paths = paths.iter().map(|path| format!("{}\n", path.display()));
    lines(&answer(
        script("archives.py"),
        paths.collect::<String>().as_bytes(),
    ))
}

/// The contents of a container, by the name of the member.
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
        let opened = opener.open_file(&source, &file, &mut &file, &mut |item| members.take(item));
        opened.unwrap();
        members
    }
}

fn name(source: &Source) -> String {
    String::from_utf8(source.member.clone().unwrap_or_default()).unwrap()
}

impl Members {
    fn take(&mut self, item: Item<'_>) -> io::Result<()> {
        match item {
            Item::Source(source, mut content) => {
                let mut text = Vec::new();
                content.read_to_end(&mut text)?;
                self.sources.insert(name(source), text);
            }
            Item::Fault(source, fault, at) => {
                self.faults
                    .push(format!("{}: {fault} at {at}", name(source)));
            }
            Item::Skipped(source, why) => {
                self.skipped.insert(name(source), why.to_string());
            }
        }
        Ok(())
    }
}

/// Returns the differences of a record.
fn differences(ours: &Members, theirs: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let number = theirs["number"].to_string();
    let head = ours.sources.get(&format!("{number}!head"));
    let head = String::from_utf8_lossy(head.map_or(&[], |head| head));
    // The first line of the rest of a header is the line of the record.
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

pub(crate) fn records_are_those_of_warcio() {
    let folder = fs::read_dir(shared("corpora/warc")).unwrap();
    let mut paths: Vec<_> = folder.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let lines = python(&paths);
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
    assert!(records > 20, "{records} records of {} files", paths.len());
    assert!(unexpected.is_empty(), "{}", unexpected.join("\n"));
    assert_eq!(known.len(), DIFFERENT.len(), "fewer differ than are listed");
}

/// Returns the list, without the file and the names of the archives that a message is in.
fn rows(folder: &Path, file: &str, archive: &str) -> Vec<Value> {
    let ran = run(
        folder,
        &["extract", "--output-format", "json-lines", file],
        b"",
    );
    assert_eq!(ran.code, Some(0), "{file}: {}", ran.stderr);
    let list = ran.text();
    let rows = list.lines().map(|row| {
        let mut row: Value = serde_json::from_str(row).unwrap();
        let member = row["member"].take();
        let member = member.as_str().unwrap_or_default();
        row["member"] = member.strip_prefix(archive).unwrap_or(member).into();
        row["path"].take();
        row
    });
    rows.collect()
}

/// Returns the files packed in all ways: the name of the packed file, its bytes, and the text before the
/// names of its members.
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
        all.push(("inner.tar.gz".into(), gzip(&tar(files)), format!("{name}!")));
        all.push(("a.tar".into(), tar(files), format!("{name}!")));
        all.push(("a.zip".into(), zip(files), format!("{name}!")));
    } else {
        all.push(("a.tar".into(), tar(files), String::new()));
        all.push(("a.tar.gz".into(), gzip(&tar(files)), String::new()));
        all.push(("a.zip".into(), zip(files), String::new()));
    }
    all
}

pub(crate) fn mailboxes_are_the_same_however_they_are_packed() {
    let names = ["cypherpunks-wrapped.mbox", "linux-mips-stretch.mbox"];
    let paths: Vec<_> = names.map(|name| shared("corpora/mail").join(name)).into();
    let lines = python(&paths);
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
        assert!(!plain.is_empty(), "{name}: {} messages", messages.len());
        for (packed_name, bytes, archive) in packed(&[(name, &source)]) {
            fs::write(folder.path().join(&packed_name), bytes).unwrap();
            let packed = rows(folder.path(), &packed_name, &archive);
            assert!(packed == plain, "{packed_name}: {} URLs", packed.len());
        }
    }
}

pub(crate) fn a_maildir_is_the_same_however_it_is_packed() {
    let entries = fs::read_dir(shared("corpora/mail/maildir")).unwrap();
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
    let lines = python(&[mail]);
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
    assert!(!theirs.is_empty() && !plain.is_empty());
}

fn without_member(mut row: Value) -> Value {
    row["member"].take();
    row
}

/// Archives that others wrote: each leads to the known number of URLs and exit code.
pub(crate) fn real_web_archives() {
    let folder = shared("corpora/warc");
    for (name, urls, code) in [
        ("bad.arc", 3, 2),
        ("example-iana.org-chunked.warc", 44, 0),
        ("example-trunc.warc", 3, 2),
        ("example-space-in-url.arc", 2, 2),
        ("example-wrong-chunks.warc.gz", 3, 0),
        ("example.arc.gz", 2, 0),
        ("example.warc", 5, 0),
        ("example.warc.gz", 5, 0),
        ("whirlwind.warc.wet.gz", 2, 0),
    ] {
        let ran = run(&folder, &["extract", name], b"");
        assert_eq!(ran.text().lines().count(), urls, "{name}");
        assert_eq!(ran.code, Some(code), "{name}: {}", ran.stderr);
        assert_eq!(ran.stderr.is_empty(), code == 0, "{name}");
    }
}

pub(crate) fn any_number_of_threads_lists_the_same() {
    for name in ["mail", "news", "docs", "warc"] {
        assert_same(&shared("corpora"), &[name]);
    }
}

/// Texts of every kind that is read in pieces.
pub(crate) fn windows_and_compression_change_nothing() {
    for path in [
        "mail/cypherpunks-wrapped.mbox",
        "warc/example.warc",
        "warc/whirlwind.warc.wet",
        "warc/example.arc",
    ] {
        let source = fs::read(shared("corpora").join(path)).unwrap();
        assert_arrives(path.rsplit('/').next().unwrap(), &source);
    }
    let rfcs = shared_files("corpora/rfc");
    let texts = rfcs.iter().map(|path| fs::read(path).unwrap());
    // The oldest have no URLs.
    let has_url = |text: &Vec<u8>| text.windows(3).any(|bytes| bytes == b"://");
    let text: Vec<u8> = texts.filter(has_url).take(4).flatten().collect();
    assert_arrives("rfcs.txt", &text);
}
