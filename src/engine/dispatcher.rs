//! Puts units of work together for the workers.

use std::rc::Rc;

use super::message::Message;
use super::out::{Out, Results};
use super::text_batch::{Part, TextBatch};
use super::walk::Entry;
use super::{Error, Inputs, Totals, Work, parallel};

/// How many bytes of files and parts make a unit.
const UNIT: u64 = 1 << 20;

/// The cost of a file in addition to its bytes, in bytes.
const COST_OF_FILE: u64 = 8 << 10;

/// How many times as much as other bytes the bytes of a PDF cost.
const COST_OF_PDF: u64 = 64;

/// The cost of any other job in addition to its bytes, in bytes.
const COST_OF_JOB: u64 = 512;

/// A small piece of work.
pub(super) enum Job<W: Work> {
    /// Read a file.
    File(Entry),
    /// Read texts that are in memory.
    Texts(TextBatch<W>),
    /// Send these results.
    Send(Results<W::Batch>),
}

/// The jobs that a worker takes at a time.
pub(super) type Unit<W> = Vec<Job<W>>;

/// The pool that units are submitted to.
pub(super) type Units<W> = parallel::Scheduler<Unit<W>, Results<<W as Work>::Batch>, Error>;

/// Takes the results of sources that are read on the thread of the walk.
type OwnOut<'u, W> = Rc<Out<'u, <W as Work>::Batch>>;

/// Puts units of work together, and submits them.
pub(super) struct Dispatcher<'u, W: Work> {
    units: &'u mut Units<W>,
    inputs: &'u Inputs,
    /// The unit that is being put together, and its cost in bytes.
    unit: Unit<W>,
    weight: u64,
    /// The counts since the unit began. They are kept here, since a job for each count would separate the
    /// documents of an archive, which are read together.
    totals: Totals,
    /// The results of the unit that is being done on this thread.
    own: Option<OwnOut<'u, W>>,
}

impl<'u, W: Work> Dispatcher<'u, W> {
    pub(super) fn new(units: &'u mut Units<W>, inputs: &'u Inputs) -> Self {
        Dispatcher {
            units,
            inputs,
            unit: Vec::new(),
            weight: 0,
            totals: Totals::default(),
            own: None,
        }
    }

    /// Submits the unit that has been put together, and sends the results of this thread.
    pub(super) fn flush(&mut self) -> Result<(), Error> {
        self.end_unit()?;
        self.own.as_ref().map_or(Ok(()), |out| out.flush())
    }

    fn end_unit(&mut self) -> Result<(), Error> {
        let totals = std::mem::take(&mut self.totals);
        if totals != Totals::default() {
            let mut results = Results::default();
            results.note(None, totals);
            self.unit.push(Job::Send(results));
        }
        self.weight = 0;
        match std::mem::take(&mut self.unit) {
            unit if unit.is_empty() => Ok(()),
            unit => Ok(self.units.submit(unit)?),
        }
    }

    fn end_own(&mut self) -> Result<(), Error> {
        self.own.take().map_or(Ok(()), |out| out.flush())
    }

    /// Adds a job that costs `weight` bytes to the unit that is being put together.
    fn add(&mut self, job: Job<W>, weight: u64) -> Result<(), Error> {
        self.end_own()?;
        self.unit.push(job);
        self.weigh(weight + COST_OF_JOB)
    }

    fn weigh(&mut self, weight: u64) -> Result<(), Error> {
        self.weight += weight;
        if self.weight >= UNIT {
            return self.end_unit();
        }
        Ok(())
    }

    /// Adds a file of this length.
    pub(super) fn file(&mut self, entry: Entry, length: u64) -> Result<(), Error> {
        let cost = if entry.is_pdf() { COST_OF_PDF } else { 1 };
        self.add(Job::File(entry), length * cost + COST_OF_FILE)
    }

    /// Adds a copy of a text.
    pub(super) fn text(&mut self, part: Part<W>, bytes: &[u8]) -> Result<(), Error> {
        let length = bytes.len() as u64;
        if let Some(Job::Texts(texts)) = self.unit.last_mut() {
            texts.add(part, bytes);
            return self.weigh(length + COST_OF_JOB);
        }
        let mut texts = TextBatch::new(self.inputs.buffers.take());
        texts.add(part, bytes);
        self.add(Job::Texts(texts), length)
    }

    /// Returns the output for sources that are read on this thread.
    pub(super) fn own(&mut self) -> Result<OwnOut<'u, W>, Error> {
        self.end_unit()?;
        if let Some(out) = &self.own {
            return Ok(out.clone());
        }
        let out = Out::new(self.inputs, self.units.open()?);
        Ok(self.own.insert(Rc::new(out)).clone())
    }

    /// Adds a message and numbers, in order with the other results.
    pub(super) fn note(&mut self, message: Option<Message>, totals: Totals) -> Result<(), Error> {
        if let Some(out) = &self.own {
            return out.note(message, totals);
        }
        self.totals.add(totals);
        match message {
            None => self.weigh(COST_OF_JOB),
            message => {
                let mut results = Results::default();
                results.note(message, std::mem::take(&mut self.totals));
                self.add(Job::Send(results), 0)
            }
        }
    }
}
