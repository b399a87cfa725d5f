//! A run of the engine, with its messages and its progress on standard error.

use std::sync::Arc;

use urlint_config::BadConfig;
use urlint_engine::{Inputs, Message, Next, Run, TICK, Totals, Work};

use crate::config::rendered;
use crate::error::{Error, Exit};
use crate::interrupt;
use crate::progress::Progress;
use urlint_report::terminal::{complain, complain_rendered};

/// Takes the results of a run, batch by batch, and prints its messages.
pub(crate) struct Session<W: Work> {
    run: Run<W>,
    pub(crate) inputs: Arc<Inputs>,
    pub(crate) progress: Progress,
    /// The numbers of the sources.
    pub(crate) totals: Totals,
    /// Configuration errors that have been printed.
    printed: Vec<BadConfig>,
}

impl<W: Work> Session<W> {
    /// Starts to do `work` with the sources of `inputs`.
    pub(crate) fn start(
        inputs: Arc<Inputs>,
        work: Arc<W>,
        progress: Progress,
    ) -> Result<Self, Error> {
        Ok(Session {
            run: Run::start(inputs.clone(), work)?,
            inputs,
            progress,
            totals: Totals::default(),
            printed: Vec::new(),
        })
    }

    /// Returns the next results, in the order of the sources; `None` once all of them have come, or a signal
    /// has [ended](Self::end) the run.
    pub(crate) fn next(&mut self) -> Result<Option<W::Batch>, Error> {
        loop {
            self.progress.tick(&self.inputs.bytes_read);
            match self.run.next(TICK)? {
                Next::Results(results) => {
                    self.totals.add(results.totals);
                    for message in results.messages {
                        self.print(message);
                    }
                    return Ok(Some(results.batch));
                }
                Next::TimedOut => {}
                Next::Done => return Ok(None),
            }
        }
    }

    /// Ends the progress. Returns the exit code if a signal has ended the run: then only a first part of the
    /// results has come.
    pub(crate) fn end(&mut self) -> Option<Exit> {
        self.progress.end();
        let exit = interrupt::exit(&self.inputs.stop);
        if exit.is_some() {
            self.progress.report_interrupted(&self.inputs.bytes_read);
        }
        exit
    }

    /// Returns the exit code of a run that only fails if a source could not be read.
    pub(crate) fn exit(&self) -> Exit {
        match self.totals.failed {
            0 => Exit::Done,
            _ => Exit::Failed,
        }
    }

    /// Prints a message; a configuration error only once.
    fn print(&mut self, message: Message) {
        let printed = &mut self.printed;
        self.progress.suspend(|| match message {
            Message::BadConfig(wrong) => {
                let text = wrong.to_string();
                if printed.iter().all(|other| other.to_string() != text) {
                    complain_rendered(&rendered(&wrong));
                    printed.push(wrong);
                }
            }
            message => complain(&message.to_string()),
        });
    }
}
