//! `read`: the URLs in files and archives, as columns, in bounded memory.

use std::collections::VecDeque;
use std::fs::File;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

use arrow_array::RecordBatch;
use arrow_schema::{Schema, SchemaRef};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use urlint::Event;
use urlint::archive::{Content, Fault, Limits, Opener, Sink, Source};
use urlint::list::arrow::Columns;
use urlint::list::{Field, Fields, SourceInfo};

use crate::how::{Given, How, none_of};
use crate::reader::{NextBatch, Reader, SharedNotes, lock};
use crate::schema::{self, Names};
use crate::signals::{PAUSE, interrupted};

/// A batch ends after this many bytes of text in its columns, however few rows it has.
const MAX_BYTES: usize = 8 << 20;

/// How many batches of a file may be waiting.
const WAITING: usize = 2;

/// Reads files and archives, and returns the URLs in them.
///
/// `paths` is a path (`str`, `bytes` or `os.PathLike`), or several. Files are read as the command
/// reads files that are named on the command line: by their kinds, decompressed, with the members
/// of archives, the messages of mailboxes and the records of web archives, whose relative links are
/// resolved. Folders are not walked.
/// Reading begins immediately, and pauses while a few batches are waiting.
///
/// - `fields` (names): the columns, as of `urlint extract --fields`; `["all"]` for all of them, `None` for
///   `path`, `member`, `url`, `valid`, `problems`, `start` and `end`. `start`, `end` and `pieces` are in
///   bytes of the file, or of the member.
/// - `batch_size` (`int`): the greatest number of rows in a batch.
/// - `threads` (`int`): how many files are read at the same time; spare threads help to decompress.
///   The rows and their order do not depend on it.
/// - `on_error` (`str`): with `"raise"`, the first error is raised after the rows before it; with
///   `"collect"`, errors are added to `Reader.failures`, and reading continues.
/// - The rest is as for `extract_arrow`; `path` has no effect.
///
/// Files that are not text are skipped, unless `kind` is given, and are listed in `Reader.skipped`.
/// Warnings about documents, which the command counts, are not reported.
///
/// Returns a `Reader`. Raises `TypeError` and `ValueError` for invalid arguments; the reader raises
/// `OSError`, such as `FileNotFoundError`, with the name of the file.
///
///     >>> import pathlib, tempfile, urlint
///     >>> folder = tempfile.TemporaryDirectory()
///     >>> path = pathlib.Path(folder.name, "a.txt")
///     >>> _ = path.write_text("One http://a.example/, two http://b.example/.")
///     >>> import pyarrow
///     >>> with urlint.read(path, fields=["url", "line", "column"]) as reader:
///     ...     pyarrow.table(reader).to_pylist()
///     [{'url': 'http://a.example/', 'line': 1, 'column': 5}, {'url': 'http://b.example/', 'line': 1, 'column': 28}]
#[pyfunction]
#[pyo3(signature = (paths, *, fields = None, batch_size = 65_536, threads = 1, on_error = "raise", **how))]
pub(crate) fn read(
    paths: Paths,
    fields: Option<Names>,
    batch_size: i64,
    threads: i64,
    on_error: &str,
    how: Option<&Bound<'_, PyDict>>,
) -> PyResult<Reader> {
    let raises = match on_error {
        "raise" => true,
        "collect" => false,
        other => return Err(none_of("on_error", other, ["raise", "collect"])),
    };
    let (batch_size, threads) = (
        positive("batch_size", batch_size)?,
        positive("threads", threads)?,
    );
    let (given, looks) = Given::with_looks("read", how)?;
    let fields = schema::fields(fields, &USUAL)?;
    let columns: arrow_schema::Fields = fields.iter().copied().map(schema::column).collect();
    let schema = Arc::new(Schema::new(columns));
    let notes = SharedNotes::default();
    let workers = threads.min(paths.0.len()).max(1);
    let job = Job {
        fields: looks.fields(&fields),
        given,
        schema: schema.clone(),
        batch_size,
        helpers: threads / workers - 1,
        raises,
        notes: notes.clone(),
    };
    let files = Files::start(paths.0, job, workers);
    Ok(Reader::new(schema, Box::new(files), notes))
}

fn positive(name: &str, number: i64) -> PyResult<usize> {
    let number = usize::try_from(number).ok().filter(|number| *number > 0);
    number.ok_or_else(|| PyValueError::new_err(format!("`{name}` must be at least 1")))
}

/// The default columns.
const USUAL: [Field; 7] = [
    Field::Path,
    Field::Member,
    Field::Url,
    Field::Valid,
    Field::Problems,
    Field::Start,
    Field::End,
];

/// A path, or several.
pub(crate) struct Paths(Vec<PathBuf>);

impl<'a, 'py> FromPyObject<'a, 'py> for Paths {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let is_path = object.is_instance_of::<PyString>()
            || object.is_instance_of::<PyBytes>()
            || object.hasattr("__fspath__")?;
        if is_path {
            return Ok(Paths(vec![path(&object)?]));
        }
        let Ok(paths) = object.try_iter() else {
            let name = object.get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "expected a path or several, not {name}"
            )));
        };
        let paths: PyResult<_> = paths.map(|each| path(&each?)).collect();
        paths.map(Paths)
    }
}

/// The path that an object names.
fn path(object: &Bound<'_, PyAny>) -> PyResult<PathBuf> {
    let os = object.py().import("os")?;
    os.call_method1("fsdecode", (object,))?.extract()
}

/// How files are read.
struct Job {
    given: Given,
    fields: Fields,
    schema: SchemaRef,
    batch_size: usize,
    /// How many threads help to decompress a file.
    helpers: usize,
    /// Whether the first error stops the reading.
    raises: bool,
    notes: SharedNotes,
}

/// A batch of a file, or the error that stopped it.
type Batches = io::Result<RecordBatch>;

/// Files that threads read; their batches are returned in the order of the files.
struct Files {
    queue: Arc<FileQueue>,
    /// The batches of the current file.
    current: Option<Receiver<Batches>>,
}

struct FileQueue {
    job: Job,
    state: Mutex<QueueState>,
    changed: Condvar,
    /// How many files may be begun before the batches of the first have been taken.
    ahead: usize,
}

struct QueueState {
    /// Files that have not been begun.
    paths: std::vec::IntoIter<PathBuf>,
    /// The batches of files that have been begun but not taken.
    begun: VecDeque<Receiver<Batches>>,
    is_closed: bool,
}

impl Files {
    fn start(paths: Vec<PathBuf>, job: Job, workers: usize) -> Self {
        let queue = Arc::new(FileQueue {
            job,
            state: Mutex::new(QueueState {
                paths: paths.into_iter(),
                begun: VecDeque::new(),
                is_closed: false,
            }),
            changed: Condvar::new(),
            ahead: 2 * workers,
        });
        for _ in 0..workers {
            let queue = queue.clone();
            thread::spawn(move || {
                while let Some((path, sender)) = queue.begin() {
                    let read = AssertUnwindSafe(|| queue.job.file(&path, &sender));
                    if catch_unwind(read).is_err() {
                        let fault = format!("{}: internal error", path.display());
                        // The receiver may be closed.
                        drop(sender.send(Err(io::Error::other(fault))));
                    }
                }
            });
        }
        Files {
            queue,
            current: None,
        }
    }
}

impl FileQueue {
    /// Begins the next file, once few enough files are begun.
    fn begin(&self) -> Option<(PathBuf, SyncSender<Batches>)> {
        let mut state = lock(&self.state);
        while !state.is_closed && state.begun.len() >= self.ahead {
            let waited = self.changed.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
        if state.is_closed {
            return None;
        }
        let path = state.paths.next()?;
        let (sender, receiver) = sync_channel(WAITING);
        state.begun.push_back(receiver);
        self.changed.notify_all();
        Some((path, sender))
    }

    /// Takes the batches of the next file; `None` after the last.
    fn take(&self) -> Option<Receiver<Batches>> {
        let mut state = lock(&self.state);
        loop {
            if let Some(next) = state.begun.pop_front() {
                self.changed.notify_all();
                return Some(next);
            }
            if state.paths.as_slice().is_empty() {
                return None;
            }
            let waited = self.changed.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl NextBatch for Files {
    fn next(&mut self) -> PyResult<Option<RecordBatch>> {
        loop {
            if self.current.is_none() {
                self.current = self.queue.take();
            }
            let Some(current) = &self.current else {
                return Ok(None);
            };
            match current.recv_timeout(PAUSE) {
                Ok(batch) => return Ok(Some(batch?)),
                Err(RecvTimeoutError::Timeout) => interrupted()?,
                Err(RecvTimeoutError::Disconnected) => self.current = None,
            }
        }
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        let mut state = lock(&self.queue.state);
        state.is_closed = true;
        // This stops the threads that send to them.
        state.begun.clear();
        self.queue.changed.notify_all();
    }
}

impl Job {
    /// Reads a file, and sends its batches.
    fn file(&self, path: &Path, sender: &SyncSender<Batches>) {
        let how = self.given.file(path);
        let types = self.fields.fields.iter().map(|field| field.data_type());
        let mut sources = Sources {
            job: self,
            how: &how,
            reader: how.reader_for(&self.fields),
            builder: Columns::new(types),
            sender,
        };
        let read = File::open(path).map_err(Stop::Io).and_then(|file| {
            let opener = Opener::new(Limits::default())
                .with_records(true)
                .with_threads(self.helpers);
            // A file is always read if its kind is given. If it is not a regular file, its first
            // bytes may be slow to arrive.
            let kind = sources.reader.kind;
            let is_regular = file.metadata().is_ok_and(|data| data.is_file());
            let mut source = Source::file(how.path(), kind.is_none() && is_regular);
            source.kind = kind;
            source.is_named = true;
            opener.open_file(&source, &file, &mut &file, &mut sources)
        });
        let read = read.and_then(|()| sources.flush());
        if let Err(Stop::Io(error)) = read {
            sources.failed(
                &path.display().to_string(),
                &error.to_string(),
                error.kind(),
            );
        }
    }
}

/// Why reading a file stops.
enum Stop {
    Io(io::Error),
    /// The receiver was closed.
    Closed,
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Stop::Io(error)
    }
}

/// Receives the sources in a file.
struct Sources<'j> {
    job: &'j Job,
    how: &'j How,
    reader: urlint::Reader,
    builder: Columns,
    sender: &'j SyncSender<Batches>,
}

impl Sources<'_> {
    /// Sends the rows so far.
    fn flush(&mut self) -> Result<(), Stop> {
        if self.builder.rows() == 0 {
            return Ok(());
        }
        let columns = self.builder.finish();
        let batch = RecordBatch::try_new(self.job.schema.clone(), columns);
        let batch = batch.map_err(io::Error::other);
        self.sender.send(batch).map_err(|_| Stop::Closed)
    }

    /// Reports an error about `name`.
    fn failed(&mut self, name: &str, what: &str, kind: io::ErrorKind) {
        if self.job.raises {
            // The rows before the error are sent first.
            let error = io::Error::new(kind, format!("{name}: {what}"));
            let sent = self.flush().and_then(|()| {
                let sent = self.sender.send(Err(error));
                sent.map_err(|_| Stop::Closed)
            });
            drop(sent);
        } else {
            let failures = &mut lock(&self.job.notes).failures;
            failures.push((name.to_owned(), what.to_owned()));
        }
    }
}

impl Sink for Sources<'_> {
    type Error = Stop;

    fn source(&mut self, source: &Source, content: Content<'_>) -> Result<(), Stop> {
        let job = self.job;
        let how = self.how;
        let info = SourceInfo::new(how.path(), source.member.as_deref());
        let info = info.with_record(source.record.as_deref());
        let mut reader = self.reader.clone();
        reader.kind = reader.kind.or(source.kind);
        let record = source.record.as_deref();
        if let Some(target) = record.and_then(|record| record.target.as_deref()) {
            reader = reader.with_base(target);
        }
        let visit = &mut |event: Event<'_>| {
            if let Event::Found(found) = event {
                job.fields
                    .write(&mut self.builder, info, &found, &how.settings);
                self.builder.end_row();
                if self.builder.rows() >= job.batch_size || self.builder.bytes() > MAX_BYTES {
                    return self.flush();
                }
            }
            Ok(())
        };
        reader.read(&source.path, content, visit)
    }

    fn fault(&mut self, source: &Source, fault: &Fault, at: u64) {
        let mut name = String::from_utf8_lossy(self.how.path()).into_owned();
        if let Some(member) = &source.member {
            name.push('!');
            name.push_str(&String::from_utf8_lossy(member));
        }
        let what = format!("{fault} (at byte {at})");
        self.failed(&name, &what, io::ErrorKind::InvalidData);
    }

    fn skipped(&mut self, source: &Source, what: &str) {
        // An archive may have any number of members that are not text.
        if source.member.is_none() {
            let name = String::from_utf8_lossy(self.how.path()).into_owned();
            let skipped = &mut lock(&self.job.notes).skipped;
            skipped.push((name, what.to_owned()));
        }
    }
}
