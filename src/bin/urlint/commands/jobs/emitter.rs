//! What one thread hands to another: results, and messages.

use std::io;
use std::sync::Arc;

use urlint::parallel::Stopped;

use super::{Batch, Work};
use crate::commands::read::BadLines;
use crate::error::Error;
use crate::walk::{Message, Totals};

/// How many messages are handed on at once: to wake who takes them costs more than to write one.
const MESSAGES: usize = 64;

/// How many bytes of memory a message takes, about.
const MESSAGE: usize = 128;

/// Something that is handed on.
pub(crate) enum Item<W: Work> {
    /// Results.
    Batch(W::Batch),
    /// For standard error.
    Messages(Vec<Message>),
    Totals(Totals),
    /// Something is to be said of a line at that offset, if it is the first such line of its source.
    BadLine(u64, String),
    /// So many more such lines, and where the last of them begins.
    MoreBadLines(u64, u64),
    /// The end of a source that may have such lines, and its name.
    SourceEnd(Vec<u8>),
    /// All results of a file have been handed on, and what was read; what the work says of the file.
    FileEnd(Vec<u8>),
    /// The results of a chunk follow.
    Chunk(Arc<W::Chunk>),
    /// The last candidate of a chunk ends there or before.
    Reached(u64),
}

impl<W: Work> Item<W> {
    /// How many bytes of memory it takes, about.
    pub(super) fn weight(&self) -> usize {
        match self {
            Item::Batch(batch) => batch.weight(),
            Item::Messages(messages) => messages.len() * MESSAGE,
            Item::FileEnd(line) => MESSAGE + line.len(),
            _ => MESSAGE,
        }
    }
}

/// Takes items, and hands them on in their order.
pub(crate) struct Emitter<'s, W: Work> {
    batch: W::Batch,
    messages: Vec<Message>,
    /// Handed on at the end: most files are small, and each is counted.
    totals: Totals,
    lines: BadLines,
    send: Box<dyn FnMut(Item<W>) -> Result<(), Error> + 's>,
}

impl<'s, W: Work> Emitter<'s, W> {
    /// Hands every item to `send`.
    pub(crate) fn new(send: impl FnMut(Item<W>) -> Result<(), Error> + 's) -> Self {
        Emitter {
            batch: W::Batch::default(),
            messages: Vec::new(),
            totals: Totals::default(),
            lines: BadLines::default(),
            send: Box::new(send),
        }
    }

    /// Writes into the batch that is handed on next.
    pub(crate) fn write(&mut self, write: impl FnOnce(&mut W::Batch)) -> Result<(), Error> {
        write(&mut self.batch);
        if self.batch.is_full() {
            return self.flush();
        }
        Ok(())
    }

    /// Hands on what has been written.
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

    /// Hands on something else: messages once there are some of them, or before a batch or another
    /// item, since their order stays; all else at once.
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
            Item::SourceEnd(name) => {
                self.flush_messages()?;
                self.end_lines()?;
                (self.send)(Item::SourceEnd(name))
            }
            Item::FileEnd(line) => {
                self.flush()?;
                (self.send)(Item::Totals(std::mem::take(&mut self.totals)))?;
                (self.send)(Item::FileEnd(line))
            }
            item => {
                self.flush_messages()?;
                (self.send)(item)
            }
        }
    }

    /// Takes note of a line at the offset `at`, for which `message` is printed if it is the first.
    pub(crate) fn bad_line(
        &mut self,
        at: u64,
        message: impl FnOnce() -> String,
    ) -> Result<(), Error> {
        if !self.lines.add(at) {
            return Ok(());
        }
        self.flush_messages()?;
        (self.send)(Item::BadLine(at, message()))
    }

    fn end_lines(&mut self) -> Result<(), Error> {
        let BadLines { more, last, .. } = std::mem::take(&mut self.lines);
        if more == 0 {
            return Ok(());
        }
        (self.send)(Item::MoreBadLines(more, last))
    }

    /// Hands on what is left.
    pub(crate) fn end(&mut self) -> Result<(), Error> {
        self.flush()?;
        self.end_lines()?;
        (self.send)(Item::Totals(std::mem::take(&mut self.totals)))
    }
}

/// The error of who hands on something that is not wanted any more.
pub(super) fn unwanted() -> Error {
    Error::Write(io::ErrorKind::BrokenPipe.into())
}

impl From<Stopped> for Error {
    fn from(stopped: Stopped) -> Self {
        match stopped {
            Stopped::Cancelled => unwanted(),
            stopped @ Stopped::NoThread(_) => Error::Usage(stopped.to_string()),
        }
    }
}
