//! `urlint check --add-ignore`: adds suppression comments for all diagnostics of a file, in the places
//! that are usual in its language. The file is written only if the comments change nothing else.

mod comments;

use std::collections::BTreeMap;
use std::io::{self, Read};

use urlint::config::{Configs, FileSettings};
use urlint::document::Kind;
use urlint::lint::{Fix, Suppressions};
use urlint::read::Content;
use urlint::{Event, Reader, fix};

use crate::error::{Error, Exit};
use crate::flags::MAX_MARKED;
use crate::flags::read::ReadArgs;
use crate::output::replace::{Replaced, replace};
use crate::terminal::{Verbosity, complain, count, say};
use crate::walk::{Input, LimitArgs, Origin, OutputFiles, PathArgs};
use comments::{Comments, Lines};

/// A text that comments are added to.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'s> {
    pub(crate) settings: &'s FileSettings,
    pub(crate) reader: &'s Reader,
    /// The name by which it is read.
    pub(crate) name: &'s [u8],
}

/// A text with comments and their number, or why none could be added.
type Commented = Result<(Vec<u8>, u64), String>;

/// What is found in a source.
struct Inspection {
    /// The URLs, which comments must not change.
    urls: Vec<Vec<u8>>,
    /// The rules that report something, by the index of the URL, and how often.
    reported: BTreeMap<(usize, &'static str), usize>,
    /// The comments that would suppress what is reported.
    comments: Comments,
}

/// Adds comments to the files, and prints how many. `outputs` are skipped in folders.
pub(crate) fn run(
    inputs: &PathArgs,
    outputs: OutputFiles,
    configs: &Configs,
    reader: &ReadArgs,
    limits: LimitArgs,
    verbosity: Verbosity,
) -> Result<Exit, Error> {
    let (mut added, mut files, mut failed) = (0, 0, 0);
    let mut opener = reader.opener(inputs, configs, verbosity);
    opener.limits = limits.into();
    opener.outputs = outputs;
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

/// Adds comments to a file; returns how many, or why none could be added.
fn add(
    input: &Input<'_>,
    args: &ReadArgs,
    content: Content<'_>,
) -> io::Result<Result<u64, String>> {
    if !input.is_fixable() {
        return Ok(Ok(0));
    }
    let Origin::File(path) = input.origin else {
        return Ok(Err("standard input cannot be changed".to_owned()));
    };
    let mut text = Vec::new();
    // Comments further on would have no effect.
    content.take(MAX_MARKED as u64 + 1).read_to_end(&mut text)?;
    if text.len() > MAX_MARKED {
        return Ok(Err(format!("longer than {} MiB", MAX_MARKED >> 20)));
    }
    let reader = args.reader(input, false);
    let subject = Subject {
        settings: input.settings,
        reader: &reader,
        name: input.name,
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

/// Why comments cannot be added, and what to do instead.
const NO_PLACE: &str = "there are lines where a comment may change more than that; \
    use --baseline FILE --update-baseline, or `ignore-urls`";

impl Subject<'_> {
    /// Returns `text` with comments for everything that is reported; `None` if nothing is.
    pub(crate) fn silenced(&self, text: &[u8]) -> io::Result<Option<Commented>> {
        let found = self.inspect(text)?;
        if found.comments.is_empty() {
            return Ok(None);
        }
        let count = found.comments.len() as u64;
        let is_silent = |then: &Inspection| then.reported.is_empty();
        let new = self.with(text, &found, &found.comments, &is_silent)?;
        let commented = new.map(|fix| (fix::apply(text, [&fix]).bytes, count));
        Ok(Some(commented.ok_or_else(|| NO_PLACE.to_owned())))
    }

    /// Returns the insertions of `comments`, if they change neither the URLs nor the document, and
    /// `is_done` accepts what is found then.
    fn with(
        &self,
        text: &[u8],
        found: &Inspection,
        comments: &Comments,
        is_done: &dyn Fn(&Inspection) -> bool,
    ) -> io::Result<Option<Fix>> {
        let kind = self.reader.kind_of(self.name, text)?;
        let Some(fix) = Lines::of(text).fix(comments, kind, self.name) else {
            return Ok(None);
        };
        let new = fix::apply(text, [&fix]).bytes;
        let then = self.inspect(&new)?;
        let is_kept = kind == Kind::Plain || fix::adds_only_comments(kind, text, &new);
        Ok((then.urls == found.urls && is_done(&then) && is_kept).then_some(fix))
    }

    /// Finds the URLs of `text`, and the comments that it needs.
    fn inspect(&self, text: &[u8]) -> io::Result<Inspection> {
        let mut suppressions = Suppressions::of(text);
        let lines = Lines::of(text);
        let mut inspection = Inspection {
            urls: Vec::new(),
            reported: BTreeMap::new(),
            comments: Comments::new(),
        };
        let least = self.settings.resolved.min_severity;
        self.reader.read(self.name, text, &mut |event| {
            let Event::Found(found) = event else {
                return Ok(());
            };
            let index = inspection.urls.len();
            inspection.urls.push(found.candidate.text.to_vec());
            for diagnostic in found.lint(self.settings.lint()) {
                if diagnostic.severity >= least && !suppressions.suppresses(&diagnostic) {
                    let line = lines.number(diagnostic.outer.start);
                    let rule = diagnostic.rule.name();
                    inspection.comments.entry(line).or_default().insert(rule);
                    *inspection.reported.entry((index, rule)).or_default() += 1;
                }
            }
            Ok::<(), io::Error>(())
        })?;
        Ok(inspection)
    }
}

#[cfg(feature = "lsp")]
impl Subject<'_> {
    /// Returns the insertion of a comment that suppresses the rule of `diagnostic` for its URL; `None` if
    /// every comment would change something else.
    pub(crate) fn with_one(&self, text: &[u8], diagnostic: &urlint::Diagnostic) -> Option<Fix> {
        if text.len() > MAX_MARKED {
            return None;
        }
        let found = self.inspect(text).ok()?;
        let line = Lines::of(text).number(diagnostic.outer.start);
        let rule = diagnostic.rule.name();
        if !found.comments.get(&line)?.contains(rule) {
            return None;
        }
        let comments = Comments::from([(line, [rule].into())]);
        let is_done = |then: &Inspection| {
            let mut reported = then.reported.iter();
            let no_more = reported.all(|(what, count)| {
                found
                    .reported
                    .get(what)
                    .is_some_and(|before| count <= before)
            });
            let sum = |inspection: &Inspection| inspection.reported.values().sum::<usize>();
            no_more && sum(then) < sum(&found)
        };
        self.with(text, &found, &comments, &is_done).ok()?
    }
}
