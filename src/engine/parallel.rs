//! Units of work, done by several threads: their results come in the order of the units, whichever
//! is done first.
//!
//! Each unit has a channel of its own for its results. The receivers are in the order of the units.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use super::lock;

/// How many threads work, and how many results may wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limits {
    /// How many threads do units, at least one.
    pub(super) threads: usize,
    /// How many units may be submitted before the first of them is taken, at least one.
    pub(super) units: usize,
    /// How many results of a unit may wait, at least one.
    pub(super) results: usize,
}

/// Why a unit could not be submitted, or a result could not be sent.
#[derive(Debug)]
pub(super) enum Stopped {
    /// The results are no longer wanted.
    Cancelled,
    /// No thread could be started.
    NoThread(io::Error),
}

/// Why there are no more results.
#[derive(Debug)]
pub(super) enum Failure<E> {
    /// A unit failed.
    Error(E),
    /// A unit panicked; its thread has printed why.
    Panic,
    /// A unit was not begun, since no more were [to be](Results::stop).
    Stopped,
}

/// The next item of [`Results`].
#[derive(Debug)]
pub(super) enum Next<T, E> {
    /// A result of the current unit.
    Item(T),
    /// The current unit is done; the next result belongs to the next unit.
    UnitEnd,
    /// The current unit failed.
    Failed(Failure<E>),
    /// All units are done, and no more will be submitted.
    Done,
    /// Nothing came in the time given.
    TimedOut,
}

/// A result of a unit, or its failure.
type Sent<T, E> = Result<T, Failure<E>>;

/// A unit of work, and the sender of its results.
type Job<W, T, E> = (W, Sender<T, E>);

/// Starts a thread that runs `produce`, which submits units of work `W`. Up to `limits.threads`
/// other threads run `work` on them. [`Results`] returns their results, in the order of submission.
///
/// The unit whose results are taken next never waits for another: units are begun in their order,
/// and each has room for results of its own.
///
/// Fails if the thread cannot be started.
pub(super) fn start<W, T, E, R>(
    limits: Limits,
    produce: impl FnOnce(&mut Scheduler<W, T, E>) -> R + Send + 'static,
    work: impl Fn(W, &Sender<T, E>) -> Result<(), E> + Send + Sync + 'static,
) -> io::Result<Results<T, E, R>>
where
    W: Send + 'static,
    T: Send + 'static,
    E: Send + 'static,
    R: Send + 'static,
{
    let (queue, jobs) = mpsc::channel();
    let (ordered, units) = mpsc::sync_channel(limits.units.max(1) - 1);
    let is_stopped = Arc::new(AtomicBool::new(false));
    let shared = Arc::new((work, Mutex::new(jobs), is_stopped.clone()));
    let worker = Box::new(move || {
        let shared = shared.clone();
        spawn("worker", move || work_on(&shared.0, &shared.1, &shared.2)).map(drop)
    });
    let mut scheduler = Scheduler {
        limits,
        queue,
        ordered,
        is_stopped: is_stopped.clone(),
        worker,
        workers: 0,
    };
    let producer = spawn("scheduler", move || produce(&mut scheduler))?;
    Ok(Results {
        units: Some(units),
        unit: None,
        is_stopped,
        producer: Some(producer),
    })
}

fn spawn<R: Send + 'static>(
    name: &str,
    run: impl FnOnce() -> R + Send + 'static,
) -> io::Result<thread::JoinHandle<R>> {
    thread::Builder::new().name(name.to_owned()).spawn(run)
}

/// Does units until there are no more.
fn work_on<W, T, E>(
    work: &impl Fn(W, &Sender<T, E>) -> Result<(), E>,
    jobs: &Mutex<Receiver<Job<W, T, E>>>,
    is_stopped: &AtomicBool,
) {
    // The lock is given up before the unit is done.
    let next = || lock(jobs).recv();
    while let Ok((unit, sender)) = next() {
        let done = if is_stopped.load(Ordering::Relaxed) {
            Err(Failure::Stopped)
        } else {
            let run = AssertUnwindSafe(|| work(unit, &sender));
            catch_unwind(run).map_or(Err(Failure::Panic), |done| done.map_err(Failure::Error))
        };
        if let Err(failure) = done {
            // The results may not be wanted any more.
            drop(sender.0.send(Err(failure)));
        }
    }
}

/// Takes units of work, in their order.
pub(super) struct Scheduler<W, T, E> {
    limits: Limits,
    /// The units that have not been begun.
    queue: mpsc::Sender<Job<W, T, E>>,
    /// The receivers of the results, one for each unit.
    ordered: SyncSender<Receiver<Sent<T, E>>>,
    is_stopped: Arc<AtomicBool>,
    /// Starts another worker.
    worker: Box<dyn FnMut() -> io::Result<()> + Send>,
    workers: usize,
}

impl<W, T, E> Scheduler<W, T, E> {
    /// Submits a unit, waiting until there is room for it.
    ///
    /// Fails if the results are no longer wanted, or if not even one thread can be started.
    pub(super) fn submit(&mut self, unit: W) -> Result<(), Stopped> {
        let sender = self.open()?;
        self.push(unit, sender)
    }

    fn push(&mut self, unit: W, sender: Sender<T, E>) -> Result<(), Stopped> {
        if self.workers < self.limits.threads.max(1) {
            match (self.worker)() {
                Ok(()) => self.workers += 1,
                Err(error) if self.workers == 0 => return Err(Stopped::NoThread(error)),
                // Fewer will do.
                Err(_) => {}
            }
        }
        let pushed = self.queue.send((unit, sender));
        pushed.map_err(|_| Stopped::Cancelled)
    }

    /// Submits a unit that the caller does itself, waiting until there is room for it. The unit ends
    /// when the sender is dropped.
    ///
    /// Fails if the results are no longer wanted.
    pub(super) fn open(&mut self) -> Result<Sender<T, E>, Stopped> {
        if self.is_stopped.load(Ordering::Relaxed) {
            return Err(Stopped::Cancelled);
        }
        let (sender, receiver) = mpsc::sync_channel(self.limits.results.max(1));
        match self.ordered.send(receiver) {
            Ok(()) => Ok(Sender(sender)),
            Err(_) => Err(Stopped::Cancelled),
        }
    }
}

/// Takes the results of a unit, which ends when this is dropped.
pub(super) struct Sender<T, E>(SyncSender<Sent<T, E>>);

impl<T, E> Clone for Sender<T, E> {
    fn clone(&self) -> Self {
        Sender(self.0.clone())
    }
}

impl<T, E> Sender<T, E> {
    /// Sends a result, waiting until there is room for it.
    ///
    /// Fails if it is no longer wanted.
    pub(super) fn send(&self, item: T) -> Result<(), Stopped> {
        self.0.send(Ok(item)).map_err(|_| Stopped::Cancelled)
    }
}

/// Returns results, in the order of their units. Dropping it ends all units: they fail when they send
/// something.
pub(super) struct Results<T, E, R> {
    /// The units after the current one; `None` after a failure.
    units: Option<Receiver<Receiver<Sent<T, E>>>>,
    /// The current unit.
    unit: Option<Receiver<Sent<T, E>>>,
    is_stopped: Arc<AtomicBool>,
    /// `None` once it has been joined.
    producer: Option<thread::JoinHandle<R>>,
}

impl<T, E, R> Results<T, E, R> {
    /// Returns the next result of the current unit, or its end, waiting at most for `timeout`, both for
    /// a unit and for its result. After a failure there are no more results.
    pub(super) fn next(&mut self, timeout: Duration) -> Next<T, E> {
        let unit = match (&mut self.unit, &self.units) {
            (Some(unit), _) => unit,
            (None, None) => return Next::Done,
            (none, Some(units)) => match units.recv_timeout(timeout) {
                Ok(unit) => none.insert(unit),
                Err(RecvTimeoutError::Timeout) => return Next::TimedOut,
                Err(RecvTimeoutError::Disconnected) => return Next::Done,
            },
        };
        match unit.recv_timeout(timeout) {
            Ok(Ok(item)) => Next::Item(item),
            Ok(Err(failure)) => {
                (self.unit, self.units) = (None, None);
                Next::Failed(failure)
            }
            Err(RecvTimeoutError::Timeout) => Next::TimedOut,
            Err(RecvTimeoutError::Disconnected) => {
                self.unit = None;
                Next::UnitEnd
            }
        }
    }

    /// Makes sure that no more units are begun. The others go on, and their results can be taken.
    pub(super) fn stop(&mut self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Waits for the end of `produce`, and returns its result; `None` if this was called
    /// before. Before the results are [done](Next::Done) this may never return, since `produce` may wait
    /// for room.
    ///
    /// Fails with the payload of the panic if `produce` panicked.
    pub(super) fn join(&mut self) -> Option<thread::Result<R>> {
        Some(self.producer.take()?.join())
    }
}

#[cfg(test)]
mod tests;
