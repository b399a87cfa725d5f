//! File objects of Python, which threads read.

use std::borrow::Cow;
use std::io::{self, Cursor, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{PoisonError, RwLock};
use std::thread;

use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use urlint::engine::{Stream, lock};

use crate::reader::SharedNotes;
use crate::signals::PAUSE;

/// How many bytes are read of a file object at once.
const PIECE: usize = 4 << 20;

/// A function of Python that opens a file.
#[derive(Debug)]
pub(crate) struct Opener {
    pub(crate) opener: Py<PyAny>,
    pub(crate) notes: SharedNotes,
}

impl Opener {
    pub(crate) fn open(&self) -> io::Result<FileObject> {
        Ok(FileObject {
            file: in_python(&self.notes, |py| self.opener.call0(py))?,
            piece: Cursor::default(),
            notes: self.notes.clone(),
        })
    }
}

impl Stream for Opener {
    fn open(&self) -> io::Result<Box<dyn Read>> {
        Ok(Box::new(self.open()?))
    }
}

/// A file object, open for reading bytes.
pub(crate) struct FileObject {
    file: Py<PyAny>,
    /// The last bytes that it returned, which may be more than it was asked for.
    piece: Cursor<Vec<u8>>,
    notes: SharedNotes,
}

impl FileObject {
    /// Asks for `len` bytes. None are the end; there may be fewer, or more.
    pub(crate) fn piece(&self, len: usize) -> io::Result<Vec<u8>> {
        in_python(&self.notes, |py| {
            let bytes = self.file.bind(py).call_method1("read", (len,))?;
            Ok(bytes.extract::<Cow<'_, [u8]>>()?.into_owned())
        })
    }
}

impl Read for FileObject {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.piece.position() == self.piece.get_ref().len() as u64 {
            self.piece = Cursor::new(self.piece(PIECE)?);
        }
        self.piece.read(out)
    }
}

/// Whether Python ends, which threads that are in it do not survive.
static ENDS: AtomicBool = AtomicBool::new(false);

/// Held by threads that are in Python.
static IN_PYTHON: RwLock<()> = RwLock::new(());

/// Calls `run` in Python, unless that ends. An exception that is no error, such as `SystemExit`, is noted.
fn in_python<T>(notes: &SharedNotes, run: impl FnOnce(Python<'_>) -> PyResult<T>) -> io::Result<T> {
    let _held = IN_PYTHON.read().unwrap_or_else(PoisonError::into_inner);
    if ENDS.load(Ordering::SeqCst) {
        return Err(io::Error::other("Python ends"));
    }
    Python::attach(|py| {
        let result = run(py);
        if let Err(error) = &result
            && !error.is_instance_of::<PyException>(py)
        {
            lock(notes).raised = Some(error.clone_ref(py));
        }
        Ok(result?)
    })
}

/// Keeps threads out of Python, which ends. Does not wait long for one that waits itself, as for a socket.
#[pyfunction]
pub(crate) fn end(py: Python<'_>) {
    ENDS.store(true, Ordering::SeqCst);
    py.detach(|| {
        for _ in 0..20 {
            if IN_PYTHON.try_write().is_ok() {
                break;
            }
            thread::sleep(PAUSE);
        }
    });
}
