//! The threads that do the work.

use std::cell::RefCell;
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use urlint::read::Batch;

use super::driver::Driver;
use super::job::{Job, Large, Office, Room, Scribe};
use super::outlet::{Outlet, Piece, channel, unwanted};
use crate::error::Error;

/// A unit's place in the order of all, and what comes out of it.
pub(super) struct Entry {
    pub(super) pieces: Receiver<Piece>,
    /// The stretch that it is, if it is one.
    pub(super) large: Option<Arc<Large>>,
}

/// What a worker does at a time.
struct Unit {
    work: Work,
    pieces: SyncSender<Piece>,
}

pub(super) enum Work {
    Jobs(Vec<Job>),
    Stretch(Arc<Large>),
}

/// The thread that goes through all that is to be read, and how that went.
pub(super) type Driving = thread::JoinHandle<Result<(), Error>>;

/// Starts a thread that goes through all that is to be read. Returns what gives the units in their
/// order; the thread ends with them.
///
/// All of the list stands in one order, cut into units. The thread started here cuts them, sends
/// each one's [`Entry`] to whoever collects, and hands the unit to the workers through a queue; or
/// it does the unit itself, as it comes. Whoever collects takes the units in their order, so they
/// may have to wait for one another, but never in a circle. Look at the unit in front, whose
/// predecessors are all done. It has left the queue, or will: those who take from the queue take
/// the foremost first, and are not busy with one before it, as those are done, nor with one
/// behind it that was taken later. Nor does it wait for room in the queue, where only its
/// predecessors could be. So somebody does it. Whoever does waits only for the line number, which
/// predecessors have set, and for room in its channel, which is made since it is collected from.
pub(super) fn start(
    office: &'static Office,
    threads: usize,
) -> Result<(Receiver<Entry>, Driving), Error> {
    let (order, entries) = mpsc::sync_channel(4 * threads);
    let drive = move || match threads {
        1 => alone(office, &order),
        _ => Driver::new(Crew::new(office, order, threads)).run(),
    };
    Ok((entries, spawn("driver", drive)?))
}

fn spawn<T: Send + 'static>(
    name: &str,
    run: impl FnOnce() -> T + Send + 'static,
) -> Result<thread::JoinHandle<T>, Error> {
    let builder = thread::Builder::new().name(name.to_owned());
    let spawned = builder.spawn(run);
    spawned.map_err(|error| Error::Usage(format!("no thread could be started: {error}")))
}

/// Does all of it in this thread, as one unit.
fn alone(office: &'static Office, order: &SyncSender<Entry>) -> Result<(), Error> {
    let (sender, pieces) = channel();
    let entry = Entry {
        pieces,
        large: None,
    };
    order.send(entry).map_err(|_| unwanted())?;
    let outlet = RefCell::new(Outlet::into(sender));
    let mut scribe = Scribe {
        office,
        outlet: &outlet,
    };
    let waits = || {
        outlet.borrow_mut().flush().map_err(io_error)?;
        Ok(office.interrupt.wait_for_stdin())
    };
    office
        .asked
        .inputs
        .walk(&office.opening, &waits, &mut scribe)?;
    outlet.into_inner().end(0)
}

/// The error of a reader whose bytes are not wanted any more.
pub(super) fn io_error(_: Error) -> std::io::Error {
    std::io::ErrorKind::BrokenPipe.into()
}

/// The workers, and the way to them.
pub(super) struct Crew {
    pub(super) office: &'static Office,
    order: SyncSender<Entry>,
    queue: SyncSender<Unit>,
    units: Arc<Mutex<Receiver<Unit>>>,
    /// What has been read, and where it comes out.
    read: Sender<Batch>,
    spare: Receiver<Batch>,
    /// How many have been started, and how many may be.
    workers: usize,
    threads: usize,
}

impl Crew {
    fn new(office: &'static Office, order: SyncSender<Entry>, threads: usize) -> Self {
        let (queue, units) = mpsc::sync_channel(2 * threads);
        let (read, spare) = mpsc::channel();
        Crew {
            read,
            spare,
            office,
            order,
            queue,
            units: Arc::new(Mutex::new(units)),
            workers: 0,
            threads,
        }
    }

    /// A batch with nothing in it.
    pub(super) fn batch(&self) -> Batch {
        let mut batch = self.spare.try_recv().unwrap_or_default();
        batch.clear();
        batch
    }

    /// Gives out a unit.
    pub(super) fn give_out(&mut self, work: Work) -> Result<(), Error> {
        let large = match &work {
            Work::Stretch(large) => Some(large.clone()),
            Work::Jobs(_) => None,
        };
        let pieces = self.enter(large)?;
        if self.workers < self.threads {
            let (office, units) = (self.office, self.units.clone());
            let spare = self.read.clone();
            spawn("worker", move || work_on(office, &units, &spare))?;
            self.workers += 1;
        }
        let unit = Unit { work, pieces };
        self.queue.send(unit).map_err(|_| unwanted())
    }

    /// Enters a unit into the order.
    pub(super) fn enter(&mut self, large: Option<Arc<Large>>) -> Result<SyncSender<Piece>, Error> {
        let (sender, pieces) = channel();
        let entry = Entry { pieces, large };
        self.order.send(entry).map_err(|_| unwanted())?;
        Ok(sender)
    }
}

/// Does units as they come.
fn work_on(office: &'static Office, units: &Mutex<Receiver<Unit>>, spare: &Sender<Batch>) {
    let mut room = Room::default();
    loop {
        let next = units.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Unit { work, pieces }) = next else {
            return;
        };
        let mut outlet = Outlet::into(pieces);
        // What fails to be handed on is not wanted any more: then the collector has stopped, or
        // does the stretch again. Nothing else fails here.
        let _ = match work {
            Work::Stretch(large) => {
                office.count_lines(&large, &mut room.text);
                let reached = office.stretch(&large, 0, &mut room, &mut outlet);
                office.has_read(&large);
                reached.and_then(|reached| outlet.end(reached))
            }
            Work::Jobs(jobs) => {
                let outlet = RefCell::new(outlet);
                let mut jobs = jobs.into_iter();
                let done = jobs.try_for_each(|job| office.job(job, &outlet, spare));
                done.and_then(|()| outlet.into_inner().end(0))
            }
        };
    }
}
