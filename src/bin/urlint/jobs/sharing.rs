//! Walks through the sources, and gives them to workers.

use std::cell::RefCell;
use std::fs::File;
use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use urlint::Reader;
use urlint::read::{Content, Piece};

use super::chunks::{Chunks, ReadAt};
use super::dispatcher::{COST_OF_JOB, Dispatcher, Units, own_emitter};
use super::emitter::Item;
use super::held::{Held, HeldText};
use super::reading::{SMALL, is_small, read_held, read_here, start_of, take};
use super::{FileChunk, Job, SharedSource, Work, io_error};
use crate::error::Error;
use crate::walk::{Input, Visit, Walked};

/// How long a chunk of a large file is, in bytes.
const CHUNK: u64 = 4 << 20;

/// The length of a chunk if lines are counted: then there is more in the results.
const CHUNK_OF_LINES: u64 = 1 << 20;

/// Walks through all sources.
pub(super) fn run<W: Work>(work: &'static W, units: &mut Units<W>) -> Result<(), Error> {
    if work.context().threads == 1 {
        return run_alone(work, units);
    }
    let dispatcher = RefCell::new(Dispatcher::new(units));
    let mut visit = |walked: Walked<'_>| dispatch(work, walked, &dispatcher);
    walk(work, &mut visit, &|| dispatcher.borrow_mut().flush())?;
    dispatcher.into_inner().finish()
}

/// Reads all sources on this thread, as one unit.
fn run_alone<W: Work>(work: &'static W, units: &mut Units<W>) -> Result<(), Error> {
    let emitter = RefCell::new(own_emitter(units)?);
    let mut visit = |walked: Walked<'_>| read_here(work, walked, &emitter);
    walk(work, &mut visit, &|| emitter.borrow_mut().flush())?;
    emitter.borrow_mut().end()
}

/// Walks through the sources. `flush` is called before waiting for standard input.
fn walk<W: Work>(
    work: &W,
    visit: &mut Visit<'_>,
    flush: &dyn Fn() -> Result<(), Error>,
) -> Result<(), Error> {
    let context = work.context();
    let before_read = || {
        flush().map_err(io_error)?;
        Ok(context.interrupt.wait_for_stdin())
    };
    context.inputs.walk(&context.opener, &before_read, visit)
}

/// Handles what the walk yields, and leaves to the workers what it can.
fn dispatch<W: Work>(
    work: &W,
    walked: Walked<'_>,
    dispatcher: &RefCell<Dispatcher<'_, W>>,
) -> Result<(), Error> {
    match walked {
        Walked::File(entry) if dispatcher.borrow_mut().defer(&entry)? => Ok(()),
        Walked::File(entry) => {
            let context = work.context();
            let mut visit = |walked: Walked<'_>| dispatch(work, walked, dispatcher);
            context.opener.file(&entry, context.threads, &mut visit)
        }
        Walked::Source(input, content) => read_and_share(work, input, content, dispatcher),
        Walked::Message(message) => {
            let mut dispatcher = dispatcher.borrow_mut();
            dispatcher.item(Item::Messages(vec![message]))
        }
        Walked::Count(totals) => dispatcher.borrow_mut().item(Item::Totals(totals)),
    }
}

/// Reads a source on the thread of the walk, and gives its parts to workers.
fn read_and_share<W: Work>(
    work: &W,
    input: &Input<'_>,
    mut content: Content<'_>,
    dispatcher: &RefCell<Dispatcher<'_, W>>,
) -> Result<(), Error> {
    let mut buffer = Vec::new();
    let (start, rest) = start_of::<W>(content.reborrow(), &mut buffer)?;
    let source = Arc::new(SharedSource::open(work, input, rest.is_none()));
    let Some(rest) = rest else {
        return queue_text(work, &source, &HeldText::Whole(start), dispatcher);
    };
    work.begin(&source, start);
    if let Some(file) = input.whole
        && is_worth_chunking(file, &source)
    {
        // The start is read again, and must not be counted twice.
        let read = &work.context().opener.bytes_read;
        read.fetch_sub(start.len() as u64, Ordering::Relaxed);
        return queue_chunks(&source, file, dispatcher);
    }
    let all = &mut start.chain(rest);
    let visit = &mut |piece: Piece<'_>| match piece {
        Piece::Document(document) => {
            queue_text(work, &source, &HeldText::Document(document), dispatcher)
        }
        Piece::Event(event) => {
            let emitter = dispatcher.borrow_mut().emitter()?;
            take(work, &source, None, event, &mut emitter.borrow_mut())
        }
        _ => Ok(()),
    };
    source.reader.documents(input.path, all, visit)
}

/// Gives a text to a worker, or reads it here if it is large.
fn queue_text<W: Work>(
    work: &W,
    source: &Arc<SharedSource<W>>,
    text: &HeldText<'_>,
    dispatcher: &RefCell<Dispatcher<'_, W>>,
) -> Result<(), Error> {
    if text.len() > SMALL {
        let emitter = dispatcher.borrow_mut().emitter()?;
        return read_held(work, source, text, &emitter);
    }
    let mut dispatcher = dispatcher.borrow_mut();
    let cost = text.len() as u64 + COST_OF_JOB;
    if let Some(Job::Held(held)) = dispatcher.last() {
        held.add(source, text);
        return dispatcher.weigh(cost);
    }
    let mut held = Held::new(work.context().spare.take());
    held.add(source, text);
    dispatcher.add(Job::Held(held), cost)
}

/// Gives a large file of plain text to workers, chunk by chunk.
fn queue_chunks<W: Work>(
    source: &Arc<SharedSource<W>>,
    file: &File,
    dispatcher: &RefCell<Dispatcher<'_, W>>,
) -> Result<(), Error> {
    let length = if source.reader.positions {
        CHUNK_OF_LINES
    } else {
        CHUNK
    };
    for (chunk, next_line) in Chunks::new(file.try_clone()?, length) {
        let source = source.clone();
        let chunk = Arc::new(FileChunk { source, chunk });
        dispatcher.borrow_mut().chunk(chunk, next_line)?;
    }
    Ok(())
}

/// Returns whether the file is plain text and long enough to be searched in chunks.
fn is_worth_chunking<W: Work>(file: &File, source: &SharedSource<W>) -> bool {
    let data = file.metadata();
    let is_large = data.is_ok_and(|data| data.is_file() && !is_small::<W>(data.len()));
    let mut head = Vec::new();
    let mut start = ReadAt { file, at: 0 }.take(Reader::HEAD as u64);
    ReadAt::WORKS
        && is_large
        && start.read_to_end(&mut head).is_ok()
        && source.reader.is_plain(&source.path, &head)
}
