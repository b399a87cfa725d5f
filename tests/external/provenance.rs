//! The origin of URLs, by urlint and by Python's libraries for the same files: both are the same, or the
//! difference is known and explained.

use std::process::{Command, Stdio};

use crate::needs::{answer, script, shared, shared_files};
use crate::support::command::{Folder, URLINT};

/// Returns the differences in these files of the corpora; `fields` are the compared ones.
fn differences(what: &str, files: &[&str], flags: &[&str], fields: &str) -> Vec<String> {
    let listed = Command::new(URLINT)
        .args([
            "extract",
            "--quiet",
            "--isolated",
            "--no-ignore",
            "--hidden",
        ])
        .args(["--output-format", "json-lines", "--fields", fields])
        .args(flags)
        .args(files.iter().map(|path| shared(path)))
        // Some of the corpora are broken, which is reported.
        .stderr(Stdio::null())
        .output()
        .unwrap();
    let mut compare = script("provenance.py");
    compare.arg(what);
    let printed = answer(compare, &listed.stdout);
    printed.lines().map(str::to_owned).collect()
}

/// Asserts that nothing differs but the fields of the files in `known`, each with its reason.
fn assert_known(differences: &[String], known: &[(&str, &str)]) {
    let is_known = |line: &&String| known.iter().any(|(start, _)| line.starts_with(start));
    let unknown: Vec<_> = differences.iter().filter(|line| !is_known(line)).collect();
    assert!(unknown.is_empty(), "{unknown:#?}");
    for (start, why) in known {
        let is_there = differences.iter().any(|line| line.starts_with(start));
        assert!(is_there, "no longer differs: {start} ({why})");
    }
}

pub(crate) fn messages_are_those_of_email() {
    let fields = "path,member,kind,message-id,date,from,to,subject,list-id";
    let differences = differences("mail", &["corpora/mail", "corpora/news"], &[], fields);
    let known = [
        (
            "lhost-amazonses-02.eml ",
            "the first URL is in a message that the bounce holds, which counts for itself",
        ),
        (
            "lhost-googlegroups-14.eml None date ",
            "a day of three digits: 029",
        ),
        (
            "00035.7ce3307b56dd90453027a6630179282e.txt None from ",
            "in EUC-KR without a word of it, which Python reads as US-ASCII",
        ),
        (
            "00035.7ce3307b56dd90453027a6630179282e.txt None subject ",
            "the same",
        ),
        (
            "00072.d519a73b92f487519c2bc5ba45f5eb2c.txt 1 subject ",
            "in windows-1252 without a word of it, which Python reads as US-ASCII",
        ),
        (
            "00068.d10af636a6082d5172ceb34a944486e6.txt 1 date ",
            "an offset without a sign: 01800",
        ),
    ];
    assert_known(&differences, &known);
}

pub(crate) fn links_are_those_of_html5lib() {
    let is_page = |path: &&std::path::PathBuf| {
        let extension = path.extension().and_then(|extension| extension.to_str());
        matches!(extension, Some("html" | "htm"))
    };
    let pages: Vec<_> = shared_files("corpora")
        .into_iter()
        .filter(|path| is_page(&path))
        .collect();
    let pages: Vec<_> = pages.iter().map(|path| path.to_str().unwrap()).collect();
    let fields = "path,member,url,delimiter,kind,element,attribute,anchor,title,rel";
    let differences = differences("html", &pages, &["--type", "html"], fields);
    assert_known(&differences, &[]);
}

pub(crate) fn records_are_those_of_warcio() {
    let fields = "path,member,warc-target,warc-date,warc-type,status";
    let differences = differences("warc", &["corpora/warc"], &[], fields);
    let known = [(
        "example-space-in-target-uri.warc.gz 2!head warc-target ",
        "spaces, which warcio encodes",
    )];
    assert_known(&differences, &known);
}

pub(crate) fn relative_links_are_those_of_urljoin() {
    let mut pages = script("provenance.py");
    pages.arg("pages");
    let folder = Folder::of(&[("pages.warc", answer(pages, b""))]);
    let pages = folder.path().join("pages.warc");
    let archives = [pages.to_str().unwrap(), "corpora/warc/whirlwind.warc.gz"];
    let fields = "path,member,url,resolved,attribute";
    let mut differences = differences("resolve", &archives, &["--resolve"], fields);
    let compared = differences.pop().unwrap();
    let known = [(
        "whirlwind.warc.gz 3 ",
        "`#` at the end, which urljoin drops",
    )];
    assert_known(&differences, &known);
    let (number, _) = compared.split_once(' ').unwrap();
    assert!(number.parse::<usize>().unwrap() > 2000, "{compared}");
}
