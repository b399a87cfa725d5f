//! `urlint check --add-ignore`: adds suppression comments for all diagnostics of a file, in the places
//! that are usual in its language. The file is written only if the comments change nothing else.

use std::sync::Arc;

use urlint_engine::{
    self as engine, Batch, Hosts, Inputs, Message, Origin, Out, Reading, Results, Source, Totals,
    Work,
};
use urlint_lint::add_ignore::Subject;
use urlint_lint::{Checker, Suppressions};

use crate::error::{Error, Exit};
use crate::interrupt;
use crate::output::replace::{Replaced, replace};
use crate::progress::Progress;
use crate::session::Session;
use urlint_report::terminal::{Verbosity, count, say};

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
    Ok(session.exit())
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
}

impl Work for Adding {
    type Batch = Added;
    type State = ();

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
