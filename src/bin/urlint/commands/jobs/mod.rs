//! Reading sources with several threads: what a command makes of them comes in the order of the
//! sources, whichever thread has it first.
//!
//! One thread goes through the sources and puts together units of work ([`scheduler`]), workers do
//! them, and the main thread takes what comes out of them ([`collector`]).

mod collector;
mod emitter;
mod progress;
mod scheduler;

use std::cell::RefCell;
use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use urlint::document::NoticeKind;

pub(crate) use collector::{Collector, Take, ToRead};
pub(crate) use emitter::{Emitter, Item};
pub(crate) use progress::{Progress, When};
pub(crate) use scheduler::{COST_OF_JOB, Scheduler};

use super::interrupt::Interrupt;
use super::read::ReadArgs;
use crate::error::Error;
use crate::terminal::Verbosity;
use crate::walk::{Entry, Input, Message, Opener, PathArgs, Totals, Visitor};

/// The flags for how a command goes about its work.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Work")]
pub(crate) struct WorkArgs {
    /// The number of threads, which does not change what is printed [default: number of processors]
    #[arg(
        long,
        value_name = "NUMBER",
        value_parser = clap::value_parser!(u16).range(1..),
    )]
    threads: Option<u16>,

    /// When to show the progress on standard error
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) progress: When,
}

impl WorkArgs {
    /// How many threads to read with.
    pub(crate) fn threads(&self) -> usize {
        let available = || thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(available, usize::from)
    }
}

/// What all threads need to know.
pub(crate) struct Context {
    pub(crate) inputs: &'static PathArgs,
    pub(crate) reader: &'static ReadArgs,
    pub(crate) opener: Opener<'static>,
    pub(crate) interrupt: Interrupt,
    pub(crate) threads: usize,
    pub(crate) verbosity: Verbosity,
}

/// What a command does with sources. All threads use the same value.
pub(crate) trait Work: Send + Sync + Sized + 'static {
    /// What is handed to the main thread.
    type Batch: Batch;
    /// A part of a source that is given to a worker.
    type Part: Send + 'static;
    /// A chunk of a file, whose results may have to be found anew.
    type Chunk: Send + Sync + 'static;
    /// Memory that a worker uses for one part after another.
    type Scratch: Default;

    fn context(&self) -> &Context;

    /// Takes note that a file follows, in the order of the files; returns whether it is to be read.
    fn begins(&self, _: &Entry<'_>) -> Result<bool, Error> {
        Ok(true)
    }

    /// What is handed on after everything that is found in that file, if something is.
    fn ends(&self) -> Option<Item<Self>> {
        None
    }

    /// Whether a regular file of so many bytes is opened by a worker. If not, it is handed to
    /// [`share`](Work::share).
    fn is_for_workers(&self, length: u64) -> bool;

    /// Reads a source on this thread.
    ///
    /// Fails with [`Error::Read`] if the source cannot be read, with anything else if the work is to
    /// end.
    fn source(
        &self,
        input: &Input<'_>,
        reader: &mut dyn Read,
        emitter: &RefCell<Emitter<'_, Self>>,
    ) -> Result<(), Error>;

    /// Reads a source on the thread that goes through the sources, or gives its parts to workers.
    fn share(
        &self,
        input: &Input<'_>,
        reader: &mut dyn Read,
        scheduler: &RefCell<Scheduler<'_, Self>>,
    ) -> Result<(), Error> {
        let emitter = scheduler.borrow_mut().emitter()?;
        self.source(input, reader, &emitter)
    }

    /// Reads a part of a source.
    fn part(
        &self,
        part: Self::Part,
        scratch: &mut Self::Scratch,
        emitter: &RefCell<Emitter<'_, Self>>,
    ) -> Result<(), Error>;

    /// Searches a chunk again, on the main thread, if what was found in it does not hold: the last
    /// candidate before it ends at the offset `reached`. Returns whether it did.
    fn search_again(
        &self,
        chunk: &Self::Chunk,
        reached: u64,
        emitter: &RefCell<Emitter<'_, Self>>,
    ) -> Result<bool, Error>;
}

/// Results that are handed on together, since to hand on each by itself would cost too much.
pub(crate) trait Batch: Default + Send + 'static {
    fn is_empty(&self) -> bool;

    /// Whether it is long enough to be handed on.
    fn is_full(&self) -> bool;

    /// How many bytes of memory it takes, about.
    fn weight(&self) -> usize;
}

/// Something to do that is small.
pub(crate) enum Job<W: Work> {
    /// A file is to be read.
    File {
        path: PathBuf,
        name: PathBuf,
        is_named: bool,
    },
    /// A part of a source is to be read.
    Part(W::Part),
    /// This is to be handed on.
    Item(Item<W>),
}

/// What a worker does at a time.
pub(crate) type Unit<W> = Vec<Job<W>>;

/// Does a unit.
fn work_on<W: Work>(
    work: &W,
    unit: Unit<W>,
    scratch: &mut W::Scratch,
    emitter: Emitter<'_, W>,
) -> Result<(), Error> {
    let emitter = RefCell::new(emitter);
    for job in unit {
        match job {
            Job::File {
                path,
                name,
                is_named,
            } => {
                let entry = Entry {
                    path: &path,
                    name: &name,
                    is_named,
                    is_regular: true,
                };
                let mut here = Here {
                    work,
                    emitter: &emitter,
                };
                work.context().opener.file(&entry, &mut here)?;
            }
            Job::Part(part) => work.part(part, scratch, &emitter)?,
            Job::Item(item) => emitter.borrow_mut().send(item)?,
        }
    }
    emitter.borrow_mut().end()
}

/// Reads each source where it is opened.
pub(crate) struct Here<'e, 's, W: Work> {
    work: &'e W,
    emitter: &'e RefCell<Emitter<'s, W>>,
}

impl<W: Work> Visitor for Here<'_, '_, W> {
    fn source(&mut self, input: &Input<'_>, reader: &mut dyn Read) -> Result<(), Error> {
        self.work.source(input, reader, self.emitter)
    }

    fn message(&mut self, message: Message) -> Result<(), Error> {
        let mut emitter = self.emitter.borrow_mut();
        emitter.send(Item::Messages(vec![message]))
    }

    fn count(&mut self, totals: Totals) -> Result<(), Error> {
        self.emitter.borrow_mut().send(Item::Totals(totals))
    }

    fn begins(&mut self, entry: &Entry<'_>) -> Result<bool, Error> {
        self.work.begins(entry)
    }

    fn ends(&mut self) -> Result<(), Error> {
        match self.work.ends() {
            Some(end) => self.emitter.borrow_mut().send(end),
            None => Ok(()),
        }
    }

    fn defer(&mut self, entry: &Entry<'_>) -> Result<bool, Error> {
        if !entry.is_regular {
            self.emitter.borrow_mut().flush()?;
        }
        Ok(false)
    }
}

/// What a source is called.
#[derive(Debug)]
pub(crate) struct Name {
    /// The file and the member.
    pub(crate) whole: Vec<u8>,
    pub(crate) file: Vec<u8>,
    /// The member, if it is in an archive.
    pub(crate) member: Option<Vec<u8>>,
}

impl Name {
    pub(crate) fn of(input: &Input<'_>) -> Arc<Self> {
        Arc::new(Name {
            whole: input.name.to_vec(),
            file: input.file.to_vec(),
            member: input.member.map(<[u8]>::to_vec),
        })
    }
}

/// Hands on what there is to say about the source `name`. Warnings are only counted unless all are
/// to be printed.
pub(crate) fn notice<W: Work>(
    context: &Context,
    name: &[u8],
    notice: &urlint::document::Notice,
    emitter: &mut Emitter<'_, W>,
) -> Result<(), Error> {
    let (args, verbosity) = (context.reader, context.verbosity);
    if notice.kind != NoticeKind::Skipped && !verbosity.is_verbose() {
        return emitter.send(Item::Totals(Totals::NOTICE));
    }
    let message = || args.message(name, notice, verbosity);
    if notice.kind == NoticeKind::Line {
        return emitter.bad_line(notice.span.start, || message().unwrap_or_default());
    }
    match message() {
        Some(message) => emitter.send(Item::Messages(vec![Message::Line(message)])),
        None => Ok(()),
    }
}

/// The error of a reader whose bytes are not wanted any more.
fn io_error(_: Error) -> std::io::Error {
    std::io::ErrorKind::BrokenPipe.into()
}
