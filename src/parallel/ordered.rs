//! Numbered units of work, done by several threads; their results come in the order of the numbers.

use std::any::Any;
use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use super::shared::Shared;

/// How many threads work, and how much may wait to be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many threads do units, at least one.
    pub threads: usize,
    /// How many units may be submitted and not yet taken, at least one.
    pub units: usize,
    /// How many bytes of results may wait, as [`Sender::send`] counts them: so many of the first
    /// unit and so many of all units together. A single result is accepted whatever its weight.
    pub weight: usize,
}

/// Why a unit could not be submitted, or a result not be sent.
#[derive(Debug)]
pub enum Stopped {
    /// The results are not wanted any more.
    Cancelled,
    /// No thread could be started.
    NoThread(io::Error),
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stopped::Cancelled => f.write_str("the results are not wanted any more"),
            Stopped::NoThread(error) => write!(f, "no thread could be started: {error}"),
        }
    }
}

impl std::error::Error for Stopped {}

/// Why there are no more results.
pub enum Failure<E> {
    /// A unit failed.
    Error(E),
    /// A unit panicked; what it panicked with, for [`std::panic::resume_unwind`].
    Panic(Box<dyn Any + Send>),
}

impl<E: fmt::Debug> fmt::Debug for Failure<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Error(error) => f.debug_tuple("Error").field(error).finish(),
            Failure::Panic(_) => f.write_str("Panic"),
        }
    }
}

/// What comes next out of [`Results`].
#[derive(Debug)]
pub enum Next<T, E> {
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

/// Starts a thread that runs `produce`, which submits units of work `W`. Up to `limits.threads`
/// other threads run `work` on them, each with a value of type `S` of its own to reuse memory from
/// unit to unit. What they send is handed out by the [`Results`], by the order of submission.
///
/// The unit whose results are taken next is never kept waiting by any other: units are begun in
/// their order, and only those after it wait while too many results are held.
///
/// ```
/// use std::time::Duration;
/// use urlint::parallel::{Limits, Next, Scheduler, Sender, start};
///
/// let limits = Limits { threads: 2, units: 8, weight: 1 << 20 };
/// let produce = |scheduler: &mut Scheduler<u64, u64, ()>| {
///     (0..100).try_for_each(|number| scheduler.submit(number))
/// };
/// let work = |number, _: &mut (), sender: &Sender<u64, u64, ()>| {
///     // Fails when nobody takes the results any more, and then there is nothing to do.
///     let _ = sender.send(number * number, 8);
///     Ok(())
/// };
/// let mut results = start(limits, produce, work)?;
/// let mut squares = Vec::new();
/// loop {
///     match results.next(Duration::MAX) {
///         Next::Item(square) => squares.push(square),
///         Next::UnitEnd => {}
///         Next::Done | Next::Failed(_) | Next::TimedOut => break,
///     }
/// }
/// assert!(squares.into_iter().eq((0..100).map(|number| number * number)));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// Fails when the thread cannot be started.
pub fn start<W, S, T, E, R>(
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
            Err(panic) => {
                // It may have been left half changed.
                scratch = S::default();
                Err(Failure::Panic(panic))
            }
        };
        shared.end(number, end);
    }
}

/// Takes units of work, in their order.
pub struct Scheduler<W, T, E> {
    shared: Arc<Shared<W, T, E>>,
    /// Starts another worker.
    worker: Box<dyn FnMut() -> io::Result<()> + Send>,
    workers: usize,
}

impl<W, T, E> fmt::Debug for Scheduler<W, T, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let workers = &self.workers;
        f.debug_struct("Scheduler")
            .field("workers", workers)
            .finish_non_exhaustive()
    }
}

impl<W, T, E> Scheduler<W, T, E> {
    /// Submits a unit, waiting until there is room for it.
    ///
    /// Fails when the results are not wanted any more, or when not even one thread can be started.
    pub fn submit(&mut self, unit: W) -> Result<(), Stopped> {
        self.submit_after(None, unit)
    }

    /// Submits a unit as [`submit`](Scheduler::submit) does, with its first result, which is there
    /// before anybody has begun the unit.
    pub fn submit_with(&mut self, first: T, unit: W) -> Result<(), Stopped> {
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
    /// Fails when the results are not wanted any more.
    pub fn open(&mut self) -> Result<OwnSender<W, T, E>, Stopped> {
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
pub struct Sender<W, T, E> {
    shared: Arc<Shared<W, T, E>>,
    number: u64,
}

impl<W, T, E> fmt::Debug for Sender<W, T, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = &self.number;
        f.debug_struct("Sender")
            .field("number", number)
            .finish_non_exhaustive()
    }
}

impl<W, T, E> Sender<W, T, E> {
    /// Sends a result that takes `weight` bytes of memory, waiting until there is room for it.
    ///
    /// Fails when it is not wanted any more.
    pub fn send(&self, item: T, weight: usize) -> Result<(), Stopped> {
        self.shared.send(self.number, item, weight)
    }
}

/// Takes the results of a unit that no worker does; the unit ends when this is dropped.
#[derive(Debug)]
pub struct OwnSender<W, T, E>(Sender<W, T, E>);

impl<W, T, E> OwnSender<W, T, E> {
    /// Sends a result as [`Sender::send`] does.
    pub fn send(&self, item: T, weight: usize) -> Result<(), Stopped> {
        self.0.send(item, weight)
    }
}

impl<W, T, E> Drop for OwnSender<W, T, E> {
    fn drop(&mut self) {
        self.0.shared.end(self.0.number, Ok(()));
    }
}

/// Hands out results, by the order of their units. When it is dropped, all work that has not been
/// begun is dropped, and all that is being done learns of it when it sends something.
pub struct Results<W, T, E, R> {
    shared: Arc<Shared<W, T, E>>,
    /// `None` once it has been joined.
    producer: Option<thread::JoinHandle<R>>,
}

impl<W, T, E, R> fmt::Debug for Results<W, T, E, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Results").finish_non_exhaustive()
    }
}

impl<W, T, E, R> Results<W, T, E, R> {
    /// The next result of the unit that is being taken, or its end, waiting at most for `timeout`.
    /// After a failure there are no more results.
    pub fn next(&mut self, timeout: Duration) -> Next<T, E> {
        let next = self.shared.next(timeout);
        if matches!(next, Next::Failed(_)) {
            self.shared.cancel();
        }
        next
    }

    /// Has no more units begun. Those that have been begun go on, and their results can be taken; those
    /// that have not never end.
    pub fn stop(&mut self) {
        self.shared.stop();
    }

    /// Ends the unit that is being taken: the results it has not handed out are dropped, and it is
    /// not worked on any further.
    pub fn skip_unit(&mut self) {
        self.shared.skip_unit();
    }

    /// Waits for the end of `produce`, and returns what it has returned; `None` if that has been asked
    /// for already. Before the results are [done](Next::Done) this may wait for ever, since `produce`
    /// may wait for room.
    ///
    /// Fails with what `produce` panicked with, if it did.
    pub fn join(&mut self) -> Option<thread::Result<R>> {
        Some(self.producer.take()?.join())
    }
}

impl<W, T, E, R> Drop for Results<W, T, E, R> {
    fn drop(&mut self) {
        self.shared.cancel();
    }
}
