//! `read`: the URLs in files and archives, as columns, in bounded memory.

use std::io;
use std::iter;
use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{Schema, SchemaRef};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use urlint::engine::{
    Batch, Error, Inputs, Message, Next, Opened, Out, Reading, Run, Source, Stream, Text, Work,
    lock,
};
use urlint::lint::{Checker, Suppressions};
use urlint::list::arrow::Columns;
use urlint::list::{Field, Fields, SourceInfo};
use urlint::{Found, Settings};

use crate::reader::{Reader, SharedNotes};
use crate::schema::{self, Names, USUAL};
use crate::settings::{CallSettings, judged, none_of, providing};
use crate::signals::{PAUSE, interrupted};
use crate::{ahead, file_object};

/// A batch ends after this many bytes of text in its columns, however few rows it has.
const MAX_BYTES: usize = 8 << 20;

/// Reads files and archives, and returns the URLs in them.
///
/// `paths` is a path (`str`, `bytes` or `os.PathLike`), the URL of an object in a store, a file object that is open
/// for reading bytes, or several of them. Files are read as the command reads files that are named on the command line: by their kinds, decompressed, with the members
/// of archives, the messages of mailboxes and the records of web archives, whose relative links are
/// resolved. Folders are not walked.
/// Reading begins with the first batch, and pauses while a few batches are waiting. Everything is read once.
///
/// - `fields` (names): the columns, as of `urlint extract --fields`; `["all"]` for all of them, `None` for
///   `path`, `member`, `url`, `valid`, `problems`, `start` and `end`. `start`, `end` and `pieces` are in
///   bytes of the file, or of the member.
/// - `batch_size` (`int`): the greatest number of rows in a batch.
/// - `threads` (`int`): how many threads read, several of them one file if it is long. The rows and their
///   order do not depend on it.
/// - `on_error` (`str`): with `"raise"`, the first error is raised after the rows before it; with
///   `"collect"`, errors are added to `Reader.failures`, and reading continues.
/// - `filesystem`: the file system of `pyarrow.fs` or fsspec that opens the paths. Without one, URLs such as
///   `s3://bucket/key` are opened by pyarrow if it knows them, or else by fsspec.
/// - The rest is as for `extract_arrow`; `path` has no effect.
///
/// Files that are not text are skipped, unless `kind` is given, and are listed in `Reader.skipped`.
/// Warnings about documents, which the command counts, are not reported.
///
/// Returns a `Reader`. Raises `TypeError` and `ValueError` for invalid arguments, such as a URL that nothing can
/// open; the reader raises
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
#[pyo3(signature = (paths, *, fields = None, batch_size = 65_536, threads = 1, on_error = "raise", filesystem = None, **settings))]
pub(crate) fn read(
    paths: &Bound<'_, PyAny>,
    fields: Option<Names>,
    batch_size: i64,
    threads: i64,
    on_error: &str,
    filesystem: Option<&Bound<'_, PyAny>>,
    settings: Option<&Bound<'_, PyDict>>,
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
    let usual = [&[Field::Path, Field::Member], &USUAL[..]].concat();
    let fields = schema::fields(fields, &usual)?;
    let (settings, listed) = CallSettings::of_columns("read", &fields, settings)?;
    let columns: arrow_schema::Fields = fields.iter().copied().map(schema::column).collect();
    let schema = Arc::new(Schema::new(columns));
    let sources_module = paths.py().import("urlint._sources")?;
    let sources = sources_module.call_method1("sources", (paths, filesystem))?;
    let sources: Vec<(PathBuf, Option<Py<PyAny>>)> = sources.extract()?;
    let paths = sources.iter().map(|(path, _)| path.clone()).collect();
    let mut inputs = settings.files(paths, threads)?;
    let notes = SharedNotes::default();
    let once = sources_module.getattr("Once")?;
    let mut before: Option<ahead::Opener> = None;
    for (path, opener) in sources {
        let Some(opener) = opener else { continue };
        let notes = notes.clone();
        // The rest of an open file is for its owner to read.
        let stream: Box<dyn Stream> = if opener.bind(once.py()).is_instance(&once)? {
            Box::new(file_object::Opener { opener, notes })
        } else {
            let object = ahead::Opener::new(opener, notes);
            if let Some(before) = before.replace(object.clone()) {
                before.precedes(&object);
            }
            Box::new(object)
        };
        inputs.streams.insert(path, stream);
    }
    let listing = Listing {
        inputs: Arc::new(inputs),
        fields: listed,
        batch_size,
    };
    let mut files = Files {
        run: None,
        listing: Arc::new(listing),
        schema: schema.clone(),
        raises,
        notes: notes.clone(),
    };
    let batches = iter::from_fn(move || files.next().transpose());
    Ok(Reader::new(schema, Box::new(batches), notes))
}

fn positive(name: &str, number: i64) -> PyResult<usize> {
    let number = usize::try_from(number).ok().filter(|number| *number > 0);
    number.ok_or_else(|| PyValueError::new_err(format!("`{name}` must be at least 1")))
}

/// How the rows of files are made.
struct Listing {
    inputs: Arc<Inputs>,
    fields: Fields,
    batch_size: usize,
}

/// Rows of the list.
#[derive(Default)]
struct Rows {
    /// `None` before the first row.
    columns: Option<Columns>,
    is_full: bool,
}

impl Batch for Rows {
    // They may be of megabytes.
    const WAITING: usize = 2;

    fn is_empty(&self) -> bool {
        self.columns.is_none()
    }

    fn is_full(&self) -> bool {
        self.is_full
    }
}

impl Work for Listing {
    type Batch = Rows;
    type State = Checker<Arc<Settings>>;

    fn whole_up_to(&self) -> usize {
        if self.fields.need_rules() {
            Suppressions::MAX_SOURCE
        } else {
            0
        }
    }

    fn begin(&self, source: &Source, start: &[u8]) -> Result<Reading<Self>, Error> {
        let mut reader = source.reader().with_mistakes(false);
        let record = source.record.as_ref();
        if let Some(target) = record.and_then(|record| record.target.as_deref()) {
            reader = reader.with_base(target);
        }
        let checker = if self.fields.need_rules() {
            self.inputs.checker(source)
        } else {
            Checker::new(source.settings.shared_lint().clone())
        };
        if self.fields.need_rules() {
            checker.begin(start);
        }
        Ok(Reading::Urls(providing(&self.fields, reader), checker))
    }

    fn read(&self, text: Text<'_, Self>, out: &Out<'_, Rows>) -> Result<(), Error> {
        let opened = text.opened;
        text.each_url(self, out, &mut |found| self.found(opened, found, out))
    }
}

impl Listing {
    /// Lists a URL.
    fn found(
        &self,
        opened: &Opened<Self>,
        found: &Found<'_>,
        out: &Out<'_, Rows>,
    ) -> Result<(), Error> {
        let source = &opened.source;
        let info = SourceInfo::new(source.name().file(), source.name().member())
            .with_record(source.record.as_deref());
        let types = self.fields.fields.iter().map(|field| field.data_type());
        let mut rows = out.batch();
        let columns = rows.columns.get_or_insert_with(|| Columns::new(types));
        let judged = judged(&self.fields, &opened.state, found);
        columns.add(self.fields.row(info, &judged).cells());
        rows.is_full = columns.rows() >= self.batch_size || columns.bytes() > MAX_BYTES;
        drop(rows);
        out.flush_full()
    }
}

/// The batches of files, in the order of the files.
struct Files {
    /// `None` before the first batch.
    run: Option<Run<Listing>>,
    listing: Arc<Listing>,
    schema: SchemaRef,
    /// Whether the first error stops the reading.
    raises: bool,
    notes: SharedNotes,
}

impl Files {
    /// Returns the next batch, if there is one.
    fn next(&mut self) -> PyResult<Option<RecordBatch>> {
        if self.run.is_none() {
            let run = Run::start(self.listing.inputs.clone(), self.listing.clone());
            self.run = Some(run.map_err(fatal)?);
        }
        while let Some(run) = &mut self.run {
            match run.next(PAUSE).map_err(fatal)? {
                Next::Results(results) => {
                    for message in results.messages {
                        self.note(message)?;
                    }
                    if let Some(mut columns) = results.batch.columns {
                        let batch = RecordBatch::try_new(self.schema.clone(), columns.finish());
                        return Ok(Some(batch.map_err(io::Error::other)?));
                    }
                }
                Next::TimedOut => interrupted()?,
                Next::Done => break,
            }
        }
        Ok(None)
    }

    /// Takes a message; fails if it is an error that is to be raised.
    fn note(&self, message: Message) -> PyResult<()> {
        if let Some(raised) = lock(&self.notes).raised.take() {
            return Err(raised);
        }
        let text = |name: &[u8]| String::from_utf8_lossy(name).into_owned();
        let (name, reason, kind) = match message {
            Message::Failed { name, reason, kind } => (text(&name), reason, kind),
            Message::Faulty { name, fault, at } => {
                let reason = format!("{fault} (at byte {at})");
                (text(&name), reason, io::ErrorKind::InvalidData)
            }
            Message::Skipped { name, reason, .. } => {
                lock(&self.notes).skipped.push((text(&name), reason));
                return Ok(());
            }
            _ => return Ok(()),
        };
        if self.raises {
            return Err(io::Error::new(kind, format!("{name}: {reason}")).into());
        }
        lock(&self.notes).failures.push((name, reason));
        Ok(())
    }
}

/// Returns the exception for an error that ends a run.
fn fatal(error: Error) -> PyErr {
    match error {
        Error::Read(error) | Error::NoThread(error) => error.into(),
        Error::Stopped | Error::Panicked => PyOSError::new_err("internal error"),
    }
}
