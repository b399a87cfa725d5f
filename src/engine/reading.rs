//! The threads of a run: one walks through the files, and the others do the units that it puts together.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::io::{self, Read};
use std::path::Path;

use super::dispatcher::{Dispatcher, Job, Unit, Units};
use super::message::Message;
use super::out::{Out, Results};
use super::parallel::Sender;
use super::sources::{Destination, SMALL, Sources, read_apart};
use super::stdin::stdin;
use super::walk::{Entry, Step, Walk};
use super::{Error, Inputs, Totals, Work};

/// The documents of a longer file are worth to be shared by threads, in bytes.
const SHARED: u64 = 64 << 10;

/// Walks through all sources, and gives them to workers.
pub(super) fn walk<W: Work>(inputs: &Inputs, work: &W, units: &mut Units<W>) -> Result<(), Error> {
    let dispatcher = RefCell::new(Dispatcher::new(units, inputs));
    let own;
    let to = if inputs.threads == 1 {
        // All is read on this thread, as one unit.
        own = dispatcher.borrow_mut().own()?;
        Destination::Inline(&*own)
    } else {
        Destination::Workers(&dispatcher)
    };
    let sources = Sources { inputs, work, to };
    let mut walk = Walk::new(inputs);
    let found: Vec<_> = if inputs.replaces_files && inputs.paths.len() > 1 {
        walk.by_ref().collect()
    } else {
        Vec::new()
    };
    let mut steps = found.into_iter().chain(walk);
    let mut ahead: VecDeque<_> = steps.by_ref().take(inputs.threads).collect();
    while let Some(step) = ahead.pop_front() {
        ahead.extend(steps.next());
        let are_few_left = ahead.len() < inputs.threads;
        match step {
            Step::File(entry) => match (entry.length, to) {
                (Some(length), Destination::Workers(dispatcher))
                    if is_for_one(work, &entry, length, are_few_left) =>
                {
                    dispatcher.borrow_mut().file(entry, length)?;
                }
                (length, _) => {
                    // It may take any time to come.
                    if length.is_none() {
                        to.flush()?;
                    }
                    inputs.open(&entry, inputs.threads, sources)?;
                }
            },
            Step::Stdin(name) => {
                if !read_stdin(&name, sources)? {
                    break;
                }
            }
            Step::Note(message, totals) => sources.note(message, totals)?,
        }
    }
    to.flush()
}

/// Returns whether one thread opens and reads a regular file of that length. Of a file that is opened here, the documents
/// go to all threads; that is worth it if too few files are left for these. A PDF is one document.
fn is_for_one<W: Work>(work: &W, entry: &Entry, length: u64, are_few_left: bool) -> bool {
    let is_short = length <= SMALL.max(work.whole_up_to()) as u64;
    is_short && (!are_few_left || length <= SHARED || entry.is_pdf())
}

/// Does the jobs of a unit.
pub(super) fn work_on<W: Work>(
    inputs: &Inputs,
    work: &W,
    unit: Unit<W>,
    sender: &Sender<Results<W::Batch>, Error>,
) -> Result<(), Error> {
    let out = Out::new(inputs, sender.clone());
    for job in unit {
        match job {
            Job::File(entry) => {
                let to = Destination::Inline(&out);
                inputs.open(&entry, 1, Sources { inputs, work, to })?;
            }
            Job::Texts(texts) => {
                let bytes = texts.each(|part, bytes| read_apart(work, part, bytes, &out))?;
                inputs.buffers.give(bytes);
            }
            Job::Send(results) => out.send(results)?,
        }
    }
    out.flush()
}

/// Reads standard input; returns false if the run has ended meanwhile.
fn read_stdin<W: Work>(name: &Path, sources: Sources<'_, '_, W>) -> Result<bool, Error> {
    let Sources { inputs, to, .. } = sources;
    let has_ended = Cell::new(false);
    // Results are sent before waiting for more input.
    let may_read = || to.flush().is_ok() && inputs.stop.wait_for_stdin();
    let reader = match stdin() {
        Ok(reader) => inputs.stdin.beginning.chain(reader),
        Err(error) => {
            sources.note(Some(Message::failed(name, &error)), Totals::failed())?;
            return Ok(true);
        }
    };
    let mut reader = Guarded {
        reader,
        may_read: &may_read,
        has_ended: &has_ended,
    };
    inputs.open_stdin(name, &mut reader, sources)?;
    Ok(!has_ended.get())
}

/// A reader that asks before each read whether to go on.
struct Guarded<'g, R> {
    reader: R,
    may_read: &'g dyn Fn() -> bool,
    has_ended: &'g Cell<bool>,
}

impl<R: Read> Read for Guarded<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.has_ended.get() || !(self.may_read)() {
            self.has_ended.set(true);
            return Ok(0);
        }
        self.reader.read(out)
    }
}
