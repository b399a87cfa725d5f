//! Numbered units of work, done by several threads; their results come in the order of the numbers.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use super::shared::{Failure, Limits, Next, Shared, Stopped};

/// Starts a thread that runs `produce`, which submits units of work `W`. Up to `limits.threads`
/// other threads run `work` on them, each with its own value of type `S`, whose memory it reuses from
/// unit to unit. [`Results`] returns what they send, in the order of submission.
///
/// The unit whose results are taken next never waits for another: units are begun in their order,
/// and only later units wait while too many results are held.
///
/// Fails if the thread cannot be started.
pub(crate) fn start<W, S, T, E, R>(
    limits: Limits,
    produce: impl FnOnce(&mut Scheduler<W, T, E>) -> R + Send + 'static,
    work: impl Fn(W, &mut S, &Sender<W, T, E>) -> Result<(), E> + Send + Sync + 'static,
) -> io::Result<Results<W, T, E, R>>
where
    W: Send + 'static,
    S: Default,
    T: Send + 'static,
    E: Send + 'static,
    R: Send + 'static,
{
    let shared = Arc::new(Shared::new(Limits {
        threads: limits.threads.max(1),
        units: limits.units.max(1),
        weight: limits.weight,
    }));
    let work = Arc::new(work);
    let worker = {
        let shared = shared.clone();
        Box::new(move || {
            let (shared, work) = (shared.clone(), work.clone());
            spawn("worker", move || work_on(&shared, &*work)).map(drop)
        })
    };
    let mut scheduler = Scheduler {
        shared: shared.clone(),
        worker,
        workers: 0,
    };
    let producer = spawn("scheduler", move || produce(&mut scheduler))?;
    Ok(Results {
        shared,
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
fn work_on<W, S: Default, T, E>(
    shared: &Arc<Shared<W, T, E>>,
    work: &(impl Fn(W, &mut S, &Sender<W, T, E>) -> Result<(), E> + ?Sized),
) {
    let mut scratch = S::default();
    while let Some((number, unit)) = shared.next_work() {
        let sender = Sender {
            shared: shared.clone(),
            number,
        };
        let run = AssertUnwindSafe(|| work(unit, &mut scratch, &sender));
        let end = match catch_unwind(run) {
            Ok(done) => done.map_err(Failure::Error),
            Err(_) => {
                // The panic may have left it half changed.
                scratch = S::default();
                Err(Failure::Panic)
            }
        };
        shared.end(number, end);
    }
}

/// Takes units of work, in their order.
pub(crate) struct Scheduler<W, T, E> {
    shared: Arc<Shared<W, T, E>>,
    /// Starts another worker.
    worker: Box<dyn FnMut() -> io::Result<()> + Send>,
    workers: usize,
}

impl<W, T, E> Scheduler<W, T, E> {
    /// Submits a unit, waiting until there is room for it.
    ///
    /// Fails if the results are no longer wanted, or if not even one thread can be started.
    pub(crate) fn submit(&mut self, unit: W) -> Result<(), Stopped> {
        self.submit_after(None, unit)
    }

    /// Submits a unit as [`submit`](Scheduler::submit) does, together with its first result, which can be
    /// taken before the unit is begun.
    pub(crate) fn submit_with(&mut self, first: T, unit: W) -> Result<(), Stopped> {
        self.submit_after(Some((first, 0)), unit)
    }

    fn submit_after(&mut self, first: Option<(T, usize)>, unit: W) -> Result<(), Stopped> {
        let number = self.shared.enter(first)?;
        let is_busy = self.shared.push_work(number, unit)?;
        if is_busy && self.workers < self.shared.limits.threads {
            match (self.worker)() {
                Ok(()) => self.workers += 1,
                Err(error) if self.workers == 0 => return Err(Stopped::NoThread(error)),
                // Fewer will do.
                Err(_) => {}
            }
        }
        Ok(())
    }

    /// Submits a unit that the caller does itself, waiting until there is room for it. The unit ends
    /// when the sender is dropped.
    ///
    /// Fails if the results are no longer wanted.
    pub(crate) fn open(&mut self) -> Result<OwnSender<W, T, E>, Stopped> {
        let number = self.shared.enter(None)?;
        let shared = self.shared.clone();
        Ok(OwnSender(Sender { shared, number }))
    }
}

impl<W, T, E> Drop for Scheduler<W, T, E> {
    fn drop(&mut self) {
        self.shared.close();
    }
}

/// Takes the results of a unit.
pub(crate) struct Sender<W, T, E> {
    shared: Arc<Shared<W, T, E>>,
    number: u64,
}

impl<W, T, E> Sender<W, T, E> {
    /// Sends a result that takes `weight` bytes of memory, waiting until there is room for it.
    ///
    /// Fails if it is no longer wanted.
    pub(crate) fn send(&self, item: T, weight: usize) -> Result<(), Stopped> {
        self.shared.send(self.number, item, weight)
    }
}

/// Sends the results of a unit that the caller does itself. The unit ends when this is dropped.
pub(crate) struct OwnSender<W, T, E>(Sender<W, T, E>);

impl<W, T, E> OwnSender<W, T, E> {
    /// Sends a result as [`Sender::send`] does.
    pub(crate) fn send(&self, item: T, weight: usize) -> Result<(), Stopped> {
        self.0.send(item, weight)
    }
}

impl<W, T, E> Drop for OwnSender<W, T, E> {
    fn drop(&mut self) {
        self.0.shared.end(self.0.number, Ok(()));
    }
}

/// Returns results, in the order of their units. Dropping it drops all units that have not been begun;
/// those that are being done fail when they send something.
pub(crate) struct Results<W, T, E, R> {
    shared: Arc<Shared<W, T, E>>,
    /// `None` once it has been joined.
    producer: Option<thread::JoinHandle<R>>,
}

impl<W, T, E, R> Results<W, T, E, R> {
    /// Returns the next result of the current unit, or its end, waiting at most for `timeout`. After a
    /// failure there are no more results.
    pub(crate) fn next(&mut self, timeout: Duration) -> Next<T, E> {
        let next = self.shared.next(timeout);
        if matches!(next, Next::Failed(_)) {
            self.shared.cancel();
        }
        next
    }

    /// Makes sure that no more units are begun. The others go on, and their results can be taken; units
    /// that have not been begun never end.
    pub(crate) fn stop(&mut self) {
        self.shared.stop();
    }

    /// Ends the current unit: its other results are dropped, and work on it stops.
    pub(crate) fn skip_unit(&mut self) {
        self.shared.skip_unit();
    }

    /// Waits for the end of `produce`, and returns what it has returned; `None` if this was called
    /// before. Before the results are [done](Next::Done) this may wait for ever, since `produce` may
    /// wait for room.
    ///
    /// Fails with the payload of the panic if `produce` panicked.
    pub(crate) fn join(&mut self) -> Option<thread::Result<R>> {
        Some(self.producer.take()?.join())
    }
}

impl<W, T, E, R> Drop for Results<W, T, E, R> {
    fn drop(&mut self) {
        self.shared.cancel();
    }
}
