//! Putting together what the threads have found, in its order.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::Duration;

use super::crew;
use super::crew::Entry;
use super::job::{Office, Room};
use super::list::List;
use super::outlet::{Outlet, Piece};
use super::progress::Progress;
use crate::commands::read::BadLines;
use crate::error::{Error, Exit};
use crate::walk::{Message, Totals};

/// How long at most until it is seen that the work is to end, or has come further.
const TICK: Duration = Duration::from_millis(50);

/// Takes what the threads hand on.
pub(super) struct Collector<'o> {
    office: &'static Office,
    list: List<'o>,
    progress: Progress,
    tally: Totals,
    /// What was drawn and has been told.
    drawn: Vec<Arc<str>>,
    /// The lines of the source that there is something to be said of.
    lines: BadLines,
}

/// What has come through a channel.
enum Next<T> {
    Some(T),
    /// The other end is gone.
    Gone,
    /// The work is to end now, and nothing more has come.
    OutputSpec,
}

impl<'o> Collector<'o> {
    pub(super) fn new(office: &'static Office, list: List<'o>, progress: Progress) -> Self {
        Collector {
            office,
            list,
            progress,
            tally: Totals::default(),
            drawn: Vec::new(),
            lines: BadLines::default(),
        }
    }

    /// Has all read and lists what is found; or less, and how the command ends then: the list is
    /// the beginning of what it would have been, whole rows of it.
    ///
    /// Threads that are still at work when this returns are of no use any more.
    pub(super) fn run(&mut self, threads: usize) -> Result<Option<Exit>, Error> {
        let (entries, driver) = crew::start(self.office, threads)?;
        let mut reached = 0;
        loop {
            match self.next(&entries) {
                Next::Some(entry) => match self.unit(entry, reached)? {
                    Some(end) => reached = end,
                    None => break,
                },
                Next::Gone => {
                    match driver.join() {
                        Ok(driven) => driven?,
                        // It has said why, and what it did not come to was not read.
                        Err(_) => self.tally.add(Totals::FAILED),
                    }
                    break;
                }
                Next::OutputSpec => break,
            }
        }
        self.progress.end();
        let asked = self.office.interrupt.asked();
        if asked.is_some() {
            let read = &self.office.opening.bytes_read;
            self.progress.tell_interrupted(read);
        }
        Ok(asked)
    }

    /// Prints what has not been printed of the list; returns how the reading went.
    pub(super) fn finish(self) -> Result<Totals, Error> {
        self.list.finish()?;
        Ok(self.tally)
    }

    /// Takes all of a unit, before which the last candidate ended at the offset `before` if it was
    /// of the same file. Returns where the last of the unit ends; `None` if the work is to end.
    fn unit(&mut self, entry: Entry, before: u64) -> Result<Option<u64>, Error> {
        let Entry { pieces, large } = entry;
        if let Some(large) = large
            && large.start > 0
            && before > large.start
        {
            // It has been searched from its start, and that was wrong.
            drop(pieces);
            let office = self.office;
            let mut outlet = Outlet::new(|piece| self.take(piece).map(drop));
            let reached = office.stretch(&large, before, &mut Room::default(), &mut outlet)?;
            outlet.end(reached)?;
            return Ok(Some(reached));
        }
        loop {
            match self.next(&pieces) {
                Next::Some(piece) => {
                    if let Some(reached) = self.take(piece)? {
                        return Ok(Some(reached));
                    }
                }
                // A thread that ends so has said why, and what is missing was not read.
                Next::Gone => {
                    self.tally.add(Totals::FAILED);
                    return Ok(Some(0));
                }
                Next::OutputSpec => return Ok(None),
            }
        }
    }

    /// Takes a piece; says where the last candidate ended if it is the last of its unit.
    fn take(&mut self, piece: Piece) -> Result<Option<u64>, Error> {
        match piece {
            Piece::Rows(mut batch) => {
                self.progress.found += batch.count;
                self.list.take(&mut batch)?;
            }
            Piece::Message(told) => told.into_iter().for_each(|told| self.tell(told)),
            Piece::Count(tally) => self.tally.add(tally),
            Piece::BadLine(at, message) => {
                if self.lines.add(at) {
                    self.tell(Message::Line(message));
                }
            }
            Piece::MoreBadLines(count, last) => self.lines.add_more(count, last),
            Piece::SourceEnd(name) => {
                if let Some(message) = self.lines.end(&name) {
                    self.tell(Message::Line(message));
                }
            }
            Piece::End(reached) => return Ok(Some(reached)),
        }
        Ok(None)
    }

    fn tell(&mut self, told: Message) {
        let drawn = &mut self.drawn;
        self.progress.aside(|| told.print(drawn));
    }

    fn next<T>(&mut self, from: &Receiver<T>) -> Next<T> {
        loop {
            let interrupt = &self.office.interrupt;
            if interrupt.asked().is_some() && !interrupt.ends_soon() {
                return match from.try_recv() {
                    Ok(next) => Next::Some(next),
                    Err(TryRecvError::Disconnected) => Next::Gone,
                    Err(TryRecvError::Empty) => Next::OutputSpec,
                };
            }
            self.progress.tick(&self.office.opening.bytes_read);
            match from.recv_timeout(TICK) {
                Ok(next) => return Next::Some(next),
                Err(RecvTimeoutError::Disconnected) => return Next::Gone,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}
