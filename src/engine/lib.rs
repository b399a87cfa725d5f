//! Reads many sources with several threads; the results come in the order of the sources.
//!
//! One thread walks from the paths of the [`Inputs`] to their files (`walk`), opens files that are large or
//! have members (`open`) and puts units of work together (`sources`, `dispatcher`). Others do them
//! (`reading`), as a [`Work`] says. [`Run::next`] returns their results (`collector`).

mod baseline;
mod collector;
mod dispatcher;
mod ignore_files;
mod listing;
mod message;
mod open;
mod out;
mod output_files;
mod parallel;
mod reading;
mod skipped;
mod sources;
mod stdin;
mod stop;
mod text_batch;
mod totals;
mod walk;

use std::collections::HashMap;
use std::fmt;
use std::fs::{self, Metadata};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ignore::overrides::Override;

use urlint_archive::{Limits, Nesting};
use urlint_config::{Configs, FileSettings};
use urlint_documents::document::{Kind, WebRecord};
use urlint_documents::read::Reader;

pub use baseline::Baseline;
pub use collector::{Next, Run};
pub use message::Message;
pub use out::{Out, Results};
pub use output_files::{OutputFiles, TEMPORARY, Use};
pub use skipped::Skipped;
pub use sources::Text;
pub use stdin::{Stdin, stdin};
pub use stop::Stop;
pub use totals::Totals;

/// A source that is named among the paths and is no file on disk: an object in a store, or an open file.
pub trait Stream: fmt::Debug + Send + Sync {
    /// Opens it.
    ///
    /// Fails if it cannot be opened, or is read a second time and cannot be.
    fn open(&self) -> io::Result<Box<dyn Read>>;
}

/// The paths to read, and how their files are found and opened.
#[derive(Debug)]
pub struct Inputs {
    /// Files and folders; `-` is standard input.
    pub paths: Vec<PathBuf>,
    /// Those of the paths that are no files.
    pub streams: HashMap<PathBuf, Box<dyn Stream>>,
    /// The settings of each file.
    pub configs: Configs,
    /// The kind of all files, if it is set.
    pub kind: Option<Kind>,
    /// If not empty, files are JSON with a value on each line, of which only these fields are read.
    pub json_fields: Arc<[String]>,
    /// The name and the beginning of standard input.
    pub stdin: Stdin,
    /// Files and folders that are skipped, in addition to those that the configuration excludes.
    pub excluded: Override,
    /// Whether named files are skipped as those in folders are.
    pub force_exclude: bool,
    /// Whether hidden files and folders are read.
    pub hidden: bool,
    /// Whether .gitignore and .ignore are not used.
    pub no_ignore: bool,
    /// Whether the files in folders are read.
    pub walks_folders: bool,
    /// Whether the work replaces files. Then all files are found before the first is read if several paths
    /// are named: a folder that is listed while files in it are replaced may lack some.
    pub replaces_files: bool,
    /// Whether there is a message for each file, folder and part of a document that is skipped, and for each
    /// warning about a document; otherwise they are counted.
    pub is_verbose: bool,
    /// The files of the run itself, which are skipped.
    pub outputs: OutputFiles,
    /// Whether compressed files and archives in folders are opened. Those that are named are.
    pub archives: bool,
    /// How much is read of compressed files and archives.
    pub limits: Limits,
    /// Whether sources come with the records of web archives, and attachments with the headers of their messages.
    pub records: bool,
    /// The current folder, if it is known.
    pub current: PathBuf,
    /// How many threads there are, at least one.
    pub threads: usize,
    /// The diagnostics that are known.
    pub baseline: Baseline,
    /// Ends the run early.
    pub stop: Stop,
    /// How many bytes of files and standard input have been read.
    pub bytes_read: AtomicU64,
    /// The memory of texts that were held.
    pub(crate) buffers: Buffers,
}

/// How often to look whether a run is to end, while waiting for results.
pub const TICK: Duration = Duration::from_millis(50);

impl Inputs {
    /// The inputs at `paths`, with the defaults of the command.
    pub fn new(paths: Vec<PathBuf>, configs: Configs) -> Self {
        Inputs {
            paths,
            streams: HashMap::new(),
            configs,
            kind: None,
            json_fields: Arc::default(),
            stdin: Stdin::default(),
            excluded: Override::empty(),
            force_exclude: false,
            hidden: false,
            no_ignore: false,
            walks_folders: true,
            replaces_files: false,
            is_verbose: false,
            outputs: OutputFiles::new(),
            archives: true,
            limits: Limits::default(),
            records: false,
            current: std::env::current_dir().unwrap_or_default(),
            threads: 1,
            baseline: Baseline::default(),
            stop: Stop::default(),
            bytes_read: AtomicU64::new(0),
            buffers: Buffers::default(),
        }
    }

    /// Returns whether standard input is read.
    pub fn has_stdin(&self) -> bool {
        self.paths.iter().any(|path| path.as_os_str() == "-")
    }

    /// Returns how many bytes there are to read, or `None` unless all paths are files.
    pub fn size(&self) -> Option<u64> {
        let size = |path: &PathBuf| fs::metadata(path).ok().filter(Metadata::is_file);
        let sizes = self.paths.iter().map(|path| Some(size(path)?.len()));
        sizes.sum()
    }
}

/// Why a run ends early.
#[derive(Debug)]
pub enum Error {
    /// A source could not be read to its end. The other sources are still read.
    Read(io::Error),
    /// The results are no longer wanted.
    Stopped,
    /// Not even one thread could be started.
    NoThread(io::Error),
    /// A thread panicked, and has printed why. Not everything was read.
    Panicked,
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Error::Read(error)
    }
}

/// Work that is done with sources. All threads share one value.
///
/// URLs are not pulled from a source, since they borrow from the parts of a document that they are in, and the
/// documents of a long source are read by several threads. So a work begins a source once, and then reads each
/// of its [texts](Text).
pub trait Work: Send + Sync + Sized + 'static {
    /// Results, on their way to [`Run::next`].
    type Batch: Batch;

    /// The state of a source while its texts are read.
    type State: Send + Sync + 'static;

    /// Returns how many bytes of a source [`begin`](Self::begin) needs. A source that is no longer is a single
    /// text.
    fn whole_up_to(&self) -> usize {
        0
    }

    /// Begins a source, of which `start` are the first bytes.
    fn begin(&self, source: &Source, start: &[u8]) -> Result<Reading<Self>, Error>;

    /// Reads a text: a source, or a part of it.
    fn read(&self, text: Text<'_, Self>, out: &Out<'_, Self::Batch>) -> Result<(), Error>;
}

/// How a source is read.
pub enum Reading<W: Work> {
    /// By this reader, perhaps from several threads at once; from one thread, in the order of the URLs, if
    /// diagnostics of the source are [known](Inputs::known).
    Urls(Reader, W::State),
    /// Not at all: these are its results.
    Done(Results<W::Batch>),
}

/// Results that are sent together, since sending each by itself would cost too much.
pub trait Batch: Default + Send + 'static {
    /// How many batches of a thread may wait for [`Run::next`]: most are of 64 KiB.
    const WAITING: usize = 32;

    /// Returns whether it has no results.
    fn is_empty(&self) -> bool;

    /// Returns whether it is long enough to be sent.
    fn is_full(&self) -> bool {
        false
    }
}

/// No results.
impl Batch for () {
    fn is_empty(&self) -> bool {
        true
    }
}

/// A source whose URLs are found, perhaps by several threads.
pub struct Opened<W: Work> {
    /// The source.
    pub source: Source,
    /// How it is read.
    pub reader: Reader,
    /// The state of the work for it.
    pub state: W::State,
}

impl<W: Work> Opened<W> {
    fn new(inputs: &Inputs, source: Source, reader: Reader, state: W::State) -> Self {
        Opened {
            source,
            reader: reader.with_unread(inputs.is_verbose),
            state,
        }
    }
}

/// A source to read: a file, standard input, or a member of an archive.
#[derive(Clone, Debug)]
pub struct Source {
    name: Arc<Name>,
    /// The name whose extension decides the kind, if it is not the name of the file.
    path: Option<Vec<u8>>,
    /// Its kind, if a flag, the configuration or the archive sets it.
    pub kind: Option<Kind>,
    /// Where fixes are written back.
    pub origin: Origin,
    /// The settings that apply to it.
    pub settings: FileSettings,
    /// The record of a web archive that it is in, if requested.
    pub record: Option<Arc<WebRecord>>,
    /// The strings of JSON that are read, if not all are.
    json_fields: Arc<[String]>,
    /// The archives and messages that it is in.
    nesting: Nesting,
}

/// The name of a source.
#[derive(Debug)]
pub struct Name {
    whole: Vec<u8>,
    /// The length of the file's name.
    file: usize,
}

impl Name {
    /// Returns the file and, after a `!`, the member.
    pub fn whole(&self) -> &[u8] {
        &self.whole
    }

    /// Returns the file that the source is or is in.
    pub fn file(&self) -> &[u8] {
        &self.whole[..self.file]
    }

    /// Returns the name as it is seen from `folder` if the current folder is `current`; both are absolute.
    pub fn seen_from(&self, folder: &Path, current: &Path) -> String {
        let whole = String::from_utf8_lossy(&self.whole);
        let (file, member) = whole.split_at(String::from_utf8_lossy(self.file()).len());
        if file == "-" {
            return whole.into_owned();
        }
        let mut path = PathBuf::new();
        for part in current.join(file).components() {
            match part {
                Component::ParentDir => drop(path.pop()),
                part => path.push(part),
            }
        }
        let above = folder.ancestors().enumerate();
        let mut inside = above.filter_map(|(up, base)| Some((up, path.strip_prefix(base).ok()?)));
        let (up, inside) = inside.next().unwrap_or((0, &path));
        "../".repeat(up) + &inside.to_string_lossy() + member
    }

    /// Returns the name of the source in the archive or the message that it is in.
    pub fn member(&self) -> Option<&[u8]> {
        self.whole.get(self.file + 1..)
    }
}

/// Where a source comes from.
#[derive(Clone, Debug)]
pub enum Origin {
    /// Standard input.
    Stdin,
    /// The file at this path.
    File(PathBuf),
    /// A compressed file or an archive, to which nothing is written back.
    Archive,
}

impl Source {
    /// Returns its name.
    pub fn name(&self) -> &Arc<Name> {
        &self.name
    }

    /// Returns the name whose extension decides its kind.
    pub fn path(&self) -> &[u8] {
        self.path.as_deref().unwrap_or(self.name.file())
    }

    /// Returns the reader for it, without positions.
    pub fn reader(&self) -> Reader {
        let mut reader = self
            .settings
            .reader()
            .with_kind(self.kind)
            .with_mistakes(true);
        reader.json_fields = self.json_fields.clone();
        match self.origin {
            Origin::Archive => reader.within(self.name.file()),
            _ => reader,
        }
    }

    /// Returns whether fixes can be written back.
    pub fn is_fixable(&self) -> bool {
        !matches!(self.origin, Origin::Archive)
    }
}

/// The memory of texts that have been read, for reuse.
#[derive(Debug, Default)]
pub(crate) struct Buffers(Mutex<Vec<Vec<u8>>>);

impl Buffers {
    fn take(&self) -> Vec<u8> {
        lock(&self.0).pop().unwrap_or_default()
    }

    fn give(&self, mut buffer: Vec<u8>) {
        buffer.clear();
        lock(&self.0).push(buffer);
    }
}

/// Locks `mutex`, even if a thread has panicked meanwhile: the run then ends.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
