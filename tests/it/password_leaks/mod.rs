//! No part of a password is in anything that is printed where passwords are hidden.

mod forms;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read as _;

use flate2::read::GzDecoder;
use urlint::lint::Selector;
use urlint::{Event, Reader, Settings, Standard};

use crate::support::command::{FORMATS, Folder, run};
use crate::support::decoding::base64_bytes;
use forms::{Form, LEAK, PASSWORD, forms, sequence};
use urlint_testing::share;

/// A command, its exit code, and a text in its output.
type Run = (&'static str, i32, &'static str);

/// These are run with all formats.
const CHECKS: [Run; 4] = [
    ("check --select ALL", 1, "Found"),
    (
        "check --select ALL --rejoin never --standard rfc3986",
        1,
        "Found",
    ),
    (
        "check --select ALL --standard whatwg --schemeless",
        1,
        "Found",
    ),
    ("check --select unsafe-character --deep", 1, "Found"),
];

const CHANGES: [Run; 5] = [
    ("check --update-baseline --baseline", 0, "baseline"),
    ("check --select ALL --diff", 1, "@@"),
    ("check --select ALL --diff --unsafe-fixes", 1, "@@"),
    ("check --select ALL -v --fix-only", 0, "Fixed"),
    ("check --select ALL -v --fix --unsafe-fixes", 1, "Fixed"),
];

const FIELDS: &str = "extract --redact --rejoin never \
    --fields url,found,fragment,alternatives,host,context,anchor,title,subject";

const LISTS: [Run; 4] = [
    (
        "check --select ALL --statistics --verbose",
        1,
        "host-not-public",
    ),
    ("extract --redact", 0, "***"),
    ("extract --redact --normalize", 0, "***"),
    (FIELDS, 0, "***"),
];

/// Marks in the texts or the names of files of which a part of the password is shown, as the manual says, and
/// the greatest number of them. Programs do not know the word as a way of writing `@`, and the login in such
/// a file begins in a header and continues in the body.
const LEFT: [&str; 2] = [" at ", "-shattered.eml"];
const MOST_LEFT: usize = 5;

/// Finds parts of the passwords of forms.
pub(crate) struct Finder {
    forms: Vec<Form>,
    /// Where each run of letters is in all passwords together.
    places: BTreeMap<Vec<u8>, usize>,
    leaks: BTreeSet<usize>,
}

impl Finder {
    pub(crate) fn new() -> Self {
        let sequence = sequence();
        let runs = sequence.as_bytes().windows(LEAK).map(<[u8]>::to_vec);
        let places = runs.zip(0..).collect();
        let mut forms = forms();
        assert!(forms.len() > 3500, "{}", forms.len());
        // Each form has the password of its number, so those that are not tried stay in the list.
        let step = share(37, 1);
        for (number, form) in forms.iter_mut().enumerate() {
            form.is_tried = number % step == 0;
        }
        Finder {
            forms,
            places,
            leaks: BTreeSet::new(),
        }
    }

    /// Returns the names of files and their texts.
    pub(crate) fn forms(&self) -> impl Iterator<Item = (&str, &str)> {
        let tried = self.forms.iter().filter(|form| form.is_tried);
        tried.map(|form| (&*form.file, &*form.text))
    }

    /// Notes the forms of which a part of the password is in `shown`.
    pub(crate) fn look_at(&mut self, shown: impl AsRef<[u8]>) {
        let words = shown.as_ref().split(|byte| !byte.is_ascii_uppercase());
        for window in words.flat_map(|word| word.windows(LEAK)) {
            let at = self.places.get(window).copied().unwrap_or(usize::MAX);
            // A text that reaches over two passwords is a part of neither.
            if at % PASSWORD <= PASSWORD - LEAK {
                self.leaks.insert(at / PASSWORD);
            }
        }
    }

    /// Runs a command on all forms, which writes each of `formats` to a file.
    fn run(&mut self, (args, code, said): Run, formats: &[&str]) {
        let (inputs, outputs) = (Folder::new(), Folder::new());
        for (file, text) in self.forms() {
            inputs.write(file, text);
        }
        let path = |name: &str| outputs.path().join(name).display().to_string();
        let mut args: Vec<_> = args.split_whitespace().map(str::to_owned).collect();
        args.extend(
            args.ends_with(&["--baseline".into()])
                .then(|| path("baseline")),
        );
        args.extend(
            formats
                .iter()
                .map(|name| format!("--output-format={name}={}", path(name))),
        );
        let args: Vec<_> = args.iter().map(String::as_str).collect();
        let ran = run(inputs.path(), &args, b"");
        let shown = ran.text() + &ran.stderr;
        assert!(
            ran.code == Some(code) && shown.contains(said),
            "{args:?}: {}",
            ran.stderr
        );
        self.look_at(shown);
        for file in fs::read_dir(outputs.path()).unwrap() {
            let shown = fs::read_to_string(file.unwrap().path()).unwrap();
            assert!(shown.contains("-wrapped.txt"), "{args:?}");
            self.look_at(readable(&shown));
        }
    }

    /// Fails if more passwords are shown than the known ones.
    pub(crate) fn assert_hidden(&self) {
        let leaks = self.leaks.iter().filter_map(|&leak| self.forms.get(leak));
        let is_left = |form: &&Form| {
            LEFT.iter()
                .any(|left| form.text.contains(left) || form.file.contains(left))
        };
        let (left, new): (Vec<_>, Vec<_>) = leaks.partition(is_left);
        assert!(
            new.is_empty() && left.len() <= MOST_LEFT,
            "{new:#?} {left:#?}"
        );
    }
}

/// Returns `page` without the hashes of its content security policy, whose letters are chance, and with its
/// compressed rows as text.
fn readable(page: &str) -> String {
    let mut parts = page.split("'sha256-");
    let before = parts.next().unwrap_or_default().to_owned();
    let after = parts.map(|part| part.split_once('\'').expect("a hash ends").1);
    let page = after.fold(before, |page, after| page + after);
    let Some((before, rest)) = page.split_once("<script type=\"text/plain\">") else {
        return page;
    };
    let (data, after) = rest.split_once("</script>").expect("the data ends");
    let mut rows = String::new();
    let data = base64_bytes(b"", data.as_bytes());
    let decoded = GzDecoder::new(&data[..]).read_to_string(&mut rows);
    decoded.expect("rows are text in gzip");
    [before, &rows, after].concat()
}

fn assert_no_leaks(runs: &[Run], formats: &[&str]) {
    let mut finder = Finder::new();
    for &one in runs {
        finder.run(one, formats);
    }
    finder.assert_hidden();
}

#[test]
fn formats_show_no_part_of_a_password() {
    assert_no_leaks(&CHECKS, &FORMATS);
}

#[test]
fn changes_show_no_part_of_a_password() {
    assert_no_leaks(&CHANGES, &[]);
}

#[test]
fn lists_show_no_part_of_a_password() {
    assert_no_leaks(&LISTS, &[]);
}

/// The output of the library's public types when they are printed to debug a program.
#[test]
fn debug_prints_show_no_part_of_a_password() {
    let mut finder = Finder::new();
    let mut settings = Settings::default();
    settings.selection.add(Selector::All);
    let urls = urlint::Finder::default().with_schemeless(true);
    let reader = Reader::default().with_finder(urls).with_links(true);
    let mut shown = String::new();
    for (number, (file, text)) in finder.forms().enumerate() {
        let standard = Standard::ALL[number % Standard::ALL.len()];
        let settings = settings.clone().with_standard(standard);
        let read = reader.read(file.as_bytes(), text.as_bytes(), &mut |event| {
            shown += &format!("{event:?}");
            if let Event::Found(found) = event {
                let owned = found.candidate.clone().into_owned();
                shown += &format!("{owned:?} {:?} {:?}", found.link(), found.ending());
                shown += &format!("{:?}", urlint::lint::Checker::new(&settings).judge(&found));
            }
            Ok::<(), std::io::Error>(())
        });
        read.unwrap();
    }
    assert!(shown.matches("Candidate").count() > finder.forms().count());
    // Bytes may be printed as numbers.
    let numbers = shown
        .split(['[', ']', ','])
        .map(|number| number.trim().parse());
    finder.look_at(
        numbers
            .map(|number| number.unwrap_or(b' '))
            .collect::<Vec<_>>(),
    );
    finder.look_at(shown);
    finder.assert_hidden();
}
