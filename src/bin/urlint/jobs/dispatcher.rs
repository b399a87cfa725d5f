//! Puts units of work together for the workers.

use std::cell::RefCell;
use std::fs;
use std::rc::Rc;
use std::sync::Arc;

use super::chunks::NextLine;
use super::emitter::{Emitter, Item, no_longer_needed};
use super::reading::is_small;
use super::{FileChunk, Job, Unit, Work};
use crate::error::Error;
use crate::parallel;
use crate::walk::{Entry, Totals};

/// How many bytes of files and parts make a unit.
const UNIT: u64 = 1 << 20;

/// The cost of a file in addition to its bytes, in bytes.
const COST_OF_FILE: u64 = 8 << 10;

/// The cost of any other job in addition to its bytes, in bytes.
pub(super) const COST_OF_JOB: u64 = 512;

/// What units are submitted to.
pub(super) type Units<W> = parallel::Scheduler<Unit<W>, Item<W>, Error>;

pub(super) fn own_emitter<W: Work>(units: &mut Units<W>) -> Result<Emitter<'static, W>, Error> {
    let sender = units.open()?;
    Ok(Emitter::new(move |item| {
        sender.send(item).map_err(|_| no_longer_needed())
    }))
}

/// Puts units of work together, and submits them.
pub(super) struct Dispatcher<'u, W: Work> {
    units: &'u mut Units<W>,
    /// The unit that is being put together, and its cost in bytes.
    unit: Unit<W>,
    weight: u64,
    /// The totals since the unit began. A job for each of them would separate the documents of an
    /// archive, which are held together.
    totals: Totals,
    /// The emitter of the unit that is being done on this thread.
    own: Option<Rc<RefCell<Emitter<'static, W>>>>,
}

impl<'u, W: Work> Dispatcher<'u, W> {
    pub(super) fn new(units: &'u mut Units<W>) -> Self {
        Dispatcher {
            units,
            unit: Vec::new(),
            weight: 0,
            totals: Totals::default(),
            own: None,
        }
    }

    /// Submits what is left.
    pub(super) fn finish(mut self) -> Result<(), Error> {
        self.end_unit()?;
        self.end_own()
    }

    /// Submits the unit that has been put together, and sends the results of this thread.
    pub(super) fn flush(&mut self) -> Result<(), Error> {
        self.end_unit()?;
        match &self.own {
            Some(emitter) => emitter.borrow_mut().flush(),
            None => Ok(()),
        }
    }

    fn end_unit(&mut self) -> Result<(), Error> {
        self.end_totals();
        self.weight = 0;
        match std::mem::take(&mut self.unit) {
            unit if unit.is_empty() => Ok(()),
            unit => Ok(self.units.submit(unit)?),
        }
    }

    fn end_totals(&mut self) {
        let totals = std::mem::take(&mut self.totals);
        if totals != Totals::default() {
            self.unit.push(Job::Item(Item::Totals(totals)));
        }
    }

    fn end_own(&mut self) -> Result<(), Error> {
        match self.own.take() {
            Some(emitter) => emitter.borrow_mut().end(),
            None => Ok(()),
        }
    }

    /// Adds a job that costs `weight` bytes to the unit that is being put together.
    pub(super) fn add(&mut self, job: Job<W>, weight: u64) -> Result<(), Error> {
        self.end_own()?;
        self.unit.push(job);
        self.weigh(weight)
    }

    /// Returns the last job of the unit that is being put together.
    pub(super) fn last(&mut self) -> Option<&mut Job<W>> {
        self.unit.last_mut()
    }

    /// Adds to the cost of the last job.
    pub(super) fn weigh(&mut self, weight: u64) -> Result<(), Error> {
        self.weight += weight;
        if self.weight >= UNIT {
            return self.end_unit();
        }
        Ok(())
    }

    /// Submits a chunk as a unit of its own.
    pub(super) fn chunk(
        &mut self,
        chunk: Arc<FileChunk<W>>,
        next_line: NextLine,
    ) -> Result<(), Error> {
        self.end_own()?;
        self.end_unit()?;
        let unit = vec![Job::Chunk(chunk.clone(), next_line)];
        Ok(self.units.submit_with(Item::Chunk(chunk), unit)?)
    }

    /// Returns the emitter for what is read on this thread.
    pub(super) fn emitter(&mut self) -> Result<Rc<RefCell<Emitter<'static, W>>>, Error> {
        self.end_unit()?;
        if let Some(emitter) = &self.own {
            return Ok(emitter.clone());
        }
        let emitter = Rc::new(RefCell::new(own_emitter(self.units)?));
        Ok(self.own.insert(emitter).clone())
    }

    /// Leaves a file to the workers if it is small; returns whether it has.
    pub(super) fn defer(&mut self, entry: &Entry<'_>) -> Result<bool, Error> {
        if !entry.is_regular {
            self.flush()?;
            return Ok(false);
        }
        let data = fs::metadata(entry.path).ok();
        let length = data.map(|data| data.len());
        let Some(length) = length.filter(|&length| is_small::<W>(length)) else {
            return Ok(false);
        };
        let job = Job::File {
            path: entry.path.to_owned(),
            name: entry.name.to_owned(),
            is_named: entry.is_named,
        };
        self.add(job, length + COST_OF_FILE)?;
        Ok(true)
    }

    /// Sends an item, in order with the other results.
    pub(super) fn item(&mut self, item: Item<W>) -> Result<(), Error> {
        if let Some(emitter) = &self.own {
            return emitter.borrow_mut().send(item);
        }
        if let Item::Totals(totals) = item {
            self.totals.add(totals);
            return self.weigh(COST_OF_JOB);
        }
        self.end_totals();
        self.add(Job::Item(item), COST_OF_JOB)
    }
}
