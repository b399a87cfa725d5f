//! Objects in stores: a thread asks for the next piece while the one before is worked on, also across the end
//! of an object to the start of the next.

use std::io::{self, Cursor, Read};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, OnceLock, Weak};
use std::thread;

use pyo3::prelude::*;
use urlint::engine::{Stream, lock};

use crate::file_object;
use crate::reader::SharedNotes;

/// How many bytes are asked for at once: each time is a request, which takes about as long as the work on as
/// many bytes.
const PIECE: usize = 16 << 20;

/// How many pieces wait to be worked on, beside the one that is being read.
const WAITING: usize = 1;

/// The pieces of an object, or an error that ends them.
type Pieces = Receiver<io::Result<Vec<u8>>>;

/// An object in a store.
#[derive(Debug)]
struct Object {
    source: Arc<file_object::Opener>,
    /// The object that is worked on after this one.
    next: OnceLock<Weak<Object>>,
    state: Mutex<State>,
}

/// Whether an object has been opened.
#[derive(Debug)]
enum State {
    Unread,
    /// Its first pieces are read, but it is not worked on yet: a thread waits to be told.
    Ahead(Pieces, SyncSender<()>),
    Opened,
}

impl State {
    /// Becomes `ahead` if it is unread. Returns whether it was.
    fn begin(&mut self, ahead: State) -> bool {
        let is_unread = matches!(self, State::Unread);
        if is_unread {
            *self = ahead;
        }
        is_unread
    }
}

/// Opens an object.
#[derive(Clone, Debug)]
pub(crate) struct Opener(Arc<Object>);

impl Opener {
    pub(crate) fn new(opener: Py<PyAny>, notes: SharedNotes) -> Self {
        Opener(Arc::new(Object {
            source: Arc::new(file_object::Opener { opener, notes }),
            next: OnceLock::new(),
            state: Mutex::new(State::Unread),
        }))
    }

    /// Says that `next` is worked on after this object.
    pub(crate) fn precedes(&self, next: &Opener) {
        let _ = self.0.next.set(Arc::downgrade(&next.0));
    }
}

impl Stream for Opener {
    fn open(&self) -> io::Result<Box<dyn Read>> {
        let state = std::mem::replace(&mut *lock(&self.0.state), State::Opened);
        let pieces = if let State::Ahead(pieces, opened) = state {
            let _ = opened.send(());
            pieces
        } else {
            let (sender, pieces) = sync_channel(WAITING);
            let (source, object) = (self.0.source.clone(), Arc::downgrade(&self.0));
            thread::Builder::new().spawn(move || read_ahead(source, object, sender))?;
            pieces
        };
        // Whether it can be opened shows with the first piece.
        let piece = pieces.recv().unwrap_or_else(|_| Ok(Vec::new()))?;
        let piece = Cursor::new(piece);
        Ok(Box::new(Ahead { pieces, piece }))
    }
}

/// Reads `object`, and then each one after it that nobody has opened, as soon as the one before is worked on. Ends
/// when the objects are gone with their run.
fn read_ahead(
    mut source: Arc<file_object::Opener>,
    mut object: Weak<Object>,
    mut sender: SyncSender<io::Result<Vec<u8>>>,
) {
    let mut opened: Option<Receiver<()>> = None;
    while send(&source, &sender) {
        // The end is known by that.
        drop(sender);
        if opened.is_some_and(|opened| opened.recv().is_err()) {
            return;
        }
        let next = |object: Arc<Object>| object.next.get()?.upgrade();
        let Some(next) = object.upgrade().and_then(next) else {
            return;
        };
        let (pieces, open, told);
        (sender, pieces) = sync_channel(WAITING);
        (open, told) = sync_channel(1);
        opened = Some(told);
        let unread = lock(&next.state).begin(State::Ahead(pieces, open));
        if !unread {
            return;
        }
        (source, object) = (next.source.clone(), Arc::downgrade(&next));
    }
}

/// Sends all pieces of an object. Returns whether somebody has taken them.
fn send(source: &file_object::Opener, sender: &SyncSender<io::Result<Vec<u8>>>) -> bool {
    let file = match source.open() {
        Ok(file) => file,
        Err(error) => return sender.send(Err(error)).is_ok(),
    };
    loop {
        let piece = file.piece(PIECE);
        let is_error = piece.is_err();
        if piece.as_ref().is_ok_and(Vec::is_empty) {
            return true;
        }
        if sender.send(piece).is_err() {
            return false;
        }
        if is_error {
            return true;
        }
    }
}

/// An object that is read ahead.
struct Ahead {
    pieces: Pieces,
    piece: Cursor<Vec<u8>>,
}

impl Read for Ahead {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.piece.position() == self.piece.get_ref().len() as u64
            && let Ok(piece) = self.pieces.recv()
        {
            self.piece = Cursor::new(piece?);
        }
        self.piece.read(out)
    }
}
