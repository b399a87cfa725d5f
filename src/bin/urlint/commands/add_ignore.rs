//! `urlint check --add-ignore`: adds suppression comments for all diagnostics.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::path::Path;

use urlint::document::Kind;
use urlint::lint::Suppressions;
use urlint::{Event, Reader, Severity};

use super::read::ReadArgs;
use super::replace::{Replaced, replace};
use crate::config::Configs;
use crate::error::{Error, Exit};
use crate::terminal::{Verbosity, complain, count, say};
use crate::walk::{Input, Origin, PathArgs};

/// The longest source that comments are added to, in bytes. They would not be found further on.
const MAX_SOURCE: usize = super::check::MAX_MARKED;

/// The delimiters of a comment.
type Delimiters = (&'static str, &'static str);

/// How a comment begins in source code and configuration, by the extension of the file.
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

/// The comments to add to a source: the names of rules, by the offset of the line.
type Comments = BTreeMap<usize, BTreeSet<&'static str>>;

/// What is found in a source.
struct Findings {
    /// The URLs, which comments must not change.
    urls: Vec<Vec<u8>>,
    /// The comments that would suppress what is reported.
    comments: Comments,
}

/// Adds comments to the files, and prints how many.
pub(super) fn run(
    inputs: &PathArgs,
    configs: &Configs,
    reader: &ReadArgs,
    verbosity: Verbosity,
) -> Result<Exit, Error> {
    let (mut added, mut files, mut failed) = (0, 0, 0);
    let opener = reader.opener(inputs, configs, verbosity);
    let tally = inputs.each(&opener, &mut |input, source| {
        match add(input, reader, source)? {
            Ok(0) => {}
            Ok(comments) => {
                added += comments;
                files += 1;
            }
            Err(reason) => {
                let name = String::from_utf8_lossy(input.name);
                complain(&format!("{name}: no suppression comments added: {reason}"));
                failed += 1;
            }
        }
        Ok(())
    })?;
    if !verbosity.is_quiet() {
        say(&match added {
            0 => "No suppression comments added.".to_owned(),
            _ => format!(
                "Added {} to {}.",
                count(added, "suppression comment"),
                count(files, "file")
            ),
        });
    }
    Ok(match tally.failed + failed {
        0 => Exit::Done,
        _ => Exit::Failed,
    })
}

/// Adds comments to a file; returns how many, or why there are none.
fn add(
    input: &Input<'_>,
    args: &ReadArgs,
    source: &mut dyn Read,
) -> io::Result<Result<u64, String>> {
    if !input.is_fixable() {
        return Ok(Ok(0));
    }
    let Origin::File(path) = input.origin else {
        return Ok(Err("standard input cannot be changed".to_owned()));
    };
    let mut text = Vec::new();
    source.take(MAX_SOURCE as u64 + 1).read_to_end(&mut text)?;
    if text.len() > MAX_SOURCE {
        return Ok(Err(format!("longer than {} MiB", MAX_SOURCE >> 20)));
    }
    let reader = args.reader(input, false);
    let found = findings(input, &reader, &text)?;
    if found.comments.is_empty() {
        return Ok(Ok(0));
    }
    let kind = reader.kind_of(input.name, &text[..])?;
    let Some(comment) = comment(kind, path) else {
        let reason = "this kind of file has no comments; use a baseline or `ignore-urls`";
        return Ok(Err(reason.to_owned()));
    };
    // A comment on a line of its own would end a paragraph of Markdown.
    let new = with_comments(&text, &found.comments, comment, kind == Kind::Markdown);
    let then = findings(input, &reader, &new)?;
    if is_markup(kind) && found.comments.keys().any(|&at| is_in_a_tag(&text[..at])) {
        return Ok(Err("a comment would be inside a tag".to_owned()));
    }
    if then.urls != found.urls || !then.comments.is_empty() {
        return Ok(Err("a comment would break a URL".to_owned()));
    }
    Ok(match replace(path, &text, &new) {
        Ok(Replaced::Yes) => Ok(found.comments.len() as u64),
        Ok(Replaced::No) => Err("changed by another program".to_owned()),
        Err(error) => Err(error.to_string()),
    })
}

/// Finds the URLs of `text`, and the comments that it would need.
fn findings(input: &Input<'_>, reader: &Reader, text: &[u8]) -> io::Result<Findings> {
    let mut suppressions = Suppressions::of(text);
    let mut findings = Findings {
        urls: Vec::new(),
        comments: Comments::new(),
    };
    let least: Severity = input.settings.resolved.min_severity;
    reader.read(input.name, text, &mut |event| {
        let Event::Found(found) = event else {
            return Ok(());
        };
        findings.urls.push(found.candidate.text.to_vec());
        found.lint(input.settings.lint(), &mut |diagnostic| {
            if diagnostic.severity >= least && !suppressions.suppresses(&diagnostic) {
                let at = (diagnostic.outer.start as usize).min(text.len());
                let line = memchr::memrchr2(b'\n', b'\r', &text[..at]).map_or(0, |end| end + 1);
                let rules = findings.comments.entry(line).or_default();
                rules.insert(diagnostic.rule.name());
            }
        });
        Ok::<(), io::Error>(())
    })?;
    Ok(findings)
}

/// Returns `text` with the comments, each on a line of its own before the line that it is for, with
/// the same indentation; or, with `at_end`, at the end of that line.
fn with_comments(
    text: &[u8],
    comments: &Comments,
    (opening, closing): Delimiters,
    at_end: bool,
) -> Vec<u8> {
    let line_end: &[u8] = match memchr::memchr2(b'\n', b'\r', text) {
        Some(at) if text[at..].starts_with(b"\r\n") => b"\r\n",
        Some(at) => &text[at..=at],
        None => b"\n",
    };
    let mut new = Vec::with_capacity(text.len() + 64 * comments.len());
    let mut from = 0;
    for (&at, rules) in comments {
        let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
        let rules: Vec<_> = rules.iter().copied().collect();
        let comment = format!("{opening} urlint: ignore[{}]{closing}", rules.join(", "));
        if at_end {
            let line = memchr::memchr2(b'\n', b'\r', &text[at..]).unwrap_or(text.len() - at);
            let line = text[at..at + line]
                .iter()
                .rev()
                .skip_while(is_blank)
                .count();
            new.extend_from_slice(&text[from..at + line]);
            new.push(b' ');
            new.extend_from_slice(comment.as_bytes());
            from = at + line;
        } else {
            new.extend_from_slice(&text[from..at]);
            let indent = text[at..].iter().take_while(is_blank).count();
            // A comment of roff has to begin its line.
            if !opening.starts_with('.') {
                new.extend_from_slice(&text[at..at + indent]);
            }
            new.extend_from_slice(comment.as_bytes());
            new.extend_from_slice(line_end);
            from = at;
        }
    }
    new.extend_from_slice(&text[from..]);
    new
}

/// Returns the delimiters of comments in a file, if it can have comments.
fn comment(kind: Kind, path: &Path) -> Option<Delimiters> {
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

/// Returns whether a tag is open at the end of `before`.
fn is_in_a_tag(before: &[u8]) -> bool {
    let last = memchr::memrchr2(b'<', b'>', before);
    last.is_some_and(|at| before[at] == b'<' && before.get(at + 1).is_some_and(|&next| next > b' '))
}
