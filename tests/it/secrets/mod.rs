//! No part of a password is in anything that is printed where passwords are hidden.

#[cfg(feature = "lsp")]
mod editor;
mod forms;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;

use urlint::lint::Selector;
use urlint::{Event, Reader, Settings, Standard};

use crate::support::command::{FORMATS, Folder, Ran, run};
use forms::{Form, LEAK, PASSWORD, forms, sequence};

/// What diagnostics depend on. Each run has all formats.
const CHECKS: &[&[&str]] = &[
    &["--select", "ALL"],
    &[
        "--select",
        "ALL",
        "--rejoin",
        "never",
        "--standard",
        "rfc3986",
    ],
    &["--select", "ALL", "--standard", "whatwg", "--schemeless"],
    &["--select", "unsafe-character", "--deep"],
];

/// Other things that `check` prints.
const OTHERS: &[&[&str]] = &[
    &[
        "check",
        "--select",
        "ALL",
        "--statistics",
        "--verbose",
        "--show-skipped",
    ],
    &["check", "--select", "ALL", "--diff"],
    &["check", "--select", "ALL", "--diff", "--unsafe-fixes"],
];

/// What may still be shown: what the texts or the names of their files have in them, how many there are
/// at most, and why.
type Left = &'static [(&'static str, usize, &'static str)];

const LEFT: Left = &[
    (
        "curl -u joe:",
        5,
        "it is no URL, and nothing says that it is a login",
    ),
    (
        " at a.example",
        3,
        "the word is no way of writing `@` that programs know",
    ),
    (" at [2001:", 1, "the same"),
    (
        "-shattered.py",
        5,
        "the marks of comments are read as characters of the URL",
    ),
    ("-shattered.txt", 2, "the same"),
];

/// The same for lists.
const LEFT_IN_LISTS: Left = &[
    (
        "-shattered.",
        16,
        "the rest of a login in the words around another URL",
    ),
    ("curl -u joe:", 5, "as in what `check` prints"),
    (" at a.example", 3, "the same"),
    (" at [2001:", 1, "the same"),
];

/// The same for what is printed to debug a program.
const LEFT_IN_PRINTS: Left = &[
    ("-shattered.py", 9, "as in what `check` prints"),
    ("-shattered.txt", 2, "the same"),
];

/// The same for what the language server says.
#[cfg(feature = "lsp")]
const LEFT_IN_EDITORS: Left = LEFT;

/// Which form each run of letters is from.
struct Finder {
    places: BTreeMap<Vec<u8>, usize>,
    is_letter: Vec<bool>,
}

impl Finder {
    fn new() -> Self {
        let sequence = sequence();
        let is_letter = |byte| sequence.contains(&byte);
        Finder {
            is_letter: (0..=u8::MAX).map(is_letter).collect(),
            places: sequence
                .windows(LEAK)
                .map(<[u8]>::to_vec)
                .zip(0..)
                .collect(),
        }
    }

    /// Adds the numbers of the forms of which a part of the password is in `shown`.
    fn find(&self, shown: &[u8], leaks: &mut BTreeSet<usize>) {
        let words = shown.split(|byte| !self.is_letter[usize::from(*byte)]);
        for window in words.flat_map(|word| word.windows(LEAK)) {
            let at = self.places.get(window).copied().unwrap_or(usize::MAX);
            // What lies over two passwords is neither's.
            if at % PASSWORD <= PASSWORD - LEAK {
                leaks.insert(at / PASSWORD);
            }
        }
    }
}

/// What the public types of the library say when they are printed to debug a program.
#[test]
fn debug_prints_show_no_part_of_a_password() {
    let (forms, finder) = (forms(), Finder::new());
    let mut leaks = BTreeSet::new();
    for standard in [Standard::Rfc1738, Standard::Rfc3986, Standard::Whatwg] {
        let mut settings = Settings::default().with_standard(standard);
        settings.selection.add(Selector::All);
        let urls = urlint::Finder::default().with_schemeless(true);
        let reader = Reader::default().with_finder(urls).with_links(true);
        let mut found_in = 0;
        for form in &forms {
            let (mut shown, mut has_url) = (String::new(), false);
            let read = reader.read(form.file.as_bytes(), &form.text[..], &mut |event| {
                write!(shown, "{event:?}").unwrap();
                let Event::Found(found) = event else {
                    return Ok(());
                };
                has_url = true;
                write!(shown, "{found:#?}").unwrap();
                write!(shown, "{:?}", found.candidate.clone().into_owned()).unwrap();
                write!(shown, "{:?} {:?}", found.link(), found.ending()).unwrap();
                found.lint(&settings, &mut |diagnostic| {
                    write!(shown, "{diagnostic:?}").unwrap();
                });
                Ok::<(), std::io::Error>(())
            });
            read.unwrap();
            found_in += usize::from(has_url);
            finder.find(shown.as_bytes(), &mut leaks);
            finder.find(&numbers(&shown), &mut leaks);
        }
        assert!(found_in * 2 > forms.len(), "{standard}: {found_in}");
    }
    assert_hidden(&forms, &leaks, LEFT_IN_PRINTS);
}

/// Returns the bytes that are printed as numbers, each text of them followed by a space.
fn numbers(shown: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for text in shown.split(['[', ']']) {
        let numbers = text.split(',').map(str::trim);
        bytes.extend(numbers.map(|number| number.parse().unwrap_or(b' ')));
        bytes.push(b' ');
    }
    bytes
}

fn folder(forms: &[Form]) -> Folder {
    let folder = Folder::new();
    for form in forms {
        folder.write(&form.file, &form.text);
    }
    folder
}

/// Fails if more is shown than what is known to be, or that is more than two in a hundred.
fn assert_hidden(forms: &[Form], leaks: &BTreeSet<usize>, left: Left) {
    let mut unknown = Vec::new();
    let mut known = vec![Vec::new(); left.len()];
    for form in leaks.iter().filter_map(|&leak| forms.get(leak)) {
        let text = String::from_utf8_lossy(&form.text);
        let is_known = |known: &str| text.contains(known) || form.file.contains(known);
        let row = left.iter().position(|(known, ..)| is_known(known));
        let list = row.map_or(&mut unknown, |row| &mut known[row]);
        list.push(format!("{}: {text:?}", form.file));
    }
    for (found, (_, most, why)) in known.into_iter().zip(left) {
        if found.len() > *most {
            unknown.push(format!("{} instead of {most}: {why}", found.len()));
            unknown.extend(found);
        }
    }
    assert!(
        unknown.is_empty(),
        "{}\n{} forms",
        unknown.join("\n"),
        unknown.len()
    );
    assert!(
        leaks.len() * 100 <= forms.len() * 2,
        "{} forms",
        leaks.len()
    );
}

#[test]
fn check_shows_no_part_of_a_password() {
    let (forms, finder) = (forms(), Finder::new());
    assert!(forms.len() > 3000, "{}", forms.len());
    let (inputs, outputs) = (folder(&forms), Folder::new());
    let mut leaks = BTreeSet::new();
    for settings in CHECKS {
        let mut args = vec!["check".to_owned(), ".".to_owned()];
        args.extend(settings.iter().map(|&setting| setting.to_owned()));
        for format in FORMATS {
            let file = outputs.path().join(format);
            args.push("--output-format".to_owned());
            args.push(format!("{format}={}", file.display()));
        }
        let args: Vec<_> = args.iter().map(String::as_str).collect();
        let ran = run(inputs.path(), &args, b"");
        assert_eq!(ran.code, Some(1), "{}", ran.stderr);
        finder.find(ran.stderr.as_bytes(), &mut leaks);
        for format in FORMATS {
            let shown = outputs.read(format);
            assert!(shown.contains("-wrapped.txt"), "{format}");
            finder.find(shown.as_bytes(), &mut leaks);
        }
    }
    for args in OTHERS {
        let ran: Ran = run(inputs.path(), args, b"");
        finder.find(&ran.stdout, &mut leaks);
        finder.find(ran.stderr.as_bytes(), &mut leaks);
    }
    let baseline = outputs.path().join("baseline");
    let baseline = baseline.to_str().unwrap();
    run(
        inputs.path(),
        &["check", "--update-baseline", "--baseline", baseline],
        b"",
    );
    finder.find(outputs.read("baseline").as_bytes(), &mut leaks);
    assert_hidden(&forms, &leaks, LEFT);
}

#[test]
fn lists_show_no_part_of_a_password_with_redact() {
    let (forms, finder) = (forms(), Finder::new());
    let inputs = folder(&forms);
    let mut leaks = BTreeSet::new();
    for args in [
        &["extract", "--redact", "."][..],
        &["extract", "--redact", ".", "--normalize"],
        &[
            "extract",
            "--redact",
            ".",
            "--rejoin",
            "never",
            "--fields",
            "url,found,fragment,alternatives,host,context,anchor,title,subject",
        ],
    ] {
        let ran = run(inputs.path(), args, b"");
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        finder.find(&ran.stdout, &mut leaks);
    }
    assert_hidden(&forms, &leaks, LEFT_IN_LISTS);
}

/// What is said while files are changed. The files themselves keep their passwords.
#[test]
fn changes_show_no_part_of_a_password() {
    let (forms, finder) = (forms(), Finder::new());
    let mut leaks = BTreeSet::new();
    for (flags, code, said) in [
        (&["--add-ignore"][..], 2, "suppression comments"),
        (&["--fix-only"], 0, "Fixed"),
        (&["--fix", "--unsafe-fixes"], 1, "Fixed"),
    ] {
        let inputs = folder(&forms);
        let args = [&["check", "--select", "ALL", "-v", "."], flags].concat();
        let ran = run(inputs.path(), &args, b"");
        assert_eq!(ran.code, Some(code), "{flags:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(said), "{flags:?}: {}", ran.stderr);
        let is_changed =
            |form: &&Form| fs::read(inputs.path().join(&form.file)).unwrap() != form.text;
        let changed = forms.iter().filter(is_changed).count();
        assert!(changed > 10, "{flags:?}: {changed}");
        finder.find(&ran.stdout, &mut leaks);
        finder.find(ran.stderr.as_bytes(), &mut leaks);
    }
    assert_hidden(&forms, &leaks, LEFT);
}
