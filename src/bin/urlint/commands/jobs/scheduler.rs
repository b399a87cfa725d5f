//! Going through the sources, and giving out the work.

use std::cell::RefCell;
use std::fs;
use std::io::Read;
use std::rc::Rc;

use urlint::parallel;

use super::emitter::{Emitter, Item, unwanted};
use super::{Here, Job, Unit, Work, io_error};
use crate::error::Error;
use crate::walk::{Entry, Input, Message, Totals, Visitor};

/// How many bytes of files and parts make a unit.
const UNIT: u64 = 1 << 20;

/// What a file costs beside its bytes, in bytes.
const COST_OF_FILE: u64 = 8 << 10;

/// What any other job costs beside its bytes, in bytes.
pub(crate) const COST_OF_JOB: u64 = 512;

/// What units are submitted to.
type Units<W> = parallel::Scheduler<Unit<W>, Item<W>, Error>;

/// Goes through all sources.
pub(super) fn run<W: Work>(work: &'static W, units: &mut Units<W>) -> Result<(), Error> {
    if work.context().threads == 1 {
        return run_alone(work, units);
    }
    let scheduler = RefCell::new(Scheduler {
        units,
        unit: Vec::new(),
        weight: 0,
        totals: Totals::default(),
        own: None,
    });
    let mut schedule = Schedule {
        work,
        scheduler: &scheduler,
    };
    walk(work, &mut schedule, &|| scheduler.borrow_mut().flush())?;
    let mut scheduler = scheduler.into_inner();
    scheduler.end_unit()?;
    scheduler.end_own()
}

/// Does all of it on this thread, as one unit.
fn run_alone<W: Work>(work: &'static W, units: &mut Units<W>) -> Result<(), Error> {
    let emitter = RefCell::new(own_emitter(units)?);
    let mut here = Here {
        work,
        emitter: &emitter,
    };
    walk(work, &mut here, &|| emitter.borrow_mut().flush())?;
    emitter.borrow_mut().end()
}

/// Hands all sources to `visitor`. `flush` is called before standard input is waited for.
fn walk<W: Work>(
    work: &W,
    visitor: &mut dyn Visitor,
    flush: &dyn Fn() -> Result<(), Error>,
) -> Result<(), Error> {
    let context = work.context();
    let waits = || {
        flush().map_err(io_error)?;
        Ok(context.interrupt.wait_for_stdin())
    };
    context.inputs.walk(&context.opener, &waits, visitor)
}

fn own_emitter<W: Work>(units: &mut Units<W>) -> Result<Emitter<'static, W>, Error> {
    let sender = units.open()?;
    Ok(Emitter::new(move |item| {
        let weight = item.weight();
        sender.send(item, weight).map_err(|_| unwanted())
    }))
}

/// Gives out the work.
pub(crate) struct Scheduler<'u, W: Work> {
    units: &'u mut Units<W>,
    /// The unit that is being put together, and how many bytes it has.
    unit: Unit<W>,
    weight: u64,
    /// What was counted since the unit began: a job for each source would come between the documents
    /// of an archive.
    totals: Totals,
    /// The unit that is being done here.
    own: Option<Rc<RefCell<Emitter<'static, W>>>>,
}

impl<W: Work> Scheduler<'_, W> {
    /// Gives out the unit that has been put together, and hands on what has been done here.
    fn flush(&mut self) -> Result<(), Error> {
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

    /// Adds a job to the unit that is being put together, which takes so many bytes to do.
    pub(crate) fn add(&mut self, job: Job<W>, weight: u64) -> Result<(), Error> {
        self.end_own()?;
        self.unit.push(job);
        self.weigh(weight)
    }

    /// The job that was added last to the unit that is being put together.
    pub(crate) fn last(&mut self) -> Option<&mut Job<W>> {
        self.unit.last_mut()
    }

    /// Takes note that the last job has become so many bytes longer.
    pub(crate) fn weigh(&mut self, weight: u64) -> Result<(), Error> {
        self.weight += weight;
        if self.weight >= UNIT {
            return self.end_unit();
        }
        Ok(())
    }

    /// Gives out a chunk as a unit of its own.
    pub(crate) fn chunk(&mut self, chunk: Item<W>, part: W::Part) -> Result<(), Error> {
        self.end_own()?;
        self.end_unit()?;
        Ok(self.units.submit_with(chunk, vec![Job::Part(part)])?)
    }

    /// The emitter for what is read on this thread.
    pub(crate) fn emitter(&mut self) -> Result<Rc<RefCell<Emitter<'static, W>>>, Error> {
        self.end_unit()?;
        if let Some(emitter) = &self.own {
            return Ok(emitter.clone());
        }
        let emitter = Rc::new(RefCell::new(own_emitter(self.units)?));
        Ok(self.own.insert(emitter).clone())
    }

    /// Hands on something in its place.
    pub(crate) fn item(&mut self, item: Item<W>) -> Result<(), Error> {
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

/// Leaves to the workers what it can.
struct Schedule<'s, 'u, W: Work> {
    work: &'static W,
    scheduler: &'s RefCell<Scheduler<'u, W>>,
}

impl<W: Work> Visitor for Schedule<'_, '_, W> {
    fn source(&mut self, input: &Input<'_>, reader: &mut dyn Read) -> Result<(), Error> {
        self.work.share(input, reader, self.scheduler)
    }

    fn message(&mut self, message: Message) -> Result<(), Error> {
        let mut scheduler = self.scheduler.borrow_mut();
        scheduler.item(Item::Messages(vec![message]))
    }

    fn count(&mut self, totals: Totals) -> Result<(), Error> {
        self.scheduler.borrow_mut().item(Item::Totals(totals))
    }

    fn begins(&mut self, entry: &Entry<'_>) -> Result<bool, Error> {
        self.work.begins(entry)
    }

    fn ends(&mut self) -> Result<(), Error> {
        match self.work.ends() {
            Some(end) => self.scheduler.borrow_mut().item(end),
            None => Ok(()),
        }
    }

    fn threads(&self) -> usize {
        self.work.context().threads
    }

    fn defer(&mut self, entry: &Entry<'_>) -> Result<bool, Error> {
        if !entry.is_regular {
            self.scheduler.borrow_mut().flush()?;
            return Ok(false);
        }
        let data = fs::metadata(entry.path).ok();
        let length = data.map(|data| data.len());
        let Some(length) = length.filter(|&length| self.work.is_for_workers(length)) else {
            return Ok(false);
        };
        let job = Job::File {
            path: entry.path.to_owned(),
            name: entry.name.to_owned(),
            is_named: entry.is_named,
        };
        let mut scheduler = self.scheduler.borrow_mut();
        scheduler.add(job, length + COST_OF_FILE)?;
        Ok(true)
    }
}
