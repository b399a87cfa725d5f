//! Reading sources with several threads: the results come in the order of the
//! sources.
//!
//! One thread walks through the sources ([`sharing`]) and puts together units of work ([`dispatcher`]),
//! workers do them ([`reading`]), and the main thread takes their results ([`collector`]).

mod chunks;
mod collector;
mod dispatcher;
mod emitter;
mod first_pass;
mod held;
pub(crate) mod interrupt;
mod progress;
mod reading;
mod sharing;

use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use urlint::config::FileSettings;
use urlint::document::WebRecord;
use urlint::{Found, Reader};

use chunks::{Chunk, NextLine};
pub(crate) use collector::{Collector, ToRead};
pub(crate) use emitter::{Emitter, Item, no_longer_needed};
pub(crate) use first_pass::{Gather, gather, is_readable_twice};
use held::Held;
pub(crate) use held::Spare;
pub(crate) use progress::{Progress, When};

use crate::error::Error;
use crate::flags::read::ReadArgs;
use crate::terminal::Verbosity;
use crate::walk::{Input, Opener, PathArgs};
use interrupt::Interrupt;

/// The flags for threads and progress.
#[derive(Debug, clap::Args)]
pub(crate) struct WorkArgs {
    /// When to show the progress on standard error
    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        help_heading = "Output"
    )]
    pub(crate) progress: When,

    /// The number of threads; it does not change the results [default: number of processors]
    #[arg(
        long,
        short = 'j',
        value_name = "NUMBER",
        value_parser = clap::value_parser!(u16).range(1..),
        hide_short_help = true,
        help_heading = "Advanced"
    )]
    threads: Option<u16>,
}

impl WorkArgs {
    /// Returns how many threads to read with.
    pub(crate) fn threads(&self) -> usize {
        let available = || thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(available, usize::from)
    }
}

/// What all threads share.
pub(crate) struct Context {
    pub(crate) inputs: &'static PathArgs,
    pub(crate) reader: &'static ReadArgs,
    pub(crate) opener: Opener<'static>,
    pub(crate) interrupt: Interrupt,
    pub(crate) threads: usize,
    pub(crate) verbosity: Verbosity,
    pub(crate) spare: Spare,
}

/// What a command does with sources. All threads share one value.
pub(crate) trait Work: Send + Sync + Sized + 'static {
    /// Results on their way to the main thread.
    type Batch: Batch;
    /// What the command keeps about a source while it is read.
    type State: Default + Send + Sync + 'static;

    /// How many bytes of a source [`begin`](Self::begin) needs. A source that is no longer than this is
    /// read as a whole, by one thread.
    const START: usize;

    fn context(&self) -> &Context;

    /// Returns how a source is read; `is_held` says whether all of it is in memory.
    fn reader(&self, input: &Input<'_>, is_held: bool) -> Reader;

    /// Called with the start of a source, before it is read.
    fn begin(&self, _: &SharedSource<Self>, _start: &[u8]) {}

    /// Called for each candidate. `whole` is the source, if all of it is in memory.
    fn found(
        &self,
        source: &SharedSource<Self>,
        whole: Option<&[u8]>,
        found: &Found<'_>,
        emitter: &mut Emitter<'_, Self>,
    ) -> Result<(), Error>;

    /// Called at the end of a source that is all in memory.
    fn end(
        &self,
        _: &SharedSource<Self>,
        _whole: &[u8],
        _: &mut Emitter<'_, Self>,
    ) -> Result<(), Error> {
        Ok(())
    }
}

/// A source that is read, perhaps by several threads.
pub(crate) struct SharedSource<W: Work> {
    pub(crate) name: Arc<Name>,
    pub(crate) settings: FileSettings,
    pub(crate) reader: Reader,
    /// What a web archive says about it, if requested.
    pub(crate) record: Option<Arc<WebRecord>>,
    pub(crate) path: Vec<u8>,
    /// Whether fixes can be written back.
    pub(crate) is_fixable: bool,
    pub(crate) state: W::State,
}

impl<W: Work> SharedSource<W> {
    fn open(work: &W, input: &Input<'_>, is_held: bool) -> Self {
        SharedSource {
            name: Arc::new(Name {
                whole: input.name.to_vec(),
                file: input.file.to_vec(),
                member: input.member.map(<[u8]>::to_vec),
            }),
            settings: input.settings.clone(),
            reader: work.reader(input, is_held),
            record: input.record.cloned(),
            path: input.path.to_vec(),
            is_fixable: input.is_fixable(),
            state: W::State::default(),
        }
    }
}

/// A chunk of a large file of plain text.
pub(crate) struct FileChunk<W: Work> {
    source: Arc<SharedSource<W>>,
    chunk: Chunk,
}

/// Results that are sent together, since sending each by itself would cost too much.
pub(crate) trait Batch: Default + Send + 'static {
    fn is_empty(&self) -> bool;

    /// Returns whether it is long enough to be sent.
    fn is_full(&self) -> bool;
}

/// A small piece of work.
enum Job<W: Work> {
    /// Read a file.
    File {
        path: PathBuf,
        name: PathBuf,
        is_named: bool,
    },
    /// Read texts that are in memory.
    Held(Held<W>),
    /// Search a chunk of a large file, and pass on the number of the line after it.
    Chunk(Arc<FileChunk<W>>, NextLine),
    /// Send this item.
    Item(Item<W>),
}

/// What a worker takes at a time.
type Unit<W> = Vec<Job<W>>;

/// The name of a source.
#[derive(Debug)]
pub(crate) struct Name {
    /// The file and the member.
    pub(crate) whole: Vec<u8>,
    pub(crate) file: Vec<u8>,
    /// The member, if it is in an archive.
    pub(crate) member: Option<Vec<u8>>,
}

/// The error for a reader whose bytes are no longer needed.
fn io_error(_: Error) -> std::io::Error {
    std::io::ErrorKind::BrokenPipe.into()
}
