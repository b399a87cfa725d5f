//! `urlint check --add-ignore`: marks put into files, so that what is reported today no longer is.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::path::Path;

use urlint::{Event, Kind, Severity, Suppressions};

use super::read::Reader;
use super::replace::{Replaced, replace};
use super::{Error, Exit, complain, count, say};
use crate::config::Configs;
use crate::walk::{Input, Inputs, Origin};

/// The longest source that marks are put into, in bytes: as far as they are looked for.
const MAX_SOURCE: usize = super::check::MAX_MARKED;

/// How a comment begins and ends.
type Comment = (&'static str, &'static str);

/// What comments look like in source code and configuration, by the file's extension.
const COMMENTS: [(&str, &str); 4] = [
    (
        "#",
        "py pyi rb pl pm sh bash zsh fish r jl toml yaml yml conf cfg properties mk cmake tf nix awk sed tcl",
    ),
    (
        "//",
        "rs c h cc hh cpp hpp go js mjs cjs ts jsx tsx java kt kts scala swift dart zig cs php proto groovy gradle",
    ),
    ("--", "sql lua hs elm adb ads"),
    (";", "lisp el scm clj asm ini"),
];

/// Marks to be put into a source: for each line, by where it begins, the rules.
type Marks = BTreeMap<usize, BTreeSet<&'static str>>;

/// What a source says before and after marks are put into it.
struct Said {
    /// The URLs, which are to stay the same.
    urls: Vec<Vec<u8>>,
    marks: Marks,
}

/// Puts marks into the files, and tells how many.
pub(super) fn add(inputs: &Inputs, configs: &Configs, reader: &Reader) -> Result<Exit, Error> {
    let (mut added, mut files, mut failed) = (0, 0, 0);
    let tally = inputs.each(configs, reader.show_skipped, &mut |input, source| {
        match marked(input, reader, source)? {
            Ok(0) => {}
            Ok(marks) => {
                added += marks;
                files += 1;
            }
            Err(why) => {
                let name = String::from_utf8_lossy(input.name);
                complain(&format!("{name}: no marks were added: {why}"));
                failed += 1;
            }
        }
        Ok(())
    })?;
    say(&match added {
        0 => "No marks were added.".to_owned(),
        _ => format!(
            "Added {} to {}.",
            count(added, "mark"),
            count(files, "file")
        ),
    });
    Ok(match tally.failed + failed {
        0 => Exit::Done,
        _ => Exit::Failed,
    })
}

/// Puts marks into a file; returns how many, or why there are none.
fn marked(
    input: &Input<'_>,
    reader: &Reader,
    source: &mut dyn Read,
) -> io::Result<Result<u64, String>> {
    if !input.can_be_mended() {
        return Ok(Ok(0));
    }
    let Origin::File(path) = input.origin else {
        return Ok(Err("standard input is no file".to_owned()));
    };
    let mut text = Vec::new();
    source.take(MAX_SOURCE as u64 + 1).read_to_end(&mut text)?;
    if text.len() > MAX_SOURCE {
        return Ok(Err(format!("longer than {} MiB", MAX_SOURCE >> 20)));
    }
    let reader = reader.reader(input, false);
    let said = said(input, &reader, &text)?;
    if said.marks.is_empty() {
        return Ok(Ok(0));
    }
    let kind = reader.kind_of(input.name, &text[..])?;
    let Some(comment) = comment(kind, path) else {
        let way_out = "use a baseline, or ignore-urls in the configuration";
        return Ok(Err(format!("it has no comments; {way_out}")));
    };
    // A comment in a line of its own would end a paragraph of Markdown.
    let new = with_marks(&text, &said.marks, comment, kind == Kind::Markdown);
    let then = self::said(input, &reader, &new)?;
    if is_markup(kind) && said.marks.keys().any(|&at| is_in_a_tag(&text[..at])) {
        return Ok(Err("a line to be marked is inside a tag".to_owned()));
    }
    if then.urls != said.urls || !then.marks.is_empty() {
        return Ok(Err("a mark would stand in a URL that goes on".to_owned()));
    }
    Ok(match replace(path, &text, &new) {
        Ok(Replaced::Yes) => Ok(said.marks.len() as u64),
        Ok(Replaced::No) => Err("another program has changed it meanwhile".to_owned()),
        Err(error) => Err(error.to_string()),
    })
}

fn said(input: &Input<'_>, reader: &urlint::Reader, text: &[u8]) -> io::Result<Said> {
    let mut suppressions = Suppressions::of(text);
    let mut said = Said {
        urls: Vec::new(),
        marks: Marks::new(),
    };
    let least: Severity = input.holding.settings.min_severity;
    reader.read(input.name, text, &mut |event| {
        let Event::Found(found) = event else {
            return Ok(());
        };
        said.urls.push(found.candidate.text.to_vec());
        found.lint(input.holding.lint(), &mut |diagnostic| {
            if diagnostic.severity >= least && !suppressions.suppresses(&diagnostic) {
                let at = (diagnostic.outer.start as usize).min(text.len());
                let line = memchr::memrchr2(b'\n', b'\r', &text[..at]).map_or(0, |end| end + 1);
                let rules = said.marks.entry(line).or_default();
                rules.insert(diagnostic.rule.name());
            }
        });
        Ok::<(), io::Error>(())
    })?;
    Ok(said)
}

/// `text` with a line for each mark, indented as the line behind it; or with each mark `behind` the
/// text of its line.
fn with_marks(text: &[u8], marks: &Marks, (opening, closing): Comment, behind: bool) -> Vec<u8> {
    let line_end: &[u8] = match memchr::memchr2(b'\n', b'\r', text) {
        Some(at) if text[at..].starts_with(b"\r\n") => b"\r\n",
        Some(at) => &text[at..=at],
        None => b"\n",
    };
    let mut new = Vec::with_capacity(text.len() + 64 * marks.len());
    let mut from = 0;
    for (&at, rules) in marks {
        let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
        let rules: Vec<_> = rules.iter().copied().collect();
        let mark = format!("{opening} urlint: ignore[{}]{closing}", rules.join(", "));
        if behind {
            let line = memchr::memchr2(b'\n', b'\r', &text[at..]).unwrap_or(text.len() - at);
            let line = text[at..at + line]
                .iter()
                .rev()
                .skip_while(is_blank)
                .count();
            new.extend_from_slice(&text[from..at + line]);
            new.push(b' ');
            new.extend_from_slice(mark.as_bytes());
            from = at + line;
        } else {
            new.extend_from_slice(&text[from..at]);
            let indent = text[at..].iter().take_while(is_blank).count();
            // What roff takes for a comment has its dot in front.
            if !opening.starts_with('.') {
                new.extend_from_slice(&text[at..at + indent]);
            }
            new.extend_from_slice(mark.as_bytes());
            new.extend_from_slice(line_end);
            from = at;
        }
    }
    new.extend_from_slice(&text[from..]);
    new
}

fn comment(kind: Kind, path: &Path) -> Option<Comment> {
    if kind != Kind::Plain {
        return kind.comment();
    }
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    let has = |extensions: &str| extensions.split(' ').any(|one| one == extension);
    let (sign, _) = COMMENTS.iter().find(|(_, extensions)| has(extensions))?;
    Some((sign, ""))
}

fn is_markup(kind: Kind) -> bool {
    matches!(kind, Kind::Html | Kind::Xml | Kind::Markdown)
}

/// Whether a tag is open at the end of `before`.
fn is_in_a_tag(before: &[u8]) -> bool {
    let last = memchr::memrchr2(b'<', b'>', before);
    last.is_some_and(|at| before[at] == b'<' && before.get(at + 1).is_some_and(|&next| next > b' '))
}
