//! Threads that decompress ahead of who reads.

use std::collections::VecDeque;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// A piece of a compressed file that is decompressed by itself.
pub(super) struct Piece {
    pub(super) bytes: Vec<u8>,
    /// Whether the file ends where it ends, or a member may begin there.
    pub(super) is_cut: bool,
}

/// What could be decompressed of a piece.
#[derive(Default)]
pub(super) struct Decoded {
    /// How many bytes of the piece have been decompressed: whole members.
    pub(super) consumed: usize,
    /// They are `room[..filled]`; the rest is room that has been used before.
    pub(super) room: Vec<u8>,
    pub(super) filled: usize,
}

impl Decoded {
    /// Room for so many more bytes, unless there would be more than `most`.
    pub(super) fn room(&mut self, length: usize, most: usize) -> Option<&mut [u8]> {
        let end = self.filled.checked_add(length).filter(|&end| end <= most)?;
        if self.room.len() < end {
            self.room.resize(end, 0);
        }
        Some(&mut self.room[self.filled..end])
    }
}

/// Decompresses the members with which a piece begins, as long as they are whole, sound and short.
pub(super) type Decode = fn(bytes: &[u8], is_cut: bool, decoded: &mut Decoded);

/// Work that is done by a thread of the pool, or by who wants the result if none has begun it.
pub(super) struct Job {
    piece: Arc<Piece>,
    state: Mutex<State>,
    done: Condvar,
}

enum State {
    Waiting,
    Begun,
    Done(Decoded),
}

/// Threads that do jobs, in the order in which they were added.
pub(super) struct Pool {
    shared: Arc<Shared>,
    /// How many threads may yet be started.
    threads: usize,
}

struct Shared {
    decode: Decode,
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    jobs: VecDeque<Arc<Job>>,
    /// Memory for what is decompressed.
    rooms: Vec<Vec<u8>>,
    is_closed: bool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Pool {
    /// A pool that starts up to so many threads.
    pub(super) fn new(decode: Decode, threads: usize) -> Self {
        Pool {
            shared: Arc::new(Shared {
                decode,
                queue: Mutex::default(),
                changed: Condvar::new(),
            }),
            threads,
        }
    }

    /// Has a piece decompressed.
    pub(super) fn add(&mut self, piece: Arc<Piece>) -> Arc<Job> {
        let job = Arc::new(Job {
            piece,
            state: Mutex::new(State::Waiting),
            done: Condvar::new(),
        });
        lock(&self.shared.queue).jobs.push_back(job.clone());
        self.shared.changed.notify_one();
        if self.threads > 0 {
            self.threads -= 1;
            let shared = self.shared.clone();
            let thread = thread::Builder::new().name("unpacker".to_owned());
            // Without it, who wants the result does the work.
            let _ = thread.spawn(move || shared.work());
        }
        job
    }

    /// What could be decompressed of the job's piece.
    pub(super) fn result(&self, job: &Job) -> Decoded {
        let mut state = lock(&job.state);
        loop {
            match mem::replace(&mut *state, State::Begun) {
                State::Waiting => {
                    drop(state);
                    return self.decode(&job.piece.bytes, job.piece.is_cut);
                }
                State::Begun => {
                    state = job.done.wait(state).unwrap_or_else(PoisonError::into_inner);
                }
                State::Done(decoded) => return decoded,
            }
        }
    }

    /// Decompresses on this thread.
    pub(super) fn decode(&self, bytes: &[u8], is_cut: bool) -> Decoded {
        self.shared.decode(bytes, is_cut)
    }

    /// Takes back the memory of a result.
    pub(super) fn put_back(&self, room: Vec<u8>) {
        let mut queue = lock(&self.shared.queue);
        if queue.rooms.len() < 4 && !room.is_empty() {
            queue.rooms.push(room);
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        let mut queue = lock(&self.shared.queue);
        queue.is_closed = true;
        queue.jobs.clear();
        self.shared.changed.notify_all();
    }
}

impl Shared {
    fn decode(&self, bytes: &[u8], is_cut: bool) -> Decoded {
        let mut decoded = Decoded {
            room: lock(&self.queue).rooms.pop().unwrap_or_default(),
            ..Decoded::default()
        };
        (self.decode)(bytes, is_cut, &mut decoded);
        decoded
    }

    fn work(&self) {
        while let Some(job) = self.next() {
            let is_begun = match &mut *lock(&job.state) {
                state @ State::Waiting => {
                    *state = State::Begun;
                    true
                }
                _ => false,
            };
            if is_begun {
                let decode = || self.decode(&job.piece.bytes, job.piece.is_cut);
                // Whoever waits must not wait for ever, and finds nothing decompressed.
                let decoded = catch_unwind(AssertUnwindSafe(decode)).unwrap_or_default();
                *lock(&job.state) = State::Done(decoded);
                job.done.notify_all();
            }
        }
    }

    fn next(&self) -> Option<Arc<Job>> {
        let mut queue = lock(&self.queue);
        loop {
            if queue.is_closed {
                return None;
            }
            if let Some(job) = queue.jobs.pop_front() {
                return Some(job);
            }
            queue = self
                .changed
                .wait(queue)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}
