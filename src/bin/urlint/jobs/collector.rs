//! Takes the results of the threads in their order, and prints messages.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::thread;
use std::time::Duration;

use urlint::config::BadConfig;
use urlint::read::Content;

use super::chunks::Scratch;
use super::emitter::{Emitter, Item, no_longer_needed};
use super::progress::Progress;
use super::reading::{read_here, work_on};
use super::{FileChunk, Unit, Work, sharing};
use crate::error::{Error, Exit};
use crate::parallel::{self, Failure, Limits, Next, Sender};
use crate::walk::{Input, Message, Totals, Walked};

/// How often the collector looks at signals and updates the progress.
const TICK: Duration = Duration::from_millis(50);

/// How many units may wait for each thread.
const UNITS: usize = 4;

/// How many results of a unit may wait: batches of 64 KiB, for the most part.
const RESULTS: usize = 32;

/// Takes what the threads send, batch by batch.
pub(crate) struct Collector<W: Work> {
    work: &'static W,
    progress: Progress,
    /// What was read.
    pub(crate) totals: Totals,
    /// Whether a thread has panicked, so that not everything was read.
    pub(crate) has_panicked: bool,
    /// Configuration errors that have been printed.
    printed: Vec<BadConfig>,
    results: Option<Results<W>>,
    /// Batches that [`next`](Self::next) has not returned yet.
    pending: VecDeque<W::Batch>,
    /// Where the last candidate of the previous chunk ends, and where that of the current one does.
    reached: u64,
    chunk_end: u64,
}

/// The results of all units.
type Results<W> = parallel::Results<Item<W>, Error, Result<(), Error>>;

impl<W: Work> Collector<W> {
    pub(crate) fn new(work: &'static W, progress: Progress) -> Self {
        Collector {
            work,
            progress,
            totals: Totals::default(),
            has_panicked: false,
            printed: Vec::new(),
            results: None,
            pending: VecDeque::new(),
            reached: 0,
            chunk_end: 0,
        }
    }

    /// Starts the threads that read the sources. Dropping the results ends them.
    fn start(&self) -> Result<Results<W>, Error> {
        let work = self.work;
        let threads = work.context().threads;
        let limits = Limits {
            threads,
            units: UNITS * threads,
            results: RESULTS,
        };
        let do_unit = move |unit: Unit<W>, scratch: &mut Scratch, sender: &Sender<_, _>| {
            let emitter = Emitter::new(|item| sender.send(item).map_err(|_| no_longer_needed()));
            work_on(work, unit, scratch, emitter)
        };
        let results = parallel::start(limits, move |units| sharing::run(work, units), do_unit);
        results.map_err(Error::NoThread)
    }

    /// Returns the next results, in the order of the sources; `None` once all of them have come, or the
    /// process is [asked to end](Self::end).
    pub(crate) fn next(&mut self) -> Result<Option<W::Batch>, Error> {
        let mut results = match self.results.take() {
            Some(results) => results,
            None => self.start()?,
        };
        let next = self.next_of(&mut results);
        self.results = Some(results);
        next
    }

    /// Counts results, for the progress.
    pub(crate) fn add_found(&mut self, count: u64) {
        self.progress.found += count;
    }

    /// Ends the progress. Returns the exit code if a signal has ended the work: then only a first part of
    /// the results has come.
    pub(crate) fn end(&mut self) -> Option<Exit> {
        self.progress.end();
        let context = self.work.context();
        let exit = context.interrupt.exit_requested();
        if exit.is_some() {
            self.progress.report_interrupted(&context.opener.bytes_read);
        }
        exit
    }

    fn next_of(&mut self, results: &mut Results<W>) -> Result<Option<W::Batch>, Error> {
        loop {
            if let Some(batch) = self.pending.pop_front() {
                return Ok(Some(batch));
            }
            match self.wait(results) {
                Next::Item(Item::Chunk(chunk)) => {
                    if self.search_again(&chunk)? {
                        results.skip_unit();
                    } else {
                        self.chunk_end = 0;
                    }
                }
                Next::Item(Item::Reached(reached)) => self.chunk_end = reached,
                Next::Item(item) => self.take(item),
                Next::UnitEnd => self.reached = std::mem::take(&mut self.chunk_end),
                Next::Failed(Failure::Error(error)) => return Err(error),
                // The thread has printed the panic; the rest was not read.
                Next::Failed(Failure::Panic) => {
                    self.has_panicked = true;
                    self.totals.add(Totals::FAILED);
                    return Ok(None);
                }
                Next::Done => return self.walked(results.join()).map(|()| None),
                // A signal has come, and there are no more results.
                Next::TimedOut | Next::Failed(Failure::Stopped) => return Ok(None),
            }
        }
    }

    /// Reads all sources on this thread. `prepare` is called for each, and decides what to read: the
    /// source, other bytes instead, or nothing. `take` takes results, and returns how many there are.
    pub(crate) fn run_here(
        &mut self,
        prepare: &mut dyn FnMut(&Input<'_>, Content<'_>) -> Result<ToRead, Error>,
        take: &mut dyn FnMut(W::Batch) -> Result<u64, Error>,
    ) -> Result<(), Error> {
        let work = self.work;
        let context = work.context();
        let before_read = || Ok(context.interrupt.wait_for_stdin());
        let mut open = |walked: Walked<'_>| {
            let Walked::Source(input, content) = walked else {
                return self.read_here(walked, take);
            };
            if context.interrupt.exit_requested().is_some() {
                return Err(no_longer_needed());
            }
            self.progress.tick(&context.opener.bytes_read);
            let mut content = content;
            // `prepare` prints messages of its own.
            let prepare = || prepare(input, content.reborrow());
            match self.progress.suspend(prepare)? {
                ToRead::Source => self.read_here(Walked::Source(input, content), take),
                ToRead::Bytes(bytes) => {
                    self.read_here(Walked::Source(input, bytes[..].into()), take)
                }
                ToRead::Nothing => Ok(()),
            }
        };
        let walked =
            context
                .inputs
                .walk(&context.opener, &before_read, &mut |walked| match walked {
                    Walked::File(entry) => context.opener.file(&entry, 1, &mut open),
                    walked => open(walked),
                });
        match context.interrupt.exit_requested() {
            Some(_) => Ok(()),
            None => walked,
        }
    }

    fn read_here(
        &mut self,
        walked: Walked<'_>,
        take: &mut dyn FnMut(W::Batch) -> Result<u64, Error>,
    ) -> Result<(), Error> {
        let work = self.work;
        let emitter = RefCell::new(Emitter::new(|item| {
            self.take(item);
            while let Some(batch) = self.pending.pop_front() {
                self.progress.found += take(batch)?;
            }
            Ok(())
        }));
        read_here(work, walked, &emitter)?;
        emitter.borrow_mut().end()
    }

    /// Returns how the walk through the sources ended.
    fn walked(&mut self, joined: Option<thread::Result<Result<(), Error>>>) -> Result<(), Error> {
        match joined {
            // A signal stopped it.
            _ if self.work.context().interrupt.exit_requested().is_some() => Ok(()),
            Some(Ok(walked)) => walked,
            // It has printed its panic; the rest was not read.
            Some(Err(_)) => {
                self.has_panicked = true;
                self.totals.add(Totals::FAILED);
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Searches a chunk again if its results are wrong; returns whether they were.
    fn search_again(&mut self, chunk: &FileChunk<W>) -> Result<bool, Error> {
        let (work, before) = (self.work, self.reached);
        let mut reached = None;
        let emitter = RefCell::new(Emitter::new(|item| {
            match item {
                Item::Reached(end) => reached = Some(end),
                item => self.take(item),
            }
            Ok(())
        }));
        let is_searched = chunk.search_again(work, before, &emitter)?;
        if is_searched {
            emitter.borrow_mut().end()?;
        }
        drop(emitter);
        if let Some(reached) = reached {
            self.reached = reached;
        }
        Ok(is_searched)
    }

    fn take(&mut self, item: Item<W>) {
        match item {
            Item::Batch(batch) => self.pending.push_back(batch),
            Item::Messages(messages) => {
                let all = messages.into_iter();
                all.for_each(|message| self.print(message));
            }
            Item::Totals(totals) => self.totals.add(totals),
            Item::Chunk(_) | Item::Reached(_) => {}
        }
    }

    fn print(&mut self, message: Message) {
        let printed = &mut self.printed;
        self.progress.suspend(|| message.print(printed));
    }

    fn wait(&mut self, results: &mut Results<W>) -> Next<Item<W>, Error> {
        loop {
            let context = self.work.context();
            let interrupt = &context.interrupt;
            if interrupt.exit_requested().is_some() && !interrupt.ends_soon() {
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

/// What to read for a source.
pub(crate) enum ToRead {
    Source,
    /// These bytes instead.
    Bytes(Vec<u8>),
    Nothing,
}
