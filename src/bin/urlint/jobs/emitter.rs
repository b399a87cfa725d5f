//! Results and messages on their way from one thread to another.

use std::io;
use std::sync::Arc;

use super::{Batch, FileChunk, Work};
use crate::error::Error;
use crate::parallel::Stopped;
use crate::walk::{Message, Totals};

/// How many messages are sent at once: waking the receiver costs more than writing one.
const MESSAGES: usize = 64;

/// Something that is sent to the main thread.
pub(crate) enum Item<W: Work> {
    /// Results.
    Batch(W::Batch),
    /// For standard error.
    Messages(Vec<Message>),
    Totals(Totals),
    /// The results of a chunk follow.
    Chunk(Arc<FileChunk<W>>),
    /// The last candidate of a chunk ends there or before.
    Reached(u64),
}

/// Collects items, and sends them in their order.
pub(crate) struct Emitter<'s, W: Work> {
    batch: W::Batch,
    messages: Vec<Message>,
    /// Sent at the end only, since each file is counted and most files are small.
    totals: Totals,
    send: Box<dyn FnMut(Item<W>) -> Result<(), Error> + 's>,
}

impl<'s, W: Work> Emitter<'s, W> {
    /// Passes every item to `send`.
    pub(crate) fn new(send: impl FnMut(Item<W>) -> Result<(), Error> + 's) -> Self {
        Emitter {
            batch: W::Batch::default(),
            messages: Vec::new(),
            totals: Totals::default(),
            send: Box::new(send),
        }
    }

    /// Returns the batch that is sent next. Adding to it is followed by
    /// [`flush_full`](Emitter::flush_full).
    pub(crate) fn batch(&mut self) -> &mut W::Batch {
        &mut self.batch
    }

    /// Returns what is counted, which is sent at the end.
    pub(crate) fn totals(&mut self) -> &mut Totals {
        &mut self.totals
    }

    /// Sends the batch if it is full.
    pub(crate) fn flush_full(&mut self) -> Result<(), Error> {
        if self.batch.is_full() {
            return self.flush();
        }
        Ok(())
    }

    /// Sends what has been written.
    pub(crate) fn flush(&mut self) -> Result<(), Error> {
        self.flush_messages()?;
        if self.batch.is_empty() {
            return Ok(());
        }
        (self.send)(Item::Batch(std::mem::take(&mut self.batch)))
    }

    fn flush_messages(&mut self) -> Result<(), Error> {
        if self.messages.is_empty() {
            return Ok(());
        }
        (self.send)(Item::Messages(std::mem::take(&mut self.messages)))
    }

    /// Sends an item that is not a batch. Messages wait until there are many, or until another item is
    /// sent, so that the order stays; totals wait for the end.
    pub(crate) fn send(&mut self, item: Item<W>) -> Result<(), Error> {
        match item {
            Item::Messages(messages) => {
                self.messages.extend(messages);
                if self.messages.len() >= MESSAGES {
                    return self.flush_messages();
                }
                Ok(())
            }
            Item::Totals(totals) => {
                self.totals.add(totals);
                Ok(())
            }
            item => {
                self.flush_messages()?;
                (self.send)(item)
            }
        }
    }

    /// Sends what is left.
    pub(crate) fn end(&mut self) -> Result<(), Error> {
        self.flush()?;
        (self.send)(Item::Totals(std::mem::take(&mut self.totals)))
    }
}

/// The error of a thread whose results are no longer needed.
pub(crate) fn no_longer_needed() -> Error {
    Error::Write(io::ErrorKind::BrokenPipe.into())
}

impl From<Stopped> for Error {
    fn from(stopped: Stopped) -> Self {
        match stopped {
            Stopped::Cancelled => no_longer_needed(),
            Stopped::NoThread(error) => Error::NoThread(error),
        }
    }
}
