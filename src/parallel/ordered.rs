//! Numbered units of work, done by several threads; their results come in the order of the numbers.

use std::any::Any;
use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

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
    let shared = Arc::new(Shared {
        limits: Limits {
            threads: limits.threads.max(1),
            units: limits.units.max(1),
            weight: limits.weight,
        },
        state: Mutex::new(State {
            front: 0,
            slots: VecDeque::new(),
            queue: VecDeque::new(),
            weight: 0,
            is_closed: false,
            is_stopped: false,
            is_cancelled: false,
            waiting_for_work: 0,
            waiting_for_room: 0,
            is_awaited: false,
        }),
        work: Condvar::new(),
        room: Condvar::new(),
        results: Condvar::new(),
    });
    let work = Arc::new(work);
    let worker = {
        let shared = shared.clone();
        Box::new(move || {
            let (shared, work) = (shared.clone(), work.clone());
            spawn("worker", move || shared.work_on(&*work)).map(drop)
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

/// What all threads share.
struct Shared<W, T, E> {
    limits: Limits,
    state: Mutex<State<W, T, E>>,
    /// There is work in the queue, or no more will come.
    work: Condvar,
    /// There may be room for a unit, or for a result.
    room: Condvar,
    /// There is something to take.
    results: Condvar,
}

struct State<W, T, E> {
    /// The number of the unit whose results are taken now: that of the first slot.
    front: u64,
    /// A slot for each unit that has been submitted and not been taken, in order.
    slots: VecDeque<Slot<T, E>>,
    /// Units that nobody has begun, in order.
    queue: VecDeque<(u64, W)>,
    /// The weight of all results that are held.
    weight: usize,
    /// Whether no more units will be submitted.
    is_closed: bool,
    /// Whether no more units are to be begun.
    is_stopped: bool,
    /// Whether no more results are wanted.
    is_cancelled: bool,
    // To wake a thread is a system call, whether one is waiting or not.
    waiting_for_work: usize,
    waiting_for_room: usize,
    is_awaited: bool,
}

/// The results of a unit that have not been taken.
struct Slot<T, E> {
    items: VecDeque<(T, usize)>,
    weight: usize,
    /// How the unit ended, once it has.
    end: Option<Result<(), Failure<E>>>,
}

impl<W, T, E> State<W, T, E> {
    fn has_ended(&self) -> bool {
        self.is_stopped || self.is_cancelled
    }

    /// The slot of a unit; `None` if its results are not wanted any more.
    fn slot(&mut self, number: u64) -> Option<&mut Slot<T, E>> {
        let index = usize::try_from(number.checked_sub(self.front)?).ok()?;
        self.slots.get_mut(index)
    }
}

impl<W, T, E> Shared<W, T, E> {
    fn lock(&self) -> MutexGuard<'_, State<W, T, E>> {
        // No code of others runs while it is locked, so nothing is left half done.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a unit, once there is room for it; returns its number.
    fn enter(&self, first: Option<(T, usize)>) -> Result<u64, Stopped> {
        let mut state = self.lock();
        while !state.has_ended() && state.slots.len() >= self.limits.units {
            state = self.wait_for_room(state);
        }
        if state.has_ended() {
            return Err(Stopped::Cancelled);
        }
        let weight = first.as_ref().map_or(0, |&(_, weight)| weight);
        state.slots.push_back(Slot {
            items: first.into_iter().collect(),
            weight,
            end: None,
        });
        state.weight += weight;
        if state.slots.len() == 1 {
            self.tell_results(&state);
        }
        Ok(state.front + state.slots.len() as u64 - 1)
    }

    fn wait_for_room<'s>(
        &self,
        mut state: MutexGuard<'s, State<W, T, E>>,
    ) -> MutexGuard<'s, State<W, T, E>> {
        state.waiting_for_room += 1;
        let waited = self.room.wait(state);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner);
        state.waiting_for_room -= 1;
        state
    }

    fn tell_room(&self, state: &State<W, T, E>) {
        if state.waiting_for_room > 0 {
            self.room.notify_all();
        }
    }

    fn tell_results(&self, state: &State<W, T, E>) {
        if state.is_awaited {
            self.results.notify_one();
        }
    }

    fn send(&self, number: u64, item: T, weight: usize) -> Result<(), Stopped> {
        let mut state = self.lock();
        loop {
            if state.is_cancelled {
                return Err(Stopped::Cancelled);
            }
            let (front, all) = (state.front, state.weight);
            let Some(slot) = state.slot(number) else {
                return Err(Stopped::Cancelled);
            };
            let held = if number == front { slot.weight } else { all };
            if held == 0 || held + weight <= self.limits.weight {
                slot.items.push_back((item, weight));
                slot.weight += weight;
                state.weight += weight;
                if number == front {
                    self.tell_results(&state);
                }
                return Ok(());
            }
            state = self.wait_for_room(state);
        }
    }

    fn end(&self, number: u64, end: Result<(), Failure<E>>) {
        let mut state = self.lock();
        let is_front = number == state.front;
        if let Some(slot) = state.slot(number) {
            slot.end.get_or_insert(end);
        }
        if is_front {
            self.tell_results(&state);
        }
    }

    /// The next unit to do; `None` if there are no more.
    fn next_work(&self) -> Option<(u64, W)> {
        let mut state = self.lock();
        loop {
            if let Some(next) = state.queue.pop_front() {
                return Some(next);
            }
            if state.is_closed || state.has_ended() {
                return None;
            }
            state.waiting_for_work += 1;
            let waited = self.work.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
            state.waiting_for_work -= 1;
        }
    }

    /// Does units until there are no more.
    fn work_on<S: Default>(
        self: Arc<Self>,
        work: &(impl Fn(W, &mut S, &Sender<W, T, E>) -> Result<(), E> + ?Sized),
    ) {
        let mut scratch = S::default();
        while let Some((number, unit)) = self.next_work() {
            let sender = Sender {
                shared: self.clone(),
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
            self.end(number, end);
        }
    }

    fn close(&self) {
        let mut state = self.lock();
        state.is_closed = true;
        if state.waiting_for_work > 0 {
            self.work.notify_all();
        }
        self.tell_results(&state);
    }

    fn cancel(&self) {
        let (queue, slots) = {
            let mut state = self.lock();
            state.is_cancelled = true;
            self.work.notify_all();
            self.tell_room(&state);
            (
                std::mem::take(&mut state.queue),
                std::mem::take(&mut state.slots),
            )
        };
        // Their destructors are code of others.
        drop((queue, slots));
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
        let is_busy = {
            let mut state = self.shared.lock();
            if state.has_ended() {
                return Err(Stopped::Cancelled);
            }
            state.queue.push_back((number, unit));
            if state.waiting_for_work > 0 {
                self.shared.work.notify_one();
            }
            state.queue.len() > state.waiting_for_work
        };
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
        let until = Instant::now().checked_add(timeout);
        let shared = &*self.shared;
        let mut state = shared.lock();
        loop {
            if let Some(next) = take(shared, &mut state) {
                drop(state);
                if matches!(next, Next::Failed(_)) {
                    shared.cancel();
                }
                return next;
            }
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            if left == Some(Duration::ZERO) {
                return Next::TimedOut;
            }
            state.is_awaited = true;
            state = match left {
                Some(left) => {
                    let waited = shared.results.wait_timeout(state, left);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
                None => {
                    let waited = shared.results.wait(state);
                    waited.unwrap_or_else(PoisonError::into_inner)
                }
            };
            state.is_awaited = false;
        }
    }

    /// Has no more units begun. Those that have been begun go on, and their results can be taken; those
    /// that have not never end.
    pub fn stop(&mut self) {
        let queue = {
            let mut state = self.shared.lock();
            if std::mem::replace(&mut state.is_stopped, true) {
                return;
            }
            self.shared.work.notify_all();
            self.shared.tell_room(&state);
            std::mem::take(&mut state.queue)
        };
        // Their destructors are code of others.
        drop(queue);
    }

    /// Ends the unit that is being taken: the results it has not handed out are dropped, and it is
    /// not worked on any further.
    pub fn skip_unit(&mut self) {
        let slot = {
            let mut state = self.shared.lock();
            let slot = state.slots.pop_front();
            if let Some(slot) = &slot {
                state.front += 1;
                state.weight -= slot.weight;
                let front = state.front;
                state.queue.retain(|&(number, _)| number >= front);
                self.shared.tell_room(&state);
            }
            slot
        };
        drop(slot);
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

/// Takes what is next, if it is there.
fn take<W, T, E>(shared: &Shared<W, T, E>, state: &mut State<W, T, E>) -> Option<Next<T, E>> {
    if state.is_cancelled {
        return Some(Next::Done);
    }
    let Some(slot) = state.slots.front_mut() else {
        return state.is_closed.then_some(Next::Done);
    };
    if let Some((item, weight)) = slot.items.pop_front() {
        slot.weight -= weight;
        state.weight -= weight;
        shared.tell_room(state);
        return Some(Next::Item(item));
    }
    let end = slot.end.take()?;
    state.slots.pop_front();
    state.front += 1;
    shared.tell_room(state);
    Some(match end {
        Ok(()) => Next::UnitEnd,
        Err(failure) => Next::Failed(failure),
    })
}
