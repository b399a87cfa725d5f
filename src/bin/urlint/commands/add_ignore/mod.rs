//! `urlint check --add-ignore`: adds suppression comments for all diagnostics, where a comment changes
//! nothing else.

mod code;
mod comments;
mod places;
mod structure;

use std::io::{self, Read};

use urlint::config::Configs;
use urlint::lint::Suppressions;
use urlint::{Event, Reader, Severity};

use super::check::MAX_MARKED;
use super::read::ReadArgs;
use super::replace::{Replaced, replace};
use crate::error::{Error, Exit};
use crate::terminal::{Verbosity, complain, count, say};
use crate::walk::{Input, Origin, PathArgs};
use comments::{Comments, with_comments};
use places::{Places, line_of, starts};

/// The longest source that comments are added to, in bytes. They would not be found further on.
const MAX_SOURCE: usize = MAX_MARKED;

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
    let Some(places) = Places::of(kind, path, &text) else {
        return Ok(Err(format!("this kind of file has no comments; {INSTEAD}")));
    };
    let mut reason = format!("there is no safe place for a comment; {INSTEAD}");
    // A comment at the end of a line keeps the text together, but is not possible everywhere.
    for takes_ends in [true, false] {
        let Some((new, count)) = with_comments(&text, &found.comments, &places, takes_ends) else {
            continue;
        };
        let then = findings(input, &reader, &new)?;
        if then.urls != found.urls || !then.comments.is_empty() {
            reason = format!("a comment would change what is found; {INSTEAD}");
        } else if structure::of(kind, path, &new) != structure::of(kind, path, &text) {
            reason = format!("a comment would change the document; {INSTEAD}");
        } else {
            return Ok(match replace(path, &text, &new) {
                Ok(Replaced::Yes) => Ok(count),
                Ok(Replaced::No) => Err("changed by another program".to_owned()),
                Err(error) => Err(error.to_string()),
            });
        }
    }
    Ok(Err(reason))
}

/// What helps where no comment can be added.
const INSTEAD: &str = "use --baseline FILE --update-baseline, or `ignore-urls`";

/// Finds the URLs of `text`, and the comments that it would need.
fn findings(input: &Input<'_>, reader: &Reader, text: &[u8]) -> io::Result<Findings> {
    let mut suppressions = Suppressions::of(text);
    let starts = starts(text);
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
                let line = line_of(&starts, diagnostic.outer.start as usize);
                let rules = findings.comments.entry(line).or_default();
                rules.insert(diagnostic.rule.name());
            }
        });
        Ok::<(), io::Error>(())
    })?;
    Ok(findings)
}
