//! `urlint check --add-ignore`: adds suppression comments for all diagnostics, where a comment changes
//! nothing else.

mod code;
mod comments;
mod places;
mod structure;

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::Path;

use urlint::config::{Configs, FileSettings};
use urlint::document::Kind;
use urlint::lint::Suppressions;
use urlint::{Event, Reader};

use super::check::MAX_MARKED;
use super::read::ReadArgs;
use super::replace::{Replaced, replace};
use crate::error::{Error, Exit};
use crate::terminal::{Verbosity, complain, count, say};
use crate::walk::{Input, Origin, Own, PathArgs};
use comments::{Comments, with_comments};
use places::{Places, line_of, starts};

/// The longest source that comments are added to, in bytes. They would not be found further on.
const MAX_SOURCE: usize = MAX_MARKED;

/// A text that comments are added to.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'s> {
    pub(crate) settings: &'s FileSettings,
    pub(crate) reader: &'s Reader,
    /// The name by which it is read.
    pub(crate) name: &'s [u8],
    /// Its file, whose extension decides what comments are like.
    pub(crate) path: &'s Path,
}

/// A text with comments and how many there are, or why it can have none.
type Commented = Result<(Vec<u8>, u64), String>;

/// What is found in a source.
struct Findings {
    /// The URLs, which comments must not change.
    urls: Vec<Vec<u8>>,
    /// The rules that report something, by the index of the URL, and how often.
    reported: BTreeMap<(usize, &'static str), usize>,
    /// The comments that would suppress what is reported.
    comments: Comments,
}

/// Adds comments to the files, and prints how many. `own` are passed over in folders.
pub(super) fn run(
    (inputs, own): (&PathArgs, Own),
    configs: &Configs,
    reader: &ReadArgs,
    verbosity: Verbosity,
) -> Result<Exit, Error> {
    let (mut added, mut files, mut failed) = (0, 0, 0);
    let mut opener = reader.opener(inputs, configs, verbosity);
    opener.own = own;
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
    let subject = Subject {
        settings: input.settings,
        reader: &reader,
        name: input.name,
        path,
    };
    Ok(match subject.silenced(&text)? {
        None => Ok(0),
        Some(Err(reason)) => Err(reason),
        Some(Ok((new, count))) => match replace(path, &text, &new) {
            Ok(Replaced::Yes) => Ok(count),
            Ok(Replaced::No) => Err("changed by another program".to_owned()),
            Err(error) => Err(error.to_string()),
        },
    })
}

/// What helps where no comment can be added.
const INSTEAD: &str = "use --baseline FILE --update-baseline, or `ignore-urls`";

impl Subject<'_> {
    /// Returns `text` with comments for all that is reported; `None` if nothing is.
    pub(crate) fn silenced(&self, text: &[u8]) -> io::Result<Option<Commented>> {
        let found = self.findings(text)?;
        if found.comments.is_empty() {
            return Ok(None);
        }
        let kind = self.reader.kind_of(self.name, text)?;
        let is_silent = |then: &Findings| then.reported.is_empty();
        let commented = self.with(text, kind, &found, &found.comments, &is_silent)?;
        Ok(Some(commented))
    }

    /// Returns `text` with `comments`, and how many there are, or why there is no place for them.
    /// After that the URLs and the document are the same, and `is_done` holds of what is found.
    fn with(
        &self,
        text: &[u8],
        kind: Kind,
        found: &Findings,
        comments: &Comments,
        is_done: &dyn Fn(&Findings) -> bool,
    ) -> io::Result<Commented> {
        let Some(places) = Places::of(kind, self.path, text) else {
            return Ok(Err(format!("this kind of file has no comments; {INSTEAD}")));
        };
        let mut reason = format!("there is no safe place for a comment; {INSTEAD}");
        // A comment at the end of a line keeps the text together, but is not possible everywhere.
        for takes_ends in [true, false] {
            let Some((new, count)) = with_comments(text, comments, &places, takes_ends) else {
                continue;
            };
            let then = self.findings(&new)?;
            if then.urls != found.urls || !is_done(&then) {
                reason = format!("a comment would change what is found; {INSTEAD}");
            } else if structure::of(kind, self.path, &new) != structure::of(kind, self.path, text) {
                reason = format!("a comment would change the document; {INSTEAD}");
            } else {
                return Ok(Ok((new, count)));
            }
        }
        Ok(Err(reason))
    }

    /// Finds the URLs of `text`, and the comments that it would need.
    fn findings(&self, text: &[u8]) -> io::Result<Findings> {
        let mut suppressions = Suppressions::of(text);
        let starts = starts(text);
        let mut findings = Findings {
            urls: Vec::new(),
            reported: BTreeMap::new(),
            comments: Comments::new(),
        };
        let least = self.settings.resolved.min_severity;
        self.reader.read(self.name, text, &mut |event| {
            let Event::Found(found) = event else {
                return Ok(());
            };
            let index = findings.urls.len();
            findings.urls.push(found.candidate.text.to_vec());
            found.lint(self.settings.lint(), &mut |diagnostic| {
                if diagnostic.severity >= least && !suppressions.suppresses(&diagnostic) {
                    let line = line_of(&starts, diagnostic.outer.start as usize);
                    let rule = diagnostic.rule.name();
                    findings.comments.entry(line).or_default().insert(rule);
                    *findings.reported.entry((index, rule)).or_default() += 1;
                }
            });
            Ok::<(), io::Error>(())
        })?;
        Ok(findings)
    }
}

#[cfg(feature = "lsp")]
impl Subject<'_> {
    /// Returns `text` with a comment that suppresses what the rule of `diagnostic` says of its URL.
    /// `None` if there is no place where a comment changes nothing else.
    pub(super) fn with_one(&self, text: &[u8], diagnostic: &urlint::Diagnostic) -> Option<Vec<u8>> {
        if text.len() > MAX_SOURCE {
            return None;
        }
        let found = self.findings(text).ok()?;
        let line = line_of(&starts(text), diagnostic.outer.start as usize);
        let rule = diagnostic.rule.name();
        if !found.comments.get(&line)?.contains(rule) {
            return None;
        }
        let comments = Comments::from([(line, [rule].into())]);
        let is_done = |then: &Findings| {
            let mut reported = then.reported.iter();
            let no_more = reported.all(|(what, count)| {
                found
                    .reported
                    .get(what)
                    .is_some_and(|before| count <= before)
            });
            let sum = |findings: &Findings| findings.reported.values().sum::<usize>();
            no_more && sum(then) < sum(&found)
        };
        let kind = self.reader.kind_of(self.name, text).ok()?;
        let with = self.with(text, kind, &found, &comments, &is_done).ok()?;
        with.ok().map(|(new, _)| new)
    }
}
