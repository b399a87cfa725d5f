//! A value that one thread waits for until another has found it out.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// A pair of ends: what is [kept](Promise::keep) on one is [awaited](Awaited::wait) on the other.
pub fn promise<T: Clone>() -> (Promise<T>, Awaited<T>) {
    let shared = Arc::new(Shared {
        state: Mutex::new(State::Open),
        changed: Condvar::new(),
    });
    (Promise(shared.clone()), Awaited(shared))
}

#[derive(Debug)]
struct Shared<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

#[derive(Debug)]
enum State<T> {
    Open,
    Kept(T),
    Broken,
}

/// The end that a value is given to. Dropped without one, it breaks the promise.
#[derive(Debug)]
pub struct Promise<T>(Arc<Shared<T>>);

/// The end that a value is awaited on.
#[derive(Clone, Debug)]
pub struct Awaited<T>(Arc<Shared<T>>);

impl<T> Promise<T> {
    /// Gives the value to all who wait for it.
    pub fn keep(self, value: T) {
        self.0.set(State::Kept(value));
    }
}

impl<T> Drop for Promise<T> {
    fn drop(&mut self) {
        self.0.set(State::Broken);
    }
}

impl<T> Shared<T> {
    /// Sets how it ended, unless it has.
    fn set(&self, end: State<T>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(*state, State::Open) {
            *state = end;
            self.changed.notify_all();
        }
    }
}

impl<T: Clone> Awaited<T> {
    /// A value that is there already.
    pub fn ready(value: T) -> Self {
        Awaited(Arc::new(Shared {
            state: Mutex::new(State::Kept(value)),
            changed: Condvar::new(),
        }))
    }

    /// Waits for the value; `None` if nobody can give it any more.
    pub fn wait(&self) -> Option<T> {
        let shared = &*self.0;
        let mut state = shared.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            match &*state {
                State::Open => {}
                State::Kept(value) => return Some(value.clone()),
                State::Broken => return None,
            }
            let waited = shared.changed.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_promise_is_kept_or_broken() {
        let (promise, awaited) = promise();
        let other = awaited.clone();
        let thread = std::thread::spawn(move || other.wait());
        promise.keep(7);
        assert_eq!(awaited.wait(), Some(7));
        assert_eq!(thread.join().ok().flatten(), Some(7));
        let (promise, awaited) = super::promise::<u8>();
        drop(promise);
        assert_eq!(awaited.wait(), None);
        assert_eq!(Awaited::ready(3).wait(), Some(3));
    }
}
