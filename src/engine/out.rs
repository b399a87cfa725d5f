//! Results and messages on their way from one thread to another.

use std::cell::{RefCell, RefMut};

use super::message::Message;
use super::parallel::Sender;
use super::{Batch, Error, Inputs, Name, Totals};
use urlint_documents::document::Notice;

/// How many messages are sent at once: waking the receiver costs more than writing one.
const MESSAGES: usize = 64;

/// The results of a part of the sources.
#[derive(Debug, Default)]
pub struct Results<B> {
    /// Messages, in order. They come before the results of the work.
    pub messages: Vec<Message>,
    /// The numbers of sources that were read and skipped.
    pub totals: Totals,
    /// The results of the work.
    pub batch: B,
}

impl<B: Batch> Results<B> {
    fn are_empty(&self) -> bool {
        self.batch.is_empty() && self.messages.is_empty() && self.totals == Totals::default()
    }

    /// Adds `message`, and `totals`.
    pub fn note(&mut self, message: impl Into<Option<Message>>, totals: Totals) {
        self.messages.extend(message.into());
        self.totals.add(totals);
    }
}

/// Takes results, and sends them on in their order. It is shared with the reader of standard input, which sends
/// them before it waits.
pub struct Out<'s, B> {
    results: RefCell<Results<B>>,
    pub(super) inputs: &'s Inputs,
    sender: Sender<Results<B>, Error>,
}

impl<'s, B: Batch> Out<'s, B> {
    pub(super) fn new(inputs: &'s Inputs, sender: Sender<Results<B>, Error>) -> Self {
        Out {
            results: RefCell::default(),
            inputs,
            sender,
        }
    }

    /// Returns the batch that is sent next. Adding to it is followed by [`flush_full`](Self::flush_full).
    pub fn batch(&self) -> RefMut<'_, B> {
        RefMut::map(self.results.borrow_mut(), |results| &mut results.batch)
    }

    /// Returns the numbers that are sent next.
    pub fn totals(&self) -> RefMut<'_, Totals> {
        RefMut::map(self.results.borrow_mut(), |results| &mut results.totals)
    }

    /// Adds a message, if there is one, and numbers. The results before a message are sent first.
    pub fn note(&self, message: impl Into<Option<Message>>, totals: Totals) -> Result<(), Error> {
        let message = message.into();
        if message.is_some() && !self.batch().is_empty() {
            self.flush()?;
        }
        self.results.borrow_mut().note(message, totals);
        self.flush_full()
    }

    /// Adds a notice about the source `name`.
    pub fn notice(&self, name: &Name, notice: Notice) -> Result<(), Error> {
        if self.inputs.is_verbose {
            let message = Message::Notice(name.whole.clone(), notice);
            return self.note(message, Totals::default());
        }
        self.totals().notices += 1;
        Ok(())
    }

    /// Sends the results if there are many.
    pub fn flush_full(&self) -> Result<(), Error> {
        let is_full = {
            let results = self.results.borrow();
            results.batch.is_full() || results.messages.len() >= MESSAGES
        };
        if is_full { self.flush() } else { Ok(()) }
    }

    /// Sends the results so far.
    pub fn flush(&self) -> Result<(), Error> {
        if self.results.borrow().are_empty() {
            return Ok(());
        }
        Ok(self.sender.send(self.results.take())?)
    }

    /// Sends `results` after those so far.
    pub(super) fn send(&self, results: Results<B>) -> Result<(), Error> {
        self.flush()?;
        self.results.replace(results);
        self.flush()
    }
}
