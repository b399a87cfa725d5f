//! Taking what the threads have found, in its order, and printing messages.

use std::cell::RefCell;
use std::io::Read;
use std::thread;
use std::time::Duration;

use urlint::config::BadConfig;
use urlint::parallel::{self, Failure, Limits, Next, Sender};

use super::emitter::{Emitter, Item, unwanted};
use super::progress::Progress;
use super::{Here, Unit, Work, scheduler, work_on};
use crate::commands::read::BadLines;
use crate::error::{Error, Exit};
use crate::walk::{Input, Message, Totals, Visitor};

/// How long it takes at most until it is seen that the work is to end, or has come further.
const TICK: Duration = Duration::from_millis(50);

/// How many units may wait for each thread.
const UNITS: usize = 4;

/// How many bytes of results may wait.
const RESULTS: usize = 16 << 20;

/// Takes what the threads hand on.
pub(crate) struct Collector<'c, W: Work> {
    work: &'static W,
    progress: Progress,
    /// What was read.
    pub(crate) totals: Totals,
    /// Whether a thread has panicked, and not all was read.
    pub(crate) has_panicked: bool,
    /// Wrong configurations that have been printed.
    printed: Vec<BadConfig>,
    /// The lines of the current source that are not as they should be.
    lines: BadLines,
    /// Where the last candidate of the last chunk ends.
    reached: u64,
    taker: &'c mut dyn Take<W::Batch>,
}

/// Takes results, in their order.
pub(crate) trait Take<B> {
    /// Takes results, and returns how many of them there are.
    fn batch(&mut self, batch: B) -> Result<u64, Error>;

    /// Takes note that all results of a file have come. `line` is what the work says of it, `totals`
    /// what has been read with it.
    fn file_end(&mut self, _line: &[u8], _totals: Totals) -> Result<(), Error> {
        Ok(())
    }

    /// Returns whether no more are wanted.
    fn has_enough(&self) -> bool {
        false
    }
}

impl<B, F: FnMut(B) -> Result<u64, Error>> Take<B> for F {
    fn batch(&mut self, batch: B) -> Result<u64, Error> {
        self(batch)
    }
}

/// The results of all units.
type Results<W> = parallel::Results<Unit<W>, Item<W>, Error, Result<(), Error>>;

impl<'c, W: Work> Collector<'c, W> {
    pub(crate) fn new(
        work: &'static W,
        progress: Progress,
        taker: &'c mut dyn Take<W::Batch>,
    ) -> Self {
        Collector {
            work,
            progress,
            totals: Totals::default(),
            has_panicked: false,
            printed: Vec::new(),
            lines: BadLines::default(),
            reached: 0,
            taker,
        }
    }

    /// Has sources read until that was done with all of them or the taker has enough, and takes what
    /// comes out of them. If the process is asked to end before that is done, returns how it is to exit:
    /// what has been taken is the beginning of what it would have been.
    ///
    /// Threads that are still at work when this returns are of no use any more.
    pub(crate) fn run(&mut self) -> Result<Option<Exit>, Error> {
        let work = self.work;
        let threads = work.context().threads;
        let limits = Limits {
            threads,
            units: UNITS * threads,
            weight: RESULTS,
        };
        let do_unit =
            move |unit: Unit<W>, scratch: &mut W::Scratch, sender: &Sender<_, Item<W>, _>| {
                let emitter = Emitter::new(|item: Item<W>| {
                    let weight = item.weight();
                    sender.send(item, weight).map_err(|_| unwanted())
                });
                work_on(work, unit, scratch, emitter)
            };
        let results = parallel::start(limits, move |units| scheduler::run(work, units), do_unit);
        let no_thread = |error| Error::Usage(format!("no thread could be started: {error}"));
        let mut results = results.map_err(no_thread)?;
        let ended = self.take_all(&mut results);
        self.end_progress();
        ended.map(|()| work.context().interrupt.asked())
    }

    fn take_all(&mut self, results: &mut Results<W>) -> Result<(), Error> {
        let mut chunk_end = 0;
        while !self.taker.has_enough() {
            match self.next(results) {
                Next::Item(Item::Chunk(chunk)) => {
                    if self.search_again(&chunk)? {
                        results.skip_unit();
                    } else {
                        chunk_end = 0;
                    }
                }
                Next::Item(Item::Reached(reached)) => chunk_end = reached,
                Next::Item(item) => self.take(item)?,
                Next::UnitEnd => self.reached = std::mem::take(&mut chunk_end),
                Next::Failed(Failure::Error(error)) => return Err(error),
                // The thread has said why; what it did not come to was not read.
                Next::Failed(Failure::Panic(_)) => {
                    self.has_panicked = true;
                    self.totals.add(Totals::FAILED);
                    return Ok(());
                }
                Next::Done => return self.walked(results.join()),
                // The work is to end, and nothing more has come.
                Next::TimedOut => return Ok(()),
            }
        }
        Ok(())
    }

    /// How the walk through the sources ended.
    fn walked(&mut self, joined: Option<thread::Result<Result<(), Error>>>) -> Result<(), Error> {
        match joined {
            // It was stopped.
            _ if self.work.context().interrupt.asked().is_some() => Ok(()),
            Some(Ok(walked)) => walked,
            // It panicked and has said why; what it did not come to was not read.
            Some(Err(_)) => {
                self.has_panicked = true;
                self.totals.add(Totals::FAILED);
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Reads all sources on this thread. `prepare` is called for each; it says what is to be read
    /// then: the source, other bytes in its place, or nothing. As [`run`](Collector::run) does,
    /// returns how the process is to exit if it is asked to end.
    pub(crate) fn run_here(
        &mut self,
        prepare: &mut dyn FnMut(&Input<'_>, &mut dyn Read) -> Result<ToRead, Error>,
    ) -> Result<Option<Exit>, Error> {
        let context = self.work.context();
        let waits = || Ok(context.interrupt.wait_for_stdin());
        let mut inline = Inline {
            collector: self,
            prepare,
        };
        let walked = context.inputs.walk(&context.opener, &waits, &mut inline);
        self.end_progress();
        match context.interrupt.asked() {
            Some(exit) => Ok(Some(exit)),
            None => walked.map(|()| None),
        }
    }

    fn end_progress(&mut self) {
        self.progress.end();
        let context = self.work.context();
        if context.interrupt.asked().is_some() {
            self.progress.report_interrupted(&context.opener.bytes_read);
        }
    }

    /// Searches a chunk again if what was found in it does not hold.
    fn search_again(&mut self, chunk: &W::Chunk) -> Result<bool, Error> {
        let (work, before) = (self.work, self.reached);
        let mut reached = None;
        let mut take = |item| match item {
            Item::Reached(end) => {
                reached = Some(end);
                Ok(())
            }
            item => self.take(item),
        };
        let emitter = RefCell::new(Emitter::new(&mut take));
        let is_searched = work.search_again(chunk, before, &emitter)?;
        if is_searched {
            emitter.borrow_mut().end()?;
        }
        drop(emitter);
        if let Some(reached) = reached {
            self.reached = reached;
        }
        Ok(is_searched)
    }

    fn take(&mut self, item: Item<W>) -> Result<(), Error> {
        match item {
            Item::Batch(batch) => self.progress.found += self.taker.batch(batch)?,
            Item::Messages(messages) => {
                let all = messages.into_iter();
                all.for_each(|message| self.print(message));
            }
            Item::Totals(totals) => self.totals.add(totals),
            Item::BadLine(at, message) => {
                if self.lines.add(at) {
                    self.print(Message::Line(message));
                }
            }
            Item::MoreBadLines(count, last) => self.lines.add_more(count, last),
            Item::SourceEnd(name) => {
                if let Some(message) = self.lines.end(&name) {
                    self.print(Message::Line(message));
                }
            }
            Item::FileEnd(line) => self.taker.file_end(&line, self.totals)?,
            Item::Chunk(_) | Item::Reached(_) => {}
        }
        Ok(())
    }

    fn print(&mut self, message: Message) {
        let printed = &mut self.printed;
        self.progress.suspend(|| message.print(printed));
    }

    fn next(&mut self, results: &mut Results<W>) -> Next<Item<W>, Error> {
        loop {
            let context = self.work.context();
            let interrupt = &context.interrupt;
            if interrupt.asked().is_some() && !interrupt.ends_soon() {
                results.stop();
                return results.next(Duration::ZERO);
            }
            self.progress.tick(&context.opener.bytes_read);
            match results.next(TICK) {
                Next::TimedOut => {}
                next => return next,
            }
        }
    }
}

/// What is to be read of a source.
pub(crate) enum ToRead {
    Source,
    /// These bytes in its place.
    Bytes(Vec<u8>),
    Nothing,
}

/// Reads sources on the main thread.
struct Inline<'i, 'c, W: Work> {
    collector: &'i mut Collector<'c, W>,
    prepare: &'i mut dyn FnMut(&Input<'_>, &mut dyn Read) -> Result<ToRead, Error>,
}

impl<W: Work> Visitor for Inline<'_, '_, W> {
    fn source(&mut self, input: &Input<'_>, reader: &mut dyn Read) -> Result<(), Error> {
        let collector = &mut *self.collector;
        let context = collector.work.context();
        if context.interrupt.asked().is_some() {
            return Err(unwanted());
        }
        collector.progress.tick(&context.opener.bytes_read);
        // It prints messages of its own.
        let prepare = || (self.prepare)(input, reader);
        let to_read = collector.progress.suspend(prepare)?;
        let work = collector.work;
        let emitter = RefCell::new(Emitter::new(|item| collector.take(item)));
        let mut here = Here {
            work,
            emitter: &emitter,
        };
        match to_read {
            ToRead::Source => here.source(input, reader)?,
            ToRead::Bytes(bytes) => {
                let input = Input {
                    bytes: Some(&bytes),
                    ..*input
                };
                here.source(&input, &mut &bytes[..])?;
            }
            ToRead::Nothing => {}
        }
        emitter.borrow_mut().end()
    }

    fn message(&mut self, message: Message) -> Result<(), Error> {
        self.collector.print(message);
        Ok(())
    }

    fn count(&mut self, totals: Totals) -> Result<(), Error> {
        self.collector.totals.add(totals);
        Ok(())
    }
}
