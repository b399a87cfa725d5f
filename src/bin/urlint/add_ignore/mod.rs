//! `urlint check --add-ignore`: adds suppression comments for all diagnostics of a file, in the places
//! that are usual in its language. The file is written only if the comments change nothing else.

mod comments;

use std::collections::BTreeMap;
use std::io;
use std::ops::Deref;
use std::sync::Arc;

use urlint::document::Kind;
use urlint::engine::{
    self, Batch, Hosts, Inputs, Message, Origin, Out, Reading, Results, Source, Totals, Work,
};
use urlint::lint::{Checked, Checker, Fix, Suppressions};
use urlint::{Reader, Settings, fix};

use crate::error::{Error, Exit};
use crate::interrupt;
use crate::output::replace::{Replaced, replace};
use crate::progress::Progress;
use crate::session::Session;
use crate::terminal::{Verbosity, count, say};
use comments::{Comments, Lines};

/// A text that comments are added to.
pub(crate) struct Subject<'s, S> {
    pub(crate) checker: &'s Checker<S>,
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

/// Adds comments to the files, and prints how many.
pub(crate) fn run(mut inputs: Inputs, verbosity: Verbosity) -> Result<Exit, Error> {
    interrupt::ends(&inputs.stop);
    // A file may be named twice.
    inputs.threads = 1;
    let inputs = Arc::new(inputs);
    let adding = Arc::new(Adding {
        inputs: inputs.clone(),
        hosts: Hosts::default(),
    });
    let mut session = Session::start(inputs, adding, Progress::none())?;
    let mut added = Added::default();
    while let Some(batch) = session.next()? {
        added.comments += batch.comments;
        added.files += batch.files;
    }
    if let Some(exit) = session.end() {
        return Ok(exit);
    }
    if !verbosity.is_quiet() {
        say(&match added.comments {
            0 => "No suppression comments added.".to_owned(),
            comments => format!(
                "Added {} to {}.",
                count(comments, "suppression comment"),
                count(added.files, "file")
            ),
        });
    }
    Ok(match session.totals.failed {
        0 => Exit::Done,
        _ => Exit::Failed,
    })
}

/// Adds comments to files.
struct Adding {
    inputs: Arc<Inputs>,
    hosts: Hosts,
}

/// How many comments were added, and to how many files.
#[derive(Default)]
struct Added {
    comments: u64,
    files: u64,
}

impl Batch for Added {
    fn is_empty(&self) -> bool {
        self.files == 0
    }

    fn is_full(&self) -> bool {
        false
    }
}

impl Work for Adding {
    type Batch = Added;
    type State = ();

    fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    fn whole_up_to(&self) -> usize {
        Suppressions::MAX_SOURCE
    }

    /// Takes a source that is too long: comments further on would have no effect.
    fn begin(&self, source: &Source, _: &[u8]) -> Result<Reading<Self>, engine::Error> {
        let mut results = Results::default();
        if source.is_fixable() {
            let reason = format!("longer than {} MiB", Suppressions::MAX_SOURCE >> 20);
            results.note(not_added(source, &reason), Totals::failed());
        }
        Ok(Reading::Done(results))
    }

    fn whole(
        &self,
        source: Source,
        text: &[u8],
        out: &Out<'_, Added>,
    ) -> Result<(), engine::Error> {
        let path = match &source.origin {
            Origin::Archive => return Ok(()),
            Origin::File(path) => Ok(path),
            Origin::Stdin => Err("standard input cannot be changed".to_owned()),
        };
        let added = match path {
            Ok(path) => {
                let settings = self
                    .hosts
                    .add_to(source.settings.shared_lint(), &self.inputs)?;
                let checker =
                    Checker::new(settings).with_min_severity(source.settings.resolved.min_severity);
                let subject = Subject {
                    checker: &checker,
                    reader: &source.reader(),
                    name: source.path(),
                };
                match subject.silenced(text)? {
                    None => return Ok(()),
                    Some(Err(reason)) => Err(reason),
                    Some(Ok((new, comments))) => match replace(path, text, &new) {
                        Ok(Replaced::Yes) => Ok(comments),
                        Ok(Replaced::No) => Err("changed by another program".to_owned()),
                        Err(error) => Err(error.to_string()),
                    },
                }
            }
            Err(reason) => Err(reason),
        };
        match added {
            Ok(comments) => {
                out.batch().comments += comments;
                out.batch().files += 1;
                Ok(())
            }
            Err(reason) => out.note(not_added(&source, &reason), Totals::failed()),
        }
    }
}

/// Returns the message that no comments were added.
fn not_added(source: &Source, reason: &str) -> Message {
    let text = format!("no suppression comments added: {reason}");
    Message::Other(source.name().whole().to_vec(), text)
}

/// Why comments cannot be added, and what to do instead.
const NO_PLACE: &str = "there are lines where a comment may change more than that; \
    use --baseline FILE --update-baseline, or `ignore-urls`";

impl<S: Deref<Target = Settings>> Subject<'_, S> {
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
    /// `is_done` accepts the diagnostics that are found then.
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
        let lines = Lines::of(text);
        let mut inspection = Inspection {
            urls: Vec::new(),
            reported: BTreeMap::new(),
            comments: Comments::new(),
        };
        self.checker
            .check(self.reader, self.name, text, &mut |checked| {
                match checked {
                    Checked::Url(found) => inspection.urls.push(found.candidate.text.to_vec()),
                    Checked::Diagnostic(diagnostic, Some(_)) => {
                        let line = lines.number(diagnostic.outer.start);
                        let rule = diagnostic.rule.name();
                        let index = inspection.urls.len() - 1;
                        inspection.comments.entry(line).or_default().insert(rule);
                        *inspection.reported.entry((index, rule)).or_default() += 1;
                    }
                    _ => {}
                }
                Ok::<(), io::Error>(())
            })?;
        Ok(inspection)
    }
}

#[cfg(feature = "lsp")]
impl<S: Deref<Target = Settings>> Subject<'_, S> {
    /// Returns the insertion of a comment that suppresses the rule of `diagnostic` for its URL; `None` if
    /// every comment would change something else.
    pub(crate) fn with_one(&self, text: &[u8], diagnostic: &urlint::Diagnostic) -> Option<Fix> {
        if text.len() > Suppressions::MAX_SOURCE {
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
