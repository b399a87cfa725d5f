//! The README shows the truth: in its commands and its list of pages. Its picture is drawn in `tests/external`.
//!
//! `SNAPSHOTS=overwrite cargo test --test it readme` writes the list anew.

use std::path::Path;

use urlint::manual::{PAGES, Page};

use crate::support::command::{Folder, run};
use crate::support::transcripts;

/// The list of the manual's pages is between these.
const MARKS: [&str; 2] = ["<!-- pages -->\n", "<!-- end of pages -->\n"];

/// The greatest number of lines of the README: as many as a newcomer reads.
const MOST_LINES: usize = 200;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn readme() -> String {
    std::fs::read_to_string(root().join("README.md")).unwrap()
}

/// Returns the text that `urlint` prints to standard output and standard error, and its exit code.
fn urlint(args: &[&str]) -> (String, Option<i32>) {
    let ran = run(root(), args, b"");
    (ran.text() + &ran.stderr, ran.code)
}

/// Returns the blocks of the README that are in this language.
fn blocks<'r>(readme: &'r str, language: &str) -> Vec<&'r str> {
    let fence = format!("```{language}\n");
    let blocks = readme.split(&*fence).skip(1);
    blocks
        .filter_map(|block| block.split("```").next())
        .collect()
}

/// A newcomer sees the output of a terminal, without the exit codes of the manual.
#[test]
fn the_commands_print_what_it_says() {
    let readme = readme();
    let blocks = blocks(&readme, "console");
    let commands = blocks
        .iter()
        .flat_map(|block| block.split("$ urlint ").skip(1));
    let mut count = 0;
    for command in commands {
        let (args, expected) = command.split_once('\n').unwrap();
        let (printed, code) = urlint(&args.split(' ').collect::<Vec<_>>());
        assert!(matches!(code, Some(0 | 1)), "{args}");
        let is_said = transcripts::matches(expected.trim_end(), printed.trim_end());
        assert!(is_said, "{args}: {printed}");
        count += 1;
    }
    assert!(count > 2);
}

/// The rule of one's own is one, and the question to an archive is answered.
#[test]
fn its_proposals_are_accepted() {
    let readme = readme();
    let [rule] = blocks(&readme, "toml")[..1] else {
        panic!("no rule");
    };
    let folder = Folder::new();
    folder.write("urlint.toml", rule);
    folder.write("a.md", "http://wiki.example.org/x\n");
    let ran = folder.run(&["check", "-q", "-f", "concise"], b"");
    assert!(ran.text().contains("the wiki has moved"), "{}", ran.text());
    let [question] = blocks(&readme, "sh")[..1] else {
        panic!("no question");
    };
    let (command, _) = question.trim_start().split_once("   #").unwrap();
    let args = command.replace("lists.mbox.gz", "fixtures/sample.txt");
    let args: Vec<_> = args.split_ascii_whitespace().skip(1).collect();
    let (printed, code) = urlint(&args);
    assert_eq!(code, Some(0), "{printed}");
    assert!(printed.starts_with("2\t"), "{printed}");
}

/// The page of ratios, of which the README repeats how urlint compares with linkify.
#[test]
fn the_speed_is_what_was_measured() {
    let ratios = std::fs::read_to_string(root().join("tests/benches/ratios.md")).unwrap();
    let rows = ratios
        .lines()
        .filter(|row| row.contains("| urlint find | linkify |"));
    let mut measured: Vec<_> = rows
        .filter_map(|row| row.split(" | ").nth(3)?.get(..3))
        .collect();
    measured.sort_unstable();
    let (least, most) = (measured.first().unwrap(), measured.last().unwrap());
    let words = format!("{least} to {most} times as fast as linkify");
    assert!(readme().contains(&words), "{words}");
}

/// Nothing else tries the blocks that are for a shell: Cargo is not run from a test.
#[test]
fn the_first_commands_do_what_it_says() {
    let readme = readme();
    // The first is the question to an archive.
    let blocks = blocks(&readme, "sh").into_iter().skip(1);
    let blocks = blocks.map(str::trim_end);
    let sample = "fixtures/sample.txt";
    let run = format!("cargo run --release -- check {sample}");
    assert_eq!(
        blocks.collect::<Vec<_>>(),
        [
            "pip install urlint",
            "cargo install --path .",
            &run,
            "cargo test"
        ]
    );
    let (printed, code) = urlint(&["check", sample]);
    assert_eq!(code, Some(1));
    assert!(printed.contains("Found 2 errors, 3 warnings in 1 file, 7 URLs."));
    for words in [
        "two errors and three warnings",
        "seven URLs, two of them over two lines",
        "| urlint | 7 | 5 faults, 2 of them above; ",
    ] {
        assert!(readme.contains(words), "{words}");
    }
    let (urls, code) = urlint(&["extract", "--fields", "pieces", sample]);
    assert_eq!(code, Some(0));
    let pieces = urls.lines().map(|pieces| pieces.split(' ').count());
    assert_eq!(pieces.collect::<Vec<_>>(), [2, 1, 1, 2, 1, 1, 1]);
    let rust = concat!("Rust ", env!("CARGO_PKG_RUST_VERSION"));
    assert!(readme.contains(rust), "{rust}");
}

#[test]
fn it_is_short_and_its_links_lead_somewhere() {
    let readme = readme();
    assert!(readme.lines().count() <= MOST_LINES);
    let links = readme.split("](").skip(1);
    let links = links.filter_map(|link| link.split(')').next());
    for link in links.filter(|link| !link.contains("://")) {
        assert!(root().join(link).exists(), "{link}");
    }
}

#[test]
fn all_pages_of_the_manual_are_listed() {
    let readme = readme();
    let [start, end] = MARKS.map(|mark| readme.find(mark).expect("both marks"));
    let start = start + MARKS[0].len();
    let list = list_of_pages();
    if std::env::var("SNAPSHOTS").is_ok_and(|value| value == "overwrite") {
        let readme = format!("{}{list}{}", &readme[..start], &readme[end..]);
        std::fs::write(root().join("README.md"), readme).unwrap();
    } else {
        assert!(
            readme[start..end] == list,
            "SNAPSHOTS=overwrite cargo test --test it readme brings the list up to date"
        );
    }
}

/// Returns a map of the manual in four lines.
fn list_of_pages() -> String {
    const LINES: [(&str, usize); 4] = [
        ("To use it", 4),
        ("What it reads", 4),
        ("What it judges and writes", 4),
        ("In other programs, and at scale", 7),
    ];
    let mut list = String::from("\n");
    let mut pages = PAGES.iter();
    for (title, number) in LINES {
        let link = |page: &Page| format!("[{0}](src/manual/{0}.md)", page.name);
        let links: Vec<_> = pages.by_ref().take(number).map(link).collect();
        list += &format!("- {title}: {}\n", links.join(", "));
    }
    assert!(pages.next().is_none());
    list + "\n"
}
