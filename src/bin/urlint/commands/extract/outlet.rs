//! What one thread hands to another: rows, and what there is to say.

use std::io;
use std::sync::mpsc::{self, Receiver, SyncSender};

use super::batch::Batch;
use crate::commands::read::BadLines;
use crate::error::Error;
use crate::walk::{Message, Totals};

/// How many pieces of one unit may wait: some megabytes of rows, so that a unit need not wait for
/// those in front of it.
const WAITING: usize = 64;

/// How many messages are handed on at once: to wake whoever takes them costs more than to write one.
const MESSAGES: usize = 64;

/// Something that is handed on.
#[derive(Debug)]
pub(super) enum Piece {
    Rows(Batch),
    /// For standard error.
    Message(Vec<Message>),
    Count(Totals),
    /// Something is to be said of a line at that offset, if it is the first such one of its source.
    BadLine(u64, String),
    /// So many more such lines, and where the last of them begins.
    MoreBadLines(u64, u64),
    /// The end of a source that may have such lines, and what it goes by.
    SourceEnd(Vec<u8>),
    /// Nothing follows; the last candidate of a stretch ends there or before.
    End(u64),
}

/// The end that pieces are put into.
pub(super) struct Outlet<'s> {
    batch: Batch,
    told: Vec<Message>,
    /// What has been counted is handed on at the end: most files are small, and each is counted.
    tally: Totals,
    /// The lines that there is something to be said of.
    lines: BadLines,
    send: Box<dyn FnMut(Piece) -> Result<(), Error> + 's>,
}

/// A channel for the pieces of a unit.
pub(super) fn channel() -> (SyncSender<Piece>, Receiver<Piece>) {
    mpsc::sync_channel(WAITING)
}

impl<'s> Outlet<'s> {
    /// Hands every piece to `send`.
    pub(super) fn new(send: impl FnMut(Piece) -> Result<(), Error> + 's) -> Self {
        Outlet {
            batch: Batch::default(),
            told: Vec::new(),
            tally: Totals::default(),
            lines: BadLines::default(),
            send: Box::new(send),
        }
    }

    /// Hands every piece to the other end of a channel; fails when that is gone.
    pub(super) fn into(sender: SyncSender<Piece>) -> Outlet<'static> {
        Outlet::new(move |piece| sender.send(piece).map_err(|_| unwanted()))
    }

    /// Writes into the batch that is handed on next.
    pub(super) fn write(&mut self, write: impl FnOnce(&mut Batch)) -> Result<(), Error> {
        write(&mut self.batch);
        match self.batch.is_full() {
            true => self.flush(),
            false => Ok(()),
        }
    }

    /// Hands on what has been written.
    pub(super) fn flush(&mut self) -> Result<(), Error> {
        self.flush_told()?;
        match self.batch.is_empty() {
            true => Ok(()),
            false => (self.send)(Piece::Rows(std::mem::take(&mut self.batch))),
        }
    }

    fn flush_told(&mut self) -> Result<(), Error> {
        match self.told.is_empty() {
            true => Ok(()),
            false => (self.send)(Piece::Message(std::mem::take(&mut self.told))),
        }
    }

    /// Hands on something else: messages once there are some of them, or with rows or another piece,
    /// since their order stays; all else at once.
    pub(super) fn send(&mut self, piece: Piece) -> Result<(), Error> {
        match piece {
            Piece::Message(told) => {
                self.told.extend(told);
                match self.told.len() >= MESSAGES {
                    true => self.flush_told(),
                    false => Ok(()),
                }
            }
            Piece::Count(tally) => {
                self.tally.add(tally);
                Ok(())
            }
            Piece::SourceEnd(name) => {
                self.flush_told()?;
                self.end_lines()?;
                (self.send)(Piece::SourceEnd(name))
            }
            piece => {
                self.flush_told()?;
                (self.send)(piece)
            }
        }
    }

    /// Takes note of a line at the offset `at`, of which `message` is to be told if it is the first.
    pub(super) fn bad_line(
        &mut self,
        at: u64,
        message: impl FnOnce() -> String,
    ) -> Result<(), Error> {
        match self.lines.add(at) {
            true => {
                self.flush_told()?;
                (self.send)(Piece::BadLine(at, message()))
            }
            false => Ok(()),
        }
    }

    fn end_lines(&mut self) -> Result<(), Error> {
        match std::mem::take(&mut self.lines) {
            BadLines { more: 0, .. } => Ok(()),
            BadLines { more, last, .. } => (self.send)(Piece::MoreBadLines(more, last)),
        }
    }

    /// Hands on what is left, and that nothing follows.
    pub(super) fn end(mut self, reached: u64) -> Result<(), Error> {
        self.flush()?;
        self.end_lines()?;
        (self.send)(Piece::Count(self.tally))?;
        (self.send)(Piece::End(reached))
    }
}

/// Whoever was to take the pieces is gone.
pub(super) fn unwanted() -> Error {
    Error::Write(io::ErrorKind::BrokenPipe.into())
}
