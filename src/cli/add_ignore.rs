//! `urlint check --add-ignore`: adds suppression comments for the diagnostics of a file, in the places
//! that are usual in its language, where they change nothing else.

use std::sync::Arc;

use urlint_engine::{
    self as engine, Batch, Inputs, Message, Origin, Out, Reading, Results, Source, Text, Totals,
    Work,
};
use urlint_lint::Suppressions;
use urlint_lint::add_ignore::Subject;

use crate::error::{Error, Exit};
use crate::interrupt;
use crate::output::replace::replace;
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
    });
    let mut session = Session::start(inputs, adding, Progress::default())?;
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

    /// In a source that is too long, comments further on would have no effect.
    fn begin(&self, source: &Source, start: &[u8]) -> Result<Reading<Self>, engine::Error> {
        if start.len() <= self.whole_up_to() {
            return Ok(Reading::Lines(()));
        }
        let mut results = Results::default();
        if source.is_fixable() {
            let reason = format!("longer than {} MiB", Suppressions::MAX_SOURCE >> 20);
            results.note(not_added(source, &reason), Totals::failed());
        }
        Ok(Reading::Done(results))
    }

    fn read(&self, text: Text<'_, Self>, out: &Out<'_, Added>) -> Result<(), engine::Error> {
        let (source, (text, _)) = (&text.opened.source, text.lines());
        let fail = |reason: &str| out.note(not_added(source, reason), Totals::failed());
        let path = match &source.origin {
            Origin::Archive => return Ok(()),
            Origin::File(path) => path,
            Origin::Stdin => return fail("standard input cannot be changed"),
        };
        let subject = Subject {
            checker: &self.inputs.checker(source),
            reader: &source.reader(),
            name: source.path(),
        };
        let Some(silenced) = subject.silenced(text)? else {
            return Ok(());
        };
        if silenced.comments > 0 {
            if let Err(error) = replace(path, text, &silenced.text) {
                return fail(&error.to_string());
            }
            out.batch().comments += silenced.comments as u64;
            out.batch().files += 1;
        }
        if !silenced.refused.is_empty() {
            return fail(&refusal(&silenced.refused));
        }
        Ok(())
    }
}

/// Returns the message that no comments were added.
fn not_added(source: &Source, reason: &str) -> Message {
    Message::about(source, format!("no suppression comments added: {reason}"))
}

/// Returns why no comments were added to `lines`, and what to do instead.
fn refusal(lines: &[usize]) -> String {
    const SHOWN: usize = 8;
    let shown: Vec<_> = lines.iter().take(SHOWN).map(usize::to_string).collect();
    let more = match lines.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let noun = if lines.len() == 1 { "line" } else { "lines" };
    format!(
        "on {noun} {}{more}, a comment could change how the file is read; \
         use --baseline FILE --update-baseline, or `ignore-urls`",
        shown.join(", ")
    )
}
