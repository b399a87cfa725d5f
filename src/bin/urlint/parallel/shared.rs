//! What the threads share: the units that wait, and the results.

use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How many threads work, and how many results may wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    /// How many threads do units, at least one.
    pub(crate) threads: usize,
    /// How many units may be submitted and not yet taken, at least one.
    pub(crate) units: usize,
    /// How many bytes of results may wait, as [`Sender::send`] counts them. The limit applies to the
    /// first unit alone and to all units together. A single result is accepted whatever its weight.
    pub(crate) weight: usize,
}

/// Why a unit could not be submitted, or a result could not be sent.
#[derive(Debug)]
pub(crate) enum Stopped {
    /// The results are no longer wanted.
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

/// Why there are no more results.
#[derive(Debug)]
pub(crate) enum Failure<E> {
    /// A unit failed.
    Error(E),
    /// A unit panicked; its thread has printed why.
    Panic,
}

/// What comes next out of [`Results`].
#[derive(Debug)]
pub(crate) enum Next<T, E> {
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

/// What all threads share.
pub(super) struct Shared<W, T, E> {
    pub(super) limits: Limits,
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
    /// Units that have not been begun, in order.
    queue: VecDeque<(u64, W)>,
    /// The weight of all results that are held.
    weight: usize,
    /// Whether no more units will be submitted.
    is_closed: bool,
    /// Whether no more units are to be begun.
    is_stopped: bool,
    /// Whether no more results are wanted.
    is_cancelled: bool,
    // Counted, since waking a thread is a system call even if none is waiting.
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

    /// Returns the slot of a unit; `None` if its results are no longer wanted.
    fn slot(&mut self, number: u64) -> Option<&mut Slot<T, E>> {
        let index = usize::try_from(number.checked_sub(self.front)?).ok()?;
        self.slots.get_mut(index)
    }
}

impl<W, T, E> Shared<W, T, E> {
    pub(super) fn new(limits: Limits) -> Self {
        Shared {
            limits,
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
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<W, T, E>> {
        // No caller's code runs while it is locked, so a panic leaves nothing half done.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until there is room for a unit, and adds it; returns its number.
    pub(super) fn enter(&self, first: Option<(T, usize)>) -> Result<u64, Stopped> {
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

    pub(super) fn send(&self, number: u64, item: T, weight: usize) -> Result<(), Stopped> {
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

    pub(super) fn end(&self, number: u64, end: Result<(), Failure<E>>) {
        let mut state = self.lock();
        let is_front = number == state.front;
        if let Some(slot) = state.slot(number) {
            slot.end.get_or_insert(end);
        }
        if is_front {
            self.tell_results(&state);
        }
    }

    /// Returns the next unit to do; `None` if there are no more.
    pub(super) fn next_work(&self) -> Option<(u64, W)> {
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

    /// Queues a unit that has been [entered](Shared::enter). Returns whether there is more work than
    /// there are waiting workers.
    pub(super) fn push_work(&self, number: u64, unit: W) -> Result<bool, Stopped> {
        let mut state = self.lock();
        if state.has_ended() {
            return Err(Stopped::Cancelled);
        }
        state.queue.push_back((number, unit));
        if state.waiting_for_work > 0 {
            self.work.notify_one();
        }
        Ok(state.queue.len() > state.waiting_for_work)
    }

    /// Returns the next result, waiting at most for `timeout`.
    pub(super) fn next(&self, timeout: Duration) -> Next<T, E> {
        let until = Instant::now().checked_add(timeout);
        let mut state = self.lock();
        loop {
            if let Some(next) = self.take(&mut state) {
                return next;
            }
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            if left == Some(Duration::ZERO) {
                return Next::TimedOut;
            }
            state.is_awaited = true;
            state = match left {
                Some(left) => {
                    let waited = self.results.wait_timeout(state, left);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
                None => {
                    let waited = self.results.wait(state);
                    waited.unwrap_or_else(PoisonError::into_inner)
                }
            };
            state.is_awaited = false;
        }
    }

    /// Makes sure that no more units are begun.
    pub(super) fn stop(&self) {
        let queue = {
            let mut state = self.lock();
            if std::mem::replace(&mut state.is_stopped, true) {
                return;
            }
            self.work.notify_all();
            self.tell_room(&state);
            std::mem::take(&mut state.queue)
        };
        // Their destructors are code of others.
        drop(queue);
    }

    /// Ends the unit whose results are taken now.
    pub(super) fn skip_unit(&self) {
        let skipped = {
            let mut state = self.lock();
            let Some(slot) = state.slots.pop_front() else {
                return;
            };
            let number = state.front;
            state.front += 1;
            state.weight -= slot.weight;
            let is_queued = state
                .queue
                .front()
                .is_some_and(|&(first, _)| first == number);
            let unit = if is_queued {
                state.queue.pop_front()
            } else {
                None
            };
            self.tell_room(&state);
            (slot, unit)
        };
        drop(skipped);
    }

    /// Notes that no more units will come.
    pub(super) fn close(&self) {
        let mut state = self.lock();
        state.is_closed = true;
        if state.waiting_for_work > 0 {
            self.work.notify_all();
        }
        self.tell_results(&state);
    }

    pub(super) fn cancel(&self) {
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

    /// Takes the next result, if there is one.
    fn take(&self, state: &mut State<W, T, E>) -> Option<Next<T, E>> {
        if state.is_cancelled {
            return Some(Next::Done);
        }
        let Some(slot) = state.slots.front_mut() else {
            return state.is_closed.then_some(Next::Done);
        };
        if let Some((item, weight)) = slot.items.pop_front() {
            slot.weight -= weight;
            state.weight -= weight;
            self.tell_room(state);
            return Some(Next::Item(item));
        }
        let end = slot.end.take()?;
        state.slots.pop_front();
        state.front += 1;
        self.tell_room(state);
        Some(match end {
            Ok(()) => Next::UnitEnd,
            Err(failure) => Next::Failed(failure),
        })
    }
}
